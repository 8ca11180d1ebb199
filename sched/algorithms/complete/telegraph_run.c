/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/complete/telegraph_run.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/bound/bound.h"

#include <stdlib.h>
#include <string.h>

bool telegraph_run_init(struct telegraph_run *run, const struct collective *collective,
                        struct err *err)
{
    uint32_t n = collective->n, m = collective->m;
    const size_t nodes = n, packets = m;
    *run = (struct telegraph_run){.n = n, .m = m, .bound = bound_end(collective)};
    const struct arena_array arrays[] = {ARENA(run->holders, packets + 1),
                                         ARENA(run->open, packets),
                                         ARENA(run->at, packets + 1),
                                         ARENA(run->up_to, nodes),
                                         ARENA(run->senders, nodes),
                                         ARENA(run->receivers, nodes),
                                         ARENA(run->own, nodes)};
    run->memory = arena_new(arrays, ARENA_COUNT(arrays));
    bool there =
        run->memory != NULL || err_no_memory(err, "a choice among %u nodes and %u packets", n, m);
    if (there && telegraph_places_init(&run->places, n, m, err))
        return true;
    telegraph_run_free(run);
    return false;
}

void telegraph_run_free(struct telegraph_run *run)
{
    telegraph_places_free(&run->places);
    free(run->memory);
    *run = (struct telegraph_run){0};
}

/* Records one more holder of a packet: in `open` it is exchanged with the last packet that had as
 * many holders. O(1). */
static void add_holder(struct telegraph_run *run, uint32_t packet)
{
    uint32_t last = --run->up_to[run->holders[packet]++], at = run->at[packet];
    if (last == at)
        return;
    uint32_t other = run->open[last];
    run->open[at] = other;
    run->at[other] = at;
    run->open[last] = packet;
    run->at[packet] = last;
}

/* Introduces one more packet at the source. In `open` it comes first, because it alone has one
 * holder: the source sends its newest packet in the round that introduces it. For each number of
 * holders, the first packet moves to the end. O(n). */
static void bring_packet(struct telegraph_run *run)
{
    uint32_t packet = ++run->brought, at = packet - 1;
    while (at > 0) {
        uint32_t first = run->up_to[run->holders[run->open[at - 1]] - 1];
        run->open[at] = run->open[first];
        run->at[run->open[at]] = at;
        at = first;
    }
    for (uint32_t holders = 1; holders < run->n; holders++)
        run->up_to[holders]++;
    run->open[at] = packet;
    run->at[packet] = at;
    run->holders[packet] = 1;
    holdings_add(&run->places.rows, 0, packet);
    telegraph_places_receive(&run->places, 0, packet);
}

/* Returns the number of packets below which a node is late: a node that receives in every second
 * round can no longer catch up. In a steady run a node receives n/2 packets in n - 1 rounds; this
 * rate makes the rule independent of m. */
static uint32_t after(const struct telegraph_run *run)
{
    uint64_t left = run->t <= run->bound ? run->bound - run->t + 1 : 0;
    if (run->steady != NULL)
        left = left * run->n / (run->n - 1);
    return left / 2 < run->m ? run->m - (uint32_t)(left / 2) : 0;
}

/* Pairs free nodes that hold a packet with free nodes that lack it and, if `late`, are late. Nodes
 * with the most packets send first, node 0 last; nodes with the fewest receive first. */
static void pass_on(struct telegraph_run *run, uint32_t packet, bool late)
{
    uint32_t pairs = telegraph_places_pairs(&run->places, packet, late);
    if (pairs == 0)
        return;
    telegraph_places_take(&run->places, packet, pairs, run->receivers, run->senders);
    for (uint32_t pair = 0; pair < pairs; pair++)
        run->transfer[run->count++] =
            (struct transfer){run->senders[pair], run->receivers[pair], packet};
}

/* Finds the best transfer between two nodes: the newest packet, to the node with fewer packets if
 * possible. Returns false if no transfer is useful. */
static bool join(const struct telegraph_run *run, uint32_t one, uint32_t two,
                 struct transfer *transfer)
{
    bool swapped = run->places.held[one] < run->places.held[two];
    for (unsigned direction = 0; direction < 2; direction++, swapped = !swapped) {
        uint32_t from = swapped ? two : one, to = swapped ? one : two;
        uint32_t packet = holdings_newest(&run->places.rows, from, to);
        *transfer = (struct transfer){from, to, packet};
        if (packet != 0)
            return true;
    }
    return false;
}

