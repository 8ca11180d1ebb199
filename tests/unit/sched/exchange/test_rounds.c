/* SPDX-License-Identifier: Apache-2.0 */
/* test_rounds: transfers that are placed in rounds, alone, together, or in an order.
 *
 * Rounds by hand: transfers with a first round, rounds that are left out, transfers on circles of
 * an order, and transfers that must begin together under each kind of rules. Counter-cases: sets of
 * transfers that no round permits together, after which their ports and links are free again, and
 * circles with a lag.
 */
#include "sched/exchange/rounds.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

/* Checks the steps of the schedule of 4 nodes that rounds give. */
static void check_steps(const struct rounds *rounds, const char *steps)
{
    struct schedule schedule = {0};
    struct err err = {0};
    support_true(schedule_init_empty(&schedule, "a", &rounds->topology, rounds->model, &err), &err);
    support_true(schedule_add_demand(&schedule, 4, 0, NULL, 0, &err), &err);
    support_true(rounds_finish(rounds, &schedule, &err), &err);
    char *text = support_text(&schedule);
    const char *found = strstr(text, "\ndemand 1-4 0 *\n");
    assert_non_null(found);
    assert_string_equal(found + strlen("\ndemand 1-4 0 *\n"), steps);
    free(text);
    schedule_free(&schedule);
}

/* Rounds may be later than there are transfers; rounds_omit leaves those without a packet out. */
static void test_late(void **state)
{
    (void)state;
    static const enum model models[] = {MODEL_SEND_RECEIVE, MODEL_TELEPHONE, MODEL_TELEGRAPH};
    for (unsigned which = 0; which < sizeof models / sizeof *models; which++) {
        struct rounds rounds;
        struct err err = {0};
        uint64_t round;
        running("%s", model_name(models[which]));
        support_true(rounds_begin(&rounds, 4, models[which], &err), &err);
        support_true(rounds_place(&rounds, (struct transfer){0, 1, 1}, 100, &round, &err), &err);
        assert_int_equal(round, 100);
        support_true(rounds_place(&rounds, (struct transfer){1, 2, 2}, 7, &round, &err), &err);
        assert_int_equal(round, 7);
        support_true(rounds_place(&rounds, (struct transfer){2, 3, 0}, 50, &round, &err), &err);
        support_true(rounds_place(&rounds, (struct transfer){0, 3, 3}, 0, &round, &err), &err);
        assert_int_equal(round, 1);
        support_true(rounds_omit(&rounds, &err), &err);
        check_steps(&rounds, "round 1\n0 3 3\nround 2\n1 2 2\nround 3\n0 1 1\nend 3\n");
        rounds_free(&rounds);
        support_true(rounds_begin(&rounds, 4, models[which], &err), &err);
        support_true(rounds_place(&rounds, (struct transfer){0, 1, 1}, 100, &round, &err), &err);
        support_true(rounds_place(&rounds, (struct transfer){1, 2, 2}, 7, &round, &err), &err);
        check_steps(&rounds, "round 7\n1 2 2\nround 100\n0 1 1\nend 100\n");
        rounds_free(&rounds);
    }
}

/* -- together -----------------------------------------------------------------------------------*/

#define MOST 4
#define TREE(capacity)  \
    {                   \
        "2,2", capacity \
    }

