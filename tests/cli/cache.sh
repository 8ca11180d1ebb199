#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cache: compiled engines are kept in the user's cache, keyed by their sources and tools, and are
# built once.
#
# The sources are a stand-in, whose engines take a second, or as long as a file exists, and whose
# makefile records its calls, so that the test knows which engines were built, how often, and which
# processes waited. The tools are stand-ins, too. Counter-cases: sources, tools or a folder that
# differ, and a build that is interrupted or fails.
. "$(dirname "$0")/tap.sh"
unset ROUNDCAST_ENGINES XDG_CACHE_HOME

# Characters that make, shells and patterns would interpret.
odd="$TMP/an 'odd' \"näme\" [a] \$(b)"
root=$odd/root
log=$TMP/built
mkdir -p "$root/testbench/engine" "$root/rtl/a" "$root/synth" "$odd/tools" "$odd/home"
echo one >"$root/rtl/a/rc_a.sv"
cat >"$root/testbench/engine/build.mk" <<END
build/engine/%:
	@echo \$(notdir \$(@D)) >>'$log'
	@while [ -e '$TMP/hold' ]; do sleep 0.05; done
	@if [ -e '$TMP/break' ]; then exit 1; fi
	@mkdir -p \$(@D) && cat rtl/a/rc_a.sv >\$@
END
for tool in c++ verilator yosys; do
    printf '#!/bin/sh\n' >"$odd/tools/$tool"
    chmod +x "$odd/tools/$tool"
done
export ROUNDCAST_ROOT=$root HOME=$odd/home TMPDIR=$TMP/tmp PATH="$odd/tools:$PATH"
cache=$HOME/.cache/roundcast
mkdir "$TMPDIR"

for n in 2 4 8; do
    "$ROUNDCAST" schedule path -n $n -m 1 -o "$TMP/$n.sched" >/dev/null
    "$ROUNDCAST" route "$TMP/$n.sched" -o "$odd/$n" >/dev/null
done

# nobody_works: checks that no make runs in the cache; nobody_locks: that none holds its lock.
nobody_works() { ! pgrep -f "make .*-C $TMP/" >/dev/null; }
the_lock() { find "$cache" -path '*ports2-*/lock'; }
nobody_locks() { [ -z "$(the_lock)" ] || flock -n "$(the_lock)" true; }
# times PART: prints the number of calls of the makefile for targets with PART in their names.
times() { grep -c -e "$1" "$log" 2>/dev/null; }
# same TEXT SEEN EXPECTED: checks that SEEN equals EXPECTED.
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2; expected $3"; fi; }
# until_holds COMMAND…: waits until the command succeeds, at most 20 seconds.
until_holds() {
    for _ in {1..400}; do
        if "$@" 2>/dev/null; then return 0; fi
        sleep 0.05
    done
    return 1
}

accepts 'ports2-' "an engine is built ahead, of paths with spaces, quotes and letters" \
    engines --build "$odd/2"
same "… and stands in the cache" "$(find "$cache" -path '*ports2-*/dut.so' | wc -l)" 1
accepts 'ready' "… is there at the next time" engines --build "$odd/2"
same "… and not built again" "$(times ports2-),$(times runtime)" 1,1
json '"state": "ready"' "the list as JSON" engines --json
ROUNDCAST_ROOT=$root/. accepts 'ready' "… by another way to the sources" engines --build "$odd/2"
same "… neither" "$(times ports2-)" 1

accepts 'rtl-rc_multistage_machine-ports2-pipe1-' "the name of an image's engine" \
    engines --names "$odd/2"
accepts 'netlist-rc_multistage_machine-ports4-' "… of another kind" \
    engines --names "$odd/4" --engine netlist
refuses 2 E101 '--names: no folder' "(names of nothing)" engines --names
refuses 2 E101 'several are given; expected one' "(two things at once)" engines --names --build "$odd/2"
refuses 2 E201 'image.hex' "(a folder without an image)" engines --names "$odd/tools"
ln -s nowhere "$root/rtl/a/rc_none.sv"
refuses 2 E201 'rc_none.sv: cannot open' "a source that cannot be read" engines --build "$odd/2"
rm "$root/rtl/a/rc_none.sv"

