/* SPDX-License-Identifier: Apache-2.0 */
/* network_router: settings of any multistage network: one interface to the routers of all kinds.
 *
 *     benes:N, N = 2^k                  benes.h        fast
 *     benes:N, any other N              benes_any.c
 *     waksman:N                         benes_any.c
 *     clos, benes of a radix, N = 2^k   clos.h         fast
 *     clos, benes of a radix            clos.h
 *     omega:N                           omega.h        may reject a round
 *     multicast:N                       multicast.h    an input may reach several outputs
 *     combine:N                         combine.c      several inputs may reach an output
 *     all-reduce:N                      all_reduce.c   several inputs may reach several outputs
 *
 * Circuits are given by the output of each input, to[]; in a network that copies
 * (multistage_copies), by the input of each output, from[]. In a network that does both, by the
 * group of each input and of each output, label[2 · ports]: all outputs of a group get the
 * combination of the words of all its inputs, and its label is its lowest output. Inputs of a group
 * without outputs are idle.
 */
#ifndef ROUNDCAST_NETWORK_ROUTER_H
#define ROUNDCAST_NETWORK_ROUTER_H

#include "sched/base/err.h"
#include "sched/shape/multistage.h"

#include <stdbool.h>
#include <stdint.h>

/* Working memory of network_route; opaque, reused from call to call, one per thread. If a thread of
 * an OpenMP team routes a large round, idle threads of the team route parts of it: halves of a
 * Beneš network of 2^18 ports or more, including a network that is routed in place of crossbars.
 * The settings do not depend on the number of threads. */
struct network_router;

/* Creates a router. E104; E401 for a Clos network that cannot pass all permutations. */
struct network_router *network_router_new(const struct multistage *net, struct err *err);
void network_router_free(struct network_router *router);

/* Sets every switch or crossbar so that the circuits pass, circuit[multistage_circuits]: input i
 * reaches output circuit[i]; in a network that copies, output o gets the word of input circuit[o];
 * in one that also combines, input i has label circuit[i], and output o circuit[ports + o].
 * MULTISTAGE_IDLE ports are free. In a network that combines (multistage_combines), several inputs
 * may have one output. Settings without a circuit are 0 (except in networks that copy or combine),
 * and equal rounds get equal rows.
 *     row[stages][multistage_row_words]
 * Errors: E403 if two inputs want one output or a port is out of range; E408 if an omega network
 * blocks the round. row is then undefined. No allocation. */
bool network_route(struct network_router *router, const uint32_t circuit[], uint32_t *row,
                   struct err *err);

#endif
