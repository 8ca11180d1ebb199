/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/draw.h"

#include <stdlib.h>
#include <string.h>

/* A transfer with all its properties. */
struct move {
    uint64_t time;
    struct transfer transfer;
    uint32_t lane;
    unsigned combining;
};

struct moves {
    struct move *move;
    size_t count;
};

static struct moves take_apart(const struct schedule *schedule)
{
    struct moves moves = {.move = malloc((schedule->transfer_count + 1) * sizeof(struct move))};
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t at = schedule->step[k].first; at < schedule_step_end(schedule, k); at++)
            moves.move[moves.count++] =
                (struct move){schedule->step[k].time, schedule->transfer[at],
                              schedule_lane(schedule, at), schedule_combining(schedule, at)};
    return moves;
}

static bool append(struct schedule *schedule, const struct move *move, struct err *err)
{
    if (!schedule_set_combining(schedule, schedule->transfer_count, move->combining, err))
        return false;
    return schedule->topology.kind == TOPOLOGY_TREE
               ? schedule_append_lane(schedule, move->transfer, move->lane, err)
               : schedule_append(schedule, move->transfer, err);
}

/* Replaces the schedule by one with these moves, stably sorted by time, and the same demands. */
static void put_together(const struct moves *moves, struct schedule *schedule)
{
    struct err err = {0};
    struct schedule made = {0};
    bool held = schedule_init_empty(&made, schedule->algorithm, &schedule->topology,
                                    schedule->model, &err) &&
                schedule_copy_demands(schedule, &made, &err);
    made.lambda = schedule->lambda;
    for (uint64_t time = 0, next = 0; held && next != UINT64_MAX; time = next) {
        bool open = false;
        next = UINT64_MAX;
        for (size_t k = 0; held && k < moves->count; k++) {
            const struct move *move = &moves->move[k];
            if (move->time > time && move->time < next)
                next = move->time;
            if (move->time != time)
                continue;
            held = (open || schedule_open_step(&made, time, 1, &err)) && append(&made, move, &err);
            open = true;
        }
        if (open)
            schedule_close_step(&made, 0);
    }
    fuzz_holds(held, &err, "a schedule again");
    schedule_free(schedule);
    *schedule = made;
}

/* Redirects a transfer: in a complete graph to any node, otherwise to the arc of another
 * transfer. */
static void redirect(struct fuzz_bytes *bytes, const struct schedule *schedule,
                     const struct moves *moves, struct move *move)
{
    const struct move *other = &moves->move[fuzz_take(bytes, (uint32_t)moves->count)];
    uint32_t packet = move->transfer.packet, shift = 1 + fuzz_take(bytes, 255);
    if (schedule->topology.kind != TOPOLOGY_COMPLETE) {
        move->transfer = other->transfer;
        move->transfer.packet = packet;
        move->lane = other->lane;
    } else if (shift % 2) {
        move->transfer.source = (move->transfer.source + shift) % schedule->nodes;
    } else {
        move->transfer.destination = (move->transfer.destination + shift) % schedule->nodes;
    }
    if (move->transfer.source == move->transfer.destination)
        move->transfer.destination = (move->transfer.destination + 1) % schedule->nodes;
}

static void change_transfer(struct fuzz_bytes *bytes, struct schedule *schedule)
{
    struct moves moves = take_apart(schedule);
    uint32_t what = fuzz_take(bytes, schedule->has_reductions ? 8 : 6);
    struct move *move = &moves.move[fuzz_take(bytes, (uint32_t)moves.count)];
    uint64_t least = !model_has_times(schedule->model);
    switch (what) {
    case 0:
        *move = moves.move[--moves.count];
        break;
    case 1:
        moves.move[moves.count++] = *move;
        break;
    case 2:
        move->time += 1 + fuzz_take(bytes, 4);
        break;
    case 3:
        move->time -= move->time > least;
        break;
    case 4:
        move->transfer.packet = 1 + fuzz_take(bytes, schedule->packets);
        break;
    case 6:
        move->combining ^= COMBINING_RECEIVED;
        break;
    case 7:
        move->combining ^= COMBINING_REPLACE;
        break;
    default:
        redirect(bytes, schedule, &moves, move);
    }
    put_together(&moves, schedule);
    free(moves.move);
}

/* Changes the set that a value counts, or its parts. */
static void change_control(struct fuzz_bytes *bytes, const struct schedule *schedule,
                           struct control *control)
{
    switch (fuzz_take(bytes, 4)) {
    case 0:
        control->value += 1;
        break;
    case 1:
        control->value -= control->value > 0;
        break;
    case 2:
        control->part_count -= control->part_count > 0;
        break;
    default:
        if (control->first_node + control->node_count < schedule->nodes)
            control->node_count += control->node_count > 0;
    }
}

static void change_demand(struct fuzz_bytes *bytes, struct schedule *schedule)
{
    struct demand *demand = &schedule->demand[fuzz_take(bytes, (uint32_t)schedule->demand_count)];
    if (demand->control != NULL && fuzz_take(bytes, 2))
        change_control(bytes, schedule, demand->control);
    else if (demand->wanted_count == 1 && fuzz_take(bytes, 2))
        demand->wanted[0] = fuzz_take(bytes, schedule->nodes);
    else if (demand->reduction != NULL)
        demand->reduction->ordered = !demand->reduction->ordered;
    else
        demand->source = fuzz_take(bytes, schedule->nodes);
}

void draw_mutation(struct fuzz_bytes *bytes, struct schedule *schedule)
{
    if (fuzz_take(bytes, 4) == 0)
        change_demand(bytes, schedule);
    else if (schedule->transfer_count > 0)
        change_transfer(bytes, schedule);
}
