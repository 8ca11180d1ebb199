/* SPDX-License-Identifier: Apache-2.0 */
/* list: a schedule of any demands on a complete graph, time by time.
 *
 * Whenever nodes are free, packets are chosen for them, the most urgent first. Urgency is counted
 * in rounds that at least remain:
 *
 *     of a receiver    the packets that it wants
 *     of a sender      the packets that no other node has, and the spread of the last of them
 *     of a packet      its spread: ⌈log2(nodes that have or want it / nodes that have it)⌉
 *
 * The most urgent counts in full; what could wait for one round longer counts half as much, and so
 * on.
 */
#ifndef ROUNDCAST_LIST_H
#define ROUNDCAST_LIST_H

#include "sched/algorithms/general/needs.h"
#include "sched/base/rng.h"

struct list_rule {
    unsigned receive, send, spread; /* what the three count, 0 … 255 */
    unsigned noise;                 /* up to so much is added at random; 256 is a count of 1 */
    unsigned help;                  /* divisor of the urgency of packets for a helper */
};

struct list_send {
    uint64_t time; /* as in a schedule: the round, from 1, or the tick, from 0 */
    struct transfer transfer;
};

/* Above this number, packets with the same source and receivers are bundled (needs.h), so that the
 * time does not grow with their square. */
#define LIST_MANY 16384

/* Working memory for a set of demands; opaque. */
struct list;

/* For demands without control, which must stay. With `help`, nodes get what they do not want if
 * they have nothing better to do, and it stays if they pass it on; for up to PAIRS_MATCHED nodes.
 * E104. */
struct list *list_new(const struct schedule *demands, bool help, struct err *err);
void list_free(struct list *list);

/* Finds a schedule that ends before `limit`. The sends, list_count of them, are at list_sends until
 * the next call; returns the end, or UINT64_MAX if it would not be before the limit. O(times ·
 * (nodes³ + Σ wanted)) for up to LIST_MATCHED nodes, else O(times · Σ wanted). */
uint64_t list_find(struct list *list, struct list_rule rule, struct rng *rng, uint64_t limit);
const struct list_send *list_sends(const struct list *list, size_t *count);

/* About how many steps of a processor a call takes, at most: it sets how many rules are drawn. */
uint64_t list_work(const struct list *list);

/* Estimates the maximum time of a call from the demands alone, so that it is the same on every
 * machine: measured on demands of 20 … 1000 nodes. */
uint64_t list_nanoseconds(const struct list *list);

#endif
