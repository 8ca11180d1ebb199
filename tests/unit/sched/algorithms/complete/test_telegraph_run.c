/* SPDX-License-Identifier: Apache-2.0 */
/* test_telegraph_run: runs on rows of bits make the same choices as the rules of telegraph.c,
 * applied node by node.
 *
 * A second player in this file keeps a list of free nodes, sorted for each round, and a table of
 * the packets of each node. Exhaustive: n = 2 … 24 with m = 1 … 20, seeds 0 … 3, compared transfer
 * by transfer. Sampled: more than 64 nodes or packets, with many holders and with few holders of a
 * packet. By hand: places sorted by the newest 64 of more packets. Counter-case: if ties are broken
 * in another order, the two players differ.
 */
#include "sched/algorithms/complete/telegraph_run.h"
#include "sched/base/compare.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <stdbool.h>
#include <stdlib.h>

struct player {
    uint32_t n, m, free, count, open_count;
    uint64_t after;            /* a node with fewer is late */
    bool *has;                 /* [packet - 1][node] */
    uint32_t *held;            /* [node]; of node 0, m */
    uint32_t *holders;         /* [packet] */
    uint32_t *open;            /* packets by holders, fewest first */
    uint32_t *order;           /* nodes 1 … n-1, as equals are taken */
    uint32_t *line;            /* the free nodes: node 0, then by packets, fewest first */
    struct transfer *transfer; /* of the round */
};

static bool has(const struct player *p, uint32_t node, uint32_t packet)
{
    return p->has[(packet - 1) * p->n + node];
}

static struct player new_player(uint32_t n, uint32_t m)
{
    struct player p = {.n = n, .m = m};
    p.has = calloc((size_t)n * m, sizeof *p.has);
    p.held = calloc(n, sizeof *p.held);
    p.holders = calloc(m + 1, sizeof *p.holders);
    p.open = calloc(m, sizeof *p.open);
    p.order = calloc(n, sizeof *p.order);
    p.line = calloc(n, sizeof *p.line);
    p.transfer = calloc(n, sizeof *p.transfer);
    assert_true(p.has != NULL && p.held != NULL && p.holders != NULL && p.open != NULL &&
                p.order != NULL && p.line != NULL && p.transfer != NULL);
    p.held[0] = m;
    for (uint32_t k = 0; k + 1 < n; k++)
        p.order[k] = k + 1;
    return p;
}

static void free_player(struct player *p)
{
    free(p->has);
    free(p->held);
    free(p->holders);
    free(p->open);
    free(p->order);
    free(p->line);
    free(p->transfer);
}

/* Counts another holder: the packet moves after all packets with the former number of holders. */
static void add_holder(struct player *p, uint32_t packet)
{
    uint32_t at = 0, last;
    while (p->open[at] != packet)
        at++;
    for (last = at;
         last + 1 < p->open_count && p->holders[p->open[last + 1]] == p->holders[packet];)
        last++;
    p->open[at] = p->open[last];
    p->open[last] = packet;
    p->holders[packet]++;
}

/* Adds a new packet after those with one holder; among all packets with equal numbers of holders,
 * the first moves to the end. */
static void bring(struct player *p)
{
    uint32_t packet = ++p->open_count, at = packet - 1;
    while (at > 0 && p->holders[p->open[at - 1]] > 1) {
        uint32_t first = at - 1;
        while (first > 0 && p->holders[p->open[first - 1]] == p->holders[p->open[at - 1]])
            first--;
        p->open[at] = p->open[first];
        at = first;
    }
    p->open[at] = packet;
    p->holders[packet] = 1;
    p->has[(packet - 1) * p->n] = true;
}

static void line_up(struct player *p)
{
    p->free = 1;
    p->line[0] = 0;
    for (uint32_t held = 0; held <= p->m; held++)
        for (uint32_t k = 0; k + 1 < p->n; k++)
            if (p->held[p->order[k]] == held)
                p->line[p->free++] = p->order[k];
}

