/* SPDX-License-Identifier: Apache-2.0 */
/* test_verify_counts: numbers of breaches of large reductions, by closed forms.
 *
 * State space. Scans along a chain of 63 … 67 and 125 … 130 nodes, around the number of results
 * that verify checks at once and twice that number; legal, and without each seventh transfer.
 * All-reductions without any transfer, of up to 2^20 nodes and 2^26 packets.
 *
 * Counter-cases: numbers of breaches just below and above 2^64, in one demand and in two.
 */
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct schedule read_text(const char *text)
{
    struct schedule schedule = {0};
    struct err err = {0};
    support_true(support_read(text, "r.sched", &schedule, &err), &err);
    return schedule;
}

/* Returns the scan of n nodes in which each node waits for the result of the node before it. */
static struct schedule chain(uint32_t n, uint32_t without)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    fprintf(to,
            "roundcast-schedule 1\nalgorithm none\ntopology complete %u\nmodel "
            "send-receive\nreduce 1 prefix *\n",
            n);
    for (uint32_t node = 1; node < n; node++)
        if (node != without)
            fprintf(to, "round %u\n%u %u 1\n", node, node - 1, node);
    fprintf(to, "end %u\n", n - 1);
    fclose(to);
    struct schedule schedule = read_text(text);
    free(text);
    return schedule;
}

/* Scans of about as many nodes as verify checks results at once. Without the transfer to node k,
 * that node and all after it lack the k contributions before it. */
static void test_long_scans(void **state)
{
    (void)state;
    for (uint32_t n = 63; n <= 130; n += n == 67 ? 58 : 1)
        for (uint32_t without = n; without > 0; without -= without < 8 ? without : 7) {
            struct schedule schedule = chain(n, without);
            struct verify_report report;
            struct err err = {0};
            char expected[120];
            bool holds = verify_schedule("r.sched", &schedule, &report, &err);
            assert_int_equal(holds, without == n);
            snprintf(expected, sizeof expected,
                     "the result of packet 1 at node %u lacks the contribution of node 0", without);
            if (without < n) {
                support_error(&err, ERR_UNCOUNTED, expected);
                assert_int_equal(err.further + 1, (uint64_t)(n - without) * without);
            }
            schedule_free(&schedule);
        }
}

/* Breaches of schedules without transfers: each of n nodes lacks the contributions of n - 1 others
 * to each packet. Their number is exact up to 2^64 - 1, and no larger. */
static void test_most_breaches(void **state)
{
    (void)state;
    static const struct {
        uint32_t nodes;
        const char *demands;
        uint64_t breaches;
    } all[] = {{3, "reduce 1-5 * *\nreduce 6 * *\n", 3 * 2 * 6},
               {1 << 19, "reduce 1-67108864 * *\n", UINT64_MAX - (UINT64_C(1) << 45) + 1},
               {1 << 19, "reduce 1-67108864 * *\nreduce 67108865-67108928 * *\n",
                UINT64_MAX - (UINT64_C(1) << 44) - (UINT64_C(1) << 25) + 1},
               {1 << 19, "reduce 1-67108864 * *\nreduce 67108865-67109376 * *\n", UINT64_MAX},
               {1 << 20, "reduce 1-67108864 * *\n", UINT64_MAX},
               {1 << 20, "reduce 1 * *\nreduce 2-67108865 * *\n", UINT64_MAX}};
    for (size_t which = 0; which < sizeof all / sizeof *all; which++) {
        char text[200];
        struct verify_report report;
        struct err err = {0};
        snprintf(text, sizeof text,
                 "roundcast-schedule 1\nalgorithm none\ntopology complete %u\nmodel "
                 "send-receive\n%send 0\n",
                 all[which].nodes, all[which].demands);
        struct schedule schedule = read_text(text);
        assert_false(verify_schedule("r.sched", &schedule, &report, &err));
        support_error(&err, ERR_UNCOUNTED,
                      "after round 0: the result of packet 1 at node 0 lacks the contribution of "
                      "node 1; expected it once");
        assert_int_equal(err.further, all[which].breaches - 1);
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_scans),
        cmocka_unit_test(test_most_breaches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
