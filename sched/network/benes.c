/* SPDX-License-Identifier: Apache-2.0 */
/* benes: checks a round and chooses a way to route it.
 *
 * At most ports / 12 circuits: benes_sparse loops over a list of them. All else is a memset, so an
 * almost idle round costs little more than writing its rows.
 *
 * More circuits: idle inputs are let send to idle outputs, benes_dense loops over arrays of all
 * ports (and benes_block over its last 64), and benes_idle straightens the switches that no circuit
 * passes.
 *
 * N = 4, to = 2 0 3 1; the inputs that stand on each lane, and the switches that move them:
 *
 *     lane    in      stage 0, bit 1      stage 1, bit 0      stage 2, bit 1
 *     0       0       0                   0                   1
 *     1       1       3                   3                   3
 *     2       2       2                   1                   0
 *     3       3       1                   2                   2
 *                     (0,2) straight      (0,1) straight      (0,2) crossed
 *                     (1,3) crossed       (2,3) crossed       (1,3) straight
 *     row             binary 10           binary 10           binary 01
 */
#include "sched/network/benes.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/network/benes_bits.h"
#include "sched/network/benes_dense.h"
#include "sched/network/benes_idle.h"
#include "sched/network/benes_sparse.h"
#include "sched/network/network_kind.h"
#include "sched/network/partial.h"

#include <stdlib.h>
#include <string.h>

#define SPARSE 12 /* a round of ports / SPARSE circuits or fewer is routed circuit by circuit */
#define GROUP 16  /* inputs that are tested for being idle together */

struct benes_router {
    unsigned log2_ports;
    void *memory;   /* of all arrays (arena.h) */
    uint64_t *bits; /* [ports / 64]  a bit per port: live inputs, or outputs in use */
    struct benes_dense dense;
    struct benes_sparse sparse;
};

void benes_router_free(struct benes_router *router)
{
    if (router == NULL)
        return;
    free(router->memory);
    free(router);
}

static bool allocate(struct benes_router *router)
{
    struct benes_dense *dense = &router->dense;
    struct benes_sparse *sparse = &router->sparse;
    size_t ports = (size_t)1 << router->log2_ports, most = ports / SPARSE + 1;
    const struct arena_array arrays[] = {
        ARENA(router->bits, benes_row_words(router->log2_ports)),
        ARENA(dense->from, ports + 1), /* one more, for idle inputs to write to */
        ARENA(dense->next, ports),
        ARENA(dense->upper, ports),
        ARENA(sparse->circuit, most),
        ARENA(sparse->later, most),
        ARENA(sparse->colour, most),
        ARENA(sparse->at[0], ports / 2),
        ARENA(sparse->at[1], ports / 2)};
    router->memory = arena_new(arrays, ARENA_COUNT(arrays));
    return router->memory != NULL;
}

struct benes_router *benes_router_new(unsigned log2_ports, struct err *err)
{
    if (log2_ports < 1 || log2_ports > BENES_MAX_LOG2_PORTS) {
        err_set(err, ERR_RANGE, "benes: 2^%u ports; expected 2^1 … 2^%d", log2_ports,
                BENES_MAX_LOG2_PORTS);
        return NULL;
    }
    struct benes_router *router = calloc(1, sizeof *router);
    if (router != NULL)
        *router =
            (struct benes_router){.log2_ports = log2_ports,
                                  .dense = {.log2_ports = log2_ports, .block = benes_block_best()},
                                  .sparse = {.log2_ports = log2_ports}};
    if (router == NULL || !allocate(router)) {
        benes_router_free(router);
        err_no_memory(err, "a Beneš network of 2^%u ports", log2_ports);
        return NULL;
    }
    return router;
}

static bool all_idle(const uint32_t to[], uint32_t count)
{
    uint32_t all = MULTISTAGE_IDLE;
    for (uint32_t input = 0; input < count; input++)
        all &= to[input];
    return all == MULTISTAGE_IDLE;
}

/* Route a nearly idle round. Most groups of inputs are idle and cost one test. */
static bool route_few(struct benes_router *router, const uint32_t to[], uint32_t *row,
                      struct err *err)
{
    uint32_t ports = UINT32_C(1) << router->log2_ports, group = MIN(ports, GROUP), count = 0;
    struct benes_circuit *circuit = router->sparse.circuit;
    memset(router->bits, 0, benes_row_words(router->log2_ports) * sizeof router->bits[0]);
    for (uint32_t first = 0; first < ports; first += group) {
        if (all_idle(to + first, group))
            continue;
        for (uint32_t input = first; input < first + group; input++) {
            uint32_t output = to[input];
            if (output == MULTISTAGE_IDLE)
                continue;
            uint64_t bit = UINT64_C(1) << output % 64;
            if (router->bits[output / 64] & bit)
                return partial_refuse("benes", to, ports, router->dense.from, err);
            router->bits[output / 64] |= bit;
            circuit[count++] = (struct benes_circuit){{input, output}};
        }
    }
    memset(row, 0,
           benes_stages(router->log2_ports) * benes_row_words(router->log2_ports) * sizeof row[0]);
    benes_sparse_route(&router->sparse, count, row);
    return true;
}

/* Route a round as a full permutation, then take back what only its idle ports needed. */
static bool route_many(struct benes_router *router, const uint32_t to[], uint32_t live,
                       uint32_t *row, struct err *err)
{
    const struct benes_dense *dense = &router->dense;
    uint32_t ports = UINT32_C(1) << router->log2_ports;
    if (partial_invert(to, ports, dense->from) != live)
        return partial_refuse("benes", to, ports, dense->from, err);
    if (live < ports)
        partial_complete(to, ports, dense->next, dense->from);
    benes_dense_route(dense, row);
    if (live < ports) {
        benes_idle_mark(router->log2_ports, to, router->bits);
        benes_idle_straighten(router->log2_ports, router->bits, row);
    }
    return true;
}

bool benes_route(struct benes_router *router, const uint32_t to[], uint32_t *row, struct err *err)
{
    uint32_t ports = UINT32_C(1) << router->log2_ports, live;
    if (!partial_count(to, ports, &live))
        return partial_refuse("benes", to, ports, router->dense.from, err);
    if (live <= ports / SPARSE)
        return route_few(router, to, row, err);
    return route_many(router, to, live, row, err);
}

void benes_route_full(struct benes_router *router, const uint32_t from[], uint32_t *row)
{
    memcpy(router->dense.from, from, sizeof from[0] << router->log2_ports);
    benes_dense_route(&router->dense, row);
}

static struct benes_router *new_of_shape(const struct multistage *net, struct err *err)
{
    return benes_router_new(net->levels, err);
}

NETWORK_KIND(benes, new_of_shape, benes_router_free, benes_route, &network_kind_waksman);
