/* SPDX-License-Identifier: Apache-2.0 */
/* test_divided_steps: reductions whose rounds are divided keep every partial result, or are
 * refused.
 *
 * Random rounds of hypercubes of one to three dimensions and of an omega network of eight ports.
 * Nodes begin with random words, and combining adds them, so that a word tells what was combined.
 * The words of all nodes after each round, computed from the schedule and from the divided one, are
 * equal if the schedule is accepted. In a hypercube, whose parts are known, they differ if it is
 * refused, unless words replace others or their order matters. By hand: each rule with its
 * counter-case one line away.
 */
#include "sched/base/rng.h"
#include "sched/route/rewrite.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20261129)
#define NODES 8
#define PACKETS 2
#define ROUNDS 2
#define SAMPLES 4000

/* What nodes have, while the transfers of a schedule are followed. */
struct words {
    uint64_t of[PACKETS][NODES];
};

static void begin(struct rng *rng, struct words *words)
{
    for (unsigned packet = 0; packet < PACKETS; packet++)
        for (unsigned node = 0; node < NODES; node++)
            words->of[packet][node] = rng_next(rng);
}

#define ALL_ARCS UINT32_MAX

/* Follows the transfers of a step that cross one of the arcs, a set of bits of the numbers of
 * nodes: all of them carry what their senders have before. */
static void follow(const struct schedule *schedule, size_t step, uint32_t arcs, struct words *words)
{
    const struct words before = *words;
    for (size_t t = schedule->step[step].first; t < schedule_step_end(schedule, step); t++) {
        const struct transfer now = schedule->transfer[t];
        if (((now.source ^ now.destination) & arcs) == 0)
            continue;
        const uint64_t sent = before.of[now.packet - 1][now.source];
        uint64_t *has = &words->of[now.packet - 1][now.destination];
        const bool ordered = schedule_demand_of(schedule, now.packet)->reduction->ordered;
        if (schedule_combining(schedule, t) & COMBINING_REPLACE)
            *has = sent;
        else
            *has = ordered ? 3 * *has + sent : *has + sent;
    }
}

/* Returns whether nodes of a hypercube have the same words after each round as after following its
 * arcs dimension by dimension. */
static bool are_equal_by_dimension(const struct schedule *cube, struct rng *rng)
{
    struct words one, other;
    begin(rng, &one);
    other = one;
    for (size_t step = 0; step < cube->step_count; step++) {
        follow(cube, step, ALL_ARCS, &one);
        for (uint32_t arc = 1; arc < cube->nodes; arc *= 2)
            follow(cube, step, arc, &other);
    }
    return memcmp(&one, &other, sizeof one) == 0;
}

/* Returns whether nodes have the same words after each round as after its parts. */
static bool are_equal(const struct schedule *whole, const struct schedule *parts, struct rng *rng)
{
    struct words one, other;
    begin(rng, &one);
    other = one;
    size_t part = 0;
    for (size_t step = 0; step < whole->step_count; step++) {
        follow(whole, step, ALL_ARCS, &one);
        for (; part < parts->step_count && parts->step[part].first < schedule_step_end(whole, step);
             part++)
            follow(parts, part, ALL_ARCS, &other);
        if (memcmp(&one, &other, sizeof one) != 0)
            return false;
    }
    assert_int_equal(part, parts->step_count);
    return true;
}

enum words_rule { ADDED, REPLACED, ORDERED };

/* Adds a transfer to the open round. */
static void put(struct schedule *schedule, struct transfer transfer, enum words_rule rule,
                struct rng *rng)
{
    struct err err = {0};
    const bool replaces = rule == REPLACED && rng_below(rng, 3) == 0;
    support_true(schedule_append(schedule, transfer, &err), &err);
    if (replaces)
        support_true(
            schedule_set_combining(schedule, schedule->transfer_count - 1, COMBINING_REPLACE, &err),
            &err);
}

