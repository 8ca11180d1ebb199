#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tools: deps.sh installs the missing packages in one call, or prints the command to run; builds
# never install; make runs in parallel by itself.
#
# apt-get, sudo and id are stand-ins that record their calls; PATH has only the programs that the
# script itself runs. Counter-cases: each error next to the same call with all tools present.
#
# tags: tooling
. "$(dirname "$0")/tap.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL ROUNDCAST_ENGINES

same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2; expected $3"; fi; }

root=$PWD
mkdir "$TMP/bin" "$TMP/work"
for command in sh awk cat flock mkdir cc; do ln -s "$(command -v $command)" "$TMP/bin"; done
stand_in() { printf '#!/bin/sh\n%s\n' "$2" >"$TMP/bin/$1" && chmod +x "$TMP/bin/$1"; }

# tools ARGUMENT…: runs deps.sh; output in $said, exit status in $status, calls in $TMP/calls.
tools() {
    doing="tools.sh $*"
    : >"$TMP/calls"
    status=0
    said=$(cd "$TMP/work" && PATH=$TMP/bin CC=cc CALLS=$TMP/calls \
        "${script:-$root/deps.sh}" "$@" 2>&1) || status=$?
}
calls() { tr '\n' ';' <"$TMP/calls"; }

# says TEXT STATUS PART CALLS: checks the last run.
says() {
    if [ "$status" = "$2" ] && grep -qF -e "$3" <<<"$said" && [ "$(calls)" = "$4" ]; then
        ok "$1"
    else
        not_ok "$1" "exit $status, calls $(calls): $said"
    fi
}

install='apt-get install -y --no-install-recommends'
stand_in apt-get 'echo "apt-get $*" >>"$CALLS"'
stand_in id 'echo 0'

tools --missing lint
says "--missing names the packages and the command" 1 "with: $install verilator yosys iverilog" ''
tools lint
says "root installs all in one call" 0 installing "$install verilator yosys iverilog;"
tools formal lint formal
says "several purposes are one call, with each package once" 0 installing \
    "$install yosys verilator iverilog;"
tools --packages formal lint
same "--packages prints them" "$status:$(calls)$(tr '\n' ' ' <<<"$said")" \
    "0:yosys verilator iverilog "

stand_in apt-get 'echo "apt-get $*" >>"$CALLS"
[ "$1" = update ] || [ "$(grep -c . "$CALLS")" -gt 2 ]'
ln -s "$(command -v grep)" "$TMP/bin"
tools formal
says "the lists are fetched if the first try fails" 0 installing \
    "$install yosys;apt-get update;$install yosys;"
stand_in apt-get 'echo "apt-get $*" >>"$CALLS"; [ "$1" = update ]'
tools formal
says "a failure is one, with the command" 1 "could not install them; run: $install yosys" \
    "$install yosys;apt-get update;$install yosys;"

stand_in apt-get 'echo "apt-get $*" >>"$CALLS"'
stand_in id 'echo 1000'
tools formal
says "a user without sudo gets the command" 1 "install them with: sudo $install yosys" ''
tools --missing formal
says "so does one that only asks" 1 "install them with: sudo $install yosys" ''
stand_in sudo '[ "$1" != -n ] || exit 1'
tools formal
says "a sudo that asks for a password is not used" 1 "install them with: sudo $install yosys" ''
stand_in sudo '[ "$1" = -n ] && exit 0; echo sudo >>"$CALLS"; exec "$@"'
tools formal
says "sudo without a password installs" 0 installing "sudo;$install yosys;"
rm "$TMP/bin/apt-get"
tools formal
says "without apt-get the packages are named" 1 'there is no apt-get' ''

for tool in verilator yosys iverilog; do stand_in $tool :; done
for mode in '' --missing; do
    tools $mode formal lint
    same "nothing is said or done if all is there ${mode:-(install)}" "$status:$said$(calls)" 0:
