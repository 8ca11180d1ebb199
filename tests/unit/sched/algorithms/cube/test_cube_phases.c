/* SPDX-License-Identifier: Apache-2.0 */
/* test_cube_phases: the phases of cube-broadcast.
 *
 * Sampled, with a seed: up to 3 packets at each node, d ≤ 6. The prefix is replayed: its transfers
 * must compute the sums of the definition and deliver K to the roots, or, for the exchange, to all
 * nodes. With two rounds swapped it must fail. In the spread no packet waits: a judge in this file
 * follows each packet from its root and detects a relay that is late.
 */
#include "sched/base/rng.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20240902)
#define MOST_PACKETS 400

static uint64_t ceil_divide(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

/* --- The prefix
 * --------------------------------------------------------------------------------------- */

/* Sums of each node during the replay of the prefix. */
struct replay {
    uint32_t sum[64], right[64], kept[64][7];
};

/* Applies a sum that is sent over a dimension, up or down the folded tree. */
static void replay_sum(struct replay *replay, struct transfer sent, bool folds)
{
    unsigned dimension = topology_dimension(sent.source, sent.destination);
    if (folds) {
        replay->kept[sent.destination][dimension] = replay->sum[sent.source];
        replay->sum[sent.destination] += replay->sum[sent.source];
    } else {
        replay->right[sent.destination] = replay->right[sent.source];
        replay->right[sent.source] += replay->kept[sent.source][dimension];
    }
}

/* Returns whether the first 2d + 1 rounds compute the positions and deliver K to the roots. */
static bool replay_positions(const struct schedule *schedule, const uint32_t has[64])
{
    unsigned d = schedule->topology.dimensions;
    uint32_t total = 0, reported = 0;
    struct replay replay = {0};
    memcpy(replay.sum, has, sizeof replay.sum);
    for (size_t k = 0; k < 2 * d; k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++)
            replay_sum(&replay, schedule->transfer[t], schedule->step[k].time <= d);
    for (uint32_t node = schedule->nodes; node-- > 0;) {
        if (replay.right[node] != total)
            return false;
        total += has[node];
    }
    for (size_t t = schedule->step[2 * d].first; t < schedule_step_end(schedule, 2 * d); t++) {
        assert_int_equal(schedule->transfer[t].source, 0);
        assert_int_equal(schedule->transfer[t].packet, total + 2 * (schedule->nodes - 1) + 1);
        reported |= schedule->transfer[t].destination;
    }
    assert_int_equal(reported, schedule->nodes - 1);
    return replay.sum[0] == total;
}

/* Returns whether the first d rounds of an exchange compute the positions and deliver K to all
 * nodes. */
static bool replay_exchange(const struct schedule *schedule, const uint32_t has[64])
{
    unsigned d = schedule->topology.dimensions;
    uint32_t right[64] = {0}, block[64], swapped[64], total = 0;
    memcpy(block, has, sizeof block);
    for (size_t k = 0; k < d; k++) {
        assert_int_equal(schedule->step[k].time, k + 1);
        assert_int_equal(schedule_step_end(schedule, k) - schedule->step[k].first, schedule->nodes);
        memset(swapped, 0, sizeof swapped);
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
            struct transfer sent = schedule->transfer[t];
            swapped[sent.destination] = block[sent.source];
            right[sent.destination] += sent.destination < sent.source ? block[sent.source] : 0;
        }
        for (uint32_t node = 0; node < schedule->nodes; node++)
            block[node] += swapped[node];
    }
    bool right_sums = true;
    for (uint32_t node = schedule->nodes; node-- > 0; total += has[node])
        right_sums = right_sums && right[node] == total;
    for (uint32_t node = 0; node < schedule->nodes; node++)
        right_sums = right_sums && block[node] == total;
    return right_sums;
}

static void exchange_rounds(struct schedule *schedule, size_t k, size_t other)
{
    size_t size = schedule->step[k + 1].first - schedule->step[k].first;
    for (size_t t = 0;
         t < size && t + schedule->step[other].first < schedule_step_end(schedule, other); t++) {
        struct transfer *a = &schedule->transfer[schedule->step[k].first + t];
        struct transfer *b = &schedule->transfer[schedule->step[other].first + t], kept = *a;
        *a = *b;
        *b = kept;
    }
}

