# SPDX-License-Identifier: Apache-2.0
# schedule.awk: a second reader of schedules, written from docs/formats.md alone. It reads those of
# the send-receive model on a complete graph and checks them:
#
#     echo b.sched | awk -f schedule.awk        prints `rounds 12` and `status 0`
#
# or `LINE CODE` of the first mistake in the format (status 2), or else of the first breach of the
# model (1). Schedules of another model, with control packets or with combined packets get status 3.
# Standard input names the files, one a line; each gets its lines.

# Stops reading with what is wrong here: nothing is left of the file, and no later mistake counts.
function stop(code) {
    if (!stopped) {
        print at " " code
        status = code == "other" ? 3 : 2
    }
    stopped = 1
    rest = ""
    at = lines
}

# Stops at an unexpected rest of the line; text after the last newline is not a line.
function unexpected() { stop(rest == "" && at == lines ? "E207" : "E204") }

# Goes to the next line that has a field; false after the last line.
function next_line() {
    while (at < lines) {
        rest = line[++at]
        sub(/#.*/, "", rest)
        blanks()
        if (rest != "") return 1
    }
    return 0
}

function blanks() { sub(/^[ \t]+/, "", rest) }
function end_of_line() { blanks(); if (rest != "" || at == lines) unexpected() }

function take(byte) {
    if (substr(rest, 1, 1) != byte) return 0
    rest = substr(rest, 2)
    return 1
}

function word(    found) {
    blanks()
    if (!match(rest, /^[a-z-]+/)) { unexpected(); return "" }
    found = substr(rest, 1, RLENGTH)
    rest = substr(rest, RLENGTH + 1)
    return found
}

function number(least, most,    found) {
    blanks()
    if (!match(rest, /^[0-9]+/)) { unexpected(); return 0 }
    found = substr(rest, 1, RLENGTH)
    rest = substr(rest, RLENGTH + 1)
    if (rest == "" && at == lines) unexpected()
    if (length(found) > 19 || found + 0 < least || found + 0 > most) stop("E205")
    return found + 0
}

function keyword(expected) {
    next_line()
    if (word() != expected) stop("E204")
}

function version() {
    if (!next_line()) unexpected()
    if (!match(rest, /^[a-z-]+/) || word() != "roundcast-schedule") stop("E203")
    if (number(0, 2 ^ 64) != 1) stop("E203")
    end_of_line()
}

# Free text of 1 … 199 bytes.
function algorithm() {
    keyword("algorithm")
    blanks()
    if (rest == "" || rest ~ /[\001-\010\013-\037]/ || length(rest) > 199) unexpected()
    if (at == lines) stop("E207")
}

function topology(    name) {
    keyword("topology")
    name = word()
    if (name == "tree" || name == "hypercube") stop("other")
    if (name != "complete") stop("E204")
    nodes = number(1, 2 ^ 24)
    end_of_line()
}

function model(    name) {
    keyword("model")
    name = word()
    if (name ~ /^(telephone|telegraph|postal|fabric-(multicast|postal|reduction|all-reduce))$/) stop("other")
    if (name != "send-receive") stop("E204")
    blanks()
    ports = rest ~ /^[0-9]/ ? number(1, 65535) : 1
    end_of_line()
}

# first-last source wanted: who wants packet p is wants[p, 1 …], or wants[p, 0], which is all.
function demand(    first, last, source, node, count, p) {
    last = first = number(1, 2 ^ 27)
    if (take("-")) last = number(first, 2 ^ 27)
    if (first != packets + 1) stop("E209")
    packets = last
    source = number(0, nodes - 1)
    if (stopped) return
    for (p = first; p <= last; p++) held[source, p] = 1
    blanks()
    if (take("*")) {
        for (p = first; p <= last; p++) wants[p] = -1
    } else {
        do {
            node = number(0, nodes - 1)
            if (count > 0 && node <= wants[first, count]) stop("E206")
            if (stopped) return
            count++
            for (p = first; p <= last; p++) wants[p, count] = node
        } while (take(","))
        for (p = first; p <= last; p++) wants[p] = count
    }
    end_of_line()
}

function breach(code) { if (broken == "") broken = at " " code }

# Checks a transfer by the rules of its round.
function transfer(    source, destination, packet) {
    source = number(0, nodes - 1)
    destination = number(0, nodes - 1)
    packet = number(1, packets)
    if (source == destination) stop("E210")
    end_of_line()
    if (stopped) return
    if (!((source, packet) in held)) breach("E302")
    else if (sent[source, round] == ports) breach("E301")
    else if (received[destination, round] == ports) breach("E301")
    sent[source, round]++
    received[destination, round]++
    arriving[++arrivals] = destination SUBSEP packet
}

function a_round(    before, k) {
    before = round
    round = number(1, 2 ^ 62)
    if (before >= round) stop("E206")
    end_of_line()
    arrivals = 0
    while (next_line() && rest ~ /^[0-9]/) transfer()
    if (arrivals == 0) unexpected()
    for (k = 1; k <= arrivals; k++) held[arriving[k]] = 1
}

# Has everybody what he wants?
function unmet(    p, k) {
    for (p = 1; p <= packets; p++)
        for (k = 0; k < (wants[p] < 0 ? nodes : wants[p]); k++)
            if (!(((wants[p] < 0 ? k : wants[p, k + 1]), p) in held)) return 1
    return 0
}

function the_end() {
    if (number(0, 2 ^ 63) != round + 0) stop("E206")
    end_of_line()
    if (!stopped && unmet()) breach("E303")
    if (next_line()) stop("E204")
}

function body(    name) {
    next_line()
    while (!stopped) {
        name = word()
        if (name ~ /^(control|reduce)$/ && round == 0) stop("other")
        if (name == "demand" && round == 0) { demand(); next_line() }
        else if (name == "round" && packets > 0) a_round()
        else if (name == "end") { the_end(); return }
        else stop(name ~ /^(demand|reduce|round|end)$/ ? "E206" : "E204")
    }
}

# The whole file is one record, so that its last newline is seen.
function read_file(file,    part, text) {
    RS = "\001"
    while ((getline part < file) > 0) text = text part
    close(file)
    RS = "\n"
    lines = text == "" ? 1 : split(text, line, "\n")
    if (text == "") line[1] = ""
}

{
    split("", held); split("", wants); split("", sent); split("", received)
    at = stopped = status = round = packets = nodes = 0
    rest = broken = ""
    read_file($0)
    version(); algorithm(); topology(); model(); body()
    if (!stopped && broken != "") { print broken; status = 1 }
    else if (!stopped) print "rounds " round + 0
    print "status " status
}
