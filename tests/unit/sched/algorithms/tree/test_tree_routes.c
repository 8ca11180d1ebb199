/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_routes: broadcast, scatter and gather in trees.
 *
 * State space: algorithm × method × model × tree × capacities × source. Exhaustive: all trees with
 * k_i in 2 … 5, h ≤ 4 and n ≤ 130, five patterns of capacities, both models; sources 0, n/2 and
 * n-1, all sources for n ≤ 12. Each schedule is judged by verify and by a second judge that shares
 * no code with it (judge_tree.h), and its end equals the closed form written here. Queues occur
 * only where they are expected, and in uniform trees their depth equals the closed form. Also
 * tested: some large trees, the order of queues, schedules that are written, read and written
 * again, and rejections with the legal range.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/tree/tree_fifo.h"
#include "sched/verify/buffers.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/judge_tree.h"
#include "tests/support/support.h"
#include "tests/support/tree_lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMED, GREEDY };

/* Tested methods, by their golden names. */
static const struct subject {
    const char *collective, *golden, *name;
    enum model model;
    unsigned method;
} subjects[] = {
    {"broadcast", "up_first", "tree-broadcast", MODEL_SINGLE_PORT, 0},
    {"broadcast", "replicate", "tree-broadcast", MODEL_MULTIPORT, 0},
    {"scatter", "furthest_first", "tree-scatter", MODEL_SINGLE_PORT, 0},
    {"scatter", "furthest_first", "tree-scatter", MODEL_MULTIPORT, 0},
    {"gather", "reversed_scatter", "tree-gather", MODEL_SINGLE_PORT, TIMED},
    {"gather", "reversed_scatter", "tree-gather", MODEL_MULTIPORT, TIMED},
    {"gather", "greedy_fifo", "tree-gather", MODEL_SINGLE_PORT, GREEDY},
    {"gather", "greedy_fifo", "tree-gather", MODEL_MULTIPORT, GREEDY},
};
#define SUBJECTS (sizeof subjects / sizeof *subjects)

static void build(const struct subject *subject, const struct topology *tree, uint32_t source,
                  struct schedule *schedule)
{
    support_schedule(support_algorithm(subject->name),
                     &(struct collective){.n = tree->nodes,
                                          .m = 1,
                                          .source = source,
                                          .model = subject->model,
                                          .topology = tree,
                                          .method = subject->method},
                     schedule);
}

/* Checks that a schedule is legal and has queues only where they are expected. */
static void judge(const struct subject *subject, const struct schedule *schedule, uint32_t source)
{
    bool queue_free = subject->method != GREEDY && strcmp(subject->golden, "up_first") != 0;
    const char *wrong =
        judge_tree(schedule, support_algorithm(subject->name)->kind, source, queue_free);
    if (wrong != NULL)
        fail_msg("%s: n = %u, source %u: %s", schedule->algorithm, schedule->nodes, source, wrong);
}

static uint64_t closed_form(const struct subject *subject, const struct topology *tree)
{
    if (strcmp(subject->collective, "broadcast") != 0)
        return tree->nodes + (tree->height > 1 && tree->children[1] == 2 ? 1u : 0u);
    uint64_t sum = 0;
    for (unsigned level = 1; level <= tree->height; level++)
        sum += tree->children[level];
    return subject->model == MODEL_MULTIPORT ? 2u * tree->height : tree->height - 1 + sum;
}

/* Only the greedy gather needs queues; a router of the single-port broadcast holds its only packet
 * while it serves several branches; the root of k_h = 2 serves only one branch. */
static void check_depths(const struct subject *subject, const struct topology *tree,
                         const struct buffer_depth depth[])
{
    bool single_broadcast = strcmp(subject->golden, "up_first") == 0;
    for (unsigned level = 0; level <= tree->height; level++) {
        assert_true(depth[level].wait_output <= depth[level].wait &&
                    depth[level].wait <= depth[level].stored);
        if (subject->method != GREEDY)
            assert_int_equal(depth[level].wait,
                             single_broadcast &&
                                 (level == tree->height ? tree->children[level] > 2 : level > 0));
        if (subject->method != GREEDY)
            assert_int_equal(depth[level].stored, level > 0);
    }
}

