#!/bin/sh
# The language server against a real client library: run.sh PHOBOS
# Exit status 77: Node or the library is not to be had here (an error with PHOBOS_NO_SKIP=1).
set -eu

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
  echo "usage: run.sh PHOBOS" >&2
  exit 2
fi
PHOBOS=$(realpath "$1")
export PHOBOS
cd "$(dirname "$0")"

lacking() {
  echo "protocol test: $1" >&2
  [ "${PHOBOS_NO_SKIP:-}" = 1 ] && exit 1
  exit 77
}

command -v node >/dev/null && command -v npm >/dev/null || lacking "Node 18 or later with npm is needed"
[ "$(node -p 'parseInt(process.versions.node)')" -ge 18 ] || lacking "Node 18 or later is needed; this is $(node --version)"

# The library is installed again only when the lock file has changed.
stamp=node_modules/.installed
if ! cmp -s package-lock.json "$stamp"; then
  npm ci --ignore-scripts --no-audit --no-fund >/dev/null || lacking "npm could not install the client library"
  cp package-lock.json "$stamp"
fi
exec node --test --test-reporter=spec protocol.test.mjs
