# SPDX-License-Identifier: Apache-2.0
# draw.awk: selects the faults of some modules from the list of all possible places that `mutate` of
# Yosys prints (its lines of mode inv), to be sorted by MODULE, TURN and ORDER:
#
#     awk -v modules="MODULE…" -v count=COUNT -v seed=SEED -f draw.awk LIST
#     MODULE<tab>TURN<tab>ORDER<tab>COMMAND<tab>FAULT<tab>LINE
#
# COMMAND is for Yosys. FAULT contains the mode; the wire, if it has a name; the cell with the bit
# of its port; and for cnot the bit of that port that causes the fault. LINE is a line of the file
# of the module:
#
#     const0 obs_o[42] at $dff#3.Q[10]
#
# The faults of a module depend only on the module, its parameters and the seed: changes elsewhere,
# or of line numbers, change the numbers of Yosys, which are not used here. So a reason in
# listed_rtl.txt is valid until the module changes. A port in the source, whatever its width and
# number of instances, gets its second fault after all ports have their first. Read ports of
# memories have neither clock nor enable here, because the register after them has.

function value(option) {
    if (!match($0, " -" option " [^ ]+"))
        return ""
    return substr($0, RSTART + length(option) + 3, RLENGTH - length(option) - 3)
}

# An instance is identified by its name, another cell as the first, second … of its kind: $or#2 is
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

# Returns a number below 2^31 that differs for nearly every text.
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

# Returns fault `which` of the places of a port: its mode, and for cnot a bit other than its own.
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
    if (listed[module_of[port], fault]++) # by a module of the same name with other parameters
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
        # A prime step size visits all of them.
        for (turn = 0; turn < faults && turn < count; turn++)
            report(port, (hash(port) + turn * 99991) % faults, turn)
    }
}
