/* SPDX-License-Identifier: Apache-2.0 */
/* test_route_tree: the depths, queues and reads that a tree's schedule requires of its routers,
 * compared with brute force; the machines that the compiler therefore rejects.
 *
 * State space: algorithm × method × model × tree × capacities × source; all trees of k_i = 2 … 5
 * with at most 16 leaves, the patterns of capacities of tree_lab.h (seed printed), source 0 and the
 * last; and total exchanges in which routers send random packets, which require larger buffers and
 * more reads. The required depth of a level must be the least depth with which route_replay.h finds
 * all sends of its routers correct, and all larger depths must work as well. The required queue is
 * the largest number of packets that wait for one branch, counted step by step.
 *
 * Counter-cases. A buffer that is one packet too small at any level is rejected with the first
 * packet that is lost there; the exact size is accepted. Too few reads; too many packets of one
 * input in a step.
 */
#include "sched/base/compare.h"
#include "sched/machine/machine_address.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/route.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/route_replay.h"
#include "tests/support/support.h"
#include "tests/support/tree_lab.h"
#include "tests/support/tree_machine.h"

#include <stdio.h>
#include <stdlib.h>

#define SEED 20261124
#define LEAVES 16

/* -- Schedules --------------------------------------------------------------------------------- */

struct counts {
    unsigned schedules, refused, deep, queues, several_reads, too_many_reads;
};

static void check_needs(const struct route_replay *replay, const struct router_needs *needs,
                        struct counts *counts)
{
    for (unsigned level = 1; level <= replay->r.height; level++) {
        uint32_t least = 1;
        while (least < ROUTE_REPLAY_DEPTHS && replay->wrong[level][least])
            least++;
        assert_int_equal(needs->depth[level], least);
        for (uint32_t depth = least; depth < ROUTE_REPLAY_DEPTHS; depth++)
            assert_false(replay->wrong[level][depth]);
        counts->deep += least > 1;
    }
    assert_int_equal(needs->reads, replay->most_reads);
    counts->several_reads += needs->reads > 1;
}

/* Returns the branch through which a router sends. With one port, a packet for one leaf waits for
 * all branches below. */
static size_t branch_of(const struct schedule *schedule, const struct transfer *transfer)
{
    const uint32_t all = schedule->topology.all;
    bool together = transfer->destination < transfer->source &&
                    schedule->model == MODEL_SINGLE_PORT &&
                    schedule_demand_of(schedule, transfer->packet)->wanted_count == 1;
    return (size_t)transfer->source * all + (together ? transfer->source : transfer->destination);
}

/* Returns change[branch][step]: the increase of the number of packets that wait for a branch during
 * the step. */
static int32_t *waiting(const struct schedule *schedule)
{
    const size_t all = schedule->topology.all, steps = schedule->step_count;
    int32_t *change = calloc(all * all * steps + 1, sizeof *change);
    size_t *came = calloc(all * (schedule->packets + 1), sizeof *came);
    assert_true(change != NULL && came != NULL);
    for (size_t k = 0; k < steps; k++) {
        const size_t first = schedule->step[k].first, end = schedule_step_end(schedule, k);
        for (size_t t = first; t < end; t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            if (transfer->source < schedule->nodes)
                continue;
            int32_t *of = change + branch_of(schedule, transfer) * steps;
            of[came[transfer->source * (schedule->packets + 1) + transfer->packet]]++;
            of[k]--;
        }
        for (size_t t = first; t < end; t++)
            came[schedule->transfer[t].destination * (schedule->packets + 1) +
                 schedule->transfer[t].packet] = k;
    }
    free(came);
    return change;
}

static void check_queues(const struct schedule *schedule, const struct router_needs *needs,
                         struct counts *counts)
{
    const struct topology *tree = &schedule->topology;
    const size_t steps = schedule->step_count;
    int32_t *change = waiting(schedule), most[TOPOLOGY_MAX_HEIGHT + 1];
    for (unsigned level = 0; level <= tree->height; level++)
        most[level] = 1;
    for (size_t branch = 0; branch < (size_t)tree->all * tree->all; branch++) {
        int32_t count = 0, *longest = &most[topology_level(tree, (uint32_t)(branch / tree->all))];
        for (size_t k = 0; k < steps; k++) {
            count += change[branch * steps + k];
            *longest = MAX(*longest, count);
        }
        assert_int_equal(count, 0);
    }
    for (unsigned level = 1; level <= tree->height; level++) {
        assert_int_equal(needs->queue[level], most[level]);
        counts->queues += most[level] > 1;
    }
    free(change);
}

/* Checks that one packet less at a level is rejected with the name of the first packet that is
 * lost. */
