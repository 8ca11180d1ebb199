/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/network/network_router.h"

#include "sched/network/network_kind.h"

#include <stdlib.h>
#include <string.h>

/* --- Partial permutations ----------------------------------------------------------------- */

/* Returns 1 for MULTISTAGE_IDLE, 0 for a port. Computed without a branch, because idle ports have
 * no pattern that a branch predictor could learn. */
static inline uint32_t is_idle(uint32_t port)
{
    return port >> 31;
}

/* MULTISTAGE_IDLE is not a port, so idle inputs are counted separately; if an output is out of
 * range, the sum is less than `ports`. */
bool partial_count(const uint32_t to[], uint32_t ports, uint32_t *live)
{
    uint32_t idle = 0, inside = 0;
    for (uint32_t input = 0; input < ports; input++) {
        idle += to[input] == MULTISTAGE_IDLE;
        inside += to[input] < ports;
    }
    *live = inside;
    return inside + idle == ports;
}

/* Writes without checking for an earlier entry, which is fast: if two inputs send to one output,
 * the number of outputs in use is too small. Idle inputs write to from[ports]. */
uint32_t partial_invert(const uint32_t to[], uint32_t ports, uint32_t from[])
{
    uint32_t taken = 0;
    memset(from, 0xff, ports * sizeof from[0]);
    for (uint32_t input = 0; input < ports; input++) {
        uint32_t idle = is_idle(to[input]);
        from[(to[input] & (idle - 1)) | (ports & -idle)] = input;
    }
    for (uint32_t output = 0; output < ports; output++)
        taken += from[output] != MULTISTAGE_IDLE;
    return taken;
}

/* Writes an entry of spare[] before it is counted, so that there is no branch. It never writes
 * after the end, because an input that is not idle leaves an entry free. */
void partial_complete(const uint32_t to[], uint32_t ports, uint32_t spare[], uint32_t from[])
{
    uint32_t count = 0;
    for (uint32_t input = 0; input < ports; input++) {
        spare[count] = input;
        count += is_idle(to[input]);
    }
    count = 0;
    for (uint32_t output = 0; output < ports; output++) {
        uint32_t idle = is_idle(from[output]);
        from[output] ^= (from[output] ^ spare[count]) & -idle;
        count += idle;
    }
}

bool partial_refuse(const char *network, const uint32_t to[], uint32_t ports, uint32_t holder[],
                    struct err *err)
{
    memset(holder, 0xff, ports * sizeof holder[0]);
    for (uint32_t input = 0; input < ports; input++) {
        uint32_t output = to[input];
        if (output == MULTISTAGE_IDLE)
            continue;
        if (output >= ports)
            return err_set(err, ERR_NOT_PERMUTATION,
                           "%s: input %u wants output %u; expected 0 … %u or idle", network, input,
                           output, ports - 1);
        if (holder[output] != MULTISTAGE_IDLE)
            return err_set(err, ERR_NOT_PERMUTATION,
                           "%s: inputs %u and %u both want output %u; expected one input at most",
                           network, holder[output], input, output);
        holder[output] = input;
    }
    return err_set(err, ERR_BUG, "%s: a legal round was refused; expected settings", network);
}

bool partial_permutation(const struct partial_round *round, uint32_t *live, struct err *err)
{
    const uint32_t *to = round->to, ports = round->ports;
    if (!partial_count(to, ports, live) || partial_invert(to, ports, round->from) != *live)
        return partial_refuse(round->network, to, ports, round->spare, err);
    if (*live < ports)
        partial_complete(to, ports, round->spare, round->from);
    return true;
}

/* --- One interface for all networks ------------------------------------------------------- */

struct network_router {
    const struct network_kind *kind;
    void *router;
};

static const struct network_kind *const kinds[] = {
#define NETWORK_ROUTER_KIND(name, file, number) [number] = &network_kind_##file,
    MULTISTAGE_TABLE(NETWORK_ROUTER_KIND)
#undef NETWORK_ROUTER_KIND
};

void network_router_free(struct network_router *router)
{
    if (router == NULL)
        return;
    if (router->router != NULL)
        router->kind->free(router->router);
    free(router);
}

struct network_router *network_router_new(const struct multistage *net, struct err *err)
{
    struct network_router *router = calloc(1, sizeof *router);
    if (router == NULL) {
        err_no_memory(err, "a router");
        return NULL;
    }
    router->kind = kinds[net->kind];
    if (router->kind->irregular != NULL && !multistage_is_regular(net))
        router->kind = router->kind->irregular;
    router->router = router->kind->make(net, err);
    if (router->router == NULL) {
        network_router_free(router);
        return NULL;
    }
    return router;
}

bool network_route(struct network_router *router, const uint32_t circuit[], uint32_t *row,
                   struct err *err)
{
    return router->kind->route(router->router, circuit, row, err);
}