static void begin_schedule(const struct topology *topology, enum model model, enum words_rule rule,
                           struct schedule *schedule)
{
    struct err err = {0};
    const struct reduction all = {.ordered = rule == ORDERED};
    *schedule = (struct schedule){0};
    support_true(schedule_init_empty(schedule, "random", topology, model, &err), &err);
    for (unsigned packet = 0; packet < PACKETS; packet++)
        support_true(schedule_add_reduction(schedule, 1, &all, NULL, &err), &err);
}

/* Makes rounds of a hypercube, in which an arc carries a packet with probability 1/share. */
static void make_cube(unsigned d, enum words_rule rule, uint32_t share, struct rng *rng,
                      struct schedule *schedule)
{
    struct err err = {0};
    struct topology cube;
    support_true(topology_hypercube(d, &cube, &err), &err);
    begin_schedule(&cube, MODEL_ALL_PORT, rule, schedule);
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        assert_non_null(schedule_open_step(schedule, round, 1, &err));
        for (uint32_t node = 0; node < cube.nodes; node++)
            for (unsigned bit = 0; bit < d; bit++)
                if (rng_below(rng, share) == 0)
                    put(schedule,
                        (struct transfer){node, node ^ 1u << bit, 1 + rng_below(rng, PACKETS)},
                        rule, rng);
        schedule_close_step(schedule, 0);
    }
}

/* Makes rounds of a complete graph: a part of a random permutation, each with a packet. */
static void make_complete(enum words_rule rule, uint32_t share, struct rng *rng,
                          struct schedule *schedule)
{
    struct err err = {0};
    const struct topology complete = topology_complete(NODES);
    begin_schedule(&complete, MODEL_SEND_RECEIVE, rule, schedule);
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        uint32_t to[NODES];
        for (uint32_t node = 0; node < NODES; node++) {
            const uint32_t other = rng_below(rng, node + 1);
            to[node] = to[other];
            to[other] = node;
        }
        assert_non_null(schedule_open_step(schedule, round, 1, &err));
        for (uint32_t node = 0; node < NODES; node++)
            if (to[node] != node && rng_below(rng, share) == 0)
                put(schedule, (struct transfer){node, to[node], 1 + rng_below(rng, PACKETS)}, rule,
                    rng);
        schedule_close_step(schedule, 0);
    }
}

/* Divides the rounds of a schedule, for an omega network if it is that of a complete graph. */
static bool divide(const struct schedule *schedule, struct schedule *parts, struct err *err)
{
    const struct multistage omega = multistage_omega(NODES);
    struct split_report report;
    *parts = (struct schedule){0};
    return schedule->topology.dimensions > 0
               ? hypercube_to_rounds(schedule, parts, err)
               : split_schedule(schedule, &omega, parts, &report, err);
}

static void partial_results_stay_the_same(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    unsigned accepted[3] = {0}, refused[3] = {0};
    print_message("seed %" PRIu64 "\n", SEED);
    for (unsigned sample = 0; sample < SAMPLES; sample++) {
        const enum words_rule rule = (enum words_rule)(sample % 3);
        const uint32_t share = 1 + sample % 5;
        struct schedule schedule, parts;
        struct err err = {0};
        if (sample % 2 == 0)
            make_cube(1 + sample % 3, rule, share, &rng, &schedule);
        else
            make_complete(rule, share, &rng, &schedule);
        const bool divided = divide(&schedule, &parts, &err);
        if (divided && !are_equal(&schedule, &parts, &rng))
            fail_msg("sample %u: a partial result has changed", sample);
        if (!divided)
            support_error(&err, ERR_UNSUPPORTED, "network: round ", "in a round that is divided");
        if (sample % 2 == 0 && rule == ADDED)
            assert_int_equal(divided, are_equal_by_dimension(&schedule, &rng));
        accepted[rule] += divided;
        refused[rule] += !divided;
        schedule_free(&parts);
        schedule_free(&schedule);
    }
    for (unsigned rule = 0; rule < 3; rule++)
        assert_true(accepted[rule] > 100 && refused[rule] > 100);
}

#define SQUARE "hypercube 2\nmodel all-port\n"
#define EIGHT "complete 8\nmodel send-receive\n"

