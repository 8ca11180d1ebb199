/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/complete/matching.h"

#include "sched/algorithms/algorithm.h"
#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"

#include <stdlib.h>
#include <string.h>

/* Below this number of nodes a comparison sort is faster than a counting sort. */
#define MANY 64

bool matching_odd_run_init(struct matching_odd_run *run, const struct collective *collective,
                           struct err *err)
{
    size_t n = collective->n;
    *run = (struct matching_odd_run){.n = collective->n, .m = collective->m};
    const struct arena_array arrays[] = {ARENA(run->missing, n),        ARENA(run->idled, n),
                                         ARENA(run->role, n),           ARENA(run->next, n),
                                         ARENA(run->paired, n),         ARENA(run->scratch, n),
                                         ARENA(run->marks, n / 64 + 1), ARENA(run->bucket, n + 1)};
    run->memory = arena_new(arrays, ARENA_COUNT(arrays));
    matching_roles(run->n - 1, &run->roles);
    bool there = run->memory != NULL || err_no_memory(err, "the roles of %u nodes", run->n);
    if (there && holdings_init(&run->holdings, run->n, run->m, err))
        return true;
    matching_odd_run_free(run);
    return false;
}

void matching_odd_run_free(struct matching_odd_run *run)
{
    holdings_free(&run->holdings);
    free(run->memory);
    *run = (struct matching_odd_run){0};
}

/* Returns whether `node` comes before `other`: nodes with fewer missing packets come first, then
 * nodes that have idled less. */
static bool before(const struct matching_odd_run *run, uint32_t node, uint32_t other)
{
    if (run->missing[node] != run->missing[other])
        return run->missing[node] < run->missing[other];
    if (run->idled[node] != run->idled[other])
        return run->idled[node] < run->idled[other];
    return node < other;
}

static int compare(const void *one, const void *two, void *run)
{
    return before(run, *(const uint32_t *)one, *(const uint32_t *)two) ? 1 : -1;
}

/* Returns the position in first … end - 1 whose node comes first in that order; last_of: last. */
static uint32_t first_of(const struct matching_odd_run *run, uint32_t first, uint32_t end)
{
    uint32_t found = first;
    for (uint32_t position = first + 1; position < end; position++)
        if (before(run, run->role[position], run->role[found]))
            found = position;
    return found;
}

static uint32_t last_of(const struct matching_odd_run *run, uint32_t first, uint32_t end)
{
    uint32_t found = first;
    for (uint32_t position = first + 1; position < end; position++)
        if (before(run, run->role[found], run->role[position]))
            found = position;
    return found;
}

static void swap_roles(struct matching_odd_run *run, uint32_t one, uint32_t two)
{
    uint32_t node = run->role[one];
    run->role[one] = run->role[two];
    run->role[two] = node;
}

/* Declares packets 1 … settled due at all nodes, and counts those that are missing. settled is at
 * most m, because there are at most m + k main rounds. */
static void settle(struct matching_odd_run *run, uint64_t settled)
{
    for (; run->settled < settled; run->settled++)
        for (uint32_t node = 1; node < run->n; node++)
            run->missing[node] += !holdings_has(&run->holdings, node, run->settled + 1);
}

/* Returns the packet that `from` sends to `to`: the nominal one if `from` has it and `to` lacks it,
 * else the oldest such packet; 0 if there is none. */
static uint32_t useful(const struct matching_odd_run *run, uint32_t from, uint32_t to,
                       uint32_t nominal)
{
    const struct holdings *holdings = &run->holdings;
    if (nominal > 0 && holdings_has(holdings, from, nominal) &&
        !holdings_has(holdings, to, nominal))
        return nominal;
    return holdings_oldest(holdings, from, to);
}

static void give(struct matching_odd_run *run, uint32_t from, uint32_t to, uint32_t packet)
{
    if (packet == 0)
        return;
    holdings_add(&run->holdings, to, packet);
    run->missing[to] -= packet <= run->settled;
    run->transfer[run->count++] = (struct transfer){from, to, packet};
}