static void check_subject(const struct subject *subject, const struct topology *tree,
                          uint32_t source)
{
    struct schedule schedule;
    struct err err = {0};
    struct buffer_depth depth[TOPOLOGY_MAX_HEIGHT + 1];
    const struct collective asked = {.n = tree->nodes,
                                     .m = 1,
                                     .model = subject->model,
                                     .topology = tree,
                                     .method = subject->method};
    build(subject, tree, source, &schedule);
    judge(subject, &schedule, source);
    assert_int_equal(schedule.end, closed_form(subject, tree));
    assert_int_equal(schedule.end, algorithm_end(support_algorithm(subject->name), &asked));
    const struct demand *demand = &schedule.demand[0];
    assert_int_equal(
        strcmp(subject->collective, "gather") == 0 ? demand->wanted[0] : demand->source, source);
    support_true(buffers_measure(&schedule, depth, &err), &err);
    check_depths(subject, tree, depth);
    schedule_free(&schedule);
}

/* Patterns of capacities: all ones; N_{i-1}; 2; one more than all links below can deliver; an odd
 * one. */
static void fill_capacity(unsigned pattern, unsigned height, const uint32_t children[],
                          uint32_t capacity[])
{
    capacity[0] = 1;
    for (unsigned level = 1; level < height; level++) {
        uint32_t below = capacity[level - 1] * children[level - 1];
        const uint32_t patterns[] = {1, below, 2, below + 1, 1 + 2 * (level % 2)};
        capacity[level] = patterns[pattern];
    }
}

static void check_tree(unsigned height, const uint32_t children[])
{
    uint32_t capacity[4];
    for (unsigned pattern = 0; pattern < 5; pattern++) {
        fill_capacity(pattern, height, children, capacity);
        const struct topology tree = tree_lab_make(height, children, capacity);
        const uint32_t n = tree.nodes;
        for (unsigned which = 0; which < SUBJECTS; which++)
            for (uint32_t source = 0; source < n; source++)
                if (n <= 12 || source == 0 ||
                    (pattern == 1 && (source == n / 2 || source == n - 1)))
                    check_subject(&subjects[which], &tree, source);
    }
}

static void test_all_trees(void **state)
{
    (void)state;
    unsigned trees = 0;
    for (unsigned height = 1; height <= 4; height++)
        for (uint32_t code = 0; code < 1u << 2 * height; code++) {
            uint32_t children[4], leaves = 1;
            for (unsigned level = 0; level < height; level++) {
                children[level] = 2 + (code >> 2 * level & 3);
                leaves *= children[level];
            }
            if (leaves > 130)
                continue;
            check_tree(height, children);
            trees++;
        }
    assert_int_equal(trees, 4 + 220);
}

/* Stars of all sizes: n steps; for a broadcast n, or 2. */
static void test_stars(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 40; n++) {
        const struct topology star = tree_lab_make(1, (const uint32_t[]){n}, (const uint32_t[]){1});
        for (unsigned which = 0; which < SUBJECTS; which++) {
            struct schedule schedule;
            build(&subjects[which], &star, n / 3, &schedule);
            judge(&subjects[which], &schedule, n / 3);
            assert_int_equal(schedule.end,
                             strcmp(subjects[which].golden, "replicate") == 0 ? 2 : n);
            schedule_free(&schedule);
        }
    }
}

/* Large trees, without the judge; the queues of the greedy gather over single links. */
static void test_large(void **state)
{
    (void)state;
    static const char *const children[] = {"4096",    "64,64",       "16,16,16",
                                           "8,8,8,8", "4,4,4,4,4,4", "2,2,2,2,2,2,2,2,2,2,2,2",
                                           "2,2048",  "2048,2",      "3,7,2,5,11"};
    for (unsigned shape = 0; shape < sizeof children / sizeof *children; shape++)
        for (unsigned which = 0; which < SUBJECTS; which++) {
            const struct topology tree = tree_lab_parse(children[shape], "const");
            const uint32_t *k = tree.children, *leaves = tree.leaves;
            struct schedule schedule;
            struct buffer_depth depth[TOPOLOGY_MAX_HEIGHT + 1];
            build(&subjects[which], &tree, tree.nodes / 3, &schedule);
            assert_int_equal(schedule.end, closed_form(&subjects[which], &tree));
            support_true(buffers_measure(&schedule, depth, NULL), &(struct err){0});
            for (unsigned i = 1; i <= tree.height && subjects[which].method == GREEDY && shape < 6;
                 i++)
                assert_int_equal(depth[i].wait,
                                 (i < tree.height ? k[i] - 1 : k[i] - 2) * (uint64_t)leaves[i - 1]);
            schedule_free(&schedule);
        }
}

/* Packets 1 and 4 arrive at router 1:0 in one step, from its parent and from leaf 0: the child's
 * packet is first, in both models. */
