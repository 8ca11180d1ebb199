/* SPDX-License-Identifier: Apache-2.0 */
/* libroundcast: plans, their prices, and tunings.
 *
 * The best row of a plan ends in m - 1 + ⌈log2 n⌉ rounds, no row ends before its bound or after its
 * guarantee, and the best cut of a message is found here by trying all of them. The plan of a
 * schedule has algorithms for any demands only if nodes have one port, no row in a model without an
 * algorithm, and rows without an end after those of their model. Counter-cases: a visitor that
 * stops, members that require others, and a degree that no algorithm of the plan has.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/library_lab.h"

#include <string.h>

struct plan_seen {
    unsigned rows, most, guaranteed;
    uint64_t least;
    bool within; /* ends are within bound and guarantee, and ascend within a model */
    struct roundcast_plan_row last;
};

static bool see_row(void *with, const struct roundcast_plan_row *row)
{
    struct plan_seen *seen = with;
    if (row->has_end && row->end < row->bound)
        seen->within = false;
    if (row->guarantee_source != NULL && row->has_end && row->end > row->guarantee)
        seen->within = false;
    seen->guaranteed += row->guarantee_source != NULL;
    if (seen->rows > 0 && strcmp(row->model, seen->last.model) == 0 && row->has_end &&
        row->end < seen->last.end)
        seen->within = false;
    seen->least = seen->rows == 0 ? row->end : seen->least;
    seen->last = *row;
    return ++seen->rows < seen->most;
}

/* A plan reaches m - 1 + ⌈log2 n⌉ rounds (Bar-Noy and Kipnis), and each of its rows has a bound. */
static void a_plan_has_a_row_for_each_algorithm(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct roundcast_request request = ASK("n", "22", "m", "8", "model", "send-receive");
    struct plan_seen seen = {.most = UINT32_MAX, .within = true};
    assert_true(roundcast_plan(&request, see_row, &seen, &error));
    assert_true(seen.rows > 5 && seen.within);
    assert_int_equal(seen.guaranteed, 3); /* matching, circulant, fibonacci */
    assert_int_equal(seen.least, 8 - 1 + 5);
    const unsigned of_model = seen.rows;
    request.model = NULL;
    seen = (struct plan_seen){.most = UINT32_MAX, .within = true};
    assert_true(roundcast_plan(&request, see_row, &seen, &error));
    assert_true(seen.rows > of_model && seen.within);
    seen = (struct plan_seen){.most = 2};
    assert_true(roundcast_plan(&request, see_row, &seen, &error));
    assert_int_equal(seen.rows, 2);
    request.nodes = 0;
    assert_false(roundcast_plan(&request, see_row, &seen, &error));
    assert_int_equal(error.code, 101);
    assert_string_equal(error.field, "nodes");
}

/* A permutation of 3 packets a pair takes 3 rounds of 9 cycles in one setting, whose
 * reconfiguration takes 20 cycles. */
static void a_plan_counts_the_price_of_settings(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct roundcast_request request =
        ASK("n", "8", "pattern", "permutation:3", "reconfigure", "20", "round-cycles", "9");
    struct plan_seen seen = {.most = UINT32_MAX, .within = true};
    assert_true(roundcast_plan(&request, see_row, &seen, &error));
    assert_true(seen.rows > 2);
    assert_string_equal(seen.last.algorithm, "traffic");
    assert_non_null(seen.last.method);
    assert_int_equal(seen.least, 3 * 9 + 20);
    assert_int_equal(seen.last.bound, 3 * 9 + 20);
    request.planes = 2;
    seen = (struct plan_seen){.most = 1};
    assert_true(roundcast_plan(&request, see_row, &seen, &error));
    assert_true(seen.least <= 3 * 9 + 20);
    assert_int_equal(seen.last.bound, (3 * 9 + 20 + 1) / 2);
    request.reconfigure = NULL;
    request.round_cycles = 0;
    assert_false(roundcast_plan(&request, see_row, &seen, &error));
    assert_int_equal(error.code, 101);
    assert_string_equal(error.field, "planes");
}

/* Returns the number of rows of an algorithm. */
static unsigned rows_of(const struct roundcast_plan_table *plan, const char *algorithm)
{
    unsigned rows = 0;
    for (size_t k = 0; k < plan->count; k++)
        rows += strcmp(plan->row[k].algorithm, algorithm) == 0;
    return rows;
}

/* The algorithm for any demands gives a node one packet at a time. */
static void a_plan_of_traffic_depends_on_the_ports(void **unused)
{
    (void)unused;
    for (unsigned ports = 1; ports <= 2; ports++) {
        struct roundcast_error error = {0};
        struct roundcast_plan_table plan;
        const struct roundcast_request any = ASK("model", "send-receive");
        struct roundcast_schedule *schedule =
            library_build(ASK("algorithm", "traffic", "n", "4", "pattern", "permutation:2", "ports",
                              ports == 1 ? "1" : "2"));
        assert_true(roundcast_plan_for(schedule, &any, &plan, &error));
        assert_int_equal(rows_of(&plan, "traffic"), 1);
        assert_int_equal(rows_of(&plan, "general"), ports == 1);
        assert_int_equal(plan.packets, 4 * 2);
        roundcast_plan_table_free(&plan);
        roundcast_schedule_free(schedule);
    }
}

