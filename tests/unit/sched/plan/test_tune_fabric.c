/* SPDX-License-Identifier: Apache-2.0 */
/* test_tune_fabric: the best cut of an all-reduce for networks that copy, combine, or do both.
 *
 * State space: nodes 2 … 8 × bytes × registers × the three networks of 8 ports. A network that does
 * both executes fabric-all-reduce: m packets of F flits take m + 1 rounds of F + L cycles, m rounds
 * between two nodes. Exhaustive: the search must find the fewest cycles of all m, and the fewest
 * packets of these. No cut ends before the last of as many flits as there are rounds, sent one by
 * one, has arrived. Counter-cases: networks that only copy or only combine, in which the algorithm
 * has no row.
 */
#include "sched/plan/tune.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <string.h>

#define PORTS 8
#define WIDTH 16
#define STAGES 14 /* 6 · log2(PORTS) - 4, docs/formats.md */

static struct tune search(struct multistage network, uint32_t nodes, uint64_t bytes, unsigned pad)
{
    struct tune tune;
    struct err err = {0};
    const struct tune_request request = {
        .bytes = bytes,
        .nodes = nodes,
        .kind = COLLECTIVE_ALL_REDUCE,
        .machine = {.network = network, .pipe = 1, .pad = pad, .combines = true, .width = WIDTH}};
    support_true(tune_search(&request, &tune, &err), &err);
    return tune;
}

static const struct tune_row *row_of(const struct tune *tune, const char *algorithm)
{
    for (size_t which = 0; which < tune->count; which++)
        if (strcmp(tune->row[which].algorithm->name, algorithm) == 0)
            return &tune->row[which];
    return NULL;
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

static void test_each(void **state)
{
    (void)state;
    static const uint64_t bytes[] = {1, 2, 9, 100, 256, 999};
    for (uint32_t nodes = 2; nodes <= PORTS; nodes++)
        for (unsigned b = 0; b < sizeof bytes / sizeof *bytes; b++)
            for (unsigned pad = 0; pad <= 3; pad += 3) {
                /* endpoints that combine have a register more */
                const uint64_t latency = STAGES + pad + 1, pair = nodes == 2;
                uint64_t best = UINT64_MAX, packets = 0;
                running("%u nodes, %u bytes, pad=%u", nodes, (unsigned)bytes[b], pad);
                for (uint64_t m = 1; m <= bytes[b]; m++) {
                    const uint64_t flits = divide_up(8 * divide_up(bytes[b], m), WIDTH),
                                   cycles = (m + !pair) * (flits + latency);
                    packets = cycles < best ? m : packets;
                    best = cycles < best ? cycles : best;
                }
                struct tune tune = search(multistage_all_reduce(PORTS), nodes, bytes[b], pad);
                const struct tune_row *row = row_of(&tune, "fabric-all-reduce");
                assert_non_null(row);
                assert_int_equal(row->cycles, best);
                assert_int_equal(row->packets, packets);
                assert_int_equal(tune.bound, divide_up(8 * bytes[b], WIDTH) + !pair + latency);
                for (size_t which = 0; which < tune.count; which++)
                    assert_true(tune.row[which].cycles >= tune.bound);
                tune_free(&tune);
            }
}

static void test_other_networks(void **state)
{
    (void)state;
    const struct multistage others[] = {multistage_multicast(PORTS), multistage_combine(PORTS),
                                        multistage_benes(PORTS)};
    for (unsigned which = 0; which < sizeof others / sizeof *others; which++) {
        struct tune tune = search(others[which], PORTS, 256, 0);
        assert_true(tune.count > 0);
        assert_null(row_of(&tune, "fabric-all-reduce"));
        for (size_t k = 0; k < tune.count; k++)
            assert_true(tune.row[k].cycles >= tune.bound);
        tune_free(&tune);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each),
                                       cmocka_unit_test(test_other_networks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
