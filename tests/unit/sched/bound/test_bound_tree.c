/* SPDX-License-Identifier: Apache-2.0 */
/* test_bound_tree: lower bounds of communications among the leaves of a tree.
 *
 * By hand: the corrected values of the paper's tables, uniform and mixed, and ends that are known
 * to be reached. For all trees with k_i in 2 … 5 and n ≤ 130, each bound is compared with a
 * separate formula, written here for one level at a time. Bounds of a tree apply only in its two
 * models; bounds of a complete graph apply in neither of them.
 */
#include "sched/base/compare.h"
#include "sched/bound/bound.h"
#include "tests/support/cmocka_all.h"

static struct topology tree(const char *children, const char *capacity)
{
    struct topology topology;
    struct err err = {0};
    if (!topology_parse_tree(children, capacity, &topology, &err))
        fail_msg("%s", err.text);
    return topology;
}

static uint64_t bound(const struct topology *topology, enum model model, enum collective_kind kind)
{
    return bound_end(&(struct collective){
        .n = topology->nodes, .m = 1, .model = model, .kind = kind, .topology = topology});
}

static void by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *children, *capacity;
        enum model model;
        enum collective_kind kind;
        uint64_t steps;
    } known[] = {
        {"4,4,4", "const", MODEL_SINGLE_PORT, COLLECTIVE_BROADCAST, 14}, /* 5·3 - 1 */
        {"4,4,4", "const", MODEL_MULTIPORT, COLLECTIVE_BROADCAST, 6},
        {"2,2,2", "const", MODEL_SINGLE_PORT, COLLECTIVE_SCATTER, 9},
        {"3,3", "const", MODEL_MULTIPORT, COLLECTIVE_GATHER, 9},
        {"2", "const", MODEL_SINGLE_PORT, COLLECTIVE_SCATTER, 2},
        {"3,3,3", "const", MODEL_SINGLE_PORT, COLLECTIVE_ALL_GATHER, 86}, /* 81 + 4 + 1 */
        {"5", "const", MODEL_SINGLE_PORT, COLLECTIVE_ALL_GATHER, 21},     /* n(k-1) + 1 */
        {"2,2,2,2", "const", MODEL_MULTIPORT, COLLECTIVE_ALL_GATHER, 17},
        {"3,3", "const", MODEL_SINGLE_PORT, COLLECTIVE_TOTAL_EXCHANGE, 57},
        {"3,3,3", "const", MODEL_SINGLE_PORT, COLLECTIVE_TOTAL_EXCHANGE, 491},
        {"4,4", "const", MODEL_SINGLE_PORT, COLLECTIVE_TOTAL_EXCHANGE, 195},
        {"4,4,4", "const", MODEL_SINGLE_PORT, COLLECTIVE_TOTAL_EXCHANGE, 3077},
        {"8,8", "const", MODEL_SINGLE_PORT, COLLECTIVE_TOTAL_EXCHANGE, 3587},
        /* at least 25 by the cut, n + 2h - 2 */
        {"5,5", "1,6", MODEL_MULTIPORT, COLLECTIVE_TOTAL_EXCHANGE, 27},
        {"2,2,2", "exp", MODEL_MULTIPORT, COLLECTIVE_TOTAL_EXCHANGE, 11}, /* by SAT */
        /* n - 2 + the mean number of links between leaves, 98/15 and 3594/255, rounded up */
        {"2,2,2,2", "exp", MODEL_MULTIPORT, COLLECTIVE_TOTAL_EXCHANGE, 21},
        {"2,2,2,2,2,2,2,2", "exp", MODEL_MULTIPORT, COLLECTIVE_TOTAL_EXCHANGE, 269},
        {"4,4,4", "exp", MODEL_MULTIPORT, COLLECTIVE_TOTAL_EXCHANGE, 68},
        /* two links a leaf: 7 steps in flight, 2 + 3 + 2 of 3 packets */
        {"2,2", "2,4", MODEL_MULTIPORT, COLLECTIVE_TOTAL_EXCHANGE, 4},
        /* n + 2h - 2, where (5) would exclude it */
        {"8,8", "exp", MODEL_MULTIPORT, COLLECTIVE_TOTAL_EXCHANGE, 66},
        {"5,5,5", "exp", MODEL_MULTIPORT, COLLECTIVE_TOTAL_EXCHANGE, 129},
        {"8,8,8", "exp", MODEL_MULTIPORT, COLLECTIVE_TOTAL_EXCHANGE, 516},
    };
    for (size_t which = 0; which < sizeof known / sizeof *known; which++) {
        struct topology topology = tree(known[which].children, known[which].capacity);
        uint64_t least = bound(&topology, known[which].model, known[which].kind);
        if (least != known[which].steps)
            fail_msg("%s capacity %s, %s, %s: %llu, expected %llu", known[which].children,
                     known[which].capacity, model_name(known[which].model),
                     collective_name(known[which].kind), (unsigned long long)least,
                     (unsigned long long)known[which].steps);
    }
}

