#!/bin/sh
# Creates the roles of the database, once: `owner` owns and migrates it, `application` owns nothing. And the slot of the standby.
set -eu
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username=postgres --dbname=invoicing \
    --set=owner_password="$OWNER_PASSWORD" \
    --set=application_password="$APPLICATION_PASSWORD" \
    --set=replication_password="$REPLICATION_PASSWORD" <<'SQL'
CREATE ROLE owner LOGIN PASSWORD :'owner_password';
CREATE ROLE invoicing_application NOLOGIN;
CREATE ROLE application LOGIN PASSWORD :'application_password' IN ROLE invoicing_application;
CREATE ROLE replication LOGIN REPLICATION PASSWORD :'replication_password';
ALTER DATABASE invoicing OWNER TO owner;
REVOKE CONNECT, TEMPORARY ON DATABASE invoicing FROM PUBLIC;
GRANT CONNECT ON DATABASE invoicing TO application;
SELECT pg_create_physical_replication_slot('standby');
SQL
