#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sweep_parallel: sweeps through GNU parallel, with a program of that name that this test writes.
#
# The program accepts the options as the manual of GNU parallel documents them, runs the command of
# each part, and for hosts carries the files to a folder of its own and back. It can also fail: run
# no job, run one job only, end at once, or report a part of something else. Databases are compared
# with that of a sweep without parallel, as CSV without the times and the host. tests/cluster runs
# the real program. Counter-case: the comparison sees a database that lacks a row.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/../support/sweep_jobs.sh"

ROUNDCAST=$(realpath "$ROUNDCAST")
program=$ROUNDCAST
cd "$TMP" || exit
mkdir bin none
export PATH=$TMP/bin:$PATH

# The arguments are listed in the file `asked` of the test. FAKE selects a fault.
cat >bin/parallel <<'END'
#!/bin/bash
printf '%s\n' "$@" >"$TEST/asked"
echo round >>"$TEST/rounds"
echo "parallel: a message of the program"
hosts='' transfer=() return=() list=''
while [ $# -gt 1 ]; do
    case $1 in
    --arg-file) list=$2; shift ;;
    --joblog) echo 'Seq Host Starttime JobRuntime Send Receive Exitval Signal Command' >"$2"; shift ;;
    --retries | --jobs | --workdir | --env) shift ;;
    --sshlogin) hosts=$2; shift ;;
    --transferfile) transfer+=("$2"); shift ;;
    --return) return+=("$2"); shift ;;
    --cleanup) ;;
    *) exit 255 ;;
    esac
    shift
done
[ "${FAKE-}" != ends ] || exit 255
[ "${FAKE-}" != dies ] || kill -KILL $$
while read -r part; do
    case ${FAKE-} in
    idle) continue ;;
    late) sleep 0.6 ;;
    wrong) echo nothing >"$part.sqlite"; echo nothing >"$part.json"; sleep 600 & wait $!; continue ;;
    esac
    folder=.
    if [ -n "$hosts" ]; then
        folder=$TEST/host/$part
        mkdir -p "$folder"
        for file in "${transfer[@]}"; do cp "${file//\{\}/$part}" "$folder"; done
    fi
    (cd "$folder" && sh -c "${1//\{\}/$part}")
    [ -z "$hosts" ] || for file in "${return[@]}"; do cp "$folder/${file//\{\}/$part}" .; done
    [ "${FAKE-}" != first ] || break
done <"$list"
END
chmod +x bin/parallel
export TEST=$TMP

printf '%s\n' 'roundcast-study 1' 'algorithm circulant matching' 'n 4' 'm 1..4' 'engine csim' \
    'skip algorithm=matching m=3' >a.study
accepts 'run      7 points' "a sweep here" sweep a.study -o once.sqlite
expected=$(table once.sqlite)
printf '%s\n' 'points 1..6' | cat a.study - >less.study
roundcast sweep less.study -o less.sqlite
check "a row that is missing is seen" test "$(table less.sqlite)" != "$expected"

# A program that ignores SIGCHLD starts the sweep: processes with more results than a pipe holds.
printf '%s\n' 'roundcast-study 1' 'algorithm circulant' 'n 8' 'm 1..20' 'seed 1..40' 'engine csim' \
    >many.study
check "SIGCHLD was ignored" timeout 60 env --ignore-signal=CHLD "$program" sweep many.study \
    -o many.sqlite --jobs 2

# Jobs on this machine.
accepts 'run      7 points' "jobs of parallel" sweep a.study -o here.sqlite --via parallel \
    --parts 3 --jobs 2
whole "… each point has its row" here.sqlite
rounds 1 "… in one round"
check "… started by these options" cmp asked <(printf '%s\n' --arg-file list --joblog joblog \
    --retries 3 --jobs 2 "cd $TMP && $program sweep here.sqlite.parts/{}.study -o \
here.sqlite.parts/{}.sqlite --jobs 1 --json >here.sqlite.parts/{}.json")
check "… of three jobs" cmp here.sqlite.parts/list <(printf '%s\n' 1 2 3)
check "… its messages are in the log" cmp here.sqlite.parts/parallel.log \
    <(echo "parallel: a message of the program")
check "… only logs are left" test "$(echo here.sqlite.parts/*)" = \
    "here.sqlite.parts/joblog here.sqlite.parts/list here.sqlite.parts/parallel.log"
accepts 'run      0 points' "… and are not run again" sweep a.study -o here.sqlite --via parallel
rounds 0 "… because no job starts"
FAKE=late accepts '"run": 7' "rows are merged while jobs run" sweep a.study -o late.sqlite \
    --via parallel --parts 3 --json
whole "… each point has its row" late.sqlite
rounds 1 "… in one round"
check "the number of jobs is that of parallel" test "$(grep -c -- --jobs asked)" = 1

# More parts than points, names with blanks, and jobs of another version.
mkdir 'a folder'
accepts 'run      7 points' "names that a shell would split" sweep a.study \
    -o 'a folder/b.sqlite' --via parallel --parts 50 --mixed-versions
whole "… each point has its row" 'a folder/b.sqlite'
check "… a part has a point at least" test "$(wc -l <'a folder/b.sqlite.parts/list')" = 7
check "… jobs accept another version, too" grep -q ' --mixed-versions --json >' asked

# Hosts.
XDG_CACHE_HOME=$TMP/cache ROUNDCAST_ROOT='' accepts 'run      7 points' "jobs on hosts" \
    sweep a.study -o hosts.sqlite --via parallel --parts 2 --sshlogin 'a,b'