echo two >"$root/rtl/a/rc_a.sv"
accepts ' old ' "other sources make an engine old" engines
accepts 'ready' "… and another is built" engines --build "$odd/2"
same "… beside it" "$(times ports2-),$(times runtime)" 2,1
printf '# newer\n' >>"$odd/tools/c++"
"$ROUNDCAST" engines --build "$odd/2" >/dev/null 2>&1
same "another compiler builds all anew" "$(times ports2-),$(times runtime)" 3,2
printf '# newer\n' >>"$odd/tools/yosys"
"$ROUNDCAST" engines --build "$odd/2" >/dev/null 2>&1
same "another Yosys nothing that it did not make" "$(times ports2-),$(times runtime)" 3,2

# Two processes need the same engine: one builds it, the other reports that it waits.
: >"$log"
touch "$TMP/hold"
"$ROUNDCAST" engines --build "$odd/4" >/dev/null 2>"$TMP/first.err" &
first=$!
check "a first one builds" until_holds grep -q ports4- "$log"
"$ROUNDCAST" engines --build "$odd/4" >/dev/null 2>"$TMP/second.err" &
second=$!
check "a second one says that it waits" until_holds \
    grep -q 'another process builds rtl-.*ports4-.*; waiting for it' "$TMP/second.err"
# Meanwhile a finished engine is available at once, and another one can be built.
timeout 20 "$ROUNDCAST" engines --build "$odd/2" >/dev/null 2>"$TMP/err"
same "a program that needs a finished engine does not wait" "$?,$(wc -c <"$TMP/err")" 0,0
rm "$TMP/hold"
wait $first
same "the first one ends well" $? 0
wait $second
same "so does the second" $? 0
same "… and one was built" "$(times ports4-)" 1
touch "$TMP/hold"
"$ROUNDCAST" engines --remove >/dev/null
: >"$log"
"$ROUNDCAST" engines --build "$odd/2" "$odd/4" "$odd/8" --jobs 3 >/dev/null 2>&1 &
first=$!
check "what engines share is built first" until_holds grep -q runtime "$log"
rm "$TMP/hold"
wait $first
same "three at a time, what they share once" \
    "$(sort "$log" | uniq -c | awk '{ n += $1 } END { print NR "," n }')" 4,4

# A build that is killed leaves nothing that is mistaken for an engine.
"$ROUNDCAST" engines --remove >/dev/null
"$ROUNDCAST" engines --build "$odd/4" >/dev/null
: >"$log"
touch "$TMP/hold"
"$ROUNDCAST" engines --build "$odd/2" >/dev/null 2>&1 &
first=$!
until_holds grep -q ports2- "$log"
refuses 2 E202 'is being built' "an engine that is being built is not removed" engines --remove \
    rtl-rc_multistage_machine-ports2-pipe1-pad0-width16-packets16-flits8-rows64
# shellcheck disable=SC2046  # words
kill -KILL $first $(pgrep -P $first)
wait $first 2>/dev/null
check "the build ends, too" until_holds nobody_works
rm "$TMP/hold"
check "… with the compilers that it started" until_holds nobody_locks
# Its folder remains, listed as unfinished, unless the build could still remove it.
accepts "$([ -z "$(the_lock)" ] || echo ' unfinished ')" "a build that was ended is reported" engines
accepts 'ports2-' "… and done by the next one" engines --build "$odd/2"
same "… from the start" "$(times ports2-)" 2
# A build that a signal ends, alone or among several, ends its compiler and leaves no files.
ended() {
    "$ROUNDCAST" engines --remove >/dev/null
    : >"$log"
    touch "$TMP/hold"
    env --default-signal=INT "$ROUNDCAST" "${@:2}" >/dev/null 2>&1 &
    first=$!
    until_holds grep -q 'ports2-\|runtime' "$log"
    kill -"$1" $first
    { wait $first; } 2>/dev/null
    same "$1 ends a build: $2" $? $((128 + $(kill -l "$1")))
    same "… nothing is left of it" "$(find "$cache" -type f | wc -l)" 0
    check "… and no process is at work" nobody_works
    rm "$TMP/hold"
    accepts 'ready' "… nor in the way of the next one" engines --build "$odd/2"
}
for signal in INT TERM HUP; do
    ended $signal engines --build "$odd/2"
    ended $signal engines --build "$odd/2" "$odd/4" "$odd/8" --jobs 2
    ended $signal simulate "$odd/2" --engine rtl