/* Transfers that must begin in the same round, or at the same time, under rules of 4 nodes. */
static const struct set {
    enum model model;
    uint32_t ports;
    const char *tree[2]; /* children and lanes; NULL: a complete graph */
    unsigned count;
    struct transfer transfer[MOST];
    bool joins;    /* the network can combine the packets */
    bool together; /* whether the rules permit them in one round */
} sets[] = {
    {MODEL_SEND_RECEIVE, 1, {NULL}, 3, {{0, 1, 1}, {1, 0, 1}, {2, 3, 1}}, false, true},
    {MODEL_SEND_RECEIVE, 1, {NULL}, 3, {{0, 1, 1}, {1, 0, 1}, {0, 2, 1}}, false, false},
    {MODEL_SEND_RECEIVE, 2, {NULL}, 3, {{0, 1, 1}, {1, 0, 1}, {0, 2, 1}}, false, true},
    {MODEL_SEND_RECEIVE, 2, {NULL}, 4, {{3, 2, 1}, {0, 1, 1}, {0, 2, 1}, {0, 3, 1}}, false, false},
    {MODEL_TELEGRAPH, 1, {NULL}, 2, {{0, 1, 1}, {2, 3, 1}}, false, true},
    {MODEL_TELEGRAPH, 1, {NULL}, 2, {{0, 1, 1}, {1, 2, 1}}, false, false},
    {MODEL_TELEPHONE, 1, {NULL}, 4, {{0, 1, 1}, {1, 0, 2}, {2, 3, 1}, {3, 2, 1}}, false, true},
    {MODEL_TELEPHONE, 1, {NULL}, 3, {{0, 1, 1}, {1, 0, 2}, {0, 2, 1}}, false, false},
    {MODEL_TELEPHONE, 2, {NULL}, 4, {{0, 1, 1}, {0, 1, 2}, {1, 0, 2}, {0, 2, 1}}, false, false},
    {MODEL_POSTAL, 1, {NULL}, 2, {{0, 1, 1}, {1, 0, 1}}, false, true},
    {MODEL_POSTAL, 1, {NULL}, 3, {{2, 3, 1}, {0, 1, 1}, {2, 1, 1}}, false, false},
    {MODEL_POSTAL, 2, {NULL}, 4, {{0, 1, 1}, {0, 2, 1}, {3, 1, 1}, {0, 3, 1}}, false, false},
    {MODEL_FABRIC_MULTICAST, 1, {NULL}, 3, {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}}, false, true},
    {MODEL_FABRIC_MULTICAST, 1, {NULL}, 3, {{0, 1, 1}, {0, 2, 1}, {0, 3, 2}}, false, false},
    {MODEL_FABRIC_REDUCTION, 1, {NULL}, 3, {{1, 0, 1}, {2, 0, 1}, {3, 0, 1}}, true, true},
    {MODEL_FABRIC_REDUCTION, 1, {NULL}, 3, {{1, 0, 1}, {2, 0, 1}, {3, 0, 2}}, true, false},
    {MODEL_FABRIC_REDUCTION, 1, {NULL}, 2, {{1, 0, 1}, {2, 0, 1}}, false, false},
    {MODEL_FABRIC_ALL_REDUCE, 1, {NULL}, 2, {{0, 1, 1}, {0, 2, 1}}, true, true},
    {MODEL_FABRIC_ALL_REDUCE, 1, {NULL}, 2, {{1, 0, 1}, {2, 0, 1}}, true, true},
    /* node 0 would send copies to node 1, where the network would combine them with another */
    {MODEL_FABRIC_ALL_REDUCE, 1, {NULL}, 3, {{0, 1, 1}, {0, 2, 1}, {3, 1, 1}}, true, false},
    {MODEL_FABRIC_ALL_REDUCE, 1, {NULL}, 3, {{0, 1, 1}, {3, 1, 1}, {0, 2, 1}}, true, false},
    {MODEL_FABRIC_ALL_REDUCE, 1, {NULL}, 3, {{0, 1, 1}, {2, 3, 2}, {0, 3, 2}}, true, false},
    {MODEL_FABRIC_ALL_REDUCE, 1, {NULL}, 3, {{0, 1, 1}, {2, 3, 1}, {0, 3, 1}}, true, false},
    {MODEL_MULTIPORT, 1, TREE("const"), 2, {{0, 4, 1}, {4, 0, 1}}, false, true},
    {MODEL_MULTIPORT, 1, TREE("const"), 3, {{1, 4, 1}, {0, 4, 1}, {0, 4, 2}}, false, false},
    {MODEL_MULTIPORT, 1, TREE("2,2"), 2, {{0, 4, 1}, {0, 4, 2}}, false, true},
    {MODEL_MULTIPORT, 1, TREE("2,2"), 3, {{0, 4, 1}, {0, 4, 2}, {0, 4, 3}}, false, false},
    {MODEL_SINGLE_PORT, 1, TREE("2,2"), 3, {{0, 4, 1}, {4, 1, 1}, {4, 0, 1}}, false, false},
};

/* Places a set of transfers that must be together. */
static bool place(struct rounds *rounds, const struct set *set, uint64_t *round)
{
    struct placed wanted[MOST] = {{0}};
    struct err err = {0};
    bool together;
    for (unsigned k = 0; k < set->count; k++) {
        wanted[k].transfer = set->transfer[k];
        wanted[k].joins = set->joins ? set->transfer[k].packet : 0;
    }
    support_true(rounds_place_together(rounds, wanted, set->count, 0, round, &together, &err),
                 &err);
    return together;
}

static void begin(struct rounds *rounds, const struct set *set)
{
    struct err err = {0};
    struct topology topology = topology_complete(4);
    if (set->tree[0] != NULL)
        support_true(topology_parse_tree(set->tree[0], set->tree[1], &topology, &err), &err);
    const struct rounds_rules rules = {&topology, set->model, {5, 2}, set->ports};
    support_true(rounds_begin_rules(rounds, &rules, &err), &err);
}

