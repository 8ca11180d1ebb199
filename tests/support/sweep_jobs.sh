# SPDX-License-Identifier: Apache-2.0
# sweep_jobs: helpers of the tests of sweeps through a job system, which source it after tap.sh.
# $program is the program, and $expected the table of a sweep without jobs.

# table DATABASE: prints its rows without times and host.
table() {
    "$program" sweep --csv "$1" | awk -F, '
        { # commas in quotes separate no columns
            parts = split($0, part, "\"")
            for (k = 2; k <= parts; k += 2) gsub(/,/, ";", part[k])
            line = part[1]
            for (k = 2; k <= parts; k++) line = line part[k]
            $0 = line
        }
        NR == 1 { for (k = 1; k <= NF; k++) left[k] = $k ~ /seconds|megabytes|host/ }
        { line = ""; for (k = 1; k <= NF; k++) if (!left[k]) line = line "," $k; print line }'
}
# whole TEXT DATABASE: checks that it has the rows of once.sqlite.
whole() {
    if [ "$(table "$2")" = "$expected" ]; then ok "$1"; else not_ok "$1" "$(table "$2" | head -5)"; fi
}
# rounds NUMBER TEXT: checks how often the job system ran since the last call; it adds a line to
# the file `rounds`.
rounds() {
    local count=0
    [ ! -f rounds ] || count=$(wc -l <rounds)
    rm -f rounds
    if [ "$count" = "$1" ]; then ok "$2"; else not_ok "$2" "$count rounds; expected $1"; fi
}
