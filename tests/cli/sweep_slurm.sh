#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sweep_slurm: sweeps through Slurm, with programs sbatch and squeue that this test writes.
#
# sbatch accepts the options as its manual documents them, prints the number of the array, and runs
# its tasks at once or after it has ended; squeue prints the states of waiting tasks, or that the
# number is unknown. Both can also fail. Databases are compared with that of a sweep without Slurm,
# as CSV without the times and the host. tests/cluster runs the real programs. Counter-case: the
# comparison sees a database that lacks a row.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/../support/sweep_jobs.sh"

ROUNDCAST=$(realpath "$ROUNDCAST")
program=$ROUNDCAST
cd "$TMP" || exit
mkdir bin
export PATH=$TMP/bin:$PATH TEST=$TMP

# The arguments are listed in the file `asked` of the test. FAKE is what sbatch prints, or a fault.
cat >bin/sbatch <<'END'
#!/bin/bash
printf '%s\n' "$@" >"$TEST/asked"
echo round >>"$TEST/rounds"
case ${FAKE-} in
refuses) echo 'sbatch: error: Batch job submission failed: Invalid partition' >&2; exit 1 ;;
dies) kill -KILL $$ ;;
prints) printf -- "$PRINTS"; exit 0 ;;
odd)
    echo nothing | tee odd.sqlite.parts/1.sqlite >odd.sqlite.parts/1.json
    touch "$TEST/queue"
    echo 79
    exit 0 ;;
esac
tasks='' output=''
while [ $# -gt 1 ]; do
    case $1 in
    --array=1-*) tasks=${1#--array=1-} ;;
    --output=*) output=${1#--output=} ;;
    --parsable | --requeue | --open-mode=append | --job-name=roundcast) ;;
    *) exit 1 ;;
    esac
    shift
done
run() {
    local task
    for ((task = 1; task <= ${tasks%\%*}; task++)); do
        SLURM_ARRAY_TASK_ID=$task sh "$1" >>"${output//%a/$task}" 2>&1
    done
    rm -f "$TEST/queue"
}
if [ "${FAKE-}" = later ]; then
    touch "$TEST/queue"
    (sleep 0.5; run "$1") >/dev/null 2>&1 &
else
    run "$1"
fi
echo "${CLUSTER-42}"
END
# The queue is lost once if the file `lost` exists: no controller answers.
cat >bin/squeue <<'END'
#!/bin/bash
echo "$*" >>"$TEST/looked"
if [ -e "$TEST/lost" ]; then
    rm "$TEST/lost"
    echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >&2
    exit 1
elif [ -e "$TEST/queue" ]; then
    echo PENDING
elif [ "${FAKE-}" = unknown ]; then
    echo 'slurm_load_jobs error: Invalid job id specified' >&2
    exit 1
