/* SPDX-License-Identifier: Apache-2.0 */
/* cube_sources: the nodes that have packets, ascending, a node once for each of its packets. */
#ifndef ROUNDCAST_CUBE_SOURCES_H
#define ROUNDCAST_CUBE_SOURCES_H

#include "sched/base/err.h"

/* Parses `5,0,5`: node numbers below `nodes` in any order. *sources[*count] is freed by the caller.
 * E101 if it is no such list, E102 for an unknown node, E104. */
bool cube_sources_parse(const char *text, uint32_t nodes, uint32_t **sources, uint32_t *count,
                        struct err *err);

/* Draws `count` different nodes below `nodes` from a seed. E102 if count > nodes, E104.
 * O(nodes). */
bool cube_sources_random(uint32_t nodes, uint32_t count, uint64_t seed, uint32_t **sources,
                         struct err *err);

/* Lists the sources that an adversary of cube-unbalanced chooses: the `count` highest nodes. Their
 * trees reach node 0 over one arc, that of the highest dimension, which carries a packet in a slot:
 * `count` slots at least. E102 if count is 0 or more than half the nodes, E104. O(count).
 *
 * Stamoulis and Tsitsiklis, section 3.1, whose argument finds (2^d - 1)/d such nodes for any trees.
 */
bool cube_sources_adversary(uint32_t nodes, uint32_t count, uint32_t **sources, struct err *err);

#endif
