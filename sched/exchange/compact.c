/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/compact.h"

#include "sched/exchange/operations.h"
#include "sched/exchange/rounds.h"

#include <inttypes.h>
#include <stdlib.h>

/* Checks that every transfer is a packet that moves from a node to another in a round. */
static bool check(const char *name, const struct schedule *schedule, struct err *err)
{
    bool plain = topology_joins_all(&schedule->topology) && schedule->ports <= 1 &&
                 !model_has_times(schedule->model) && !model_copies(schedule->model) &&
                 !model_combines(schedule->model) &&
                 schedule_data_packets(schedule) == schedule->packets && !schedule->has_reductions;
    return plain ||
           err_set(err, ERR_UNSUPPORTED,
                   "%s: {compact} finds rounds of nodes with one port that move packets on a "
                   "complete graph; expected such a schedule",
                   name);
}

/* Finds the first round in which the sender can have the packet. E302. */
static bool find_ready(const char *name, const struct schedule *schedule,
                       const struct operations *operations, const uint64_t round[], size_t index,
                       uint64_t *ready, struct err *err)
{
    const struct transfer *now = &schedule->transfer[index];
    size_t needs = operations->needs[index];
    bool arrives = needs != OPERATIONS_NONE &&
                   schedule_step_of(schedule, needs) < schedule_step_of(schedule, index);
    *ready = arrives ? round[needs] + 1 : 1;
    return arrives || schedule_demand_of(schedule, now->packet)->source == now->source ||
           err_set(err, ERR_NOT_HELD,
                   "%.150s:%" PRIu64 ": node %" PRIu32 " sends packet %" PRIu32
                   ", which it does not hold; expected it to arrive in an earlier round",
                   name, schedule_line(schedule, index), now->source, now->packet);
}

static bool place(const char *name, const struct schedule *schedule, struct rounds *rounds,
                  uint64_t round[], struct err *err)
{
    struct operations operations;
    if (!operations_new(schedule, &operations, err))
        return false;
    bool placed = true;
    for (size_t index = 0; placed && index < schedule->transfer_count; index++) {
        uint64_t ready;
        placed = find_ready(name, schedule, &operations, round, index, &ready, err) &&
                 rounds_place(rounds, schedule->transfer[index], ready, &round[index], err);
    }
    operations_free(&operations);
    return placed;
}

bool compact_schedule(const char *name, enum model model, struct schedule *schedule,
                      struct err *err)
{
    struct rounds rounds;
    if (!rounds_have(model, err) || !check(name, schedule, err) ||
        !rounds_begin(&rounds, schedule->nodes, model, err))
        return false;
    uint64_t *round = malloc((schedule->transfer_count + 1) * sizeof *round);
    struct schedule made = {0};
    bool done = round != NULL ? place(name, schedule, &rounds, round, err)
                              : err_no_memory(err, "%zu rounds", schedule->transfer_count);
    done = done &&
           schedule_init_empty(&made, schedule->algorithm, &schedule->topology, model, err) &&
           schedule_copy_demands(schedule, &made, err) && rounds_finish(&rounds, &made, err);
    free(round);
    rounds_free(&rounds);
    if (!done) {
        schedule_free(&made);
        return false;
    }
    schedule_free(schedule);
    *schedule = made;
    return true;
}
