/* SPDX-License-Identifier: Apache-2.0 */
/* slack: settings that cost the busiest nodes the least slack.
 *
 * The load of a node is the time that it needs alone: its packets, and the price for each of its
 * entries. Its slack is the difference to the load of the busiest node. A setting takes the rounds
 * for which it stays, t, and the price. It reduces the load of a node by
 *
 *     r + price    if the circuit of the node has an entry of r ≤ t packets: the entry is done
 *     t            if it has an entry of r > t packets: the rest is left to later settings
 *     0            if the node has no circuit
 *
 * and the difference to t + price is subtracted from its slack. So the best matching is the one
 * that reduces the load most, where a node has the weight exp(-slack / (reach · (t + price))). The
 * best t is the one after which the makespan is least if no slack is lost later; nodes near the
 * busiest are weighted as above.
 */
#ifndef ROUNDCAST_SLACK_H
#define ROUNDCAST_SLACK_H

#include "sched/decompose/match.h"
#include "sched/decompose/padded.h"

struct slack_rule {
    double reach;       /* how far below the busiest load a node still counts */
    unsigned durations; /* number of values of t that are tried for each setting */
    double shift;       /* their position between the values of the table, from 0 up to 1 */
};

/* Working memory for tables of one size; opaque. */
struct slack;

/* Allocates working memory for settings that cost `price` each. E104. */
struct slack *slack_new(uint32_t nodes, uint64_t price, struct err *err);
void slack_free(struct slack *work);

/* Adds settings that carry table[nodes][nodes], which becomes 0. Ends early, and returns true, when
 * the makespan of the added settings cannot stay below `limit`. E104. O(settings · durations ·
 * nodes³). */
bool slack_settings(struct slack *work, struct slack_rule rule, uint64_t limit, uint32_t table[],
                    struct decomposition *decomposition, struct err *err);

#endif
