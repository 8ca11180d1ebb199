/* SPDX-License-Identifier: Apache-2.0 */
/* test_goal_reduce: GOAL files of reductions give the results in every order that they permit.
 *
 * An executor in this test reads only the file. It executes operations in random orders in which
 * each comes after those that it requires, and a receipt after its send. A partial result is a
 * number with a hexadecimal digit for each rank, which counts its contribution: a calculation adds
 * what arrived, a receipt without a calculation replaces. In the end each rank that wants the
 * result must have it with every digit 1. So a requirement that is missing shows in some order.
 * Counter-cases: files without the requirements of one kind, for which an order is wrong.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

enum { OPERATIONS = 2048, NEEDS = 2048 * 4, RANKS = 16, PACKETS = 16, ORDERS = 40 };

struct operation {
    char kind; /* s, r or c */
    unsigned number, rank, peer, tag;
    int other; /* of a receipt: its send; of a calculation: its receipt */
    bool calculates, done;
    uint64_t content; /* what is sent */
};

struct goal {
    int operations, needs;
    struct operation operation[OPERATIONS];
    int needed[NEEDS][2]; /* an operation, and one that it requires */
    uint64_t part[RANKS][PACKETS];
};

static int find(const struct goal *goal, unsigned rank, char kind, unsigned number)
{
    for (int k = 0; k < goal->operations; k++)
        if (goal->operation[k].rank == rank && goal->operation[k].kind == kind &&
            goal->operation[k].number == number)
            return k;
    fail_msg("no operation %c%u of rank %u", kind, number, rank);
    return -1;
}

static void read_line(struct goal *goal, const char *line, unsigned *rank)
{
    struct operation found = {.kind = line[0], .other = -1};
    char kind, other;
    unsigned number, needed, bytes;
    if (sscanf(line, "rank %u {", rank) == 1 || line[0] == '}' || strncmp(line, "num", 3) == 0)
        return;
    if (sscanf(line, "%c%u requires %c%u", &kind, &number, &other, &needed) == 4) {
        assert_true(goal->needs < NEEDS);
        int *pair = goal->needed[goal->needs++];
        pair[0] = find(goal, *rank, kind, number);
        pair[1] = find(goal, *rank, other, needed);
        return;
    }
    if (sscanf(line, "c%u: calc %u", &found.number, &bytes) == 2) {
        found.other = find(goal, *rank, 'r', found.number);
        goal->operation[found.other].calculates = true;
        found.tag = goal->operation[found.other].tag;
    } else if (sscanf(line, "s%u: send %ub to %u tag %u", &found.number, &bytes, &found.peer,
                      &found.tag) != 4) {
        assert_int_equal(sscanf(line, "r%u: recv %ub from %u tag %u", &found.number, &bytes,
                                &found.peer, &found.tag),
                         4);
    }
    assert_int_equal(bytes, 8);
    found.rank = *rank;
    assert_true(goal->operations < OPERATIONS);
    goal->operation[goal->operations++] = found;
}

/* Joins each receipt with the first free send of its peer and tag. */
static void join(struct goal *goal)
{
    bool used[OPERATIONS] = {false};
    for (int r = 0; r < goal->operations; r++) {
        struct operation *receipt = &goal->operation[r];
        for (int s = 0; receipt->kind == 'r' && receipt->other < 0 && s < goal->operations; s++) {
            const struct operation *send = &goal->operation[s];
            if (send->kind == 's' && !used[s] && send->rank == receipt->peer &&
                send->peer == receipt->rank && send->tag == receipt->tag) {
                receipt->other = s;
                used[s] = true;
            }
        }
        assert_true(receipt->kind != 'r' || receipt->other >= 0);
    }
}

/* Reads a file without the lines with a requirement of `by` on `on`; 0: all lines. */
static struct goal *goal_read(const char *text, char by, char on)
{
    struct goal *goal = calloc(1, sizeof *goal);
    unsigned rank = 0;
    assert_non_null(goal);
    for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n') {
        char line[120], kind = 0, other = 0;
        snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
        int found = sscanf(line, "%c%*u requires %c%*u", &kind, &other);
        if (found < 2 || kind != by || other != on)
            read_line(goal, line, &rank);
    }
    join(goal);
    return goal;
}

static bool is_ready(const struct goal *goal, int k)
{
    const struct operation *now = &goal->operation[k];
    bool ready = !now->done && (now->other < 0 || goal->operation[now->other].done);
    for (int need = 0; ready && need < goal->needs; need++)
        ready = goal->needed[need][0] != k || goal->operation[goal->needed[need][1]].done;
    return ready;
}

