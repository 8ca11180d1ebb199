/* SPDX-License-Identifier: Apache-2.0 */
/* test_schedule_collective: the collective that a schedule's demands form.
 *
 * Demands are written by hand, each kind as docs/concepts.md defines it, and changed in one place:
 * an additional packet, source or receiver. Demands that form no other collective are traffic if
 * each packet goes to one node, otherwise plain demands. Counter-cases: no demands at all, values
 * in the packets, trees. Reductions are written as in docs/formats.md; all nodes contribute, or
 * they form no collective.
 */
#include "sched/schedule/schedule.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdio.h>

#define NODES 3

/* Demands of a schedule of three nodes: number of packets, source, receivers as bits (0: all). */
struct given {
    uint32_t packets, source, wanted;
};

static void make(const struct given given[], size_t count, struct schedule *schedule)
{
    struct err err;
    const struct topology topology = topology_complete(NODES);
    support_true(schedule_init_empty(schedule, "by hand", &topology, MODEL_SEND_RECEIVE, &err),
                 &err);
    for (size_t k = 0; k < count; k++) {
        uint32_t wanted[NODES], wanting = 0;
        for (uint32_t node = 0; node < NODES; node++)
            if (given[k].wanted >> node & 1)
                wanted[wanting++] = node;
        support_true(
            schedule_add_demand(schedule, given[k].packets, given[k].source, wanted, wanting, &err),
            &err);
    }
}

/* Returns the kind of collective that the demands form; -1 if there is none. */
static int kind_of(const struct given given[], size_t count, struct collective *known)
{
    struct schedule schedule;
    make(given, count, &schedule);
    bool found = schedule_collective(&schedule, known);
    schedule_free(&schedule);
    return found ? (int)known->kind : -1;
}

static void kinds(void **state)
{
    (void)state;
    struct collective known;
    assert_int_equal(kind_of((struct given[]){{4, 2, 0}}, 1, &known), COLLECTIVE_BROADCAST);
    assert_int_equal(known.m, 4);
    assert_int_equal(known.source, 2);
    assert_int_equal(kind_of((struct given[]){{2, 0, 2}, {2, 0, 4}}, 2, &known),
                     COLLECTIVE_SCATTER);
    assert_int_equal(known.m, 2);
    assert_int_equal(kind_of((struct given[]){{2, 1, 1}, {2, 2, 1}}, 2, &known), COLLECTIVE_GATHER);
    assert_int_equal(kind_of((struct given[]){{1, 0, 0}, {1, 1, 0}, {1, 2, 0}}, 3, &known),
                     COLLECTIVE_ALL_GATHER);
}

static void what_is_traffic(void **state)
{
    (void)state;
    struct collective known;
    /* A scatter in which one node gets an additional packet. */
    assert_int_equal(kind_of((struct given[]){{2, 0, 2}, {3, 0, 4}}, 2, &known),
                     COLLECTIVE_TRAFFIC);
    assert_int_equal(known.load.packets, 5);
    assert_int_equal(kind_of((struct given[]){{2, 0, 2}, {2, 1, 4}}, 2, &known),
                     COLLECTIVE_TRAFFIC);
    assert_int_equal(known.load.packets, 4);
}

/* A set of receivers has two nodes, a source is missing, a source has more packets than the others,
 * or a packet is for two nodes only. */
static void what_is_no_other(void **state)
{
    (void)state;
    struct collective known;
    const int demands = COLLECTIVE_DEMANDS;
    assert_int_equal(kind_of((struct given[]){{2, 0, 2}, {2, 0, 6}}, 2, &known), demands);
    assert_int_equal(known.load.packets, 4);
    assert_int_equal(kind_of((struct given[]){{1, 0, 0}, {1, 1, 0}}, 2, &known), demands);
    assert_int_equal(kind_of((struct given[]){{1, 0, 0}, {1, 1, 0}, {2, 2, 0}}, 3, &known),
                     demands);
    assert_int_equal(kind_of((struct given[]){{1, 0, 0}, {1, 1, 0}, {1, 2, 3}}, 3, &known),
                     demands);
}

