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

# The studio's page, from apps/studio/web to build/studio, if it is not there or older than its sources. Node comes from the PATH, or
# else from Debian. With the word `test`, what its tests need is there as well.
build_page() {
    local web=$root/apps/studio/web page=$root/build/studio modules wanted=(--omit=dev) log
    if [ "${1-}" = test ]; then wanted=(); fi
    command -v node >/dev/null && command -v npm >/dev/null || install_packages studio
    modules=$web/node_modules/.package-lock.json
    log=$(mktemp)
    if [ "$web/package-lock.json" -nt "$modules" ] || { [ "${1-}" = test ] && [ ! -d "$web/node_modules/vitest" ]; }; then
        echo "fetching what the studio's page is built with (once) ..." >&2
        (cd "$web" && npm ci ${wanted[@]+"${wanted[@]}"} && touch "$modules") >"$log" 2>&1 || page_failed "$log"
    fi
    if [ ! -f "$page/index.html" ] ||
        [ -n "$(find "$web" -path "$web/node_modules" -prune -o -type f -newer "$page/index.html" -print -quit)" ]; then
        echo "building the studio's page ..." >&2
        (cd "$web" && npm run build -- --logLevel error --outDir "$page" --emptyOutDir && touch "$page/index.html") >"$log" 2>&1 || page_failed "$log"
    fi
    rm -f "$log"
}
page_failed() { # log
    cat "$1" >&2
    echo "the studio's page could not be built; npm needs its registry for this once" >&2
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
