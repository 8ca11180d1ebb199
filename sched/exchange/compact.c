/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/compact.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/exchange/operations.h"

#include <inttypes.h>
#include <stdlib.h>

struct rounds_rules compact_rules_of(const struct schedule *schedule)
{
    return (struct rounds_rules){&schedule->topology, schedule->model, schedule->lambda,
                                 schedule->ports};
}

/* --- checks ----------------------------------------------------------------------------------- */

/* Checks that the rules are those of a model, and that each node has a memory of its own. */
static bool check_rules(const char *name, const struct rounds_rules *rules,
                        const struct schedule *schedule, struct err *err)
{
    const struct model_row *model = model_row(rules->model);
    if (!model_check_topology(rules->model, rules->topology->kind, err))
        return false;
    if (rules->ports > 1 && !model->ports)
        return err_set(err, ERR_ALGORITHM, "{ports}: nodes have one port under %s; expected 1",
                       model->name);
    if (schedule->topology.shared > 0)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s: {compact} moves packets between nodes, but here nodes share a memory; "
                       "expected nodes with a memory of their own",
                       name);
    return schedule->nodes == rules->topology->nodes ||
           err_set(err, ERR_ALGORITHM,
                   "%s: %" PRIu32 " nodes; expected %" PRIu32 ", those of the %s", name,
                   schedule->nodes, rules->topology->nodes, topology_row(rules->topology)->title);
}

/* Checks that links join the nodes of all transfers. E211. */
static bool check_links(const char *name, const struct topology *topology,
                        const struct schedule *schedule, struct err *err)
{
    const struct topology_row *row = topology_row(topology);
    char from[TOPOLOGY_NODE_TEXT], to[TOPOLOGY_NODE_TEXT];
    for (size_t t = 0; row->joins != NULL && t < schedule->transfer_count; t++) {
        const struct transfer *transfer = &schedule->transfer[t];
        if (!row->joins(topology, transfer->source, transfer->destination))
            return err_set(err, ERR_NO_LINK,
                           "%.150s:%" PRIu64 ": no %s joins %s and %s; expected %s", name,
                           schedule_line(schedule, t), row->link,
                           topology_node_text(topology, transfer->source, from),
                           topology_node_text(topology, transfer->destination, to), row->joined);
    }
    return true;
}

/* --- packets that are moved ------------------------------------------------------------------- */

/* The places of transfers, and what control packets need: for each packet, where and when it first
 * left its source; for each node and packet, the first receipt. */
struct mover {
    const char *name;
    const struct schedule *schedule;
    const uint64_t *start; /* [transfers] in the schedule as it is */
    struct operations operations;
    struct rounds *rounds;
    uint64_t *round; /* [transfers] */
    size_t *left;    /* [packets + 1]: 1 + the first transfer of a control packet from its source */
    uint64_t *known; /* [packets + 1]: the first round in which the source knows its value */
};

/* Returns the first receipt of a packet by a node before a time; OPERATIONS_NONE if there is none.
 * O(operations of the node). */
static size_t receipt_before(const struct mover *mover, uint32_t node, uint32_t packet,
                             uint64_t time)
{
    const struct operations *operations = &mover->operations;
    for (size_t k = operations->first[node]; k < operations->first[node + 1]; k++) {
        const size_t index = operations->operation[k] / 2;
        if (operations->operation[k] % 2 == 1 && mover->schedule->transfer[index].packet == packet)
            return mover->start[index] + mover->schedule->lambda.numerator <= time
                       ? index
                       : OPERATIONS_NONE;
    }
    return OPERATIONS_NONE;
}

/* Finds the first round in which a part of a control packet is at its source, or has left it. E309.
 */