fi
END
chmod +x bin/*

printf '%s\n' 'roundcast-study 1' 'algorithm circulant matching' 'n 4' 'm 1..2' 'engine csim' >a.study
accepts 'run      4 points' "a sweep here" sweep a.study -o once.sqlite
expected=$(table once.sqlite)
printf '%s\n' 'points 1..3' | cat a.study - >less.study
roundcast sweep less.study -o less.sqlite
check "a row that is missing is seen" test "$(table less.sqlite)" != "$expected"

# Jobs that run at once.
accepts 'run      4 points' "an array of jobs" sweep a.study -o here.sqlite --via slurm --parts 2 \
    --jobs 3
whole "… each point has its row" here.sqlite
rounds 1 "… in one round"
check "… submitted with these options" cmp asked <(printf '%s\n' --parsable --requeue \
    --open-mode=append --job-name=roundcast --array=1-2%3 \
    '--output=here.sqlite.parts/slurm-%a.log' here.sqlite.parts/job.sh)
check "… each task is this script" cmp here.sqlite.parts/job.sh <(printf '%s\n' '#!/bin/sh' \
    "exec $program sweep here.sqlite.parts/\"\$SLURM_ARRAY_TASK_ID\".study -o \
here.sqlite.parts/\"\$SLURM_ARRAY_TASK_ID\".sqlite --jobs \"\${SLURM_CPUS_PER_TASK:-1}\" --json \
>here.sqlite.parts/\"\$SLURM_ARRAY_TASK_ID\".json")
check "… the queue is asked for the array" cmp looked <(echo '--noheader --jobs=42 --format=%T')
check "… only the script and logs are left" test "$(echo here.sqlite.parts/*)" = \
    "here.sqlite.parts/job.sh here.sqlite.parts/slurm-1.log here.sqlite.parts/slurm-2.log"
accepts 'run      0 points' "… and are not run again" sweep a.study -o here.sqlite --via slurm
rounds 0 "… because no job is submitted"

# Jobs that wait in the queue, of a cluster that is named, and with names that a shell would split.
mkdir 'a folder'
touch lost
rm looked
FAKE=later CLUSTER='43;north' accepts '"run": 4' "jobs that run later" sweep a.study \
    -o 'a folder/b.sqlite' --via slurm --parts 9 --json
whole "… each point has its row" 'a folder/b.sqlite'
check "… the number of the array is that before the cluster" grep -q -- '--jobs=43 ' looked
check "… the queue was asked until it answered, and was empty" test "$(wc -l <looked)" -ge 2
check "… a part has a point at least" grep -qx -- --array=1-4 asked
check "… the number is forgotten" test ! -e 'a folder/b.sqlite.parts/job'
FAKE=unknown accepts 'run      4 points' "a queue that has forgotten the array" sweep a.study \
    -o forgotten.sqlite --via slurm
whole "… each point has its row" forgotten.sqlite
rm -f rounds

# An array of a sweep that was interrupted.
mkdir resumed.sqlite.parts
echo 77 >resumed.sqlite.parts/job
rm looked
touch queue
(sleep 0.5; rm queue) &
accepts 'run      4 points' "an array that still runs is awaited" sweep a.study -o resumed.sqlite \
    --via slurm --parts 1
check "… under its number" grep -q -- '--jobs=77 ' looked
rounds 1 "… then other jobs run"
for text in '' ' 5' none ':5'; do
    printf '%s' "$text" >resumed.sqlite.parts/job
    rm looked
    accepts 'run      0 points' "a file without a number: '$text'" sweep a.study \
        -o resumed.sqlite --via slurm
    check "… no array is asked for" test ! -e looked
    touch looked
done
mkdir odd.sqlite.parts
echo 78 >odd.sqlite.parts/job
echo nothing >odd.sqlite.parts/1.sqlite
echo nothing >odd.sqlite.parts/1.json
touch queue
refuses 2 E203 'odd.sqlite.parts/1.sqlite: ' "the array has rows of something else" sweep a.study \
    -o odd.sqlite --via slurm
check "… its number is kept" cmp odd.sqlite.parts/job <(echo 78)
rm -r queue odd.sqlite*
FAKE=odd refuses 2 E203 'odd.sqlite.parts/1.sqlite: ' "a new array has rows of something else" \
    sweep a.study -o odd.sqlite --via slurm
rm -f queue rounds

# Jobs that are not accepted, or do not run.
FAKE=refuses refuses 2 E501 'sbatch: sbatch: error: Batch job submission failed: Invalid partition; expected the number of a job' \
    "jobs that Slurm rejects" sweep a.study -o none.sqlite --via slurm
rounds 1 "… are not submitted again"
FAKE=dies refuses 2 E501 'expected the number of a job' "an sbatch that is ended" sweep a.study \
    -o none.sqlite --via slurm
for text in '' '0\n' ' 42\n' 'Submitted batch job 42\n' ':42\n' '-42\n'; do
    FAKE=prints PRINTS=$text refuses 2 E501 "sbatch: ${text%??}; expected the number of a job" \
        "sbatch prints '$text'" sweep a.study -o none.sqlite --via slurm
done
rm -f rounds
FAKE=prints PRINTS='44\n' refuses 2 E501 \
    'slurm: 4 points have no row after 3 rounds of jobs; expected all (the logs are in idle.sqlite.parts)' \
    "tasks that do nothing" sweep a.study -o idle.sqlite --via slurm
rounds 3 "… are submitted three times"
refuses 2 E501 'points have no row after 3 rounds of jobs' "jobs that fail" sweep a.study \
    -o failed.sqlite --via slurm --parts 1 --program /bin/false

# What cannot be written or started.
mkdir -p script.sqlite.parts/job.sh number.sqlite.parts/job
rm -f rounds
refuses 2 E202 'script.sqlite.parts/job.sh: cannot write: Is a directory' \
    "a folder where the script would be" sweep a.study -o script.sqlite --via slurm
rounds 0 "… no job was submitted"
refuses 2 E202 'number.sqlite.parts/job: cannot write: Is a directory' \
    "a folder where the number would be" sweep a.study -o number.sqlite --via slurm
rounds 1 "… one array was submitted"
printf '#!/bin/sh\nPATH=/none exec "%s" "$@"\n' "$program" >bare
chmod +x bare
ROUNDCAST=$TMP/bare refuses 2 E501 'sbatch is not on PATH; expected it, of the package slurm-client' \
    "no Slurm" sweep a.study -o absent.sqlite --via slurm
mkdir half
ln -s ../bin/sbatch half/sbatch
printf '#!/bin/sh\nPATH=%s exec "%s" "$@"\n' "$TMP/half" "$program" >bare
rm -f rounds
ROUNDCAST=$TMP/bare refuses 2 E501 'squeue is not on PATH; expected it, of the package slurm-client' \
    "a Slurm without squeue" sweep a.study -o absent.sqlite --via slurm
rounds 0 "… no job was submitted"
finish
