/* SPDX-License-Identifier: Apache-2.0 */
/* traffic_rounds: a round for every packet of a demand, so that no node sends two in a round,
 * and none receives two. As many rounds as the busiest node has packets to send or to receive,
 * which is the fewest possible (König 1916).
 *
 * The packets are the edges of a bipartite multigraph, senders to the left, receivers to the
 * right; a colour is a round. Nodes that together have no more than D packets, the most of a
 * node, become one vertex, whose edges get different rounds all the more. Neighbours in a row of
 * vertices have more than D packets together, hence there is room for at most twice as many
 * edges as packets, and 2D more, however uneven the demand is (the idea: Alon 2003; Cole and
 * Hopcroft 1982).
 *
 * colour.h colours large graphs; it takes time in proportion to packets unless nearly all
 * nodes are as busy as the busiest. If they are, or the graph is small, what vertices lack is
 * filled up by edges that nobody sends, and colour.h colours the regular graph.
 *
 * What all nodes send to the node s further on, for some s, is not coloured: a round of a shift
 * is full, so that the busiest nodes are left with a packet less. Of an all-to-all exchange
 * nothing is left.
 */
#ifndef ROUNDCAST_TRAFFIC_ROUNDS_H
#define ROUNDCAST_TRAFFIC_ROUNDS_H

#include "sched/traffic/traffic.h"

/* Sets *round_of to the round, from 0, of each packet: round_of[traffic->packets], entry by entry.
 * The caller frees it. `degree` is that of traffic_load. E104.
 * O(packets · (log degree + log nodes)) expected. */
bool traffic_rounds(const struct traffic *traffic, uint64_t degree, uint32_t **round_of,
                    struct err *err);

#endif
