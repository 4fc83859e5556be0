#!/bin/sh
# Starts PostgreSQL in its container. With PRIMARY_HOST it is a standby: it copies the primary if it has no data, then follows it.
set -eu
data=/var/lib/postgresql/data
archive=/var/lib/postgresql/archive
chown postgres:postgres "$archive"
if [ -n "${PRIMARY_HOST:-}" ] && [ ! -s "$data/PG_VERSION" ]; then
    PGPASSWORD="$REPLICATION_PASSWORD" pg_basebackup \
        --dbname="host=$PRIMARY_HOST user=replication sslmode=require" \
        --pgdata="$data" --wal-method=stream --checkpoint=fast --write-recovery-conf --slot=standby
    chmod 0700 "$data"
    chown -R postgres:postgres "$data"
fi
exec docker-entrypoint.sh postgres -c config_file=/etc/postgresql/postgresql.conf
