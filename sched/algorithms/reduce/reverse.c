/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/reduce/reverse.h"

#include "sched/base/bits.h"

#include <stdlib.h>

/* Returns whether the reversed schedule of one packet is repeated for each packet, a round later.
 * In a single-port model of a direct topology or a tree, packets of a broadcast arrive at a node on
 * several links at once, so that its reverse would send on several links. */
static bool is_repeated(const struct collective *collective)
{
    return collective->topology != NULL && !topology_joins_all(collective->topology) &&
           model_row(collective->model)->one_link;
}

/* Returns the collective whose schedule is reversed. In a complete graph its source is node 0,
 * because algorithm_build renames the nodes of the reduction. If it is run backwards in a
 * single-port model, it uses the multiport model: a node then receives on one link the packet of a
 * broadcast, so that its reverse sends on one link. */
static struct collective forward_of(const struct collective *collective, bool backwards)
{
    struct collective forward = *collective;
    forward.by = NULL;
    forward.same_trees = false;        /* checked for the reduction */
    forward.watch = (struct watch){0}; /* the reduction itself is watched */
    forward.kind = collective_rows[collective->kind].reversed;
    if (backwards && is_repeated(collective))
        forward.m = 1;
    if (collective->topology == NULL || topology_joins_all(collective->topology))
        forward.source = 0;
    if (backwards && model_row(collective->model)->one_link)
        forward.model =
            model_by_ports(collective_topology_kind(collective), false, collective->model);
    return forward;
}

const struct algorithm *reverse_best(const struct collective *collective)
{
    struct collective forward = forward_of(collective, true);
    const struct algorithm *best = NULL;
    bool complete = collective->topology == NULL || topology_joins_all(collective->topology);
    if (complete && collective->same_trees && collective_rows[forward.kind].counted)
        forward.m = bits_log2_up(collective->n); /* a choice that does not depend on m */
    uint64_t least = ALGORITHM_UNKNOWN;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        if ((*entry)->kind != forward.kind || (*entry)->best_by != NULL ||
            (collective->same_trees && !algorithm_has_same_trees(*entry, collective)) ||
            !algorithm_check(*entry, &forward, NULL))
            continue;
        uint64_t end = algorithm_end(*entry, &forward);
        if (best == NULL || end < least) {
            best = *entry;
            least = end;
        }
    }
    return best;
}

bool reverse_accepts(const struct collective *collective, struct err *err)
{
    const struct collective forward = forward_of(collective, true);
    const struct algorithm *by = collective->by;
    if (collective->source >= collective->n)
        return err_set(err, ERR_ALGORITHM,
                       "{source}: a reduction ends at a processor, and routers are none; expected "
                       "a leaf");
    if (by == NULL && collective->same_trees)
        return err_set(err, ERR_ALGORITHM,
                       "{order}: no %s in the model %s sends all packets by the same tree; "
                       "expected another model, or one port",
                       collective_name(forward.kind), model_name(collective->model));
    if (by == NULL)
        return err_set(err, ERR_ALGORITHM,
                       "{by}: no %s runs in the model %s; expected another model",
                       collective_name(forward.kind), model_name(collective->model));
    if (by->kind != forward.kind)
        return err_set(
            err, ERR_ALGORITHM,
            "{by}: the collective of %s is %s; expected an algorithm of %s, which is reversed",
            by->name, collective_name(by->kind), collective_name(forward.kind));
    bool copies = true;
    for (unsigned model = 0; model < MODEL_COUNT; model++)
        copies = copies && (!(by->models >> model & 1) || model_copies((enum model)model));
    if (copies)
        return err_set(err, ERR_ALGORITHM,
                       "{by}: the network copies packets for %s; expected another algorithm, "
                       "because backwards a node would receive several packets at a time",
                       by->name);
    return algorithm_check(by, &forward, err);
}

uint64_t reverse_end(const struct collective *collective)
{
    const struct collective forward = forward_of(collective, true);
    const uint64_t end = algorithm_end(collective->by, &forward);
    return end == ALGORITHM_UNKNOWN || !is_repeated(collective) ? end : end + collective->m - 1;
}

uint64_t reverse_end_twice(const struct collective *collective)
{
    const struct collective onward = forward_of(collective, false);
    uint64_t back = reverse_end(collective), end = algorithm_end(collective->by, &onward);
    return back == ALGORITHM_UNKNOWN || end == ALGORITHM_UNKNOWN ? ALGORITHM_UNKNOWN : back + end;
}

/* Returns a bit for each transfer: whether it brings its packet to the receiver for the first time.
 * Other transfers can be omitted. Returns NULL if there is no memory. The caller frees the
 * array. */
static uint64_t *first_receipts(const struct schedule *forward)
{
    size_t all = forward->topology.all, pairs = all * (forward->packets + (size_t)1);
    uint64_t *has = calloc(pairs / 64 + 1, sizeof *has);
    uint64_t *first = calloc(forward->transfer_count / 64 + 1, sizeof *first);
    for (size_t i = 0; has != NULL && first != NULL && i < forward->transfer_count; i++) {
        const struct transfer *transfer = &forward->transfer[i];
        size_t pair = transfer->packet * all + transfer->destination;
        bool starts =
            schedule_demand_of(forward, transfer->packet)->source == transfer->destination;
        bool again = starts || (has[pair / 64] >> (pair % 64) & 1);
        has[pair / 64] |= UINT64_C(1) << (pair % 64);
        first[i / 64] |= (uint64_t)!again << (i % 64);
    }
    free(has);
    if (has == NULL) {
        free(first);
        return NULL;
    }
    return first;
}

