/* SPDX-License-Identifier: Apache-2.0 */
/* test_exchange_switches: commands for optical circuit switches and for time-aware gates do what a
 * schedule needs.
 *
 * A model of each switch in this file executes the commands. The optical switch rejects a circuit
 * of a port that is in use, and the deletion of a circuit that does not exist; after the commands
 * of a round every transfer of the round has its circuit. It needs no more commands than circuits
 * that differ. The gates are sampled in the middle of each round: that of class 1 is open exactly
 * if the node sends. Counter-cases: a command and an entry that are removed.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 65 };

static const struct exchange_lab_asked asked[] = {
    {"binomial", 4, 1, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"matching", 22, 8, 3, MODEL_SEND_RECEIVE, 0, NULL},
    {"path", 9, 30, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"total-exchange", 8, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"matching", 10, 4, 0, MODEL_TELEPHONE, 0, NULL},
    {"traffic", 8, 1, 0, MODEL_SEND_RECEIVE, 0, "moe:6,2"},
};
#define CASES (sizeof asked / sizeof *asked)

/* -- optical circuits ---------------------------------------------------------------------------*/

struct optics {
    unsigned to[NODES], from[NODES]; /* by ports, from 1; 0: none */
    unsigned added, deleted;
};

static bool add(struct optics *optics, const char *pairs)
{
    unsigned a, b;
    int length;
    while (sscanf(pairs, "%uA-%uB%n", &a, &b, &length) == 2) {
        if (a < 1 || a >= NODES || b < 1 || b >= NODES || optics->to[a] > 0 || optics->from[b] > 0)
            return false;
        optics->to[a] = b;
        optics->from[b] = a;
        optics->added++;
        pairs += length;
        if (*pairs != ',')
            return strncmp(pairs, " safe\n", 6) == 0;
        pairs++;
    }
    return false;
}

static bool delete (struct optics *optics, const char *pair)
{
    unsigned a, b;
    if (sscanf(pair, "%uA-%uB\n", &a, &b) != 2 || a >= NODES || optics->to[a] != b)
        return false;
    optics->to[a] = optics->from[b] = 0;
    optics->deleted++;
    return true;
}

static bool has_circuits(const struct optics *optics, const struct schedule *schedule, size_t step)
{
    bool has = true;
    for (size_t k = schedule->step[step].first; k < schedule_step_end(schedule, step); k++)
        has = has &&
              optics->to[schedule->transfer[k].source + 1] == schedule->transfer[k].destination + 1;
    return has;
}

/* Executes the commands. Returns whether all are legal, and each round has its circuits. */
static bool execute(const char *text, const struct schedule *schedule, struct optics *optics)
{
    static const char add_command[] = "config ocs cross-connect add ";
    static const char delete_command[] = "config ocs cross-connect delete ";
    size_t rounds = 0;
    bool right = true;
    *optics = (struct optics){.added = 0};
    for (; right && *text != '\0'; text += strcspn(text, "\n") + 1) {
        if (strncmp(text, "# round ", 8) == 0) {
            right = rounds == 0 || has_circuits(optics, schedule, rounds - 1);
            right = right && strtoull(text + 8, NULL, 10) == schedule->step[rounds].time;
            rounds++;
        } else if (strncmp(text, add_command, strlen(add_command)) == 0) {
            right = add(optics, text + strlen(add_command));
        } else {
            right = strncmp(text, delete_command, strlen(delete_command)) == 0 &&
                    delete (optics, text + strlen(delete_command));
        }
    }
    return right && rounds == schedule->step_count && has_circuits(optics, schedule, rounds - 1);
}

/* Returns the number of circuits that must be added: those that an earlier transfer of their ports
 * did not leave. */
static unsigned circuits_needed(const struct schedule *schedule)
{
    unsigned to[NODES] = {0}, from[NODES] = {0}, needed = 0;
    for (size_t k = 0; k < schedule->transfer_count; k++) {
        uint32_t source = schedule->transfer[k].source + 1;
        uint32_t destination = schedule->transfer[k].destination + 1;
        needed += to[source] != destination || from[destination] != source;
        to[source] = destination;
        from[destination] = source;
    }
    return needed;
}

