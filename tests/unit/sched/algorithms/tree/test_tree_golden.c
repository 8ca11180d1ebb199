/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_golden: the rows of golden/tree*.csv for broadcast, scatter and gather, which an
 * independent implementation wrote.
 *
 *     tree.csv, tree-mixed.csv    the steps, and the most packets that wait in a router
 *     tree-queues.csv             by level: packets that wait in a router, and for an output;
 *                                 packets stored
 *
 * Rows of capacity `any` are run with single links, and with seven links if several are allowed. In
 * addition, verify must reject illegal schedules of a tree; the nearest legal schedule is next to
 * each.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/compare.h"
#include "sched/verify/buffers.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <string.h>

struct golden {
    char collective[24], model[8], algorithm[24], children[32], capacity[32];
    unsigned number[4]; /* steps and max_queue, or level and its depths */
};

static const struct algorithm *golden_algorithm(const struct golden *row, unsigned *method)
{
    *method = strcmp(row->algorithm, "greedy_fifo") == 0 ? 1 : 0;
    if (strcmp(row->collective, "broadcast") == 0)
        return support_algorithm("tree-broadcast");
    if (strcmp(row->collective, "scatter") == 0)
        return support_algorithm("tree-scatter");
    return strcmp(row->collective, "gather") == 0 ? support_algorithm("tree-gather") : NULL;
}

/* Rewrites `1.3.7` as `1,3,7`. */
static void dots_to_commas(char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '.')
            *text = ',';
}

static struct topology golden_tree(const struct golden *row, bool wide)
{
    struct topology tree;
    struct err err = {0};
    bool any = strcmp(row->capacity, "any") == 0;
    support_true(topology_parse_tree(row->children, any ? "const" : row->capacity, &tree, &err),
                 &err);
    for (unsigned level = 2; any && wide && level <= tree.height; level++)
        tree.capacity[level] = 7;
    return tree;
}

static void check_row(const struct golden *row, const struct algorithm *algorithm, unsigned method,
                      bool wide, bool levels)
{
    const struct topology tree = golden_tree(row, wide);
    struct schedule schedule;
    struct buffer_depth depth[TOPOLOGY_MAX_HEIGHT + 1];
    struct err err = {0};
    support_schedule(algorithm,
                     &(struct collective){.n = tree.nodes,
                                          .m = 1,
                                          .source = wide ? tree.nodes - 1 : 0,
                                          .model = strcmp(row->model, "single") == 0
                                                       ? MODEL_SINGLE_PORT
                                                       : MODEL_MULTIPORT,
                                          .topology = &tree,
                                          .method = method},
                     &schedule);
    support_true(buffers_measure(&schedule, depth, &err), &err);
    if (levels) {
        const struct buffer_depth *at = &depth[row->number[0]];
        assert_int_equal(at->wait, row->number[1]);
        assert_int_equal(at->wait_output, row->number[2]);
        assert_int_equal(at->stored, row->number[3]);
    } else {
        uint32_t most = 0;
        for (unsigned level = 1; level <= tree.height; level++)
            most = MAX(most, depth[level].wait);
        assert_int_equal(schedule.end, row->number[0]);
        assert_int_equal(most, row->number[1]);
    }
    schedule_free(&schedule);
}

static bool read_row(const char *line, bool uniform, struct golden *row)
{
    if (!uniform)
        return sscanf(line, "%23[^,],%7[^,],%23[^,],%31[^,],%31[^,],%u,%u", row->collective,
                      row->model, row->algorithm, row->children, row->capacity, &row->number[0],
                      &row->number[1]) == 7;
    unsigned k, h;
    int got = sscanf(line, "%23[^,],%7[^,],%23[^,],%u,%u,%31[^,],%u,%u,%u,%u", row->collective,
                     row->model, row->algorithm, &k, &h, row->capacity, &row->number[0],
                     &row->number[1], &row->number[2], &row->number[3]);
    row->children[0] = '\0';
    for (unsigned level = 0; got >= 8 && level < h; level++)
        sprintf(row->children + strlen(row->children), level > 0 ? ",%u" : "%u", k);
    return got >= 8;
}

/* Checks the rows of a file. Returns the number of rows that belong to this test. */
static unsigned check_file(const char *path, bool uniform, bool levels)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("cannot open %s; run at the root of the repository", path);
    char line[200];
    unsigned rows = 0, method;
    while (fgets(line, sizeof line, file) != NULL) {
        struct golden row;
        if (!read_row(line, uniform, &row))
            continue;
        const struct algorithm *algorithm = golden_algorithm(&row, &method);
        if (algorithm == NULL)
            continue;
        dots_to_commas(row.children);
        dots_to_commas(row.capacity);
        check_row(&row, algorithm, method, false, levels);
        check_row(&row, algorithm, method, true, levels);
        rows++;
    }
    fclose(file);
    return rows;
}

static void test_golden(void **state)
{
    (void)state;
    assert_int_equal(check_file("tests/golden/tree.csv", true, false), 166);
    assert_int_equal(check_file("tests/golden/tree-mixed.csv", false, false), 72);
    assert_int_equal(check_file("tests/golden/tree-queues.csv", true, true), 208);
}

struct judged {
    const char *model, *demands, *rounds;
    enum err_code code; /* ERR_NONE: holds */
    const char *text;   /* beginning of the message */
};

