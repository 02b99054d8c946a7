/**
 * Dumps the catalogue of a dataset's schema as text for review. A fresh install gives the same text on every
 * PostgreSQL.
 *
 * It does not need pg_dump. It omits the bodies of functions and views, which are in sql/functions/ and sql/views/.
 */
import type {Database} from '../../src/db/connection/pool.ts'

const header = `-- What a fresh install holds, for review: "npm run db:dump" writes this file, and a test compares it.
`

/** Each query returns rows of one column, in order; $1 is the schema. */
const sections: readonly string[] = [
  `select 'create sequence ' || c.relname || ';'
     from pg_class as c where c.relnamespace = $1::regnamespace and c.relkind = 'S' order by c.relname`,
  `select format(e'create type %s as (\\n%s\\n);', c.relname, ${columns()})
     from pg_class as c where c.relnamespace = $1::regnamespace and c.relkind = 'c' order by c.relname`,
  `select format(e'create table %s (\\n%s\\n)%s;', c.relname, ${columns()} || coalesce((
            select string_agg(format(e',\\n  constraint %I %s', k.conname, pg_get_constraintdef(k.oid)), '' order by k.conname)
              from pg_constraint as k where k.conrelid = c.oid and k.contype <> 'n'), ''),
          coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', ''))
     from pg_class as c where c.relnamespace = $1::regnamespace and c.relkind = 'r' order by c.relname`,
  `select pg_get_indexdef(i.indexrelid) || ';'
     from pg_index as i join pg_class as c on c.oid = i.indexrelid
    where c.relnamespace = $1::regnamespace
      and not exists (select from pg_constraint as k where k.conindid = i.indexrelid)
    order by c.relname`,
  `select pg_get_statisticsobjdef(s.oid) || ';'
     from pg_statistic_ext as s where s.stxnamespace = $1::regnamespace order by s.stxname`,
  `select format(e'create view %s (%s);', c.relname,
            (select string_agg(a.attname, ', ' order by a.attnum) from pg_attribute as a
              where a.attrelid = c.oid and a.attnum > 0))
     from pg_class as c where c.relnamespace = $1::regnamespace and c.relkind = 'v' order by c.relname`,
  `select format(e'create function %s(%s)%s\\n  language %s %s%s%s;', p.proname, pg_get_function_arguments(p.oid),
            coalesce(e'\\n  returns ' || pg_get_function_result(p.oid), ''), l.lanname,
            case p.provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end,
            case when p.proisstrict then ' strict' else '' end
              || case when p.prosecdef then ' security definer' else '' end,
            coalesce(e'\\n  set ' || array_to_string(array(select s from unnest(p.proconfig) as s
              where s not like 'search\\_path=%'), ' set '), ''))
     from pg_proc as p join pg_language as l on l.oid = p.prolang
    where p.pronamespace = $1::regnamespace order by p.proname, pg_get_function_arguments(p.oid)`,
]

function columns(): string {
  return `(select string_agg('  ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
              || case when a.attcollation = 'pg_catalog."C"'::regcollation then ' collate "C"' else '' end
              || case when a.attnotnull then ' not null' else '' end
              || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), ''), e',\\n' order by a.attnum)
      from pg_attribute as a left join pg_attrdef as d on (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)`
}

/** The text of a schema, without its name. */
export async function dumpSchema(database: Database, schema: string): Promise<string> {
  const parts: string[] = []
  for (const section of sections) {
    const rows = await database.query<Record<string, string>>(section, [schema])
    parts.push(rows.map(row => wrap(Object.values(row)[0] ?? '')).join('\n'))
  }
  const text = parts
    .join('\n\n')
    .replaceAll(`${schema}.`, '')
    .replace(/\n {2}set (?=;|$)/gm, '')
  return `${header}\n${text}\n`
}

/** Breaks lines after commas and before AND and SET, at 120 characters. */
function wrap(statement: string): string {
  return statement
    .split('\n')
    .map(line =>
      line
        .replace(/(.{1,110}(?:, | (?=AND |set )|$))/g, '$1\n    ')
        .trimEnd()
        .replace(/ \n/g, '\n'),
    )
    .join('\n')
}
