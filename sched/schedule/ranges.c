/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/ranges.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>

#define NOBODY UINT32_MAX

/* What the check knows about each node. All arrays are [nodes]. */
struct replay {
    const struct schedule *schedule;
    struct ranges *ranges;
    void *memory;              /* of all arrays (arena.h) */
    uint32_t *parent;          /* the sender of packet 1; NOBODY before it arrives */
    uint32_t *size;            /* nodes of the range */
    uint32_t *order;           /* the nodes in the order in which they receive packet 1 */
    uint32_t *end;             /* last node of the range that is still to be served */
    uint32_t *sent;            /* packets of the current message that have been sent */
    uint32_t *received;        /* packets that have been sent to the node */
    uint64_t *next;            /* row from which the node may send */
    struct ranges_split *seen; /* a split of each node's last range, then of all ranges */
};

static bool irregular(const struct schedule *schedule, size_t step, struct err *err,
                      const char *text, uint32_t node)
{
    char time[SCHEDULE_TIME_TEXT];
    return err_set(err, ERR_IRREGULAR, "programs: ranges: %s: node %" PRIu32 " %s",
                   schedule_time_text(schedule, schedule->step[step].time, time), node, text);
}

static bool check_kind(const struct schedule *schedule, struct err *err)
{
    if (!schedule_is_broadcast(schedule) || !topology_joins_all(&schedule->topology) ||
        schedule->ports != 1 || model_copies(schedule->model))
        return err_set(err, ERR_IRREGULAR,
                       "programs: ranges: the schedule is not a broadcast on a complete graph with "
                       "one port and without copies; expected stored programs");
    return schedule->demand[0].source == 0 ||
           err_set(err, ERR_IRREGULAR,
                   "programs: ranges: the packets start at node %" PRIu32
                   "; expected node 0, where ranges begin",
                   schedule->demand[0].source);
}

static bool allocate(struct replay *replay, struct err *err)
{
    const size_t n = replay->schedule->nodes;
    const struct arena_array arrays[] = {ARENA(replay->parent, n), ARENA(replay->size, n),
                                         ARENA(replay->order, n),  ARENA(replay->end, n),
                                         ARENA(replay->sent, n),   ARENA(replay->received, n),
                                         ARENA(replay->next, n),   ARENA(replay->seen, n)};
    replay->memory = arena_new(arrays, ARENA_COUNT(arrays));
    replay->ranges->last = malloc(n * sizeof *replay->ranges->last);
    replay->ranges->split = malloc(n * sizeof *replay->ranges->split);
    return (replay->memory != NULL && replay->ranges->last != NULL &&
            replay->ranges->split != NULL) ||
           err_no_memory(err, "the ranges of %zu nodes", n);
}

/* Finds the sender of packet 1 to each node, and from that the size of each range. */
static void find_sizes(struct replay *replay)
{
    const struct schedule *schedule = replay->schedule;
    uint32_t count = 1;
    for (uint32_t node = 0; node < schedule->nodes; node++) {
        replay->parent[node] = NOBODY;
        replay->size[node] = 1;
    }
    for (size_t t = 0; t < schedule->transfer_count; t++) {
        const struct transfer *transfer = &schedule->transfer[t];
        if (transfer->packet != 1 || transfer->destination == 0 || count == schedule->nodes ||
            replay->parent[transfer->destination] != NOBODY)
            continue;
        replay->parent[transfer->destination] = transfer->source;
        replay->order[count++] = transfer->destination;
    }
    for (uint32_t k = count; k-- > 1;)
        replay->size[replay->parent[replay->order[k]]] += replay->size[replay->order[k]];
    for (uint32_t node = 0; node < schedule->nodes; node++)
        replay->ranges->last[node] = replay->end[node] = node + replay->size[node] - 1;
}

/* Checks the first packet of a message: the receiver gets the end of the sender's range. */
static bool check_split(struct replay *replay, size_t step, const struct transfer *transfer,
                        struct err *err)
{
    const uint32_t source = transfer->source, destination = transfer->destination;
    if (transfer->packet != 1 || destination <= source || destination > replay->end[source] ||
        replay->ranges->last[destination] != replay->end[source])
        return irregular(replay->schedule, step, err,
                         "sends something else than the end of its range; expected consecutive "
                         "nodes that get all packets in order",
                         source);
    replay->seen[destination] = (struct ranges_split){.others = replay->end[source] - source,
                                                      .nodes = destination - source};
    return true;
}

/* Checks that an endpoint would make this transfer in this row. No node waits for a packet: node 0
 * sends without a pause, so the packets of every message arrive without a pause. */
