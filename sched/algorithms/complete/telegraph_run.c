/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/complete/telegraph_run.h"

#include "sched/base/arena.h"
#include "sched/base/rng.h"
#include "sched/bound/bound.h"

#include <stdlib.h>
#include <string.h>

/* Holders of a packet are looked for by their bits if they are fewer than this part of the free
 * nodes. */
#define FEW_HOLDERS 16

bool telegraph_run_init(struct telegraph_run *run, const struct collective *collective,
                        struct err *err)
{
    uint32_t n = collective->n, m = collective->m;
    const size_t nodes = n, packets = m, bits = nodes / 64 + 1;
    *run = (struct telegraph_run){.n = n, .m = m, .bound = bound_end(collective)};
    const struct arena_array arrays[] = {
        ARENA(run->held, nodes),         ARENA(run->holders, packets + 1),
        ARENA(run->open, packets),       ARENA(run->place, packets + 1),
        ARENA(run->up_to, nodes),        ARENA(run->order, nodes),
        ARENA(run->next, nodes + 1),     ARENA(run->before, nodes + 1),
        ARENA(run->rank, nodes),         ARENA(run->sorted, nodes),
        ARENA(run->senders, nodes),      ARENA(run->receivers, nodes),
        ARENA(run->bucket, packets + 2), ARENA(run->idle, bits),
        ARENA(run->late, bits),          ARENA(run->own, nodes)};
    run->memory = arena_new(arrays, ARENA_COUNT(arrays));
    bool there =
        run->memory != NULL || err_no_memory(err, "a choice among %u nodes and %u packets", n, m);
    if (there && holdings_init(&run->holdings, n, m, err) &&
        holdings_init(&run->columns, m, n, err))
        return true;
    telegraph_run_free(run);
    return false;
}

void telegraph_run_free(struct telegraph_run *run)
{
    holdings_free(&run->holdings);
    holdings_free(&run->columns);
    free(run->memory);
    *run = (struct telegraph_run){0};
}

static bool has(const struct telegraph_run *run, uint32_t node, uint32_t packet)
{
    return holdings_has(&run->columns, packet - 1, node + 1);
}

static void give(struct telegraph_run *run, uint32_t node, uint32_t packet)
{
    holdings_add(&run->holdings, node, packet);
    holdings_add(&run->columns, packet - 1, node + 1);
}

/* One more node has the packet: in `open` it changes places with the last that had as many holders.
 * O(1). */
static void add_holder(struct telegraph_run *run, uint32_t packet)
{
    uint32_t last = --run->up_to[run->holders[packet]++];
    uint32_t other = run->open[last], place = run->place[packet];
    run->open[place] = other;
    run->place[other] = place;
    run->open[last] = packet;
    run->place[packet] = last;
}

/* The source has one packet more to give. In `open` it comes behind the packets with one holder:
 * for each greater number of holders, the first packet moves behind the last. O(n). */
static void bring_packet(struct telegraph_run *run)
{
    uint32_t packet = ++run->brought, place = packet - 1;
    for (uint32_t holders = run->n - 1; holders > 0; holders--) {
        uint32_t first = run->up_to[holders]++;
        if (first == place)
            continue;
        run->open[place] = run->open[first];
        run->place[run->open[place]] = place;
        place = first;
    }
    run->open[place] = packet;
    run->place[packet] = place;
    run->holders[packet] = 1;
    give(run, 0, packet);
}

/* Is it too late for a node that receives in every second round? */
static bool is_behind(const struct telegraph_run *run, uint32_t node)
{
    uint64_t left = run->t <= run->bound ? run->bound - run->t + 1 : 0;
    return node > 0 && 2 * (uint64_t)(run->m - run->held[node]) > left;
}

static void set_bit(uint64_t *bits, uint32_t node, bool value)
{
    uint64_t bit = UINT64_C(1) << node % 64;
    bits[node / 64] = value ? bits[node / 64] | bit : bits[node / 64] & ~bit;
}

static void link(struct telegraph_run *run, uint32_t node, uint32_t next)
{
    run->next[node] = next;
    run->before[next] = node;
}

/* Free all nodes: node 0, then the others by how many packets they hold, equals as they follow in
 * `order`. O(n), and the difference between the most and the fewest packets held. */
