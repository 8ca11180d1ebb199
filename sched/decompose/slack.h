/* SPDX-License-Identifier: Apache-2.0 */
/* slack: finds settings that cost the busiest nodes the least slack.
 *
 * The load of a node is the time that it would need alone: its packets, plus the price for each of
 * its entries. Its slack is the difference to the load of the busiest node. A setting takes the t
 * rounds for which it stays, and the price. It reduces the load of a node by
 *
 *     r + price    if the circuit of the node has an entry of r ≤ t packets: the entry is done
 *     t            if it has an entry of r > t packets: the rest is left to later settings
 *     0            if the node has no circuit
 *
 * and reduces the slack of the node by the difference to t + price. So the best matching is the one
 * that reduces the load most, where a node has the weight exp(-slack / (reach · (t + price))). The
 * best t is the one with the least makespan if no slack is lost after this setting; nodes near the
 * busiest one are weighted as above.
 */
#ifndef ROUNDCAST_SLACK_H
#define ROUNDCAST_SLACK_H

#include "sched/decompose/match.h"

struct slack_rule {
    /* the difference below the busiest load up to which nodes count, as a multiple of t + price */
    double reach;
    unsigned durations; /* number of values of t that are tried for each setting */
    double shift;       /* their position between the values of the table, from 0 up to 1 */
};

/* Working memory for tables of one size; opaque. */
struct slack;

/* Allocates working memory for settings that cost `price` each. E104. */
struct slack *slack_new(uint32_t nodes, uint64_t price, struct err *err);
void slack_free(struct slack *work);

/* Adds settings that carry all packets of table[nodes][nodes], which becomes 0. Ends early, and
 * returns true with a table that is not 0, when the makespan of the added settings cannot stay
 * below `limit`. E104. O(settings · durations · nodes³). */
bool slack_settings(struct slack *work, struct slack_rule rule, uint64_t limit, uint32_t table[],
                    struct decomposition *decomposition, struct err *err);

#endif
