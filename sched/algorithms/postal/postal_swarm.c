/* SPDX-License-Identifier: Apache-2.0 */
/* postal_swarm: many packets in the postal model, rarest packets first, all nodes busy.
 *
 * Whenever nodes can send and receive,
 *
 *     1. the source sends the next new packet to a node with the fewest packets;
 *     2. the other senders, those with the fewest packets first, are matched with receivers that
 *        lack one of their packets, those with the fewest packets first; a sender without a free
 *        receiver takes a receiver whose sender can serve another one;
 *     3. each sender sends the packet that its receiver lacks and the fewest nodes have.
 *
 * Ties are broken by seeds; with every fourth seed some senders pause at random. The earliest end
 * of up to SEEDS runs is taken; there are fewer runs for many receipts, and none after a run that
 * meets the bound. n = 4, m = 3, λ = 2 meets the bound of 6:
 *
 *     time     0        1        2        3        4
 *     p1       0→2               2→1      2→3
 *     p2                0→1               1→2      0→3
 *     p3                         0→3      0→1      3→2
 *
 * The end is not proved to be near the bound; postal_block.c has a gap that does not grow with m.
 * Ours; the rules are those of telegraph.c.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/base/text.h"
#include "sched/bound/bound.h"
#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RECEIPTS (UINT64_C(1) << 16)
#define FEW (UINT64_C(1) << 14)  /* most receipts for which the end is simulated */
#define WORK (UINT64_C(1) << 12) /* receipts of all runs together, about */
#define SEEDS 256

/* -- Swarms ------------------------------------------------------------------------------------ */

/* One run of postal-swarm; postal_swarm.c lists its rules. */

/* A node that can send or receive now. Nodes with a smaller key come first. */
struct swarm_node {
    uint64_t key;
    uint32_t node;
};

/* A packet that arrives at a node. */
struct swarm_arrival {
    uint64_t tick;
    uint32_t node, packet; /* packets from 0 */
};

struct swarm {
    uint32_t n, m;
    uint64_t latency, unit; /* ticks */
    struct rng rng;
    bool pausing;  /* some senders wait at random, which can be better for fractional λ */
    uint64_t left; /* receipts still to be sent */
    uint32_t next; /* the source has sent packets 0 … next-1 */

    void *memory;            /* storage of all arrays (arena.h) */
    size_t words;            /* words of a set of packets */
    uint64_t *held, *coming; /* [n][words]: packets that arrived; those and packets on the way */
    uint32_t *held_count, *coming_count, *holders; /* [n], [n]: their numbers; [m]: nodes sent it */
    uint64_t *sends_at, *receives_at;     /* [n]: the tick from which a node can send or receive */
    struct swarm_arrival *arrival;        /* [m(n-1)]: all arrivals, in order of time */
    size_t arrived, sent;                 /* number arrived, number sent */
    struct swarm_node *sender, *receiver; /* [n]: nodes that can send or receive now */
    uint32_t senders, receivers, matched;
    uint32_t *partner; /* [n]: the sender matched with a receiver; UINT32_MAX: none */
    uint32_t *looked;  /* [n]: number of the last search that considered a receiver */
    uint32_t search, looks;
};

#define NO_NODE UINT32_MAX
#define PAUSE 8     /* on average one of this number of senders waits */
#define LOOKS 20000 /* most receivers considered in a search for one sender */

