/* SPDX-License-Identifier: Apache-2.0 */
/* Save files of fat trees: GTKWave shows, router by router, the packets of the schedule.
 *
 * Every cell of the picture is computed from the schedule alone (shown_tree.h). Key checks: every
 * name and every bit exists in csim over trees, pads and both kinds of routers, and in the RTL of
 * one tree of either kind; there is a group for each router with a line for each lane and
 * direction; no cell of a router or a leaf differs; every hop of the schedule is seen at its
 * routers; a window; which of many routers and many lanes are listed. Counter-cases: lines with
 * swapped signals, schedules that move a packet or its lane, and names and bits that do not exist
 * are found. */
#include "sched/shape/wiring.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/shown_tree.h"
#include "tests/support/tree_lab.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -- Names ------------------------------------------------------------------------------------- */

/* Returns the number of lines: one for each lane and direction of every router, and one for its
 * round. */
static size_t router_lines(const struct topology *tree)
{
    size_t lines = 0;
    for (unsigned level = 1; level <= tree->height; level++)
        lines += (size_t)(tree->first[level + 1] - tree->first[level]) *
                 (2 * tree->router_ports[level] + 1);
    return lines;
}

static void assert_all_there(const struct shown_tree_run *run)
{
    char wrong[256];
    if (shown_missing(&run->seen, &run->shown, wrong) > 0)
        fail_msg("%s: not in the trace", wrong);
    size_t lines = 0;
    for (size_t k = 0; k < run->shown.count; k++)
        lines += strncmp(run->shown.line[k].group, "router ", 7) == 0;
    assert_int_equal(lines, router_lines(&run->machine.topology));
    assert_int_equal(run->shown.comments, 0);
}

static const struct tree_machine_case multinode = {"tree-all-gather", NULL, MODEL_MULTIPORT, 0};
static const struct tree_machine_case exchange = {"tree-total-exchange", NULL, MODEL_MULTIPORT, 0};
static const struct tree_machine_case scatter = {"tree-scatter", NULL, MODEL_SINGLE_PORT, 1};

static void test_names_of_csim(void **state)
{
    (void)state;
    static const char *const trees[][2] = {{"2", "const"}, {"5", "const"},   {"3,2", "1,2"},
                                           {"2,3", "1,3"}, {"2,2,2", "exp"}, {"3,2,2", "1,2,1"}};
    for (size_t k = 0; k < sizeof trees / sizeof *trees; k++)
        for (unsigned kind = MACHINE_FAT_TREE; kind <= MACHINE_FAT_TREE_AUTO; kind++)
            for (unsigned pad = 0; pad <= 2; pad++) {
                struct shown_tree_run run;
                const struct topology tree = tree_lab_parse(trees[k][0], trees[k][1]);
                shown_tree_fill(&run, kind, &tree, pad, pad == 1 ? &scatter : &multinode);
                shown_tree_trace(&run, ENGINE_CSIM, 0, 0);
                assert_all_there(&run);
                shown_tree_close(&run);
                shown_tree_empty(&run);
            }
}

/* 66 routers of one level; then a root with 67 lanes. */
static void test_many(void **state)
{
    (void)state;
    struct shown_tree_run run;
    const struct topology routers = tree_lab_parse("2,11,6", "1,1,1"),
                          lanes = tree_lab_parse("67", "const");
    shown_tree_fill(&run, MACHINE_FAT_TREE, &routers, 0, &scatter);
    shown_tree_trace(&run, ENGINE_CSIM, 0, 0);
    /* in sends, receives, observation, endpoints, level 1 */
    assert_int_equal(run.shown.comments, 5);
    shown_find_line(&run.shown, "router 1:63", "from 2:5");
    for (size_t k = 0; k < run.shown.count; k++)
        assert_string_not_equal(run.shown.line[k].group, "router 1:64");
    shown_tree_close(&run);
    shown_tree_empty(&run);
    shown_tree_fill(&run, MACHINE_FAT_TREE, &lanes, 0, &scatter);
    shown_tree_trace(&run, ENGINE_CSIM, 0, 0);
    assert_int_equal(run.shown.comments, 5); /* the last is in the router */
    shown_find_line(&run.shown, "router 1:0", "to leaf 63");
    shown_find_line(&run.shown, "router 1:0", "from leaf 63");
    for (size_t k = 0; k < run.shown.count; k++)
        assert_string_not_equal(run.shown.line[k].label, "to leaf 64");
    shown_tree_close(&run);
    shown_tree_empty(&run);
}

