/* SPDX-License-Identifier: Apache-2.0 */
/* slack: settings that cost the busiest nodes the least slack.
 *
 * A node's load is what it alone would need: its packets, and the price for each of its entries.
 * What it has less than the busiest one is its slack. A setting takes the rounds it is held, t, and
 * the price; from the load of a node it takes, by the circuit that the node has,
 *
 *     an entry of r ≤ t packets     r + price    the entry is done
 *     an entry of r > t packets     t            the rest is left to later settings
 *     none                          0
 *
 * and the difference is lost of its slack. So the best matching is the one that takes the most,
 * where nodes count by exp(-slack / (reach · (t + price))); and the best t is the one after which
 * the makespan, if no slack were lost from then on, is the least, nodes that are near the busiest
 * counting as above.
 */
#ifndef ROUNDCAST_SLACK_H
#define ROUNDCAST_SLACK_H

#include "sched/decompose/match.h"
#include "sched/decompose/padded.h"

struct slack_rule {
    double reach;       /* how far below the busiest a node counts */
    unsigned durations; /* how many values of t are tried for each setting */
    double shift;       /* where they lie between those of the table, from 0 up to 1 */
};

/* Working memory for tables of one size; opaque. */
struct slack;

/* E104. */
struct slack *slack_new(uint32_t nodes, struct err *err);
void slack_free(struct slack *work);

/* Add settings that carry table[nodes][nodes], which becomes 0. Ends early, and returns true, when
 * the makespan of what was added cannot stay below `limit`. O(settings · durations · nodes³).
 * E104. */
bool slack_settings(struct slack *work, uint32_t nodes, uint64_t price, struct slack_rule rule,
                    uint64_t limit, uint32_t table[], struct decomposition *decomposition,
                    struct err *err);

#endif