/* Allocates a run. Precondition: n ≥ 2, λ ≥ 1. E104. */
static bool swarm_init(struct swarm *swarm, const struct collective *collective, struct err *err)
{
    size_t n = collective->n, m = collective->m, words = bits_divide_up(m, 64);
    *swarm = (struct swarm){.n = collective->n,
                            .m = collective->m,
                            .latency = collective->lambda.numerator,
                            .unit = collective->lambda.denominator,
                            .words = words};
    const struct arena_array arrays[] = {
        ARENA(swarm->held, n * words), ARENA(swarm->coming, n * words),
        ARENA(swarm->held_count, n),   ARENA(swarm->coming_count, n),
        ARENA(swarm->holders, m),      ARENA(swarm->sends_at, n),
        ARENA(swarm->receives_at, n),  ARENA(swarm->arrival, (n - 1) * m),
        ARENA(swarm->sender, n),       ARENA(swarm->receiver, n),
        ARENA(swarm->partner, n),      ARENA(swarm->looked, n)};
    swarm->memory = arena_new(arrays, ARENA_COUNT(arrays));
    return swarm->memory != NULL || err_no_memory(err, "a run of %u nodes", collective->n);
}

static void swarm_free(struct swarm *swarm)
{
    free(swarm->memory);
    *swarm = (struct swarm){0};
}

static void add_packet(const struct swarm *swarm, uint64_t set[], uint32_t node, uint32_t packet)
{
    set[node * swarm->words + packet / 64] |= UINT64_C(1) << packet % 64;
}

static void begin(struct swarm *swarm, uint64_t seed)
{
    size_t set = swarm->n * swarm->words * sizeof *swarm->held;
    memset(swarm->held, 0, set);
    memset(swarm->coming, 0, set);
    for (uint32_t node = 0; node < swarm->n; node++) {
        swarm->held_count[node] = swarm->coming_count[node] = node == 0 ? swarm->m : 0;
        swarm->sends_at[node] = swarm->receives_at[node] = 0;
        swarm->looked[node] = 0;
    }
    for (uint32_t packet = 0; packet < swarm->m; packet++) {
        add_packet(swarm, swarm->held, 0, packet);
        add_packet(swarm, swarm->coming, 0, packet);
        swarm->holders[packet] = 1;
    }
    swarm->rng.state = seed;
    swarm->pausing = seed % 4 == 3;
    swarm->left = (swarm->n - UINT64_C(1)) * swarm->m;
    swarm->next = swarm->search = 0;
    swarm->arrived = swarm->sent = 0;
}

static void deliver(struct swarm *swarm, uint64_t tick)
{
    for (; swarm->arrived < swarm->sent && swarm->arrival[swarm->arrived].tick <= tick;
         swarm->arrived++) {
        const struct swarm_arrival *arrival = &swarm->arrival[swarm->arrived];
        add_packet(swarm, swarm->held, arrival->node, arrival->packet);
        swarm->held_count[arrival->node]++;
    }
}

static int by_key(const void *left, const void *right)
{
    const struct swarm_node *a = left, *b = right;
    return compare_then(COMPARE(a->key, b->key), COMPARE(a->node, b->node));
}

static struct swarm_node keyed(struct swarm *swarm, uint32_t node, uint32_t count)
{
    return (struct swarm_node){(uint64_t)count << 32 | rng_next(&swarm->rng) >> 32, node};
}

/* Returns whether a sender waits for the next event. It waits only if an arrival is due. */
static bool pauses(struct swarm *swarm)
{
    return swarm->pausing && swarm->arrived < swarm->sent && rng_below(&swarm->rng, PAUSE) == 0;
}

/* Lists the nodes that can send, the source first and then those with the fewest packets, and the
 * nodes that can receive, those with the fewest packets first. */
static void list_nodes(struct swarm *swarm, uint64_t tick)
{
    swarm->senders = swarm->receivers = swarm->matched = 0;
    for (uint32_t node = 0; node < swarm->n; node++) {
        swarm->partner[node] = NO_NODE;
        if (swarm->held_count[node] > 0 && swarm->sends_at[node] <= tick && !pauses(swarm))
            swarm->sender[swarm->senders++] =
                keyed(swarm, node, node == 0 ? 0 : swarm->held_count[node]);
        if (swarm->coming_count[node] < swarm->m && swarm->receives_at[node] <= tick)
            swarm->receiver[swarm->receivers++] = keyed(swarm, node, swarm->coming_count[node]);
    }
    qsort(swarm->sender, swarm->senders, sizeof *swarm->sender, by_key);
    qsort(swarm->receiver, swarm->receivers, sizeof *swarm->receiver, by_key);
}

