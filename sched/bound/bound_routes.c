/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/bound/bound_routes.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/bound/bound_rows.h"
#include "sched/schedule/demand_routes.h"

#include <stdlib.h>

/* Compares by port, then by descending number of links after it. */
static int compare_after(const void *left, const void *right)
{
    const struct demand_hop *a = left, *b = right;
    return compare_then(COMPARE(a->port, b->port), COMPARE(b->after, a->after));
}

/* Compares by port, then by descending number of links before it. */
static int compare_before(const void *left, const void *right)
{
    const struct demand_hop *a = left, *b = right;
    return compare_then(COMPARE(a->port, b->port), COMPARE(b->before, a->before));
}

/* Returns the maximum number of rounds that a port needs for some prefix of its packets, in the
 * order of the comparison. */
static uint64_t busiest(struct demand_routes *routes, int (*compare)(const void *, const void *))
{
    uint64_t most = 0, count = 0, before = 0, after = 0;
    qsort(routes->hop, routes->count, sizeof *routes->hop, compare);
    for (uint32_t w = 0; w < routes->count; w++) {
        const struct demand_hop *hop = &routes->hop[w];
        bool first = w == 0 || hop->port != hop[-1].port;
        count = first ? 1 : count + 1;
        before = first || hop->before < before ? hop->before : before;
        after = first || hop->after < after ? hop->after : after;
        uint64_t rounds = bits_divide_up(count, routes->width[hop->port]);
        most = bound_larger(most, before + rounds + after - 1);
    }
    return most;
}

uint64_t bound_routes(const struct collective *collective)
{
    struct schedule as_asked = *collective->demands;
    struct demand_routes routes;
    as_asked.model = collective->model;
    if (!demand_routes_new(&as_asked, DEMAND_ROUTES_SHORTEST, NULL, &routes, NULL))
        return 0;
    uint64_t most = bound_larger(busiest(&routes, compare_after), busiest(&routes, compare_before));
    demand_routes_free(&routes);
    return most;
}
