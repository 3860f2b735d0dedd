#!/bin/sh
# Runs once, when the volume is new. The instances get a role that owns its own database and is no superuser: a leaked
# DATABASE_URL then reads no file of the server and runs no program there.
set -e
psql -v ON_ERROR_STOP=1 -v password="$MARKET_PASSWORD" --username postgres --dbname postgres <<'SQL'
CREATE ROLE market LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'password';
CREATE DATABASE market OWNER market;
REVOKE CONNECT, TEMPORARY ON DATABASE market FROM PUBLIC;
-- The superuser is let in over the container's own socket only: no password fits over the network.
ALTER ROLE postgres PASSWORD NULL;
SQL
