/* SPDX-License-Identifier: Apache-2.0 */
/* libroundcast: judgements of schedules, and the comparison of the problems that they solve.
 *
 * By hand: one schedule for each rule that a schedule can break, on 4 nodes, a tree of 2 leaves or
 * a hypercube; the breach belongs to one aspect and to no other. Problems are compared in pairs
 * that differ in one number: sources, packets, λ, ports, topology. Bounds follow from the
 * definitions: F_1(t) = t + 1 and f_1(n) = n - 1, because a node of a tree of degree 1 sends once.
 *
 * Counter-cases: schedules without a collective, which have neither a bound nor a best algorithm,
 * and the same problem, which is solved.
 */
#include "lib/roundcast.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/library_lab.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define HEAD(topology, model) \
    "roundcast-schedule 1\nalgorithm hand\ntopology " topology "\nmodel " model "\n"
#define FOUR(model) HEAD("complete 4", model)
#define CUBE HEAD("hypercube 2", "all-port")
#define END "end 0\n"

/* Nodes 1 and 2 contribute to the result at node 0, which no algorithm computes. */
#define PART FOUR("send-receive") "reduce 1 0 1,2\nround 1\n1 2 1\nround 2\n2 0 1\nend 2\n"

static struct roundcast_schedule *read_text(const char *text)
{
    static const char path[] = "/tmp/roundcast-judgements";
    struct roundcast_error error = {0};
    char name[60];
    snprintf(name, sizeof name, "%s-%d", path, (int)getpid());
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    struct roundcast_schedule *schedule = roundcast_read_any(name, &error);
    assert_int_equal(unlink(name), 0);
    if (schedule == NULL)
        fail_msg("%s", error.text);
    return schedule;
}

/* --- judgements ------------------------------------------------------------------------------ */

static void each_breach_has_its_aspect(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        int code; /* of the only breach */
        enum roundcast_aspect aspect;
    } cases[] = {
        {FOUR("send-receive") "demand 1 0 1\nround 1\n2 1 1\nend 1\n", 302, ROUNDCAST_ORDER},
        {FOUR("send-receive") "demand 1 0 1\ncontrol 2 0 2 1 nodes 0\ncontrol 3 2 3 1 nodes 0 from "
                              "2\nround 1\n2 3 3\nround 2\n0 2 2\nround 3\n0 1 1\nend 3\n",
         309, ROUNDCAST_ORDER},
        {FOUR("send-receive") "reduce 1 0 0,1,2 ordered\nround 1\n2 0 1\nround 2\n1 0 1\nend 2\n",
         312, ROUNDCAST_ORDER},
        {FOUR("send-receive") "demand 1 0 1,2\nround 1\n0 1 1\n0 2 1\nend 1\n", 301,
         ROUNDCAST_PORTS},
        {FOUR("telephone") "demand 1 0 1\ndemand 2 2 0\nround 1\n0 1 1\n2 0 2\nend 1\n", 304,
         ROUNDCAST_PORTS},
        {FOUR("telegraph") "demand 1 0 1\ndemand 2 1 2\nround 1\n0 1 1\n1 2 2\nend 1\n", 305,
         ROUNDCAST_PORTS},
        {HEAD("tree 2 capacity 1", "multiport") "demand 1-2 0 1\nround 1\n0 1:0 1\n0 1:0 2\n"
                                                "round 2\n1:0 1 1\nround 3\n1:0 1 2\nend 3\n",
         306, ROUNDCAST_PORTS},
        {FOUR("send-receive") "demand 1 0 1\nround 1\n0 2 1\nend 1\n", 303, ROUNDCAST_CONTENTS},
    };
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct roundcast_judgement judgement;
        struct roundcast_error error = {0};
        struct roundcast_schedule *schedule = read_text(cases[which].text);
        assert_true(roundcast_judge(schedule, &judgement, &error));
        print_message("E%d\n", cases[which].code);
        assert_false(judgement.verdict.holds);
        for (unsigned aspect = 0; aspect < ROUNDCAST_ASPECTS; aspect++) {
            const bool here = aspect == cases[which].aspect;
            assert_int_equal(judgement.aspect[aspect].first.code, here ? cases[which].code : 0);
            assert_int_equal(judgement.aspect[aspect].count > 0, here);
        }
        roundcast_schedule_free(schedule);
    }
}