static void leave(struct player *p, uint32_t node)
{
    uint32_t at = 0;
    while (p->line[at] != node)
        at++;
    for (p->free--; at < p->free; at++)
        p->line[at] = p->line[at + 1];
}

static bool is_late(const struct player *p, uint32_t node)
{
    return node > 0 && p->held[node] < p->after;
}

/* The first nodes that lack the packet receive it from the last nodes that hold it. */
static void pass_on(struct player *p, uint32_t packet, bool late)
{
    uint32_t lacking[300], holding[300], lack = 0, hold = 0;
    for (uint32_t k = 0; k < p->free; k++) {
        uint32_t node = p->line[k];
        if (has(p, node, packet))
            holding[hold++] = node;
        else if (!late || is_late(p, node))
            lacking[lack++] = node;
    }
    uint32_t pairs = MIN(lack, hold);
    for (uint32_t k = 0; k < pairs; k++) {
        p->transfer[p->count++] = (struct transfer){holding[hold - pairs + k], lacking[k], packet};
        leave(p, holding[hold - pairs + k]);
        leave(p, lacking[k]);
    }
}

/* Stores the transfer of the newest packet that the node with more packets holds and the other
 * lacks, or else of the newest packet in the opposite direction. Returns false if there is none. */
static bool join(const struct player *p, uint32_t one, uint32_t two, struct transfer *transfer)
{
    uint32_t from = p->held[one] < p->held[two] ? two : one, to = from == one ? two : one;
    for (unsigned direction = 0; direction < 2; direction++) {
        for (uint32_t packet = p->m; packet > 0; packet--)
            if (has(p, from, packet) && !has(p, to, packet)) {
                *transfer = (struct transfer){from, to, packet};
                return true;
            }
        uint32_t other = from;
        from = to;
        to = other;
    }
    return false;
}

static void split(struct player *p)
{
    for (uint32_t k = p->count; k-- > 0 && p->free >= 2;) {
        uint32_t one = p->line[p->free - 1], two = p->line[p->free - 2];
        struct transfer pair = p->transfer[k], first, second;
        if ((join(p, pair.source, one, &first) && join(p, pair.destination, two, &second)) ||
            (join(p, pair.destination, one, &first) && join(p, pair.source, two, &second))) {
            p->transfer[k] = first;
            p->transfer[p->count++] = second;
            p->free -= 2;
        }
    }
}

static void play_round(struct player *p)
{
    line_up(p);
    p->count = 0;
    for (unsigned late = 2; late-- > 0;)
        for (uint32_t k = 0; k < p->open_count; k++)
            pass_on(p, p->open[k], late != 0);
    split(p);
    for (uint32_t k = 0; k < p->count; k++) {
        const struct transfer *t = &p->transfer[k];
        p->has[(t->packet - 1) * p->n + t->destination] = true;
        p->held[t->destination]++;
        add_holder(p, t->packet);
    }
}

/* Checks that the player makes the choices of the run, round by round. `reversed`: ties are broken
 * in the opposite order. */
static bool is_played(const struct schedule *s, uint64_t bound, uint64_t seed, bool reversed)
{
    struct player p = new_player(s->nodes, s->packets);
    struct rng rng = {seed};
    bool same = true;
    for (size_t k = 0; k < s->step_count && same; k++) {
        if (seed != 0) {
            rng_permutation(&rng, p.n - 1, p.order);
            for (uint32_t which = 0; which + 1 < p.n; which++)
                p.order[which]++;
        }
        for (uint32_t which = 0; reversed && k == 0 && which + 1 < p.n; which++)
            p.order[which] = p.n - 1 - which;
        if (p.open_count < p.m)
            bring(&p);
        uint64_t left = k < bound ? bound - k : 0;
        p.after = left / 2 < p.m ? p.m - left / 2 : 0;
        play_round(&p);
        same = s->step[k].time == k + 1 && p.count == schedule_step_end(s, k) - s->step[k].first;
        for (uint32_t t = 0; same && t < p.count; t++) {
            const struct transfer *its = &s->transfer[s->step[k].first + t], *own = &p.transfer[t];
            same = its->source == own->source && its->destination == own->destination &&
                   its->packet == own->packet;
        }
    }
    free_player(&p);
    return same;
}

