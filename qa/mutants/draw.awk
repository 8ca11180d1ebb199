# SPDX-License-Identifier: Apache-2.0
# draw.awk: from the list of all places of faults of Yosys' `mutate` (its lines of mode inv), those
# of some modules that may be drawn, to be sorted by MODULE, TURN and ORDER:
#
#     awk -v modules="MODULE…" -v count=COUNT -v seed=SEED -f draw.awk LIST
#     MODULE<tab>TURN<tab>ORDER<tab>COMMAND<tab>FAULT<tab>LINE
#
# COMMAND is for Yosys. FAULT says the mode; the wire, if it has a name; the cell with the bit of
# its port; for cnot the bit of that port that makes the fault. LINE is of the module's file:
#
#     const0 obs_o[42] at $dff#3.Q[10]
#
# A module's faults depend on it, its parameters and the seed alone: what is written elsewhere, or
# where in its file a line stands, moves the numbers of Yosys, which stand nowhere here. So a reason
# that was found once (listed_rtl.txt) holds until the module changes. A port in the source,
# whatever its width and however many instances are generated, has its second fault when all have
# their first. A memory's port of reads has neither clock nor enable here: the register behind it
# has.

function value(option) {
    if (!match($0, " -" option " [^ ]+"))
        return ""
    return substr($0, RSTART + length(option) + 3, RLENGTH - length(option) - 3)
}

# An instance has its name. Another cell is the first, second … of its kind: $or#2 is
# $or$FILE:LINE$NUMBER there, $opt_dff#2 is $auto$opt_dff.cc:….
function named(variant, cell,    kind) {
    if ((variant, cell) in name)
        return name[variant, cell]
    kind = cell
    if (sub(/^\$(auto\$)?/, "$", kind)) {
        match(kind, /^\$[^$.]*/)
        kind = substr(kind, 1, RLENGTH)
        kind = kind "#" ++of_kind[variant, kind]
    }
    return name[variant, cell] = kind
}

# A number below 2^31, another one for nearly every text.
function hash(text,    at, sum) {
    sum = seed + 1
    for (at = 1; at <= length(text); at++)
        sum = (sum * 257 + code[substr(text, at, 1)]) % 998244353
    return sum * 48271 % 2147483647
}

BEGIN {
    for (at = 1; at < 128; at++)
        code[sprintf("%c", at)] = at
    for (words = split(modules, word); words > 0; words--)
        wanted[word[words]]
    modes = split("inv const0 const1 cnot0 cnot1", mode)
}

/ -mode inv / {
    variant = module = value("module")
    sub(/\\[A-Z].*/, "", module)
    sub(/.*\\/, "", module)
    if (!(module in wanted))
        next
    if (value("cell") ~ /^\$memrd/ && value("port") ~ /^(CLK|EN)$/)
        next
    cell = named(variant, value("cell"))
    port = cell
    gsub(/\[[0-9]+\]/, "", port)
    port = module " " port "." value("port")
    if (!(port in places)) {
        ports[++port_count] = port
        module_of[port] = module
    }
    place = port SUBSEP places[port]++
    command[place] = $0
    one[place] = variant " " cell " " value("port")
    width[one[place]]++
    bit[place] = value("portbit")
    said[place] = cell "." value("port") "[" bit[place] "]"
    if (value("wire") != "")
        said[place] = value("wire") "[" value("wirebit") "] at " said[place]
    line[place] = $NF
    sub(/^[^:]*:/, "", line[place])
    sub(/[.].*/, "", line[place])
}

# The fault `which` of the places of a port: its mode, and for cnot a bit other than its own.
function report(port, which, turn,    place, how, fault, bits, by, made) {
    place = port SUBSEP which % places[port]
    how = mode[int(which / places[port]) + 1]
    fault = how " " said[place]
    if (how ~ /cnot/) {
        bits = width[one[place]]
        if (bits == 1)
            return
        by = (bit[place] + 1 + hash(port which) % (bits - 1)) % bits
        how = how " -ctrlbit " by
        fault = fault " by bit " by
    }
    if (told[module_of[port], fault]++) # by a module of the same name with other parameters
        return
    made = command[place]
    sub(/-mode inv/, "-mode " how, made)
    printf "%s\t%d\t%d\t%s\t%s\t%s\n", module_of[port], turn, hash(turn " " port), made, fault,
        line[place]
}

END {
    for (number = 1; number <= port_count; number++) {
        port = ports[number]
        faults = places[port] * modes
        # A prime is a step that comes by all of them.
        for (turn = 0; turn < faults && turn < count; turn++)
            report(port, (hash(port) + turn * 99991) % faults, turn)
    }
}
