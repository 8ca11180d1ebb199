/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the schedule of an algorithm: its demands, for the requested source, and its steps. */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/placement.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"
#include "sched/decompose/decompose.h"

#include <inttypes.h>

/* Moves the demands of source 0 to the given source. Packets keep their numbers. */
static void move_demands(struct schedule *schedule, uint32_t source)
{
    const struct topology *topology = &schedule->topology;
    if (source >= topology->nodes) {
        schedule->demand[0].source = source;
        return;
    }
    for (size_t which = 0; which < schedule->demand_count; which++) {
        struct demand *demand = &schedule->demand[which];
        if (demand->reduction == NULL)
            demand->source = collective_move(topology, demand->source, source);
        if (demand->wanted_count > 0)
            *demand->wanted = collective_move(topology, *demand->wanted, source);
    }
}

/* Renames the nodes of a schedule built for source 0 of a complete graph, so that it has the given
 * source. */
static void rename_source(struct schedule *schedule, uint32_t source)
{
    if (source == 0)
        return;
    uint32_t nodes = schedule->nodes, wrap = nodes - source;
    for (size_t index = 0; index < schedule->transfer_count; index++) {
        struct transfer *transfer = &schedule->transfer[index];
        transfer->source =
            transfer->source < wrap ? transfer->source + source : transfer->source - wrap;
        transfer->destination = transfer->destination < wrap ? transfer->destination + source
                                                             : transfer->destination - wrap;
    }
    move_demands(schedule, source);
}

/* Returns whether a router of a tree sends each leaf a packet of its own. */
static bool is_router_scatter(const struct collective *collective)
{
    const struct collective_row *row = &collective_rows[collective->kind];
    return row->rooted && !row->inward && !row->to_all && collective->source >= collective->n;
}

/* Initializes an empty schedule with the demands of source 0. A router that scatters has a packet
 * for each leaf, one packet more than a leaf that scatters. */
static bool init_schedule(const char *text, const struct topology *topology,
                          const struct collective *collective, struct schedule *schedule,
                          struct err *err)
{
    bool router = is_router_scatter(collective);
    const struct collective asked = {.topology = topology,
                                     .kind = router ? COLLECTIVE_SIMULTANEOUS : collective->kind,
                                     .m = router ? 0 : collective->m,
                                     .model = collective->model};
    if (!schedule_init(schedule, text, &asked, err))
        return false;
    bool made = true;
    for (uint32_t leaf = 0; made && router && leaf < collective->n; leaf++)
        made = schedule_add_demand(schedule, collective->m, collective->source, &leaf, 1, err);
    if (!made)
        schedule_free(schedule);
    return made;
}

/* Sets the demands for the given sources; schedule_init has added those of source 0, or none. In a
 * complete graph rename_source moves them after the build. */
static bool place_demands(struct schedule *schedule, const struct collective *collective,
                          struct err *err)
{
    const struct collective_row *row = &collective_rows[collective->kind];
    if (!topology_joins_all(&schedule->topology) && !is_router_scatter(collective))
        move_demands(schedule, collective->source);
    if (row->written)
        return schedule_copy_demands(collective->demands, schedule, err);
    if (row->weighed && !schedule_reserve_demands(schedule, collective->traffic->count, err))
        return false;
    for (size_t k = 0; row->weighed && k < collective->traffic->count; k++) {
        const struct traffic_entry *entry = &collective->traffic->entry[k];
        if (!schedule_add_demand(schedule, entry->packets, entry->source, &entry->destination, 1,
                                 err))
            return false;
    }
    for (uint32_t p = 0, next; row->listed && p < collective->m; p = next) {
        for (next = p + 1;
             next < collective->m && collective->sources[next] == collective->sources[p];)
            next++;
        if (!schedule_add_demand(schedule, next - p, collective->sources[p], NULL, 0, err))
            return false;
    }
    return true;
}

/* Appends the steps of a collective of at least 2 nodes. */
static bool build_steps(const struct algorithm *algorithm, const struct collective *chosen,
                        struct schedule *schedule, struct err *err)
{
    return stripes_are_built(algorithm, chosen) ? stripes_build(algorithm, chosen, schedule, err)
                                                : algorithm->build(chosen, schedule, err);
}

bool algorithm_build(const struct algorithm *algorithm, const struct collective *collective,
                     struct schedule *schedule, struct err *err)
{
    if (!algorithm_check(algorithm, collective, err))
        return false;
    struct collective chosen = algorithm_choose(algorithm, collective);
    if (collective_rows[chosen.kind].listed && chosen.m > 0 && chosen.sources == NULL)
        return err_set(
            err, ERR_ALGORITHM,
            "%s: the nodes that have packets are unknown; expected {sources} or {random}",
            algorithm->name);
    /* Checked before any allocation, because demands alone can take half a gigabyte. */
    if (!schedule_check_size(collective_receipts(&chosen), err))
        return false;
    char text[80];
    snprintf(text, sizeof text, "%s", algorithm->name);
    if (chosen.degree != 0)
        text_append(text, sizeof text, " d=%u", chosen.degree);
    const char *method = algorithm_method_name(algorithm, chosen.model, chosen.method);
    if (method != NULL)
        text_append(text, sizeof text, " method=%s", method);
    if (chosen.by != NULL)
        text_append(text, sizeof text, " by=%s", chosen.by->name);
    if (chosen.exact)
        text_append(text, sizeof text, " exact");
    if (chosen.stream)
        text_append(text, sizeof text, " stream");
    if (chosen.priced)
        text_append(text, sizeof text, " reconfigure=%" PRIu64 " round-cycles=%" PRIu64,
                    chosen.cost.change, chosen.cost.round);
    if (chosen.priced && chosen.decompose != NULL)
        text_append(text, sizeof text, " method=%s", chosen.decompose->name);
    const struct topology complete = topology_complete(chosen.n);
    const struct topology *topology = chosen.topology != NULL ? chosen.topology : &complete;
    if (!init_schedule(text, topology, &chosen, schedule, err))
        return false;
    if (model_has_times(chosen.model))
        schedule->lambda = chosen.lambda;
    schedule->ports = MAX(chosen.ports, 1);
    schedule->stream = chosen.stream;
    schedule->watch = chosen.watch;
    bool placed = collective_is_half_duplex(&chosen) && !schedule->has_reductions &&
                  !placement_is_unidirectional(chosen.kind);
    if (!place_demands(schedule, &chosen, err) ||
        (chosen.n > 1 && !build_steps(algorithm, &chosen, schedule, err)) ||
        (placed && !placement_run(schedule, err))) {
        schedule_free(schedule);
        return false;
    }
    if (topology_joins_all(topology))
        rename_source(schedule, chosen.source);
    schedule->watch = (struct watch){0};
    return true;
}