static void free_nodes(struct telegraph_run *run)
{
    const uint32_t *order = run->order, *held = run->held;
    uint32_t others = run->n - 1, least = held[order[0]], most = least, *bucket = run->bucket;
    for (uint32_t which = 1; which < others; which++) {
        least = held[order[which]] < least ? held[order[which]] : least;
        most = held[order[which]] > most ? held[order[which]] : most;
    }
    memset(bucket, 0, (most - least + 2) * sizeof *bucket);
    for (uint32_t which = 0; which < others; which++)
        bucket[held[order[which]] - least + 1]++;
    for (uint32_t more = 0; more < most - least; more++)
        bucket[more + 1] += bucket[more];
    run->sorted[0] = 0;
    for (uint32_t which = 0; which < others; which++)
        run->sorted[1 + bucket[held[order[which]] - least]++] = order[which];
    run->free_count = run->n;
    for (uint32_t which = 0, last = run->n; which <= others; which++) {
        uint32_t node = run->sorted[which];
        link(run, last, node);
        last = node;
        run->rank[node] = which;
        set_bit(run->idle, node, true);
        set_bit(run->late, node, is_behind(run, node));
    }
    link(run, run->sorted[others], run->n);
}

/* Is there a free node that holds the packet, and one that lacks it and, if `late`, is behind? This
 * looks at words of 64 nodes, because most packets that are tried late in a round are no use any
 * more. O(n/64). */
static bool is_useful(const struct telegraph_run *run, uint32_t packet, bool late)
{
    const uint64_t *held = run->columns.row + (packet - 1) * run->columns.words;
    const uint64_t *idle = run->idle, *wants = late ? run->late : run->idle;
    uint64_t holders = 0, lack = 0;
    for (size_t word = 0; word < run->columns.words; word++) {
        holders |= held[word] & idle[word];
        lack |= ~held[word] & wants[word];
    }
    return holders != 0 && lack != 0;
}

/* A free node has something to do in this round now. */
static void occupy(struct telegraph_run *run, uint32_t node)
{
    link(run, run->before[node], run->next[node]);
    run->free_count--;
    set_bit(run->idle, node, false);
    set_bit(run->late, node, false);
}

/* How many free nodes hold the packet. O(n/64). */
static uint32_t count_holders(const struct telegraph_run *run, uint32_t packet)
{
    const uint64_t *held = run->columns.row + (packet - 1) * run->columns.words;
    uint32_t count = 0;
    for (size_t word = 0; word < run->columns.words; word++)
        count += (uint32_t)__builtin_popcountll(held[word] & run->idle[word]);
    return count;
}

/* Find up to `most` free nodes that lack the packet, those with fewest packets first; if `late`,
 * only nodes that are behind. These come first, because a node that holds fewer is behind as well.
 * Node 0 lacks nothing. Returns how many there are. */
static uint32_t find_receivers(struct telegraph_run *run, uint32_t packet, bool late, uint32_t most)
{
    uint32_t count = 0;
    for (uint32_t node = run->next[run->n]; node < run->n && count < most; node = run->next[node]) {
        if (late && node > 0 && !is_behind(run, node))
            break;
        if (!has(run, node, packet))
            run->receivers[count++] = node;
    }
    return count;
}

static int compare_ranks(const void *one, const void *two, void *rank)
{
    const uint32_t *of = rank;
    return of[*(const uint32_t *)one] < of[*(const uint32_t *)two] ? 1 : -1;
}

/* All free nodes that hold the packet, the last first. O(n/64 + count log count). */
static void sort_holders(struct telegraph_run *run, uint32_t packet)
{
    const uint64_t *held = run->columns.row + (packet - 1) * run->columns.words;
    uint32_t count = 0;
    for (size_t word = 0; word < run->columns.words; word++)
        for (uint64_t bits = held[word] & run->idle[word]; bits != 0; bits &= bits - 1)
            run->senders[count++] = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits);
    qsort_r(run->senders, count, sizeof *run->senders, compare_ranks, run->rank);
}

/* Find `count` of the `holders` free nodes that hold the packet: those with most packets, the last
 * first. */
static void find_senders(struct telegraph_run *run, uint32_t packet, uint32_t holders,
                         uint32_t count)
{
    if (holders < run->free_count / FEW_HOLDERS) {
        sort_holders(run, packet);
        return;
    }
    for (uint32_t node = run->before[run->n], found = 0; found < count; node = run->before[node])
        if (has(run, node, packet))
            run->senders[found++] = node;
}

