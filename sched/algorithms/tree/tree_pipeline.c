/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/tree/tree_pipeline.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"

#include <inttypes.h>

uint32_t tree_pipeline_lanes(const struct topology *tree)
{
    return tree->any ? 1 : topology_narrowest(tree, tree->height);
}

uint64_t tree_pipeline_later(const struct collective *collective)
{
    return bits_divide_up(collective->m, tree_pipeline_lanes(collective->topology)) - 1;
}

bool tree_pipeline_accepts(const struct collective *collective, struct err *err)
{
    if (collective->m <= 1)
        return true;
    if (model_row(collective->model)->one_link)
        return err_set(err, ERR_ALGORITHM,
                       "{packets}: %" PRIu32 " in the model %s, in which the copies of a packet "
                       "leave a router one by one; expected 1, or the model multiport",
                       collective->m, model_name(collective->model));
    if (collective->topology->any)
        return err_set(err, ERR_ALGORITHM,
                       "{packets}: %" PRIu32 " in a tree of {parents}; expected 1 packet",
                       collective->m);
    return true;
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

/* Appends what the packets of a wave do in a round: those whose first round is r - 1 rounds before
 * it are in round r of the broadcast. */
static bool append_wave(struct schedule *schedule, const struct tree_wave *wave, uint64_t round,
                        uint32_t packets, uint32_t lanes, struct err *err)
{
    const struct schedule *from = wave->broadcast;
    bool appended = true;
    for (size_t k = 0; appended && k < from->step_count; k++) {
        const uint64_t time = from->step[k].time,
                       due = wave->after + (wave->backwards ? from->end + 1 - time : time),
                       first = round < due ? packets : (round - due) * lanes;
        if (first < packets)
            appended = append_packets(schedule, wave, k, (uint32_t)first + 1,
                                      (uint32_t)MIN(first + lanes, (uint64_t)packets) + 1, err);
    }
    return appended;
}

bool tree_pipeline_append(struct schedule *schedule, const struct tree_wave wave[], unsigned waves,
                          uint32_t packets, struct err *err)
{
    const uint32_t lanes = tree_pipeline_lanes(&schedule->topology);
    uint64_t end = 0, transfers = 0;
    for (unsigned w = 0; w < waves; w++) {
        end = MAX(end, wave[w].after + wave[w].broadcast->end);
        transfers += wave[w].broadcast->transfer_count * (uint64_t)packets;
    }
    end += bits_divide_up(packets, lanes) - 1;
    bool appended =
        schedule_check_size(transfers, err) && schedule_reserve(schedule, end, transfers, err);
    for (uint64_t round = 1; appended && round <= end; round++) {
        appended = schedule_open_step(schedule, round, 1, err) != NULL;
        for (unsigned w = 0; appended && w < waves; w++)
            appended = append_wave(schedule, &wave[w], round, packets, lanes, err);
        schedule_close_step(schedule, 0);
    }
    return appended;
}