/* k = 2, 2, capacities 1, 2. The rounds begin on line 7 if there are two demands. */
static const struct judged cases[] = {
    /* a lane carries one packet each way; its neighbour and its other direction are free */
    {"multiport", "demand 1 0 2\ndemand 2 1 2\n",
     "round 1\n0 1:0 1\n1 1:0 2\nround 2\n1:0 2:0 1 0\n1:0 2:0 2 1\nround 3\n2:0 1:1 1 1\n2:0 1:1 "
     "2 0\n"
     "round 4\n1:1 2 1\nround 5\n1:1 2 2\nend 5\n",
     ERR_NONE, ""},
    {"multiport", "demand 1 0 2\ndemand 2 1 2\n",
     "round 1\n0 1:0 1\n1 1:0 2\nround 2\n1:0 2:0 1 1\n1:0 2:0 2 1\nround 3\n2:0 1:1 1 1\n2:0 1:1 "
     "2 0\n"
     "round 4\n1:1 2 1\nround 5\n1:1 2 2\nend 5\n",
     ERR_LANE,
     "b.sched:12: round 2: lane 1 from 1:0 to 2:0 carries packets 1 and 2; at most 1 per round"},
    {"multiport", "demand 1 0 2\ndemand 2 1 2\ndemand 3 0 2\n",
     "round 1\n0 1:0 1\n1 1:0 2\nround 2\n0 1:0 3\nround 3\n1:0 2:0 1 0\n1:0 2:0 2 1\n1:0 2:0 "
     "3 0\nend 3\n",
     ERR_LANE,
     "b.sched:16: round 3: lane 0 from 1:0 to 2:0 carries packets 1 and 3; at most 1 per round"},
    {"multiport", "demand 1 0 1\ndemand 2 1 0\n",
     "round 1\n0 1:0 1\n1 1:0 2\nround 2\n1:0 1 1\n1:0 0 2\nend 2\n", ERR_NONE, ""},
    {"multiport", "demand 1 0 1\ndemand 2 0 1\n",
     "round 1\n0 1:0 1\n0 1:0 2\nround 2\n1:0 1 1\nround 3\n1:0 1 2\nend 3\n", ERR_LANE,
     "b.sched:9: round 1: lane 0 from 0 to 1:0 carries packets 1 and 2"},
    /* … between two packets upwards, one downwards */
    {"multiport", "demand 1 0 1\ndemand 2 1 0\ndemand 3 0 1\n",
     "round 1\n1 1:0 2\nround 2\n0 1:0 1\n1:0 0 2\n0 1:0 3\nend 2\n", ERR_LANE,
     "b.sched:13: round 2: lane 0 from 0 to 1:0 carries packets 1 and 3; at most 1 per round"},

    /* one packet per node and step; receiving does not conflict with sending */
    {"single-port", "demand 1 0 1\ndemand 2 1 0\n",
     "round 1\n0 1:0 1\n1 1:0 2\nround 2\n1:0 1 1\nround 3\n1:0 0 2\nend 3\n", ERR_NONE, ""},
    {"single-port", "demand 1 0 1\ndemand 2 1 0\n",
     "round 1\n0 1:0 1\n1 1:0 2\nround 2\n1:0 1 1\n1:0 0 2\nend 2\n", ERR_ONE_PORT,
     "b.sched:12: round 2: node 1:0 sends packets 1 and 2; at most 1 per round"},

    /* sends a packet that arrived in an earlier step, from the node where it is */
    {"single-port", "demand 1 0 1\ndemand 2 1 0\n",
     "round 1\n0 1:0 1\n1:0 1 1\nround 2\n1 1:0 2\nround 3\n1:0 0 2\nend 3\n", ERR_NOT_HELD,
     "b.sched:9: round 1: node 1:0 sends packet 1, which it does not hold; expected it to arrive "
     "in an "
     "earlier"},
    {"multiport", "demand 1 0 1\ndemand 2 1 0\n",
     "round 1\n0 1:0 1\n1 1:0 2\nround 2\n1:0 1 1\n1:1 2 2\nround 3\n1:0 0 2\nend 3\n",
     ERR_NOT_HELD, "b.sched:12: round 2: node 1:1 sends packet 2, which it does not hold"},

    /* every node that wants it has it */
    {"multiport", "demand 1 0 1\ndemand 2 1 2\n",
     "round 1\n0 1:0 1\n1 1:0 2\nround 2\n1:0 1 1\n1:0 0 2\nend 2\n", ERR_UNMET,
     "b.sched:13: after round 2: node 2 has not received packet 2"},

    /* a transfer crosses a branch, on one of its lanes: checked by the reader */
    {"multiport", "demand 1 0 1\ndemand 2 1 0\n", "round 1\n0 1 1\nend 1\n", ERR_NO_LINK,
     "b.sched:8: "},
    {"multiport", "demand 1 0 1\ndemand 2 1 0\n", "round 1\n0 1:1 1\nend 1\n", ERR_NO_LINK,
     "b.sched:8: "},
    {"multiport", "demand 1 0 1\ndemand 2 1 0\n", "round 1\n0 1:0 1\nround 2\n1:0 2:0 1 2\nend 2\n",
     ERR_FIELD_RANGE, "b.sched:10: "},
};

static void test_rules(void **state)
{
    (void)state;
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        const struct judged *judged = &cases[which];
        char text[500];
        int size = snprintf(
            text, sizeof text,
            "roundcast-schedule 1\nalgorithm x\ntopology tree 2 2 capacity 1 2\nmodel %s\n%s%s",
            judged->model, judged->demands, judged->rounds);
        FILE *file = fmemopen(text, (size_t)size, "r");
        struct schedule schedule = {0};
        struct verify_report report;
        struct err err = {0};
        bool held = schedule_read(file, "b.sched", &schedule, &err) &&
                    verify_schedule("b.sched", &schedule, &report, &err);
        fclose(file);
        assert_int_equal(held, judged->code == ERR_NONE);
        support_error(&err, judged->code, judged->text);
        assert_int_equal(strncmp(err.text, judged->text, strlen(judged->text)), 0);
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