/* Free nodes that hold a packet give it to free nodes that lack it and, if `late`, are behind.
 * Nodes with most packets give, but node 0 last, to those with fewest. O(n/64) if there is nothing
 * to give, else O(nodes that are free) at worst; a rare packet's receivers are the first, its
 * holders are found by their bits. */
static void pass_on(struct telegraph_run *run, uint32_t packet, bool late)
{
    if (!is_useful(run, packet, late))
        return;
    uint32_t holders = count_holders(run, packet);
    uint32_t pairs = find_receivers(run, packet, late, holders);
    find_senders(run, packet, holders, pairs);
    for (uint32_t pair = 0; pair < pairs; pair++) {
        uint32_t sender = run->senders[pairs - 1 - pair], receiver = run->receivers[pair];
        run->transfer[run->count++] = (struct transfer){sender, receiver, packet};
        occupy(run, sender);
        occupy(run, receiver);
    }
}

/* The transfer between two nodes that is best: the newest packet, to the one with fewer packets if
 * that can be. False if none is useful. */
static bool join(const struct telegraph_run *run, uint32_t one, uint32_t two,
                 struct transfer *transfer)
{
    bool swapped = run->held[one] < run->held[two];
    for (unsigned way = 0; way < 2; way++, swapped = !swapped) {
        uint32_t from = swapped ? two : one, to = swapped ? one : two;
        uint32_t packet = holdings_newest(&run->holdings, from, to);
        *transfer = (struct transfer){from, to, packet};
        if (packet != 0)
            return true;
    }
    return false;
}

/* Nodes that are free now all hold the same packets: two of them are no pair. Split a pair between
 * two of them; the packets that matter least were paired last. O(pairs·m/64). */
static void split_pairs(struct telegraph_run *run)
{
    for (uint32_t which = run->count; which-- > 0 && run->free_count >= 2;) {
        uint32_t one = run->before[run->n], two = run->before[one];
        const struct transfer pair = run->transfer[which];
        struct transfer first, second;
        if ((join(run, pair.source, one, &first) && join(run, pair.destination, two, &second)) ||
            (join(run, pair.destination, one, &first) && join(run, pair.source, two, &second))) {
            run->transfer[which] = first;
            run->transfer[run->count++] = second;
            occupy(run, one);
            occupy(run, two);
        }
    }
}

static void choose_transfers(struct telegraph_run *run)
{
    uint32_t open = run->up_to[run->n - 1];
    run->count = 0;
    for (uint32_t which = 0; which < open && run->free_count >= 2; which++) {
        /* The node that holds fewest is the first: if it is not behind, none is. */
        uint32_t first = run->next[run->n];
        if (!is_behind(run, first > 0 ? first : run->next[first]))
            break;
        pass_on(run, run->open[which], true);
    }
    for (uint32_t which = 0; which < open && run->free_count >= 2; which++)
        pass_on(run, run->open[which], false);
    split_pairs(run);
}

static void play_transfers(struct telegraph_run *run)
{
    for (uint32_t which = 0; which < run->count; which++) {
        const struct transfer *transfer = &run->transfer[which];
        give(run, transfer->destination, transfer->packet);
        run->held[transfer->destination]++;
        add_holder(run, transfer->packet);
    }
    run->left -= run->count;
}

static void shuffle(struct telegraph_run *run, struct rng *rng)
{
    rng_permutation(rng, run->n - 1, run->order);
    for (uint32_t which = 0; which + 1 < run->n; which++)
        run->order[which]++;
}

static void start(struct telegraph_run *run, struct schedule *schedule)
{
    holdings_clear(&run->holdings);
    holdings_clear(&run->columns);
    memset(run->held, 0, run->n * sizeof *run->held);
    run->held[0] = run->m;
    for (uint32_t which = 0; which + 1 < run->n; which++)
        run->order[which] = which + 1;
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
        if (seed != 0)
            shuffle(run, &rng);
        if (run->brought < run->m)
            bring_packet(run);
        free_nodes(run);
        choose_transfers(run);
        play_transfers(run);
        if (schedule != NULL)
            schedule_close_step(schedule, run->count);
    }
    return run->t;
}