whole "… each point has its row" hosts.sqlite
check "… in folders of their own" test -s host/2/2.json
environment=(--env XDG_CACHE_HOME)
[ -z "${ROUNDCAST_ENGINES+set}" ] || environment+=(--env ROUNDCAST_ENGINES)
environment+=(--env ROUNDCAST_ROOT)
check "… started by these options" cmp asked <(printf '%s\n' --arg-file list --joblog joblog \
    --retries 3 --sshlogin a,b --transferfile {}.study --return {}.sqlite --return {}.json \
    --cleanup --workdir ... "${environment[@]}" \
    "$program sweep ''{}.study -o ''{}.sqlite --jobs 1 --json >''{}.json")
rm -f rounds
(unset ROUNDCAST_ENGINES ROUNDCAST_ROOT XDG_CACHE_HOME
    "$program" sweep a.study -o bare.sqlite --via parallel --sshlogin c --program "$program" >out 2>err)
check "no variable is passed on that is not set" bash -c '! grep -q -- --env asked'
rm -f rounds

# Points that fail are run again if that is wanted, in the first round only.
printf '%s\n' 'roundcast-study 1' 'algorithm circulant' 'n 4' 'm 1 2' 'network benes:4 omega:4' \
    'settings tags' 'engine csim' >failing.study
roundcast sweep failing.study -o failing.sqlite --via parallel
failed=$(grep -oE '[0-9]+ with an error' out)
check "points that fail have rows, too" test "${failed%% *}" -gt 0
rounds 1 "… after one round"
accepts 'run      0 points' "… and are not run again" sweep failing.study -o failing.sqlite \
    --via parallel
roundcast sweep failing.study -o failing.sqlite --via parallel --again
check "… unless that is wanted" grep -q "; $failed" out
rounds 1 "… once"

# Jobs that do not run.
printf '%s\n' 'points 1..3' | cat a.study - >three.study
FAKE=first accepts 'run      3 points' "a round that ends early is followed by others" \
    sweep three.study -o first.sqlite --via parallel --parts 2
rounds 3 "… three in all"
FAKE=first refuses 2 E501 'parallel: 4 points have no row after 3 rounds of jobs; expected all' \
    "points are left after three rounds" sweep a.study -o few.sqlite --via parallel --parts 7
rounds 3 "… and no more"
for fault in idle ends dies; do
    FAKE=$fault refuses 2 E501 "7 points have no row after 3 rounds of jobs; expected all (the logs \
are in $fault.sqlite.parts)" "a parallel that fails: $fault" sweep a.study -o $fault.sqlite \
        --via parallel
    rounds 3 "… is started again"
    check "… its parts remain" test -s $fault.sqlite.parts/1.study
done
printf '%s\n' 'points 8' | cat a.study - >one.study
FAKE=idle refuses 2 E501 'parallel: 1 point has no row after' "one point is left" sweep one.study \
    -o one.sqlite --via parallel
accepts 'run      7 points' "the same command goes on" sweep a.study -o idle.sqlite --via parallel
whole "… each point has its row" idle.sqlite
refuses 2 E501 'points have no row after 3 rounds of jobs' "jobs that fail" sweep a.study \
    -o failed.sqlite --via parallel --program /bin/false

# Rows of something else: the sweep ends when it has seen them, and not before its jobs.
rm -f rounds
FAKE=wrong "$program" sweep a.study -o wrong.sqlite --via parallel --parts 1 >out 2>err &
job=$!
until [ -s wrong.sqlite.parts/1.json ] && sleep 1; do sleep 0.1; done
kill -TERM $job
{ wait $job; } 2>/dev/null
status=$?
check "a signal ends parallel, too" test "$status" = 143
refuses 2 E203 'wrong.sqlite.parts/1.sqlite: ' "a part of something else" sweep a.study \
    -o wrong.sqlite --via parallel --parts 1
rounds 1 "… no job was started then"

# What cannot be written or started.
echo text >file.sqlite.parts
refuses 2 E202 'file.sqlite.parts/1.study: cannot write: Not a directory' "a file where the folder would be" \
    sweep a.study -o file.sqlite --via parallel
mkdir -p parts.sqlite.parts/1.study list.sqlite.parts/list log.sqlite.parts/parallel.log
refuses 2 E202 'parts.sqlite.parts/1.study: cannot write: Is a directory' "a folder where a part would be" \
    sweep a.study -o parts.sqlite --via parallel
refuses 2 E202 'list.sqlite.parts/list: cannot write: Is a directory' "a folder where the list would be" \
    sweep a.study -o list.sqlite --via parallel
refuses 2 E501 '7 points have no row after 3 rounds' "a folder where the log would be" \
    sweep a.study -o log.sqlite --via parallel
rounds 0 "… parallel was not started then"
printf '#!/no/such/interpreter\n' >none/parallel
chmod +x none/parallel
PATH=$TMP/none refuses 2 E501 '7 points have no row after 3 rounds' \
    "a parallel that is no program" sweep a.study -o broken.sqlite --via parallel
printf '#!/bin/sh\nPATH=/none exec "%s" "$@"\n' "$program" >bare
chmod +x bare
ROUNDCAST=$TMP/bare refuses 2 E501 'parallel is not on PATH; expected it, of the package parallel' \
    "no parallel" sweep a.study -o absent.sqlite --via parallel
mkdir gone
printf '#!/bin/sh\ncd "%s/gone" && rmdir ../gone && exec "%s" "$@"\n' "$TMP" "$program" >nowhere
chmod +x nowhere
ROUNDCAST=$TMP/nowhere refuses 2 E201 'current folder: No such file or directory; expected' \
    "the current folder was removed" sweep "$TMP/a.study" -o "$TMP/gone.sqlite" --via parallel
finish