static void execute(struct goal *goal, struct operation *now)
{
    uint64_t *part = &goal->part[now->rank][now->tag];
    now->done = true;
    if (now->kind == 's')
        now->content = *part;
    else if (now->kind == 'r')
        now->content = goal->operation[now->other].content;
    else
        *part += goal->operation[now->other].content;
    if (now->kind == 'r' && !now->calculates)
        *part = now->content;
}

/* Executes all operations in a random order. */
static void goal_run(struct goal *goal)
{
    for (unsigned rank = 0; rank < RANKS; rank++)
        for (unsigned packet = 0; packet < PACKETS; packet++)
            goal->part[rank][packet] = UINT64_C(1) << 4 * rank;
    for (int k = 0; k < goal->operations; k++)
        goal->operation[k].done = false;
    for (int done = 0; done < goal->operations; done++) {
        int ready[OPERATIONS], count = 0;
        for (int k = 0; k < goal->operations; k++)
            if (is_ready(goal, k))
                ready[count++] = k;
        assert_true(count > 0);
        execute(goal, &goal->operation[ready[rand() % count]]);
    }
}

/* Returns whether each rank that wants a result has it. */
static bool is_right(const struct goal *goal, const struct schedule *schedule)
{
    bool right = true;
    for (uint32_t packet = 1; packet <= schedule->packets; packet++) {
        const struct demand *demand = schedule_demand_of(schedule, packet);
        for (uint32_t rank = 0; rank < schedule->nodes; rank++) {
            uint64_t all = UINT64_C(0x1111111111111111) >> (64 - 4 * schedule->nodes);
            if (demand->reduction->prefix)
                all = UINT64_C(0x1111111111111111) >> (60 - 4 * rank);
            else if (demand->wanted_count > 0 && demand->wanted[0] != rank)
                continue;
            right = right && goal->part[rank][packet] == all;
        }
    }
    return right;
}

/* Returns the number of random orders whose results are right. */
static int right_orders_of(const struct schedule *schedule, char by, char on)
{
    int right = 0;
    char *text = exchange_lab_write("goal", schedule, &(struct exchange_options){.bytes = 8});
    struct goal *goal = goal_read(text, by, on);
    srand(1);
    for (int order = 0; order < ORDERS; order++) {
        goal_run(goal);
        right += is_right(goal, schedule);
    }
    free(goal);
    free(text);
    return right;
}

static int right_orders(const struct exchange_lab_asked *asked, char by, char on)
{
    struct schedule schedule;
    exchange_lab_build(asked, &schedule);
    int right = right_orders_of(&schedule, by, on);
    schedule_free(&schedule);
    return right;
}

static const struct exchange_lab_asked cases[] = {
    {"reduce", 7, 3, 2, MODEL_SEND_RECEIVE, 0, NULL},
    {"reduce-scatter", 5, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"reduce-broadcast", 6, 3, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"halving-all-reduce", 8, 4, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"scan", 9, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"path-scan", 6, 3, 0, MODEL_SEND_RECEIVE, 0, NULL},
};

static void test_every_order(void **state)
{
    (void)state;
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        running("case %u", which);
        assert_int_equal(right_orders(&cases[which], 0, 0), ORDERS);
    }
}

/* With λ = 2, node 1 sends at time 1, before the contribution of node 0 arrives at time 2. */
static void test_postal(void **state)
{
    (void)state;
    struct schedule schedule;
    exchange_lab_schedule("roundcast-schedule 1\nalgorithm scan\ntopology complete 4\n"
                          "model postal 2\nreduce 1 prefix * ordered\ntime 0\n0 1 1\n1 2 1\n2 3 1\n"
                          "time 1\n0 2 1\n1 3 1\ntime 2\n0 3 1\nend 4\n",
                          &schedule);
    assert_int_equal(right_orders_of(&schedule, 0, 0), ORDERS);
    assert_in_range(right_orders_of(&schedule, 'c', 's'), 0, ORDERS - 1);
    schedule_free(&schedule);
}

/* Without one kind of requirement, some order sends a partial result too early, or too late. */
static void test_without(void **state)
{
    (void)state;
    assert_in_range(right_orders(&cases[2], 's', 'c'), 0, ORDERS - 1);
    assert_in_range(right_orders(&cases[4], 'c', 's'), 0, ORDERS - 1);
    assert_in_range(right_orders(&cases[2], 's', 'r'), 0, ORDERS - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_order),
        cmocka_unit_test(test_postal),
        cmocka_unit_test(test_without),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
