#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# determinism: the same command writes the same bytes each time, for any number of threads.
#
# Schedules with many random choices, images that several threads route, and all reports except the
# seconds and megabytes of a run. Counter-case: another seed changes the output.
#
# tags: source
. "$(dirname "$0")/tap.sh"

# written THREADS ARGUMENT…: prints one checksum of a command's output and of its files in the
# folder `made`.
written() {
    local threads=$1
    shift
    rm -rf "$TMP/made"/*
    { OMP_NUM_THREADS=$threads "$ROUNDCAST" "$@" 2>&1
      echo "exit $?"
      tail -vn +1 "$TMP/made"/* "$TMP/made"/out/* 2>/dev/null
    } | grep -avE '^engine |"(build|run)_seconds":|"megabytes":' >"$TMP/all"
    grep -qE '^exit [01]$' "$TMP/all" && sha256sum <"$TMP/all"
}

# same TEXT ARGUMENT…: checks that checksums on 1, 2 and 5 threads, and on 5 again, are equal.
same() {
    local text=$1 first threads again
    shift
    doing=$*
    first=$(written 1 "$@") || { not_ok "$text" "$(head -3 "$TMP/all")"; return; }
    for threads in 2 5 5; do
        again=$(written "$threads" "$@")
        [ "$again" = "$first" ] || { not_ok "$text" "$threads threads: other bytes"; return; }
    done
    ok "$text"
}

mkdir "$TMP/made"
out=$TMP/made/out
same "a schedule" schedule circulant -n 300 -m 8 -o "$out"
same "one that draws its nodes" schedule cube-broadcast --dim 6 --random 40 --seed 7 -o "$out"
same "one that draws its trees" schedule cube-broadcast --dim 5 --random 9 --seed 7 --randomised -o "$out"
same "plan" plan -n 22 -m 8 --lambda 5/2 --json
same "bound" bound -n 22 -m 8
same "tune" tune --bytes 9286 -n 22

# So many rounds and ports that several threads share them (PARALLEL_PORTS of route_multistage.c).
"$ROUNDCAST" schedule circulant -n 1000 -m 256 -o "$TMP/large.sched" >"$TMP/out"
"$ROUNDCAST" schedule circulant -n 22 -m 8 -o "$TMP/small.sched" >"$TMP/out"
same "draw" draw "$TMP/small.sched" --packet 3 -o "$out"
same "verify" verify "$TMP/large.sched" --json
same "an image of a Beneš network" route "$TMP/large.sched" --network benes:1024 --flits 1 -o "$out"
same "of crossbars" route "$TMP/large.sched" --network benes:1024,radix=32 --flits 1 -o "$out"
same "of a Clos network" route "$TMP/large.sched" --network clos:32,32,32 --flits 1 -o "$out"
same "of a network of any size" route "$TMP/large.sched" --network waksman:1000 --flits 1 -o "$out"
same "of a network that blocks" route "$TMP/small.sched" --network omega:32 --split -o "$out"
same "of settings that are stored once" route "$TMP/large.sched" --settings indexed --flits 1 -o "$out"
same "of routers" run tree-total-exchange --tree 4,4 --ports multi --capacity exp --engine csim
same "circuits" run circulant -n 64 -m 4 --engine csim --json

first=$(written 1 schedule cube-broadcast --dim 6 --random 40 --seed 7 -o "$out")
other=$(written 1 schedule cube-broadcast --dim 6 --random 40 --seed 8 -o "$out")
check "another seed makes other bytes" test "$first" != "$other"
finish
