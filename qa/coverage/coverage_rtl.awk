# SPDX-License-Identifier: Apache-2.0
# coverage_rtl.awk: prints the counts of Verilator for the RTL as Markdown tables.
#
#     awk -f coverage_rtl.awk coverage_rtl.txt FILE.dat…
#
# A point of a module (a line, a branch or a bit of a signal) is reached if any instance of the
# module in any machine reached it; verilator_coverage would separate the parameters of a module.
# The cover statements of qa/coverage/cover count per instance: a point is one place in one machine,
# over all its runs.
#
# In machines with stages, each combination of storages of settings and programs must have run with
# barriers and, without computed programs, also without barriers.
#
# coverage_rtl.txt contains groups, separated by empty lines:
#
#     why: they cannot be reached
#     check: the test that would fail if they could
#     module | kind | what
#
#     kind line, branch    what: the source line, or * for the whole module; for a branch `if` or
#                          `else` before it
#     kind toggle          what: a signal, with its elements and bits if not all: name[7],
#                          name[3:0][31:16], or name[31:16 of 32] for these bits of each 32, or
#                          name[31:16 of 32 from 64] for those from bit 64 on
#     kind seen            what: the name in the table; module: a machine and a place, "rc_…: …";
#                          both match prefixes, with * for any text
#
# The module * matches every module.
#
# An exclusion that matches nothing, or a reached point, is stale. Exit status 1 if an exclusion is
# stale, or if a point is neither reached nor excluded; these are listed after the tables.

function trim(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }

