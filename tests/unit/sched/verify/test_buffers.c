/* SPDX-License-Identifier: Apache-2.0 */
/* test_buffers: the depths of queues, compared with their definition.
 *
 * State space: any schedule in a tree. For six schedules in eight small trees, every router, output
 * and round is counted by the definition, with a loop over all transfers for each packet, also with
 * pauses between the rounds. The schedules have many copies of one packet, many packets with one
 * copy, and several lanes. test_tree_golden compares depths with those of another implementation.
 */
#include "sched/base/compare.h"
#include "sched/verify/buffers.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <string.h>

static const struct subject {
    const char *name;
    enum model model;
    unsigned method;
} subjects[] = {
    {"tree-broadcast", MODEL_SINGLE_PORT, 0}, {"tree-broadcast", MODEL_MULTIPORT, 0},
    {"tree-scatter", MODEL_MULTIPORT, 0},     {"tree-gather", MODEL_SINGLE_PORT, 0},
    {"tree-gather", MODEL_SINGLE_PORT, 1},    {"tree-gather", MODEL_MULTIPORT, 1},
};
#define SUBJECTS (sizeof subjects / sizeof *subjects)

/* Returns a queue depth by its definition, from every packet and transfer, in one router and round.
 * `output`: only copies for that neighbour; UINT32_MAX: copies for all neighbours. */
static uint32_t judge_count(const struct schedule *s, uint32_t router, uint32_t output,
                            uint64_t round, bool stored)
{
    uint32_t count = 0;
    for (uint32_t packet = 1; packet <= s->packets; packet++) {
        uint64_t came = UINT64_MAX, left = 0;
        for (size_t k = 0; k < s->step_count; k++)
            for (size_t index = s->step[k].first; index < schedule_step_end(s, k); index++) {
                const struct transfer t = s->transfer[index];
                if (t.packet == packet && t.destination == router)
                    came = s->step[k].time;
                if (t.packet == packet && t.source == router &&
                    (output == UINT32_MAX || t.destination == output))
                    left = s->step[k].time;
            }
        count += (stored ? came <= round : came < round) && left > round;
    }
    return count;
}

static void raise_to(uint32_t *most, uint32_t depth)
{
    *most = MAX(*most, depth);
}

/* Computes the largest depths of all rounds, by level. */
static void count(const struct schedule *schedule, struct buffer_depth depth[])
{
    const struct topology *tree = &schedule->topology;
    for (uint32_t router = tree->nodes; router < tree->all; router++)
        for (uint64_t round = 1; round <= schedule->end; round++) {
            struct buffer_depth *now = &depth[topology_level(tree, router)];
            raise_to(&now->wait, judge_count(schedule, router, UINT32_MAX, round, false));
            raise_to(&now->stored, judge_count(schedule, router, UINT32_MAX, round, true));
            for (uint32_t output = 0; output < tree->all; output++)
                raise_to(&now->wait_output, judge_count(schedule, router, output, round, false));
        }
}

/* Multiplies the times of all rounds by `pause` and compares the depths: packets also wait in the
 * rounds without transfers. */
static void check(struct schedule *schedule, unsigned pause)
{
    struct buffer_depth depth[TOPOLOGY_MAX_HEIGHT + 1], counted[TOPOLOGY_MAX_HEIGHT + 1] = {{0}};
    struct err err = {0};
    for (size_t k = 0; k < schedule->step_count; k++)
        schedule->step[k].time *= pause;
    schedule->end *= pause;
    memset(depth, 0xff, sizeof depth);
    support_true(buffers_measure(schedule, depth, &err), &err);
    count(schedule, counted);
    assert_memory_equal(depth, counted, sizeof depth);
}

static void test_by_definition(void **state)
{
    (void)state;
    static const char *const children[] = {"3", "2,3", "3,2", "2,2,2"};
    static const char *const capacity[] = {"const", "exp"};
    for (unsigned shape = 0; shape < 8; shape++)
        for (unsigned which = 0; which < SUBJECTS; which++) {
            struct topology tree;
            struct schedule schedule;
            struct err err = {0};
            support_true(topology_parse_tree(children[shape / 2], capacity[shape % 2], &tree, &err),
                         &err);
            const struct collective asked = {.n = tree.nodes,
                                             .m = 1,
                                             .source = 1,
                                             .model = subjects[which].model,
                                             .topology = &tree,
                                             .method = subjects[which].method};
            support_schedule(support_algorithm(subjects[which].name), &asked, &schedule);
            check(&schedule, 1);
            check(&schedule, 3);
            schedule_free(&schedule);
        }
}

/* A packet that its router does not send on does not wait. */
static void test_counter_case(void **state)
{
    (void)state;
    static const char text[] =
        "roundcast-schedule 1\nalgorithm x\ntopology tree 2 2 capacity 1 1\n"
        "model single-port\ndemand 1 0 1\nround 1\n0 1:0 1\nround 2\n1:0 2:0 1\n"
        "round 5\n1:0 1 1\nend 5\n";
    struct schedule schedule;
    struct err err = {0};
    support_true(support_read(text, "x", &schedule, &err), &err);
    struct buffer_depth depth[TOPOLOGY_MAX_HEIGHT + 1];
    support_true(buffers_measure(&schedule, depth, &err), &err);
    assert_int_equal(depth[1].wait, 1);
    assert_int_equal(depth[1].wait_output, 1);
    assert_int_equal(depth[1].stored, 1);
    assert_int_equal(depth[2].stored, 0);
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_definition),
        cmocka_unit_test(test_counter_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
