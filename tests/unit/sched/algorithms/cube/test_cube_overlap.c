/* SPDX-License-Identifier: Apache-2.0 */
/* test_cube_overlap: cube-broadcast with overlap: roots forward packets at once.
 *
 * Exhaustive: d ≤ 4, every subset of the nodes with ranked trees, both priorities. Sampled, with a
 * seed: d ≤ 6, packets at any nodes, several at some, both priorities, ranked and random trees. Of
 * the subsets for d = 4 and of the seeded cases every 5th is run; `make test-all` runs all. Every
 * schedule is verified. Further checks:
 *
 *     gather first   at most 2N + 2d - 2 rounds if a tree has N packets at most; the gather is that
 *                    of the method without an overlap, transfer by transfer, as it never waits for
 *                    the spread
 *     spread first   breaks that bound, in exactly as many of the subsets as another implementation
 *                    found (of a sample: as many in proportion, half to twice); no packet waits
 *                    below its root
 *
 * so that each priority is the counter-case of the other. test_cube compares the rounds of single
 * cases with golden rows.
 */
#include "sched/algorithms/cube/cube_tree.h"
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20240903)
#define MOST_PACKETS 130
#define TRIALS 3000
#define SAMPLED 5

/* Sources of the packets, and their trees. */
struct packets {
    uint32_t count, source[MOST_PACKETS];
    unsigned tree[MOST_PACKETS];
    uint32_t most; /* Largest number of packets of a tree. */
};

static void count_trees(struct packets *packets, unsigned d)
{
    uint32_t of_tree[8] = {0};
    packets->most = 0;
    for (uint32_t which = 0; which < packets->count; which++) {
        uint32_t now = ++of_tree[packets->tree[which]];
        packets->most = MAX(packets->most, now);
    }
    assert_int_equal(of_tree[0], 0);
    for (unsigned tree = d + 1; tree < 8; tree++)
        assert_int_equal(of_tree[tree], 0);
}

/* Assigns positions and trees: the last packet has position 1, and tree 1. */
static void number_packets(struct packets *packets, unsigned d)
{
    for (uint32_t which = 0; which < packets->count; which++)
        packets->tree[which] = (packets->count - 1 - which) % d + 1;
    count_trees(packets, d);
}

static void draw(struct packets *packets, unsigned d, uint64_t seed)
{
    struct rng rng = {seed + 1000};
    for (uint32_t which = 0; which < packets->count; which++)
        packets->tree[which] = (unsigned)(rng_next(&rng) % d) + 1;
    count_trees(packets, d);
}

static uint64_t bound_of(const struct packets *packets, unsigned d)
{
    return 2 * packets->most + 2 * d - 2;
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

/* --- The bound
 * ---------------------------------------------------------------------------------------- */

static void test_subsets(void **state)
{
    (void)state;
    /* [d] subsets whose spread-first end is */
    static const unsigned beyond[5] = {0, 0, 0, 8, 1446};
    for (unsigned d = 3; d <= 4; d++) {
        const struct topology cube = cube_lab_make(d);
        unsigned found = 0;
        for (uint32_t set = 1; set < 1u << cube.nodes;
             set += d == 4 ? running_stride(SAMPLED) : 1) {
            struct packets packets = {0};
            for (uint32_t node = 0; node < cube.nodes; node++)
                if ((set >> node & 1) != 0)
                    packets.source[packets.count++] = node;
            number_packets(&packets, d);
            uint64_t bound = bound_of(&packets, d);
            assert_true(cube_lab_overlap(&cube, packets.source, packets.count, "exchange-gather",
                                         0) <= bound);
            found += cube_lab_overlap(&cube, packets.source, packets.count, "exchange-spread", 0) >
                     bound;
        }
        if (d < 4 || running_exhaustive())
            assert_int_equal(found, beyond[d]);
        else
            assert_in_range(found, beyond[d] / SAMPLED / 2, beyond[d] / SAMPLED * 2);
    }
    /* One of the eight: packets at 3, 4 and 5, of trees 3, 2 and 1. */
    const struct topology cube = cube_lab_make(3);
    assert_int_equal(cube_lab_overlap(&cube, (const uint32_t[]){3, 4, 5}, 3, "tree-gather", 0), 6);
    assert_int_equal(cube_lab_overlap(&cube, (const uint32_t[]){3, 4, 5}, 3, "tree-spread", 0), 7);
}

static void test_bound(void **state)
{
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    struct rng rng = {SEED};
    unsigned attained = 0, beyond[2] = {0};
    for (uint64_t trial = 0; trial < running_met(TRIALS, SAMPLED); trial++) {
        const struct topology cube = cube_lab_make(1 + rng_below(&rng, 6));
        unsigned d = cube.dimensions;
        struct packets packets = {.count = 1 + rng_below(&rng, 2 * cube.nodes)};
        cube_lab_multi(cube.nodes, packets.count, rng_next(&rng), packets.source);
        for (unsigned drawn = 0; drawn <= 1; drawn++) {
            if (drawn)
                draw(&packets, d, trial);
            else
                number_packets(&packets, d);
            uint64_t bound = bound_of(&packets, d);
            uint64_t gather = cube_lab_overlap(&cube, packets.source, packets.count,
                                               drawn ? "random-gather" : "exchange-gather", trial);
            assert_true(gather <= bound);
            attained += gather == bound;
            beyond[drawn] +=
                cube_lab_overlap(&cube, packets.source, packets.count,
                                 drawn ? "random-spread" : "exchange-spread", trial) > bound;
        }
    }
    assert_true(attained > 0 && beyond[0] > 0 && beyond[1] > 0);
}

/* Priority of the phases */

static bool climbs(const struct packets *packets, struct transfer sent)
{
    unsigned tree = packets->tree[sent.packet - 1];
    return sent.source != cube_tree_root(tree) &&
           cube_tree_parent(tree, sent.source) == sent.destination;
}

/* Finds the next transfer that climbs, from *at on, and stores its round in *round. Returns false
 * if there is none up to round `last`. */
static bool next_climb(const struct schedule *schedule, const struct packets *packets,
                       uint64_t last, size_t *at, uint64_t *round)
{
    for (; *at < schedule->transfer_count; ++*at) {
        *round = schedule->step[schedule_step_of(schedule, *at)].time;
        if (*round > last)
            return false;
        if (schedule->transfer[*at].packet <= packets->count &&
            climbs(packets, schedule->transfer[*at]))
            return true;
    }
    return false;
}

/* Checks that packets climb in the same rounds in both schedules, which have the same prefix. */
static bool climb_alike(const struct schedule *apart, const struct schedule *overlapped,
                        const struct packets *packets)
{
    unsigned d = apart->topology.dimensions;
    uint64_t gathered = d + (packets->count + d - 1) / d + d - 1, round[2];
    size_t at[2] = {0, 0};
    while (next_climb(apart, packets, gathered, &at[0], &round[0])) {
        if (!next_climb(overlapped, packets, UINT64_MAX, &at[1], &round[1]) ||
            round[0] != round[1] ||
            memcmp(&apart->transfer[at[0]], &overlapped->transfer[at[1]],
                   sizeof(struct transfer)) != 0)
            return false;
        at[0]++;
        at[1]++;
    }
    return !next_climb(overlapped, packets, UINT64_MAX, &at[1], &round[1]);
}

/* Returns whether each packet leaves its root once, and every other node in the round after it
 * arrived there on its way down. */
static bool spreads_at_once(const struct schedule *schedule, const struct packets *packets)
{
    uint64_t *came = calloc((size_t)(packets->count + 1) * schedule->nodes, sizeof *came);
    bool at_once = came != NULL;
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
            const struct transfer *sent = &schedule->transfer[t];
            uint64_t round = schedule->step[k].time;
            if (sent->packet > packets->count || climbs(packets, *sent))
                continue;
            uint64_t *at = &came[(size_t)sent->packet * schedule->nodes + sent->source];
            if (*at == 0 && sent->source == cube_tree_root(packets->tree[sent->packet - 1]))
                *at = round - 1;
            at_once = at_once && *at == round - 1;
            came[(size_t)sent->packet * schedule->nodes + sent->destination] = round;
        }
    free(came);
    return at_once;
}

