/* SPDX-License-Identifier: Apache-2.0 */
/* test_algorithm_checks: requests that an algorithm rejects, and questions about it that do not
 * build a schedule.
 *
 * State space: tables of requests, one or a few for each rule of algorithm.h: ranges, streams, the
 * same trees, packets of direct topologies, methods of scans, ports that packets keep to, stripes,
 * guarantees, and ends of many nodes. The texts of the messages are those that a user reads; the
 * numbers are computed by hand. Counter-cases: next to each rejected request is one that is
 * accepted, which differs in one field.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/tree/tree_interleaved.h"
#include "sched/base/memory.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <math.h>

static struct topology tree_of(const char *children, const char *capacity)
{
    struct topology tree;
    struct err err = {0};
    support_true(topology_parse_tree(children, capacity, &tree, &err), &err);
    return tree;
}

/* Checks that the algorithm accepts a request, or rejects it with this code and text. */
static void check(const char *name, struct collective asked, enum err_code code, const char *text)
{
    struct err err = {0};
    running("%s -n %u -m %u", name, asked.n, asked.m);
    const bool accepted = algorithm_check(support_algorithm(name), &asked, &err);
    assert_int_equal(accepted, code == ERR_NONE);
    if (!accepted)
        support_error(&err, code, text);
}

/* A tree of 6 leaves has routers 6 … 8. A number of nodes other than that of its leaves makes none
 * of them a source. */
static void sources_are_nodes_or_routers(void **state)
{
    (void)state;
    const struct topology tree = tree_of("3,2", "const");
    struct collective asked = {
        .n = 6, .m = 1, .source = 8, .model = MODEL_MULTIPORT, .topology = &tree};
    struct err err = {0};
    support_true(algorithm_check_range(&asked, &err), &err);
    asked.n = 4;
    assert_false(algorithm_check_range(&asked, &err));
    support_error(&err, ERR_RANGE, "source", "8", "0 … 3");
}

static void streams_need_an_algorithm(void **state)
{
    (void)state;
    const struct collective asked = {.n = 6, .m = 3, .model = MODEL_SEND_RECEIVE, .stream = true};
    check("matching", asked, ERR_NONE, NULL);
    check("circulant", asked, ERR_ALGORITHM,
          "circulant requires the number of packets in advance; expected matching, path, "
          "binary-tree or binomial");
}

/* The complete graph may be given as a topology. */
static void packets_are_combined_by_the_same_trees(void **state)
{
    (void)state;
    const struct topology complete = topology_complete(6);
    struct collective asked = {.n = 6,
                               .m = 3,
                               .model = MODEL_SEND_RECEIVE,
                               .same_trees = true,
                               .by = support_algorithm("circulant"),
                               .topology = &complete};
    check("reduce", asked, ERR_ALGORITHM,
          "circulant combines packets in an order that depends on their number or differs between "
          "nodes; expected another algorithm, such as binomial");
    asked.by = support_algorithm("binomial");
    check("reduce", asked, ERR_NONE, NULL);
}

/* n(n-1) packets: 11585 · 11584 are fewer than 2^27, and 12000 · 11999 are more. */
static void packets_are_counted(void **state)
{
    (void)state;
    struct topology torus;
    struct err err = {0};
    struct collective asked = {.m = 1, .model = MODEL_TORUS_MULTIPORT, .topology = &torus};
    support_true(topology_parse_direct(TOPOLOGY_TORUS, "120,100", &torus, &err), &err);
    asked.n = torus.nodes;
    check("torus-total-exchange", asked, ERR_RANGE, "143988000 packets; expected 1 … 134217728");
    support_true(topology_parse_direct(TOPOLOGY_TORUS, "35,331", &torus, &err), &err);
    asked.n = torus.nodes;
    check("torus-total-exchange", asked, ERR_NONE, NULL);
}

static void scans_of_123_use_rounds_and_one_port(void **state)
{
    (void)state;
    static const char text[] = "123 sends over one port in rounds; expected doubling";
    const unsigned method = support_method(support_algorithm("exclusive-scan"), "123");
    struct collective asked = {.n = 6, .m = 2, .model = MODEL_SEND_RECEIVE, .method = method};
    check("exclusive-scan", asked, ERR_NONE, NULL);
    asked.ports = 2;
    check("exclusive-scan", asked, ERR_ALGORITHM, text);
    asked.ports = 1;
    asked.model = MODEL_POSTAL;
    asked.lambda = (struct rational){2, 1};
    check("exclusive-scan", asked, ERR_ALGORITHM, text);
    asked.method = 0;
    check("exclusive-scan", asked, ERR_NONE, NULL);
}

