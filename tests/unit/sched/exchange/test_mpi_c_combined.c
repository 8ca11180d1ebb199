/* SPDX-License-Identifier: Apache-2.0 */
/* test_mpi_c_combined: the actions that `export --mpi-c` writes for packets that are combined.
 *
 * Schedules by hand mix a packet that is combined in order, with the contribution of a higher or of
 * a lower rank, with one that is only moved, and leave a rank without actions. The actions and the
 * tables of places are worked out by hand from the head of mpi_c_combined.c. Counter-cases:
 * transfers that cannot combine in the order of ranks are rejected with the packet and the nodes.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

#define HEAD "roundcast-schedule 1\nalgorithm a\ntopology complete 4\nmodel send-receive\n"

static void test_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *parts[4];
    } cases[] = {
        /* Rank 0 has place 0 for packet 1 and place 1 for packet 2; both arrive in place 2. The
         * contribution of rank 1 is above its own; packet 2 is copied. */
        {HEAD "reduce 1 0 0,1 ordered\ndemand 2 2 0\nround 1\n1 0 1\nround 2\n2 0 2\nend 2\n",
         {"#define ROUNDCAST_ORDERED 1 ",
          "    /* rank 0 */\n    {0, EXECUTE_RECEIVE, 2, 1}, {0, EXECUTE_ABOVE, 0, 2}, "
          "{1, EXECUTE_RECEIVE, 2, 2}, {0, EXECUTE_COPY, 1, 2},\n"
          "    /* rank 1 */\n    {0, EXECUTE_SEND, 0, 0},\n"
          "    /* rank 2 */\n    {1, EXECUTE_SEND, 0, 0},\n"
          "    /* rank 3 */\n    {0, EXECUTE_COPY, 0, 0}};\n",
          "roundcast_first[] = {\n    0, 4, 5, 6, 6};\n",
          "roundcast_kept[] = {\n    2, 1, 1, 0};\n"}},
        /* The contribution of rank 0 is below that of rank 1; packet 2 is combined in any order. */
        {HEAD "reduce 1 1 0,1 ordered\nreduce 2 3 2,3\nround 1\n0 1 1\n2 3 2\nend 1\n",
         {"#define ROUNDCAST_ORDERED 0 ",
          "    /* rank 1 */\n    {0, EXECUTE_RECEIVE, 1, 0}, {0, EXECUTE_BELOW, 0, 1},\n",
          "    /* rank 3 */\n    {0, EXECUTE_RECEIVE, 1, 2}, {0, EXECUTE_BELOW, 0, 1},\n",
          "roundcast_spare[] = {\n    0, 1, 0, 1};\n"}},
        /* Rank 3 passes packet 2 on, and has its only place for it among the others. */
        {HEAD "reduce 1 0 0,1 ordered\ndemand 2 2 0\nround 1\n1 0 1\n2 3 2\nround 2\n3 0 2\n"
              "end 2\n",
         {"    /* rank 0 */\n    {0, EXECUTE_RECEIVE, 2, 1}, {0, EXECUTE_ABOVE, 0, 2}, "
          "{1, EXECUTE_RECEIVE, 2, 3}, {0, EXECUTE_COPY, 1, 2},\n",
          "    /* rank 3 */\n    {0, EXECUTE_RECEIVE, 1, 2}, {0, EXECUTE_COPY, 0, 1}, "
          "{1, EXECUTE_SEND, 0, 0},\n",
          "roundcast_kept[] = {\n    2, 1, 1, 0};\n", "roundcast_spare[] = {\n    1, 0, 0, 2};\n"}},
        /* Rank 2 sends on what it has received, in place 1, and keeps no result of it; ranks 1 and
         * 3 copy what they have received to their results at the end. Rank 0 has a place for what
         * it receives, too, which is nothing. */
        {HEAD "reduce 1 exclusive 0,1,3\nround 1\n0 1 1\nround 2\n1 2 1\nround 3\n"
              "2 3 1 received\nend 3\n",
         {"    /* rank 2 */\n    {1, EXECUTE_RECEIVE, 2, 1}, {0, EXECUTE_COPY, 1, 2}, "
          "{0, EXECUTE_COPY, 0, 2}, {2, EXECUTE_SEND, 1, 3},\n    /* rank 3 */\n",
          "    /* rank 3 */\n    {2, EXECUTE_RECEIVE, 2, 2}, {0, EXECUTE_COPY, 1, 2}, "
          "{0, EXECUTE_BELOW, 0, 2}, {0, EXECUTE_COPY, 0, 1},\n",
          "roundcast_kept[] = {\n    1, 1, 0, 1};\n", "roundcast_spare[] = {\n    1, 2, 3, 2};\n"}},
    };
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule;
        exchange_lab_schedule(cases[which].text, &schedule);
        char *made = exchange_lab_write("mpi-c", &schedule, NULL);
        for (unsigned part = 0; part < 4; part++) {
            running("schedule %u, part %u", which, part);
            assert_non_null(strstr(made, cases[which].parts[part]));
        }
        free(made);
        schedule_free(&schedule);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } cases[] = {
        {HEAD "reduce 1 * 0,1 ordered\nround 1\n1 0 1\nround 2\n0 1 1 replace\nend 2\n",
         "packet 1 is combined in order, and a transfer from node 0 to node 1 has options"},
        {HEAD "reduce 1 0 0,1 ordered\nround 1\n1 2 1\nround 2\n2 0 1\nend 2\n",
         "packet 1 is combined in order, and a transfer from node 1 to node 2 has options, or a "
         "node that does not contribute; expected none, or a scan"},
        {HEAD "reduce 1 0 0,1 ordered\nround 1\n2 0 1\nround 2\n1 0 1\nend 2\n",
         "a transfer from node 2 to node 0 has options, or a node that does not contribute"},
    };
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule;
        running("schedule %u", which);
        exchange_lab_schedule(cases[which].text, &schedule);
        exchange_lab_no_write("mpi-c", &schedule, NULL, ERR_UNSUPPORTED, cases[which].part);
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