/* Replays the prefix of a method, and again with its first two rounds swapped. Returns whether the
 * swap was detected. */
static bool check_prefix(const struct topology *cube, const uint32_t source[], uint32_t count,
                         const uint32_t has[64], const char *method,
                         bool (*replay)(const struct schedule *schedule, const uint32_t has[64]))
{
    const struct collective asked = {
        .n = cube->nodes,
        .m = count,
        .model = MODEL_ALL_PORT,
        .topology = cube,
        .sources = source,
        .method = support_method(support_algorithm("cube-broadcast"), method)};
    struct schedule schedule;
    struct verify_report report;
    cube_lab_build("cube-broadcast", &asked, &schedule, &report);
    assert_true(replay(&schedule, has));
    bool found = false;
    if (cube->dimensions >= 2) {
        exchange_rounds(&schedule, 0, 1);
        found = !replay(&schedule, has);
    }
    schedule_free(&schedule);
    return found;
}

static void test_prefix(void **state)
{
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    struct rng rng = {SEED};
    unsigned found[2] = {0}, replayed = 0;
    for (unsigned d = 1; d <= 6; d++)
        for (unsigned trial = 0; trial < 20; trial++) {
            const struct topology cube = cube_lab_make(d);
            uint32_t source[MOST_PACKETS], count = 0, has[64] = {0};
            for (uint32_t node = 0; node < cube.nodes; node++)
                for (uint32_t more = has[node] = rng_below(&rng, 4); more > 0; more--)
                    source[count++] = node;
            replayed++;
            found[0] += check_prefix(&cube, source, count, has, "tree", replay_positions);
            found[1] += check_prefix(&cube, source, count, has, "exchange", replay_exchange);
        }
    assert_int_equal(replayed, 120);
    assert_true(found[0] > 80 && found[1] > 80);
}

/* --- The spread
 * --------------------------------------------------------------------------------------- */

/* Returns whether each packet leaves its root in one round, and every other node in the round after
 * it arrived there. */
static bool spreads_at_once(const struct schedule *schedule, uint32_t packets, uint64_t after)
{
    unsigned d = schedule->topology.dimensions;
    uint32_t first_last = packets + 2 * (schedule->nodes - 1) + 2;
    uint64_t *came = calloc((size_t)schedule->nodes * (schedule->packets + 1), sizeof *came);
    bool at_once = came != NULL;
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
            const struct transfer *sent = &schedule->transfer[t];
            uint64_t round = schedule->step[k].time;
            if (round <= after)
                continue;
            uint32_t packet = sent->packet;
            unsigned tree = packet <= packets ? (packets - packet) % d : packet - first_last;
            uint64_t *at = &came[(size_t)packet * schedule->nodes + sent->source];
            if (sent->source == 1u << tree && *at == 0)
                *at = round - 1;
            at_once = at_once && *at == round - 1;
            came[(size_t)packet * schedule->nodes + sent->destination] = round;
        }
    free(came);
    return at_once;
}

static void test_spread(void **state)
{
    (void)state;
    struct rng rng = {SEED + 1};
    for (unsigned trial = 0; trial < 60; trial++) {
        const struct topology cube = cube_lab_make(1 + rng_below(&rng, 6));
        uint32_t source[MOST_PACKETS], count = rng_below(&rng, 2 * cube.nodes);
        uint64_t after = 3 * cube.dimensions + ceil_divide(count, cube.dimensions);
        cube_lab_multi(cube.nodes, count, rng_next(&rng), source);
        const struct collective asked = {.n = cube.nodes,
                                         .m = count,
                                         .model = MODEL_ALL_PORT,
                                         .topology = &cube,
                                         .sources = source};
        struct schedule schedule;
        struct verify_report report;
        cube_lab_build("cube-broadcast", &asked, &schedule, &report);
        assert_true(spreads_at_once(&schedule, count, after));
        schedule.step[schedule.step_count - 1].time++;
        assert_int_equal(spreads_at_once(&schedule, count, after), cube.dimensions == 1);
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prefix),
        cmocka_unit_test(test_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
