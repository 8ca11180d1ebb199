# SPDX-License-Identifier: Apache-2.0
# image.awk: a second reader of images, written from docs/formats.md, machine.md and networks.md
# alone. It reads those of Beneš networks with full settings and stored programs, and prints the
# settings and the circuits of a row, from 0:
#
#     echo b/image.hex 2 | awk -f image.awk
#
#     # stage 0 0000         switch 0 first; 0 straight, 1 crossed
#     0 1 3                  port 0 sends packet 3, which comes out at port 1
#     status 0
#
# A circuit is as `roundcast unpack` has it: what its receiver takes it for stands after `#`. Status
# 2, with `LINE CODE`, for what is no image; 3 for one of another machine. Standard input names the
# files and their rows, one a line; each gets its lines.

# Stops reading with what is wrong here; no later mistake counts.
function stop(code) {
    if (!stopped) {
        print at " " code
        status = code == "other" ? 3 : 2
    }
    stopped = 1
}

function hexadecimal(digits,    value, k) {
    for (k = 1; k <= length(digits); k++)
        value = value * 16 + index("0123456789abcdef", tolower(substr(digits, k, 1))) - 1
    return value
}

function log2(number,    bits) {
    while (2 ^ bits < number) bits++
    return bits + 0
}

# Bit `which` of a word.
function bit(value, which) { return int(value / 2 ^ which) % 2 }

# Returns the number after `name=` in a line of the header.
function field(name,    k, part) {
    for (k = 3; k <= NF; k++) {
        split($k, part, "=")
        if (part[1] == name) break
    }
    if (k > NF || part[2] >= 2 ^ 32) stop("E204")
    return part[2] + 0
}

# The first lane of a block of a level.
function first_lane(level, block) { return int(block * ports / 2 ^ level) }

# The lane that a switch joins `lane` with in a stage, or the lane itself if it passes by; `number`
# is the switch.
function partner(stage, lane,    level, block, low, high, end, i, count) {
    level = stage < levels ? stage : 2 * levels - 2 - stage
    while (first_lane(level, block + 1) <= lane) block++
    low = first_lane(level, block)
    end = first_lane(level, block + 1)
    high = first_lane(level + 1, 2 * block + 1)
    count = high - low < end - high ? high - low : end - high
    if (end - low == 2 && stage >= levels) count = 0
    i = lane < high ? lane - low : lane - high
    number = int(low / 2) + i
    if (i >= count) return lane
    return lane < high ? high + i : low + i
}

function setting(stage, sw) { return bit(table[stage, int(sw / 32)], sw % 32) }

# Is it a power of two from 2 to 2^27, which sizes of memories are?
function is_size(number) { return number >= 2 && number <= 2 ^ 27 && 2 ^ log2(number) == number }

# A header line, `shape` with its numbers, is written with no zeros before them.
function check_line(shape) {
    if (at == lines || $0 !~ "^// " shape "$" || $0 ~ /[=:,]0[0-9]/) stop("E204")
}

function read_machine(    part, packets, flits, rows, width) {
    check_line("machine [^ ]+ width=[0-9]+ packets=[0-9]+ flits=[0-9]+ rows=[0-9]+" \
        "( settings=[a-z]+ tables=[0-9]+ programs=[a-z]+ beats=[0-9]+( order=held)?)?")
    if ($3 !~ /^benes:[0-9]+,pipe=[0-9]+,pad=[0-9]+$/ || / settings=/) stop("other")
    split(substr($3, 7), part, /,[a-z]+=/)
    ports = part[1] + 0
    packets = field("packets")
    flits = field("flits")
    rows = field("rows")
    width = field("width")
    if (!is_size(packets) || !is_size(flits) || !is_size(rows)) stop("E204")
    levels = log2(ports)
    stages = 2 * levels - 1
    if (ports < 2 || ports > 65536 || part[2] > stages || part[3] > 64) stop("E401")
    if (width < 1 || width > 31) stop("E401")
    latency = (part[2] > 0 ? int(stages / part[2]) : 0) + part[3]
    most_rows = rows
    most_flits = flits
    row_bits = log2(rows)
    slot_bits = log2(packets) + log2(flits)
    columns = int((int(ports / 2) + 31) / 32)
    column_bits = log2(columns)
    bank_bits = stages < 2 ? 1 : log2(stages)
    if (levels + slot_bits > 28 || levels + row_bits > 28 ||
        bank_bits + row_bits + column_bits > 28) stop("E401")
}

