#!/usr/bin/env bash
# Lets the replica connect to the primary. The image of PostgreSQL runs it once, after it has made the cluster.
set -euo pipefail

psql --set ON_ERROR_STOP=1 --set password="$REPLICATION_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role replication login replication password :'password';
SQL
echo "host replication replication all scram-sha-256" >>"$PGDATA/pg_hba.conf"
