/* SPDX-License-Identifier: Apache-2.0 */
/* combine: settings of a network that combines, for any map from inputs to outputs.
 *
 * A multicast network in reverse: the levels of its stages are the same in both directions, so each
 * lane of a network that combines belongs to a lane of a multicast network, in which words run the
 * other way. Where a switch copies a word to two lanes, its mirror combines the words of these two
 * lanes. So the settings of stage s for the map to[] are those of stage S-1-s of a multicast
 * network whose output i gets the word of input to[i] (multicast.c).
 *
 *     N = 2, one stage: inputs 0 and 1 to output 0
 *
 *     multicast      0 ──┬── 0     bit of lane 0 after the switch: 0, from the same lane
 *                    1   └── 1     bit of lane 1 after the switch: 1, from the other lane
 *     combine        0 ──┬── 0     bit of lane 0 before the switch: 0, to the same lane
 *                    1 ──┘   1     bit of lane 1 before the switch: 1, to the other lane
 */
#include "sched/network/multicast.h"
#include "sched/network/network_kind.h"

#include <inttypes.h>
#include <stdlib.h>

struct combine_router {
    struct multistage net;
    struct multicast_router *mirror;
};

static void combine_router_free(struct combine_router *router)
{
    if (router == NULL)
        return;
    multicast_router_free(router->mirror);
    free(router);
}

static struct combine_router *combine_router_new(const struct multistage *net, struct err *err)
{
    const struct multistage mirror = multistage_multicast(net->ports);
    struct combine_router *router = calloc(1, sizeof *router);
    if (router == NULL) {
        err_no_memory(err, "a network of %u ports that combines", net->ports);
        return NULL;
    }
    router->net = *net;
    router->mirror = multicast_router_new(&mirror, err);
    if (router->mirror != NULL)
        return router;
    combine_router_free(router);
    return NULL;
}

/* Exchanges the settings of two stages. */
static void exchange(uint32_t one[], uint32_t other[], uint32_t words)
{
    for (uint32_t word = 0; word < words; word++) {
        const uint32_t kept = one[word];
        one[word] = other[word];
        other[word] = kept;
    }
}

static bool combine_route(struct combine_router *router, const uint32_t to[], uint32_t *row,
                          struct err *err)
{
    const struct multistage *net = &router->net;
    const uint32_t words = multistage_row_words(net);
    const unsigned last = multistage_stages(net) - 1;
    for (uint32_t input = 0; input < net->ports; input++)
        if (to[input] != MULTISTAGE_IDLE && to[input] >= net->ports)
            return err_set(err, ERR_NOT_PERMUTATION,
                           "combine: input %" PRIu32 " wants output %" PRIu32
                           "; expected 0 … %" PRIu32 " or idle",
                           input, to[input], net->ports - 1);
    if (!multicast_route(router->mirror, to, row, err))
        return false;
    for (unsigned stage = 0; stage < last - stage; stage++)
        exchange(row + (size_t)stage * words, row + (size_t)(last - stage) * words, words);
    return true;
}

NETWORK_KIND(combine, combine_router_new, combine_router_free, combine_route, NULL);
