/**
 * Rights on the schema of a dataset's functions, which is created anew when the dataset moves to another node.
 */
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Queryable} from '../connection/pool.ts'

/**
 * Statements that give the rights on a schema, its views, sequences and functions again. A function that a newer
 * version of the program does not have any more is left out.
 */
export async function readRights(node: Queryable, schema: string): Promise<readonly string[]> {
  const rows = await node.query<{statement: string}>(
    `with objects as (
       select format('schema %I', n.nspname) as name, n.nspacl as acl, n.nspowner as owner
         from pg_namespace as n where n.oid = to_regnamespace($1)
        union all
       select format('%s %s', case c.relkind when 'S' then 'sequence' else 'table' end, c.oid::regclass), c.relacl,
              c.relowner
         from pg_class as c where c.relnamespace = to_regnamespace($1) and c.relkind in ('v', 'S')
        union all
       select format('routine %s', p.oid::regprocedure), p.proacl, p.proowner
         from pg_proc as p where p.pronamespace = to_regnamespace($1)),
     granted as (
       select o.name, format('revoke all on %s from public', o.name) as statement from objects as o
        where o.acl is not null
        union all
       select o.name, format('grant %s on %s to %s%s', a.privilege_type, o.name,
                             case a.grantee when 0 then 'public' else a.grantee::regrole::text end,
                             case when a.is_grantable then ' with grant option' end)
         from objects as o, aclexplode(o.acl) as a
        where a.grantee <> o.owner)
     select format('do $do$ begin %s; exception when undefined_function or undefined_table or undefined_object '
                   'then null; end $do$', string_agg(g.statement, '; ' order by g.statement desc)) as statement
       from granted as g group by g.name order by g.name`,
    [quoteIdentifier(schema)],
  )
  return rows.map(({statement}) => statement)
}