done
touch "$TMP/break"
roundcast engines --build "$odd/8"
same "a build that fails is reported last, after the output of make" \
    "$status,$(tail -n 1 "$TMP/err" | grep -c 'failed; expected the engine to build.*E501')" 2,1
same "… leaves nothing" "$(find "$cache" -path '*ports8-*' | wc -l)" 0
touch "$TMP/hold"
: >"$log"
"$ROUNDCAST" engines --build "$odd/8" >/dev/null 2>&1 &
first=$!
until_holds grep -q ports8- "$log"
"$ROUNDCAST" engines --build "$odd/8" >/dev/null 2>"$TMP/second.err" &
second=$!
until_holds grep -q 'waiting for it' "$TMP/second.err"
: >"$log"
rm "$TMP/hold"
wait $first
wait $second
same "a process that waited for it builds it then, and fails, too" "$?,$(times ports8-)" 2,1
rm "$TMP/break"

# A file is in the place of an engine's folder.
name=$("$ROUNDCAST" engines --names "$odd/8")
key=$("$ROUNDCAST" engines --json | grep -A 3 '"ready"' | grep -oE '[0-9a-f]{16}/rtl' | head -n 1)
place=$cache/${key%/rtl}/$name
touch "$place"
refuses 2 E202 'expected a folder to build in' "an engine's folder that is a file" \
    engines --build "$odd/8"
refuses 2 E202 'expected a folder to build in' "… is not removed either" engines --remove "$name"
rm "$place"

# The folder in which engines are kept.
XDG_CACHE_HOME=$odd/xdg accepts 'ready' "XDG_CACHE_HOME names another cache" engines \
    --build "$odd/2"
