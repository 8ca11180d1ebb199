/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/self_timed.h"

#include "sched/algorithms/algorithm.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>

#define EXPECTED \
    "expected a schedule of cube-broadcast by its first method, which its nodes implement"

/* Returns the sources of packets 1 … data. Returns NULL with E104, or with E208 if a packet is not
 * for all nodes or the sources are not in ascending order. */
static uint32_t *sources_of(const struct schedule *schedule, uint32_t data, struct err *err)
{
    uint32_t *source = malloc(((size_t)data + 1) * sizeof *source);
    if (source == NULL) {
        err_no_memory(err, "the sources of %" PRIu32 " packets", data);
        return NULL;
    }
    for (size_t d = 0; d < schedule->demand_count && schedule->demand[d].control == NULL; d++) {
        const struct demand *demand = &schedule->demand[d];
        bool ordered =
            demand->first_packet == 1 || source[demand->first_packet - 2] <= demand->source;
        if (demand->wanted_count != 0 || !ordered) {
            err_set(err, ERR_UNSUPPORTED,
                    "{network} cube-auto: packet %" PRIu32
                    " is not for all nodes, or its source precedes that of the packet before "
                    "it; " EXPECTED,
                    demand->first_packet);
            free(source);
            return NULL;
        }
        for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++)
            source[packet - 1] = demand->source;
    }
    return source;
}

static bool same_control(const struct schedule *a, const struct schedule *b)
{
    if (a->packets != b->packets)
        return false;
    for (uint32_t packet = schedule_data_packets(b) + 1; packet <= a->packets; packet++) {
        const struct demand *one = schedule_demand_of(a, packet),
                            *other = schedule_demand_of(b, packet);
        if (one->control == NULL || one->source != other->source ||
            one->control->value != other->control->value)
            return false;
    }
    return true;
}

static int compare(const void *left, const void *right)
{
    const struct transfer *a = left, *b = right;
    return compare_then(COMPARE(a->source, b->source), COMPARE(a->destination, b->destination));
}

/* Copies the transfers of step k, sorted by arc; each arc is used at most once. Returns their
 * number. */
static size_t sorted_step(const struct schedule *schedule, size_t k, struct transfer *to)
{
    size_t count = schedule_step_end(schedule, k) - schedule->step[k].first;
    for (size_t t = 0; t < count; t++)
        to[t] = schedule->transfer[schedule->step[k].first + t];
    qsort(to, count, sizeof *to, compare);
    return count;
}

/* Compares step k of two schedules; the order of the transfers within a step does not matter. */
static bool same_step(const struct schedule *a, const struct schedule *b, size_t k,
                      struct transfer *room)
{
    if (k >= a->step_count || k >= b->step_count || a->step[k].time != b->step[k].time)
        return false;
    size_t count = sorted_step(a, k, room);
    if (count != schedule_step_end(b, k) - b->step[k].first)
        return false;
    sorted_step(b, k, room + count);
    for (size_t t = 0; t < count; t++)
        if (compare(&room[t], &room[count + t]) != 0 || room[t].packet != room[count + t].packet)
            return false;
    return true;
}

static bool same_steps(const struct schedule *schedule, const struct schedule *kept,
                       struct err *err)
{
    size_t most = schedule->transfer_count;
    struct transfer *room = malloc((2 * most + 1) * sizeof *room);
    if (room == NULL)
        return err_no_memory(err, "%zu transfers", most);
    size_t steps = MAX(schedule->step_count, kept->step_count);
    size_t same = 0;
    while (same < steps && same_step(schedule, kept, same, room))
        same++;
    free(room);
    if (same == steps)
        return true;
    uint64_t round =
        same < schedule->step_count ? schedule->step[same].time : kept->step[same].time;
    return err_set(
        err, ERR_UNSUPPORTED,
        "{network} cube-auto: round %" PRIu64 " differs from what its nodes do; " EXPECTED, round);
}

bool cube_auto_check(const struct schedule *schedule, struct err *err)
{
    const struct collective asked = {.n = schedule->nodes,
                                     .m = schedule_data_packets(schedule),
                                     .model = schedule->model,
                                     .topology = &schedule->topology};
    uint32_t *source = sources_of(schedule, asked.m, err);
    if (source == NULL)
        return false;
    const struct algorithm *algorithm = algorithm_find("cube-broadcast", err);
    struct collective collective = asked;
    collective.sources = source;
    struct schedule kept = {0};
    bool built = algorithm != NULL && algorithm_build(algorithm, &collective, &kept, err);
    free(source);
    if (!built)
        return false;
    bool same =
        same_control(schedule, &kept) ||
        err_set(
            err, ERR_UNSUPPORTED,
            "{network} cube-auto: the control packets differ from those of its nodes; " EXPECTED);
    same = same && same_steps(schedule, &kept, err);
    schedule_free(&kept);
    return same;
}