static void each_rule_has_a_counter_case(void **state)
{
    (void)state;
    static const struct {
        const char *body, *text; /* NULL: accepted */
    } cases[] = {
        {SQUARE "reduce 1 0 *\nround 1\n1 0 1\n2 0 1\nend 1\n", NULL},
        {SQUARE "reduce 1 0 *\nround 1\n3 1 1\nround 2\n1 0 1\nend 2\n", NULL},
        /* node 1 sends over dimension 1 before it receives over dimension 2; node 2, after it */
        {SQUARE "reduce 1 0 *\nround 1\n3 1 1\n1 0 1\nend 1\n", NULL},
        {SQUARE "reduce 1 0 *\nround 1\n3 2 1\n2 0 1\nend 1\n",
         "round 1: node 2 receives and sends packet 1 in a round that is divided"},
        {SQUARE "reduce 1 0 *\nround 1\n2 0 1\n3 2 1\nend 1\n",
         "round 1: node 2 receives and sends packet 1"},
        {SQUARE "reduce 1-2 0 *\nround 2\n3 2 1\n2 0 2\nend 2\n", NULL},
        {SQUARE "reduce 1-2 0 *\nround 2\n3 2 2\n2 0 2\nend 2\n",
         "round 2: node 2 receives and sends packet 2"},
        /* an exchange over one dimension is one part; over two of them, node 1 receives first */
        {SQUARE "reduce 1 * *\nround 1\n0 1 1\n1 0 1\nend 1\n", NULL},
        {SQUARE "reduce 1 * *\nround 1\n0 1 1\n1 0 1\n1 3 1\nend 1\n",
         "round 1: node 1 receives and sends packet 1"},
        {SQUARE "demand 1 0 *\nround 1\n0 1 1\n1 3 1\nend 1\n", NULL},
        {SQUARE "demand 1 0 *\nreduce 2 0 *\nround 1\n0 1 1\n1 0 2\nround 2\n1 3 1\nend 2\n", NULL},
        {SQUARE "reduce 1 0 * ordered\nround 1\n1 0 1\n2 0 1\nend 1\n",
         "round 1: node 0 combines in order and receives twice packet 1"},
        {SQUARE "reduce 1 0 * ordered\nround 1\n1 0 1\nround 2\n2 0 1\nend 2\n", NULL},
        {SQUARE "reduce 1 0 *\nround 1\n1 0 1\n2 0 1 replace\nend 1\n",
         "round 1: node 0 replaces and receives again packet 1"},
        {SQUARE "reduce 1 0 *\nround 1\n1 0 1 replace\n2 0 1\nend 1\n",
         "round 1: node 0 replaces and receives again packet 1"},
        {SQUARE "reduce 1 0 *\nround 1\n1 0 1 replace\nround 2\n2 0 1\nend 2\n", NULL},
        /* nodes 0 and 4 share a switch of the first stage: it passes an exchange, but not transfers
         * to 4 and 5, of which that of the lower node is passed first */
        {EIGHT "reduce 1 * *\nround 1\n0 4 1\n4 0 1\nend 1\n", NULL},
        {EIGHT "reduce 1 * *\nround 1\n0 4 1\n4 5 1\nend 1\n",
         "round 1: node 4 receives and sends packet 1"},
        {EIGHT "reduce 1-2 * *\nround 1\n0 4 1\n4 5 2\nend 1\n", NULL},
    };
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        char text[400];
        struct schedule schedule, parts;
        struct err err = {0};
        assert_true(snprintf(text, sizeof text, "roundcast-schedule 1\nalgorithm x\ntopology %s",
                             cases[which].body) < (int)sizeof text);
        support_true(support_read(text, "r.sched", &schedule, &err), &err);
        const bool divided = divide(&schedule, &parts, &err);
        if (divided != (cases[which].text == NULL))
            fail_msg("case %zu: %s", which, err.text);
        if (!divided)
            support_error(&err, ERR_UNSUPPORTED, "network: ", cases[which].text);
        schedule_free(&parts);
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partial_results_stay_the_same),
        cmocka_unit_test(each_rule_has_a_counter_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