function read_run(    flits, cycles) {
    check_line("run rows=[0-9]+ flits=[0-9]+ row-cycles=[0-9]+")
    run[8] = field("rows")
    run[9] = flits = field("flits")
    run[10] = cycles = field("row-cycles")
    if (run[8] > most_rows || flits < 1 || flits > most_flits || cycles < 1 || cycles > 65535)
        stop("E205")
    if (cycles < flits + latency && (flits % cycles || latency % cycles)) stop("E205")
}

# Keep a word that is for the row. An address that the machine has not is refused.
function store(where, value,    all, region, rest, node, column) {
    all = where >= 2 ^ 31
    region = int(where / 2 ^ 28) % 8
    rest = where % 2 ^ 28
    if (region == 0) {
        if (all || !(rest in run) || value != run[rest]) stop("E406")
        seen[rest] = 1
    } else if (region == 1) {
        column = rest % 2 ^ column_bits
        rest = int(rest / 2 ^ column_bits)
        if (all || column >= columns || rest >= stages * 2 ^ row_bits) stop("E406")
        if (rest % 2 ^ row_bits == row) table[int(rest / 2 ^ row_bits), column] = value
    } else {
        node = int(rest / 2 ^ (region == 4 ? slot_bits : row_bits))
        if (region > 4 || node >= ports) stop("E406")
        if (region < 4 && rest % 2 ^ row_bits == row)
            for (node = all ? 0 : node; node < ports; node++) {
                program[region, node] = value
                if (!all) break
            }
    }
}

# The slot that a program's word names, and so the packet.
function packet(value) { return bit(value, 31) ? value % 2 ^ 30 + 1 : 0 }

# The settings of the row, and where its packets go.
function print_row(    stage, sw, port, lane, other, text, sent, got) {
    for (stage = 0; stage < stages; stage++) {
        text = ""
        for (sw = 0; sw < int(ports / 2); sw++) text = text setting(stage, sw)
        print "# stage " stage " " text
    }
    for (port = 0; port < ports; port++) {
        if (!(sent = packet(program[2, port]))) continue
        lane = port
        for (stage = 0; stage < stages; stage++) {
            other = partner(stage, lane)
            if (setting(stage, number)) lane = other
        }
        got = packet(program[3, lane])
        print port, lane, sent (got == sent ? "" : got ? "  # the receiver takes it for packet " got \
            : "  # the receiver expects nothing")
    }
}

# The words of a line, up to a comment.
function read_words(    k) {
    for (k = 1; k <= NF && $k !~ /^\/\//; k++) {
        if ($k !~ /^@?[0-9a-fA-F]+$/ || length($k) != 8 + ($k ~ /@/)) stop("E204")
        if (stopped) return
        if ($k ~ /@/) address = hexadecimal(substr($k, 2))
        else { words++; store(address++, hexadecimal($k)) }
    }
}

# Reads the lines up to `// end`, after which there must be no line.
function read_body(    which) {
    for (at = 4; at < lines && line[at] !~ /^\/\/ end [0-9]/; at++) {
        $0 = line[at]
        if (length($0) > 1022) stop("E207")
        if (stopped) return
        read_words()
    }
    $0 = line[at]
    if (at >= lines) stop("E207")
    if ($3 + 0 != words) stop("E207")
    for (which in run) if (!(which in seen)) stop("E406")
    if (++at < lines || line[at] != "") stop("E204")
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

function read_image() {
    at = 1
    if (at == lines || line[at] != "// roundcast-image 1") stop("E203")
    if (stopped) return
    $0 = line[++at]
    read_machine()
    if (stopped) return
    $0 = line[++at]
    read_run()
    if (!stopped) read_body()
}

{
    split("", run); split("", table); split("", program); split("", seen)
    stopped = status = words = address = 0
    row = $2
    read_file($1)
    read_image()
    if (!stopped && row >= run[8]) { print "no row " row; status = 2 }
    else if (!stopped) print_row()
    print "status " status
}
