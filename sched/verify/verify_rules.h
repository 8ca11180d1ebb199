/* SPDX-License-Identifier: Apache-2.0 */
/* verify_rules: the rules of each model, and of control packets. */
#ifndef ROUNDCAST_VERIFY_RULES_H
#define ROUNDCAST_VERIFY_RULES_H

#include "sched/verify/verifier.h"

/* Checks step k. */
typedef void (*verify_check)(struct verifier *v, size_t k);

/* The check of each model and walk. Only models on complete graphs have walks of their own. */
extern const verify_check verify_checks[MODEL_COUNT][VERIFIER_WALKS];

/* Number of transfers by which memory is fetched ahead of the check. */
#define VERIFY_AHEAD 32

/* Rules of models in which a node has several ports: check step k. E104 in
 * verify_ports_allocate. */
bool verify_ports_allocate(struct verifier *v);
void verify_ports_step(struct verifier *v, size_t k);

/* Rules of trees: check step k. E104 in verify_tree_allocate. */
bool verify_tree_allocate(struct verifier *v);
void verify_tree_step(struct verifier *v, size_t k);

/* Rules of models in which a processor sends over all its links at once: check step k. E104 in
 * verify_arcs_allocate. */
bool verify_arcs_allocate(struct verifier *v);
void verify_arcs_step(struct verifier *v, size_t k);

/* Rules of control packets: check all values against what they are made of. E104 in both. O(nodes +
 * parts · log demands). */
bool verify_control_allocate(struct verifier *v);
bool verify_control_values(struct verifier *v);

/* Reports whether a control packet leaves its source with transfer `index` before all parts of its
 * value are there. It looks at the parts once: a packet that leaves too early is counted once.
 * O(parts · log demands), then O(1). */
bool verify_control_early(struct verifier *v, size_t index, uint32_t stamp);
void verify_control_breach(struct verifier *v, size_t index, uint32_t stamp);

static inline bool verify_is_early(struct verifier *v, size_t index, uint32_t stamp)
{
    return v->schedule->transfer[index].packet > v->data && verify_control_early(v, index, stamp);
}

#endif
