# The set-up of ./palyra, which sources this file and defines root, node, stamp,
# has_all_files and changed_source. Everything that is shown here goes to standard error.
# shellcheck shell=sh disable=SC2154

# What is shown to people names the place whatever directory they are in. An exported CDPATH would
# lead to another directory of the same name, and `cd` would say so into what is read here.
here=$(CDPATH='' cd -- "$root" && pwd)
log=$here/dist/set-up.log
lock=$here/dist/set-up.lock
lock_patience_seconds=1200

# Each step leaves its mark only when it is complete, so an interrupted set-up is taken up again
# where it stopped. The mark of the whole comes last.
set_up() {
  mkdir -p "$root/dist" 2>/dev/null || fail "$here cannot be written" \
    'start it once as the owner of this directory'
  take_lock
  trap 'rm -rf "$lock"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  : 2>/dev/null >"$log" || fail "$log cannot be written" 'start it once as the owner of this directory'

  [ -f "$root/dist/set-up" ] || say 'setting up Palyra; this happens once'
  if is_newer "$root/package-lock.json" "$root/dist/set-up"; then install_system_packages; fi
  if ! has_npm_packages; then install_npm_packages; fi
  if ! has_bundles; then step 'programs and console' 'mend what the log names; a fresh checkout builds' build_bundles; fi
  : >"$root/dist/set-up"

  trap - EXIT INT TERM HUP
  rm -rf "$lock"
}

# --- steps -----------------------------------------------------------------------------------

install_system_packages() {
  essential='' optional=''
  command -v node >/dev/null || essential=nodejs
  command -v npm >/dev/null || essential="${essential:+$essential }npm"
  if [ "$(uname -s)" = Linux ] && ! command -v bwrap >/dev/null; then optional='bubblewrap'; fi
  if [ -n "$essential" ]; then
    may_install || fail "missing: $essential" "install with: $(install_command "$essential")"
    step "system packages: $essential" "install with: $(install_command "$essential")" \
      apt_install "$essential"
  fi
  [ -n "$optional" ] || return 0
  if may_install && (quiet_step "system packages: $optional" apt_install "$optional"); then return 0; fi
  warn "missing: $optional, which sandboxes will need; everything else works without it"
  warn "install it with: $(install_command "$optional")"
}

# The pinned Node is one of these packages. No package needs its install script, so none is run.
install_npm_packages() {
  step 'npm packages, with the pinned Node' 'check the network, then start again' npm_ci
  [ -x "$node" ] || fail "there is no pinned Node for $(uname -s) $(uname -m)" \
    'Palyra runs on Linux and macOS, on x64 and arm64'
}

has_npm_packages() {
  [ -x "$node" ] && ! is_newer "$root/package-lock.json" "$root/node_modules/.package-lock.json"
}

has_bundles() {
  ! is_newer "$root/package-lock.json" "$stamp" && has_all_files && [ -z "$(changed_source)" ]
}

npm_ci() {
  (CDPATH='' cd -- "$root" && npm ci --ignore-scripts --include=dev --include=optional --no-audit --no-fund)
}

build_bundles() {
  (CDPATH='' cd -- "$root" && node_modules/.bin/node tools/build.ts)
}

# --- Debian ----------------------------------------------------------------------------------

may_install() {
  command -v apt-get >/dev/null && { is_root || sudo -n true 2>/dev/null; }
}

# The lists are fetched only when the packages are not known, as on a fresh container.
apt_install() {
  # shellcheck disable=SC2086
  as_root apt-get install -y --no-install-recommends $1 || {
    as_root apt-get update && as_root apt-get install -y --no-install-recommends $1
  }
}

as_root() {
  if is_root; then
    DEBIAN_FRONTEND=noninteractive "$@" -o DPkg::Lock::Timeout=60 </dev/null
  else
    sudo -n DEBIAN_FRONTEND=noninteractive "$@" -o DPkg::Lock::Timeout=60 </dev/null
  fi
}

is_root() {
  [ "$(id -u)" = 0 ]
}

install_command() {
  if ! command -v apt-get >/dev/null; then
    printf 'the package manager of your system (%s)' "$1"
  elif is_root; then
    printf 'apt-get install %s' "$1"
  else
    printf 'sudo apt-get install %s' "$1"
  fi
}

# --- one at a time ---------------------------------------------------------------------------

# Two first starts at once: the second waits. A lock whose owner is gone is taken over.
take_lock() {
  waited=0
  until mkdir "$lock" 2>/dev/null; do
    [ -d "$lock" ] || fail "$lock cannot be made" 'start it once as the owner of this directory'
    [ "$waited" -gt 0 ] || say 'another start is setting up; waiting for it'
    owner=$(cat "$lock/owner" 2>/dev/null || :)
    if [ -n "$owner" ] && ! is_alive "$owner"; then release_dead "$owner"; fi
    [ "$waited" -lt "$lock_patience_seconds" ] ||
      fail 'another start has been setting up for too long' "remove $lock and start again"
    waited=$((waited + 1))
    sleep 1
  done
  echo $$ >"$lock/owner"
}

is_alive() {
  kill -0 "$1" 2>/dev/null || [ -d "/proc/$1" ]
}

# Moved away first: of two that saw the same dead owner only one can do that. If a new owner came
# in between, its lock goes back.
release_dead() {
  mv "$lock" "$lock.$$" 2>/dev/null || return 0
  if [ "$(cat "$lock.$$/owner" 2>/dev/null || :)" = "$1" ]; then rm -rf "$lock.$$"; else mv "$lock.$$" "$lock"; fi
}

# --- words -----------------------------------------------------------------------------------

# step NAME HELP COMMAND...: a line while it runs, a line when it is done, the log when it fails.
step() {
  name=$1 help=$2
  shift 2
  quiet_step "$name" "$@" || {
    tail -n 12 "$log" | sed 's/^/    /'
    fail "$name: failed, see $log" "$help"
  }
}

quiet_step() {
  shown=$1
  shift
  began=$(date +%s)
  begin_line "$shown"
  if "$@" >>"$log" 2>&1; then
    end_line '✓' "$shown ($(($(date +%s) - began)) s)"
  else
    end_line '✗' "$shown"
    return 1
  fi
}

if [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; then
  begin_line() { printf '… %s' "$1"; }
  end_line() { printf '\r\033[K%s %s\n' "$1" "$2"; }
else
  begin_line() { printf '… %s\n' "$1"; }
  end_line() { printf '%s %s\n' "$1" "$2"; }
fi

say() { printf '%s\n' "$1"; }
warn() { printf '! %s\n' "$1"; }

fail() {
  printf 'error: %s\n  try: %s\n' "$1" "$2" >&2
  exit 1
}

# True when the second file is missing or older than the first.
is_newer() {
  [ ! -e "$2" ] || [ "$1" -nt "$2" ]
}