static void what_is_none(void **state)
{
    (void)state;
    struct collective known;
    assert_int_equal(kind_of(NULL, 0, &known), -1);

    struct schedule schedule;
    struct err err;
    make((struct given[]){{2, 1, 1}}, 1, &schedule);
    const struct control control = {.value = 1, .node_count = 1};
    support_true(schedule_add_control(&schedule, &control, 2, (uint32_t[]){0}, 1, &err), &err);
    assert_false(schedule_collective(&schedule, &known));
    schedule_free(&schedule);
}

/* A gather at leaf 1 of a tree of 2 × 2 leaves: the automorphism that moves leaf 0 to leaf 1 moves
 * leaves 1, 2 and 3 to 0, 3 and 2. A mesh moves them in cyclic order. The demands of the tree with
 * a further packet, or in cyclic order, are no gather. */
static void what_a_topology_has(void **state)
{
    (void)state;
    static const struct {
        const char *topology, *demands;
        enum collective_kind kind;
        uint32_t source, m;
    } cases[] = {
        {"tree 2 2 capacity 1 1\nmodel single-port", "1 0 1\ndemand 2 3 1\ndemand 3 2 1",
         COLLECTIVE_GATHER, 1, 1},
        {"tree 2 2 capacity 1 1\nmodel single-port", "1 0 1\ndemand 2 3 1\ndemand 3-4 2 1",
         COLLECTIVE_DEMANDS, 0, 1},
        {"tree 2 2 capacity 1 1\nmodel single-port", "1 2 1\ndemand 2 3 1\ndemand 3 0 1",
         COLLECTIVE_DEMANDS, 0, 1},
        {"mesh 2 2\nmodel mesh-single-port", "1-2 1 2\ndemand 3-4 1 3\ndemand 5-6 1 0",
         COLLECTIVE_SCATTER, 1, 2},
        {"hypercube 1\nmodel all-port", "1-3 0 *\ndemand 4-6 1 *", COLLECTIVE_ALL_GATHER, 0, 3},
    };
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule;
        struct collective known;
        char text[400];
        snprintf(text, sizeof text,
                 "roundcast-schedule 1\nalgorithm a\ntopology %s\ndemand %s\nend 0\n",
                 cases[which].topology, cases[which].demands);
        struct err err = {0};
        support_true(support_read(text, "s", &schedule, &err), &err);
        assert_true(schedule_find_collective(&schedule, &known));
        assert_int_equal(known.kind, cases[which].kind);
        assert_int_equal(known.source, cases[which].source);
        assert_int_equal(known.m, cases[which].m);
        assert_true(schedule_collective(&schedule, &known));
        assert_int_equal(known.kind, COLLECTIVE_DEMANDS);
        schedule_free(&schedule);
    }
}

