#!/bin/sh
# What building the extension needs of npm; again only when the lock file has changed. Exit status 77: npm could not.
set -eu
cd "$(dirname "$0")"

# One at a time: other tests may want the same.
exec 9<.
if command -v flock >/dev/null; then flock 9; fi
stamp=node_modules/.installed
cmp -s package-lock.json "$stamp" && exit 0
npm ci --ignore-scripts --no-audit --no-fund >&2 || {
  echo "install.sh: npm could not install what building needs" >&2
  exit 77
}
cp package-lock.json "$stamp"
