/* SPDX-License-Identifier: Apache-2.0 */
/* test_hypercube_to_rounds: schedules of hypercubes rewritten for complete graphs, and on a
 * multistage network.
 *
 * All algorithms on the cubes of d = 1 … 5 with seeded sets: the packets that cross dimension j in
 * round t, and no others, are in round (t-1)d + j; the demands are the same; the model send-receive
 * allows it; a Beneš network runs it in csim. Transfers of a reduction keep their options. A round
 * so late that its last one would have no number is rejected; the round before it is accepted.
 */
#include "sched/base/rng.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/rewrite.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/cube_runs.h"
#include "tests/support/tree_machine.h"

#define SEED 20261202

static const struct {
    const char *name, *method;
    bool few; /* from 1 to d packets */
} algorithms[] = {{"cube-single", NULL, true},
                  {"cube-ranked", "known", true},
                  {"cube-ranked", "tree", true},
                  {"cube-unbalanced", NULL, true},
                  {"cube-reserved", NULL, true},
                  {"cube-all-gather", "known", false},
                  {"cube-all-gather", "termination", false},
                  {"cube-all-gather", "optimal", false},
                  {"cube-broadcast", "tree", false},
                  {"cube-broadcast", "random-detect", false}};

static void check_demands(const struct schedule *cube, const struct schedule *complete)
{
    assert_int_equal(cube->packets, complete->packets);
    assert_int_equal(cube->demand_count, complete->demand_count);
    for (size_t d = 0; d < cube->demand_count; d++) {
        const struct demand *a = &cube->demand[d], *b = &complete->demand[d];
        assert_true(a->first_packet == b->first_packet && a->last_packet == b->last_packet &&
                    a->source == b->source);
        assert_true((a->control == NULL) == (b->control == NULL) &&
                    a->wanted_count == b->wanted_count);
        for (uint32_t k = 0; a->control != NULL && k < a->control->part_count; k++)
            assert_int_equal(a->control->part[k], b->control->part[k]);
        assert_true(a->control == NULL || (a->control->value == b->control->value &&
                                           a->control->first_node == b->control->first_node &&
                                           a->control->node_count == b->control->node_count &&
                                           a->control->part_count == b->control->part_count));
        for (uint32_t k = 0; k < a->wanted_count; k++)
            assert_int_equal(a->wanted[k], b->wanted[k]);
    }
}

/* Checks that each transfer of the hypercube is in its round, and that there are no others. */
static void check_rounds(const struct schedule *cube, const struct schedule *complete)
{
    unsigned d = cube->topology.dimensions;
    assert_int_equal(cube->transfer_count, complete->transfer_count);
    for (size_t k = 0; k < complete->step_count; k++) {
        uint64_t cube_round = (complete->step[k].time - 1) / d + 1,
                 dimension = (complete->step[k].time - 1) % d + 1;
        size_t at = 0;
        while (cube->step[at].time != cube_round)
            assert_true(++at < cube->step_count);
        for (size_t t = complete->step[k].first; t < schedule_step_end(complete, k); t++) {
            struct transfer transfer = complete->transfer[t];
            assert_int_equal(transfer.source ^ transfer.destination, 1u << (dimension - 1));
            size_t from = cube->step[at].first;
            while (!support_same_transfer(cube, from, complete, t))
                assert_true(++from < schedule_step_end(cube, at));
        }
    }
}

static uint64_t run_lowered(const struct schedule *schedule, unsigned d)
{
    struct support_job job;
    struct err err = {0};
    struct machine machine = support_machine(d, 1, 0);
    support_true(machine_sizing_fit(schedule, 2, NULL, &machine, &err), &err);
    tree_machine_job(schedule, &machine, 2, &job);
    uint64_t receipts = tree_machine_run(&job, false, schedule->end);
    support_job_free(&job);
    return receipts;
}

static void check_set(size_t which, const struct topology *cube, const struct cube_runs_set *set,
                      uint64_t *receipts)
{
    struct err err = {0};
    struct verify_report report;
    struct schedule schedule, lowered = {0};
    cube_runs_schedule(algorithms[which].name, algorithms[which].method, cube, set, &schedule);
    support_true(hypercube_to_rounds(&schedule, &lowered, &err), &err);
    support_true(verify_schedule("lowered", &lowered, &report, &err), &err);
    assert_true(lowered.end <= schedule.end * cube->dimensions &&
                lowered.model == MODEL_SEND_RECEIVE);
    check_demands(&schedule, &lowered);
    check_rounds(&schedule, &lowered);
    *receipts += run_lowered(&lowered, cube->dimensions);
    schedule_free(&schedule);
}

