/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/route_needs.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/route/fat_tree_auto.h"
#include "sched/route/packet_tracker.h"

#include <stdlib.h>

/* A packet comes into a queue in a step, or leaves it. */
struct event {
    uint32_t queue; /* queue_of */
    uint32_t step;
    int32_t change;
};

/* What leaves a queue in a step makes room for what comes in it. */
static int compare(const void *left, const void *right)
{
    const struct event *a = left, *b = right;
    return compare_then(COMPARE(a->queue, b->queue),
                        compare_then(COMPARE(a->step, b->step), COMPARE(a->change, b->change)));
}

/* Each branch has a queue: up from a node, or, from `all` on, down to it. With one port, packets
 * for one leaf each wait for all branches downwards in that of child 0. */
static uint32_t queue_of(const struct schedule *schedule, const struct transfer *transfer)
{
    const struct topology *tree = &schedule->topology;
    if (transfer->destination > transfer->source)
        return transfer->source;
    bool together = model_row(schedule->model)->one_link &&
                    schedule_demand_of(schedule, transfer->packet)->wanted_count == 1;
    unsigned level = topology_level(tree, transfer->source);
    return tree->all +
           (together ? topology_child(tree, level, transfer->source, 0) : transfer->destination);
}

/* The level of the router that has the queue. */
static unsigned queue_level(const struct topology *tree, uint32_t queue)
{
    return topology_level(tree, queue % tree->all) + (queue >= tree->all);
}

static void raise(uint32_t *most, uint32_t count)
{
    *most = MAX(*most, count);
}

/* Note what a router's transfer needs. */
static bool look_at(struct packet_tracker *walk, size_t index, struct event *event,
                    struct route_needs *needs, struct err *err)
{
    const struct topology *topology = &walk->schedule->topology;
    const struct transfer *transfer = &walk->schedule->transfer[index];
    const struct packet_stay *stay = packet_tracker_stay(walk, transfer);
    uint32_t read = packet_tracker_read(walk, stay);
    char node[TOPOLOGY_NODE_TEXT];
    if (read == MACHINE_MAX_READS)
        return err_set(
            err, ERR_TOO_SMALL,
            "route: router %s sends more than %d packets of one input in one step; expected fewer",
            topology_node_text(topology, transfer->source, node), MACHINE_MAX_READS);
    raise(&needs->depth[wiring_level(topology, wiring_router(topology, transfer->source))],
          walk->arrived[stay->input] - stay->number);
    raise(&needs->reads, read + 1);
    uint32_t queue = topology_has_routers(topology) ? queue_of(walk->schedule, transfer) : 0;
    event[0] = (struct event){queue, stay->step, 1};
    event[1] = (struct event){queue, (uint32_t)walk->step, -1};
    return true;
}

static void find_queues(const struct topology *tree, struct event *event, size_t count,
                        struct route_needs *needs)
{
    qsort(event, count, sizeof *event, compare);
    int64_t owed = 0;
    for (size_t k = 0; k < count; k++) {
        owed += event[k].change;
        raise(&needs->queue[queue_level(tree, event[k].queue)], (uint32_t)owed);
    }
}

bool route_needs_of(const struct schedule *schedule, struct route_needs *needs, struct err *err)
{
    *needs = (struct route_needs){.reads = 1};
    for (unsigned level = 1; level <= wiring_levels(&schedule->topology); level++)
        needs->depth[level] = needs->queue[level] = 1;
    struct packet_tracker walk;
    if (!packet_tracker_open(&walk, schedule, err))
        return false;
    size_t events = 0;
    struct event *event = malloc((2 * schedule->transfer_count + 1) * sizeof *event);
    bool found = event != NULL ||
                 err_no_memory(err, "the queues of %zu transfers", schedule->transfer_count);
    while (found && walk.step < schedule->step_count) {
        size_t end = schedule_step_end(schedule, walk.step);
        for (size_t t = schedule->step[walk.step].first; found && t < end; t++)
            if (packet_tracker_is_routed(&walk, &schedule->transfer[t])) {
                found = look_at(&walk, t, &event[events], needs, err);
                events += 2;
            }
        packet_tracker_next(&walk);
    }
    if (found && topology_has_routers(&schedule->topology))
        find_queues(&schedule->topology, event, events, needs);
    if (schedule->topology.dimensions > 0) {
        unsigned d = schedule->topology.dimensions;
        raise(&needs->queue[1], (uint32_t)bits_divide_up(schedule_data_packets(schedule), d));
    }
    free(event);
    packet_tracker_close(&walk);
    return found;
}

/* By kind: these build what routers do, if they go other ways than the schedule says between
 * leaves. */
static bool (*const builds[MACHINE_KINDS])(const struct schedule *asked, struct schedule *kept,
                                           struct err *err) = {
    [MACHINE_FAT_TREE_AUTO] = fat_tree_auto_build};

bool route_needs_on(const struct machine *machine, const struct schedule *schedule,
                    struct route_needs *needs, struct err *err)
{
    if (builds[machine->kind] == NULL)
        return route_needs_of(schedule, needs, err);
    struct schedule kept;
    if (!builds[machine->kind](schedule, &kept, err))
        return false;
    bool found = route_needs_of(&kept, needs, err);
    schedule_free(&kept);
    return found;
}
