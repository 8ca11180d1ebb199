# SPDX-License-Identifier: Apache-2.0
# coverage.awk: prints the coverage of C as a table, one folder per row, and checks it against
# limits and exclusions.
#
#     awk -f coverage.awk -v limits="lines 90 outcomes 90 alone 90" [-v gaps=1] EXCLUSIONS COUNTS
#
# COUNTS, from coverage.sh, contains each line of a source, each condition with its numbers of true
# and false outcomes, and each condition of a compound decision, with whether it decided alone
# (MC/DC). Fields are separated by tabs:
#
#     line FILE LINE COUNT
#     branch FILE LINE COLUMN LINE COLUMN TRUE FALSE 6|OTHER     6: part of a compound decision
#     mcdc FILE LINE COLUMN LINE COLUMN WHICH 0|1                from 0, in the order of the text
#
# Counts of several copies of an inline function are added.
#
# EXCLUSIONS contains the outcomes that cannot occur, by the text of their condition:
#
#     FILE :: TEXT :: true|false :: COUNT :: REASON, AND WHICH CHECK WOULD FAIL
#
# COUNT is the number of missed outcomes in the file. Alternatively FILE is *, TEXT a /pattern/ and
# COUNT any. An exclusion with another number is stale and fails, and so does one without a reason.
# COUNT `processor` is for outcomes of FILE that only processors with other instructions meet: TEXT
# is a /pattern/, and no outcome has to be missed.
# A condition with an excluded outcome cannot decide alone. With gaps=1, outcomes that are neither
# met nor excluded are printed first.

function fail(text) {
    print "coverage: " text > "/dev/stderr"
    failed = 1
}

function load(file,    n) {
    while ((getline source[file, ++n] < (root file)) > 0) ;
    close(root file)
    loaded[file] = 1
}

# Returns the source text of a place, with single blanks.
function text_of(place,    part, file, text, n) {
    split(place, part, SUBSEP)
    file = part[1]
    if (!(file in loaded)) load(file)
    if (part[2] == part[4])
        text = substr(source[file, part[2]], part[3], part[5] - part[3])
    else {
        text = substr(source[file, part[2]], part[3])
        for (n = part[2] + 1; n < part[4]; n++) text = text " " source[file, n]
        text = text " " substr(source[file, part[4]], 1, part[5] - 1)
    }
    gsub(/[ \t]+/, " ", text)
    return text
}

function folder_of(file) {
    sub(/\/[^\/]*$/, "", file)
    sub(/^sched\/algorithms\/.*/, "sched/algorithms", file)
    return file
}

function count(kind, place, how,    part, folder) {
    split(place, part, SUBSEP)
    folder = folder_of(part[1])
    folders[folder]
    all[kind, folder]++
    all[kind, "all"]++
    how_many[kind, how, folder]++
    how_many[kind, how, "all"]++
}

# Checks whether this outcome is excluded.
function is_excluded(place, which,    part, key, k) {
    split(place, part, SUBSEP)
    key = part[1] SUBSEP text_of(place) SUBSEP which
    if (key in wanted) {
        used[key]++
        return 1
    }
    for (k = 1; k <= patterns; k++)
        if (way[k] == which && (only[k] == "" || only[k] == part[1]) && text_of(place) ~ pattern[k]) {
            matched[k]++
            return 1
        }
    return 0
}

function tell(place, what,    part) {
    split(place, part, SUBSEP)
    if (gaps) printf "%s:%d: %s: %s\n", part[1], part[2], text_of(place), what
}

function exclude(place) {
    count("outcomes", place, "excluded")
    never[place]
}

function not_met(place, which) {
    if (is_excluded(place, which)) exclude(place)
    else {
        count("outcomes", place, "left")
        tell(place, "never " which)
    }
}

# If a signal ends a process within a condition, the counts include one outcome that did not occur:
# negligible among many, and ignored where an exclusion expects one outcome more.
function met(place, which, times, others,    part, key) {
    split(place, part, SUBSEP)
    key = part[1] SUBSEP text_of(place) SUBSEP which
    if (times == 1 && others >= 100 && key in wanted && used[key] < wanted[key] && is_excluded(place, which)) exclude(place)
    else count("outcomes", place, "met")
}

# Checks whether place a is inside place b.
function inside(a, b,    p, q) {
    split(a, p, SUBSEP)
    split(b, q, SUBSEP)
    return p[1] == q[1] && (p[2] > q[2] || (p[2] == q[2] && p[3] >= q[3])) && (p[4] < q[4] || (p[4] == q[4] && p[5] <= q[5]))
}

# Returns the conditions of a decision, in the order of the text: those in no smaller decision
# inside it.
function conditions_of(decision, found,    file, k, d, n, other, own) {
    file = substr(decision, 1, index(decision, SUBSEP) - 1)
    n = 0
    for (k = 1; k <= in_file[file]; k++) {
        if (!inside(of_file[file, k], decision)) continue
        own = 1
        for (d = 1; own && d <= decided[file]; d++) {
            other = decision_of[file, d]
            own = other == decision || !inside(other, decision) || !inside(of_file[file, k], other)
        }
        if (own) found[++n] = of_file[file, k]
    }
    return n
}

