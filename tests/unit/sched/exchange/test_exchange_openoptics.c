/* SPDX-License-Identifier: Apache-2.0 */
/* test_exchange_openoptics: the circuits of slices are the pairs of the rounds.
 *
 * A reader in this file extracts the circuits from the slices by the rule of OpenOptics: an entry
 * that is not on the lines of both nodes is not a circuit. Counter-case: one side of a circuit
 * alone.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 16, LINKS = 4, ROUNDS = 64 };

/* circuit[round][v][w], for v < w. */
struct circuits {
    bool circuit[ROUNDS][NODES][NODES];
    unsigned rounds;
};

/* Reads the circuits of a text for this number of nodes; asserts that its lines have this number of
 * links for each node. */
static void read_slices(const char *text, unsigned nodes, unsigned links, struct circuits *found)
{
    memset(found, 0, sizeof *found);
    for (; *text != '\0'; found->rounds++) {
        int peer[NODES][LINKS];
        assert_true(found->rounds < ROUNDS);
        for (unsigned v = 0; v < nodes; v++)
            for (unsigned p = 0; p < links; p++) {
                char *end;
                peer[v][p] = (int)strtol(text, &end, 10);
                assert_true(end != text);
                text = end;
            }
        assert_int_equal(*text, '\n');
        text++;
        for (unsigned v = 0; v < nodes; v++)
            for (unsigned p = 0; p < links; p++)
                for (unsigned q = 0; q < links && peer[v][p] > (int)v; q++)
                    if (peer[peer[v][p]][q] == (int)v)
                        found->circuit[found->rounds][v][peer[v][p]] = true;
    }
}

static void pairs_of(const struct schedule *schedule, struct circuits *pairs)
{
    memset(pairs, 0, sizeof *pairs);
    for (size_t step = 0; step < schedule->step_count; step++, pairs->rounds++)
        for (size_t k = schedule->step[step].first; k < schedule_step_end(schedule, step); k++) {
            uint32_t from = schedule->transfer[k].source, to = schedule->transfer[k].destination;
            pairs->circuit[step][MIN(from, to)][MAX(from, to)] = true;
        }
}

static unsigned count(const struct circuits *circuits)
{
    unsigned found = 0;
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned v = 0; v < NODES; v++)
            for (unsigned w = 0; w < NODES; w++)
                found += circuits->circuit[round][v][w];
    return found;
}

static const struct {
    struct exchange_lab_asked asked;
    unsigned nodes, links;
} cases[] = {
    {{"circulant", 7, 4, 0, MODEL_SEND_RECEIVE, 0, NULL}, 7, 2},
    {{"matching", 8, 3, 0, MODEL_TELEPHONE, 0, NULL}, 8, 1},
    {{"cube-single", 0, 4, 0, MODEL_ALL_PORT, 4, NULL}, 16, 4},
    {{"total-exchange", 9, 1, 0, MODEL_SEND_RECEIVE, 0, NULL}, 9, 2},
    {{"binomial", 4, 1, 0, MODEL_SEND_RECEIVE, 0, NULL}, 4, 1},
};

static void test_circuits(void **state)
{
    (void)state;
    static struct circuits found, pairs;
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule;
        exchange_lab_build(&cases[which].asked, &schedule);
        char *text = exchange_lab_write("openoptics", &schedule, NULL);
        read_slices(text, cases[which].nodes, cases[which].links, &found);
        pairs_of(&schedule, &pairs);
        assert_true(count(&pairs) > 0);
        assert_memory_equal(&found, &pairs, sizeof found);
        free(text);
        schedule_free(&schedule);
    }
}

/* The slices of four nodes are compared byte by byte with the definition. */
static void test_four(void **state)
{
    (void)state;
    static struct circuits found;
    struct schedule schedule;
    exchange_lab_build(&cases[4].asked, &schedule);
    char *text = exchange_lab_write("openoptics", &schedule, NULL);
    assert_string_equal(text, "1 0 -1 -1\n2 3 0 1\n");
    free(text);
    schedule_free(&schedule);
    read_slices("1 0 -1 -1\n2 3 0 1\n", 4, 1, &found);
    assert_int_equal(count(&found), 3);
    read_slices("1 0 -1 -1\n2 3 0 -1\n", 4, 1, &found);
    assert_int_equal(count(&found), 2);
}

static void test_times(void **state)
{
    (void)state;
    exchange_lab_no_times("openoptics");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_circuits),
        cmocka_unit_test(test_four),
        cmocka_unit_test(test_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