static bool find_part(const struct mover *mover, size_t index, uint32_t part, uint64_t *ready,
                      struct err *err)
{
    const struct transfer *now = &mover->schedule->transfer[index];
    const struct demand *demand = schedule_demand_of(mover->schedule, part);
    if (demand->source == now->source && demand->control == NULL)
        return true;
    const size_t left = mover->left[part],
                 came = receipt_before(mover, now->source, part, mover->start[index]);
    if (demand->source == now->source && left > 0 && mover->start[left - 1] < mover->start[index]) {
        *ready = MAX(*ready, mover->round[left - 1] + 1);
        return true;
    }
    if (demand->source != now->source && came != OPERATIONS_NONE) {
        *ready = MAX(*ready, mover->round[came] + mover->rounds->takes);
        return true;
    }
    return err_set(
        err, ERR_EARLY,
        "%.150s:%" PRIu64 ": node %" PRIu32 " sends packet %" PRIu32
        ", whose value is made of packet %" PRIu32 ", which it does not have; expected it earlier",
        mover->name, schedule_line(mover->schedule, index), now->source, now->packet, part);
}

/* Finds the first round in which a control packet can leave its source: after its parts, and not
 * before it first leaves. E309. */
static bool find_parts(struct mover *mover, size_t index, uint64_t *ready, struct err *err)
{
    const struct transfer *now = &mover->schedule->transfer[index];
    const struct demand *demand = schedule_demand_of(mover->schedule, now->packet);
    if (demand->control == NULL || demand->source != now->source)
        return true;
    bool found = true;
    uint64_t *known = &mover->known[now->packet];
    const uint32_t parts = mover->left[now->packet] == 0 ? demand->control->part_count : 0;
    for (uint32_t which = 0; found && which < parts; which++)
        found = find_part(mover, index, demand->control->part[which], known, err);
    *ready = MAX(*ready, *known);
    if (mover->left[now->packet] == 0)
        mover->left[now->packet] = index + 1;
    else
        *ready = MAX(*ready, mover->round[mover->left[now->packet] - 1]);
    return found;
}

/* Finds the first round in which the sender can have the packet. E302, E309. */
static bool find_ready(struct mover *mover, size_t index, uint64_t *ready, struct err *err)
{
    const struct schedule *schedule = mover->schedule;
    const struct transfer *now = &schedule->transfer[index];
    const size_t needs = mover->operations.needs[index], came = mover->operations.came[index];
    bool arrives = needs != OPERATIONS_NONE &&
                   mover->start[needs] + schedule->lambda.numerator <= mover->start[index];
    *ready = arrives ? mover->round[needs] + mover->rounds->takes : 0;
    if (came != index)
        *ready = MAX(*ready, mover->round[came]);
    if (!arrives && schedule_demand_of(schedule, now->packet)->source != now->source)
        return err_set(err, ERR_NOT_HELD,
                       "%.150s:%" PRIu64 ": node %" PRIu32 " sends packet %" PRIu32
                       ", which it does not hold; expected it to arrive %s",
                       mover->name, schedule_line(schedule, index), now->source, now->packet,
                       model_has_times(schedule->model) ? "by then" : "in an earlier round");
    return find_parts(mover, index, ready, err);
}

static bool place_moved(struct mover *mover, struct err *err)
{
    if (!operations_new(mover->schedule, &mover->operations, err))
        return false;
    bool placed = true;
    for (size_t index = 0; placed && index < mover->schedule->transfer_count; index++) {
        uint64_t ready;
        placed = find_ready(mover, index, &ready, err) &&
                 rounds_place(mover->rounds, mover->schedule->transfer[index], ready,
                              &mover->round[index], err);
    }
    operations_free(&mover->operations);
    return placed;
}

/* --- the schedule ----------------------------------------------------------------------------- */

/* Makes a schedule with the rules and the demands of another one. */
static bool begin(const struct schedule *schedule, const struct rounds_rules *rules,
                  struct schedule *made, struct err *err)
{
    if (!schedule_init_empty(made, schedule->algorithm, rules->topology, rules->model, err))
        return false;
    made->ports = MAX(rules->ports, 1);
    if (model_has_times(rules->model))
        made->lambda = rules->lambda;
    return schedule_copy_demands(schedule, made, err);
}

