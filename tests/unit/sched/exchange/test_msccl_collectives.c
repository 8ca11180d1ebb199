/* SPDX-License-Identifier: Apache-2.0 */
/* test_msccl_collectives: the collective that `export --msccl` names for schedules by hand.
 *
 * Schedules of two or three nodes have demands that are, or are nearly, those of a collective of
 * MSCCL: other results, another order of packets, numbers of packets that the nodes do not divide.
 * The names follow from the definitions of the collectives; all others are custom.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

#define HEAD(nodes) \
    "roundcast-schedule 1\nalgorithm a\ntopology complete " #nodes "\nmodel send-receive\n"

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *text, *collective;
    } cases[] = {
        {HEAD(2) "reduce 1 0 *\nreduce 2 1 *\nround 1\n1 0 1\n0 1 2\nend 1\n", "reduce_scatter"},
        /* node 0 wants the part of node 1 */
        {HEAD(2) "reduce 1 1 *\nreduce 2 0 *\nround 1\n0 1 1\n1 0 2\nend 1\n", "custom"},
        {HEAD(2) "reduce 1-2 0 *\nround 1\n1 0 1\nround 2\n1 0 2\nend 2\n", "reduce"},
        {HEAD(2) "reduce 1 * *\nround 1\n1 0 1\n0 1 1\nend 1\n", "allreduce"},
        /* three packets of two nodes */
        {HEAD(2) "reduce 1 0 *\nreduce 2-3 1 *\nround 1\n1 0 1\n0 1 2\nround 2\n0 1 3\nend 2\n",
         "custom"},
        /* two packets of three nodes */
        {HEAD(3) "reduce 1 0 *\nreduce 2 1 *\nround 1\n1 0 1\n0 1 2\nround 2\n2 0 1\nround 3\n"
                 "2 1 2\nend 3\n",
         "custom"},
        /* one of the results is for all */
        {HEAD(2) "reduce 1 0 *\nreduce 2 * *\nround 1\n1 0 1\nround 2\n1 0 2\n0 1 2\nend 2\n",
         "custom"},
        /* the demand of node 0 goes beyond its part, packets 1 and 2 */
        {HEAD(2) "reduce 1-3 0 *\nreduce 4 1 *\nround 1\n1 0 1\n0 1 4\nround 2\n1 0 2\nround 3\n"
                 "1 0 3\nend 3\n",
         "custom"},
        {HEAD(3) "demand 1 0 1,2\nround 1\n0 1 1\nround 2\n1 2 1\nend 2\n", "broadcast"},
        /* for some of the nodes, but more than one */
        {HEAD(4) "demand 1 0 1,2\nround 1\n0 1 1\nround 2\n1 2 1\nend 2\n", "custom"},
        {HEAD(2) "demand 1 0 *\nround 1\n0 1 1\nend 1\n", "broadcast"},
        /* all nodes, by their numbers */
        {HEAD(3) "demand 1 0 0,1,2\nround 1\n0 1 1\nround 2\n0 2 1\nend 2\n", "broadcast"},
        /* as many nodes as the others are, with the source among them */
        {HEAD(3) "demand 1 0 0,1\nround 1\n0 1 1\nend 1\n", "custom"},
        /* a node alone, whose packet has no destination */
        {HEAD(1) "demand 1 0 *\nend 0\n", "custom"},
    };
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule;
        running("schedule %u", which);
        exchange_lab_schedule(cases[which].text, &schedule);
        char *made = exchange_lab_write("msccl", &schedule, NULL);
        char *name = exchange_lab_format(" coll=\"%s\" ", cases[which].collective);
        assert_non_null(strstr(made, name));
        free(name);
        free(made);
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
