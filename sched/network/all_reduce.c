/* SPDX-License-Identifier: Apache-2.0 */
/* all_reduce: settings of a network that combines, then copies: the words of any set of inputs, to
 * any set of outputs.
 *
 * A group is a set of inputs and the set of outputs that get the combination of their words. Group
 * g, counted from 0, is combined as by a network that combines whose output at position g gets it,
 * and copied as by a multicast network whose input at position g sends it (multicast.c explains
 * positions). At the positions 0, 1, … in order the words are concentrated already. So the stages
 * of the former that spread the results from there, and those of the latter that concentrate them,
 * move no word; the network does without them.
 *
 *     combine:N     2K-1 stages permute   K-1 combine   K-1 spread
 *     multicast:N                                       K-1 concentrate   K-1 copy   2K-1 permute
 *     all-reduce:N  2K-1 permute   K-1 combine   K-1 copy   2K-1 permute, and one stage each of
 *                   the last level, to combine and to copy
 */
#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/network/network_kind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct all_reduce_router {
    struct multistage net;
    void *combine, *multicast; /* routers of these kinds */
    void *memory;              /* of the arrays */
    uint32_t *place;           /* place[ports]: the port at the group's position, by label */
    uint32_t *half;            /* half[ports]: the circuits of one of the two networks */
    uint32_t *row;             /* row[4K-3 stages][multistage_row_words] */
};

static void all_reduce_router_free(struct all_reduce_router *router)
{
    if (router == NULL)
        return;
    if (router->combine != NULL)
        network_kind_combine.free(router->combine);
    if (router->multicast != NULL)
        network_kind_multicast.free(router->multicast);
    free(router->memory);
    free(router);
}

static struct all_reduce_router *all_reduce_router_new(const struct multistage *net,
                                                       struct err *err)
{
    const struct multistage combine = multistage_combine(net->ports),
                            multicast = multistage_multicast(net->ports);
    struct all_reduce_router *router = calloc(1, sizeof *router);
    if (router != NULL) {
        router->net = *net;
        const struct arena_array arrays[] = {
            ARENA(router->place, net->ports), ARENA(router->half, net->ports),
            ARENA(router->row,
                  (size_t)multistage_stages(&combine) * multistage_row_words(&combine))};
        router->memory = arena_new(arrays, ARENA_COUNT(arrays));
    }
    if (router == NULL || router->memory == NULL) {
        all_reduce_router_free(router);
        err_no_memory(err, "an all-reduce network of %" PRIu32 " ports", net->ports);
        return NULL;
    }
    router->combine = network_kind_combine.make(&combine, err);
    router->multicast =
        router->combine != NULL ? network_kind_multicast.make(&multicast, err) : NULL;
    if (router->multicast != NULL)
        return router;
    all_reduce_router_free(router);
    return NULL;
}

/* Checks that all labels are ports or idle. E403. */
static bool check_labels(const struct multistage *net, const uint32_t circuit[], struct err *err)
{
    for (uint32_t end = 0; end < multistage_circuits(net); end++)
        if (circuit[end] != MULTISTAGE_IDLE && circuit[end] >= net->ports)
            return err_set(err, ERR_NOT_PERMUTATION,
                           "all-reduce: %s %" PRIu32 " is in group %" PRIu32
                           "; expected 0 … %" PRIu32 " or idle",
                           end < net->ports ? "input" : "output", end % net->ports, circuit[end],
                           net->ports - 1);
    return true;
}

/* Gives each group that has inputs and outputs the next position, in the order of labels. The port
 * at a position is its number with the bits reversed. */
static void place_groups(struct all_reduce_router *router, const uint32_t circuit[])
{
    const uint32_t ports = router->net.ports;
    uint32_t *uses = router->half, position = 0; /* uses[label]: 1 inputs, 2 outputs, 3 both */
    memset(uses, 0, ports * sizeof *uses);
    for (uint32_t port = 0; port < ports; port++) {
        if (circuit[port] != MULTISTAGE_IDLE)
            uses[circuit[port]] |= 1;
        if (circuit[ports + port] != MULTISTAGE_IDLE)
            uses[circuit[ports + port]] |= 2;
    }
    for (uint32_t label = 0; label < ports; label++)
        router->place[label] =
            uses[label] == 3 ? bits_reverse(position++, router->net.levels) : MULTISTAGE_IDLE;
}

/* Writes the circuits of one of the two networks: label[ports] is that of each port. */
static const uint32_t *half_of(struct all_reduce_router *router, const uint32_t label[])
{
    for (uint32_t port = 0; port < router->net.ports; port++)
        router->half[port] =
            label[port] == MULTISTAGE_IDLE ? MULTISTAGE_IDLE : router->place[label[port]];
    return router->half;
}

static bool all_reduce_route(struct all_reduce_router *router, const uint32_t circuit[],
                             uint32_t *row, struct err *err)
{
    const struct multistage *net = &router->net;
    const unsigned combining = multistage_combining(net);
    const size_t words = multistage_row_words(net), bytes = combining * words * sizeof *row;
    if (!check_labels(net, circuit, err))
        return false;
    place_groups(router, circuit);
    if (!network_kind_combine.route(router->combine, half_of(router, circuit), router->row, err))
        return false;
    memcpy(row, router->row, bytes);
    if (!network_kind_multicast.route(router->multicast, half_of(router, circuit + net->ports),
                                      router->row, err))
        return false;
    memcpy(row + combining * words, router->row + (net->levels - 1) * words, bytes);
    return true;
}

NETWORK_KIND(all_reduce, all_reduce_router_new, all_reduce_router_free, all_reduce_route, NULL);