static void some_schedules_have_no_bound(void **unused)
{
    (void)unused;
    struct roundcast_judgement judgement;
    struct roundcast_error error = {0};
    struct roundcast_plan_table plan = {0};
    struct roundcast_request request = ASK("n", "77");
    struct roundcast_schedule *schedule = read_text(PART);
    assert_true(roundcast_judge(schedule, &judgement, &error));
    assert_true(judgement.verdict.holds && !judgement.verdict.has_bound);
    assert_null(judgement.best);
    assert_null(judgement.formula);
    assert_true(judgement.has_compact);
    assert_int_equal(judgement.compact, 2);
    assert_false(roundcast_request_of(schedule, &request));
    request = ASK("n", "4", "m", "1", "collective", "reduce");
    assert_false(roundcast_solves(schedule, &request, &error));
    assert_false(roundcast_plan_for(schedule, &request, &plan, &error));
    assert_int_equal(error.code, 208);
    assert_non_null(strstr(error.text, "its demands are those of no algorithm"));
    assert_true(roundcast_plan_add(schedule, "mine", &plan, &error));
    assert_int_equal(plan.count, 1);
    assert_true(plan.row[0].has_end);
    assert_int_equal(plan.row[0].end, 2);
    assert_null(plan.row[0].bound_source);
    roundcast_plan_table_free(&plan);
    roundcast_schedule_free(schedule);

    /* a node alone has nothing to wait for */
    schedule = library_build(ASK("algorithm", "path", "n", "1", "m", "1"));
    assert_true(roundcast_judge(schedule, &judgement, &error));
    assert_true(judgement.verdict.holds && judgement.verdict.has_bound);
    assert_int_equal(judgement.verdict.bound, 0);
    assert_null(judgement.formula);
    assert_true(roundcast_plan_add(schedule, "mine", &plan, &error));
    assert_int_equal(plan.row[0].bound, 0);
    assert_null(plan.row[0].bound_source);
    roundcast_plan_table_free(&plan);
    roundcast_schedule_free(schedule);

    /* packets that start where they are wanted */
    schedule = read_text(FOUR("send-receive") "demand 1 0 0\nend 0\n");
    assert_true(roundcast_judge(schedule, &judgement, &error));
    assert_true(judgement.verdict.holds);
    assert_null(judgement.formula);
    roundcast_schedule_free(schedule);

    /* a hypercube in which no packet starts, so that every algorithm has ended */
    schedule = read_text(CUBE END);
    assert_true(roundcast_judge(schedule, &judgement, &error));
    assert_true(judgement.verdict.holds);
    assert_int_equal(judgement.verdict.end, 0);
    assert_null(judgement.formula);
    assert_non_null(judgement.best);
    assert_int_equal(judgement.best_end, 0);
    roundcast_schedule_free(schedule);
}

/* --- problems -------------------------------------------------------------------------------- */

/* A pair of schedules on a hypercube of 4 nodes or a complete graph, and the code of the error if
 * the second does not solve the problem of the first; 0: it does. */
#define TWO_SOURCES CUBE "demand 1 0 *\ndemand 2 3 *\n"

static void problems_of_schedules_are_compared(void **unused)
{
    (void)unused;
    static const struct {
        const char *one, *other;
        int code;
    } cases[] = {
        {TWO_SOURCES END, TWO_SOURCES END, 0},
        {TWO_SOURCES END, CUBE "demand 1 0 *\ndemand 2 2 *\n" END, 313},
        {TWO_SOURCES END, TWO_SOURCES "demand 3 3 *\n" END, 313},
        {TWO_SOURCES END, CUBE "demand 1 0 *\ndemand 2 3 1\n" END, 313},
        {TWO_SOURCES END, CUBE "demand 1-2 0 *\n" END, 313},
        {CUBE "demand 1-2 0 *\n" END, TWO_SOURCES END, 313},
        {CUBE "reduce 1 0 1,2\n" END, TWO_SOURCES END, 313},
        {HEAD("hypercube 3", "all-port") "demand 1 0 *\ndemand 2 3 *\n" END, TWO_SOURCES END, 313},
        {CUBE END, CUBE END, 0},
        {CUBE END, TWO_SOURCES END, 313},
        {CUBE "demand 1 3 *\ndemand 2 0 *\n" END, CUBE "demand 1 3 *\ndemand 2 0 *\n" END, 0},
        {CUBE "reduce 1 0 1,2\n" END, CUBE "reduce 1 0 1,2\n" END, 0},
        {CUBE "reduce 1 0 1,2\n" END, CUBE "reduce 1 0 1,3\n" END, 313},
        {PART, PART, 0},
        {PART, FOUR("send-receive") "reduce 1 0 1,3\n" END, 313},
        {FOUR("postal 2") "demand 1 0 *\n" END, FOUR("postal 2") "demand 1 0 *\n" END, 0},
        {FOUR("postal 2") "demand 1 0 *\n" END, FOUR("postal 3") "demand 1 0 *\n" END, 313},
        {FOUR("postal 2") "demand 1 0 *\n" END, FOUR("telephone") "demand 1 0 *\n" END, 0},
        {FOUR("telephone") "demand 1 0 *\n" END, FOUR("postal 2") "demand 1 0 *\n" END, 0},
        {FOUR("send-receive") "demand 1 0 *\n" END,
         HEAD("complete 4", "send-receive 2") "demand 1 0 *\n" END, 313},
    };
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct roundcast_error error = {0};
        struct roundcast_schedule *one = read_text(cases[which].one),
                                  *other = read_text(cases[which].other);
        const bool solved = roundcast_solves_as(other, one, &error);
        if (solved != (cases[which].code == 0) || error.code != cases[which].code)
            fail_msg("case %zu: E%d %s", which, error.code, error.text);
        roundcast_schedule_free(one), roundcast_schedule_free(other);
    }
}

