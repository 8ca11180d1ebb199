/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/general/network.h"

#include "sched/algorithms/general/forward.h"
#include "sched/algorithms/general/known.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/bound/bound.h"

/* Maximum number of times that ways are drawn in a hypercube. */
#define DRAWS 48

/* Total number of schedules that are found for these ways. */
static uint64_t most_tries(const struct demand_ways *ways)
{
    uint64_t drawn = BEST_WORK / (ways->count * UINT64_C(100) + 1);
    return 1 + MIN(drawn, BEST_DRAWN);
}

/* Schedules of these ways, the first without noise, until one ends at the bound. */
static bool search_ways(const struct demand_ways *ways, uint64_t bound, uint64_t tries,
                        struct rng *rng, struct best *best, struct err *err)
{
    struct forward *forward = forward_new(ways, err);
    bool kept = forward != NULL;
    for (uint64_t k = 0; kept && best->end > bound && k < tries; k++) {
        size_t count;
        uint64_t end = forward_find(forward, k > 0 ? 1u << rng_below(rng, 5) : 0, rng, best->end);
        const struct list_send *send = forward_sends(forward, &count);
        if (end < best->end)
            kept = best_keep(best, end, send, count, err);
    }
    forward_free(forward);
    return kept;
}

bool network_schedule(const struct collective *collective, const struct schedule *demands,
                      struct best *best, struct err *err)
{
    struct schedule known = {0};
    struct rng rng = {collective->seed};
    uint64_t bound = bound_end(collective);
    bool made = known_network(demands, &known, err) &&
                (known.transfer_count == 0 || best_take(best, &known, err));
    schedule_free(&known);
    bool several = demand_ways_differ(&demands->topology);
    uint64_t kinds = several ? DEMAND_WAYS_DRAWN + DRAWS : 1, tried = 0, tries = 1;
    for (unsigned k = 0; made && best->end > bound && k < kinds && tried < tries; k++) {
        struct demand_ways ways = {0};
        enum demand_ways_kind kind = MIN(k, DEMAND_WAYS_DRAWN);
        made = demand_ways_new(demands, kind, &rng, &ways, err);
        tries = DEMAND_WAYS_DRAWN + most_tries(&ways);
        uint64_t each = bits_divide_up(tries, kinds);
        made = made && search_ways(&ways, bound, each, &rng, best, err);
        tried += each;
        demand_ways_free(&ways);
    }
    return made;
}