check "… which has it" test -d "$odd/xdg/roundcast"
touch "$TMP/file"
# said TEXT PART: checks that the engine is built in TMPDIR, and that this is reported once.
said() {
    rm -rf "$TMPDIR"/*
    roundcast engines --build "$odd/2" "$odd/4"
    same "$1" "$status,$(grep -c -e "$2; engines are kept in $TMPDIR/roundcast-" "$TMP/err"),$(
        wc -l <"$TMP/err")" 0,1,1
    same "… private to the user" "$(stat -c %a "$TMPDIR"/roundcast-*)" 700
}
HOME= said "without a HOME they are kept in TMPDIR" 'HOME: not set'
HOME=$TMP/file said "with one that is no folder, too" 'Not a directory'
XDG_CACHE_HOME=/proc/none said "with a cache that cannot be made, too" 'No such file or directory'
: >"$log"
HOME= roundcast engines --build "$odd/2" "$odd/4"
same "engines that stand there are not built again" "$status,$(wc -l <"$log")" 0,0
chmod 777 "$TMPDIR"/roundcast-*
HOME= refuses 2 E202 'a folder of yours alone' "one that others can write is refused" \
    engines --build "$odd/2"
rm -rf "$TMPDIR"/roundcast-*
ln -s "$TMP" "$TMPDIR/roundcast-$(id -u)"
HOME= refuses 2 E202 'a folder of yours alone' "so is a link" engines --build "$odd/2"
rm "$TMPDIR"/roundcast-*

# Missing tools are reported before anything is built.
mkdir "$TMP/bare"
for command in bash sh make cat grep wc sed head mkdir; do ln -s "$(command -v $command)" "$TMP/bare"; done
for tool in c++ verilator yosys; do
    rm -f "$TMP/bare"/{c++,verilator,yosys}
    for other in c++ verilator yosys; do
        [ $other = $tool ] || ln -s "$odd/tools/$other" "$TMP/bare"
    done
    package=${tool/c++/g++}
    PATH=$TMP/bare XDG_CACHE_HOME=$TMP/bare/cache refuses 2 E501 \
        "$tool is not on PATH; expected it, of the package $package" "without $tool" \
        engines --build "$odd/2" --engine netlist
    check "… nothing is built" test ! -e "$TMP/bare/cache/roundcast"/*/netlist*
done
PATH=$TMP/bare XDG_CACHE_HOME=$TMP/bare/cache accepts 'ready' "RTL needs no Yosys" \
    engines --build "$odd/2"
CXX=nowhere refuses 2 E501 'c++ is not on PATH' "a compiler that is chosen must be there" \
    engines --build "$odd/8"

# Folders whose names are so long that the names of folders in them exceed the system's limit: they
# are rejected, and nothing is built there.
long=/$(printf './%.0s' {1..2040})
refused=0
for ((room = 4080; room > 3760; room -= 20)); do
    roundcast_home=${long:0:room - ${#TMP}}
    HOME=${roundcast_home%/}/${TMP#/} TMPDIR=$TMP/none roundcast engines --build "$odd/2"
    [ "$status" -ne 2 ] || refused=$((refused + 1))
done
check "names that are too long are refused" test $refused -gt 5
check "… and shorter ones taken" test $refused -lt 16
same "… and nothing is half built" "$(find "$TMP/.cache" -path '*/work/*' | wc -l)" 0
HOME='' TMPDIR=$long$long refuses 2 E202 'a path of 8' "a TMPDIR that is too long" \
    engines --build "$odd/2"
HOME='' TMPDIR=$long$long refuses 2 E202 'a path of 8' "… for a run, too" \
    simulate "$odd/2" --engine rtl
# A root whose name becomes too long when characters that a pattern would interpret are quoted.
deep=$TMP
for _ in {1..11}; do deep+=/$(printf '[%.0s' {1..200}); done
mkdir -p "$deep"
ROUNDCAST_ROOT=$deep refuses 2 E202 'a path of 4' "a root that is too long as a pattern" \
    engines --build "$odd/2"
HOME=$TMP/fresh ROUNDCAST_ROOT=$deep refuses 2 E202 'a path of 4' "… where no engine stands" \
    simulate "$odd/2" --engine rtl
ROUNDCAST_ROOT=$deep refuses 2 E202 'a path of 4' "… for the list" engines
rm -rf "$TMPDIR"/roundcast-*
ROUNDCAST_ROOT=$TMP/none refuses 2 E501 'is not there' "a root that is not there, for the list" engines
ROUNDCAST_ROOT=$TMP/none refuses 2 E501 'is not there' "… and to remove" engines --remove
HOME=relative said "a HOME that does not begin at the root is none" 'HOME: not set'

XDG_CACHE_HOME=relative accepts 'ready' "an XDG_CACHE_HOME that does not begin there, either" \
    engines --build "$odd/2"
check "… nor is it made" test ! -e relative
check "without a HOME or a TMPDIR there is a list" env -u HOME TMPDIR=relative "$ROUNDCAST" engines
mkdir -p "$cache/no key of ours" "$cache/0123456789abcdeg"
touch "$cache/0123456789abcdef"
accepts 'ports2-' "what else is in the cache is left alone" engines
rm -r "$cache/no key of ours" "$cache"/0123456789abcde?
mkdir "$TMP/other" && touch "$TMP/other/roundcast"
XDG_CACHE_HOME=$TMP/other TMPDIR=$TMP/none accepts 'engine' "a cache that is a file is one" engines
same "… without engines" "$(grep -c ports "$TMP/out")" 0
ROUNDCAST_ROOT='' roundcast engines
same "a root of no name is none" "$status" 0

# A program outside the sources finds those above the file that its code was loaded from; of the
# code of a program the C library reports the name under which it was started.
cp "$ROUNDCAST" "$TMP/alone"
# started_as NAME: runs a program with no sources above it under a name.
started_as() {
    ROUNDCAST_ROOT='' bash -c 'exec -a "$1" "$0" engines' "$TMP/alone" "$1" >/dev/null 2>"$TMP/err"
}
check "sources above the code are found" started_as "$root/testbench/engine/build.mk"
for name in "$TMP/alone" "$root/none"; do
    status=0
    started_as "$name" || status=$?
    same "… and none above $(basename "$name")" \
        "$status,$(grep -c 'no sources of the RTL above this program or library' "$TMP/err")" 2,1
done
refuses 2 E201 'cannot open' "two folders that are not there" \
    engines --build "$TMP/none" "$TMP/neither"
check "… and the second is counted" grep -q 'and 1 more' "$TMP/err"
mkdir "$TMP/wrong" && echo none >"$TMP/wrong/image.hex"
refuses 2 E203 image.hex "an image that is none" engines --build "$TMP/wrong"
accepts 'ports4-' "one is removed by its name" engines --remove \
    rtl-rc_multistage_machine-ports2-pipe1-pad0-width16-packets16-flits8-rows64
env -u PATH "$ROUNDCAST" engines --build "$odd/8" 2>"$TMP/err"
check "without a PATH there are no tools" grep -q 'is not on PATH' "$TMP/err"
CXX='' accepts 'ready' "a compiler of no name is the usual one" engines --build "$odd/2"

"$ROUNDCAST" route "$TMP/8.sched" -o "$odd/clos" --network clos:3,3,3 >/dev/null
accepts 'ready' "one of crossbars" engines --build "$odd/clos"

# Tools that are given with a folder; a file that cannot be run is not a tool.
mkdir "$TMP/idle" && touch "$TMP/idle/c++"
PATH=$TMP/idle:$PATH accepts 'ready' "a file of a tool's name that is no program" \
    engines --build "$odd/2"
CXX=$TMP/idle/c++ refuses 2 E501 'is not on PATH' "… as a compiler" engines --build "$odd/4"
ln -s "$odd/tools/c++" "$TMP/compiler"
CXX=$TMP/compiler accepts 'ready' "a compiler with a folder" engines --build "$odd/8"
CXX=$TMP/no/compiler refuses 2 E501 'is not on PATH' "… that is not there" engines --build "$odd/4"
ROUNDCAST_ROOT=$TMP/none refuses 2 E501 'is not there; expected a folder' "no root" \
    engines --build "$odd/2"

# The command line.
refuses 2 E101 "no folder; expected one that 'roundcast route' wrote" "no folder" engines --build
refuses 2 E101 'several are given; expected one' "--build and --remove" engines --build --remove x
refuses 2 E101 'x: a folder or a name requires --build, --names or --remove' "a name alone" engines x
refuses 2 E101 'is not compiled' "csim is not compiled" engines --build x --engine csim
# shellcheck disable=SC2046  # words
refuses 2 E102 'one argument too many' "more than it takes" engines --build $(seq 2000)
accepts 'traced' "one that traces" engines --build "$odd/2" --traced
refuses 2 E102 '--jobs' "no jobs" engines --build x --jobs 0
refuses 2 E201 'cannot open' "a folder that is not there" engines --build "$TMP/none"
refuses 2 E101 'no such engine' "a name that is not there" engines --remove none
# shellcheck disable=SC2046  # words
accepts 'engine' "some are removed" engines --remove $("$ROUNDCAST" engines | awk '/ports/ { print $1 }' | sort -u)
same "… all that were named" "$("$ROUNDCAST" engines | grep -c ports)" 0
accepts 'engine' "all are removed" engines --remove
same "… and nothing is left" "$(find "$cache" -mindepth 1)" ""

finish
