# Sourced by ./loam and ./test: installs the Debian packages of the named groups that are missing (tools/packages), or,
# without the right to, prints the one command that does and stops.

install_packages() { # groups...
    local wanted missing=()
    wanted=$(for group in "$@"; do sed -n "s/^$group: //p" "$root/tools/packages"; done)
    for package in $wanted; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    local command="apt-get install -y --no-install-recommends ${missing[*]}"
    if [ "$(id -u)" -eq 0 ]; then
        echo "installing: ${missing[*]}" >&2
        DEBIAN_FRONTEND=noninteractive
        export DEBIAN_FRONTEND
        { apt-get update -q && $command; } >&2 && return 0
        echo "the packages could not be installed; try: apt-get update && $command" >&2
        exit 1
    fi
    echo "some Debian packages are missing. Install them with:" >&2
    echo "  sudo sh -c 'apt-get update && $command'" >&2
    exit 1
}

build() { # preset, targets...
    local preset=$1 log
    shift
    log=$(mktemp)
    if [ ! -f "$root/build/$preset/build.ninja" ]; then
        cmake --preset "$preset" -S "$root" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; exit 1; }
    fi
    rm -f "$log"
    cmake --build "$root/build/$preset" --target "$@"
}
