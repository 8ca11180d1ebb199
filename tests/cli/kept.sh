#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# kept: output appears complete or not at all: if a signal ends the program while it writes, if the
# disk is full, if several programs write the same file at once.
#
# Signals: each command that writes is ended once its file has been begun; it must end by that
# signal and leave the folder unchanged. Full disks: a limit on the size of files for each command,
# and a file system of every small size if one can be mounted; the command must end with E202, and
# the folder must be unchanged. Parallel writers: the final contents must be those that one of them
# writes alone. Counter-cases: with enough room the same commands succeed; and the same comparison
# detects a bundle whose files are from two writers.
. "$(dirname "$0")/tap.sh"

W=$TMP/w
mkdir "$W" "$TMP/bin"
cd "$TMP" || exit
[ -x "$ROUNDCAST" ] || ROUNDCAST=$OLDPWD/$ROUNDCAST
"$ROUNDCAST" schedule circulant -n 256 -m 2000 -o large.sched >/dev/null
"$ROUNDCAST" schedule binomial -n 1000000 -m 1 -o tree.sched >/dev/null
"$ROUNDCAST" schedule circulant -n 8 -m 6 -o small.sched >/dev/null
"$ROUNDCAST" schedule binomial -n 80 -m 1 -o picture.sched >/dev/null
"$ROUNDCAST" schedule binomial -n 2 -m 1 -o two.sched >/dev/null
"$ROUNDCAST" schedule circulant -n 3 -m 120 -o three.sched >/dev/null
"$ROUNDCAST" route small.sched -o bundle >/dev/null
# Stand-ins for drawing programs that take long.
printf '#!/bin/sh\nsleep 100\n' | tee bin/dot >bin/gnuplot
chmod +x bin/dot bin/gnuplot

# same TEXT SEEN EXPECTED: checks that SEEN equals EXPECTED.
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2; expected $3"; fi; }

# begin: makes the folder in which the next command writes, with an old file of each name.
begin() {
    find "$W" -mindepth 1 -delete
    local name
    for name in a.sched a.svg a.dot a.fst a.gtkw; do echo old >"$W/$name"; done
}
# as_it_was TEXT: checks that the folder is unchanged since.
as_it_was() {
    local path text seen='' folders=''
    shopt -s globstar nullglob dotglob
    for path in "$W"/**; do
        if [ -f "$path" ]; then
            contents text "$path"
            seen+="${path##*/} ${text%$'\n'} "
        elif [ "$path" != "$W/" ]; then
            folders+="$path "
        fi
    done
    shopt -u globstar nullglob dotglob
    same "$1" "$seen" 'a.dot old a.fst old a.gtkw old a.sched old a.svg old '
    same "… no folder either" "$folders" ''
}

