/* SPDX-License-Identifier: Apache-2.0 */
/* verify_calls: the rule of the telephone model if a node has k ports.
 *
 * A call occupies a port of both of its nodes and exchanges a packet each way. If u sends a packets
 * to v in a round and v sends b to u, they have max(a, b) calls; a node takes part in at most k
 * calls. */
#ifndef ROUNDCAST_VERIFY_CALLS_H
#define ROUNDCAST_VERIFY_CALLS_H

#include "sched/verify/verifier.h"

/* A transfer of a step, by the lower and the higher of its nodes. */
struct call {
    uint32_t low, high;
    size_t index;
    bool opens; /* it does not answer another transfer of the pair */
};

/* Makes room for the largest step, if the model has calls over several ports. Returns false if
 * there is no memory. */
bool verify_calls_allocate(struct verifier *v);

/* Checks step k. E302, E304, E309. O(t log t) for t transfers. */
void verify_calls_step(struct verifier *v, size_t k);

#endif
