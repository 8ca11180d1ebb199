/* SPDX-License-Identifier: Apache-2.0 */
/* test_drawing_reduce: drawings of reductions.
 *
 * By hand: the partial results of small schedules, with times, contributors, results and arrows,
 * for each option of a transfer, λ, ordered contributors, long lists of them, and a router.
 * Sampled: in the drawings of all algorithms that combine, as many nodes have a result as want one,
 * and the depth is at most the number of rounds. Counter-cases: a sender that has nothing, times
 * before the first receipt, nodes that share a memory, too many nodes; nodes that have a result
 * that they do not want.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/draw/drawing.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

/* Returns the drawing as "time node:contributors, … | from>to …"; `*`: a result, `~`: dashed. */
static char *shown(const struct drawing *drawing)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    for (size_t at = 0; at < drawing->count; at++) {
        const struct drawing_node *node = &drawing->node[at];
        fprintf(to, "%s%llu %u:%s%s", at > 0 ? " " : "", (unsigned long long)node->time,
                node->number, node->text, node->kind == DRAWING_RESULT ? "*" : "");
        assert_true(at == 0 || node->time >= node[-1].time);
    }
    fputs(" |", to);
    for (size_t k = 0; k < drawing->arrow_count; k++) {
        const struct drawing_arrow *arrow = &drawing->arrow[k];
        fprintf(to, " %u%s%u%s", arrow->from, arrow->dashed ? "~" : ">", arrow->to,
                arrow->text != NULL ? arrow->text : "");
        assert_true(arrow->from < arrow->to);
    }
    fclose(to);
    return text;
}

#define HEAD(topology, model) \
    "roundcast-schedule 1\nalgorithm by hand\ntopology " topology "\nmodel " model "\n"

static const struct by_hand {
    const char *schedule;
    uint64_t last;
    const char *shown;
} by_hand[] = {
    {HEAD("complete 4", "send-receive") "reduce 1 0 *\nround 1\n2 0 1\n3 1 1\nround 2\n1 0 1\n"
                                        "end 2\n",
     9, "0 2:2 0 3:3 1 0:0,2 1 1:1,3 2 0:0-3* | 0>2 1>3 2~4 3>4"},
    /* up to round 1 there is no result */
    {HEAD("complete 4", "send-receive") "reduce 1 0 *\nround 1\n2 0 1\n3 1 1\nround 2\n1 0 1\n"
                                        "end 2\n",
     1, "0 2:2 0 3:3 1 0:0,2 1 1:1,3 | 0>2 1>3"},
    /* a result replaces: no dashed arrow */
    {HEAD("complete 2", "send-receive") "reduce 1 * *\nround 1\n1 0 1\nround 2\n0 1 1 replace\n"
                                        "end 2\n",
     9, "0 1:1 1 0:0-1* 2 1:0-1* | 0>1 1>2"},
    /* node 0 passes on what it received without its own contribution */
    {HEAD("complete 3", "send-receive") "reduce 1 2 1,2\nround 1\n1 0 1\nround 2\n0 2 1 received\n"
                                        "end 2\n",
     9, "0 1:1 1 0:1 2 2:1-2* | 0>1 1>2received"},
    /* node 1 sends at time 1, before that of node 0 arrives at time 2 */
    {HEAD("complete 3", "postal 2") "reduce 1 prefix * ordered\ntime 0\n0 1 1\ntime 1\n1 2 1\n"
                                    "0 2 1\nend 3\n",
     9, "0 0:0* 1 1:1 2 1:0-1* 3 2:0-2* | 1~2 0>2 1>3 0>3"},
    /* an exclusive scan: node 0 has no result */
    {HEAD("complete 2", "send-receive") "reduce 1 exclusive * ordered\nround 1\n0 1 1\nend 1\n", 9,
     "0 0:0 1 1:0-1* | 0>1"},
    /* node 2 has all contributions and contributes nothing: its prefix is empty */
    {HEAD("complete 3", "send-receive") "reduce 1 prefix 0,1 ordered\nround 1\n0 1 1\nround 2\n"
                                        "1 2 1\nend 2\n",
     9, "0 0:0* 1 1:0-1* 2 2:0-1 | 0>1 1>2"},
    /* node 1 has all contributions, which node 0 wants */
    {HEAD("complete 3", "send-receive") "reduce 1 0 *\nround 1\n0 1 1\nround 2\n2 1 1\n"
                                        "round 3\n1 0 1 replace\nend 3\n",
     9, "0 0:0 1 1:0-1 1 2:2 2 1:0-2 3 0:0-2* | 0>1 1~3 2>3 3>4"},
    /* up to 23 bytes of contributors are written, longer lists are counted: 4,6,8,10,…,20 has 23 */
    {HEAD("complete 21", "send-receive") "reduce 1 0 0,2,4,6,8,10,12,14,16,18,20\nround 1\n"
                                         "20 18 1\nround 2\n18 16 1\nround 3\n16 14 1\nround 4\n"
                                         "14 12 1\nround 5\n12 10 1\nround 6\n10 8 1\nround 7\n"
                                         "8 6 1\nround 8\n6 4 1\nround 9\n4 2 1\nround 10\n"
                                         "2 0 1\nend 10\n",
     99,
     "0 20:20 1 18:18,20 2 16:16,18,20 3 14:14,16,18,20 4 12:12,14,16,18,20 "
     "5 10:10,12,14,16,18,20 6 8:8,10,12,14,16,18,20 7 6:6,8,10,12,14,16,18,20 "
     "8 4:4,6,8,10,12,14,16,18,20 9 2:10 nodes 10 0:11 nodes* "
     "| 0>1 1>2 2>3 3>4 4>5 5>6 6>7 7>8 8>9 9>10"},
    /* two receipts at a time are one partial result */
    {"roundcast-schedule 1\nalgorithm by hand\ntopology tree 2 2 capacity 1 1\nmodel multiport\n"
     "reduce 1 0 2,3\nround 1\n2 1:1 1\n3 1:1 1\nround 2\n1:1 2:0 1\nround 3\n2:0 1:0 1\n"
     "round 4\n1:0 0 1\nend 4\n",
     9, "0 2:2 0 3:3 1 5:2-3 2 6:2-3 3 4:2-3 4 0:2-3* | 0>2 1>2 2>3 3>4 4>5"},
};

