/* SPDX-License-Identifier: Apache-2.0 */
/* test_exchange_ion: contacts are the transfers of the rounds, and each lies in a range.
 *
 * A reader in this file parses the lines as ionrc(5) defines them. It rejects what ionadmin
 * rejects: overlapping contacts of two nodes, and a contact or range that starts after its end.
 * Counter-cases: a contact without a range, and two overlapping contacts.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 17, SECONDS = 64 };

/* bytes[second][v][w]: rate of the contact from node v to w, from second 1; 0: none. */
struct plan {
    unsigned long bytes[SECONDS][NODES][NODES];
    bool range[SECONDS][NODES][NODES]; /* both ways */
};

/* Returns whether the text is a plan that ionadmin accepts, with a range for each contact. */
static bool read_plan(const char *text, struct plan *plan)
{
    memset(plan, 0, sizeof *plan);
    for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
        unsigned start, stop, from, to;
        unsigned long value;
        char word[16];
        if (sscanf(line, "a %15s +%u +%u %u %u %lu\n", word, &start, &stop, &from, &to, &value) !=
                6 ||
            start >= stop || stop > SECONDS || from < 1 || to < 1 || from >= NODES || to >= NODES)
            return false;
        bool contact = strcmp(word, "contact") == 0;
        if ((!contact && strcmp(word, "range") != 0) || (contact && value == 0))
            return false;
        for (unsigned second = start; second < stop; second++) {
            if (contact && plan->bytes[second][from][to] != 0)
                return false;
            if (contact)
                plan->bytes[second][from][to] = value;
            else
                plan->range[second][from][to] = plan->range[second][to][from] = true;
        }
    }
    for (unsigned second = 0; second < SECONDS; second++)
        for (unsigned v = 0; v < NODES; v++)
            for (unsigned w = 0; w < NODES; w++)
                if (plan->bytes[second][v][w] != 0 && !plan->range[second][v][w])
                    return false;
    return true;
}

static void test_contacts(void **state)
{
    (void)state;
    static const struct exchange_lab_asked cases[] = {
        {"circulant", 7, 4, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"matching", 8, 3, 0, MODEL_TELEPHONE, 0, NULL},
        {"cube-single", 0, 4, 0, MODEL_ALL_PORT, 4, NULL},
        {"total-exchange", 9, 1, 0, MODEL_SEND_RECEIVE, 0, NULL}};
    static struct plan plan;
    const struct exchange_options options = {.bytes = 1000};
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule;
        exchange_lab_build(&cases[which], &schedule);
        char *text = exchange_lab_write("ion", &schedule, &options);
        assert_true(read_plan(text, &plan));
        size_t contacts = 0;
        for (unsigned second = 0; second < SECONDS; second++)
            for (unsigned v = 0; v < NODES; v++)
                for (unsigned w = 0; w < NODES; w++)
                    contacts += plan.bytes[second][v][w] == 1000;
        assert_int_equal(contacts, schedule.transfer_count);
        for (size_t k = 0; k < schedule.step_count; k++)
            for (size_t t = schedule.step[k].first; t < schedule_step_end(&schedule, k); t++)
                assert_int_equal(
                    plan.bytes[schedule.step[k].time - 1][schedule.transfer[t].source + 1]
                              [schedule.transfer[t].destination + 1],
                    1000);
        free(text);
        schedule_free(&schedule);
    }
}

/* Plans of three nodes, compared byte by byte; and plans that ionadmin rejects. */
static void test_by_hand(void **state)
{
    (void)state;
    static struct plan plan;
    struct schedule schedule;
    exchange_lab_schedule(
        "roundcast-schedule 1\nalgorithm a\ntopology complete 3\n"
        "model send-receive\ndemand 1 2 *\nround 1\n2 0 1\nround 4\n0 1 1\nend 4\n",
        &schedule);
    char *text = exchange_lab_write("ion", &schedule, &(struct exchange_options){.bytes = 64});
    assert_string_equal(text, "a range +0 +4 1 2 0\na range +0 +4 1 3 0\n"
                              "a contact +0 +1 3 1 64\na contact +3 +4 1 2 64\n");
    free(text);
    schedule_free(&schedule);
    assert_true(read_plan("a range +0 +4 1 2 0\na contact +0 +1 2 1 64\n", &plan));
    assert_false(read_plan("a range +0 +4 1 2 0\na contact +0 +1 3 1 64\n", &plan));
    assert_false(
        read_plan("a range +0 +4 1 2 0\na contact +0 +2 1 2 64\na contact +1 +3 1 2 64\n", &plan));
}

static void test_rejected(void **state)
{
    (void)state;
    exchange_lab_no_times("ion");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contacts),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
