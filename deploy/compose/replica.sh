#!/usr/bin/env bash
# Copies the primary into an empty volume, then runs the copy as its replica.
set -euo pipefail

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  rm -rf "$PGDATA.part" # of an interrupted copy
  mkdir -p "$(dirname "$PGDATA")"
  pg_basebackup --host "$PRIMARY_HOST" --port "${PRIMARY_PORT:-5432}" --username replication \
    --pgdata "$PGDATA.part" --wal-method stream --write-recovery-conf --checkpoint fast # with PGPASSWORD
  mv "$PGDATA.part" "$PGDATA"
fi
# With feedback the primary keeps rows that long queries of the replica still read.
exec postgres -c hot_standby_feedback=on "$@"
