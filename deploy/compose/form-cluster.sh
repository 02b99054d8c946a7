#!/usr/bin/env bash
# Makes a coordinator and its workers one Citus cluster that distributes new datasets. May run again.
# PGHOST, PGPORT, PGUSER, PGPASSWORD and PGDATABASE name the coordinator, WORKERS lists host[:port] of the workers.
set -euo pipefail

run() { psql --no-psqlrc --quiet --tuples-only --set ON_ERROR_STOP=1 "$@"; }

run --set host="$PGHOST" --set port="${PGPORT:-5432}" --set name="$PGDATABASE" <<'SQL'
select citus_set_coordinator_host(:'host', :port) where not exists (select from pg_dist_node where groupid = 0);
alter database :"name" set citus.enable_schema_based_sharding to on;
SQL
for worker in $WORKERS; do
  host=${worker%%:*}
  port=${worker#"$host"}
  port=${port#:}
  run --set host="$host" --set port="${port:-5432}" <<'SQL'
select citus_add_node(:'host', :port);
SQL
done