/* An all-gather sends packet p over port p mod k if k divides m, unless shifts by r and by -r make
 * up the calls of a round: telephone, odd n and even k. */
static void packets_keep_to_ports(void **state)
{
    (void)state;
    static const struct {
        uint32_t n, m, ports;
        enum model model;
        bool keeps;
    } cases[] = {
        {5, 4, 2, MODEL_SEND_RECEIVE, true}, {5, 3, 2, MODEL_SEND_RECEIVE, false},
        {5, 3, 1, MODEL_SEND_RECEIVE, true}, {5, 4, 2, MODEL_TELEPHONE, false},
        {6, 4, 2, MODEL_TELEPHONE, true},    {5, 3, 3, MODEL_TELEPHONE, true},
        {6, 5, 2, MODEL_TELEPHONE, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct collective asked = {.n = cases[k].n,
                                         .m = cases[k].m,
                                         .ports = cases[k].ports,
                                         .model = cases[k].model,
                                         .kind = COLLECTIVE_ALL_GATHER};
        running("all-gather, case %zu", k);
        assert_int_equal(algorithm_keeps_ports(support_algorithm("all-gather"), &asked),
                         cases[k].keeps);
    }
}

/* Only broadcasts of complete graphs are built of stripes. */
static void stripes_are_broadcasts(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum model model;
        uint32_t ports;
        bool built;
    } cases[] = {
        {"path", MODEL_SEND_RECEIVE, 2, true},        {"path", MODEL_SEND_RECEIVE, 1, false},
        {"binomial", MODEL_SEND_RECEIVE, 2, false}, /* uses the ports itself */
        {"scatter", MODEL_SEND_RECEIVE, 2, false},    {"reduce", MODEL_TELEGRAPH, 2, false},
        {"cube-broadcast", MODEL_ALL_PORT, 2, false}, {"tree-broadcast", MODEL_MULTIPORT, 2, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct collective asked = {
            .n = 8, .m = 4, .ports = cases[k].ports, .model = cases[k].model};
        running("stripes of %s", cases[k].name);
        assert_int_equal(stripes_are_built(support_algorithm(cases[k].name), &asked),
                         cases[k].built);
    }
}

/* A guarantee is of full-duplex links and one port. Its end is below 2^62 ticks. */
static void guarantees_have_limits(void **state)
{
    (void)state;
    struct topology cube;
    struct err err = {0};
    struct guarantee guarantee = {0};
    support_true(topology_hypercube(3, &cube, &err), &err);
    struct collective asked = {.n = 8, .m = 3, .model = MODEL_ALL_PORT, .topology = &cube};
    const struct algorithm *algorithm = support_algorithm("cube-doubling-all-reduce");
    assert_true(algorithm_guarantee(algorithm, &asked, &guarantee));
    assert_int_equal(guarantee.end, 3); /* d⌈m/d⌉ */
    cube.half_duplex = true;
    guarantee.end = 5;
    assert_false(algorithm_guarantee(algorithm, &asked, &guarantee));
    assert_int_equal(guarantee.end, 5);
    assert_true(guarantee_set_real(&guarantee, 2.5, 2, "x", "y"));
    assert_int_equal(guarantee.end, 5);
    assert_false(guarantee_set_real(&guarantee, 5e18, 1, "x", "y")); /* 2^62 is about 4.6e18 */
    assert_false(guarantee_set_real(&guarantee, 2.5e18, 2, "x", "y"));
    assert_int_equal(guarantee.end, 5);
}

/* If n divides m, the parts of n packets take 2(n-1) rounds each, which is the minimum. Above 1024
 * nodes no other division is tried. */
static void whole_parts_are_optimal(void **state)
{
    (void)state;
    static const uint32_t cases[][3] = {
        {1024, 1024, 2046}, {1025, 1025, 2048}, {1100, 2200, 4396}, {5000, 15000, 29994}};
    const struct algorithm *algorithm = support_algorithm("blocks-all-reduce");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct collective asked = {
            .n = cases[k][0], .m = cases[k][1], .model = MODEL_SEND_RECEIVE};
        running("n = %u, m = %u", asked.n, asked.m);
        assert_int_equal(algorithm_end(algorithm, &asked), cases[k][2]);
    }
}

