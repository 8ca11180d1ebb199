/* SPDX-License-Identifier: Apache-2.0 */
/* benes: checks a round and chooses a way to route it.
 *
 * At most ports / 12 circuits: the looping algorithm runs on a list of the circuits. Everything
 * else is a memset, so an almost idle round costs little more than writing its rows.
 *
 * More circuits: idle inputs are connected to idle outputs, benes_dense runs the looping algorithm
 * on arrays of all ports (and benes_block on the last 64 lanes), and the switches that no circuit
 * passes are straightened.
 *
 * N = 4, to = 2 0 3 1: the input on each lane before each stage and after the last, and the
 * switches that move it:
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
#include "sched/network/network_kind.h"

#include <stdlib.h>
#include <string.h>

/* --- Few circuits: the looping algorithm on lists of circuits ----------------------------- */

/* The looping algorithm.
 *
 * A network of n = 2h ports consists of h input switches, two networks of h ports ("upper" 0,
 * "lower" 1) and h output switches. The two circuits of a switch must use different halves. So take
 * the circuits as the nodes of a graph, in which two circuits are neighbours if they share an input
 * switch or an output switch: any 2-colouring of this graph assigns the circuits to halves. A
 * circuit has at most one neighbour on each side, so the graph consists of paths and even loops,
 * and a walk colours each of them. N = 8, three circuits 0→3, 4→7, 5→1 (h = 4):
 *
 *     circuit   input switch   output switch   walk                                  half
 *     0→3       0              3               start: straight, so the upper half    0
 *     4→7       0              3               shares output switch 3 with 0→3       1
 *     5→1       1              1               start: straight, so the lower half    1
 *
 * Output switch 3 then gets 0→3 from the upper half at its upper lane: straight. Output switch 1
 * gets 5→1 from the lower half for its upper lane 1: crossed. At the next level the upper half has
 * the circuit 0→3, and the lower half the circuits 0→3 and 1→1, as networks of 4 ports.
 */

/* One circuit through a network: its input port and its output port. */
struct circuit {
    uint32_t port[2];
};

/* Working memory, for up to `most` circuits; `at` is all zero between calls.
 *     circuit[most], later[most], colour[most], at[2][ports / 2] */
struct sparse {
    unsigned log2_ports;
    struct circuit *circuit; /* the circuits to route, ascending by input; reordered */
    struct circuit *later;
    uint8_t *colour;
    uint32_t *at[2];
};

#define UNCOLOURED 2

/* A sub-network: 2^log2_ports ports that begin at lane `base`. */
struct part {
    unsigned log2_ports;
    uint32_t base;
};

static void set_switch(uint32_t *row, unsigned log2_ports, unsigned stage, uint32_t sw)
{
    row[(size_t)stage * benes_row_words(log2_ports) + sw / 32] |= UINT32_C(1) << sw % 32;
}

/* Routes a circuit that is alone in its part: it keeps its lane up to the middle stage, and the
 * stages after it set the bits of the output one by one. */
static void route_alone(unsigned log2_ports, struct part part, struct circuit circuit,
                        uint32_t *row)
{
    uint32_t lane = part.base | circuit.port[0];
    uint32_t differ = circuit.port[0] ^ circuit.port[1];
    while (differ != 0) {
        unsigned bit = (unsigned)__builtin_ctz(differ);
        set_switch(row, log2_ports, log2_ports - 1 + bit, benes_switch(bit, lane));
        lane ^= UINT32_C(1) << bit;
        differ &= differ - 1;
    }
}

/* Colours the path that leaves `node` through its switch on `side`, until the path ends or closes.
 * at[] has, for each switch, the exclusive or of the numbers of its circuits, from 1, so each
 * circuit of a switch finds the other. */
static void colour_path(const struct sparse *work, const struct circuit list[], uint32_t mask,
                        uint32_t node, unsigned side)
{
    for (;;) {
        uint32_t other = work->at[side][list[node].port[side] & mask] ^ (node + 1);
        if (other == 0 || work->colour[other - 1] != UNCOLOURED)
            return;
        work->colour[other - 1] = !work->colour[node];
        node = other - 1;
        side = !side;
    }
}

/* Assigns each circuit to a half. The first circuit of a path or loop passes its input switch
 * straight. */