static void check_refused(const struct route_replay *replay, const struct router_needs *needs,
                          struct counts *counts)
{
    const struct schedule *schedule = replay->schedule;
    struct machine machine = tree_machine_of(MACHINE_FAT_TREE, &schedule->topology, 0);
    struct support_job job;
    struct err err = {0};
    tree_machine_fit(schedule, 1, &machine);
    tree_machine_job(schedule, &machine, 1, &job); /* the unchanged machine is accepted */
    for (size_t k = 0; k < job.image.count; k++)
        assert_true(machine_has_address(&job.image.machine, job.image.word[k].address));
    for (unsigned level = 1; level <= replay->r.height; level++) {
        uint32_t depth = needs->depth[level];
        const struct transfer *lost = &schedule->transfer[replay->first_of[level]];
        char text[200], node[TOPOLOGY_NODE_TEXT];
        struct image image;
        if (depth == 1)
            continue;
        machine.depth[level] = depth - 1;
        assert_false(route_schedule(schedule, &machine, &job.payload, &image, &err));
        snprintf(
            text, sizeof text,
            "round %llu: router %s must send packet %u, which a later packet has overwritten; "
            "expected "
            "buffers "
            "of %u "
            "packets or more at level %u, not %u",
            (unsigned long long)schedule->step[schedule_step_of(schedule, replay->first_of[level])]
                .time,
            topology_node_text(&schedule->topology, lost->source, node), lost->packet, depth, level,
            depth - 1);
        support_error(&err, ERR_BUFFER, text);
        machine.depth[level] = depth;
        counts->refused++;
    }
    if (machine.reads-- > 1) {
        struct image image;
        assert_false(route_schedule(schedule, &machine, &job.payload, &image, &err));
        support_error(&err, ERR_TOO_SMALL,
                      machine.reads == 1 ? "1 packet in a step; expected more reads"
                                         : "packets in a step; expected more reads");
    }
    image_free(&job.image);
    payload_free(&job.payload);
}

static void check_schedule(const struct schedule *schedule, struct counts *counts)
{
    struct route_replay *replay = route_replay_open(schedule);
    struct router_needs needs;
    struct err err = {0};
    bool found = router_needs_of(schedule, &needs, &err);
    assert_int_equal(found, replay->most_reads <= MACHINE_MAX_READS);
    if (found) {
        check_needs(replay, &needs, counts);
        check_queues(schedule, &needs, counts);
        check_refused(replay, &needs, counts);
    } else {
        support_error(&err, ERR_TOO_SMALL, "route: router ",
                      " sends more than 12 packets of one input in one step; expected fewer");
        counts->too_many_reads++;
    }
    counts->schedules++;
    route_replay_close(replay);
}

/* Checks all schedules of an algorithm on a tree. */
static void check_algorithm(const struct algorithm *algorithm, const struct topology *tree,
                            uint32_t source, struct counts *counts)
{
    for (unsigned method = 0; method < algorithm_methods(algorithm); method++)
        for (int model = MODEL_SINGLE_PORT; model <= MODEL_MULTIPORT; model++) {
            struct collective collective = tree_lab_ask(tree, (enum model)model, method);
            struct schedule schedule = {0};
            struct err err = {0};
            collective.source = source;
            if (!algorithm_check(algorithm, &collective, &err))
                continue;
            support_true(algorithm_build(algorithm, &collective, &schedule, &err), &err);
            check_schedule(&schedule, counts);
            schedule_free(&schedule);
        }
}

static void print_counts(const struct counts *counts)
{
    print_message("%u schedules; %u levels of more than one packet, each refused with one less; %u "
                  "schedules with "
                  "several reads, %u with too many\n",
                  counts->schedules, counts->deep, counts->several_reads, counts->too_many_reads);
    assert_int_equal(counts->refused, counts->deep);
}

static void test_algorithms(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    struct counts counts = {0};
    struct topology shape = {0};
    print_message("seed %d\n", SEED);
    while (tree_lab_next(LEAVES, &shape))
        for (unsigned pattern = 0; pattern < TREE_LAB_PATTERNS; pattern++) {
            struct topology tree = tree_lab_pattern(&shape, pattern, &rng);
            for (const struct algorithm *const *a = support_routable(); *a != NULL; a++)
                if ((*a)->topology == TOPOLOGY_TREE) {
                    check_algorithm(*a, &tree, 0, &counts);
                    check_algorithm(*a, &tree, tree.nodes - 1, &counts);
                }
        }
    print_counts(&counts);
    assert_true(counts.schedules > 1000 && counts.deep > 500 && counts.queues > 500);
}

/* -- Random schedules -------------------------------------------------------------------------- */

/* Returns the next node on the path to a leaf. */
static uint32_t next_node(const struct topology *tree, uint32_t node, uint32_t leaf)
{
    unsigned level = topology_level(tree, node);
    if (leaf / tree->leaves[level] != topology_index(tree, level, node))
        return topology_parent(tree, level, node);
    return topology_node(tree, level - 1, leaf / tree->leaves[level - 1]);
}

/* In a step, each packet that has not arrived moves on at random if a lane is free; routers send in
 * bursts. */
