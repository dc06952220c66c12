#!/usr/bin/env bash
# Builds Citus for the Postgres of PG_CONFIG (Debian: postgresql-15, postgresql-server-dev-15, libkrb5-dev, liblz4-dev, libzstd-dev,
# libselinux1-dev, libpam0g-dev), and runs a coordinator and two workers, for tests with TEST_CITUS_URL.
# Usage: scripts/citus.sh build|start|stop FOLDER
set -euo pipefail
version=v13.2.2
folder=$(mkdir -p "$2" && cd "$2" && pwd)
config=${PG_CONFIG:-pg_config}
port=${CITUS_PORT:-9700}
bin=$("$config" --bindir)

# Postgres refuses root.
as() {
  if [ "$(id -u)" = 0 ]; then (cd / && setpriv --reuid=postgres --regid=postgres --clear-groups "$@"); else "$@"; fi
}

# The arguments: a node, and statements.
psql() {
  local node=$1
  shift
  "$bin/psql" --quiet --no-psqlrc --output=/dev/null --set=ON_ERROR_STOP=1 --host=127.0.0.1 --port=$((port + node)) \
    --username=postgres "${@/#/--command=}"
}

build() {
  [ -d "$folder/source" ] || git clone --quiet --depth 1 --branch $version "${CITUS_SOURCE:-https://github.com/citusdata/citus}" "$folder/source"
  cd "$folder/source"
  # Postgres 15 declares this function since a minor version that is newer than the copy here.
  sed -i '/^static inline bool$/{N;/have_createdb_privilege/{:a;N;/\n}$/!ba;d}}' src/include/pg_version_compat.h
  PG_CONFIG=$config ./configure --quiet --without-libcurl
  make --silent with_llvm=no
  make --silent with_llvm=no install
}

start() {
  [ "$(id -u)" != 0 ] || chown postgres "$folder"
  created=
  for node in 0 1 2; do
    data=$folder/$node
    if ! [ -d "$data" ]; then
      created+=$node
      as "$bin/initdb" --pgdata="$data" --username=postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 >/dev/null
      # The nodes of a cluster on one machine need no TLS between them. Commits of two phases need prepared transactions.
      as tee -a "$data/postgresql.conf" >/dev/null <<EOF
shared_preload_libraries = 'citus'
citus.node_conninfo = 'sslmode=disable'
citus.recover_2pc_interval = '1s'
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
port = $((port + node))
max_connections = 300
# Tests have triggers that delay or refuse rows.
citus.enable_unsafe_triggers = on
max_prepared_transactions = 600
wal_level = logical
EOF
    fi
    as "$bin/pg_ctl" --pgdata="$data" --log="$folder/$node.log" --wait start >/dev/null
  done
  for node in ${created:+0 1 2}; do psql "$node" 'create extension citus'; done
  [ -z "$created" ] || psql 0 "select citus_set_coordinator_host('127.0.0.1', $port)" \
    "select citus_add_node('127.0.0.1', $((port + 1))), citus_add_node('127.0.0.1', $((port + 2)))"
  echo "TEST_CITUS_URL=postgres://postgres@127.0.0.1:$port/postgres"
}

stop() {
  for node in 0 1 2; do as "$bin/pg_ctl" --pgdata="$folder/$node" --mode=immediate stop >/dev/null || true; done
}

"$1"