/* No algorithm exchanges packets in a network that combines them, whatever its degree is. */
static void a_plan_may_have_no_row(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct roundcast_plan_table plan;
    struct roundcast_request request = ASK("model", "fabric-reduction");
    struct roundcast_schedule *schedule =
        library_build(ASK("algorithm", "total-exchange", "n", "4", "m", "1"));
    assert_true(roundcast_plan_for(schedule, &request, &plan, &error));
    assert_int_equal(plan.count, 0);
    assert_int_equal(plan.nodes, 4);
    assert_int_equal(plan.packets, 1);
    roundcast_plan_table_free(&plan);
    request.degree = 2;
    library_rejects(roundcast_plan_for(schedule, &request, &plan, &error), &error, 101,
                    "no algorithm that applies has a degree; expected none");
    roundcast_schedule_free(schedule);
}

/* 699 receipts of 3001 packets are more than 2^21, so that telegraph, whose end no formula gives
 * for them, is not built. */
static void an_end_may_be_unknown(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct roundcast_plan_table plan;
    const struct roundcast_request request = ASK("model", "telegraph");
    struct roundcast_schedule *schedule =
        library_read("roundcast-schedule 1\nalgorithm hand\ntopology complete 700\n"
                     "model telegraph\ndemand 1-3001 0 *\nend 0\n");
    assert_true(roundcast_plan_for(schedule, &request, &plan, &error));
    assert_true(plan.count > 1);
    for (size_t k = 0; k < plan.count; k++)
        assert_int_equal(plan.row[k].has_end, k + 1 < plan.count);
    assert_string_equal(plan.row[plan.count - 1].algorithm, "telegraph");
    roundcast_plan_table_free(&plan);
    roundcast_schedule_free(schedule);
}

struct tune_seen {
    unsigned rows;
    uint64_t cycles; /* of the previous row */
    bool ascends;
    struct roundcast_tune_row matching; /* its best cut */
};

static bool see_cut(void *with, const struct roundcast_tune_row *row)
{
    struct tune_seen *seen = with;
    seen->ascends = seen->ascends && row->cycles >= seen->cycles && row->cycles >= row->bound;
    seen->cycles = row->cycles;
    seen->rows++;
    if (strcmp(row->algorithm, "matching") == 0 && strcmp(row->model, "send-receive") == 0)
        seen->matching = *row;
    return true;
}

/* 9286 bytes are 4643 flits of 16 bits; m packets of F flits take m - 1 + 5 rounds of F + 9
 * cycles. */
static void tuning_finds_the_best_cut(void **unused)
{
    (void)unused;
    const uint64_t flits = 4643, latency = 9, log2_nodes = 5;
    uint64_t best = UINT64_MAX;
    for (uint64_t m = 1; m <= flits; m++) {
        const uint64_t cycles = (m - 1 + log2_nodes) * ((flits + m - 1) / m + latency);
        best = cycles < best ? cycles : best;
    }
    struct roundcast_error error = {0};
    struct roundcast_request request = ASK("n", "22", "network", "benes:32");
    struct tune_seen seen = {.ascends = true};
    assert_true(roundcast_tune(&request, 2 * flits, see_cut, &seen, &error));
    assert_true(seen.rows > 5 && seen.ascends);
    assert_int_equal(seen.matching.cycles, best);
    assert_int_equal(seen.matching.end, seen.matching.packets - 1 + log2_nodes);
    assert_int_equal(seen.matching.cycles, seen.matching.end * (seen.matching.flits + latency));
    assert_false(roundcast_tune(&request, 0, see_cut, &seen, &error));
    assert_int_equal(error.code, 101);
    assert_string_equal(error.field, "bytes");

    request = ASK("n", "8", "pattern", "permutation:3", "reconfigure", "20");
    seen = (struct tune_seen){.ascends = true};
    assert_true(roundcast_tune(&request, 0, see_cut, &seen, &error));
    assert_true(seen.rows > 1 && seen.ascends);
    assert_false(roundcast_tune(&request, 100, see_cut, &seen, &error));
    assert_int_equal(error.code, 101);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_has_a_row_for_each_algorithm),
        cmocka_unit_test(a_plan_counts_the_price_of_settings),
        cmocka_unit_test(a_plan_of_traffic_depends_on_the_ports),
        cmocka_unit_test(a_plan_may_have_no_row),
        cmocka_unit_test(an_end_may_be_unknown),
        cmocka_unit_test(tuning_finds_the_best_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