/* Leaves on one lane, and at least as many lanes above them as a child has leaves. */
static void interleaving_needs_wide_branches(void **state)
{
    (void)state;
    struct topology parents;
    struct err err = {0};
    const struct topology wide = tree_of("3,2", "1,3"), narrow = tree_of("3,2", "1,2"),
                          leaves = tree_of("3,2", "2,6");
    support_true(topology_parse_parents("3,3,3,4", "const", &parents, &err), &err);
    assert_true(tree_interleaved_applies(&wide));
    assert_false(tree_interleaved_applies(&narrow));
    assert_false(tree_interleaved_applies(&leaves));
    assert_false(tree_interleaved_applies(&parents));
}

/* With two nodes, the receiver has each packet as soon as it is sent: ⌈m/k⌉ rounds. */
static void streams_to_one_node_have_no_delay(void **state)
{
    (void)state;
    struct collective asked = {
        .n = 2, .m = 5, .ports = 2, .model = MODEL_SEND_RECEIVE, .stream = true};
    assert_int_equal(algorithm_end(support_algorithm("matching"), &asked), 3);
    asked.m = 6;
    assert_int_equal(algorithm_end(support_algorithm("matching"), &asked), 3);
    asked.ports = 1;
    assert_int_equal(algorithm_end(support_algorithm("matching"), &asked), 6);
}

/* A hypercube may have no packets. */
static void hypercubes_without_packets(void **state)
{
    (void)state;
    struct topology cube;
    struct schedule schedule = {0};
    struct err err = {0};
    support_true(topology_hypercube(3, &cube, &err), &err);
    const struct collective asked = {.n = 8, .model = MODEL_ALL_PORT, .topology = &cube};
    const struct algorithm *algorithm = support_algorithm("cube-blocks-all-reduce");
    assert_int_equal(algorithm_end(algorithm, &asked), 0);
    support_true(algorithm_build(algorithm, &asked, &schedule, &err), &err);
    assert_int_equal(schedule.transfer_count, 0);
    assert_int_equal(schedule.end, 0);
    schedule_free(&schedule);
}

static void refuse_size(const char *name, struct collective asked)
{
    struct schedule schedule = {0};
    struct err err = {0};
    running("%s -n %u -m %u", name, asked.n, asked.m);
    assert_true((uint64_t)(asked.n - 1) * asked.m < memory_most(sizeof(struct transfer)));
    assert_false(algorithm_build(support_algorithm(name), &asked, &schedule, &err));
    support_error(&err, ERR_TOO_BIG, "does not fit in memory");
    assert_null(schedule.transfer);
}

/* Packets whose receipts would fit in the memory of this machine, but not their transfers, of which
 * there are several for a receipt: d in the doubling, nearly two in the others, and 3/2 if a packet
 * for each of 2N leaves crosses N routers, too. */
static void transfers_exceed_memory(void **state)
{
    (void)state;
    const size_t most = memory_most(sizeof(struct transfer));
    const struct topology tree = tree_of("8,8", "const");
    struct topology cube;
    struct err err = {0};
    support_true(topology_hypercube(8, &cube, &err), &err);
    struct collective asked = {.n = 256,
                               .model = MODEL_ALL_PORT,
                               .topology = &cube,
                               .m = (uint32_t)(most / 2 * 3 / 5 / 128)};
    refuse_size("cube-doubling-all-reduce", asked);
    refuse_size("cube-blocks-all-reduce", asked);
    asked = (struct collective){
        .n = 64, .model = MODEL_MULTIPORT, .topology = &tree, .m = (uint32_t)(most / 100)};
    refuse_size("tree-all-reduce", asked);
    const uint32_t side = (uint32_t)sqrt(sqrt((double)most / 5));
    const uint32_t children[] = {2, side, side}, capacity[] = {1, 1, 1};
    struct topology wide;
    support_true(topology_tree(3, children, capacity, &wide, &err), &err);
    asked =
        (struct collective){.n = wide.nodes, .model = MODEL_SINGLE_PORT, .topology = &wide, .m = 1};
    refuse_size("tree-pipelined-reduce-scatter", asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_are_nodes_or_routers),
        cmocka_unit_test(streams_need_an_algorithm),
        cmocka_unit_test(packets_are_combined_by_the_same_trees),
        cmocka_unit_test(packets_are_counted),
        cmocka_unit_test(scans_of_123_use_rounds_and_one_port),
        cmocka_unit_test(packets_keep_to_ports),
        cmocka_unit_test(stripes_are_broadcasts),
        cmocka_unit_test(guarantees_have_limits),
        cmocka_unit_test(whole_parts_are_optimal),
        cmocka_unit_test(interleaving_needs_wide_branches),
        cmocka_unit_test(streams_to_one_node_have_no_delay),
        cmocka_unit_test(hypercubes_without_packets),
        cmocka_unit_test(transfers_exceed_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
