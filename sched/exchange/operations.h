/* SPDX-License-Identifier: Apache-2.0 */
/* operations: a schedule as each node sees it: what it sends and receives, in order of time.
 *
 *     round 1   0 → 1            node 0   sends 0, sends 1
 *     round 2   0 → 2, 1 → 3     node 1   receives 0, sends 2      transfer 2 needs receipt 0
 */
#ifndef ROUNDCAST_OPERATIONS_H
#define ROUNDCAST_OPERATIONS_H

#include "sched/schedule/schedule.h"

#define OPERATIONS_NONE SIZE_MAX

struct operations {
    /* [nodes + 1]: those of a node are first[node] … first[node + 1] - 1 */
    size_t *first;
    /* [2 · transfers]: a transfer's index, doubled; one more where the node receives. Ascending
     * for each node. */
    size_t *operation;
    /* [transfers]: the transfer that brought the packet to its sender; OPERATIONS_NONE where the
     * packet starts */
    size_t *needs;
    void *memory; /* of all three */
};

/* The operations of a schedule in which nobody sends what it does not have. E104. O(transfers +
 * nodes + packets). Free it with operations_free. */
bool operations_new(const struct schedule *schedule, struct operations *operations,
                    struct err *err);

void operations_free(struct operations *operations);

/* Does a node want the packets of a demand? O(log wanted). */
bool demand_wants(const struct demand *demand, uint32_t node);

/* The buffer in which a node has a packet, as plans for GPUs call it: 'i' where it starts, 'o'
 * where it is wanted, 's' where it is only passed on. O(log demands + log wanted). */
char operations_buffer(const struct schedule *schedule, uint32_t node, uint32_t packet);

/* Does a node pass on what it does not want? O(its operations · log demands). */
bool operations_pass_on(const struct schedule *schedule, const struct operations *operations,
                        uint32_t node);

#endif
