/* SPDX-License-Identifier: Apache-2.0 */
/* partial_values: values of the partial results of combined packets, while the steps of a schedule
 * are followed.
 *
 * A node has two values of a packet: that of all that it has, and that of what it has received. The
 * caller defines what a value is: a number of contributions, or the hash of a tree (certificate.h).
 * 0 is the value of nothing. A receiver adds what arrives to its values at once, or it keeps what
 * arrives at each port and adds the words when it sends, in the order of port_words.h.
 */
#ifndef ROUNDCAST_PARTIAL_VALUES_H
#define ROUNDCAST_PARTIAL_VALUES_H

#include "sched/schedule/schedule.h"

struct partial_values {
    const struct schedule *schedule; /* owned by the caller */
    void (*add)(uint64_t *to, uint64_t part);
    bool by_port;
    void *memory;       /* of the arrays (arena.h) */
    size_t *first;      /* [nodes and routers + 1]: the first word of each, of a packet */
    uint64_t *word;     /* [packets · words]: values with the node's own contribution */
    uint64_t *received; /* [packets · nodes and routers]: without it; 0 by port */
    uint64_t *sent;     /* [transfers] */
    size_t step;        /* the next step whose senders are read */
};

/* Begins before the first step: a node at which packets start has leaf(node) of each. Precondition
 * of by_port: no node sends or wants what it has received without its own contribution. Returns
 * false without memory. Free it with partial_values_free, also then. O(packets · words). */
bool partial_values_new(struct partial_values *values, const struct schedule *schedule,
                        bool by_port, uint64_t (*leaf)(uint32_t node),
                        void (*add)(uint64_t *to, uint64_t part));
void partial_values_free(struct partial_values *values);

/* Reads the values that senders have, in all steps that begin before the packets of `step` arrive.
 * Steps ascend from call to call. O(transfers · words of a sender) in all calls together. */
void partial_values_send(struct partial_values *values, size_t step);

/* Adds the value that a transfer carries to those of its receiver, or replaces them. */
void partial_values_receive(struct partial_values *values, size_t transfer);

/* Adds a value to both of a node; by port to its first word. */
void partial_values_add(struct partial_values *values, uint32_t node, uint32_t packet,
                        uint64_t part);

/* Returns the value of the result of a packet at a node. */
uint64_t partial_values_result(const struct partial_values *values, const struct demand *demand,
                               uint32_t node, uint32_t packet);

#endif
