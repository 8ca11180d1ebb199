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

/* -- Urgency ----------------------------------------------------------------------------------- */

/* The priority of sending a packet now, for the list scheduler (list.h). */

struct urgency {
    const struct needs *needs;
    int64_t *packet;   /* packet[packets]: by spread and sender; 0: no node wants it */
    int64_t *receiver; /* receiver[nodes] */
    uint64_t least;    /* lower bound on the remaining rounds */
    uint32_t *alone; /* alone[nodes][URGENCY_SPREADS]: packets that only this node has, by spread */
    uint64_t *source; /* source[nodes]: rounds that the node needs for them */
    void *memory;
};

#define URGENCY_SPREADS 25 /* ⌈log2(SCHEDULE_MAX_NODES)⌉ + 1 */

/* Upper bound of an urgency. */
#define URGENCY_MOST (INT64_C(1) << 34)

/* Allocates the counts for `needs`, which must outlive them. E104. Free with urgency_free. */
bool urgency_new(const struct needs *needs, struct urgency *urgency, struct err *err);
void urgency_free(struct urgency *urgency);

/* Recomputes the urgency of the packets in needs->look. O(packets in look + bundles + nodes). */
void urgency_count(struct urgency *urgency, struct list_rule rule, struct rng *rng);

/* -- Pairs ------------------------------------------------------------------------------------- */

/* Chooses the transfers between nodes at one time by their urgency. */

/* Maximum number of nodes for matchings; above it, packets are chosen in order of urgency. */
#define PAIRS_MATCHED 128

/* Working memory for a set of demands; opaque. */
struct pairs;

/* Allocates working memory. Returns NULL with E104. */
struct pairs *pairs_new(const struct urgency *urgency, enum model model, struct err *err);
void pairs_free(struct pairs *pairs);

/* Chooses packets, counted from 0, for nodes that are free to send and nodes that are free to
 * receive, by the model. The urgency of a packet for a helper is divided by `help`. Writes
 * to[nodes] and, unless it is PAIRS_NONE, packet[nodes] for each sender. The contents of sends[]
 * and receives[] may be overwritten. O(nodes³ + Σ senders · receivers of a packet), or for many
 * nodes O(Σ wanted). */
#define PAIRS_NONE UINT32_MAX
void pairs_choose(struct pairs *pairs, unsigned help, bool sends[], bool receives[], uint32_t to[],
                  uint32_t packet[]);

/* Returns whether pairs_choose uses matchings. */
bool pairs_matched(const struct pairs *pairs);

#endif
