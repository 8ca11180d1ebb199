/* SPDX-License-Identifier: Apache-2.0 */
/* test_verify_reduce: reductions, by hand with the whole message, and against a second judge.
 *
 * By hand: each rule is kept and broken, by cases that differ in one line. The judge
 * (tests/support/judge_reduce.h) keeps tables where verify walks backwards; it judges random
 * schedules of 2 … 6 nodes with one port each, demands of all forms and all words of transfers, and
 * the schedules of algorithms with each transfer omitted and each word of each transfer changed.
 * Verdict, code and number of breaches must agree.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/rng.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/judge_reduce.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <string.h>

struct judged {
    const char *body; /* from line 5 on, after a complete graph of 4 nodes, send-receive */
    enum err_code code;
    uint64_t further;
    const char *text; /* the whole message */
};

#define TREE "round 1\n2 0 1\n3 1 1\nround 2\n1 0 1\n"
#define EXCHANGE "round 1\n0 1 1\n1 0 1\n2 3 1\n3 2 1\nround 2\n0 2 1\n2 0 1\n1 3 1\n3 1 1\n"

static const struct judged cases[] = {
    {"reduce 1 0 *\n" TREE "end 2\n", ERR_NONE, 0, ""},
    {"reduce 1 0 *\nround 1\n2 0 1\nround 2\n1 0 1\nend 2\n", ERR_UNCOUNTED, 0,
     "r.sched:10: after round 2: the result of packet 1 at node 0 lacks the contribution of node "
     "3; "
     "expected it once"},
    {"reduce 1 0 0,1,2\nround 1\n2 0 1\nround 2\n1 0 1\nend 2\n", ERR_NONE, 0, ""},
    {"reduce 1 0 0,3\nround 1\n2 0 1\nround 2\n1 0 1\nend 2\n", ERR_NOT_HELD, 2,
     "r.sched:7: round 1: node 2 sends packet 1, which it does not hold; expected it to arrive in "
     "an earlier round"},
    {"reduce 1-2 0 *\n" TREE "end 2\n", ERR_UNCOUNTED, 2,
     "r.sched:11: after round 2: the result of packet 2 at node 0 lacks the contribution of node "
     "1; "
     "expected it once"},
    /* Node 3 sends to node 1, and again to node 0. */
    {"reduce 1 0 *\n" TREE "round 3\n3 0 1\nend 3\n", ERR_TWICE, 0,
     "r.sched:12: round 3: node 0 combines the contribution of node 3 to packet 1 again; expected "
     "it once in the result at node 0"},
    {"reduce 1 0 *\n" TREE "round 3\n3 0 1 replace\nend 3\n", ERR_UNCOUNTED, 2,
     "r.sched:13: after round 3: the result of packet 1 at node 0 lacks the contribution of node "
     "0; "
     "expected it once"},
    {"reduce 1 0 *\nround 1\n2 0 1\n3 1 1\nround 2\n1 0 1 received\nend 2\n", ERR_UNCOUNTED, 0,
     "r.sched:11: after round 2: the result of packet 1 at node 0 lacks the contribution of node "
     "1; "
     "expected it once"},
    {"reduce 1 0 *\nround 1\n2 0 1 received\n3 1 1\nround 2\n1 0 1\nend 2\n", ERR_NOT_HELD, 1,
     "r.sched:7: round 1: node 2 sends packet 1, which it does not hold; expected it to arrive in "
     "an earlier round"},
    /* The second packet is replaced at node 2, and counts nothing of the first. */
    {"reduce 1-2 0 *\n" TREE "round 3\n1 2 2\nround 4\n3 2 2 replace\nround 5\n2 0 2\nend 5\n",
     ERR_UNCOUNTED, 1,
     "r.sched:17: after round 5: the result of packet 2 at node 0 lacks the contribution of node "
     "1; "
     "expected it once"},
    {"reduce 1-2 0 0,1,2\nround 1\n1 2 1\nround 2\n1 2 2\nround 3\n1 0 1\nround 4\n1 0 2\n"
     "round 5\n2 0 1\nround 6\n2 0 2\nend 6\n",
     ERR_TWICE, 1,
     "r.sched:15: round 5: node 0 combines the contribution of node 1 to packet 1 again; expected "
     "it once in the result at node 0"},
    {"reduce 1 * *\n" EXCHANGE "end 2\n", ERR_NONE, 0, ""},
    {"reduce 1 * * ordered\n" EXCHANGE "end 2\n", ERR_NONE, 0, ""},
    {"reduce 1 * *\n" TREE "round 3\n0 1 1 replace\nround 4\n0 2 1 replace\n1 3 1 replace\nend 4\n",
     ERR_NONE, 0, ""},
    {"reduce 1 * *\n" TREE "round 3\n0 1 1\nround 4\n0 2 1 replace\n1 3 1 replace\nend 4\n",
     ERR_TWICE, 3,
     "r.sched:12: round 3: node 1 combines the contribution of node 1 to packet 1 again; expected "
     "it once in the result at node 1"},
    {"reduce 1 0 * ordered\n" TREE "end 2\n", ERR_UNORDERED, 2,
     "r.sched:7: round 1: node 0 combines packet 1 of nodes 2 … 2 with that of nodes 0 … 0; "
     "expected neighbours, because the reduction is ordered"},
    {"reduce 1 0 * ordered\nround 1\n1 0 1\n3 2 1\nround 2\n2 0 1\nend 2\n", ERR_NONE, 0, ""},
    /* Not in order, and node 2 counts twice. */
    {"reduce 1 0 * ordered\nround 1\n2 0 1\nround 2\n1 0 1\nround 3\n2 0 1\nround 4\n3 0 1\nend "
     "4\n",
     ERR_UNORDERED, 3,
     "r.sched:7: round 1: node 0 combines packet 1 of nodes 2 … 2 with that of nodes 0 … 0; "
     "expected neighbours, because the reduction is ordered"},
    {"reduce 1 prefix *\nround 1\n0 1 1\n1 2 1\n2 3 1\nround 2\n0 2 1\n1 3 1\nend 2\n", ERR_NONE, 0,
     ""},
    {"reduce 1 prefix *\nround 1\n0 1 1\n1 2 1\n2 3 1\nround 2\n0 2 1\nend 2\n", ERR_UNCOUNTED, 1,
     "r.sched:12: after round 2: the result of packet 1 at node 3 lacks the contribution of node "
     "0; "
     "expected it once"},
    {"reduce 1 prefix *\nround 1\n0 1 1\n1 2 1\n2 3 1\nround 2\n0 2 1\n1 3 1\n2 1 1\nend 2\n",
     ERR_TWICE, 1,
     "r.sched:13: round 2: node 1 combines the contribution of node 1 to packet 1 again; expected "
     "it once in the result at node 1"},
    {"reduce 1 prefix *\nround 1\n0 1 1\n1 2 1\n2 3 1\nround 2\n0 2 1\n1 3 1\n3 0 1\nend 2\n",
     ERR_TWICE, 1,
     "r.sched:14: the result of packet 1 at node 0 has the contribution of node 2; expected those "
     "of lower nodes and its own only"},
    {"reduce 1 exclusive *\nround 1\n0 1 1\n1 2 1\n2 3 1\nround 2\n0 2 1\n1 3 1\nend 2\n", ERR_NONE,
     0, ""},
    {"reduce 1 exclusive * ordered\nround 1\n0 1 1\n1 2 1\n2 3 1\nround 2\n1 3 1\nround 3\n0 2 "
     "1 replace\nend 3\n",
     ERR_UNCOUNTED, 0,
     "r.sched:14: after round 3: the result of packet 1 at node 2 lacks the contribution of node "
     "1; "
     "expected it once"},
    {"reduce 1 exclusive *\nround 1\n0 1 1\n1 2 1\n2 3 1\nround 2\n0 2 1\n1 3 1\n3 1 1\nend 2\n",
     ERR_TWICE, 1,
     "r.sched:14: the result of packet 1 at node 1 has the contribution of node 2; expected those "
     "of lower nodes only"},
    /* What node 1 has received is on both sides of it until it is replaced. */
    {"reduce 1 3 * ordered\nround 1\n0 1 1\n1 0 1\nround 2\n2 1 1\nround 3\n0 1 1 replace\nround "
     "4\n"
     "1 2 1 received\nround 5\n2 3 1\nend 5\n",
     ERR_NONE, 0, ""},
    {"reduce 1 3 * ordered\nround 1\n0 1 1\nround 2\n2 1 1\nround 3\n1 0 1 received\nround 4\n1 2 "
     "1 replace\nround 5\n2 3 1\nend 5\n",
     ERR_UNORDERED, 0,
     "r.sched:11: round 3: node 1 sends what it has received of packet 1, of nodes on both sides "
     "of it; expected neighbours, because the reduction is ordered"},
    /* Packets of both kinds in one schedule. */
    {"demand 1 0 *\nreduce 2 0 *\nround 1\n0 1 1\n2 0 2\n3 1 2\nround 2\n0 2 1\n1 3 1\n3 0 2\nend "
     "2\n",
     ERR_ONE_PORT, 1, "r.sched:10: round 1: node 1 receives packets 1 and 2; at most 1 per round"},
    /* … the copied one does not arrive: it is reported first, and both are counted. */
    {"reduce 1 0 0,1,2\ndemand 2 0 1,3\nround 1\n1 0 1\n0 1 2\nend 1\n", ERR_UNMET, 1,
     "r.sched:10: after round 1: node 3 has not received packet 2; the demand wants it there"},
};

