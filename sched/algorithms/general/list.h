/* SPDX-License-Identifier: Apache-2.0 */
/* list: list schedules of any demands on a complete graph, time by time.
 *
 * Whenever nodes are free, packets are chosen for them, the most urgent first. Urgency is measured
 * in rounds that remain at least:
 *
 *     of a receiver    the packets that it wants
 *     of a sender      the packets that no other node has, and the spread of the last of them
 *     of a packet      its spread: ⌈log2(nodes that have or want it / nodes that have it)⌉
 *
 * The most urgent counts in full; a packet or receiver that could wait one round longer counts half
 * as much, and so on.
 */
#ifndef ROUNDCAST_LIST_H
#define ROUNDCAST_LIST_H

#include "sched/algorithms/general/needs.h"
#include "sched/base/rng.h"

struct list_rule {
    unsigned receive, send, spread; /* weights of the three, 0 … 255 */
    unsigned noise;                 /* maximum random addition; 256 equals a weight of 1 */
    unsigned help;                  /* divisor of the urgency of packets for a helper */
};

struct list_send {
    uint64_t time; /* as in a schedule: the round, from 1, or the tick, from 0 */
    struct transfer transfer;
};

/* Above this number of packets, those with the same source and receivers are bundled (needs.h), so
 * that the time does not grow with the square of the number. */
#define LIST_MANY 16384

/* Working memory for a set of demands; opaque. */
struct list;

/* Allocates working memory for demands without control packets, which must outlive it. With `help`,
 * up to PAIRS_MATCHED nodes receive packets that they do not want if they have nothing better to
 * do; such sends are kept if they lead to a receiver. E104. */
struct list *list_new(const struct schedule *demands, bool help, struct err *err);
void list_free(struct list *list);

/* Finds a schedule that ends before `limit`. Returns its end, or UINT64_MAX if it would not end
 * before the limit. list_sends returns the *count sends, which are valid until the next call.
 * O(times · (nodes³ + Σ wanted)) for up to PAIRS_MATCHED nodes, else O(times · Σ wanted). */
uint64_t list_find(struct list *list, struct list_rule rule, struct rng *rng, uint64_t limit);
const struct list_send *list_sends(const struct list *list, size_t *count);

/* Returns an upper estimate of the processor steps of a call of list_find. It limits the number of
 * rules that are drawn. */
uint64_t list_work(const struct list *list);

/* Returns an estimate of the maximum time of a call of list_find in ns, from the demands alone, so
 * that it is the same on every machine. Measured on demands of 20 … 1000 nodes. */
uint64_t list_nanoseconds(const struct list *list);

#endif