/* Places all transfers once. */
static bool place(const char *name, const struct rounds_rules *rules,
                  const struct schedule *schedule, struct schedule *made, bool *in_flight,
                  struct err *err)
{
    const size_t count = schedule->transfer_count;
    struct rounds rounds;
    struct mover mover = {.name = name, .schedule = schedule, .rounds = &rounds};
    uint64_t *start = NULL;
    const struct arena_array arrays[] = {ARENA(start, count + 1), ARENA(mover.round, count + 1),
                                         ARENA(mover.left, schedule->packets + (size_t)1),
                                         ARENA(mover.known, schedule->packets + (size_t)1)};
    if (!rounds_begin_rules(&rounds, rules, err))
        return false;
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    bool done = memory != NULL || err_no_memory(err, "%zu rounds", count);
    for (size_t k = 0; done && k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++)
            start[t] = schedule->step[k].time;
    mover.start = start;
    *in_flight = false;
    done = done && (schedule->has_reductions
                        ? compact_combined(name, schedule, start, &rounds, in_flight, err)
                        : place_moved(&mover, err));
    done = done && begin(schedule, rules, made, err) && rounds_finish(&rounds, made, err);
    free(memory);
    rounds_free(&rounds);
    if (!done)
        schedule_free(made);
    return done;
}

/* Returns the sum of the times of all transfers. */
static uint64_t sum_of(const struct schedule *schedule)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < schedule->step_count; k++)
        sum += schedule->step[k].time * (schedule_step_end(schedule, k) - schedule->step[k].first);
    return sum;
}

static bool is_earlier(const struct schedule *schedule, const struct schedule *before)
{
    return schedule->end < before->end ||
           (schedule->end == before->end && sum_of(schedule) < sum_of(before));
}

/* Finds whether each transfer keeps its time if the transfers are placed no earlier than they are,
 * so that the ports and links obey the rules. E104. */
static bool check_obeys(const struct schedule *schedule, const struct rounds_rules *rules,
                        bool *obeys, struct err *err)
{
    struct rounds rounds;
    bool done = rounds_begin_rules(&rounds, rules, err);
    *obeys = done;
    for (size_t k = 0; *obeys && k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first; *obeys && t < schedule_step_end(schedule, k);
             t++) {
            uint64_t round = 0;
            done =
                rounds_place(&rounds, schedule->transfer[t], schedule->step[k].time, &round, err);
            *obeys = done && round == schedule->step[k].time;
        }
    rounds_free(&rounds);
    return done;
}

/* Returns whether a schedule with packets in flight has the rules. Its model has times, and with
 * them a complete graph. */
static bool has_rules(const struct schedule *schedule, const struct rounds_rules *rules)
{
    return schedule->model == rules->model && schedule->ports == MAX(rules->ports, 1) &&
           rational_equal(schedule->lambda, rules->lambda);
}

bool compact_schedule(const char *name, const struct rounds_rules *rules, struct schedule *schedule,
                      struct err *err)
{
    const struct topology topology = *rules->topology; /* which may be that of the schedule */
    const struct rounds_rules kept = {&topology, rules->model, rules->lambda, rules->ports};
    struct schedule made = {0};
    bool in_flight = false;
    if (!check_rules(name, &kept, schedule, err) || !check_links(name, &topology, schedule, err) ||
        !place(name, &kept, schedule, &made, &in_flight, err))
        return false;
    /* Only packets in flight can be later than before: repeat as long as they are earlier. */
    bool keep = in_flight && has_rules(schedule, &kept) && !is_earlier(&made, schedule);
    if (keep && !check_obeys(schedule, &kept, &keep, err)) {
        schedule_free(&made);
        return false;
    }
    for (bool earlier = true; in_flight && !keep && earlier;) {
        struct schedule next = {0};
        if (!place(name, &kept, &made, &next, &in_flight, err)) {
            schedule_free(&made);
            return false;
        }
        earlier = is_earlier(&next, &made);
        schedule_free(earlier ? &made : &next);
        if (earlier)
            made = next;
    }
    if (keep) {
        schedule_free(&made);
        return true;
    }
    made.in_place = schedule->in_place;
    schedule_free(schedule);
    *schedule = made;
    return true;
}
