/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_machine: every collective of golden/tree*.csv on the routers of csim.
 *
 * All rows of at most 64 leaves whose algorithm is implemented here run on the table-driven
 * machine, and those whose rule is distributed on the self-timed one, in the golden number of steps
 * (of the rows of more than 16 leaves an 11th, all in `make test-all`); the scoreboard checks every
 * receipt of a leaf in its cycle and every payload. Packets have 1, 2 or 3 flits and links 0 or 1
 * registers, alternately.
 *
 * tags: long
 */
#include "sched/base/text.h"
#include "sched/shape/topology.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/tree_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LEAVES 64
#define FEW_LEAVES 16 /* trees of at most so many leaves all run */
#define SAMPLED 11

struct golden {
    char collective[24], model[8], algorithm[24], children[32], capacity[32];
    unsigned steps;
};

/* Names of the algorithms in the golden file and here, and whether self-timed routers run them. */
static const struct {
    const char *collective, *algorithm;
    const char *ours, *method;
    bool self_timed;
} names[] = {
    {"broadcast", "up_first", "tree-broadcast", NULL, true},
    {"broadcast", "replicate", "tree-broadcast", NULL, true},
    {"scatter", "furthest_first", "tree-scatter", NULL, true},
    {"gather", "reversed_scatter", "tree-gather", "timed", true},
    {"gather", "greedy_fifo", "tree-gather", "greedy", true},
    {"multinode_broadcast", "fig4_rotation", "tree-all-gather", NULL, true},
    {"multinode_broadcast", "flood_fifo", "tree-all-gather", "flood", true},
    {"multinode_broadcast", "queue_free_far_first", "tree-all-gather", "queue-free", false},
    {"multinode_broadcast", "queue_free_near_first", "tree-all-gather", "queue-free", false},
    {"total_exchange", "fig5_fifo", "tree-total-exchange", NULL, true},
    {"total_exchange", "phases", "tree-total-exchange", "phases", true},
    {"total_exchange", "pipelined_far_first", "tree-total-exchange", "pipelined", true},
    {"total_exchange", "pipelined_near_first", "tree-total-exchange", "pipelined", true},
};
#define NAMES (sizeof names / sizeof *names)

struct totals {
    unsigned rows, self_timed, others; /* others: algorithm not implemented here */
    unsigned large, ran[NAMES];        /* rows of more than FEW_LEAVES; those that ran, by name */
    uint64_t receipts;
};

static void run_row(const struct golden *row, size_t name, enum machine_kind kind,
                    struct totals *totals)
{
    struct err err = {0};
    struct topology tree;
    const char *capacity = strcmp(row->capacity, "any") == 0 ? "const" : row->capacity;
    support_true(topology_parse_tree(row->children, capacity, &tree, &err), &err);
    const struct tree_machine_case asked = {names[name].ours, names[name].method,
                                            strcmp(row->model, "single") == 0 ? MODEL_SINGLE_PORT
                                                                              : MODEL_MULTIPORT,
                                            tree.nodes / 3 * (name < 5)};
    struct schedule schedule;
    struct support_job job;
    tree_machine_schedule(&asked, &tree, &schedule);
    struct machine machine = tree_machine_of(kind, &tree, totals->rows % 2);
    uint32_t flits = 1 + totals->rows % 3 + machine_header_flits(&machine);
    tree_machine_fit(&schedule, flits, &machine);
    tree_machine_job(&schedule, &machine, flits, &job);
    totals->receipts += tree_machine_run(&job, false, row->steps);
    support_job_free(&job);
}

static void dots_to_commas(char *text)
{
    for (; *text != '\0'; text++)
        *text = *text == '.' ? ',' : *text;
}

/* Writes `k,h` as k_1,…,k_h. */
static void repeat(unsigned k, unsigned h, char children[32])
{
    children[0] = '\0';
    for (unsigned level = 1; level <= h; level++)
        text_append(children, 32, level > 1 ? ",%u" : "%u", k);
}

static uint32_t leaves_of(const char *children)
{
    uint32_t leaves = 1;
    for (const char *at = children; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        leaves *= (uint32_t)atoi(at);
    }
    return leaves;
}

static bool read_row(const char *line, bool mixed, struct golden *row)
{
    unsigned k, h;
    if (mixed) {
        if (sscanf(line, "%23[^,],%7[^,],%23[^,],%31[^,],%31[^,],%u", row->collective, row->model,
                   row->algorithm, row->children, row->capacity, &row->steps) != 6)
            return false;
    } else {
        if (sscanf(line, "%23[^,],%7[^,],%23[^,],%u,%u,%31[^,],%u", row->collective, row->model,
                   row->algorithm, &k, &h, row->capacity, &row->steps) != 7)
            return false;
        if (h > 6 || k > MOST_LEAVES)
            return false;
        repeat(k, h, row->children);
    }
    dots_to_commas(row->children);
    dots_to_commas(row->capacity);
    return true;
}

/* Returns whether the row runs; counts rows of many leaves. */
static bool is_wanted(const struct golden *row, struct totals *totals)
{
    return leaves_of(row->children) <= FEW_LEAVES || totals->large++ % running_stride(SAMPLED) == 0;
}

static void run_file(const char *path, bool mixed, struct totals *totals)
{
    char line[200];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        struct golden row;
        if (!read_row(line, mixed, &row) || leaves_of(row.children) > MOST_LEAVES)
            continue;
        size_t name = 0;
        while (name < NAMES && (strcmp(names[name].collective, row.collective) != 0 ||
                                strcmp(names[name].algorithm, row.algorithm) != 0))
            name++;
        if (name == NAMES) {
            totals->others++;
            continue;
        }
        if (is_wanted(&row, totals)) {
            run_row(&row, name, MACHINE_FAT_TREE, totals);
            if (names[name].self_timed)
                run_row(&row, name, MACHINE_FAT_TREE_AUTO, totals);
            totals->ran[name]++;
        }
        totals->rows++;
        totals->self_timed += names[name].self_timed;
    }
    fclose(file);
}

static void test_golden_rows(void **state)
{
    (void)state;
    struct totals totals = {0};
    run_file("tests/golden/tree.csv", false, &totals);
    run_file("tests/golden/tree-mixed.csv", true, &totals);
    unsigned ran = 0;
    for (size_t name = 0; name < NAMES; name++) {
        assert_true(totals.ran[name] > 0);
        ran += totals.ran[name];
    }
    print_message("%u rows, %u of them self-timed, too: %llu receipts\n", totals.rows,
                  totals.self_timed, (unsigned long long)totals.receipts);
    assert_int_equal(ran, totals.rows - totals.large + running_met(totals.large, SAMPLED));
    assert_int_equal(totals.rows, 464);
    assert_int_equal(totals.self_timed, 437);
    assert_int_equal(totals.others,
                     15); /* all-gather via the root: longer than our queue-free one */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_golden_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
