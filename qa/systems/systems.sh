#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# systems: builds and runs this tree on other releases of Debian, and prints a table.
#
#     systems.sh RELEASE…                     bookworm trixie sid
#
#     CHECKS="gcc demo"   runs these checks only (check.sh lists all)
#     SYSTEMS_FOLDER=…    folder of the systems
#                         (default: ${XDG_CACHE_HOME:-~/.cache}/roundcast/systems)
#     SYSTEMS_LOGS=…      folder of the logs (default: build/systems)
#     MIRROR=…            mirror (default: http://deb.debian.org/debian)
#
# debootstrap installs a release once, into SYSTEMS_FOLDER/RELEASE.tar, which contains make and git
# and nothing else that the project needs. SYSTEMS_FOLDER/RELEASE is the same with the packages of
# tools.sh; the tracked files of this tree are copied there for each run. `first-run` copies them to
# a system unpacked from the tar, where `make demo` installs its packages itself.
#
# Requires root, for chroot. Logs are SYSTEMS_LOGS/RELEASE-CHECK.log. Exit status 1 if a check
# failed or could not run, 2 if this machine cannot run any.
set -u
here=qa/systems
all_checks="gcc clang demo lint lockstep netlist benches synth first-run"
# first-run installs its packages itself.
purposes="demo clang lint synth"
checks=${CHECKS:-$all_checks}
mirror=${MIRROR:-http://deb.debian.org/debian}
folder=${SYSTEMS_FOLDER:-${XDG_CACHE_HOME:-$HOME/.cache}/roundcast/systems}
logs=${SYSTEMS_LOGS:-build/systems}

fail() { echo "test-tools: $*" >&2 && exit 2; }

[ $# -gt 0 ] || fail "no release was given; SYSTEMS=\"bookworm trixie sid\" names all"
for check in $checks; do
    case " $all_checks " in
    *" $check "*) ;;
    *) fail "unknown check: $check; CHECKS may have: $all_checks" ;;
    esac
done
[ "$(id -u)" -eq 0 ] || fail "chroot needs root; run: sudo make test-tools"
command -v debootstrap >/dev/null || fail "debootstrap is missing; run: make deps"
mkdir -p "$folder" "$logs" || fail "$folder: cannot be written; SYSTEMS_FOLDER names another"

# enter ROOT COMMAND…: runs it in the system, in the folder of the sources, with no other variables.
# Mounts and processes end with it.
enter() {
    unshare --mount --pid --fork --kill-child bash -c '
        root=$1 && shift
        mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" &&
            exec chroot "$root" /usr/bin/env -i HOME=/srv LANG=C.UTF-8 PATH="$PATH" "$@"' \
        enter "$1" /bin/sh -c 'cd /srv/roundcast && exec "$@"' enter "${@:2}"
}

# install_base RELEASE: creates the tar, unless it exists.
install_base() {
    local made=$folder/$1.new
    [ ! -e "$folder/$1.tar" ] || return 0
    rm -rf "$made"
    debootstrap --variant=minbase --include=make,git "$1" "$made" "$mirror" &&
        # A mirror may be an old snapshot.
        echo 'Acquire::Check-Valid-Until "false";' >"$made/etc/apt/apt.conf.d/90roundcast" &&
        tar -C "$made" -cf "$folder/$1.tar.new" . && mv "$folder/$1.tar.new" "$folder/$1.tar" &&
        rm -rf "$made"
}

# unpack_base RELEASE ROOT: unpacks a system with only the sources.
unpack_base() {
    rm -rf "$2" && mkdir "$2" && tar -C "$2" -xf "$folder/$1.tar" && copy_tree "$2"
}

# copy_tree ROOT: copies the tracked files in their current state, without build results.
copy_tree() {
    rm -rf "$1/srv/roundcast" "$1/srv/.cache" && mkdir "$1/srv/roundcast" &&
        git ls-files -z | (while IFS= read -r -d '' file; do
            [ ! -e "$file" ] || printf '%s\0' "$file"
        done) | tar --null -T - -c | tar -C "$1/srv/roundcast" -x
}

# prepare RELEASE: creates the system with all packages and the sources.
prepare() {
    local root=$folder/$1
    install_base "$1" || return
    if [ -e "$root.ready" ]; then
        copy_tree "$root" || return
    else
        unpack_base "$1" "$root" || return
    fi
    enter "$root" ./deps.sh $purposes && touch "$root.ready"
}

# run_check RELEASE CHECK: runs it, and records its log and seconds.
run_check() {
    local root=$folder/$1
    if [ "$2" = first-run ]; then
        root=$folder/$1.first
        unpack_base "$1" "$root" || return
    fi
    enter "$root" bash $here/check.sh "$2"
}

# put COLUMN…: prints a line of the table.
put() {
    printf '%-10s' "$1" && shift
    printf '  %-24s' "$@" | sed 's/ *$//'
    echo
}

releases=("$@")
declare -A result version
failed=0
for release in "${releases[@]}"; do
    echo "test-tools: $release: installing" >&2
    if ! prepare "$release" </dev/null >"$logs/$release-install.log" 2>&1; then
        echo "test-tools: $release: cannot be installed; see $logs/$release-install.log" >&2
        tail -n 5 "$logs/$release-install.log" >&2
        failed=1
        continue
    fi
    while read -r tool number; do
        version[$release,$tool]=$number
    done < <(enter "$folder/$release" bash $here/check.sh versions 2>/dev/null </dev/null)
    for check in $checks; do
        log=$logs/$release-$check.log
        started=$(date +%s%N)
        status=ok
        run_check "$release" "$check" </dev/null >"$log" 2>&1 || status=FAILED
        seconds=$((($(date +%s%N) - started) / 100000000))
        result[$release,$check]="$status $((seconds / 10)).$((seconds % 10)) s"
        echo "test-tools: $release: $check: ${result[$release,$check]}" >&2
        if [ "$status" != ok ]; then
            failed=1
            echo "--- the last lines of $log" >&2
            tail -n 20 "$log" >&2
        fi
        rm -rf "$folder/$release.first"
    done
done

{
    put '' "${releases[@]}"
    for tool in gcc clang verilator iverilog yosys make; do
        cells=()
        for release in "${releases[@]}"; do cells+=("${version[$release,$tool]:-none}"); done
        put "$tool" "${cells[@]}"
    done
    echo
    for check in $checks; do
        cells=()
        for release in "${releases[@]}"; do cells+=("${result[$release,$check]:-FAILED}"); done
        put "$check" "${cells[@]}"
    done
} | tee "$logs/table.txt"
exit $failed