/* Appends transfer i of another schedule, of a packet with this number: reversed and combining, or
 * unchanged and replacing. */
static bool append(struct schedule *to, const struct schedule *from, size_t i, uint32_t packet,
                   bool backwards, struct err *err)
{
    struct transfer transfer = from->transfer[i];
    transfer.packet = packet;
    if (backwards)
        transfer = (struct transfer){transfer.destination, transfer.source, packet};
    unsigned combining = backwards ? 0 : COMBINING_REPLACE;
    if (!schedule_set_combining(to, to->transfer_count, combining, err))
        return false;
    return topology_has_routers(&to->topology)
               ? schedule_append_lane(to, transfer, schedule_lane(from, i), err)
               : schedule_append(to, transfer, err);
}

/* Appends the marked transfers of another schedule; its time 0 becomes the end of `to`. */
static bool append_steps(struct schedule *to, const struct schedule *from, const uint64_t first[],
                         bool backwards, struct err *err)
{
    bool timed = model_has_times(from->model), appended = true;
    uint64_t start = to->end, last = timed ? from->end - from->lambda.numerator : from->end + 1;
    if (!schedule_reserve(to, from->step_count, from->transfer_count, err))
        return false;
    for (size_t k = 0; appended && k < from->step_count; k++) {
        size_t which = backwards ? from->step_count - 1 - k : k;
        uint64_t time = from->step[which].time;
        appended = schedule_open_step(to, start + (backwards ? last - time : time), 1, err) != NULL;
        for (size_t i = from->step[which].first; appended && i < schedule_step_end(from, which);
             i++)
            if (first[i / 64] >> (i % 64) & 1)
                appended = append(to, from, i, from->transfer[i].packet, backwards, err);
        schedule_close_step(to, 0);
    }
    return appended;
}

/* Returns the round, from 1, in which step j is in the reversed schedule of rounds. */
static uint64_t reversed_round(const struct schedule *from, size_t j)
{
    return from->end + 1 - from->step[from->step_count - 1 - j].time;
}

/* Appends the marked transfers of a schedule of one packet, reversed, for each of `packets`
 * packets: those of each packet a round after those of the packet before it. A node sends a packet
 * once, so that it sends one packet in a round. */
static bool append_repeated(struct schedule *to, const struct schedule *from,
                            const uint64_t first[], uint32_t packets, struct err *err)
{
    const size_t steps = from->step_count;
    size_t oldest = 0;
    bool appended = schedule_check_size((uint64_t)from->transfer_count * packets, err) &&
                    schedule_reserve(to, from->end + packets, from->transfer_count * packets, err);
    for (uint64_t round = 1; appended && round < from->end + packets; round++) {
        while (oldest < steps && reversed_round(from, oldest) + packets <= round)
            oldest++;
        appended = schedule_open_step(to, round, 1, err) != NULL;
        for (size_t j = oldest; appended && j < steps && reversed_round(from, j) <= round; j++) {
            const uint32_t packet = (uint32_t)(round - reversed_round(from, j)) + 1;
            const size_t which = steps - 1 - j;
            for (size_t i = from->step[which].first; appended && i < schedule_step_end(from, which);
                 i++)
                if (first[i / 64] >> (i % 64) & 1)
                    appended = append(to, from, i, packet, true, err);
        }
        schedule_close_step(to, 0);
    }
    return appended;
}

/* Builds the schedule of collective->by and appends it, reversed if `backwards`. */
static bool append_forward(const struct collective *collective, bool backwards,
                           struct schedule *schedule, struct err *err)
{
    const struct collective forward = forward_of(collective, backwards);
    struct schedule from = {0};
    if (!algorithm_build(collective->by, &forward, &from, err))
        return false;
    uint64_t *first = first_receipts(&from);
    bool appended = false;
    if (first == NULL)
        err_no_memory(err, "receipts of %zu transfers", from.transfer_count);
    else if (backwards && is_repeated(collective))
        appended = append_repeated(schedule, &from, first, collective->m, err);
    else
        appended = append_steps(schedule, &from, first, backwards, err);
    free(first);
    schedule_free(&from);
    return appended;
}

bool reverse_build(const struct collective *collective, struct schedule *schedule, struct err *err)
{
    return append_forward(collective, true, schedule, err);
}

bool reverse_build_twice(const struct collective *collective, struct schedule *schedule,
                         struct err *err)
{
    return append_forward(collective, true, schedule, err) &&
           append_forward(collective, false, schedule, err);
}

bool reverse_mirror(struct schedule *schedule, size_t first_step, size_t end_step, uint64_t sum,
                    struct err *err)
{
    for (size_t k = end_step; k-- > first_step;) {
        size_t first = schedule->step[k].first, count = schedule_step_end(schedule, k) - first;
        if (schedule_open_step(schedule, sum - schedule->step[k].time, count, err) == NULL)
            return false;
        for (size_t i = first; i < first + count; i++) {
            struct transfer now = schedule->transfer[i];
            struct transfer back = {now.destination, now.source, now.packet};
            if (!schedule_set_combining(schedule, schedule->transfer_count, COMBINING_REPLACE,
                                        err) ||
                !schedule_append(schedule, back, err))
                return false;
        }
        schedule_close_step(schedule, 0);
    }
    return true;
}
