/* SPDX-License-Identifier: Apache-2.0 */
/* clos: 2×2 switches in place of crossbars.
 *
 * The first j stages of a Beneš network of 2×2 switches pair lanes that differ in one of the j
 * highest bits. So lanes whose other bits are equal, which are those of a crossbar of 2^j inputs,
 * stay among themselves, and behind these stages each of 2^j networks has one of them, as behind
 * the crossbar; the last j stages do the same the other way round. So the switches are routed
 * (benes_dense.h), and every crossbar does what the switches of its lanes do together
 * (clos_planes.h); those of the middle stage do what networks of as many ports would have to do,
 * which are not routed. clos:4,4,2 is a Beneš network of 8 ports, with the permutation of
 * benes_dense.c, to = 3 7 4 0 2 6 1 5; crossbars of the outer stages have the lanes 0 2 4 6 and 1 3
 * 5 7:
 *
 *     switches of lanes     0 4   1 5   2 6   3 7       straight, crossed, straight, crossed
 *                           0 2   1 3   4 6   5 7       straight
 *     lanes                 0   1   2   3   4   5   6   7
 *     so they have input    0   5   2   7   4   1   6   3
 *     field of stage 0      1   3   2   4   3   1   4   2       inputs of the crossbar, from 1
 *
 *     outputs               3   6   4   5   2   7   1   0
 *     field of stage 1      2   1   1   2   1   2   2   1       output 6 is in crossbar 0, 3 in 1
 *     field of stage 2      4   4   3   1   2   2   1   3       output 3 gets what comes from
 *                                                               middle crossbar 0
 */
#include "sched/network/clos.h"

#include "sched/base/arena.h"
#include "sched/network/benes_dense.h"
#include "sched/network/benes_idle.h"
#include "sched/network/benes_topology.h"
#include "sched/network/clos_any.h"
#include "sched/network/clos_planes.h"
#include "sched/network/network_kind.h"
#include "sched/network/partial.h"

#include <stdlib.h>
#include <string.h>

struct clos_router {
    struct multistage net;
    unsigned log2_radix;
    void *memory;       /* of all arrays (arena.h) */
    uint32_t *switches; /* [stages][words] of the 2×2 switches; those of the middle are not used */
    struct benes_dense dense;
    struct clos_planes planes;
    uint64_t *live[2];              /* [words]  of clos_planes_number, on the way in and back */
    struct clos_fields first, last; /* of outer stages; of those of the last stage */
};

void clos_router_free(struct clos_router *router)
{
    if (router == NULL)
        return;
    free(router->memory);
    free(router);
}

static bool allocate(struct clos_router *router)
{
    struct benes_dense *dense = &router->dense;
    struct clos_planes *planes = &router->planes;
    size_t ports = router->net.ports, words = benes_row_words(dense->log2_ports);
    const struct arena_array arrays[] = {
        ARENA(router->switches, benes_stages(dense->log2_ports) * words),
        ARENA(dense->from, ports + 1),
        ARENA(dense->next, ports),
        ARENA(dense->upper, ports),
        ARENA(router->live[0], words),
        ARENA(router->live[1], words),
        ARENA(planes->plane, (words + 1) * planes->count)};
    router->memory = arena_new(arrays, ARENA_COUNT(arrays));
    return router->memory != NULL;
}

struct clos_router *clos_router_new(const struct multistage *net, struct err *err)
{
    if (!clos_any_passes(net, err))
        return NULL;
    unsigned log2_ports = bits_log2_up(net->ports), log2_radix = bits_log2_up(net->radix);
    struct clos_router *router = calloc(1, sizeof *router);
    if (router != NULL)
        *router = (struct clos_router){
            .net = *net,
            .log2_radix = log2_radix,
            .dense = {.log2_ports = log2_ports,
                      .log2_inner = log2_ports - (net->levels - 1) * log2_radix,
                      .block = benes_block_best()},
            .planes = {.log2_ports = log2_ports, .count = log2_radix + 1},
            .first = clos_fields_of(multistage_field_bits(net, 0)),
            .last = clos_fields_of(multistage_field_bits(net, net->stages - 1))};
    if (router == NULL || !allocate(router)) {
        clos_router_free(router);
        err_no_memory(err, "a Clos network of %u ports", net->ports);
        return NULL;
    }
    return router;
}

/* An outer stage is log2_radix stages of switches, the first of which pair lanes that differ in the
 * highest bit of a crossbar's input on the way in, and in the lowest on the way back. */
static void set_outer(const struct clos_router *router, unsigned stage, uint32_t setting[])
{
    unsigned log2_ports = router->dense.log2_ports, log2_radix = router->log2_radix;
    unsigned level = multistage_level(&router->net, stage);
    unsigned bit = log2_ports - (level + 1) * log2_radix;
    bool joins = multistage_joins(&router->net, stage);
    unsigned begin = joins ? log2_ports - 1 + bit : level * log2_radix;
    clos_planes_number(&router->planes, bit, router->live[joins]);
    for (unsigned each = begin; each < begin + log2_radix; each++)
        clos_planes_carry(&router->planes, benes_bit(log2_ports, each),
                          router->switches + (size_t)each * benes_row_words(log2_ports));
    bool last = stage + 1 == multistage_stages(&router->net);
    clos_planes_put(&router->planes, last ? &router->last : &router->first, setting);
    clos_planes_live(&router->planes, router->live[joins]);
}

/* In place of an inner network is a crossbar that does what was left to it. */
static void set_middle(const struct clos_router *router, uint32_t setting[])
{
    const struct benes_dense *dense = &router->dense;
    const uint64_t *in = router->live[0];
    uint64_t *back = router->live[1];
    uint32_t mask = (UINT32_C(1) << dense->log2_inner) - 1, ports = router->net.ports;
    unsigned bits = multistage_field_bits(&router->net, router->net.levels - 1);
    memset(back, 0, benes_row_words(dense->log2_ports) * sizeof back[0]);
    for (uint32_t lane = 0; lane < ports; setting++)
        for (unsigned shift = 0; shift + bits <= 32 && lane < ports; shift += bits, lane++) {
            uint32_t input = dense->from[lane];
            uint64_t live = in[input / 64] >> input % 64 & 1;
            *setting |= ((input & mask) + 1) * (uint32_t)live << shift;
            back[lane / 64] |= live << lane % 64;
        }
}

bool clos_route(struct clos_router *router, const uint32_t to[], uint32_t *row, struct err *err)
{
    const struct benes_dense *dense = &router->dense;
    uint32_t words = multistage_row_words(&router->net), live;
    unsigned stages = multistage_stages(&router->net);
    if (!partial_permutation("clos", to, router->net.ports, dense->next, dense->from, &live, err))
        return false;
    memset(row, 0, (size_t)stages * words * sizeof row[0]);
    benes_idle_mark(dense->log2_ports, to, router->live[0]);
    benes_dense_route(dense, router->switches);
    for (unsigned stage = 0; stage < stages; stage++, row += words)
        if (stage + 1 == router->net.levels)
            set_middle(router, row);
        else
            set_outer(router, stage, row);
    return true;
}

NETWORK_KIND(clos, clos_router_new, clos_router_free, clos_route, &network_kind_clos_any);
