/* SPDX-License-Identifier: Apache-2.0 */
/* port_words: the order in which routers, and nodes of a hypercube, combine copies of a packet.
 *
 * They keep a copy for each port and combine all that they hold when they send, by a tree whose
 * shape depends on the ports alone (rtl/routers/rc_combine_tree.sv, rtl/shell/rc_node_memory.sv):
 *
 *     router of a tree       a word for each port, numbered as in wiring.h
 *     node of a hypercube    word 0: its own contribution; word j: what arrived over dimension j
 *     leaf of a tree         one word, with which each arrival is combined
 *
 *     branch 1               the root
 *     branch 2, 3            branches 2k and 2k+1 are the inputs of branch k
 *     branch count …         the words 0 … count-1
 *
 * A branch without a word passes the other one on. With words 0, 1, 2 held out of 3:
 * ((1 2) 0).
 */
#ifndef ROUNDCAST_PORT_WORDS_H
#define ROUNDCAST_PORT_WORDS_H

#include "sched/schedule/schedule.h"

/* Number of words that a node, or the router at a node, combines. O(h). */
uint32_t port_words_count(const struct topology *topology, uint32_t node);

/* Returns the word of its receiver in which a transfer is kept: 0 … port_words_count - 1. O(h). */
uint32_t port_words_index(const struct schedule *schedule, size_t transfer);

/* Combines words[count] by the tree above; 0 is a word that is not held, and the result without
 * any. `add` combines a value with another one. Precondition: count ≥ 1. O(count). */
uint64_t port_words_combine(const uint64_t word[], uint32_t count,
                            void (*add)(uint64_t *to, uint64_t part));

#endif
