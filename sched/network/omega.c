/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/network/omega.h"

#include "sched/network/network_kind.h"
#include "sched/network/partial.h"

#include <stdlib.h>
#include <string.h>

struct omega_router {
    struct multistage net;
    uint32_t *at; /* [ports + 1]  the destination of what is on each lane, or MULTISTAGE_IDLE */
};

void omega_router_free(struct omega_router *router)
{
    if (router == NULL)
        return;
    free(router->at);
    free(router);
}

struct omega_router *omega_router_new(const struct multistage *net, struct err *err)
{
    struct omega_router *router = calloc(1, sizeof *router);
    if (router != NULL) {
        router->net = *net;
        router->at = calloc((size_t)net->ports + 1, sizeof router->at[0]);
    }
    if (router == NULL || router->at == NULL) {
        omega_router_free(router);
        err_no_memory(err, "an omega network of %u ports", net->ports);
        return NULL;
    }
    return router;
}

/* Tell which two circuits need a lane behind a stage. */
static bool tell_conflict(const struct omega_router *router, const uint32_t to[], unsigned stage,
                          uint32_t sw, uint32_t lane, struct omega_conflict *conflict,
                          struct err *err)
{
    struct omega_conflict told = {.stage = stage, .sw = sw};
    for (uint32_t source = 0, found = 0; source < router->net.ports && found < 2; source++) {
        if (to[source] == MULTISTAGE_IDLE ||
            omega_lane(&router->net, stage, source, to[source]) != lane)
            continue;
        told.source[found] = source;
        told.destination[found++] = to[source];
    }
    if (conflict != NULL)
        *conflict = told;
    return err_set(
        err, ERR_BLOCKED,
        "omega: stage %u, switch %u: circuits %u → %u and %u → %u both need lane %u; expected a "
        "round that passes ({split})",
        stage, sw, told.source[0], told.destination[0], told.source[1], told.destination[1], lane);
}

/* Pass a stage whose switches pair lanes that differ in a bit. False if a switch has two circuits
 * for one lane, which is then told by `sw` and `lane`. */
static bool pass_stage(uint32_t at[], uint32_t ports, unsigned bit, uint32_t setting[],
                       uint32_t *sw, uint32_t *lane)
{
    uint32_t apart = UINT32_C(1) << bit, count = 0;
    for (uint32_t first = 0; first < ports; first += 2 * apart) {
        for (uint32_t low = first; low < first + apart; low++, count++) {
            uint32_t a = at[low], b = at[low + apart];
            bool a_live = a != MULTISTAGE_IDLE, b_live = b != MULTISTAGE_IDLE;
            uint32_t a_high = a >> bit & 1, b_high = b >> bit & 1;
            if (a_live && b_live && a_high == b_high) {
                *sw = count;
                *lane = a_high ? low + apart : low;
                return false;
            }
            uint32_t crossed = (a_live & a_high) | (b_live & !b_high);
            setting[count / 32] |= crossed << count % 32;
            at[low] = crossed ? b : a;
            at[low + apart] = crossed ? a : b;
        }
    }
    return true;
}

bool omega_route(struct omega_router *router, const uint32_t to[], uint32_t *row,
                 struct omega_conflict *conflict, struct err *err)
{
    const struct multistage *net = &router->net;
    uint32_t words = multistage_row_words(net), live, sw, lane;
    if (!partial_count(to, net->ports, &live) || partial_invert(to, net->ports, router->at) != live)
        return partial_refuse("omega", to, net->ports, router->at, err);
    memcpy(router->at, to, net->ports * sizeof to[0]);
    memset(row, 0, (size_t)multistage_stages(net) * words * sizeof row[0]);
    for (unsigned stage = 0; stage < multistage_stages(net); stage++, row += words)
        if (!pass_stage(router->at, net->ports, net->levels - 1 - stage, row, &sw, &lane))
            return tell_conflict(router, to, stage, sw, lane, conflict, err);
    return true;
}

static bool route(struct omega_router *router, const uint32_t to[], uint32_t *row, struct err *err)
{
    return omega_route(router, to, row, NULL, err);
}

NETWORK_KIND(omega, omega_router_new, omega_router_free, route, NULL);