/* Returns whether a sender has a packet that a receiver lacks. The source has a new packet as long
 * as there are any. */
static bool can_serve(const struct swarm *swarm, uint32_t from, uint32_t to)
{
    if (from == 0 && swarm->next < swarm->m)
        return true;
    const uint64_t *held = swarm->held + from * swarm->words;
    const uint64_t *coming = swarm->coming + to * swarm->words;
    for (size_t word = 0; word < swarm->words; word++)
        if ((held[word] & ~coming[word]) != 0)
            return true;
    return false;
}

/* Finds a receiver for a sender: a free one, or one whose sender can serve another receiver.
 * Returns whether there is one. */
static bool find_receiver(struct swarm *swarm, uint32_t from)
{
    for (uint32_t which = 0; which < swarm->receivers; which++) {
        uint32_t to = swarm->receiver[which].node;
        if (swarm->partner[to] == NO_NODE && can_serve(swarm, from, to)) {
            swarm->partner[to] = from;
            return true;
        }
    }
    for (uint32_t which = 0; which < swarm->receivers && swarm->looks < LOOKS; which++) {
        uint32_t to = swarm->receiver[which].node;
        swarm->looks++;
        if (swarm->partner[to] == NO_NODE || swarm->looked[to] == swarm->search ||
            !can_serve(swarm, from, to))
            continue;
        swarm->looked[to] = swarm->search;
        if (find_receiver(swarm, swarm->partner[to])) {
            swarm->partner[to] = from;
            return true;
        }
    }
    return false;
}

static void match(struct swarm *swarm)
{
    for (uint32_t which = 0; which < swarm->senders && swarm->matched < swarm->receivers; which++) {
        swarm->search++;
        swarm->looks = 0;
        swarm->matched += find_receiver(swarm, swarm->sender[which].node);
    }
}

/* Returns the packet that a sender sends to a receiver: a new packet of the source, or else, of the
 * packets that the receiver lacks, the one that the fewest nodes have. */
static uint32_t choose_packet(struct swarm *swarm, uint32_t from, uint32_t to)
{
    if (from == 0 && swarm->next < swarm->m)
        return swarm->next++;
    const uint64_t *held = swarm->held + from * swarm->words;
    const uint64_t *coming = swarm->coming + to * swarm->words;
    uint64_t least = UINT64_MAX;
    uint32_t chosen = 0;
    for (size_t word = 0; word < swarm->words; word++)
        for (uint64_t set = held[word] & ~coming[word]; set != 0; set &= set - 1) {
            uint32_t packet = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(set);
            uint64_t key = (uint64_t)swarm->holders[packet] << 32 | rng_next(&swarm->rng) >> 32;
            if (key < least) {
                least = key;
                chosen = packet;
            }
        }
    return chosen;
}

/* Sends between all pairs of the tick. Returns the end of the transfers. */
static struct transfer *send(struct swarm *swarm, uint64_t tick, struct transfer *transfer)
{
    for (uint32_t which = 0; which < swarm->receivers; which++) {
        uint32_t to = swarm->receiver[which].node, from = swarm->partner[to];
        if (from == NO_NODE)
            continue;
        uint32_t packet = choose_packet(swarm, from, to);
        add_packet(swarm, swarm->coming, to, packet);
        swarm->coming_count[to]++;
        swarm->holders[packet]++;
        swarm->sends_at[from] = swarm->receives_at[to] = tick + swarm->unit;
        swarm->arrival[swarm->sent++] = (struct swarm_arrival){tick + swarm->latency, to, packet};
        swarm->left--;
        if (transfer != NULL)
            *transfer++ = (struct transfer){from, to, packet + 1};
    }
    return transfer;
}

/* Returns the next tick at which a packet arrives or a node is free again. A packet is on the way:
 * otherwise the source would have sent one. */
