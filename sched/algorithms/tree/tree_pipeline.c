/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/tree/tree_pipeline.h"

#include "sched/algorithms/tree/tree_any.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"

uint32_t tree_pipeline_lanes(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    if (model_row(collective->model)->one_link)
        return 1;
    return tree->any ? tree->capacity[1] : topology_narrowest(tree, tree->height);
}

uint64_t tree_pipeline_groups(const struct collective *collective)
{
    return bits_divide_up(collective->m, tree_pipeline_lanes(collective));
}

/* Returns the most copies of a packet that a node of a tree of levels sends in a broadcast: a
 * router sends one to each neighbour except the one from which it receives the packet. */
static uint32_t most_copies(const struct topology *tree, uint32_t source)
{
    const unsigned from = topology_level(tree, source);
    uint32_t most = 1;
    for (unsigned level = 1; level <= tree->height; level++) {
        uint32_t copies = tree->children[level];
        if (level == tree->height)
            copies -= level != from;
        else
            copies += level == from;
        most = MAX(most, copies);
    }
    return most;
}

uint64_t tree_pipeline_interval(const struct collective *collective)
{
    if (!model_row(collective->model)->one_link)
        return 1;
    return collective->topology->any ? tree_any_most_copies(collective)
                                     : most_copies(collective->topology, collective->source);
}

uint64_t tree_pipeline_later(const struct collective *collective)
{
    return (tree_pipeline_groups(collective) - 1) * tree_pipeline_interval(collective);
}

/* Appends the transfers of step k of a wave for the packets first … end - 1, a lane for each. */
static bool append_packets(struct schedule *schedule, const struct tree_wave *wave, size_t k,
                           uint32_t first, uint32_t end, struct err *err)
{
    const struct schedule *from = wave->broadcast;
    bool appended = true;
    for (size_t t = from->step[k].first; t < schedule_step_end(from, k); t++)
        for (uint32_t packet = first; appended && packet < end; packet++) {
            const struct transfer *now = &from->transfer[t];
            const struct transfer transfer =
                wave->backwards ? (struct transfer){now->destination, now->source, packet}
                                : (struct transfer){now->source, now->destination, packet};
            const unsigned combining = wave->backwards ? 0 : COMBINING_REPLACE;
            appended =
                (!schedule->has_reductions ||
                 schedule_set_combining(schedule, schedule->transfer_count, combining, err)) &&
                schedule_append_lane(schedule, transfer, packet - first, err);
        }
    return appended;
}

/* Appends what the packets of a wave do in a round. Group g does in it what the first group did
 * g · interval rounds before. */
static bool append_wave(const struct tree_wave *wave, uint64_t round, uint32_t m, uint32_t lanes,
                        struct schedule *schedule, struct err *err)
{
    const uint64_t steps = wave->broadcast->step_count;
    bool appended = true;
    if (round <= wave->after)
        return true;
    const uint64_t elapsed = round - wave->after - 1;
    const uint64_t newest = elapsed / wave->interval;
    const uint64_t oldest =
        elapsed < steps ? 0 : bits_divide_up(elapsed + 1 - steps, wave->interval);
    for (uint64_t which = oldest; appended && which <= newest; which++) {
        const uint64_t g = wave->backwards ? which : oldest + newest - which;
        const uint64_t step = elapsed - g * wave->interval;
        const uint64_t k = wave->backwards ? steps - 1 - step : step;
        const uint64_t first = MIN(g * lanes, m), end = MIN(first + lanes, m);
        appended =
            append_packets(schedule, wave, (size_t)k, (uint32_t)first + 1, (uint32_t)end + 1, err);
    }
    return appended;
}

bool tree_pipeline_append(const struct collective *collective, const struct tree_wave wave[],
                          unsigned waves, struct schedule *schedule, struct err *err)
{
    const uint64_t groups = tree_pipeline_groups(collective);
    const uint32_t lanes = tree_pipeline_lanes(collective);
    uint64_t end = 0, transfers = 0;
    for (unsigned w = 0; w < waves; w++) {
        end = MAX(end, wave[w].after + wave[w].broadcast->end + (groups - 1) * wave[w].interval);
        transfers += wave[w].broadcast->transfer_count * (uint64_t)collective->m;
    }
    bool appended =
        schedule_check_size(transfers, err) && schedule_reserve(schedule, end, transfers, err);
    for (uint64_t round = 1; appended && round <= end; round++) {
        appended = schedule_open_step(schedule, round, 1, err) != NULL;
        for (unsigned w = 0; appended && w < waves; w++)
            appended = append_wave(&wave[w], round, collective->m, lanes, schedule, err);
        schedule_close_step(schedule, 0);
    }
    return appended;
}
