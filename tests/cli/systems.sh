#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# systems: the errors of `make test-tools` on machines on which it cannot run, and a check that its
# runs cover every kind of machine.
#
# debootstrap and id are stand-ins. Counter-cases: a list of runs without one of the networks.
#
# tags: tooling
. "$(dirname "$0")/tap.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL CHECKS SYSTEMS_FOLDER

systems=qa/systems
mkdir "$TMP/bin"
stand_in() { printf '#!/bin/sh\n%s\n' "$2" >"$TMP/bin/$1" && chmod +x "$TMP/bin/$1"; }
stand_in id 'echo 0'
stand_in debootstrap 'echo "E: no such mirror" >&2; exit 1'

# says TEXT STATUS PART ARGUMENT…: checks systems.sh, whose systems would be in $TMP/systems.
says() {
    local text=$1 expected=$2 part=$3 said status=0
    shift 3
    doing="systems.sh $*"
    said=$(PATH=$TMP/bin:$PATH SYSTEMS_FOLDER=$TMP/systems SYSTEMS_LOGS=$TMP/logs \
        $systems/systems.sh "$@" 2>&1) || status=$?
    if [ $status = "$expected" ] && grep -qE -e "$part" <<<"$said"; then
        ok "$text"
    else
        not_ok "$text" "exit $status: $said"
    fi
}

says "a release is needed" 2 'no release was given; .*sid'
CHECKS='gcc nothing' says "an unknown check is refused" 2 'unknown check: nothing; .*first-run' sid
CHECKS=gcc says "a release that cannot be installed has failed" 1 '^gcc +FAILED$' sid
CHECKS=gcc says "… and the reason is shown" 1 '^E: no such mirror$' sid
stand_in id 'echo 1000'
says "root is needed" 2 'needs root; run: sudo make test-tools' sid
stand_in id 'echo 0'
rm "$TMP/bin/debootstrap"
if PATH=$TMP/bin:$PATH command -v debootstrap >/dev/null; then
    mkdir "$TMP/rest"
    IFS=: read -ra folders <<<"$PATH"
    for place in "${folders[@]}"; do ln -s "$place"/* "$TMP/rest" 2>/dev/null; done
    rm -f "$TMP/rest/debootstrap" "$TMP/rest/id"
    PATH=$TMP/rest says "debootstrap is needed" 2 'debootstrap is missing; run: make deps' sid
else
    says "debootstrap is needed" 2 'debootstrap is missing; run: make deps' sid
fi

# --- runs.txt ---------------------------------------------------------------------------------

# The networks that the program supports. gf11 is a Clos network of 576 ports, run by `make gf11`.
networks=$(COLUMNS=1000 "$ROUNDCAST" list | sed -n '/^network /,/^$/p' | sed -E '1d; s/[:[ ].*//' |
    sort -u | grep -vx gf11)
network_count=$(wc -w <<<"$networks")

# lacks FILE: prints the networks, settings and programs that no run of the file has.
lacks() {
    local kind
    for kind in $networks; do
        grep -qE -e "--network $kind(:| |$)" "$1" || echo "$kind"
    done
    for kind in indexed tags masks; do grep -q -e "--settings $kind" "$1" || echo "$kind"; done
    for kind in '--programs computed' '--reconfigure' '--lambda'; do
        grep -q -e "$kind" "$1" || echo "$kind"
    done
}
lacking() {
    local seen
    seen=$(lacks "$2" | paste -sd ' ')
    if [ "$seen" = "$3" ]; then ok "$1"; else not_ok "$1" "$seen; expected $3"; fi
}
check "list names eleven networks" test "$network_count" = 11
lacking "every kind of machine, settings and programs has a run" $systems/runs.txt ""
sed '/fat-tree-auto/d; /masks/d' $systems/runs.txt >"$TMP/fewer"
lacking "one that is left out is found" "$TMP/fewer" "fat-tree-auto masks"
while IFS='|' read -r name schedule route; do
    roundcast schedule $schedule -o "$TMP/$name.sched"
    [ "$status" -eq 0 ] && roundcast route "$TMP/$name.sched" $route -o "$TMP/$name"
    if [ "$status" -eq 0 ]; then
        accepts 'Every packet arrived' "csim runs $name" simulate "$TMP/$name" --engine csim
    else
        not_ok "csim runs $name" "$(cat "$TMP/err")"
    fi
done < <(sed '/^#/d; s/ *| */|/g' $systems/runs.txt)

checks=$(sed -n 's/^all_checks="\(.*\)"$/\1/p' $systems/systems.sh)
for check in $checks; do
    check "README.md has the check $check" grep -qE "^\|.*\`$check\`" $systems/README.md
done
finish
