/* SPDX-License-Identifier: Apache-2.0 */
/* cube_sources: the nodes that have packets, ascending; a node is listed once for each of its
 * packets. */
#ifndef ROUNDCAST_CUBE_SOURCES_H
#define ROUNDCAST_CUBE_SOURCES_H

#include "sched/base/err.h"
#include "sched/schedule/collective.h"

/* Parses node numbers below `nodes` in any order, such as `5,0,5`, and sorts them. The caller frees
 * *sources[*count]. E101 if the text is not such a list, E102 for an unknown node, E104. */
bool cube_sources_parse(const char *text, uint32_t nodes, uint32_t **sources, uint32_t *count,
                        struct err *err);

/* Draws `count` different nodes below `nodes` from a seed. E102 if count > nodes, E104.
 * O(nodes). */
bool cube_sources_random(uint32_t nodes, uint32_t count, uint64_t seed, uint32_t **sources,
                         struct err *err);

/* Lists the sources that an adversary of cube-unbalanced chooses: the `count` highest nodes. Their
 * trees reach node 0 over a single arc, that of the highest dimension, which carries one packet in
 * a round: at least `count` rounds. E102 if count is 0 or more than half the nodes, E104. O(count).
 *
 * Stamoulis and Tsitsiklis, section 3.1, whose argument finds (2^d - 1)/d such nodes for any trees.
 */
bool cube_sources_adversary(uint32_t nodes, uint32_t count, uint32_t **sources, struct err *err);

/* -- Preconditions ----------------------------------------------------------------------------- */

/* Preconditions shared by the algorithms of hypercubes. */

/* Checks that there are as many processors as the hypercube has nodes. E103. Precondition of all
 * functions: a hypercube. */
bool cube_accepts(const struct collective *collective, struct err *err);

/* Performs the check of cube_accepts, and checks that no source is given, because every packet has
 * a source of its own. E103. */
bool cube_accepts_no_source(const char *name, const struct collective *collective, struct err *err);

/* Checks that there are `least` … `most` packets. E103 with the legal range. */
bool cube_accepts_packets(const char *name, const struct collective *collective, uint32_t least,
                          uint32_t most, struct err *err);

#endif
