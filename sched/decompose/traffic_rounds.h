/* SPDX-License-Identifier: Apache-2.0 */
/* traffic_rounds: assigns a round to every packet of a demand, so that no node sends or receives
 * two packets in a round. The number of rounds is the number of packets that the busiest node sends
 * or receives, which is the fewest possible (König 1916).
 *
 * The packets are the edges of a bipartite multigraph from senders to receivers; a colour is a
 * round. Nodes that together have at most D packets, the maximum of a node, share a vertex: the
 * edges of a vertex get different rounds, so the edges of each of its nodes do, too. Two
 * consecutive vertices have more than D packets together; hence the graph has room for at most
 * twice as many edges as packets, plus 2D, however uneven the demand is (the idea: Alon 2003; Cole
 * and Hopcroft 1982).
 *
 * colour.h colours large graphs in time proportional to the packets unless nearly all nodes are as
 * busy as the busiest. In that case, or if the graph is small, vertices are padded with edges that
 * are not sent, and colour.h colours the regular graph.
 *
 * Packets that all nodes v send to node v + s, for some s, are not coloured: such a shift fills a
 * round, so the remaining packets of the busiest nodes are one fewer. An all-to-all exchange
 * consists of shifts only.
 */
#ifndef ROUNDCAST_TRAFFIC_ROUNDS_H
#define ROUNDCAST_TRAFFIC_ROUNDS_H

#include "sched/traffic/traffic.h"

/* Sets *round_of to the round, from 0, of each packet: round_of[traffic->packets], entry by entry.
 * The caller frees it. `degree` is that of traffic_load. E104. O(packets · (log degree + log
 * nodes)) expected. */
bool traffic_rounds(const struct traffic *traffic, uint64_t degree, uint32_t **round_of,
                    struct err *err);

#endif
