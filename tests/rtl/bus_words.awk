# SPDX-License-Identifier: Apache-2.0
# bus_words: the words in which a host reads the packets of a payload that all nodes hold
# (docs/machine.md): a line for each part of each flit.
#
#     od -An -v -w1 -tu1 PAYLOAD | awk -v width=33 -v nodes=8 -v packets=3 -v flits=2 -v parts=2 \
#         -f bus_words.awk
#
# `parts` is the number of parts that are read of a flit; those that it does not have read as 0.

{ byte[count++] = $1 }

# Returns `bits` bits of a packet from bit `at` on, the lowest first.
function field(packet, at, bits,    k, value, where) {
    for (k = bits - 1; k >= 0; k--) {
        where = int((at + k) / 8)
        value = 2 * value
        if (where < bytes) value += int(byte[packet * bytes + where] / 2 ^ ((at + k) % 8)) % 2
    }
    return value + 0
}

function put_part(packet, at, part,    bits, low, high) {
    bits = part < last ? 32 : part == last ? width % 32 : 0
    low = field(packet, at, bits < 16 ? bits : 16)
    high = field(packet, at + 16, bits < 16 ? 0 : bits - 16)
    if (part == last) high += 32768  # the held bit
    printf "word %04x%04x\n", high, low
}

END {
    bytes = int(flits * width / 8)
    last = int(width / 32)
    for (node = 0; node < nodes; node++)
        for (packet = 0; packet < packets; packet++)
            for (flit = 0; flit < flits; flit++)
                for (part = 0; part < parts; part++)
                    put_part(packet, flit * width + 32 * part, part)
}