/* Returns the number of leaves below a node of a level. */
static uint64_t leaves(const uint32_t k[], unsigned level)
{
    return level == 0 ? 1 : k[level - 1] * leaves(k, level - 1);
}

static uint64_t sum(const uint32_t k[], unsigned levels)
{
    return levels == 0 ? 0 : k[levels - 1] + sum(k, levels - 1);
}

/* Returns the steps that the routers of level i < h, or the root, require for a single-port
 * all-gather and total exchange. */
static uint64_t multinode_of(const uint32_t k[], unsigned h, unsigned i)
{
    uint64_t n = leaves(k, h);
    return i == h ? h + n * (k[h - 1] - 1) + sum(k, h - 1) : i + k[i - 1] * n + sum(k, i - 1);
}

static uint64_t exchange_of(const uint32_t k[], unsigned h, unsigned i)
{
    uint64_t n = leaves(k, h), own = leaves(k, i), below = leaves(k, i - 1);
    return i == h ? n * (n - below) + 2 * h - 1 : own * (2 * n - own - below) + 2 * i - 1;
}

/* With c_1 = 1 a leaf has at most T - n + 1 packets in flight, over T - 1 steps; each packet is in
 * flight for a step less than the links of its path. So T ≥ n - 2 + the mean number of links. Where
 * branches carry a packet for each leaf below, no bound is larger. */
static void check_in_flight(const uint32_t k[], unsigned h)
{
    uint32_t lanes[8];
    struct topology topology;
    struct err err = {0};
    for (unsigned i = 1; i <= h; i++)
        lanes[i - 1] = (uint32_t)leaves(k, i - 1);
    assert_true(topology_tree(h, k, lanes, &topology, &err));
    uint64_t n = topology.nodes, links = 0;
    for (uint32_t to = 1; to < n; to++)
        for (uint32_t up = to, below = 0; up > 0; up /= k[below++])
            links += 2;
    assert_int_equal(bound(&topology, MODEL_MULTIPORT, COLLECTIVE_TOTAL_EXCHANGE),
                     n - 2 + (links + n - 2) / (n - 1));
}

static void check_tree(const uint32_t k[], unsigned h)
{
    uint32_t lanes[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    struct topology topology;
    struct err err = {0};
    assert_true(topology_tree(h, k, lanes, &topology, &err));
    uint64_t multinode = 0, exchange = 0, cut = 0, n = topology.nodes;
    for (unsigned i = 1; i <= h; i++) {
        uint64_t inside = leaves(k, i - 1), crossing = inside * (n - inside) + 2 * i - 1;
        multinode = MAX(multinode, multinode_of(k, h, i));
        exchange = MAX(exchange, exchange_of(k, h, i));
        cut = MAX(cut, crossing);
    }
    assert_int_equal(bound(&topology, MODEL_SINGLE_PORT, COLLECTIVE_BROADCAST), h - 1 + sum(k, h));
    assert_int_equal(bound(&topology, MODEL_SINGLE_PORT, COLLECTIVE_ALL_GATHER), multinode);
    assert_int_equal(bound(&topology, MODEL_SINGLE_PORT, COLLECTIVE_TOTAL_EXCHANGE), exchange);
    assert_true(bound(&topology, MODEL_MULTIPORT, COLLECTIVE_TOTAL_EXCHANGE) >= cut);
    assert_true(bound(&topology, MODEL_MULTIPORT, COLLECTIVE_TOTAL_EXCHANGE) <= exchange);
    for (unsigned model = 0; model < MODEL_SINGLE_PORT; model++)
        assert_int_equal(bound(&topology, (enum model)model, COLLECTIVE_BROADCAST), 0);
    check_in_flight(k, h);
}

static void all_trees(void **state)
{
    (void)state;
    unsigned checked = 0;
    for (unsigned h = 1; h <= 7; h++)
        for (unsigned code = 0; code < 1u << 2 * h; code++) {
            uint32_t k[8];
            for (unsigned level = 0; level < h; level++)
                k[level] = 2 + (code >> 2 * level & 3);
            if (leaves(k, h) > 130)
                continue;
            check_tree(k, h);
            checked++;
        }
    assert_true(checked > 220);
}

/* The models of a tree have no bound on a complete graph. */
static void other_topologies(void **state)
{
    (void)state;
    assert_int_equal(bound_end(&(struct collective){.n = 8, .m = 1, .model = MODEL_MULTIPORT}), 0);
    assert_int_equal(bound_end(&(struct collective){.n = 8, .m = 1, .model = MODEL_SEND_RECEIVE}),
                     3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(all_trees),
        cmocka_unit_test(other_topologies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