static struct schedule read_text(const char *text)
{
    struct schedule schedule = {0};
    struct err err = {0};
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(file);
    support_true(schedule_read(file, "r.sched", &schedule, &err), &err);
    fclose(file);
    return schedule;
}

static void test_rules(void **state)
{
    (void)state;
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        char text[700];
        struct verify_report report;
        struct err err = {0};
        snprintf(text, sizeof text,
                 "roundcast-schedule 1\nalgorithm none\ntopology complete 4\nmodel "
                 "send-receive\n%s",
                 cases[which].body);
        struct schedule schedule = read_text(text);
        bool holds = verify_schedule("r.sched", &schedule, &report, &err);
        support_verdict(which, holds, &err, cases[which].code, cases[which].further,
                        cases[which].text);
        if (cases[which].code == ERR_TWICE && !schedule.demand[0].reduction->prefix)
            support_true(verify_idempotent("r.sched", &schedule, &report, &err), &err);
        schedule_free(&schedule);
    }
}

/* Checks that verify and the judge agree, for schedules that keep the rules of ports. Returns
 * whether the schedule is legal. */
static bool compare(const struct schedule *schedule, bool idempotent)
{
    struct verify_report report;
    struct err err = {0};
    bool holds = idempotent ? verify_idempotent("x", schedule, &report, &err)
                            : verify_schedule("x", schedule, &report, &err);
    const struct judge_reduce judged = judge_reduce(schedule, idempotent);
    uint64_t wrong = judged.uncounted + judged.twice;
    assert_int_equal(holds, judged.not_held + wrong == 0 && !judged.unordered);
    if (holds)
        return true;
    if (judged.not_held > 0)
        assert_int_equal(err.code, ERR_NOT_HELD);
    else if (judged.unordered)
        assert_true(err.code == ERR_UNORDERED || wrong > 0);
    else
        assert_true(err.code == (judged.uncounted == 0 ? ERR_TWICE
                                 : judged.twice == 0   ? ERR_UNCOUNTED
                                                       : err.code));
    if (!judged.unordered)
        assert_int_equal(err.further + 1, judged.not_held + wrong);
    return false;
}