static void problems_of_requests_are_compared(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *set[12];
        bool solved;
    } cases[] = {
        {TWO_SOURCES END, {"dim", "2", "sources", "0,3"}, true},
        {TWO_SOURCES END, {"dim", "2", "sources", "0,2"}, false},
        {TWO_SOURCES END, {"dim", "2", "sources", "0,2,3"}, false},
        {TWO_SOURCES END, {"dim", "3", "sources", "0,3"}, false},
        {TWO_SOURCES END, {"n", "4", "packets", "2"}, false},
        {CUBE "demand 1-2 0 *\n" END, {"dim", "2", "packets", "2"}, true},
        {CUBE "demand 1-2 0 *\n" END, {"dim", "2", "sources", "0,3"}, false},
        {FOUR("send-receive") "demand 1 0 *\n" END, {"n", "4", "packets", "1"}, true},
        {FOUR("send-receive") "demand 1 0 *\n" END, {"torus", "4", "packets", "1"}, false},
        /* traffic is no collective: each packet has a receiver of its own */
        {FOUR("send-receive") "demand 1 0 1\ndemand 2 1 2\n" END,
         {"n", "4", "packets", "1"},
         false},
        {HEAD("complete 4 shared 2", "send-receive") "demand 1 0 0,2\n" END,
         {"n", "2", "packets", "1"},
         false},
    };
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct roundcast_schedule *schedule = read_text(cases[which].text);
        const struct roundcast_request request = library_ask(cases[which].set);
        struct roundcast_error error = {0};
        const bool solved = roundcast_solves(schedule, &request, &error);
        if (solved != cases[which].solved || error.code != (solved ? 0 : 313))
            fail_msg("case %zu: E%d %s", which, error.code, error.text);
        roundcast_schedule_free(schedule);
    }
}

/* A row with an end comes before rows of its model whose end is not known. */
static void known_ends_come_first(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct roundcast_plan_table plan;
    const struct roundcast_request request = ASK("dim", "2", "packets", "2");
    struct roundcast_schedule *schedule =
        library_build(ASK("algorithm", "cube-ranked", "dim", "2", "sources", "0,3"));
    size_t before, place = 0, unknown = 0;
    assert_true(roundcast_plan_all(&request, &plan, &error));
    assert_true(plan.unplaced);
    before = plan.count;
    assert_true(roundcast_plan_add(schedule, "mine", &plan, &error));
    assert_int_equal(plan.count, before + 1);
    while (strcmp(plan.row[place].algorithm, "mine") != 0)
        place++;
    for (size_t which = 0; which < plan.count; which++)
        if (strcmp(plan.row[which].model, plan.row[place].model) == 0 && !plan.row[which].has_end) {
            assert_true(which > place);
            unknown++;
        }
    assert_true(unknown > 0);
    roundcast_plan_table_free(&plan);
    roundcast_schedule_free(schedule);
}

/* --- bounds ---------------------------------------------------------------------------------- */

static void trees_of_degree_one_have_no_guarantee(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct roundcast_bound_table table;
    const struct roundcast_time time = {3, 1};
    struct roundcast_request request = ASK("n", "4", "packets", "2", "degree", "1");
    assert_true(roundcast_bounds(&request, &time, &table, &error));
    assert_int_equal(table.function_count, 2);
    assert_int_equal(table.function[0].value, 4); /* F_1(3) */
    assert_int_equal(table.function[1].value, 3); /* f_1(4) */
    for (unsigned which = 0; which < 2; which++) {
        assert_null(table.function[which].guarantee_source);
        assert_int_equal(table.function[which].guarantee, 0);
    }
    roundcast_bound_table_free(&table);

    /* F_2 is 1, 1, 3, 5, 9, …; Theorem 3.7 holds from time d + 2 on */
    static const uint64_t trees[] = {1, 1, 3, 5, 9, 15};
    request = ASK("n", "4", "packets", "2", "degree", "2");
    for (uint32_t t = 0; t < sizeof trees / sizeof *trees; t++) {
        const struct roundcast_time at = {t, 1};
        assert_true(roundcast_bounds(&request, &at, &table, &error));
        assert_int_equal(table.function[0].value, trees[t]);
        assert_int_equal(table.function[0].guarantee_source != NULL, t >= 4);
        assert_true(table.function[0].guarantee <= trees[t]);
        roundcast_bound_table_free(&table);
    }
    request = ASK("dim", "3", "random", "0");
    assert_true(roundcast_bounds(&request, NULL, &table, &error));
    assert_false(table.has_sources); /* no packet is broadcast */
    roundcast_bound_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_breach_has_its_aspect),
        cmocka_unit_test(some_schedules_have_no_bound),
        cmocka_unit_test(problems_of_schedules_are_compared),
        cmocka_unit_test(problems_of_requests_are_compared),
        cmocka_unit_test(known_ends_come_first),
        cmocka_unit_test(trees_of_degree_one_have_no_guarantee),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