/* Counts, by method, whether the gather proceeds as if it were alone, and whether the spread
 * does. */
static void tally_method(const struct topology *cube, const struct packets *packets,
                         const char *method, const struct schedule *apart, uint64_t seed,
                         unsigned tally[2])
{
    struct schedule schedule;
    build(cube, packets, method, seed, &schedule);
    if (apart != NULL)
        tally[0] += climb_alike(apart, &schedule, packets);
    tally[1] += spreads_at_once(&schedule, packets);
    schedule_free(&schedule);
}

static void test_priority(void **state)
{
    (void)state;
    struct rng rng = {SEED + 1};
    unsigned trials = (unsigned)running_met(400, SAMPLED), gather[2] = {0}, spread[2] = {0},
             drawn[2] = {0};
    for (uint64_t trial = 0; trial < trials; trial++) {
        const struct topology cube = cube_lab_make(2 + rng_below(&rng, 5));
        unsigned d = cube.dimensions;
        struct packets packets = {.count = 1 + rng_below(&rng, 2 * cube.nodes)};
        struct schedule apart;
        cube_lab_multi(cube.nodes, packets.count, rng_next(&rng), packets.source);
        number_packets(&packets, d);
        build(&cube, &packets, "exchange", 0, &apart);
        tally_method(&cube, &packets, "exchange-gather", &apart, 0, gather);
        tally_method(&cube, &packets, "exchange-spread", &apart, 0, spread);
        schedule_free(&apart);
        draw(&packets, d, trial);
        tally_method(&cube, &packets, "random-spread", NULL, trial, drawn);
    }
    assert_int_equal(gather[0], trials);
    assert_in_range(gather[1], 1, trials / 2); /* a few packets do not meet */
    assert_in_range(spread[0], 1, trials / 2);
    assert_int_equal(spread[1], trials);
    assert_int_equal(drawn[1], trials);
}

/* A seed determines the trees, and another seed gives other trees; there are no positions, so there
 * is no prefix. */
static void test_seeds(void **state)
{
    (void)state;
    const struct topology cube = cube_lab_make(5);
    struct packets packets = {.count = 20};
    cube_lab_tuple(cube.nodes, packets.count, 1, packets.source);
    struct schedule first, again, other;
    build(&cube, &packets, "random-gather", 7, &first);
    build(&cube, &packets, "random-gather", 7, &again);
    build(&cube, &packets, "random-gather", 8, &other);
    assert_int_equal(first.packets, packets.count);
    size_t size = first.transfer_count * sizeof *first.transfer;
    assert_int_equal(first.transfer_count, again.transfer_count);
    assert_memory_equal(first.transfer, again.transfer, size);
    assert_true(first.transfer_count != other.transfer_count ||
                memcmp(first.transfer, other.transfer, size) != 0);
    schedule_free(&first);
    schedule_free(&again);
    schedule_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_subsets),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_priority),
        cmocka_unit_test(test_seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
