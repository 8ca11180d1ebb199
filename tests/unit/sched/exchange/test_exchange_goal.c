/* SPDX-License-Identifier: Apache-2.0 */
/* test_exchange_goal: GOAL files take the rounds of the schedule in any executor.
 *
 * An executor in this test takes a round for each packet that a rank sends or receives, as soon as
 * the operations that it requires are done. The schedules have the minimum number of rounds, so
 * that the requirements are correct if and only if the run takes the same number of rounds and no
 * rank sends two packets, or receives two, at once. Counter-cases: a file without the order of a
 * rank's sends, and a file without the data dependences.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

enum { OPERATIONS = 2048, NEEDS = 4 };

struct operation {
    char label[16];
    bool receives;
    unsigned rank, peer, tag, bytes, needs;
    int need[NEEDS]; /* operations */
    long round;
};

struct goal_run {
    struct operation operation[OPERATIONS];
    int operations;
    long rounds, most; /* the most that a rank sends, or receives, in one round */
    size_t pairs;
    struct transfer *pair; /* what is sent and received once */
};

/* -- the text -----------------------------------------------------------------------------------*/

static int find(const struct goal_run *run, unsigned rank, const char *label)
{
    for (int k = 0; k < run->operations; k++)
        if (run->operation[k].rank == rank && strcmp(run->operation[k].label, label) == 0)
            return k;
    fail_msg("no operation %s of rank %u", label, rank);
    return -1;
}

static void read_line(struct goal_run *run, const char *line, unsigned *rank)
{
    char label[16], other[16];
    struct operation found = {.round = 0};
    if (sscanf(line, "rank %u {", rank) == 1)
        return;
    if (sscanf(line, "%15[^:]: send %ub to %u tag %u", label, &found.bytes, &found.peer,
               &found.tag) != 4) {
        found.receives = true;
        if (sscanf(line, "%15[^:]: recv %ub from %u tag %u", label, &found.bytes, &found.peer,
                   &found.tag) != 4)
            found.bytes = 0;
    }
    if (found.bytes > 0) {
        assert_true(run->operations < OPERATIONS);
        found.rank = *rank;
        memcpy(found.label, label, sizeof label);
        run->operation[run->operations++] = found;
    } else if (sscanf(line, "%15s requires %15s", label, other) == 2) {
        struct operation *operation = &run->operation[find(run, *rank, label)];
        assert_true(operation->needs < NEEDS);
        operation->need[operation->needs++] = find(run, *rank, other);
    }
}

/* -- rounds -------------------------------------------------------------------------------------*/

static struct operation *partner_of(struct goal_run *run, const struct operation *operation)
{
    for (int k = 0; k < run->operations; k++) {
        struct operation *other = &run->operation[k];
        if (other->receives != operation->receives && other->rank == operation->peer &&
            other->peer == operation->rank && other->tag == operation->tag)
            return other;
    }
    fail_msg("%s of rank %u has no other side", operation->label, operation->rank);
    return NULL;
}

static bool advance(struct goal_run *run)
{
    bool changed = false;
    for (int k = 0; k < run->operations; k++) {
        struct operation *operation = &run->operation[k];
        long at = 1;
        for (unsigned need = 0; need < operation->needs; need++)
            if (run->operation[operation->need[need]].round >= at)
                at = run->operation[operation->need[need]].round + 1;
        if (operation->receives && partner_of(run, operation)->round > at)
            at = partner_of(run, operation)->round;
        changed |= at > operation->round;
        if (at > operation->round)
            operation->round = at;
    }
    return changed;
}

static void look(struct goal_run *run)
{
    for (int k = 0; k < run->operations; k++) {
        const struct operation *operation = &run->operation[k];
        long same = 0;
        for (int other = 0; other < run->operations; other++)
            same += run->operation[other].rank == operation->rank &&
                    run->operation[other].receives == operation->receives &&
                    run->operation[other].round == operation->round;
        if (same > run->most)
            run->most = same;
        if (operation->round > run->rounds)
            run->rounds = operation->round;
        if (!operation->receives)
            run->pair[run->pairs++] =
                (struct transfer){operation->rank, operation->peer, operation->tag};
    }
}

