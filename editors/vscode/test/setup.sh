#!/bin/sh
# Makes a real VS Code that runs without a display: code-server, and Debian's Chromium to look at it.
# Prints the folder of code-server as its last line. What is there already is not made again.
#
# Needs Debian 12 or later with Node 20 (20.15 or later) and its headers, as the `nodejs` package of nodesource
# has both; Debian 12's own `nodejs` is 18. Packages that are missing are installed where the user may.
# Exit status 77: something is not to be had here; the reason is the last line on standard error.
set -eu

version=4.100.3
revision=1 # one more when what is done below changes
cache=${XDG_CACHE_HOME:-$HOME/.cache}/phobos/code-server-$version-$revision

lacking() {
  echo "editor test: $1" >&2
  exit 77
}

find_node() {
  command -v node >/dev/null && command -v npm >/dev/null ||
    lacking "Node 20 with npm is needed and there is none (Debian 12's own nodejs is 18 and too old)"
  node -e 'const [a, b] = process.versions.node.split("."); process.exit(a === "20" && +b >= 15 ? 0 : 1)' ||
    lacking "Node 20 (20.15 or later) is needed; this is $(node --version)"
}

install_packages() {
  missing=
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  command -v apt-get >/dev/null || lacking "these packages are missing and there is no apt-get:$missing"
  as_root=
  if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || lacking "these packages are missing and only root can install them:$missing"
    as_root=sudo
  fi
  echo "editor test: installing$missing" >&2
  # Word splitting is meant: $missing is a list.
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >"$log" 2>&1 ||
    { $as_root apt-get update -q && $as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -q --no-install-recommends $missing; } >"$log" 2>&1 ||
    { tail -n 20 "$log" >&2; lacking "apt could not install:$missing"; }
}

quietly() {
  "$@" >"$log" 2>&1 || { tail -n 40 "$log" >&2; lacking "this failed: $*"; }
}

# The native modules that the server needs to start and to write its logs. The others (terminals, Kerberos
# proxies, telemetry ids) are left unbuilt: this editor has no use for them.
build_native_modules() {
  root=$1
  export npm_config_nodedir="$node_prefix" npm_config_build_from_source=true npm_config_ignore_scripts=false
  quietly npm --prefix "$root/../.." rebuild argon2
  quietly npm --prefix "$root/lib/vscode" rebuild @vscode/spdlog native-watchdog
  for module in "$root/../argon2/lib/binding/napi-v3/argon2.node" \
    "$root/lib/vscode/node_modules/@vscode/spdlog/build/Release/spdlog.node" \
    "$root/lib/vscode/node_modules/native-watchdog/build/Release/watchdog.node"; do
    [ -f "$module" ] || lacking "a native module was not built: $module"
  done
}

install_code_server() {
  node_prefix=$(node -p 'path.dirname(path.dirname(fs.realpathSync(process.execPath)))')
  [ -f "$node_prefix/include/node/node_api.h" ] || lacking "Node's headers are not in $node_prefix/include/node"
  install_packages g++ make python3
  echo "editor test: installing code-server $version (a minute or two)" >&2
  rm -rf "$cache.new"
  mkdir -p "$cache.new"
  echo '{ "private": true }' >"$cache.new/package.json"
  npm_options="--ignore-scripts --omit=dev --no-audit --no-fund"
  quietly npm --prefix "$cache.new" install $npm_options "code-server@$version"
  root=$cache.new/node_modules/code-server
  quietly npm --prefix "$root/lib/vscode" install $npm_options
  quietly npm --prefix "$root/lib/vscode/extensions" install $npm_options
  build_native_modules "$root"
  # What the package's own install script would have linked, and the search program.
  ln -sfn node_modules "$root/lib/vscode/node_modules.asar"
  ln -sf code-linux.sh "$root/lib/vscode/bin/remote-cli/code-server"
  ln -sf browser-linux.sh "$root/lib/vscode/bin/helpers/browser.sh"
  mkdir -p "$root/lib/vscode/node_modules/@vscode/ripgrep/bin"
  ln -sf "$(command -v rg)" "$root/lib/vscode/node_modules/@vscode/ripgrep/bin/rg"
  rm -rf "$cache"
  mv "$cache.new" "$cache"
}

find_node
mkdir -p "$(dirname "$cache")"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
exec 9>"$cache.lock"
flock 9
install_packages chromium ripgrep fonts-dejavu-core
[ -d "$cache" ] || install_code_server
echo "$cache/node_modules/code-server"