static bool check(uint32_t n, uint32_t m, uint64_t seed, bool reversed)
{
    const struct collective asked = {.n = n, .m = m, .model = MODEL_TELEGRAPH};
    struct schedule schedule = {0};
    struct telegraph_run run;
    running("n = %u, m = %u, seed %lu", n, m, seed);
    assert_true(support_broadcast(&schedule, "telegraph",
                                  &(struct collective){.n = n, .m = m, .model = MODEL_TELEGRAPH},
                                  NULL));
    assert_true(telegraph_run_init(&run, &asked, NULL));
    uint64_t counted = telegraph_run(&run, seed, NULL, NULL);
    uint64_t rounds = telegraph_run(&run, seed, &schedule, NULL);
    assert_true(rounds == counted && rounds == schedule.end && rounds == schedule.step_count);
    assert_int_equal(schedule.transfer_count, (size_t)(n - 1) * m);
    bool same = is_played(&schedule, run.bound, seed, reversed);
    telegraph_run_free(&run);
    schedule_free(&schedule);
    return same;
}

static void test_small(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 24; n++)
        for (uint32_t m = 1; m <= 20; m++)
            for (uint64_t seed = 0; seed < 4; seed++)
                if (!check(n, m, seed, false))
                    fail_msg("n=%u m=%u seed %lu: another schedule", n, m, seed);
}

static void test_words(void **state)
{
    (void)state;
    static const uint32_t size[][2] = {{63, 3},   {64, 65},  {65, 64},  {66, 130}, {100, 9},
                                       {128, 20}, {129, 70}, {200, 16}, {257, 5},  {300, 33}};
    for (unsigned which = 0; which < sizeof size / sizeof *size; which++)
        for (uint64_t seed = 0; seed < 3; seed++)
            if (!check(size[which][0], size[which][1], seed, false))
                fail_msg("n=%u m=%u seed %lu: another schedule", size[which][0], size[which][1],
                         seed);
}

static void test_reversed(void **state)
{
    (void)state;
    assert_false(check(9, 4, 0, true));
    assert_false(check(70, 5, 0, true));
}

/* Nodes 1 … 3 hold packets 1 … 100 except one each (0: none). Only the newest 64, from 37 on,
 * decide their order; then their numbers do. */
static void test_sorted(void **state)
{
    (void)state;
    static const struct {
        uint32_t lacks[3];
        uint64_t flips;
        uint32_t order[3];
    } cases[] = {
        {{98, 99, 100}, 0, {3, 2, 1}},
        {{0, 99, 0}, 0, {2, 1, 3}},
        {{0, 99, 30}, 0, {2, 1, 3}},
        {{37, 36, 37}, 0, {1, 3, 2}},
        {{36, 37, 31}, 0, {2, 1, 3}},
        {{0, 99, 0}, 2, {1, 3, 2}},
        {{36, 30, 37}, UINT64_C(1) << 63, {1, 2, 3}},
    };
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct telegraph_places places;
        struct err err = {0};
        running("case %zu", which);
        support_true(telegraph_places_init(&places, 4, 100, &err), &err);
        telegraph_places_start(&places);
        for (uint32_t node = 1; node <= 3; node++)
            for (uint32_t packet = 1; packet <= 100; packet++)
                if (packet != cases[which].lacks[node - 1])
                    holdings_add(&places.rows, node, packet);
        telegraph_places_sort(&places, cases[which].flips, 30, 100);
        for (uint32_t place = 1; place <= 3; place++) {
            assert_int_equal(places.node[place], cases[which].order[place - 1]);
            assert_int_equal(places.place[places.node[place]], place);
        }
        telegraph_places_free(&places);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_reversed),
        cmocka_unit_test(test_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