static void test_optics(void **state)
{
    (void)state;
    for (unsigned which = 0; which < CASES; which++) {
        struct schedule schedule;
        struct optics optics;
        exchange_lab_build(&asked[which], &schedule);
        char *text = exchange_lab_write("sonic-ocs", &schedule, NULL);
        assert_true(execute(text, &schedule, &optics));
        assert_int_equal(optics.added, circuits_needed(&schedule));
        char *other = exchange_lab_edit(
            text, (const struct exchange_lab_edit[]){{2, 2, "A-", "A-6"}, {0, 0, NULL, NULL}});
        assert_false(execute(other, &schedule, &optics));
        free(other);
        free(text);
        schedule_free(&schedule);
    }
}

static void test_most_nodes(void **state)
{
    (void)state;
    struct schedule schedule;
    exchange_lab_build(&(struct exchange_lab_asked){"path", 65, 1, 0, MODEL_SEND_RECEIVE, 0, NULL},
                       &schedule);
    exchange_lab_no_write("sonic-ocs", &schedule, NULL, ERR_RANGE,
                          "sonic-ocs: 65 nodes; expected 1 … 64");
    schedule_free(&schedule);
}

/* -- gates --------------------------------------------------------------------------------------*/

/* Returns whether the gate of class 1 is open at a time, by the entries of a node. */
static bool is_open(const char *gates, unsigned long long at)
{
    unsigned mask;
    unsigned long long length;
    int read;
    for (; sscanf(gates, "sched-entry S %x %llu%n", &mask, &length, &read) == 2;
         gates += read + 1) {
        if (at < length)
            return mask == 2;
        at -= length;
    }
    fail_msg("the list of gates ends");
    return false;
}

static bool sends(const struct schedule *schedule, uint32_t node, uint64_t round)
{
    for (size_t k = 0; k < schedule->transfer_count; k++)
        if (schedule->transfer[k].source == node &&
            schedule->step[schedule_step_of(schedule, k)].time == round)
            return true;
    return false;
}

/* Returns whether the gates of all nodes are those of the schedule. */
static bool has_gates(const char *text, const struct schedule *schedule, unsigned long long length)
{
    for (uint32_t node = 0; node < schedule->nodes; node++) {
        char head[40];
        snprintf(head, sizeof head, "\n%u) gates=\"", node);
        const char *found = strstr(text, head);
        assert_non_null(found);
        for (uint64_t round = 1; round <= schedule->end; round++)
            if (is_open(found + strlen(head), (round - 1) * length + length / 2) !=
                sends(schedule, node, round))
                return false;
    }
    return true;
}

static void test_gates(void **state)
{
    (void)state;
    for (unsigned which = 0; which < CASES; which++) {
        struct schedule schedule;
        exchange_lab_build(&asked[which], &schedule);
        /* 1000 + 38 bytes of 8 ns, and at least 46 + 38 */
        char *text =
            exchange_lab_write("taprio", &schedule, &(struct exchange_options){.bytes = 1000});
        assert_true(has_gates(text, &schedule, 8304));
        char *least = exchange_lab_write("taprio", &schedule, NULL);
        assert_true(has_gates(least, &schedule, 672));
        char *other = exchange_lab_edit(
            text, (const struct exchange_lab_edit[]){{0, 0, "S 02", "S 01"}, {0, 0, NULL, NULL}});
        assert_false(has_gates(other, &schedule, 8304));
        free(other);
        free(least);
        free(text);
        schedule_free(&schedule);
    }
}

static void test_most_gates(void **state)
{
    (void)state;
    struct schedule schedule;
    exchange_lab_every_other(514, &schedule);
    exchange_lab_no_write("taprio", &schedule, NULL, ERR_TOO_BIG,
                          "taprio: node 0 has 1028 gate entries; expected at most 1024");
    exchange_lab_no_write("taprio", &schedule, &(struct exchange_options){.bytes = 1 << 20},
                          ERR_TOO_BIG, "expected at most 2^31 ns");
    /* one round of 8 * 2^29 ns is too long already */
    exchange_lab_no_write("taprio", &schedule, &(struct exchange_options){.bytes = 1 << 29},
                          ERR_TOO_BIG, "expected at most 2^31 ns");
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_optics),
        cmocka_unit_test(test_most_nodes),
        cmocka_unit_test(test_gates),
        cmocka_unit_test(test_most_gates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