/* -- Cells ------------------------------------------------------------------------------------- */

static struct shown_tree_cells check_all(const struct shown_tree_run *run)
{
    return shown_tree_check(run, 1, run->job.schedule.end, shown_run_rises(&run->seen) - 10);
}

/* Counts the ends of hops at routers: two for a hop between routers, one for a hop with a leaf. */
static uint32_t router_ends(const struct schedule *schedule)
{
    uint32_t ends = 0;
    for (size_t t = 0; t < schedule->transfer_count; t++) {
        ends += schedule->transfer[t].source >= schedule->nodes;
        ends += schedule->transfer[t].destination >= schedule->nodes;
    }
    return ends;
}

static void assert_shown(const struct shown_tree_run *run)
{
    assert_all_there(run);
    struct shown_tree_cells cells = check_all(run);
    if (cells.different > 0)
        fail_msg("%" PRIu32 " cells differ; first: %s", cells.different, cells.first);
    assert_true(cells.packets > 0);
    assert_int_equal(cells.packets, router_ends(&run->job.schedule));
}

static void check_shown(enum engine_kind engine, enum machine_kind kind, const char *children,
                        const char *capacity, unsigned pad, const struct tree_machine_case *asked)
{
    struct shown_tree_run run;
    const struct topology tree = tree_lab_parse(children, capacity);
    shown_tree_fill(&run, kind, &tree, pad, asked);
    shown_tree_trace(&run, engine, 0, 0);
    assert_shown(&run);
    shown_tree_close(&run);
    shown_tree_empty(&run);
}

static void test_shown_of_csim(void **state)
{
    (void)state;
    check_shown(ENGINE_CSIM, MACHINE_FAT_TREE, "3,2", "1,2", 1, &exchange);
    check_shown(ENGINE_CSIM, MACHINE_FAT_TREE, "2,2,2", "exp", 0, &multinode);
    check_shown(ENGINE_CSIM, MACHINE_FAT_TREE, "2,3", "const", 2, &scatter);
}

static void test_shown_of_self_timed_csim(void **state)
{
    (void)state;
    check_shown(ENGINE_CSIM, MACHINE_FAT_TREE_AUTO, "2,2", "1,2", 0, &exchange);
    check_shown(ENGINE_CSIM, MACHINE_FAT_TREE_AUTO, "2,2,2", "const", 1, &multinode);
    check_shown(ENGINE_CSIM, MACHINE_FAT_TREE_AUTO, "3,2", "const", 2, &scatter);
}

static void test_shown_of_rtl(void **state)
{
    (void)state;
    check_shown(ENGINE_RTL, MACHINE_FAT_TREE, "3,2", "1,2", 1, &exchange);
}

static void test_shown_of_self_timed_rtl(void **state)
{
    (void)state;
    check_shown(ENGINE_RTL, MACHINE_FAT_TREE_AUTO, "2,2", "1,2", 0, &exchange);
}

static void test_window(void **state)
{
    (void)state;
    struct shown_tree_run run;
    const struct topology tree = tree_lab_parse("2,2", "const");
    shown_tree_fill(&run, MACHINE_FAT_TREE, &tree, 1, &exchange);
    shown_tree_trace(&run, ENGINE_CSIM, 0, 0);
    uint64_t begin = shown_run_rises(&run.seen) - 10, step = 10 * run.job.image.run.row_cycles;
    shown_tree_close(&run);
    for (uint64_t from = 2; from <= run.job.schedule.end; from++)
        for (uint64_t to = from; to <= run.job.schedule.end; to++) {
            shown_tree_trace(&run, ENGINE_CSIM, from, to);
            struct shown_tree_cells cells =
                shown_tree_check(&run, from, to, begin + (from - 1) * step);
            if (cells.different > 0)
                fail_msg("rounds %" PRIu64 " … %" PRIu64 ": %s", from, to, cells.first);
            assert_int_equal(run.shown.from, begin + (from - 1) * step - 10);
            assert_int_equal(run.shown.markers[to - from + 1], UINT64_MAX);
            shown_tree_close(&run);
        }
    shown_tree_empty(&run);
}

/* -- Counter-cases ----------------------------------------------------------------------------- */

static struct shown_line *line_of(const struct shown_tree_run *run, const char *group,
                                  const char *label)
{
    return (struct shown_line *)shown_find_line(&run->shown, group, label);
}

