/* SPDX-License-Identifier: Apache-2.0 */
/* test_cube_ends: cube-broadcast --method random-detect, in which each root detects the end of its
 * gather.
 *
 * Sampled, with a seed: d ≤ 6, up to 2 · 2^d packets at any nodes, several at some nodes; also no
 * packet. Every schedule is verified, which checks the counts that the end packets carry. From the
 * transfers, and from the trees drawn again here, the test checks:
 *
 *     - at most 2N + 2d rounds if the largest tree has N packets; some schedule takes as many
 *     - each node except the root of a tree sends its parent one end, in the first round after
 *       all ends of its children have arrived and all packets of the tree through it have left
 *     - the root of a tree with N packets detects the end by round N + d and sends its first packet
 *       then, not before
 *
 * Counter-case: random-gather, whose roots do not wait, starts spreads before the gathers end.
 */
#include "sched/algorithms/cube/cube_tree.h"
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <string.h>

#define SEED UINT64_C(20261126)
#define MOST_PACKETS 130
#define MOST_NODES 64
#define TRIALS 600
#define SAMPLED 3

struct packets {
    unsigned d;
    uint32_t count, source[MOST_PACKETS];
    unsigned tree[MOST_PACKETS];
    uint32_t of_tree[8], most;
};

/* Draws the trees of the packets. The seed of their generator is the seed plus 1000. */
static void draw(struct packets *packets, uint64_t seed)
{
    struct rng rng = {seed + 1000};
    for (uint32_t which = 0; which < packets->count; which++) {
        unsigned tree = (unsigned)(rng_next(&rng) % packets->d) + 1;
        packets->tree[which] = tree;
        uint32_t now = ++packets->of_tree[tree];
        packets->most = MAX(packets->most, now);
    }
}

static void build(const struct topology *cube, const struct packets *packets, const char *method,
                  uint64_t seed, struct schedule *schedule)
{
    const struct collective asked = {
        .n = cube->nodes,
        .m = packets->count,
        .model = MODEL_ALL_PORT,
        .topology = cube,
        .sources = packets->source,
        .seed = seed,
        .method = support_method(support_algorithm("cube-broadcast"), method)};
    struct verify_report report;
    cube_lab_build("cube-broadcast", &asked, schedule, &report);
}

/* Rounds of events at the nodes of one tree; 0: never. */
struct tree_times {
    uint64_t end[MOST_NODES];     /* the node sends its end */
    uint64_t climbed[MOST_NODES]; /* the last packet of the tree leaves the node for its parent */
    uint64_t spread;              /* the root sends its first packet */
};

/* Reads the events from the transfers. Control packets of tree j that only one node wants are the
 * ends: they cross from a node to its parent in T(j), whose arcs towards the root are in no other
 * tree. */
static void read_times(const struct schedule *schedule, const struct packets *packets,
                       unsigned tree, struct tree_times *times)
{
    uint32_t root = 1u << (tree - 1);
    memset(times, 0, sizeof *times);
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
            const struct transfer *sent = &schedule->transfer[t];
            const struct demand *demand = schedule_demand_of(schedule, sent->packet);
            bool data = demand->control == NULL, end = !data && demand->wanted_count == 1;
            bool up =
                sent->source != root && cube_tree_parent(tree, sent->source) == sent->destination;
            uint64_t round = schedule->step[k].time;
            if (end && up) {
                assert_int_equal(times->end[sent->source], 0);
                times->end[sent->source] = round;
            } else if (data && up && packets->tree[sent->packet - 1] == tree)
                times->climbed[sent->source] = round;
            else if (sent->source == root && times->spread == 0 &&
                     (data ? packets->tree[sent->packet - 1] == tree
                           : !end && demand->source == root))
                times->spread = round;
        }
}

/* Checks that ends leave as early as possible. Returns the round after which the root has all of
 * them. */
static uint64_t check_ends(const struct tree_times *times, unsigned tree, uint32_t nodes)
{
    uint64_t ready[MOST_NODES];
    uint32_t root = 1u << (tree - 1);
    memcpy(ready, times->climbed, sizeof ready);
    for (uint32_t node = 0; node < nodes; node++) {
        if (node == root)
            continue;
        uint32_t parent = cube_tree_parent(tree, node);
        ready[parent] = MAX(ready[parent], times->end[node]);
    }
    for (uint32_t node = 0; node < nodes; node++)
        if (node != root)
            assert_int_equal(times->end[node], ready[node] + 1);
    return ready[root];
}

static void test_detect(void **state)
{
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    struct rng rng = {SEED};
    unsigned attained = 0, early = 0;
    for (uint64_t trial = 0; trial < running_met(TRIALS, SAMPLED); trial++) {
        const struct topology cube = cube_lab_make(1 + rng_below(&rng, 6));
        unsigned d = cube.dimensions;
        struct packets packets = {.d = d, .count = rng_below(&rng, 2 * cube.nodes + 1)};
        struct schedule schedule;
        struct tree_times times;
        cube_lab_multi(cube.nodes, packets.count, rng_next(&rng), packets.source);
        draw(&packets, trial);
        build(&cube, &packets, "random-detect", trial, &schedule);
        uint64_t bound = 2 * packets.most + 2 * d;
        assert_int_equal(schedule.packets, packets.count + d * cube.nodes);
        assert_true(schedule.end <= bound);
        attained += schedule.end == bound;
        for (unsigned tree = 1; tree <= d; tree++) {
            read_times(&schedule, &packets, tree, &times);
            uint64_t detected = check_ends(&times, tree, cube.nodes);
            assert_true(detected <= packets.of_tree[tree] + d);
            assert_true(times.spread > detected);
        }
        schedule_free(&schedule);
        if (packets.count == 0)
            continue;
        build(&cube, &packets, "random-gather", trial, &schedule);
        for (unsigned tree = 1; tree <= d; tree++) {
            read_times(&schedule, &packets, tree, &times);
            for (uint32_t node = 0; node < cube.nodes; node++)
                early += times.spread != 0 && times.climbed[node] >= times.spread;
        }
        schedule_free(&schedule);
    }
    assert_true(attained > 0 && early > 0);
}

/* If there are no packets, the nodes learn this after d rounds up and d rounds down. */
static void test_none(void **state)
{
    (void)state;
    for (unsigned d = 1; d <= 6; d++) {
        const struct topology cube = cube_lab_make(d);
        const struct packets packets = {.d = d};
        struct schedule schedule;
        build(&cube, &packets, "random-detect", 1, &schedule);
        assert_int_equal(schedule.end, 2 * d);
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_detect), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
