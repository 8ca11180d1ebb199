/* SPDX-License-Identifier: Apache-2.0 */
/* ranges: broadcasts by range splitting, which endpoints perform without a table of their sends.
 *
 * The holder of the packets serves a range of nodes, itself … last. It keeps the first part of its
 * range and sends all packets, with the rest of the range, to the first node of the rest; then it
 * splits the part that it kept, until it serves only itself. How many nodes it keeps depends only
 * on the number of nodes of the range. n = 5, λ = 2, one packet:
 *
 *     time     node 0 serves     keeps     sends to     which serves
 *     0        0 … 4             3         3            3 … 4
 *     1        0 … 2             2         2            2
 *     2        0 … 1             1         1            1           node 3 sends to 4
 *
 * Bar-Noy and Kipnis describe BCAST (section 3) and PIPELINE (section 4.2) in this way.
 */
#ifndef ROUNDCAST_RANGES_H
#define ROUNDCAST_RANGES_H

#include "sched/schedule/schedule.h"

/* A word of the table of splits. It applies to ranges of up to `others` nodes after the holder, and
 * more than those of the word before it. */
struct ranges_split {
    uint32_t others;
    bool gives;     /* `nodes` are given to the receiver; else they are kept by the holder */
    uint32_t nodes; /* 1 or more */
};

struct ranges {
    uint32_t nodes, packets;
    uint32_t *last; /* last[nodes]: the last node of the range that each node receives; owned */
    uint32_t split_count;
    struct ranges_split *split; /* ascending by `others`; owned */
};

/* Finds the ranges and the splits of a schedule, and checks that endpoints that follow them send
 * every packet when the schedule does: a node begins when it has the first packet, and sends packet
 * after packet without a pause. E409 for the first node or transfer that differs, and for a
 * schedule that is not a broadcast from node 0 on a complete graph with one port; E104.
 * Precondition: the schedule is legal (verify). Free it with ranges_free. O(transfers + nodes · log
 * nodes). */
bool ranges_find(const struct schedule *schedule, struct ranges *ranges, struct err *err);
void ranges_free(struct ranges *ranges);

/* Returns how many nodes after the holder the split of a range of `others` > 0 nodes after the
 * holder keeps, plus 1: the receiver is that many nodes after the holder. The result is 1 … others
 * for any table; without a word for the range the receiver is its last node. If words are not
 * ascending, the results of all that apply are ORed, as in rtl/shell/rc_range_table.sv. O(count).
 */
uint32_t ranges_receiver(const struct ranges_split split[], uint32_t count, uint32_t others);

#endif