/* A result of node 0 replaces what the other nodes have; that of the second packet stays there. */
static void test_reduction(void **state)
{
    (void)state;
    static const char text[] =
        "roundcast-schedule 1\nalgorithm by hand\ntopology hypercube 2\nmodel all-port\n"
        "reduce 1 * *\nreduce 2 0 *\nround 1\n3 1 1\n3 2 2\nround 2\n1 0 1\n2 0 1\nround 3\n1 0 2\n"
        "2 0 2\n0 1 1 replace\n0 2 1 replace\nround 4\n2 3 1 replace\nend 4\n";
    struct err err = {0};
    struct verify_report report;
    struct schedule cube, lowered = {0};
    support_true(support_read(text, "r.sched", &cube, &err), &err);
    support_true(verify_schedule("cube", &cube, &report, &err), &err);
    support_true(hypercube_to_rounds(&cube, &lowered, &err), &err);
    support_true(verify_schedule("lowered", &lowered, &report, &err), &err);
    check_demands(&cube, &lowered);
    check_rounds(&cube, &lowered);
    assert_int_equal(lowered.end, 7); /* the last arc crosses dimension 1 */
    assert_true(lowered.demand[0].reduction != NULL && lowered.demand[1].reduction != NULL);
    cube.combining[cube.combining_count - 1] = 0; /* counter-case */
    assert_false(support_same_transfer(&cube, cube.transfer_count - 1, &lowered,
                                       lowered.transfer_count - 1));
    schedule_free(&lowered);
    schedule_free(&cube);
}

static void test_all(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    uint64_t receipts = 0;
    print_message("seed %d\n", SEED);
    for (unsigned d = 1; d <= 5; d++)
        for (size_t which = 0; which < sizeof algorithms / sizeof *algorithms; which++)
            for (unsigned trial = 0; trial < 4; trial++) {
                const struct topology cube = cube_lab_make(d);
                bool few = algorithms[which].few;
                struct cube_runs_set set = {.count = few ? 1 + rng_below(&rng, d)
                                                         : rng_below(&rng, cube.nodes + 1)};
                cube_lab_multi(cube.nodes, set.count, rng_next(&rng), set.node);
                check_set(which, &cube, &set, &receipts);
            }
    print_message("%llu receipts\n", (unsigned long long)receipts);
    assert_true(receipts > 10000);
}

/* The last round of a hypercube whose rounds fit in the range of round numbers, and the one after
 * it. */
static void test_last_round(void **state)
{
    (void)state;
    const uint64_t most = (UINT64_C(1) << 62) / 3;
    for (uint64_t cube_round = most; cube_round <= most + 1; cube_round++) {
        struct schedule schedule = {0}, lowered = {0};
        struct err err = {0};
        const struct topology cube = cube_lab_make(3);
        support_true(schedule_init(&schedule, "late",
                                   &(struct collective){.topology = &cube,
                                                        .kind = COLLECTIVE_BROADCAST,
                                                        .m = 1,
                                                        .model = MODEL_ALL_PORT},
                                   &err),
                     &err);
        struct transfer *transfer = schedule_open_step(&schedule, cube_round, 1, &err);
        assert_non_null(transfer);
        *transfer = (struct transfer){0, 4, 1};
        schedule_close_step(&schedule, 1);
        if (cube_round == most) {
            support_true(hypercube_to_rounds(&schedule, &lowered, &err), &err);
            assert_true(lowered.step_count == 1 && lowered.step[0].time == cube_round * 3);
            schedule_free(&lowered);
        } else {
            assert_false(hypercube_to_rounds(&schedule, &lowered, &err));
            support_error(&err, ERR_TOO_BIG,
                          "hypercube: 1537228672809129302 rounds; expected at "
                          "most 1537228672809129301");
        }
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all), cmocka_unit_test(test_reduction),
                                       cmocka_unit_test(test_last_round)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