/* Lines that show each other's signals: of another lane, direction or router. */
static void test_swapped_lines_are_found(void **state)
{
    (void)state;
    static const char *const swapped[][4] = {
        {"router 1:0", "to 2:0", "router 1:0", "to 2:0 lane 1"},
        {"router 1:0", "to 2:0", "router 1:0", "from 2:0"},
        {"router 1:0", "to leaf 0", "router 1:0", "to leaf 1"},
        {"router 2:0", "from 1:0", "router 2:0", "from 1:1"},
        {"router 1:0", "to 2:0", "router 1:1", "to 2:0"}};
    struct shown_tree_run run;
    const struct topology tree = tree_lab_parse("3,2", "1,2");
    shown_tree_fill(&run, MACHINE_FAT_TREE, &tree, 1, &exchange);
    shown_tree_trace(&run, ENGINE_CSIM, 0, 0);
    assert_shown(&run);
    for (size_t k = 0; k < sizeof swapped / sizeof *swapped; k++) {
        char **left = &line_of(&run, swapped[k][0], swapped[k][1])->signals;
        char **right = &line_of(&run, swapped[k][2], swapped[k][3])->signals, *kept = *left;
        *left = *right;
        *right = kept;
        struct shown_tree_cells cells = check_all(&run);
        assert_true(cells.different > 0);
        assert_true(strstr(cells.first, swapped[k][0]) || strstr(cells.first, swapped[k][2]));
        *right = *left;
        *left = kept;
    }
    assert_shown(&run);
    shown_tree_close(&run);
    shown_tree_empty(&run);
}

/* A schedule that differs from the one that ran: a hop of a router with another packet, or on
 * another lane. */
static void test_other_schedules_are_found(void **state)
{
    (void)state;
    struct shown_tree_run run;
    const struct topology tree = tree_lab_parse("3,2", "1,2");
    shown_tree_fill(&run, MACHINE_FAT_TREE, &tree, 1, &exchange);
    shown_tree_trace(&run, ENGINE_CSIM, 0, 0);
    struct schedule *schedule = &run.job.schedule;
    size_t hop = 0; /* the first between two routers */
    while (schedule->transfer[hop].source < tree.nodes ||
           schedule->transfer[hop].destination < tree.nodes)
        hop++;
    uint32_t *packet = &schedule->transfer[hop].packet, kept = *packet;
    *packet = kept == 1 ? 2 : 1;
    assert_int_equal(check_all(&run).different, 2 * SHOWN_TREE_FLITS); /* at either end */
    *packet = kept;
    schedule->lane[hop] ^= 1;
    assert_true(check_all(&run).different >= 2 * SHOWN_TREE_FLITS);
    schedule->lane[hop] ^= 1;
    assert_shown(&run);
    shown_tree_close(&run);
    shown_tree_empty(&run);
}

static void test_wrong_names_are_found(void **state)
{
    (void)state;
    static const char *const wrong[][3] = {
        {"router 2:0", "to 1:0", "TOP.machine.level2.children_o.lane2[16:0]"},
        {"router 2:0", "from 1:1", "TOP.machine.level3.children_i.lane1[16:0]"},
        {"router 1:1", "to 2:0", "TOP.machine.level1.parent_o.lane1[15:0]"},
        {"router 1:0", "from leaf 0", "(17)TOP.machine.level1.children_i.lane0[16:0]"},
        {"router 1:0", "round", "TOP.machine.active TOP.machine.level1.row[5:0]"},
    };
    struct shown_tree_run run;
    const struct topology tree = tree_lab_parse("2,2", "const");
    shown_tree_fill(&run, MACHINE_FAT_TREE, &tree, 0, &exchange);
    shown_tree_trace(&run, ENGINE_CSIM, 0, 0);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct shown_line *line = line_of(&run, wrong[k][0], wrong[k][1]);
        char *kept = line->signals, found[256];
        line->signals = strdup(wrong[k][2]);
        assert_int_equal(shown_missing(&run.seen, &run.shown, found), 1);
        assert_non_null(strstr(wrong[k][2], found));
        free(line->signals);
        line->signals = kept;
    }
    assert_shown(&run);
    shown_tree_close(&run);
    shown_tree_empty(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_of_csim),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_shown_of_csim),
        cmocka_unit_test(test_shown_of_self_timed_csim),
        cmocka_unit_test(test_shown_of_rtl),
        cmocka_unit_test(test_shown_of_self_timed_rtl),
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_swapped_lines_are_found),
        cmocka_unit_test(test_other_schedules_are_found),
        cmocka_unit_test(test_wrong_names_are_found),
    };
    return cmocka_run_group_tests_name("waves_tree", tests, NULL, NULL);
}