static void draw_demand(struct rng *seed, struct schedule *schedule)
{
    uint32_t listed[6], count = 0, n = schedule->nodes, to = rng_below(seed, n);
    for (uint32_t node = 0; node < n; node++)
        if (rng_below(seed, 4) > 0)
            listed[count++] = node;
    bool all = rng_below(seed, 2) || count == 0;
    unsigned form = rng_below(seed, 4);
    struct reduction reduction = {.ordered = rng_below(seed, 2),
                                  .prefix = form >= 2,
                                  .exclusive = form == 3,
                                  .contributor_count = all ? 0 : count,
                                  .contributor = listed};
    assert_true(schedule_add_reduction(schedule, 1, &reduction, form == 0 ? &to : NULL, NULL));
}

/* Draws rounds in which each node sends to the node at a common distance after it, or not at all,
 * so that no rule of ports is broken. */
static void draw_rounds(struct rng *seed, struct schedule *schedule)
{
    uint32_t n = schedule->nodes, rounds = 1 + rng_below(seed, 5);
    for (uint32_t round = 1; round <= rounds; round++) {
        uint32_t ahead = 1 + rng_below(seed, n - 1);
        uint32_t quiet = rng_below(seed, 4);
        assert_non_null(schedule_open_step(schedule, round, n, NULL));
        for (uint32_t node = 0; node < n; node++) {
            unsigned combining = rng_below(seed, 8);
            uint32_t packet = 1 + rng_below(seed, schedule->packets);
            if (rng_below(seed, 4) < quiet)
                continue;
            assert_true(schedule_set_combining(schedule, schedule->transfer_count,
                                               combining <= COMBINING_ALL ? combining : 0, NULL));
            assert_true(schedule_append(schedule,
                                        (struct transfer){node, (node + ahead) % n, packet}, NULL));
        }
        schedule_close_step(schedule, 0);
    }
}