static bool check_transfer(struct replay *replay, size_t step, const struct transfer *transfer,
                           struct err *err)
{
    const struct schedule *schedule = replay->schedule;
    const uint32_t source = transfer->source, destination = transfer->destination;
    const uint64_t row = schedule_row(schedule, step);
    if (replay->sent[source] == 0 && !check_split(replay, step, transfer, err))
        return false;
    if (transfer->packet != replay->sent[source] + 1 ||
        transfer->packet != replay->received[destination] + 1 ||
        replay->parent[destination] != source)
        return irregular(schedule, step, err,
                         "sends another packet than the next one of its message; expected all "
                         "packets in order",
                         source);
    if (row != replay->next[source])
        return irregular(schedule, step, err,
                         "waits between two packets, or sends early; expected a packet as soon as "
                         "the node has it",
                         source);
    replay->next[source] = row + schedule->lambda.denominator;
    replay->received[destination] = transfer->packet;
    if (transfer->packet == 1)
        replay->next[destination] = row + schedule->lambda.numerator;
    replay->sent[source] = transfer->packet;
    if (transfer->packet == schedule->packets) {
        replay->sent[source] = 0;
        replay->end[source] = destination - 1;
    }
    return true;
}

static bool check_all(struct replay *replay, struct err *err)
{
    const struct schedule *schedule = replay->schedule;
    replay->received[0] = schedule->packets;
    for (size_t step = 0; step < schedule->step_count; step++)
        for (size_t t = schedule->step[step].first; t < schedule_step_end(schedule, step); t++)
            if (!check_transfer(replay, step, &schedule->transfer[t], err))
                return false;
    for (uint32_t node = 0; node < schedule->nodes; node++)
        if (replay->end[node] != node || replay->received[node] != schedule->packets)
            return err_set(err, ERR_IRREGULAR,
                           "programs: ranges: node %" PRIu32
                           " does not serve its whole range; expected a broadcast to every node",
                           node);
    return true;
}

static int compare_splits(const void *left, const void *right)
{
    const struct ranges_split *a = left, *b = right;
    return COMPARE(a->others, b->others);
}

/* Extends the last word of the table by a split, if it is kept or given alike. */
static bool extend(struct ranges_split *word, uint32_t first, const struct ranges_split *seen)
{
    const uint32_t given = seen->others + 1 - seen->nodes;
    /* A word for a single range, which is kept, may become either. */
    if (word->others == first && word->nodes != seen->nodes &&
        word->others + 1 - word->nodes == given) {
        word->gives = true;
        word->nodes = given;
    }
    if (word->nodes != (word->gives ? given : seen->nodes))
        return false;
    word->others = seen->others;
    return true;
}

/* Combines the splits that were seen into as few words as a greedy pass makes. */
static bool find_words(struct replay *replay, struct err *err)
{
    struct ranges *ranges = replay->ranges;
    const struct ranges_split *seen = replay->seen + 1;
    const size_t count = ranges->nodes - 1;
    uint32_t first = 0; /* the smallest range of the last word */
    qsort(replay->seen + 1, count, sizeof *seen, compare_splits);
    for (size_t k = 0; k < count; k++) {
        if (k > 0 && seen[k].others == seen[k - 1].others) {
            if (seen[k].nodes != seen[k - 1].nodes)
                return err_set(err, ERR_IRREGULAR,
                               "programs: ranges: %" PRIu32 " nodes are split after %" PRIu32
                               " and after %" PRIu32 " nodes; expected equal splits",
                               seen[k].others + 1, seen[k - 1].nodes, seen[k].nodes);
            continue;
        }
        if (ranges->split_count > 0 &&
            extend(&ranges->split[ranges->split_count - 1], first, &seen[k]))
            continue;
        ranges->split[ranges->split_count++] = seen[k];
        first = seen[k].others;
    }
    return true;
}

bool ranges_find(const struct schedule *schedule, struct ranges *ranges, struct err *err)
{
    struct replay replay = {.schedule = schedule, .ranges = ranges};
    *ranges = (struct ranges){.nodes = schedule->nodes, .packets = schedule->packets};
    if (!check_kind(schedule, err))
        return false;
    bool found = allocate(&replay, err);
    if (found)
        find_sizes(&replay);
    found = found && check_all(&replay, err) && find_words(&replay, err);
    free(replay.memory);
    if (!found)
        ranges_free(ranges);
    return found;
}

void ranges_free(struct ranges *ranges)
{
    free(ranges->last);
    free(ranges->split);
    *ranges = (struct ranges){0};
}

uint32_t ranges_receiver(const struct ranges_split split[], uint32_t count, uint32_t others)
{
    uint32_t nodes = 0;
    for (uint32_t k = 0; k < count; k++)
        if (others <= split[k].others && (k == 0 || others > split[k - 1].others))
            nodes |= split[k].gives ? others + 1 - split[k].nodes : split[k].nodes;
    return nodes >= 1 && nodes <= others ? nodes : others;
}