/* Exchanges packets between two nodes. Both choose from the packets that they held before the
 * round. */
static void exchange(struct matching_odd_run *run, uint32_t one, uint32_t two, uint32_t nominal_one,
                     uint32_t nominal_two)
{
    uint32_t to_two = useful(run, one, two, nominal_one),
             to_one = useful(run, two, one, nominal_two);
    give(run, one, two, to_two);
    give(run, two, one, to_one);
}

/* Finds the positions of the node of Y and Z with the fewest missing packets and of the node of
 * T_{k-1} with the most. Returns false if Y and Z are empty. */
static bool find_apart(const struct matching_odd_run *run, uint32_t *one, uint32_t *two)
{
    uint32_t stay = run->roles.stay;
    if (stay == run->roles.count)
        return false;
    *one = first_of(run, stay, run->roles.count);
    *two = last_of(run, run->roles.taker, stay);
    return true;
}

/* Exchanges these two nodes if their missing packets differ by at least `lead`. Returns the
 * position in T_{k-1}; `stay` if there was no exchange. */
static uint32_t exchange_roles(struct matching_odd_run *run, uint32_t lead)
{
    uint32_t one, two;
    if (!find_apart(run, &one, &two) ||
        run->missing[run->role[one]] + (uint64_t)lead > run->missing[run->role[two]])
        return run->roles.stay;
    swap_roles(run, one, two);
    return two;
}

/* Records the leads that would exchange two nodes in this round. */
static void note_apart(struct matching_odd_run *run)
{
    uint32_t one, two;
    if (!find_apart(run, &one, &two))
        return;
    for (uint32_t lead = 1; lead <= MATCHING_ODD_LEADS; lead++)
        if (run->missing[run->role[one]] + (uint64_t)lead <= run->missing[run->role[two]])
            run->apart[lead] = MAX(run->apart[lead], run->t);
}

bool matching_odd_is_none(const struct matching_odd_run *run, struct matching_odd_choice choice)
{
    uint64_t last = choice.lead <= MATCHING_ODD_LEADS ? run->apart[choice.lead] : UINT64_MAX;
    return choice.lead > 0 && (last == 0 || last < choice.start);
}

/* A number for each node, and its range over some nodes. */
struct range {
    const uint32_t *of; /* [node] */
    uint32_t least, most;
};

static struct range range_of(const uint32_t of[], const uint32_t node[], uint32_t count)
{
    struct range range = {of, of[node[0]], of[node[0]]};
    for (uint32_t which = 1; which < count; which++) {
        range.least = MIN(range.least, of[node[which]]);
        range.most = MAX(range.most, of[node[which]]);
    }
    return range;
}

/* Sorts nodes by that number, descending; nodes with equal numbers keep their order. */
static void sort_by(struct matching_odd_run *run, struct range range, const uint32_t from[],
                    uint32_t to[], uint32_t count)
{
    uint32_t *bucket = run->bucket, sum = 0;
    memset(bucket, 0, (range.most - range.least + 1) * sizeof *bucket);
    for (uint32_t which = 0; which < count; which++)
        bucket[range.most - range.of[from[which]]]++;
    for (uint32_t less = 0; less <= range.most - range.least; less++) {
        uint32_t equals = bucket[less];
        bucket[less] = sum;
        sum += equals;
    }
    for (uint32_t which = 0; which < count; which++)
        to[bucket[range.most - range.of[from[which]]]++] = from[which];
}

/* Sorts nodes by descending node number, using one bit per node. O(n/64 + count). */
static void sort_numbers(struct matching_odd_run *run, uint32_t node[], uint32_t count)
{
    uint32_t sorted = 0;
    for (uint32_t which = 0; which < count; which++)
        run->marks[node[which] / 64] |= UINT64_C(1) << node[which] % 64;
    for (uint32_t word = run->n / 64 + 1; word-- > 0; run->marks[word] = 0)
        for (uint64_t bits = run->marks[word]; bits != 0;) {
            unsigned bit = 63 - (unsigned)__builtin_clzll(bits);
            node[sorted++] = word * 64 + bit;
            bits &= ~(UINT64_C(1) << bit);
        }
}