static void test_by_hand(void **state)
{
    (void)state;
    for (unsigned which = 0; which < sizeof by_hand / sizeof *by_hand; which++) {
        struct schedule schedule = {0};
        struct drawing drawing = {0};
        struct err err = {0};
        running("schedule %u", which);
        support_true(support_read(by_hand[which].schedule, "hand", &schedule, &err), &err);
        support_true(drawing_reduction("hand", &schedule, 1, by_hand[which].last, &drawing, &err),
                     &err);
        char *text = shown(&drawing);
        assert_string_equal(text, by_hand[which].shown);
        free(text);
        drawing_free(&drawing);
        schedule_free(&schedule);
    }
}

/* Returns the number of nodes that want each packet, but not only their own contribution. */
static uint32_t results_of(const struct algorithm *algorithm, uint32_t n)
{
    const struct collective_row *row = &collective_rows[algorithm->kind];
    if (algorithm->kind == COLLECTIVE_REDUCE || algorithm->kind == COLLECTIVE_REDUCE_SCATTER)
        return 1;
    return row->exclusive ? n - 1 : n;
}

static void test_results(void **state)
{
    (void)state;
    unsigned drawn = 0;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++)
        for (uint32_t n = 2; n <= 9; n++) {
            const struct algorithm *algorithm = *entry;
            struct schedule schedule = {0};
            struct drawing drawing = {0};
            struct err err = {0};
            struct collective asked = {.n = n,
                                       .m = 2,
                                       .model = algorithm_model(algorithm),
                                       .kind = algorithm->kind,
                                       .lambda = {1, 1}};
            if (!collective_rows[algorithm->kind].combined ||
                algorithm->topology != TOPOLOGY_COMPLETE)
                continue;
            asked = algorithm_choose(algorithm, &asked);
            if (!algorithm_check(algorithm, &asked, NULL))
                continue;
            running("%s, %u nodes", algorithm->name, n);
            support_true(algorithm_build(algorithm, &asked, &schedule, &err), &err);
            support_true(drawing_reduction("s", &schedule, 2, UINT64_MAX, &drawing, &err), &err);
            uint32_t results = 0;
            for (size_t at = 0; at < drawing.count; at++)
                results += drawing.node[at].kind == DRAWING_RESULT;
            assert_int_equal(results, results_of(algorithm, n));
            assert_in_range(drawing_depth(&drawing), 1, schedule.end);
            drawn++;
            drawing_free(&drawing);
            schedule_free(&schedule);
        }
    assert_true(drawn >= 60);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *schedule;
        uint64_t last;
        enum err_code code;
        const char *part;
    } cases[] = {
        {HEAD("complete 3", "send-receive") "reduce 1 0 0,1\nround 1\n2 0 1\nend 1\n", 9,
         ERR_NOT_HELD, "hand:7: round 1: node 2 sends packet 1, of which it has nothing"},
        {HEAD("complete 3", "send-receive") "reduce 1 0 *\nround 1\n2 0 1 received\nend 1\n", 9,
         ERR_NOT_HELD, "hand:7: round 1: node 2 sends packet 1, of which it has nothing"},
        {HEAD("complete 3", "send-receive") "reduce 1 0 *\nround 3\n2 0 1\nend 3\n", 2, ERR_RANGE,
         "hand: no node receives packet 1 up to round 2; expected at least 3"},
        {HEAD("complete 3", "send-receive") "reduce 1 0 *\nend 0\n", 2, ERR_RANGE,
         "hand: no node receives packet 1; expected a packet that is sent"},
        {HEAD("complete 4 shared 2", "send-receive") "reduce 1 0 *\nend 0\n", 2, ERR_UNSUPPORTED,
         "hand: 2 adjacent endpoints share the memory of a node; expected the schedule of the "
         "nodes"},
        {HEAD("complete 4097", "send-receive") "reduce 1 0 *\nend 0\n", 2, ERR_TOO_BIG,
         "hand: 4097 nodes and routers; expected at most 4096"},
    };
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule = {0};
        struct drawing drawing = {0};
        struct err err = {0};
        support_true(support_read(cases[which].schedule, "hand", &schedule, &err), &err);
        assert_false(drawing_reduction("hand", &schedule, 1, cases[which].last, &drawing, &err));
        support_error(&err, cases[which].code, cases[which].part);
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
