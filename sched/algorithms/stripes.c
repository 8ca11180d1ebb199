/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/algorithm.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"

bool stripes_are_built(const struct algorithm *algorithm, const struct collective *collective)
{
    const struct collective_row *row = &collective_rows[algorithm->kind];
    bool by_itself = algorithm->several_ports >> collective->model & 1;
    return collective->ports > 1 && !by_itself && row->counted && !row->listed && !row->combined &&
           topology_rows[algorithm->topology]->joins == NULL;
}

/* Returns the collective of a stripe of `packets` packets. */
static struct collective stripe(const struct collective *collective, uint32_t packets)
{
    struct collective stripe = *collective;
    stripe.m = packets;
    stripe.ports = 1;
    stripe.source = 0;
    stripe.watch = (struct watch){0};
    return stripe;
}

struct collective stripes_of(const struct algorithm *algorithm, const struct collective *collective)
{
    uint64_t packets = bits_divide_up(collective->m, MAX(collective->ports, 1));
    return stripes_are_built(algorithm, collective) ? stripe(collective, (uint32_t)packets)
                                                    : *collective;
}

/* Stripes first … end - 1, which share one schedule; `step` is the next step to append. */
struct group {
    uint32_t first, end;
    struct schedule schedule;
    size_t step;
};

static uint64_t next_time(const struct group *group)
{
    return group->step < group->schedule.step_count ? group->schedule.step[group->step].time
                                                    : UINT64_MAX;
}

/* Appends the next step of a group to the open step of the schedule. */
static bool append_step(struct group *group, uint32_t ports, struct schedule *schedule,
                        struct err *err)
{
    const struct schedule *from = &group->schedule;
    size_t end = schedule_step_end(from, group->step);
    for (size_t index = from->step[group->step].first; index < end; index++)
        for (uint32_t which = group->first; which < group->end; which++) {
            struct transfer transfer = from->transfer[index];
            transfer.packet = (transfer.packet - 1) * ports + which + 1;
            if (!schedule_append(schedule, transfer, err))
                return false;
        }
    group->step++;
    return true;
}

/* Appends the steps of both groups in order of time. */
static bool merge(struct group group[2], uint32_t ports, struct schedule *schedule, struct err *err)
{
    for (;;) {
        uint64_t first = next_time(&group[0]), second = next_time(&group[1]);
        uint64_t time = MIN(first, second);
        if (time == UINT64_MAX)
            return true;
        if (schedule_open_step(schedule, time, 1, err) == NULL)
            return false;
        for (unsigned which = 0; which < 2; which++)
            if (next_time(&group[which]) == time &&
                !append_step(&group[which], ports, schedule, err))
                return false;
        schedule_close_step(schedule, 0);
    }
}

bool stripes_build(const struct algorithm *algorithm, const struct collective *collective,
                   struct schedule *schedule, struct err *err)
{
    uint32_t m = collective->m, ports = MIN(collective->ports, m), more = m % ports;
    struct group group[2] = {{.first = 0, .end = more}, {.first = more, .end = ports}};
    bool built = true;
    for (unsigned which = 0; built && which < 2; which++) {
        const struct collective asked = stripe(collective, m / ports + (which == 0));
        if (group[which].first < group[which].end)
            built = algorithm_build(algorithm, &asked, &group[which].schedule, err);
    }
    built = built && schedule_reserve(schedule, 0, (size_t)m * (collective->n - 1) + 1, err) &&
            merge(group, ports, schedule, err);
    schedule_free(&group[0].schedule);
    schedule_free(&group[1].schedule);
    return built;
}