function field_of(point, key,    from, rest) {
    from = index(point, "\001" key "\002")
    if (!from) return ""
    rest = substr(point, from + length(key) + 2)
    return match(rest, /[\001']/) ? substr(rest, 1, RSTART - 1) : rest
}

# Returns a line of a source file, which is read once.
function source(file, line,    at, text) {
    if (!(file in read)) {
        read[file] = 1
        while ((getline text < file) > 0) lines[file, ++at] = trim(text)
        close(file)
    }
    return lines[file, line]
}

function words(name) { gsub(/_/, " ", name); return name }

# u_endpoint_not_held_flag_cover.raised → "endpoint not held flag: raised"
function seen_words(path,    instance, label) {
    match(path, /\.u_[a-z0-9_]*_cover\./)
    instance = substr(path, RSTART + 3, RLENGTH - 10)
    sub(/.*\./, "", path)
    label = path
    return words(instance) ": " words(label)
}

# Returns the observed place in the notation of Verilator.
function place_of(path) {
    sub(/^TOP\.[a-z_]*\./, "", path)
    sub(/\.[a-z_]*$/, "", path)
    gsub(/__BRA__/, "[", path)
    gsub(/__KET__/, "]", path)
    return path
}

function note(table, point, count) {
    if (!(point in table)) table[point] = 0
    table[point] += count
}

# Splits name[3] into the name and the bit; the bit is -1 if there is none.
function split_bit(text) {
    bit = -1
    if (match(text, /\[[0-9]+\]$/)) {
        bit = substr(text, RSTART + 1, RLENGTH - 2) + 0
        text = substr(text, 1, RSTART - 1)
    }
    return text
}

function add_fault(what) { fault[++faults] = FILENAME ":" FNR ": " what }

function add_exclusion(    part) {
    if (split($0, part, / \| /) != 3) {
        add_fault($0 ": expected \"module | kind | what\"")
        return
    }
    if (!has_why || !has_check) add_fault($0 ": expected why and check above it")
    excluded_module[++exclusions] = trim(part[1])
    excluded_kind[exclusions] = trim(part[2])
    excluded_what[exclusions] = trim(part[3])
    excluded_place[exclusions] = FILENAME ":" FNR
}

function read_exclusions() {
    if (/^why: /) has_why = 1
    else if (/^check: /) has_check = 1
    else if (/^[ \t]*$/) has_why = has_check = 0
    else if (!/^(#|     )/) add_exclusion()
}

# Checks whether the number is in a range: "31:16", "7", "31:16 of 32" or "31:16 of 32 from 64".
function in_range(number, range,    part) {
    if (split(range, part, / from /) == 2) {
        if (number < part[2] + 0) return 0
        range = part[1]
    }
    if (split(range, part, / of /) == 2) {
        number %= part[2]
        range = part[1]
    }
    if (split(range, part, ":") == 1) part[2] = part[1]
    return number <= part[1] + 0 && number >= part[2] + 0
}

# Checks whether the bit, name[2][7], matches `what`: name[3:0][7:4], name[3:0] or name.
function has_bit(what, bit,    count, range, index_of, k) {
    count = split(what, range, "[")
    if (split(bit, index_of, "[") < count || range[1] != index_of[1]) return 0
    for (k = 2; k <= count; k++)
        if (!in_range(index_of[k] + 0, substr(range[k], 1, length(range[k]) - 1))) return 0
    return 1
}

# Checks whether the name begins with `pattern`, in which * matches any text.
function begins(name, pattern,    part, count, k, from) {
    count = split(pattern, part, "*")
    if (substr(name, 1, length(part[1])) != part[1]) return 0
    name = substr(name, length(part[1]) + 1)
    for (k = 2; k <= count; k++) {
        from = index(name, part[k])
        if (part[k] != "" && !from) return 0
        name = substr(name, from + length(part[k]))
    }
    return 1
}

# Checks whether the point is excluded, and records the match for each exclusion.
function is_excluded(module, kind, what, reached,    k, held, found) {
    for (k = 1; k <= exclusions; k++) {
        if (excluded_kind[k] != kind) continue
        if (kind == "seen") held = begins(what, excluded_what[k]) && begins(module, excluded_module[k])
        else if (excluded_module[k] != module && excluded_module[k] != "*") continue
        else if (kind == "toggle") held = has_bit(excluded_what[k], what)
        else held = excluded_what[k] == "*" || excluded_what[k] == what
        if (!held) continue
        applies[k]++
        if (reached) stale[k] = what
        else found = 1
    }
    return found
}

function count_point(table, row, kind, reached, excluded) {
    if (!((row, kind) in table)) table[row, kind] = without[row, kind] = hit[row, kind] = 0
    table[row, kind]++
    if (reached) hit[row, kind]++
    else if (excluded) without[row, kind]++
    else return 1
    return 0
}

function share(row, kind,    all) {
    all = total[row, kind] - without[row, kind]
    if (!total[row, kind]) return "–"
    return hit[row, kind] " of " all (without[row, kind] ? " (" without[row, kind] " excluded)" : "")
}

function percent(part, all) { return all ? sprintf("%.2f %%", 100 * part / all) : "–" }

# Collects points that are not reached, bits by their signals.
function add_hole(place, what,    signal) {
    signal = split_bit(what)
    if (bit < 0) hole[place what] = 1
    else {
        gap[place signal, bit] = 1
        if (bit > most[place signal]) most[place signal] = bit
        else most[place signal] += 0
    }
}

# Combines bits of signals to ranges.
function name_gaps(    signal, high, low) {
    for (signal in most)
        for (high = most[signal]; high >= 0; high = low - 1) {
            for (low = high; (signal, low) in gap; low--) ;
            if (low < high) hole[signal "[" high (low + 1 < high ? ":" low + 1 : "") "]"] = 1
            else low = high
        }
}

function parameter(machine, name) {
    return match(machine, "-" name "[0-9]+") ? substr(machine, RSTART + 1 + length(name), RLENGTH - 1 - length(name)) + 0 : 0
}

# Lists the combinations of settings and programs that ran, with and without barriers.
function note_run(machine, what, reached) {
    if (machine !~ /^rc_multistage_machine/ || what !~ /^run: with(out)? barriers$/) return
    stages = 1
    ran[parameter(machine, "settings"), parameter(machine, "computed"), what] += reached
}

function tell_run(settings, computed, what) {
    if (computed && what ~ /without/) return "–"
    if (ran[settings, computed, what]) return "ran"
    hole["settings " settings_name[settings + 1] ", programs " programs_name[computed + 1] ": no " what] = 1
    return "**did not run**"
}

function print_runs(    settings, computed) {
    split("full indexed tags masks", settings_name, " ")
    split("stored computed", programs_name, " ")
    print "\n| settings | programs | with barriers | without |\n| --- | --- | --- | --- |"
    for (settings = 0; settings < 4; settings++)
        for (computed = 0; computed < 2; computed++)
            print "| " settings_name[settings + 1] " | " programs_name[computed + 1] " | " tell_run(settings, computed, "run: with barriers") " | " tell_run(settings, computed, "run: without barriers") " |"
}

# Prints in the order of the names.
function sorted(set, list,    name, count, k, other) {
    count = 0
    for (name in set) {
        for (k = ++count; k > 1 && list[k-1] > name; k--) list[k] = list[k-1]
        list[k] = name
    }
    return count
}

FNR == 1 { machine = FILENAME; sub(/.*\//, "", machine); sub(/\.[0-9]+\.dat$/, "", machine); sub(/^rtl-/, "", machine) }

FILENAME ~ /\.txt$/ {
    read_exclusions()
    next
}

/^C / {
    page = field_of($0, "page")
    count = $0
    sub(/.*' /, "", count)
    count += 0
    if (page ~ /^v_user/) note(seen, machine SUBSEP field_of($0, "h"), count)
    else {
        file = field_of($0, "f")
        gsub(/\/\/+/, "/", file)
        if (file ~ /_cover\.sv$/) next
        match(page, /^v_[a-z]+/)
        note(points, file SUBSEP substr(page, 3, RLENGTH - 2) SUBSEP field_of($0, "l") SUBSEP field_of($0, "n") SUBSEP field_of($0, "o"), count)
    }
}

END {
    kinds = split("line branch toggle", kind_name, " ")
    for (point in points) {
        split(point, part, SUBSEP)
        module = part[1]
        sub(/.*\//, "", module)
        sub(/\.sv$/, "", module)
        kind = part[2]
        what = kind == "toggle" ? part[5] : source(part[1], part[3])
        if (kind == "branch") what = (part[5] == "else" ? "else " : "") what
        modules[module] = 1
        reached = points[point] > 0
        if (count_point(total, module, kind, reached, is_excluded(module, kind, what, reached)))
            add_hole(part[1] ":" part[3] ": " kind " ", what)
    }
    for (point in seen) {
        split(point, part, SUBSEP)
        what = seen_words(part[2])
        things[what] = 1
        reached = seen[point] > 0
        note_run(part[1], what, reached)
        place = part[1] ": " place_of(part[2])
        if (count_point(total, what, "seen", reached, is_excluded(place, "seen", what, reached)))
            hole[place ": " what] = 1
    }

    print "| module | lines | branches | toggles |\n| --- | --- | --- | --- |"
    count = sorted(modules, list)
    for (k = 1; k <= count; k++) {
        print "| " list[k] " | " share(list[k], "line") " | " share(list[k], "branch") " | " share(list[k], "toggle") " |"
        for (n = 1; n <= kinds; n++) {
            total["all", kind_name[n]] += total[list[k], kind_name[n]]
            without["all", kind_name[n]] += without[list[k], kind_name[n]]
            hit["all", kind_name[n]] += hit[list[k], kind_name[n]]
        }
    }
    print "| **all** | " share("all", "line") " | " share("all", "branch") " | " share("all", "toggle") " |"
    printf "\nOf what is not excluded: lines %s, branches %s, toggles %s.\n",
        percent(hit["all", "line"], total["all", "line"] - without["all", "line"]),
        percent(hit["all", "branch"], total["all", "branch"] - without["all", "branch"]),
        percent(hit["all", "toggle"], total["all", "toggle"] - without["all", "toggle"])

    print "\n| seen in a run | places |\n| --- | --- |"
    count = sorted(things, list)
    for (k = 1; k <= count; k++) print "| " list[k] " | " share(list[k], "seen") " |"

    if (stages) print_runs()
    name_gaps()
    for (k = 1; k <= exclusions; k++) {
        if (!applies[k]) fault[++faults] = excluded_place[k] ": " excluded_what[k] ": there is no such thing in " excluded_module[k]
        else if (k in stale) fault[++faults] = excluded_place[k] ": " stale[k] ": is reached"
    }
    count = sorted(hole, list)
    if (count) print "\nNot reached:\n"
    for (k = 1; k <= count; k++) print "- " list[k]
    if (faults) print "\nStale exclusions:\n"
    for (k = 1; k <= faults; k++) print "- " fault[k]
    if (!total["all", "line"]) print "\nNothing was counted."
    exit count > 0 || faults > 0 || !total["all", "line"]
}
