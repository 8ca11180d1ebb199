/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/tree_lab.h"

#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/judge_tree.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <string.h>

struct topology tree_lab_parse(const char *children, const char *capacity)
{
    struct topology tree;
    struct err err = {0};
    support_true(topology_parse_tree(children, capacity, &tree, &err), &err);
    return tree;
}

struct topology tree_lab_make(unsigned height, const uint32_t children[], const uint32_t capacity[])
{
    struct topology tree;
    struct err err = {0};
    support_true(topology_tree(height, children, capacity, &tree, &err), &err);
    return tree;
}

struct topology tree_lab_pattern(const struct topology *tree, unsigned pattern, struct rng *rng)
{
    uint32_t capacity[TOPOLOGY_MAX_HEIGHT] = {1};
    for (unsigned i = 2; i <= tree->height; i++) {
        const uint32_t patterns[TREE_LAB_PATTERNS] = {
            1, tree->leaves[i - 1], 2,
            3, 2 * i - 1,           1 + (uint32_t)rng_below(rng, 2 * tree->leaves[i - 1])};
        capacity[i - 1] = patterns[pattern];
    }
    return tree_lab_make(tree->height, tree->children + 1, capacity);
}

bool tree_lab_next(uint32_t most, struct topology *tree)
{
    static const uint32_t ones[TOPOLOGY_MAX_HEIGHT] = {1, 1, 1, 1, 1, 1, 1, 1};
    uint32_t k[TOPOLOGY_MAX_HEIGHT];
    unsigned height = tree->height;
    memcpy(k, tree->children + 1, sizeof k);
    for (;;) { /* the next word of the letters 2 … 5; an overflow makes it longer */
        unsigned digit = 0;
        while (digit < height && k[digit] == 5)
            k[digit++] = 2;
        if (digit < height)
            k[digit]++;
        else if (1u << (height + 1) > most)
            return false;
        else
            k[height++] = 2;
        uint64_t leaves = 1;
        for (unsigned i = 0; i < height; i++)
            leaves *= k[i];
        if (leaves <= most) {
            *tree = tree_lab_make(height, k, ones);
            return true;
        }
    }
}

struct topology tree_lab_random(uint32_t most, struct rng *rng)
{
    static const uint32_t ones[TOPOLOGY_MAX_HEIGHT] = {1, 1, 1, 1, 1, 1, 1, 1};
    uint32_t k[TOPOLOGY_MAX_HEIGHT], leaves = 1;
    unsigned height = 0;
    while (height < 8) {
        uint32_t next = 2 + (uint32_t)rng_below(rng, 8);
        if (leaves * next > most)
            break;
        leaves *= next;
        k[height++] = next;
    }
    return tree_lab_make(height, k, ones);
}

struct collective tree_lab_ask(const struct topology *tree, enum model model, unsigned method)
{
    return (struct collective){
        .n = tree->nodes, .m = 1, .model = model, .topology = tree, .method = method};
}

void tree_lab_refuses(const struct algorithm *algorithm, const struct topology *tree,
                      const struct tree_lab_refused refused[], size_t count)
{
    for (size_t which = 0; which < count; which++) {
        struct err err = {0};
        assert_false(algorithm_check(algorithm, &refused[which].asked, &err));
        support_error(&err, ERR_ALGORITHM, refused[which].part);
    }
    for (unsigned which = 0; which < 3; which++) {
        const struct collective legal =
            tree_lab_ask(tree, which == 0 ? MODEL_SINGLE_PORT : MODEL_MULTIPORT, which / 2);
        assert_true(algorithm_check(algorithm, &legal, NULL));
    }
}

uint64_t tree_lab_steps(const struct algorithm *algorithm, const struct topology *tree,
                        enum model model, unsigned method, bool queue_free)
{
    const struct collective collective = tree_lab_ask(tree, model, method);
    struct schedule schedule = {0};
    struct verify_report report;
    struct err err = {0};
    support_true(algorithm_build(algorithm, &collective, &schedule, &err), &err);
    support_true(verify_schedule(algorithm->name, &schedule, &report, &err), &err);
    const char *wrong = judge_tree(&schedule, algorithm->kind, 0, queue_free);
    if (wrong != NULL)
        fail_msg("%s: n = %u: %s", schedule.algorithm, tree->nodes, wrong);
    uint64_t end = schedule.end, last = schedule.step[schedule.step_count - 1].time;
    schedule_free(&schedule);
    assert_int_equal(end, last);
    assert_int_equal(end, algorithm_end(algorithm, &collective));
    return end;
}

/* From `1.4.16` to `1,4,16`; `any` is const. */
static void tree_lab_list(char *text)
{
    if (strcmp(text, "any") == 0)
        strcpy(text, "const");
    for (char *dot = text; (dot = strchr(dot, '.')) != NULL;)
        *dot = ',';
}

/* Parses a line. Returns false for the header. */
static bool tree_lab_parse_row(char *line, struct tree_lab_row *row)
{
    char children[80], capacity[80];
    unsigned k, h, *number = row->number;
    int part;
    if (sscanf(line, "%39[^,],%15[^,],%39[^,],%n", row->collective, row->model, row->algorithm,
               &part) != 3)
        return false;
    if (sscanf(line + part, "%u,%u,%79[^,],%u,%u,%u,%u", &k, &h, capacity, &number[0], &number[1],
               &number[2], &number[3]) >= 5) {
        for (unsigned i = 0; i < h; i++)
            snprintf(children + 3 * i, sizeof children - 3 * i, "%02u%s", k, i + 1 < h ? "," : "");
    } else if (sscanf(line + part, "%79[^,],%79[^,],%u,%u", children, capacity, &number[0],
                      &number[1]) != 4) {
        return false;
    }
    tree_lab_list(children);
    tree_lab_list(capacity);
    row->tree = tree_lab_parse(children, capacity);
    return true;
}

unsigned tree_lab_golden(const char *name, const char *collective,
                         bool (*check)(const struct tree_lab_row *row))
{
    FILE *file = fopen(name, "r");
    if (file == NULL)
        fail_msg("cannot open %s; run at the root of the repository", name);
    char line[200];
    unsigned rows = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        struct tree_lab_row row;
        if (strncmp(line, collective, strlen(collective)) == 0 && tree_lab_parse_row(line, &row))
            rows += check(&row);
    }
    fclose(file);
    return rows;
}
