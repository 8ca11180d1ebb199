/* SPDX-License-Identifier: Apache-2.0 */
/* test_circulant: rows computed by doubling equal those that a separate search finds for each node.
 *
 * Exhaustive: all nodes for n = 2 … 2048 (`make test-all`: n ≤ 2^14). Sampled: 12 values of n up to
 * 2^24, drawn from a printed seed or next to powers of two; for each n the first 300 nodes, the
 * nodes next to each skip and 2000 others. Counter-cases: the search rejects rows with one changed
 * entry, for a low node, for node ⌈n/2⌉ and for the last node. test_algorithms judges the
 * schedules.
 */
#include "sched/algorithms/complete/circulant_rows.h"
#include "sched/base/rng.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"

#include <stdbool.h>
#include <stdlib.h>

struct rows {
    uint32_t n, skip[CIRCULANT_MAX_Q + 1];
    unsigned q;
    int8_t *base, *recv;
};

static struct rows rows_of(uint32_t n)
{
    struct rows rows = {.n = n};
    running("n = %u", n);
    rows.q = circulant_skips(n, rows.skip);
    rows.base = malloc(n);
    rows.recv = malloc((size_t)rows.q * n);
    assert_true(rows.base != NULL && rows.recv != NULL);
    circulant_base(rows.q, rows.skip, rows.base);
    circulant_rows(rows.q, rows.skip, rows.base, rows.recv);
    return rows;
}

static void free_rows(struct rows *rows)
{
    free(rows->base);
    free(rows->recv);
}

/* Returns whether the row of the node equals the one that the search finds. */
static bool is_found(const struct rows *rows, uint32_t node)
{
    int8_t row[CIRCULANT_MAX_Q + 1];
    bool same = true;
    circulant_search(rows->q, rows->skip, rows->base[node], node, row);
    for (unsigned k = 0; k < rows->q; k++) {
        int found = row[k] == (int)rows->q ? rows->base[node] : row[k] - (int)rows->q;
        same = same && rows->recv[(size_t)k * rows->n + node] == found;
    }
    return same;
}

static void check(const struct rows *rows, uint32_t node)
{
    if (node > 0 && node < rows->n && !is_found(rows, node))
        fail_msg("n = %u: the row of node %u is not the one that is searched", rows->n, node);
}

static void test_all_nodes(void **state)
{
    (void)state;
    const uint32_t most = running_exhaustive() ? 1u << 14 : 1u << 11;
    for (uint32_t n = 2; n <= most; n++) {
        struct rows rows = rows_of(n);
        for (uint32_t node = 1; node < n; node++)
            check(&rows, node);
        free_rows(&rows);
    }
}

static void check_some(uint32_t n, struct rng *rng)
{
    struct rows rows = rows_of(n);
    for (uint32_t node = 0; node < 300; node++)
        check(&rows, node);
    for (unsigned k = 0; k < rows.q; k++)
        for (uint32_t beside = 0; beside < 60; beside++)
            check(&rows, rows.skip[k] + beside - 30);
    for (unsigned k = 0; k < 2000; k++)
        check(&rows, (uint32_t)rng_below(rng, n));
    free_rows(&rows);
}

static void test_larger(void **state)
{
    (void)state;
    struct rng rng = {21};
    const uint32_t beside[] = {65535,   65536,          65537,    1000001,
                               1 << 20, (1 << 20) + 47, 12582911, 1 << 24};
    print_message("seed 21\n");
    for (unsigned k = 0; k < sizeof beside / sizeof *beside; k++)
        check_some(beside[k], &rng);
    for (unsigned k = 0; k < 4; k++)
        check_some(20000 + (uint32_t)rng_below(&rng, 2000000), &rng);
}

static void test_changed(void **state)
{
    (void)state;
    struct rows rows = rows_of(1000);
    const uint32_t changed[] = {1, 500, 999};
    for (unsigned which = 0; which < 3; which++)
        for (unsigned k = 0; k < rows.q; k++) {
            int8_t *entry = &rows.recv[(size_t)k * rows.n + changed[which]];
            (*entry)--;
            assert_false(is_found(&rows, changed[which]));
            (*entry)++;
            assert_true(is_found(&rows, changed[which]));
        }
    free_rows(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_nodes),
        cmocka_unit_test(test_larger),
        cmocka_unit_test(test_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