/* Executes a file without the lines that contain `without`; NULL: all lines. */
static struct goal_run *goal_run_of(const char *text, const char *without)
{
    struct goal_run *run = calloc(1, sizeof *run);
    unsigned rank = 0;
    assert_non_null(run);
    run->pair = calloc(OPERATIONS, sizeof *run->pair);
    assert_non_null(run->pair);
    for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n') {
        char line[120];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
        if (without == NULL || strstr(line, without) == NULL)
            read_line(run, line, &rank);
    }
    for (int k = 0; k < run->operations; k++)
        partner_of(run, &run->operation[k]);
    while (advance(run)) {
    }
    look(run);
    return run;
}

static void free_run(struct goal_run *run)
{
    free(run->pair);
    free(run);
}

/* -- tests --------------------------------------------------------------------------------------*/

static const struct {
    struct exchange_lab_asked asked;
    long rounds, most;
} cases[] = {
    {{"matching", 22, 8, 0, MODEL_SEND_RECEIVE, 0, NULL}, 12, 1},
    {{"path", 6, 5, 0, MODEL_SEND_RECEIVE, 0, NULL}, 9, 1},
    {{"all-gather", 9, 1, 0, MODEL_SEND_RECEIVE, 0, NULL}, 8, 1},
    {{"total-exchange", 9, 1, 0, MODEL_SEND_RECEIVE, 0, NULL}, 8, 1},
    {{"path", 4, 1, 0, MODEL_SEND_RECEIVE, 0, NULL}, 3, 1},
    {{"cube-all-gather", 0, 1, 0, MODEL_ALL_PORT, 3, NULL}, 0, 3}, /* over all dimensions at once */
};

static void test_rounds(void **state)
{
    (void)state;
    const struct exchange_options options = {.bytes = 64};
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule;
        exchange_lab_build(&cases[which].asked, &schedule);
        char *text = exchange_lab_write("goal", &schedule, &options);
        struct goal_run *run = goal_run_of(text, NULL);
        if (cases[which].rounds > 0)
            assert_int_equal(run->rounds, cases[which].rounds);
        assert_int_equal(run->most, cases[which].most);
        exchange_lab_moves(&schedule, run->pair, run->pairs);
        assert_int_equal(run->operations, 2 * run->pairs);
        for (int k = 0; k < run->operations; k++)
            assert_int_equal(run->operation[k].bytes, 64);
        free_run(run);
        free(text);
        schedule_free(&schedule);
    }
}

/* Without the order of sends, a rank of 8 sends three packets at once; without the data
 * dependences, all at once. */
static void test_without_order(void **state)
{
    (void)state;
    struct schedule schedule;
    exchange_lab_build(
        &(struct exchange_lab_asked){"binomial", 8, 1, 0, MODEL_SEND_RECEIVE, 0, NULL}, &schedule);
    char *text = exchange_lab_write("goal", &schedule, NULL);
    struct goal_run *run = goal_run_of(text, "requires s");
    assert_int_equal(run->rounds, 3);
    assert_int_equal(run->most, 3);
    free_run(run);
    free(text);
    schedule_free(&schedule);
    exchange_lab_build(&cases[4].asked, &schedule);
    text = exchange_lab_write("goal", &schedule, NULL);
    run = goal_run_of(text, "requires r");
    assert_int_equal(run->rounds, 1);
    assert_int_equal(run->most, 1);
    free_run(run);
    free(text);
    schedule_free(&schedule);
}

/* The smallest file is compared byte by byte with the grammar. */
static void test_smallest(void **state)
{
    (void)state;
    struct schedule schedule;
    exchange_lab_build(&(struct exchange_lab_asked){"path", 2, 1, 0, MODEL_SEND_RECEIVE, 0, NULL},
                       &schedule);
    char *text = exchange_lab_write("goal", &schedule, NULL);
    assert_string_equal(text, "num_ranks 2\nrank 0 {\ns0: send 1b to 1 tag 1\n}\nrank 1 {\n"
                              "r0: recv 1b from 0 tag 1\n}\n");
    free(text);
    schedule_free(&schedule);
}

/* A postal schedule becomes an order of sends. */
static void test_postal(void **state)
{
    (void)state;
    struct schedule schedule;
    exchange_lab_schedule(
        "roundcast-schedule 1\nalgorithm a\ntopology complete 2\nmodel postal 5/2\n"
        "demand 1-2 0 *\ntime 0\n0 1 1\ntime 1\n0 1 2\nend 7/2\n",
        &schedule);
    char *text = exchange_lab_write("goal", &schedule, NULL);
    assert_non_null(strstr(text, "s1: send 1b to 1 tag 2\ns1 requires s0\n"));
    free(text);
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_without_order),
        cmocka_unit_test(test_smallest),
        cmocka_unit_test(test_postal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
