/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/bound/bound.h"

#include "sched/base/compare.h"

/* The tables of bounds: one for each topology, and two more for complete graphs. */
#define DECLARE(enumerator, name) extern const struct bound bound_##name[];
TOPOLOGY_TABLE(DECLARE)
#undef DECLARE
extern const struct bound bound_ports[], bound_demands[];

static const struct bound *const tables[] = {
#define TABLE(enumerator, name) bound_##name,
    TOPOLOGY_TABLE(TABLE)
#undef TABLE
        bound_ports,
    bound_demands,
};
#define TABLE_COUNT (sizeof tables / sizeof *tables)

bool bound_applies(const struct bound *bound, const struct collective *collective)
{
    enum topology_kind topology = collective_topology_kind(collective);
    return collective->n > 1 && (collective->ports > 1) == bound->several_ports &&
           model_topology(collective->model) == topology &&
           (bound->models & 1u << collective->model) != 0 &&
           (bound->kinds & 1u << collective->kind) != 0 &&
           (!collective_rows[collective->kind].written || collective->demands != NULL) &&
           (bound->applies == NULL || bound->applies(collective));
}

const struct bound *bound_at(size_t which)
{
    for (size_t table = 0; table < TABLE_COUNT; table++)
        for (const struct bound *bound = tables[table]; bound->name != NULL; bound++)
            if (which-- == 0)
                return bound;
    return NULL;
}

const struct bound *bound_tightest(const struct collective *collective, uint64_t *value)
{
    const struct bound *tightest = NULL;
    *value = 0;
    for (size_t table = 0; table < TABLE_COUNT; table++)
        for (const struct bound *bound = tables[table]; bound->name != NULL; bound++) {
            uint64_t candidate = bound_applies(bound, collective) ? bound->value(collective) : 0;
            if (candidate > *value) {
                *value = candidate;
                tightest = bound;
            }
        }
    return tightest;
}

uint64_t bound_end(const struct collective *collective)
{
    uint64_t value;
    bound_tightest(collective, &value);
    return value;
}

/* Returns the bound for any demands, applied to the demands of a schedule. */
static uint64_t bound_of_demands(const struct schedule *schedule)
{
    return bound_end(&(struct collective){.n = schedule->nodes,
                                          .m = 1,
                                          .model = schedule->model,
                                          .kind = COLLECTIVE_DEMANDS,
                                          .lambda = schedule->lambda,
                                          .topology = &schedule->topology,
                                          .load = {.packets = schedule->packets},
                                          .demands = schedule});
}

bool bound_of_schedule(const struct schedule *schedule, uint64_t *end)
{
    struct collective collective;
    bool known = schedule_collective(schedule, &collective);
    *end = known ? bound_end(&collective) : 0;
    if (known && collective_rows[collective.kind].weighed && schedule->ports <= 1 &&
        schedule->end > *end) {
        uint64_t as_demands = bound_of_demands(schedule);
        *end = MAX(*end, as_demands);
    }
    return known;
}