function percent(kind, folder, how) {
    return all[kind, folder] ? 100 * (how_many[kind, "met", folder] + how_many[kind, how, folder]) / all[kind, folder] : 100
}

# Totals of all folders, without excluded outcomes.
function share(kind,    counted) {
    counted = all[kind, "all"] - how_many[kind, "excluded", "all"]
    return counted ? 100 * how_many[kind, "met", "all"] / counted : 100
}

function row(folder) {
    printf "| `%s` | %d | %.2f %% | %d | %.2f %% | %d | %d | %d | %.2f %% | %d | %d |\n", folder,
        all["lines", folder], percent("lines", folder),
        all["outcomes", folder], percent("outcomes", folder), how_many["outcomes", "excluded", folder], how_many["outcomes", "left", folder],
        all["alone", folder], percent("alone", folder), how_many["alone", "excluded", folder], how_many["alone", "left", folder]
}

function read_exclusion(    part, key) {
    if (split($0, part, " :: ") != 5 || part[3] !~ /^(true|false)$/ || part[4] !~ /^([1-9][0-9]*|any|processor)$/ || length(part[5]) < 20) {
        fail(FILENAME ":" FNR ": not FILE :: TEXT :: true|false :: COUNT :: WHY")
    } else if (part[1] == "*" || part[4] == "processor") {
        pattern[++patterns] = substr(part[2], 2, length(part[2]) - 2)
        if (part[1] != "*") only[patterns] = part[1]
        way[patterns] = part[3]
        line_of[patterns] = FNR
    } else {
        key = part[1] SUBSEP part[2] SUBSEP part[3]
        if (key in wanted) fail(FILENAME ":" FNR ": stands there twice")
        wanted[key] = part[4]
        line_of[key] = FNR
    }
}

BEGIN { FS = "\t" }

FILENAME == ARGV[1] {
    if ($0 !~ /^#/ && $0 != "") read_exclusion()
    next
}

{ place = $2 SUBSEP $3 SUBSEP $4 SUBSEP $5 SUBSEP $6 }
$1 == "line" { lines[$2, $3] += $4 }
$1 == "branch" {
    if (!(place in trues)) {
        order[++places] = place
        if ($9 == 6) of_file[$2, ++in_file[$2]] = place
    }
    trues[place] += $7
    falses[place] += $8
}
$1 == "mcdc" {
    if (!(place in size)) {
        decisions[++n_decisions] = place
        decision_of[$2, ++decided[$2]] = place
    }
    if ($7 + 1 > size[place]) size[place] = $7 + 1
    alone[place, $7] += $8
}

END {
    for (key in lines) count("lines", key, lines[key] > 0 ? "met" : "left")
    for (k = 1; k <= places; k++) {
        if (!trues[order[k]]) not_met(order[k], "true")
        if (!falses[order[k]]) not_met(order[k], "false")
    }
    for (k = 1; k <= places; k++) {
        if (trues[order[k]]) met(order[k], "true", trues[order[k]], falses[order[k]])
        if (falses[order[k]]) met(order[k], "false", falses[order[k]], trues[order[k]])
    }
    for (d = 1; d <= n_decisions; d++) {
        place = decisions[d]
        n = conditions_of(place, found)
        for (k = 0; k < size[place]; k++) {
            known = n == size[place]
            if (alone[place, k] > 0) count("alone", place, "met")
            else if (known && found[k + 1] in never) count("alone", place, "excluded")
            else {
                count("alone", place, "left")
                tell(known ? found[k + 1] : place, "never alone")
            }
        }
    }
    for (key in wanted)
        if (used[key] != wanted[key])
            fail(ARGV[1] ":" line_of[key] ": excludes " used[key] + 0 " outcomes; expected " wanted[key])
    for (k = 1; k <= patterns; k++)
        if (!matched[k] && only[k] == "") fail(ARGV[1] ":" line_of[k] ": excludes no outcome; expected some")
    print "| folder | lines | seen | outcomes | met | excluded | left | conditions | alone | excluded | left |"
    print "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |"
    for (folder in folders) if (folder != "all") names[++n_names] = folder
    for (a = 2; a <= n_names; a++)
        for (b = a; b > 1 && names[b - 1] > names[b]; b--) {
            name = names[b]; names[b] = names[b - 1]; names[b - 1] = name
        }
    for (a = 1; a <= n_names; a++) row(names[a])
    row("all")
    printf "\nOf what is not excluded: lines %.2f %%, outcomes %.2f %%, conditions that decide alone %.2f %%.\n",
        share("lines"), share("outcomes"), share("alone")
    n = split(limits, limit, " ")
    for (k = 1; k < n; k += 2)
        if (percent(limit[k], "all", "excluded") < limit[k + 1])
            fail(sprintf("%.3f %% of %s; expected at least %s %%", percent(limit[k], "all", "excluded"), limit[k], limit[k + 1]))
    exit failed
}
