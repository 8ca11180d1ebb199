/* SPDX-License-Identifier: Apache-2.0 */
/* verify_rules: the rules of each model, and of control packets. */
#ifndef ROUNDCAST_VERIFY_RULES_H
#define ROUNDCAST_VERIFY_RULES_H

#include "sched/verify/verifier.h"

/* Checks step k. */
typedef void (*verify_check)(struct verifier *v, size_t k);

/* The check of each model and walk. Only models on complete graphs have walks of their own. */
extern const verify_check verify_checks[MODEL_COUNT][VERIFIER_WALKS];

/* Number of transfers by which prefetching is ahead of the check. */
#define VERIFY_AHEAD 32

/* Rules of models in which a node has several ports. verify_ports_allocate allocates their state,
 * E104; verify_ports_step checks step k. */
bool verify_ports_allocate(struct verifier *v);
void verify_ports_step(struct verifier *v, size_t k);

/* Rules of trees. verify_tree_allocate allocates their state, E104; verify_tree_step checks step
 * k. */
bool verify_tree_allocate(struct verifier *v);
void verify_tree_step(struct verifier *v, size_t k);

/* Rules of models in which a processor sends over all its links at once. verify_arcs_allocate
 * allocates their state, E104; verify_arcs_step checks step k. */
bool verify_arcs_allocate(struct verifier *v);
void verify_arcs_step(struct verifier *v, size_t k);

/* Rules of control packets. verify_control_allocate allocates their state; verify_control_values
 * checks all values against their origins. E104 in both. O(nodes + parts · log demands). */
bool verify_control_allocate(struct verifier *v);
bool verify_control_values(struct verifier *v);

/* Returns whether a control packet leaves its source with transfer `index` before all parts of its
 * value have arrived. Checks the parts once per packet, so that a packet that leaves too early is
 * counted once. O(parts · log demands), then O(1). */
bool verify_control_early(struct verifier *v, size_t index, uint32_t stamp);
void verify_control_breach(struct verifier *v, size_t index, uint32_t stamp);

static inline bool verify_is_early(struct verifier *v, size_t index, uint32_t stamp)
{
    return v->schedule->transfer[index].packet > v->data && verify_control_early(v, index, stamp);
}

/* -- Calls of several ports -------------------------------------------------------------------- */

/* The rule of the telephone model if a node has k ports.
 *
 * A call occupies a port of both of its nodes and exchanges a packet each way. If u sends a packets
 * to v in a round and v sends b to u, they have max(a, b) calls; a node takes part in at most k
 * calls. */

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