# has_begun: returns whether a file is being written.
has_begun() {
    local path
    for path in "$W"/.roundcast-* "$W"/*/.roundcast-*; do [ ! -e "$path" ] || return 0; done
    return 1
}

# interrupted SIGNAL ARGUMENT…: ends the command by the signal once it has begun to write, and
# repeats it if it ended before the signal. (A shell lets its background jobs ignore INT.)
interrupted() {
    local signal=$1 job ended=0
    shift
    doing="roundcast $*"
    for _ in {1..20}; do
        begin
        env --default-signal=INT "$ROUNDCAST" "$@" >"$TMP/out" 2>"$TMP/err" &
        job=$!
        until has_begun || ! kill -0 $job 2>/dev/null; do :; done
        kill -"$signal" $job 2>/dev/null
        { wait $job; } 2>/dev/null
        ended=$?
        [ $ended = 0 ] || break
    done
    same "$signal ends $1" $ended $((128 + $(kill -l "$signal")))
    as_it_was "… and leaves nothing"
}
for signal in INT TERM HUP; do
    interrupted $signal schedule circulant -n 1000 -m 4000 -o "$W/a.sched"
    interrupted $signal route large.sched -o "$W/new"
    interrupted $signal draw tree.sched -o "$W/a.dot"
    PATH=$TMP/bin:$PATH interrupted $signal draw picture.sched -o "$W/a.svg"
    PATH=$TMP/bin:$PATH interrupted $signal plot spread small.sched -o "$W/a.svg" --data "$W/a"
    interrupted $signal run circulant -n 64 -m 2000 --engine csim --waves "$W/a.fst"
done
same "dot and gnuplot end, too" "$(pgrep -f "$TMP/bin/(dot|gnuplot)" | wc -l)" 0

# full TEXT ARGUMENT…: checks for E202 and an unchanged folder.
full() {
    local message
    contents message "$TMP/err"
    if [ "$status" -eq 2 ] && is_message "$message" E202 && [[ $message == *'; expected '* ]]; then
        ok "$1"
    else
        not_ok "$1" "exit $status: $message"
    fi
    as_it_was "… and leaves nothing"
}
# limited KB ARGUMENT…: runs a command that may write no larger file. A program that counts coverage
# must not count into a file here, because the limit holds for that file too.
limited() {
    local most=$1
    shift
    begin
    status=0
    (ulimit -f "$most" && LLVM_PROFILE_FILE=/dev/null exec "$ROUNDCAST" "$@") >"$TMP/out" 2>"$TMP/err" || status=$?
    full "files of $most kB: $1 $2"
}
limited 8 schedule circulant -n 100 -m 40 -o "$W/a.sched"
limited 1 route small.sched -o "$W/new" --flits 512
limited 1 route two.sched -o "$W/new" --flits 16 --image mem
limited 19 route three.sched -o "$W/new" --flits 1 --image writes
limited 8 draw tree.sched -o "$W/a.dot"
limited 1 plot spread small.sched --data "$W/b"
for most in 1 2 4; do
    limited $most run circulant -n 8 -m 3 --engine csim --waves "$W/a.fst"
done
if command -v dot >/dev/null; then limited 1 draw picture.sched -o "$W/a.svg"; fi

# on_disks TEXT ARGUMENT…: on disks of each size from none to enough, checks that output is complete
# or absent.
on_disks() {
    local text=$1 size refused=0 written=0
    shift
    for size in $(seq 20 4 400); do
        mount -t tmpfs -o size="${size}k" none "$W" || break
        begin
        roundcast "$@"
        [ "$status" -ne 0 ] || written=1
        if [ "$status" -ne 0 ]; then
            refused=$((refused + 1))
            (full "$text, a disk of $size kB") >>"$TMP/results"
        fi
        umount "$W"
        [ $written = 0 ] || break
    done
    if grep -q '^not ok' "$TMP/results"; then not_ok "$text" "$(grep -A1 '^not ok' \
        "$TMP/results")"; else ok "$text: refused by $refused disks"; fi
    check "… until there is room" test $written -eq 1 -a $refused -gt 1
}
if mount -t tmpfs none "$W" 2>/dev/null && umount "$W"; then
    : >"$TMP/results"
    on_disks "a schedule" schedule circulant -n 40 -m 40 -o "$W/a.sched"
    on_disks "a bundle" route small.sched -o "$W/new" --flits 512
    on_disks "files of memories" route two.sched -o "$W/new" --flits 16 --image mem
    on_disks "a list of writes" route three.sched -o "$W/new" --flits 1 --image writes
    on_disks "a drawing" draw picture.sched -o "$W/a.dot"
    on_disks "a plot" plot spread small.sched --data "$W/b"
    on_disks "waves" run circulant -n 8 -m 3 --engine csim --waves "$W/a.fst"
else
    skip "full disks" "no file system may be mounted"
fi

# at_once NUMBER…: runs ${command[@]} with each number in place of @, in parallel.
at_once() {
    local k pids=()
    for k in "$@"; do
        "$ROUNDCAST" "${command[@]//@/$k}" >/dev/null 2>>"$TMP/err" &
        pids+=($!)
    done
    wait "${pids[@]}"
}
# one_of: returns whether the folder $W equals one of $TMP/alone.*.
one_of() {
    local alone
    for alone in "$TMP"/alone.*; do
        if diff -r "$alone" "$W" >/dev/null; then return 0; fi
    done
    ls -lA "$W"
    return 1
}
# writers TEXT ARGUMENT…: the command with 1 … 4 in place of @ writes the same names each time: each
# alone, and then all at once, several times.
writers() {
    local text=$1 mixed='' k
    shift
    command=("$@")
    rm -rf "$TMP"/alone.*
    for k in 1 2 3 4; do
        begin
        at_once $k
        cp -r "$W" "$TMP/alone.$k"
    done
    for _ in 1 2 3 4 5; do
        begin
        at_once 1 2 3 4 1 2 3 4
        mixed+=$(one_of)
    done
    if [ -z "$mixed" ]; then ok "$text"; else not_ok "$text" "$mixed"; fi
    check "… each of which writes a different file" test "$(cat "$TMP"/alone.*/"${command[-1]##*/}" \
        "$TMP"/alone.*/*/image.hex 2>/dev/null | sort | uniq -u | wc -l)" -gt 0
}
: >"$TMP/err"
writers "schedules written at once are one of them" schedule circulant -n 7@ -m 90 -o "$W/a.sched"
for k in 1 2 3 4; do "$ROUNDCAST" schedule circulant -n 1$k -m 6 -o "$TMP/$k.sched" >/dev/null; done
writers "so are the three files of a bundle" route "$TMP/@.sched" --seed @ -o "$W/new"
same "… without a word" "$(cat "$TMP/err")" ""
cp "$TMP/alone.1/new/image.hex" "$W/new"
cp "$TMP/alone.2/new/payload.bin" "$W/new"
check "a bundle of two writers is none of them" test -n "$(one_of)"

# A bundle is read as one process wrote it, even if other processes write it meanwhile.
at_once 1
(while [ ! -e "$TMP/enough" ]; do at_once 1 2 3 4; done) &
writing=$!
bad=0
for _ in {1..40}; do "$ROUNDCAST" simulate "$W/new" --engine csim >/dev/null 2>&1 || bad=1; done
touch "$TMP/enough"
wait $writing
same "a bundle that is read while others write it" $bad 0
finish