done
for mode in '' --missing --packages; do
    tools $mode lint nothing
    says "an unknown purpose is refused ${mode:-(install)}" 2 'unknown purpose: nothing' ''
done

# A header that the compiler finds elsewhere, and patterns.
sed -E 's|^(yosys +)yosys +|\1<rc_absent.h> |; s|^(iverilog +)iverilog +|\1'"$TMP"'/v-*/lib |' \
    ./deps.sh >"$TMP/tools.sh" && chmod +x "$TMP/tools.sh"
script=$TMP/tools.sh
tools --missing formal
says "a header that is nowhere is missing" 1 'yosys' ''
mkdir "$TMP/include" && : >"$TMP/include/rc_absent.h"
CPPFLAGS=-I$TMP/include tools --missing formal
same "one that the compiler finds is not" "$status:$said" 0:
CPPFLAGS=-I$TMP/include tools --missing lint
says "a pattern without a file is missing" 1 ' iverilog' ''
mkdir -p "$TMP/v-7/lib"
CPPFLAGS=-I$TMP/include tools --missing lint
same "one with a file is not" "$status:$said" 0:
script=

named=$(git ls-files -- '*.mk' Makefile 2>/dev/null | xargs -r grep -ohE '\b(tools|need)-[a-z]+' |
    sed -E 's/^(tools|need)-//' | sort -u)
for purpose in ${named:-build demo test deps}; do
    check "the makefiles' purpose $purpose" ./deps.sh --packages "$purpose"
done
same "deps has all of test" "$(comm -23 <(./deps.sh --packages test | sort) \
    <(./deps.sh --packages deps | sort))" ""

# --- make -------------------------------------------------------------------------------------

stand_in apt-get 'echo "apt-get $*" >>"$CALLS"'
: >"$TMP/calls"
for goal in all install; do
    said=$(CALLS=$TMP/calls PATH=$TMP/bin:$PATH make -s "$goal" BUILD="$TMP/build" CC=rc-absent-cc \
        DESTDIR="$TMP/dest" 2>&1)
    status=$?
    says "make $goal installs nothing and names the command" 2 "$install gcc" ''
    same "… once, and compiles nothing" \
        "$(grep -c 'install them with' <<<"$said"):$(grep -c '  cc ' <<<"$said")" 1:0
done
same "make demo and make deps install" "$(make -n demo | grep -cx './deps.sh demo'):$(
    make -n deps | grep -cx './deps.sh deps')" 1:1

printf 'include Makefile\nflags goal:;@echo $(filter -j%%,$(MAKEFLAGS))\n' >"$TMP/flags.mk"
flags() { make --no-print-directory -f "$TMP/flags.mk" "$@" | sed -n 1p; }
same "make runs as many jobs as there are processors" "$(flags flags)" "-j$(nproc)"
same "… unless -j is given" "$(flags -j7 flags):$(flags -j1 flags)" -j7:-j1
same "… or MAKEFLAGS has one" "$(MAKEFLAGS=-j1 flags flags)" -j1
same "several goals keep their order" "$(flags flags goal)" ""
same "a make below another has the same jobs" "$(MAKELEVEL=1 flags flags goal)" "-j$(nproc)"

mkdir "$TMP/no-engines"
engine=$(make -n demo | sed -n 's/^build[^ ]*\/compile-engine //p')
ROUNDCAST_ENGINES=$TMP/no-engines roundcast run matching --nodes 22 --packets 8 --network benes:32 \
    --payload docs/demo.txt --engine rtl
check "make demo compiles its engine ahead" grep -qF -e " $engine: not in" "$TMP/err"
same "… unless engines stand ready" "$(ROUNDCAST_ENGINES=$TMP/no-engines make -n demo |
    grep -c compile-engine)" 0
same "another text needs another engine" "$(make -n demo FILE=README.md | grep -c compile-engine)" 0

finish