static void test_fifo_order(void **state)
{
    (void)state;
    static const struct tree_path path[] = {{2, 1}, {0, 1}, {0, 1}, {0, 1}};
    static const uint32_t expected[] = {2, 3, 4, 1}; /* leaf 1 receives from step 2 on */
    const struct topology tree = tree_lab_parse("2,2", "1,2");
    for (unsigned model = MODEL_SINGLE_PORT; model <= MODEL_MULTIPORT; model++) {
        struct schedule schedule = {0};
        struct err err = {0};
        support_true(schedule_init(&schedule, "fifo",
                                   &(struct collective){.topology = &tree,
                                                        .kind = COLLECTIVE_GATHER,
                                                        .m = 1,
                                                        .model = (enum model)model},
                                   &err) &&
                         tree_fifo_build(&tree, (enum model)model, 4, path, &schedule, &err),
                     &err);
        unsigned received = 0;
        for (size_t index = 0; index < schedule.transfer_count; index++)
            if (schedule.transfer[index].destination == 1) {
                assert_int_equal(schedule.transfer[index].packet, expected[received]);
                assert_int_equal(schedule_step_of(&schedule, index) + 1, 2 + received++);
            }
        assert_int_equal(received, 4);
        assert_int_equal(schedule.end, 5);
        schedule_free(&schedule);
    }
}

static void write_schedule(const struct schedule *schedule, char **text, size_t *size)
{
    struct err err = {0};
    FILE *file = open_memstream(text, size);
    assert_non_null(file);
    support_true(schedule_write(file, "x", schedule, &err), &err);
    fclose(file);
}

/* A schedule with routers and lanes is the same bytes after write → read → write, and is legal
 * after it is read. */
static void test_round_trip(void **state)
{
    (void)state;
    static const char *const capacity[] = {"const", "exp"};
    for (unsigned which = 0; which < 2 * SUBJECTS; which++) {
        const struct topology tree = tree_lab_parse("3,2,4", capacity[which / SUBJECTS]);
        struct schedule schedule, again;
        struct verify_report report;
        struct err err = {0};
        char *text, *text_again;
        size_t size, size_again;
        build(&subjects[which % SUBJECTS], &tree, 5, &schedule);
        write_schedule(&schedule, &text, &size);
        FILE *file = fmemopen(text, size, "r");
        support_true(schedule_read(file, "x", &again, &err), &err);
        fclose(file);
        assert_true(topology_equal(&schedule.topology, &again.topology));
        assert_int_equal(again.transfer_count, schedule.transfer_count);
        assert_memory_equal(again.transfer, schedule.transfer,
                            again.transfer_count * sizeof *again.transfer);
        assert_memory_equal(again.lane, schedule.lane, again.transfer_count * sizeof *again.lane);
        support_true(verify_schedule("x", &again, &report, &err), &err);
        write_schedule(&again, &text_again, &size_again);
        assert_int_equal(size_again, size);
        assert_memory_equal(text_again, text, size);
        free(text);
        free(text_again);
        schedule_free(&schedule);
        schedule_free(&again);
    }
}

static void test_refused(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("2,3", "const");
    static const char *const names[] = {"tree-broadcast", "tree-scatter", "tree-gather"};
    for (unsigned which = 0; which < 3; which++) {
        const struct algorithm *algorithm = support_algorithm(names[which]);
        struct collective asked = {.n = 6, .m = 2, .model = MODEL_MULTIPORT, .topology = &tree};
        struct schedule schedule = {0};
        struct err err = {0};
        if (which > 0) { /* a broadcast has several packets */
            assert_false(algorithm_build(algorithm, &asked, &schedule, &err));
            support_error(&err, ERR_ALGORITHM, "2 packets in a tree; expected 1");
        }
        asked.m = 1;
        asked.n = 5;
        assert_false(algorithm_build(algorithm, &asked, &schedule, &err));
        support_error(&err, ERR_ALGORITHM, "5 nodes; expected 6, the leaves of the tree");
        asked.n = 6;
        asked.source = asked.topology->all; /* leaves are 0 … 5, routers come after them */
        assert_false(algorithm_build(algorithm, &asked, &schedule, &err));
        support_error(&err, ERR_RANGE, "; expected 0 … 5");
        asked.source = 0;
        asked.model = MODEL_SEND_RECEIVE;
        assert_false(algorithm_build(algorithm, &asked, &schedule, &err));
        support_error(&err, ERR_ALGORITHM, "expected one of single-port multiport");
        asked.model = MODEL_SINGLE_PORT;
        asked.topology = NULL;
        assert_false(algorithm_build(algorithm, &asked, &schedule, &err));
        support_error(&err, ERR_ALGORITHM, "runs on a tree; expected tree");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_trees),  cmocka_unit_test(test_stars),
        cmocka_unit_test(test_large),      cmocka_unit_test(test_fifo_order),
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
