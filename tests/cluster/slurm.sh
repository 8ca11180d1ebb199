#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slurm: sweeps as arrays of jobs of Slurm, when nodes are lost and when no process waits.
#
# A cluster of this one machine: munged, slurmctld and slurmd with keys, folders and ports of their
# own, without cgroups and accounting. Once the node is lost in the middle: slurmd is killed with
# all that runs below it, and comes back later. Once the sweep is killed while its jobs run. Once
# the controller stops. In the end each point has one row, that of a sweep without Slurm.
# Counter-cases: the node was seen to be down, jobs were queued again, and a comparison sees a row
# that is missing.
. "$(dirname "$0")/cluster.sh"
needs sqlite3 munged slurmctld slurmd sbatch squeue scontrol
[ "$(id -u)" = 0 ] || { skip "all" "slurmd wants to be root"; finish; }
[ -d /run/munge ] || mkdir /run/munge 2>/dev/null
munge='' controller='' node=''
trap 'lose_node; end $controller $munge; rm -rf "$TMP"' EXIT
chmod 755 "$TMP"

# Ports and the daemons' own configuration.
mkdir state spool
dd if=/dev/urandom of=key bs=1024 count=1 2>/dev/null
chmod 400 key
name=$(hostname -s)
read -r first second < <(shuf -i 20000-30000 -n 2 | paste -sd ' ')
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=$name(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$TMP/munge.socket,cred_expire=5
CredType=cred/munge
SlurmctldPort=$first
SlurmdPort=$second
StateSaveLocation=$TMP/state
SlurmdSpoolDir=$TMP/spool
SlurmctldPidFile=$TMP/slurmctld.pid
SlurmdPidFile=$TMP/slurmd.pid
SlurmctldLogFile=$TMP/slurmctld.log
SlurmdLogFile=$TMP/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SlurmdTimeout=5
KillWait=2
MinJobAge=10
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=$name NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$TMP/slurm.conf
munged --foreground --force --socket="$TMP/munge.socket" --key-file="$TMP/key" \
    --log-file="$TMP/munge.log" --pid-file="$TMP/munge.pid" --seed-file="$TMP/munge.seed" \
    >munge.out 2>&1 &
munge=$!
disown $munge
until_true 30 test -S munge.socket
start_controller() {
    slurmctld -D >slurmctld.out 2>&1 &
    controller=$!
    disown $controller
}
start_node() {
    slurmd -D >slurmd.out 2>&1 &
    node=$!
    disown $node
}
state() { sinfo --noheader --format=%T; }
is_state() { state | grep -qE "^($1)\*?$"; }
start_controller
start_node
if ! until_true 60 is_state idle; then
    not_ok "a cluster of Slurm" "$(state; tail -n 20 slurmctld.log slurmd.log)"
    finish
fi
ok "a cluster of Slurm"

cp once.sqlite less.sqlite
sqlite3 less.sqlite 'delete from points where rowid = 7'
check "a row that is missing is seen" bash -c '! diff "$@" >/dev/null' - <(reports once.sqlite) \
    <(reports less.sqlite)
ended() { squeue --noheader | wc -l | grep -qx 0; }

# lose_node: slurmd, and the daemons of steps with all that they started, which are not below it.
lose_node() {
    local file steps=()
    for file in $(grep -lsz "^SLURM_CONF=$TMP/slurm.conf$" /proc/[0-9]*/environ); do
        file=${file%/environ}
        [ "$(cat "$file/comm" 2>/dev/null)" != slurmstepd ] || steps+=("${file#/proc/}")
    done
    lost=${#steps[@]}
    end "$node" "${steps[@]}"
}

# amid DATABASE: some jobs have ended, and one is at work.
amid() {
    local file
    [ -s "$1.parts/2.json" ] || return
    for file in "$1".parts/*.sqlite; do
        [ -s "${file%.sqlite}.json" ] || return 0
    done
    return 1
}
# begin DATABASE PARTS: a sweep, until it is in the middle; $job.
begin() {
    "$ROUNDCAST" sweep a.study -o "$1" --via slurm --parts "$2" >out 2>err &
    job=$!
    until_true 120 amid "$1"
}
# The node is lost, and comes back.
begin node.sqlite 8
lose_node
check "a node is lost in the middle, with $lost jobs" test "$lost" -gt 0
check "… it is down" until_true 60 is_state down
# A job may have been started that had no daemon yet.
restarted() { [ "$(scontrol show job --oneliner | grep -c ' Restarts=1 ')" -ge "$lost" ]; }
check "… its jobs were queued again" until_true 20 restarted
start_node
wait $job
same "… the sweep ends when it is back" "$?,$(cat err)" '0,'
whole "… no point is lost, none is doubled" node.sqlite
same "… of the parts only logs are left" \
    "$(find node.sqlite.parts -type f ! -name 'slurm-*.log' | paste -sd ' ')" \
    node.sqlite.parts/job.sh

# The sweep itself is killed.
begin sweep.sqlite 8
kill -KILL $job
wait $job 2>/dev/null
check "the sweep is killed, its jobs are not" test -s sweep.sqlite.parts/job
until_true 60 ended
before=$(wc -l <slurmctld.log)
check "(the controller logs jobs that are started)" grep -q submit slurmctld.log
accepts 'results' "… the same command takes over what they did" sweep a.study -o sweep.sqlite \
    --via slurm --parts 8
whole "… no point is lost, none is doubled" sweep.sqlite
same "… no other job was started" "$(tail -n "+$((before + 1))" slurmctld.log | grep -c submit)" 0

# The controller stops; the jobs that run go on.
begin controller.sqlite 8
kill -TERM "$controller"
check "the controller stops" until_true 30 bash -c '! kill -0 '"$controller"
check "(no controller answers then)" bash -c '! squeue'
sleep 2
start_controller
wait $job
same "… the sweep ends when it is back" "$?,$(cat err)" '0,'
whole "… no point is lost, none is doubled" controller.sqlite
until_true 60 ended

refuses 2 E501 'points have no row after 3 rounds of jobs' "jobs that fail" \
    sweep a.study -o failing.sqlite --via slurm --parts 1 --program /bin/false
SBATCH_PARTITION=none refuses 2 E501 'sbatch: ' "jobs that Slurm does not take" \
    sweep a.study -o none.sqlite --via slurm
printf '#!/bin/sh\nPATH=/none exec "%s" "$@"\n' "$ROUNDCAST" >bare
chmod +x bare
ROUNDCAST=$TMP/bare refuses 2 E501 'of the package slurm-client' "no Slurm" \
    sweep a.study -o none.sqlite --via slurm
grep -E 'requeue|not responding|DOWN|down' slurmctld.log | cut -c1-100 | sed 's/^/# /'
finish
