#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# parallel: sweeps through GNU parallel, here and over ssh.
#
# Two servers of ssh on this machine's loopback stand for two hosts; their jobs share nothing but
# what parallel carries. In the middle the program is killed, and once a host, with all that runs
# there. In the end each point has one row, that of a sweep without parallel. Counter-cases: the
# comparison sees a row that is missing; jobs that fail are reported, and keep the rows that exist.
. "$(dirname "$0")/cluster.sh"
needs parallel sqlite3 ssh sshd rsync
hosts=()
trap 'end "${hosts[@]}"; rm -rf "$TMP"' EXIT

cp once.sqlite less.sqlite
sqlite3 less.sqlite 'delete from points where rowid = 7'
check "a row that is missing is seen" bash -c '! diff "$@" >/dev/null' - <(reports once.sqlite) \
    <(reports less.sqlite)

accepts "run      $(rows once.sqlite 'count(*)') points" "jobs of parallel, here" \
    sweep a.study -o here.sqlite --via parallel --parts 5 --jobs 2
whole "… each point has its row" here.sqlite
same "… of 5 jobs" "$(awk 'NR > 1 { print $7 }' here.sqlite.parts/joblog | paste -sd ' ')" '0 0 0 0 0'
same "… which leave only logs" "$(ls here.sqlite.parts | paste -sd ' ')" \
    'joblog list parallel.log'
accepts 'run      0 points' "… and are not run again" sweep a.study -o here.sqlite --via parallel
refuses 2 E501 'points have no row after 3 rounds of jobs' "jobs that fail" \
    sweep a.study -o failing.sqlite --via parallel --parts 2 --program /bin/false
printf '#!/bin/sh\nPATH=/none exec "%s" "$@"\n' "$ROUNDCAST" >bare
chmod +x bare
ROUNDCAST=$TMP/bare refuses 2 E501 'parallel is not on PATH; expected it, of the package parallel' \
    "no parallel" sweep a.study -o none.sqlite --via parallel

# killed DATABASE ARGUMENT…: the sweep is killed when some jobs have ended.
killed() {
    local database=$1 job
    shift
    "$ROUNDCAST" sweep a.study -o "$database" --via parallel --parts 12 --jobs 2 "$@" \
        >out 2>err &
    job=$!
    until_true 60 test -s "$database.parts/2.json"
    kill -KILL $job
    wait $job 2>/dev/null
}
killed killed.sqlite 2>/dev/null
before=$(rows killed.sqlite 'count(*)')
check "killed in the middle ($before rows)" test "$before" -lt "$(rows once.sqlite 'count(*)')"
accepts 'results' "… it goes on" sweep a.study -o killed.sqlite --via parallel --parts 12 --jobs 2
whole "… no point is lost, none is doubled" killed.sqlite

# Two hosts.
ssh-keygen -q -t ed25519 -N '' -f host
ssh-keygen -q -t ed25519 -N '' -f user
[ -d /run/sshd ] || mkdir -m 755 /run/sshd 2>/dev/null
# serve NAME: a server of that name.
serve() {
    local port
    for port in $(shuf -i 20000-30000 -n 20); do
        printf '%s\n' "Port $port" 'ListenAddress 127.0.0.1' "HostKey $TMP/host" \
            "PidFile $TMP/$1.pid" "AuthorizedKeysFile $TMP/user.pub" 'StrictModes no' 'UsePAM no' \
            'PasswordAuthentication no' >"$1.conf"
        "$(command -v sshd)" -D -e -f "$TMP/$1.conf" 2>"$1.log" &
        hosts+=($!)
        disown $!
        printf '%s\n' "Host $1" "Port $port" >>config
        until_true 20 grep -q listening "$1.log" && return
    done
}
serve a
serve b
printf '%s\n' 'Host *' 'HostName 127.0.0.1' "IdentityFile $TMP/user" 'IdentitiesOnly yes' \
    'StrictHostKeyChecking no' "UserKnownHostsFile $TMP/known" 'LogLevel ERROR' \
    'ControlMaster auto' "ControlPath $TMP/%n.control" 'ControlPersist 120' >>config
check "two servers of ssh" ssh -F config a true
login="ssh -F $TMP/config a,ssh -F $TMP/config b"
"$ROUNDCAST" sweep a.study -o hosts.sqlite --via parallel --parts 6 --jobs 2 \
    --sshlogin "$login" >out 2>err &
job=$!
check "jobs have run there" until_true 200 test -s hosts.sqlite.parts/2.json

end "${hosts[0]}"
wait $job
same "a host is lost in the middle" "$?,$(cat err)" '0,'
whole "… no point is lost, none is doubled" hosts.sqlite
check "… the other host did the work" grep -q "config b" hosts.sqlite.parts/joblog
for name in a b; do ssh -F config -O exit $name 2>/dev/null; done
sed 's/^/# /' hosts.sqlite.parts/joblog | cut -c1-90
finish