static uint64_t next_tick(const struct swarm *swarm, uint64_t tick, size_t *freed)
{
    uint64_t next = swarm->arrival[swarm->arrived].tick;
    while (*freed < swarm->sent &&
           swarm->arrival[*freed].tick - swarm->latency + swarm->unit <= tick)
        ++*freed;
    if (*freed < swarm->sent)
        next = MIN(next, swarm->arrival[*freed].tick - swarm->latency + swarm->unit);
    return next;
}

/* Simulates a run and appends the transfers to `schedule` unless it is NULL. Ties are broken by the
 * seed. Returns the end in ticks, or 0 with E104 (only with a schedule). May be called repeatedly.
 * O(ticks · n log n + receipts · (m/64 + looks)). */
static uint64_t swarm_run(struct swarm *swarm, uint64_t seed, struct schedule *schedule,
                          struct err *err)
{
    size_t freed = 0;
    begin(swarm, seed);
    for (uint64_t tick = 0; swarm->left > 0; tick = next_tick(swarm, tick, &freed)) {
        deliver(swarm, tick);
        list_nodes(swarm, tick);
        match(swarm);
        struct transfer *transfer = NULL;
        if (schedule != NULL && swarm->matched > 0) {
            transfer = schedule_open_step(schedule, tick, swarm->matched, err);
            if (transfer == NULL)
                return 0;
        }
        struct transfer *end = send(swarm, tick, transfer);
        if (transfer != NULL)
            schedule_close_step(schedule, (size_t)(end - transfer));
    }
    return swarm->arrival[swarm->sent - 1].tick;
}

static uint64_t receipts_of(const struct collective *collective)
{
    return (collective->n - UINT64_C(1)) * collective->m;
}

/* Sets *best to the seed with the earliest end. Returns that end in ticks. */
static uint64_t choose(struct swarm *swarm, const struct collective *collective, uint64_t *best)
{
    uint64_t seeds = MIN(SEEDS, WORK / receipts_of(collective) + 1), bound = bound_end(collective);
    uint64_t earliest = UINT64_MAX;
    for (uint64_t seed = 0; seed < seeds && earliest > bound; seed++) {
        uint64_t end = swarm_run(swarm, seed, NULL, NULL);
        if (end < earliest) {
            earliest = end;
            *best = seed;
        }
    }
    return earliest;
}

static uint64_t swarm_end(const struct collective *collective)
{
    struct swarm swarm;
    uint64_t best = 0;
    if (receipts_of(collective) > FEW || !swarm_init(&swarm, collective, NULL))
        return ALGORITHM_UNKNOWN;
    uint64_t end = choose(&swarm, collective, &best);
    swarm_free(&swarm);
    return end;
}

static bool swarm_build(const struct collective *collective, struct schedule *schedule,
                        struct err *err)
{
    struct swarm swarm;
    uint64_t best = 0;
    if (!schedule_reserve(schedule, 0, (size_t)receipts_of(collective), err) ||
        !swarm_init(&swarm, collective, err))
        return false;
    choose(&swarm, collective, &best);
    bool built = swarm_run(&swarm, best, schedule, err) > 0;
    swarm_free(&swarm);
    return built;
}

static bool swarm_accepts(const struct collective *collective, struct err *err)
{
    uint64_t receipts = receipts_of(collective);
    if (receipts > MAX_RECEIPTS)
        return err_set(err, ERR_ALGORITHM,
                       "postal-swarm of %" PRIu64 " receipts; expected at most %" PRIu64
                       ", or postal-block",
                       receipts, MAX_RECEIPTS);
    return true;
}

const struct algorithm algorithm_postal_swarm = {
    .name = "postal-swarm",
    .summary = "rarest packets first, all nodes busy: at or near the bound for few packets",
    .source = "our own",
    .models = 1u << MODEL_POSTAL,
    .accepts = swarm_accepts,
    .end = swarm_end,
    .build = swarm_build,
};
