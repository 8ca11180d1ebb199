/* SPDX-License-Identifier: Apache-2.0 */
/* test_bound_cube: lower bounds for broadcasts of given sources in a hypercube, and optima.
 *
 * Exhaustive: every subset of the nodes, d ≤ 4. cube-reserved, whose nodes know only their own
 * packets, takes d rounds, which equals the bound; so for d ≤ 4 d is the optimum for every set of
 * distinct sources, known or not, and no bound may exceed it. The bound of arrivals is counted
 * again from its definition, node by node, also for seeded sources up to d = 7 with several packets
 * at some nodes. The largest bound of all subsets of K nodes is the value of bound_cube_worst, for
 * d ≤ 4.
 *
 * Counter-cases: some schedules attain the bound of arrivals, so that a bound larger by one would
 * exceed their end; if all packets start opposite one node, the bounds that hold for any sources
 * are below d - 1 + ⌈K/d⌉.
 */
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/bound/bound.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#define SEED UINT64_C(20261127)
#define MOST 400

static struct collective asked_of(const struct topology *cube, const uint32_t source[],
                                  uint32_t count)
{
    return (struct collective){.n = cube->nodes,
                               .m = count,
                               .model = MODEL_ALL_PORT,
                               .kind = COLLECTIVE_SIMULTANEOUS,
                               .topology = cube,
                               .sources = source};
}

/* Returns the bound of arrivals: for each node and distance, the packets that start at least that
 * far away arrive at most d in a round. */
static uint64_t arrivals_of(const struct topology *cube, const uint32_t source[], uint32_t count)
{
    uint64_t most = 0;
    for (uint32_t node = 0; node < cube->nodes; node++)
        for (unsigned far = 1; far <= cube->dimensions; far++) {
            uint32_t packets = 0;
            for (uint32_t p = 0; p < count; p++)
                packets += (unsigned)__builtin_popcount(source[p] ^ node) >= far;
            uint64_t last =
                packets == 0 ? 0 : far - 1 + (packets + cube->dimensions - 1) / cube->dimensions;
            most = MAX(most, last);
        }
    return most;
}

static uint32_t list_set(const struct topology *cube, uint32_t set, uint32_t source[])
{
    uint32_t count = 0;
    for (uint32_t node = 0; node < cube->nodes; node++)
        if (set >> node & 1)
            source[count++] = node;
    return count;
}

static void test_subsets(void **state)
{
    (void)state;
    for (unsigned d = 1; d <= 4; d++) {
        const struct topology cube = cube_lab_make(d);
        uint64_t worst[17] = {0};
        for (uint32_t set = 1; set < 1u << cube.nodes; set++) {
            uint32_t source[16], count = list_set(&cube, set, source);
            const struct collective asked = asked_of(&cube, source, count);
            uint64_t arrivals = arrivals_of(&cube, source, count);
            assert_int_equal(bound_cube_arrivals(&asked), arrivals);
            assert_int_equal(bound_end(&asked), d);
            worst[count] = MAX(worst[count], MAX(arrivals, d));
            if (d < 4 || set % running_stride(7) == 0)
                assert_int_equal(cube_lab_rounds("cube-reserved", &cube, source, count), d);
        }
        for (uint32_t count = 1; count <= cube.nodes; count++)
            assert_int_equal(bound_cube_worst(d, count), worst[count]);
    }
}

/* With several packets at a node, no schedule ends before the bound (cube_lab). */
static void test_several(void **state)
{
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    struct rng rng = {SEED};
    unsigned larger = 0;
    for (unsigned trial = 0; trial < 200; trial++) {
        const struct topology cube = cube_lab_make(1 + rng_below(&rng, 7));
        unsigned d = cube.dimensions;
        uint32_t source[MOST], count = 1 + rng_below(&rng, 3 * cube.nodes), run = 0, most = 0;
        cube_lab_multi(cube.nodes, count, rng_next(&rng), source);
        struct collective asked = asked_of(&cube, source, count);
        for (uint32_t p = 0; p < count; p++) {
            run = p > 0 && source[p] == source[p - 1] ? run + 1 : 1;
            most = MAX(most, run);
        }
        assert_int_equal(bound_cube_arrivals(&asked), arrivals_of(&cube, source, count));
        assert_int_equal(bound_cube_departures(&asked), d - 1 + (most + d - 1) / d);
        uint64_t bound = bound_end(&asked);
        asked.sources = NULL;
        larger += bound > bound_end(&asked);
        assert_int_equal(cube_lab_rounds("cube-reserved", &cube, source, count),
                         most * (((1u << d) - 1 + d - 1) / d));
        cube_lab_rounds("cube-unbalanced", &cube, source, count);
    }
    assert_true(larger > 20);
}

/* d - 1 + K/d rounds: all packets of a node are opposite another node, too. cube-single attains
 * this for K ≤ d; the bounds by receipts and diameter do not. */
static void test_opposite(void **state)
{
    (void)state;
    for (unsigned d = 2; d <= 6; d++) {
        const struct topology cube = cube_lab_make(d);
        uint32_t source[MOST];
        for (uint32_t p = 0; p < MOST; p++)
            source[p] = 1;
        for (uint32_t count = 1; count <= 6 * d; count++) {
            struct collective asked = asked_of(&cube, source, count);
            assert_int_equal(bound_end(&asked), d - 1 + (count + d - 1) / d);
            asked.sources = NULL;
            assert_int_equal(bound_end(&asked) < d - 1 + (count + d - 1) / d, count > d);
        }
    }
}

/* Up to 16 dimensions the arrivals at each node are counted. In more, given sources bound as any
 * other: 17 dimensions, and for K packets ⌈(2^17 - 1)K / (17 · 2^17)⌉ rounds. */
static void test_large(void **state)
{
    (void)state;
    uint32_t source[MOST];
    for (uint32_t p = 0; p < MOST; p++)
        source[p] = 1;
    for (unsigned d = 16; d <= 17; d++) {
        const struct topology cube = cube_lab_make(d);
        struct collective asked = asked_of(&cube, source, MOST);
        const uint64_t receipts = (((UINT64_C(1) << d) - 1) * MOST + (d << d) - 1) / (d << d);
        assert_int_equal(bound_end(&asked), d == 16 ? d - 1 + (MOST + d - 1) / d : receipts);
        asked.sources = NULL;
        assert_int_equal(bound_end(&asked), receipts);
    }
}

/* 42 nodes of the 6-cube are at least 3 arcs from a node: 2 + ⌈40/6⌉; 22 are at least 4 arcs away:
 * 3 + ⌈22/6⌉; 2^d packets: the counting bound. */
static void test_worst(void **state)
{
    (void)state;
    assert_int_equal(bound_cube_worst(6, 40), 9);
    assert_int_equal(bound_cube_worst(6, 22), 7);
    assert_int_equal(bound_cube_worst(6, 64), 11);
    assert_int_equal(bound_cube_worst(5, 32), 7);
    assert_int_equal(bound_cube_worst(5, 1), 5);
    for (unsigned d = 1; d <= 12; d++)
        for (uint32_t count = 1; count <= 1u << d; count += 1 + count / 9)
            assert_true(bound_cube_worst(d, count) <= MAX(d, ((1u << d) - 2 + d) / d));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_subsets),  cmocka_unit_test(test_several),
        cmocka_unit_test(test_opposite), cmocka_unit_test(test_large),
        cmocka_unit_test(test_worst),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