static void colour_circuits(const struct sparse *work, const struct circuit list[], uint32_t count,
                            uint32_t half)
{
    uint32_t mask = half - 1;
    for (uint32_t node = 0; node < count; node++) {
        work->at[0][list[node].port[0] & mask] ^= node + 1;
        work->at[1][list[node].port[1] & mask] ^= node + 1;
    }
    memset(work->colour, UNCOLOURED, count);
    for (uint32_t node = 0; node < count; node++) {
        if (work->colour[node] != UNCOLOURED)
            continue;
        work->colour[node] = (list[node].port[0] & half) != 0;
        colour_path(work, list, mask, node, 1);
        colour_path(work, list, mask, node, 0);
    }
    for (uint32_t node = 0; node < count; node++) {
        work->at[0][list[node].port[0] & mask] = 0;
        work->at[1][list[node].port[1] & mask] = 0;
    }
}

/* Sets the outer switches, and divides the list: first the circuits of the upper half, then those
 * of the lower half, each in their previous order. Returns the number of circuits in the upper
 * half. */
static uint32_t part_circuits(const struct sparse *work, struct part part, struct circuit list[],
                              uint32_t count, uint32_t *row)
{
    unsigned log2_half = part.log2_ports - 1;
    uint32_t mask = (UINT32_C(1) << log2_half) - 1;
    unsigned stage[2] = {work->log2_ports - part.log2_ports,
                         work->log2_ports + part.log2_ports - 2};
    uint32_t upper = 0, lower = 0;
    for (uint32_t node = 0; node < count; node++) {
        struct circuit inner;
        for (unsigned side = 0; side < 2; side++) {
            uint32_t port = list[node].port[side];
            inner.port[side] = port & mask;
            if (port >> log2_half != work->colour[node])
                set_switch(row, work->log2_ports, stage[side], part.base / 2 + inner.port[side]);
        }
        if (work->colour[node] == 0)
            list[upper++] = inner;
        else
            work->later[lower++] = inner;
    }
    memcpy(list + upper, work->later, lower * sizeof list[0]);
    return upper;
}

static void route_part(const struct sparse *work, struct part part, struct circuit list[],
                       uint32_t count, uint32_t *row)
{
    if (count == 0)
        return;
    if (count == 1) {
        route_alone(work->log2_ports, part, list[0], row);
        return;
    }
    if (part.log2_ports == 1) {
        if (list[0].port[0] != list[0].port[1])
            set_switch(row, work->log2_ports, work->log2_ports - 1, part.base / 2);
        return;
    }
    uint32_t half = UINT32_C(1) << (part.log2_ports - 1);
    colour_circuits(work, list, count, half);
    uint32_t upper = part_circuits(work, part, list, count, row);
    struct part inner = {part.log2_ports - 1, part.base};
    route_part(work, inner, list, upper, row);
    inner.base += half;
    route_part(work, inner, list + upper, count - upper, row);
}

/* Sets the switches that circuit[0 … count-1] need, in rows that are all zero; no other word of
 * `row` is touched. O(count · log ports). */
static void sparse_route(struct sparse *work, uint32_t count, uint32_t *row)
{
    struct part whole = {work->log2_ports, 0};
    route_part(work, whole, work->circuit, count, row);
}

/* --- The router --------------------------------------------------------------------------- */

#define SPARSE 12 /* a round of ports / SPARSE circuits or fewer is routed circuit by circuit */
#define GROUP 16  /* inputs that are tested for being idle together */

struct benes_router {
    unsigned log2_ports;
    void *memory;   /* of all arrays (arena.h) */
    uint64_t *bits; /* [ports / 64]  a bit for each port: inputs that send, or outputs in use */
    struct benes_dense dense;
    struct sparse sparse;
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
    struct sparse *sparse = &router->sparse;
    size_t ports = (size_t)1 << router->log2_ports, most = ports / SPARSE + 1;
    const struct arena_array arrays[] = {
        ARENA(router->bits, benes_row_words(router->log2_ports)),
        ARENA(dense->from, ports + 1), /* one extra entry that idle inputs write to */
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

/* Routes an almost idle round. Most groups of inputs are idle and cost one test. */
static bool route_few(struct benes_router *router, const uint32_t to[], uint32_t *row,
                      struct err *err)
{
    uint32_t ports = UINT32_C(1) << router->log2_ports, group = MIN(ports, GROUP), count = 0;
    struct circuit *circuit = router->sparse.circuit;
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
            circuit[count++] = (struct circuit){{input, output}};
        }
    }
    memset(row, 0,
           benes_stages(router->log2_ports) * benes_row_words(router->log2_ports) * sizeof row[0]);
    sparse_route(&router->sparse, count, row);
    return true;
}

/* Routes a round as a full permutation, then straightens the switches that only idle ports use. */
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