/* Sorts the nodes in the reverse order of `before`: by number, then stably by rounds idled, then by
 * missing packets. */
static void sort_last_first(struct matching_odd_run *run, uint32_t node[], uint32_t count)
{
    struct range idled = {0}, missing = {0};
    if (count >= MANY) {
        idled = range_of(run->idled, node, count);
        missing = range_of(run->missing, node, count);
    }
    if (count < MANY || idled.most - idled.least >= count ||
        missing.most - missing.least >= count) {
        qsort_r(node, count, sizeof *node, compare, run);
        return;
    }
    sort_numbers(run, node, count);
    sort_by(run, idled, node, run->next, count);
    sort_by(run, missing, run->next, node, count);
}

/* Chooses the node of T_{k-1} that idles, and sorts the others, which are paired with mates in
 * order: nodes with the most missing packets come first, because the first mates move to the sets
 * that are farthest from idling. */
static void order_takers(struct matching_odd_run *run, struct matching_odd_choice choice,
                         bool is_last)
{
    uint32_t taker = run->roles.taker, stay = run->roles.stay;
    if (choice.lead == 0)
        note_apart(run);
    else if (run->t >= choice.start)
        exchange_roles(run, choice.lead);
    uint32_t idle = choice.last && is_last ? exchange_roles(run, 0) : stay;
    swap_roles(run, taker, idle < stay ? idle : first_of(run, taker, stay));
    sort_last_first(run, run->role + taker + 1, stay - taker - 1);
}

static void run_group(struct matching_odd_run *run, const struct matching_group *group)
{
    const uint32_t *members = run->role + group->first, *mates = run->role + group->mates;
    uint32_t packet = matching_packet(run->t, group->age, run->m);
    uint32_t common = matching_packet(run->t, run->roles.common_age, run->m);
    for (uint32_t which = 0; which < group->count; which++)
        exchange(run, members[which], mates[which], packet, common);
    memcpy(run->next + group->next, members, group->count * sizeof *members);
    memcpy(run->next + group->mates_next, mates, group->count * sizeof *mates);
}

/* Gives r a packet. Node 0 sends it; if node 0 may rest, r instead exchanges packets with the node
 * that would idle, provided that both gain one: then the round has one more receipt. */
static void serve(struct matching_odd_run *run, uint32_t r, uint32_t idle, bool rest)
{
    uint32_t newest = matching_packet(run->t, 0, run->m);
    holdings_add(&run->holdings, 0, newest);
    if (rest && holdings_oldest(&run->holdings, idle, r) != 0 &&
        holdings_oldest(&run->holdings, r, idle) != 0)
        exchange(run, idle, r, newest, newest);
    else
        give(run, 0, r, useful(run, 0, r, newest));
}

/* Simulates a main round. The node that idled in the previous round becomes r, the receiver from
 * node 0, a role that requires no packet. */
static void main_round(struct matching_odd_run *run, bool rest)
{
    uint32_t taker = run->idle;
    serve(run, taker, run->role[run->roles.taker], rest);
    for (unsigned which = 0; which < run->roles.group_count; which++)
        run_group(run, &run->roles.group[which]);
    run->next[0] = taker;
    run->idle = run->role[run->roles.taker];
    run->idled[run->idle]++;
    uint32_t *role = run->role;
    run->role = run->next;
    run->next = role;
}

static int compare_missing(const void *one, const void *two, void *missing)
{
    const uint32_t *of = missing, a = *(const uint32_t *)one, b = *(const uint32_t *)two;
    return compare_then(COMPARE(of[b], of[a]), COMPARE(a, b));
}