static void test_together(void **state)
{
    (void)state;
    for (unsigned which = 0; which < sizeof sets / sizeof *sets; which++) {
        const struct set *set = &sets[which];
        const uint64_t first = model_has_times(set->model) ? 0 : 1;
        struct rounds rounds;
        uint64_t round;
        running("set %u", which);
        begin(&rounds, set);
        assert_int_equal(place(&rounds, set, &round), set->together);
        assert_int_equal(rounds.count, set->together ? set->count : 0);
        if (set->together)
            assert_int_equal(round, first);
        rounds_free(&rounds);
        /* a set that is not placed leaves all ports and links free for each of its transfers */
        for (unsigned k = 0; !set->together && k < set->count; k++) {
            struct set alone = *set;
            alone.count = 1;
            alone.transfer[0] = set->transfer[k];
            begin(&rounds, set);
            assert_false(place(&rounds, set, &round));
            assert_true(place(&rounds, &alone, &round));
            assert_int_equal(round, first);
            assert_int_equal(rounds.placed[0].lane, 0);
            rounds_free(&rounds);
        }
    }
}

/* -- in an order --------------------------------------------------------------------------------*/

/* Orders of two transfers and a point, which is node 2. */
static const struct order {
    enum model model;
    struct transfer transfer[2];
    uint64_t key[2];
    bool apart;
    unsigned edges;
    struct rounds_edge edge[3];
    uint64_t round[2]; /* 0: the transfers cannot be placed */
    size_t conflict;
} orders[] = {
    /* without an edge, the lower key comes first */
    {MODEL_SEND_RECEIVE, {{0, 1, 1}, {0, 2, 1}}, {2, 1}, false, 0, {{0}}, {2, 1}, SIZE_MAX},
    /* through the point */
    {MODEL_SEND_RECEIVE,
     {{0, 1, 1}, {2, 3, 1}},
     {1, 2},
     false,
     2,
     {{0, 2, 0}, {2, 1, 4}},
     {1, 5},
     SIZE_MAX},
    /* an exchange shares a round, which telegraph does not permit */
    {MODEL_SEND_RECEIVE,
     {{0, 1, 1}, {1, 0, 1}},
     {1, 2},
     false,
     2,
     {{0, 1, 0}, {1, 0, 0}},
     {1, 1},
     SIZE_MAX},
    {MODEL_TELEGRAPH, {{0, 1, 1}, {1, 0, 1}}, {1, 2}, false, 2, {{0, 1, 0}, {1, 0, 0}}, {0}, 0},
    /* a circle with a lag, of the transfers alone and through the point */
    {MODEL_SEND_RECEIVE, {{0, 1, 1}, {1, 0, 1}}, {1, 3}, false, 2, {{0, 1, 2}, {1, 0, 0}}, {0}, 0},
    {MODEL_SEND_RECEIVE,
     {{0, 1, 1}, {1, 0, 1}},
     {1, 3},
     false,
     3,
     {{0, 2, 0}, {2, 1, 1}, {1, 0, 0}},
     {0},
     0},
    {MODEL_SEND_RECEIVE, {{0, 1, 1}, {1, 0, 1}}, {1, 3}, false, 2, {{1, 2, 0}, {2, 1, 1}}, {0}, 1},
    /* transfers that stay as far apart as they were keep the lag */
    {MODEL_SEND_RECEIVE,
     {{0, 1, 1}, {1, 0, 1}},
     {4, 6},
     true,
     2,
     {{0, 1, 2}, {1, 0, 0}},
     {1, 3},
     SIZE_MAX},
};

static void test_orders(void **state)
{
    (void)state;
    static const uint8_t combining[2] = {0};
    for (unsigned which = 0; which < sizeof orders / sizeof *orders; which++) {
        const struct order *it = &orders[which];
        struct rounds_graph graph = {.transfers = 2,
                                     .transfer = it->transfer,
                                     .combining = combining,
                                     .key = it->key,
                                     .apart = it->apart,
                                     .nodes = 2};
        struct rounds rounds;
        struct err err = {0};
        size_t conflict;
        running("order %u", which);
        assert_int_equal(rounds_graph_point(&graph), 2);
        for (unsigned k = 0; k < it->edges; k++)
            support_true(
                rounds_graph_edge(&graph, it->edge[k].from, it->edge[k].to, it->edge[k].lag, &err),
                &err);
        support_true(rounds_begin(&rounds, 4, it->model, &err), &err);
        assert_int_equal(rounds_graph_place(&graph, &rounds, &conflict, &err), it->round[0] > 0);
        assert_int_equal(conflict, it->conflict);
        assert_int_equal(rounds.count, it->round[0] > 0 ? 2 : 0);
        for (size_t k = 0; k < rounds.count; k++) {
            const bool second =
                rounds.placed[k].transfer.source != it->transfer[0].source ||
                rounds.placed[k].transfer.destination != it->transfer[0].destination;
            assert_int_equal(rounds.placed[k].round, it->round[second]);
        }
        rounds_free(&rounds);
        rounds_graph_free(&graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_late),
        cmocka_unit_test(test_together),
        cmocka_unit_test(test_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
