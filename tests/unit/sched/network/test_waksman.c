/* SPDX-License-Identifier: Apache-2.0 */
/* test_waksman: Waksman networks of any size, their settings followed through a drawing.
 *
 * State space. Exhaustive: every partial permutation of N = 2 … 7 ports, and every permutation of
 * 8. Sampled with a printed seed: densities from full to empty for every N up to 200 and some
 * larger ones, on both sides of powers of two; regular rounds.
 *
 * Checks of a routed round (multistage_picture.h): all circuits arrive, no switch without a circuit
 * is crossed, and no bit is set that belongs to no switch (benes:N has fewer such bits);
 * multistage_trace agrees. The number of switches equals Waksman's sum, and the switches of N = 4
 * are listed here. Equal rounds get equal rows. Counter-cases: the drawing detects a flipped
 * switch; rejections by code and text.
 */
#include "sched/network/network_kind.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/router_lab.h"

static struct router_lab_sizes sizes = {&network_kind_waksman, multistage_waksman, "benes"};

/* The number of switches is Σ ⌈log2 i⌉; benes:N has the same number if all its blocks have an odd
 * number of lanes or two lanes. */
static void switches_are_waksmans_sum(void **state)
{
    (void)state;
    uint64_t sum = 0, fewer = 0;
    for (uint32_t ports = 2; ports <= 300; ports++) {
        const struct multistage nets[] = {multistage_waksman(ports), multistage_benes(ports)};
        uint64_t boxes[2] = {0};
        for (uint32_t value = 1; value < ports; value *= 2)
            sum++;
        for (unsigned which = 0; which < 2; which++) {
            struct multistage_picture picture = multistage_picture_new(&nets[which]);
            for (unsigned s = 0; s < picture.stages; s++)
                boxes[which] += picture.stage[s].count;
            multistage_picture_free(&picture);
        }
        assert_int_equal(boxes[0], sum);
        assert_true(boxes[0] <= boxes[1]);
        fewer += boxes[0] < boxes[1];
        if (ports == 64) {
            assert_int_equal(boxes[0], 321);
            assert_int_equal(boxes[1], 352);
        }
    }
    assert_true(fewer > 290);
}

static void the_switches_of_4(void **state)
{
    (void)state;
    static const struct {
        unsigned stage;
        uint32_t sw, low, high;
    } drawn[] = {{0, 0, 0, 2}, {0, 1, 1, 3}, {1, 0, 0, 1}, {1, 1, 2, 3}, {2, 0, 0, 2}};
    const struct multistage net = multistage_waksman(4);
    size_t boxes = 0;
    for (unsigned stage = 0; stage < multistage_stages(&net); stage++)
        for (uint32_t block = 0; block >> multistage_level(&net, stage) == 0; block++) {
            struct multistage_pairs pairs = multistage_pairs(&net, stage, block);
            for (uint32_t i = 0; i < pairs.count; i++, boxes++) {
                assert_true(boxes < sizeof drawn / sizeof drawn[0] && drawn[boxes].stage == stage);
                assert_int_equal(pairs.first_switch + i, drawn[boxes].sw);
                assert_int_equal(pairs.low + i, drawn[boxes].low);
                assert_int_equal(pairs.high + i, drawn[boxes].high);
            }
        }
    assert_int_equal(boxes, sizeof drawn / sizeof drawn[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_are_waksmans_sum),
        cmocka_unit_test(the_switches_of_4),
        ROUTER_LAB_TESTS(&sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