/* Lists the nodes that lack a packet, those that lack most first. Returns how many there are. O(n
 * log n). */
static uint32_t list_lacking(const struct matching_odd_run *run, uint32_t lacking[])
{
    uint32_t count = 0;
    for (uint32_t node = 1; node < run->n; node++)
        if (run->missing[node] > 0)
            lacking[count++] = node;
    qsort_r(lacking, count, sizeof *lacking, compare_missing, run->missing);
    return count;
}

/* Returns the partner of lacking[which] among the entries after it: the first entry with which both
 * gain a packet, else the first with which at least one gains; 0 if there is none. */
static uint32_t find_partner(const struct matching_odd_run *run, const uint32_t lacking[],
                             uint32_t which, uint32_t count)
{
    uint32_t node = lacking[which], found = 0;
    for (uint32_t other = which + 1; other < count; other++) {
        uint32_t partner = lacking[other];
        if (run->paired[partner])
            continue;
        bool gives = holdings_oldest(&run->holdings, node, partner) != 0;
        bool gets = holdings_oldest(&run->holdings, partner, node) != 0;
        if (gives && gets)
            return partner;
        if ((gives || gets) && found == 0)
            found = partner;
    }
    return found;
}

/* Pairs each node that lacks a packet with another such node, or else with a node that lacks none;
 * node 0 is the first of the latter. */
static void final_round(struct matching_odd_run *run, uint32_t lacking[], uint32_t count)
{
    uint32_t complete = 0;
    memset(run->paired, 0, run->n * sizeof *run->paired);
    for (uint32_t which = 0; which < count; which++) {
        uint32_t node = lacking[which];
        if (run->paired[node])
            continue;
        uint32_t partner = find_partner(run, lacking, which, count);
        if (partner == 0) {
            while (complete < run->n && (run->missing[complete] > 0 || run->paired[complete]))
                complete++;
            if (complete == run->n)
                continue;
            partner = complete++;
        }
        run->paired[node] = run->paired[partner] = true;
        exchange(run, node, partner, 0, 0);
    }
}

static bool open_round(struct matching_odd_run *run, struct err *err)
{
    run->t++;
    run->count = 0;
    run->transfer = run->schedule != NULL ? schedule_open_step(run->schedule, run->t, run->n, err)
                                          : run->scratch;
    return run->transfer != NULL;
}

static void close_round(struct matching_odd_run *run)
{
    if (run->schedule != NULL)
        schedule_close_step(run->schedule, run->count);
}

/* Initializes a run: all nodes except node 0 start without packets, the last node as if it had
 * idled in round 0. */
static void start(struct matching_odd_run *run, struct schedule *schedule)
{
    holdings_clear(&run->holdings);
    memset(run->missing, 0, run->n * sizeof *run->missing);
    memset(run->idled, 0, run->n * sizeof *run->idled);
    for (uint32_t position = 0; position < run->roles.count; position++)
        run->role[position] = position + 1;
    run->idle = run->n - 1;
    run->t = 0;
    run->settled = 0;
    run->schedule = schedule;
}

uint64_t matching_odd_run(struct matching_odd_run *run, struct matching_odd_choice choice,
                          struct schedule *schedule, struct err *err)
{
    unsigned k = bits_log2_down(run->n - 1);
    uint64_t rounds = (uint64_t)run->m - 1 + bits_log2_up(run->n - 1);
    start(run, schedule);
    while (run->t < rounds) {
        if (!open_round(run, err))
            return 0;
        settle(run, run->t > k + 1 ? run->t - k - 1 : 0);
        order_takers(run, choice, run->t == rounds);
        main_round(run, run->t > run->m && run->t + choice.rest > rounds);
        close_round(run);
    }
    settle(run, run->m);
    for (uint32_t count; (count = list_lacking(run, run->next)) > 0;) {
        if (!open_round(run, err))
            return 0;
        final_round(run, run->next, count);
        close_round(run);
    }
    return run->t;
}