/* Reductions form a collective if all nodes contribute. */
static void reductions(void **state)
{
    (void)state;
    static const struct {
        const char *nodes, *demands;
        int kind; /* -1: none */
    } cases[] = {
        {"3", "reduce 1-2 1 *\n", COLLECTIVE_REDUCE},
        {"3", "reduce 1-2 * *\n", COLLECTIVE_ALL_REDUCE},
        {"3", "reduce 1-2 prefix *\n", COLLECTIVE_SCAN},
        {"3", "reduce 1-2 exclusive *\n", COLLECTIVE_EXCLUSIVE_SCAN},
        {"2", "reduce 1 0 *\nreduce 2 1 *\n", COLLECTIVE_REDUCE_SCATTER},
        {"3", "reduce 1-2 1 0,2\n", -1},
        {"3", "reduce 1-2 * 0,2\n", -1},
        {"3", "reduce 1-2 prefix 0,2\n", -1},
        {"3", "reduce 1-2 exclusive 0,2\n", -1},
        {"3", "reduce 1 0 *\nreduce 2 1 *\n", -1},
        {"2", "reduce 1 0 *\nreduce 2 * *\n", -1},
        {"2", "reduce 1 0 *\nreduce 2 0 *\n", -1},
        {"2", "reduce 1 0 *\nreduce 2-3 1 *\n", -1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[200];
        struct schedule schedule;
        struct collective known;
        struct err err = {0};
        snprintf(text, sizeof text,
                 "roundcast-schedule 1\nalgorithm none\ntopology complete %s\n"
                 "model send-receive\n%send 0\n",
                 cases[k].nodes, cases[k].demands);
        support_true(support_read(text, "text", &schedule, &err), &err);
        bool found = schedule_collective(&schedule, &known);
        if (found != (cases[k].kind >= 0) || (found && (int)known.kind != cases[k].kind))
            fail_msg("case %zu", k);
        assert_false(schedule_is_broadcast(&schedule));
        schedule_free(&schedule);
    }
}

/* Nodes 0 and 1 share a memory, and so do 2 and 3: a broadcast of a node with two ports has each
 * packet at one port of every node. Reductions, no demands at all, a packet that is not at every
 * node or twice at one, and packets of several sources are no broadcast. */
static void shared_memories(void **state)
{
    (void)state;
    static const struct {
        const char *demands;
        bool known;
    } cases[] = {
        {"demand 1 2 0,2\ndemand 2-3 2 1,3\n", true},
        {"demand 1 2 0,3\n", true},
        {"", false},
        {"reduce 1 0 *\n", false},
        {"reduce 1 * *\n", false},
        {"demand 1 2 *\n", false},
        {"demand 1 2 0\n", false},
        {"demand 1 2 2,3\n", false},
        {"demand 1 2 0,2\ndemand 2 3 0,2\n", false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[200];
        struct schedule schedule;
        struct collective known;
        struct err err = {0};
        snprintf(text, sizeof text,
                 "roundcast-schedule 1\nalgorithm none\ntopology complete 4 shared 2\n"
                 "model send-receive\n%send 0\n",
                 cases[k].demands);
        support_true(support_read(text, "text", &schedule, &err), &err);
        if (schedule_collective(&schedule, &known) != cases[k].known)
            fail_msg("case %zu", k);
        if (cases[k].known) {
            assert_int_equal(known.kind, COLLECTIVE_BROADCAST);
            assert_int_equal(known.n, 2);
            assert_int_equal(known.ports, 2);
            assert_int_equal(known.source, 1);
            assert_int_equal(known.m, schedule.packets);
        }
        schedule_free(&schedule);
    }
}

/* A schedule of several ports is neither plain demands nor accepted where one port is required. */
static void several_ports(void **state)
{
    (void)state;
    for (uint32_t ports = 1; ports <= 2; ports++) {
        struct schedule schedule = {0};
        struct collective known;
        struct err err = {0};
        make((struct given[]){{1, 0, 6}, {1, 1, 1}}, 2, &schedule);
        schedule.ports = ports;
        assert_int_equal(schedule_collective(&schedule, &known), ports == 1);
        assert_int_equal(schedule_check_one_port("a.sched", &schedule, &err), ports == 1);
        if (ports == 2)
            support_error(&err, ERR_ALGORITHM, "a.sched: a node has 2 ports; expected 1");
        schedule_free(&schedule);
    }
}

/* n (n - 1) m for the largest n and m exceeds 64 bits. */
static void counts_too_large(void **state)
{
    (void)state;
    struct collective largest = {
        .n = SCHEDULE_MAX_NODES, .m = SCHEDULE_MAX_PACKETS, .kind = COLLECTIVE_TOTAL_EXCHANGE};
    assert_int_equal(collective_packets(&largest), UINT64_MAX);
    assert_int_equal(collective_receipts(&largest), UINT64_MAX);
    largest.m = 2;
    assert_int_equal(collective_packets(&largest),
                     2 * (uint64_t)SCHEDULE_MAX_NODES * (SCHEDULE_MAX_NODES - 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds),
        cmocka_unit_test(what_is_traffic),
        cmocka_unit_test(what_is_no_other),
        cmocka_unit_test(what_is_none),
        cmocka_unit_test(what_a_topology_has),
        cmocka_unit_test(reductions),
        cmocka_unit_test(shared_memories),
        cmocka_unit_test(several_ports),
        cmocka_unit_test(counts_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