static void random_step(struct schedule *schedule, uint64_t time, uint32_t at[], struct rng *rng)
{
    const struct topology *tree = &schedule->topology;
    struct err err = {0};
    uint32_t order[LEAVES * LEAVES], used[2][LEAVES * 2] = {{0}};
    rng_permutation(rng, schedule->packets, order);
    support_true(schedule_open_step(schedule, time, 1, &err) != NULL, &err);
    for (uint32_t k = 0; k < schedule->packets; k++) {
        uint32_t packet = order[k] + 1, from = at[packet],
                 leaf = schedule->demand[packet - 1].wanted[0];
        if (from == leaf || rng_below(rng, from >= tree->nodes && time % 8 != 0 ? 8 : 2) != 0)
            continue;
        uint32_t to = next_node(tree, from, leaf), lower = MIN(from, to);
        uint32_t *lanes = &used[from < to][lower];
        if (*lanes == tree->capacity[topology_level(tree, lower) + 1])
            continue;
        support_true(
            schedule_append_lane(schedule, (struct transfer){from, to, packet}, (*lanes)++, &err),
            &err);
        at[packet] = to;
    }
    schedule_close_step(schedule, 0);
}

static void random_schedule(const struct topology *tree, struct rng *rng, struct schedule *schedule)
{
    struct err err = {0};
    struct verify_report verified;
    uint32_t at[LEAVES * LEAVES], first = 0;
    *schedule = (struct schedule){0};
    support_true(schedule_init(schedule, "random",
                               &(struct collective){.topology = tree,
                                                    .kind = COLLECTIVE_TOTAL_EXCHANGE,
                                                    .m = 1,
                                                    .model = MODEL_MULTIPORT},
                               &err),
                 &err);
    for (uint32_t packet = 1; packet <= schedule->packets; packet++)
        at[packet] = schedule->demand[packet - 1].source;
    for (uint64_t time = 1; first < schedule->packets; time++) {
        random_step(schedule, time, at, rng);
        while (first < schedule->packets && at[first + 1] == schedule->demand[first].wanted[0])
            first++;
    }
    support_true(verify_schedule("random", schedule, &verified, &err), &err);
}

static void test_random(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    struct counts counts = {0};
    struct topology shape = {0};
    print_message("seed %d\n", SEED);
    while (tree_lab_next(LEAVES, &shape))
        for (unsigned pattern = 0; pattern < TREE_LAB_PATTERNS; pattern++) {
            struct topology tree = tree_lab_pattern(&shape, pattern, &rng);
            struct schedule schedule;
            random_schedule(&tree, &rng, &schedule);
            check_schedule(&schedule, &counts);
            schedule_free(&schedule);
        }
    print_counts(&counts);
    assert_true(counts.deep > 100 && counts.queues > 100 && counts.several_reads > 50);
}

/* -- A burst ----------------------------------------------------------------------------------- */

/* Leaf 0 of a star sends the router a packet for each of the other leaves; the router then sends
 * all of them at once. */
static void burst(const struct topology *star, struct schedule *schedule)
{
    struct err err = {0};
    struct verify_report verified;
    uint32_t packets = star->nodes - 1, router = star->nodes;
    *schedule = (struct schedule){0};
    support_true(schedule_init(schedule, "burst",
                               &(struct collective){.topology = star,
                                                    .kind = COLLECTIVE_SCATTER,
                                                    .m = 1,
                                                    .model = MODEL_MULTIPORT},
                               &err),
                 &err);
    for (uint32_t round = 1; round <= packets + 1; round++) {
        support_true(schedule_open_step(schedule, round, packets, &err) != NULL, &err);
        if (round <= packets)
            support_true(
                schedule_append_lane(schedule, (struct transfer){0, router, round}, 0, &err), &err);
        for (uint32_t packet = 1; round > packets && packet <= packets; packet++)
            support_true(
                schedule_append_lane(schedule, (struct transfer){router, packet, packet}, 0, &err),
                &err);
        schedule_close_step(schedule, 0);
    }
    support_true(verify_schedule("burst", schedule, &verified, &err), &err);
}

static void test_burst(void **state)
{
    (void)state;
    struct counts counts = {0};
    for (uint32_t leaves = 3; leaves <= 16; leaves++) {
        uint32_t lanes = 1;
        struct topology star = tree_lab_make(1, &leaves, &lanes);
        struct schedule schedule;
        burst(&star, &schedule);
        check_schedule(&schedule, &counts);
        schedule_free(&schedule);
    }
    print_counts(&counts);
    assert_int_equal(counts.schedules, 14);
    assert_int_equal(counts.too_many_reads, 3); /* 13, 14 and 15 packets */
}

/* Queues and memories have at least one place, even if no packet arrives. */
static void test_nothing(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("2,2", "const");
    struct schedule schedule = {0};
    struct router_needs needs;
    struct err err = {0};
    support_true(schedule_init_empty(&schedule, "nothing", &tree, MODEL_MULTIPORT, &err), &err);
    support_true(router_needs_of(&schedule, &needs, &err), &err);
    assert_int_equal(needs.reads, 1);
    for (unsigned level = 1; level <= 2; level++) {
        assert_int_equal(needs.depth[level], 1);
        assert_int_equal(needs.queue[level], 1);
    }
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_algorithms),
                                       cmocka_unit_test(test_random), cmocka_unit_test(test_burst),
                                       cmocka_unit_test(test_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