static void test_drawn(void **state)
{
    (void)state;
    struct rng seed = {20261126};
    uint32_t held = 0, runs = running_exhaustive() ? 60000 : 10000;
    for (uint32_t run = 0; run < runs; run++) {
        struct schedule schedule;
        const struct topology complete = topology_complete(2 + rng_below(&seed, 5));
        assert_true(schedule_init_empty(&schedule, "drawn", &complete, MODEL_SEND_RECEIVE, NULL));
        for (uint32_t packets = 1 + rng_below(&seed, 2); packets > 0; packets--)
            draw_demand(&seed, &schedule);
        draw_rounds(&seed, &schedule);
        held += compare(&schedule, false);
        compare(&schedule, true);
        schedule_free(&schedule);
    }
    assert_in_range(held, runs / 1000, runs / 2); /* both verdicts occur */
}

/* Returns a copy without transfer `at` if `left_out`, otherwise with the word `combining` of that
 * transfer changed. */
static struct schedule change(const struct schedule *from, size_t at, bool left_out,
                              unsigned combining)
{
    struct schedule to;
    assert_true(schedule_init_empty(&to, "changed", &from->topology, from->model, NULL) &&
                schedule_copy_demands(from, &to, NULL));
    to.lambda = from->lambda;
    for (size_t k = 0; k < from->step_count; k++) {
        assert_non_null(schedule_open_step(&to, from->step[k].time, 1, NULL));
        for (size_t i = from->step[k].first; i < schedule_step_end(from, k); i++) {
            if (i == at && left_out)
                continue;
            unsigned bits = schedule_combining(from, i) ^ (i == at ? combining : 0);
            assert_true(schedule_set_combining(&to, to.transfer_count, bits, NULL));
            assert_true(
                topology_has_routers(&to.topology)
                    ? schedule_append_lane(&to, from->transfer[i], schedule_lane(from, i), NULL)
                    : schedule_append(&to, from->transfer[i], NULL));
        }
        schedule_close_step(&to, 0);
    }
    return to;
}

/* Every single change of every schedule of a reduction is illegal, except a changed word that makes
 * no difference. Networks that combine have further rules, which test_verify tests. */
static void test_changed(void **state)
{
    (void)state;
    uint32_t built = 0;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        if (!collective_rows[(*entry)->kind].combined || model_combines(algorithm_model(*entry)))
            continue;
        for (uint32_t n = 2; n <= 8; n++) {
            struct schedule schedule = {0};
            struct topology topology;
            const char *tree = n % 2 ? "3,2" : "2,2";
            struct collective collective = {
                .n = n, .m = 2, .model = algorithm_model(*entry), .lambda = {3, 2}};
            if ((*entry)->topology == TOPOLOGY_TREE) {
                assert_true(topology_parse_tree(tree, "const", &topology, NULL));
                collective.topology = &topology;
                collective.m = 1;
            } else if ((*entry)->topology == TOPOLOGY_HYPERCUBE) {
                assert_true(topology_hypercube(n % 2 + 1, &topology, NULL));
                collective.topology = &topology;
            }
            collective.n = collective.topology != NULL ? topology.nodes : n;
            if (!algorithm_build(*entry, &collective, &schedule, NULL))
                continue;
            built++;
            assert_true(compare(&schedule, false));
            for (size_t at = 0; at < schedule.transfer_count; at++)
                for (unsigned bits = 0; bits <= COMBINING_ALL; bits++) {
                    struct schedule changed = change(&schedule, at, bits == 0, bits);
                    bool holds = compare(&changed, false);
                    assert_false(holds && bits == 0);
                    schedule_free(&changed);
                }
            schedule_free(&schedule);
        }
    }
    assert_in_range(built, 60, 200);
}

/* More results that are no copies of one another than verify checks at once. */
static void test_many_results(void **state)
{
    (void)state;
    for (uint32_t n = 63; n <= 67; n++) {
        struct schedule schedule = {0};
        struct verify_report report;
        struct err err = {0};
        struct collective collective = {
            .n = n, .m = 2, .model = MODEL_SEND_RECEIVE, .lambda = {1, 1}};
        support_schedule(support_algorithm("window-all-reduce"), &collective, &schedule);
        support_true(verify_schedule("many", &schedule, &report, &err), &err);
        struct schedule changed = change(&schedule, schedule.transfer_count - 1, true, 0);
        assert_false(verify_schedule("many", &changed, &report, &err));
        schedule_free(&changed);
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_drawn),
        cmocka_unit_test(test_changed),
        cmocka_unit_test(test_many_results),
    };
    return cmocka_run_group_tests_name("tests", tests, NULL, NULL);
}