/* Replaces a pair by two transfers, `first` and `second`. */
static void split_pair(struct telegraph_run *run, uint32_t which, struct transfer first,
                       struct transfer second)
{
    const struct transfer pair = run->transfer[which];
    telegraph_places_withdraw(&run->places, pair.destination, pair.packet);
    telegraph_places_receive(&run->places, first.destination, first.packet);
    telegraph_places_receive(&run->places, second.destination, second.packet);
    run->transfer[which] = first;
    run->transfer[run->count++] = second;
}

/* Splits pairs. Nodes that are still free all hold the same packets, so two of them cannot be
 * paired; instead the nodes of a pair are paired with two of them. The pairs chosen last are split
 * first, because their packets matter least. O(pairs·m/64). */
static void split_pairs(struct telegraph_run *run)
{
    uint32_t free = run->places.free < 2 ? 0 : telegraph_places_left(&run->places, run->receivers);
    for (uint32_t which = run->count; which-- > 0 && free >= 2;) {
        uint32_t one = run->receivers[free - 1], two = run->receivers[free - 2];
        const struct transfer pair = run->transfer[which];
        struct transfer first, second;
        if ((join(run, pair.source, one, &first) && join(run, pair.destination, two, &second)) ||
            (join(run, pair.destination, one, &first) && join(run, pair.source, two, &second))) {
            split_pair(run, which, first, second);
            free -= 2;
        }
    }
}

static void choose_transfers(struct telegraph_run *run)
{
    uint32_t open = run->up_to[run->n - 1];
    run->count = 0;
    for (uint32_t which = 0; which < open && run->places.free >= 2; which++) {
        if (!telegraph_places_any_late(&run->places))
            break;
        pass_on(run, run->open[which], true);
    }
    for (uint32_t which = 0; which < open && run->places.free >= 2; which++)
        pass_on(run, run->open[which], false);
    split_pairs(run);
}

static void play_transfers(struct telegraph_run *run)
{
    for (uint32_t which = 0; which < run->count; which++) {
        const struct transfer *transfer = &run->transfer[which];
        holdings_add(&run->places.rows, transfer->destination, transfer->packet);
        run->places.held[transfer->destination]++;
        add_holder(run, transfer->packet);
    }
    telegraph_places_end(&run->places);
    run->left -= run->count;
}

/* Draws the order in which ties are broken; a steady run derives it from the packets that nodes
 * lack. Only packets that some node lacks are needed later. */
static void order_places(struct telegraph_run *run, struct rng *rng)
{
    uint32_t first = run->brought, last = 1, open = run->up_to[run->n - 1];
    for (uint32_t which = 0; which < open; which++) {
        first = MIN(first, run->open[which]);
        last = MAX(last, run->open[which]);
    }
    if (run->steady != NULL)
        telegraph_places_sort(&run->places, run->steady->flips, first, run->brought);
    else
        telegraph_places_shuffle(&run->places, rng, first, last);
}

static void start(struct telegraph_run *run, struct schedule *schedule)
{
    telegraph_places_start(&run->places);
    run->brought = 0;
    memset(run->up_to, 0, run->n * sizeof *run->up_to);
    run->t = 0;
    run->left = (uint64_t)run->m * (run->n - 1);
    run->schedule = schedule;
}

uint64_t telegraph_run(struct telegraph_run *run, uint64_t seed, struct schedule *schedule,
                       struct err *err)
{
    struct rng rng = {seed};
    start(run, schedule);
    while (run->left > 0) {
        run->t++;
        run->transfer =
            schedule != NULL ? schedule_open_step(schedule, run->t, run->n, err) : run->own;
        if (run->transfer == NULL)
            return 0;
        if (run->brought < run->m &&
            (run->steady == NULL || run->brought < telegraph_steady_packets(run->steady, run->t)))
            bring_packet(run);
        if (run->steady != NULL || seed != 0)
            order_places(run, &rng);
        telegraph_places_round(&run->places, after(run));
        choose_transfers(run);
        play_transfers(run);
        if (schedule != NULL)
            schedule_close_step(schedule, run->count);
    }
    return run->t;
}
