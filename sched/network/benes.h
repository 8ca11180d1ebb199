/* SPDX-License-Identifier: Apache-2.0 */
/* benes: settings of a Beneš network of 2×2 switches for any partial permutation.
 *
 * benes_topology.h draws the network and numbers its stages, lanes and switches.
 */
#ifndef ROUNDCAST_BENES_H
#define ROUNDCAST_BENES_H

#include "sched/base/err.h"
#include "sched/network/benes_topology.h"
#include "sched/shape/multistage.h"

#include <stdint.h>

/* Working memory of benes_route; opaque, reused from call to call, one per thread. */
struct benes_router;
struct benes_router *benes_router_new(unsigned log2_ports, struct err *err); /* E102, E104 */
void benes_router_free(struct benes_router *router);

/* Set every switch so that input i reaches output to[i]; MULTISTAGE_IDLE inputs are free. Switches
 * that no circuit passes are straight, and equal rounds get equal rows, on every processor and
 * whatever the router did before. In a full round the first input switch of every sub-network of 4
 * ports or more is straight: Waksman (1968) leaves these switches out.
 *     to[ports], row[stages][words]
 * Errors: E403 if two inputs want one output or an output is out of range (row is then undefined).
 * O(ports · log ports), for few circuits O(ports + words of row + circuits · log ports); no
 * allocation. Looping algorithm: Opferman and Tsao-Wu (1971). */
bool benes_route(struct benes_router *router, const uint32_t to[], uint32_t *row, struct err *err);

/* The same for a permutation, told by the input that each output gets.
 *     from[ports] */
void benes_route_full(struct benes_router *router, const uint32_t from[], uint32_t *row);

#endif
