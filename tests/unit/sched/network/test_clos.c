/* SPDX-License-Identifier: Apache-2.0 */
/* test_clos: Clos networks and Beneš networks whose crossbars have powers of two of ports, their
 * settings followed through a drawing.
 *
 * State space. Exhaustive: every partial permutation of clos:2,2,2 and 3,2,2, every permutation of
 * clos:2,2,4, 4,4,2 and 5,4,2 and of a Beneš network of 2×2 crossbars of 8 ports (in `make
 * test-all` every partial one). Sampled with a printed seed: densities from full to empty on larger
 * networks, whose crossbars have fewer than, exactly and more than 64 lanes, in the outer stages
 * and in the middle, with spare middle crossbars; regular rounds.
 *
 * Checks of a routed round (multistage_picture.h): all circuits arrive, no output carries a signal
 * that no circuit needs, no bit is set outside of a field, and multistage_trace agrees. The worked
 * example of clos.c, field by field. A permutation uses the same lanes as in the Beneš network of
 * 2×2 switches. Spare middle crossbars stay empty. Equal rounds get equal rows. Counter-cases: the
 * drawing detects a flipped bit; rejections by code and text, including too few middle crossbars.
 */
#include "sched/network/clos.h"

#include "sched/network/benes.h"
#include "sched/network/network_kind.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/room.h"
#include "tests/support/router_lab.h"
#include "tests/support/running.h"

#include <stdlib.h>

static const struct network_kind *const kind = &network_kind_clos;

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct {
    uint32_t m, n, r;
} tiny[] = {{2, 2, 2}, {3, 2, 2}}, small[] = {{2, 2, 4}, {4, 4, 2}, {5, 4, 2}},
  large[] = {{4, 4, 4},     {8, 8, 8},     {16, 16, 4},   {4, 4, 16},  {23, 16, 8}, {2, 2, 128},
             {3, 2, 512},   {4, 4, 64},    {64, 64, 4},   {32, 32, 2}, {70, 64, 2}, {64, 64, 64},
             {128, 128, 8}, {256, 256, 2}, {1000, 8, 32}, {8, 8, 256}};
static const struct {
    uint32_t radix;
    unsigned levels;
} radix[] = {{2, 2}, {2, 4}, {2, 7}, {2, 9},  {4, 2},  {4, 3},  {4, 4}, {4, 5},
             {8, 2}, {8, 3}, {8, 4}, {16, 2}, {16, 3}, {32, 2}, {64, 2}};

/* Settings of the example at the head of clos.c. */
static void the_worked_example(void **state)
{
    (void)state;
    static const uint32_t to[] = {3, 7, 4, 0, 2, 6, 1, 5};
    static const uint32_t fields[3][8] = {
        {1, 3, 2, 4, 3, 1, 4, 2}, {2, 1, 1, 2, 1, 2, 2, 1}, {4, 4, 3, 1, 2, 2, 1, 3}};
    struct router_lab lab = router_lab_new(kind, multistage_clos(4, 4, 2));
    router_lab_check(&lab, to);
    for (unsigned stage = 0; stage < 3; stage++)
        for (unsigned lane = 0; lane < 8; lane++)
            assert_int_equal(multistage_field(&lab.row[stage], stage == 1 ? 2 : 3, lane),
                             fields[stage][lane]);
    router_lab_free(&lab);
}

static void every_round_of_small_networks(void **state)
{
    (void)state;
    for (size_t which = 0; which < COUNT(tiny); which++)
        for (unsigned partial = 0; partial < 2; partial++)
            router_lab_every(kind, multistage_clos(tiny[which].m, tiny[which].n, tiny[which].r),
                             partial);
    for (size_t which = 0; which < COUNT(small); which++)
        router_lab_every(kind, multistage_clos(small[which].m, small[which].n, small[which].r),
                         running_exhaustive());
    router_lab_every(kind, multistage_radix_benes(2, 3), running_exhaustive());
}

static void sampled_rounds(void **state)
{
    (void)state;
    struct rng rng = {MULTISTAGE_PICTURE_SEED};
    print_message("seed %llu\n", (unsigned long long)MULTISTAGE_PICTURE_SEED);
    for (size_t which = 0; which < COUNT(large); which++) {
        struct multistage net = multistage_clos(large[which].m, large[which].n, large[which].r);
        router_lab_sample(kind, net, &rng, 3);
        router_lab_regular(kind, net);
    }
    for (size_t which = 0; which < COUNT(radix); which++) {
        struct multistage net = multistage_radix_benes(radix[which].radix, radix[which].levels);
        router_lab_sample(kind, net, &rng, 3);
        router_lab_regular(kind, net);
    }
}

/* Returns the number of stages of 2×2 switches, of 2·log2(N) - 1, up to the end of a stage of
 * crossbars. */
static unsigned last_switches(const struct multistage *net, unsigned log2_radix, unsigned stage)
{
    unsigned stages = 2 * bits_log2_up(net->ports) - 1;
    return stage < net->levels - 1 ? (stage + 1) * log2_radix
                                   : stages - (net->stages - 1 - stage) * log2_radix;
}

/* After each stage, the signal of each input is on the same lane as in the network of 2×2
 * switches. */
static void crossbars_do_what_switches_do(void **state)
{
    (void)state;
    struct rng rng = {MULTISTAGE_PICTURE_SEED + 5};
    for (size_t which = 0; which < COUNT(radix); which++) {
        unsigned log2_radix = bits_log2_up(radix[which].radix);
        struct router_lab lab =
            router_lab_new(kind, multistage_radix_benes(radix[which].radix, radix[which].levels));
        const struct multistage switches = multistage_benes(lab.net.ports);
        struct benes_router *benes = benes_router_new(switches.levels, NULL);
        uint32_t *row = room_words((size_t)switches.stages * multistage_row_words(&switches));
        assert_non_null(benes);
        multistage_picture_round(&rng, lab.net.ports, 256, lab.to);
        router_lab_check(&lab, lab.to);
        assert_true(benes_route(benes, lab.to, row, NULL));
        for (unsigned stage = 0; stage < lab.net.stages; stage++)
            for (uint32_t input = 0; input < lab.net.ports; input += 1 + lab.net.ports / 64)
                assert_int_equal(multistage_follow(&lab.net, lab.row, input, stage + 1),
                                 multistage_follow(&switches, row, input,
                                                   last_switches(&lab.net, log2_radix, stage)));
        free(row);
        benes_router_free(benes);
        router_lab_free(&lab);
    }
}

/* The lanes of middle crossbars n … m-1 carry no signal. */
static void spare_middle_crossbars_stay_empty(void **state)
{
    (void)state;
    struct rng rng = {MULTISTAGE_PICTURE_SEED + 1};
    struct router_lab lab = router_lab_new(kind, multistage_clos(7, 4, 16));
    multistage_picture_round(&rng, 64, 256, lab.to);
    router_lab_check(&lab, lab.to);
    for (unsigned stage = 0; stage < 2; stage++) {
        unsigned bits = stage == 0 ? 3 : 5;
        for (uint32_t lane = 0; lane < 112; lane++)
            assert_true((multistage_field(lab.row + stage * lab.picture.words, bits, lane) == 0) ==
                        (lane >= 64));
    }
    router_lab_free(&lab);
}

static void equal_rounds_get_equal_rows(void **state)
{
    (void)state;
    struct rng rng = {MULTISTAGE_PICTURE_SEED + 2};
    for (uint32_t live = 16; live <= 256; live += 80) {
        for (size_t which = 0; which < COUNT(large); which++)
            router_lab_equal(kind, multistage_clos(large[which].m, large[which].n, large[which].r),
                             &rng, live);
        router_lab_equal(kind, multistage_radix_benes(4, 4), &rng, live);
    }
}

static void a_flipped_bit_is_seen(void **state)
{
    (void)state;
    struct rng rng = {MULTISTAGE_PICTURE_SEED + 3};
    uint64_t astray = 0;
    for (size_t which = 0; which < COUNT(small); which++)
        for (unsigned time = 0; time < 20; time++)
            astray += router_lab_flip(
                kind, multistage_clos(small[which].m, small[which].n, small[which].r), &rng,
                time % 2 ? 256 : 128);
    astray += router_lab_flip(kind, multistage_radix_benes(4, 3), &rng, 256);
    assert_true(astray > 1000);
}

static void illegal_rounds_are_refused(void **state)
{
    (void)state;
    router_lab_refuse(kind, multistage_clos(2, 2, 4), "clos");
    router_lab_refuse(kind, multistage_radix_benes(4, 3), "clos");
}

static void networks_that_block_are_refused(void **state)
{
    (void)state;
    const struct multistage net = multistage_clos(3, 4, 8);
    struct err err = {0};
    assert_null(clos_router_new(&net, &err));
    assert_int_equal(err.code, ERR_NETWORK);
    assert_string_equal(
        err.text, "clos: 3 middle crossbars for 4 inputs of each outer one; expected 4 at least, "
                  "so that any permutation passes");
    clos_router_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example),
        cmocka_unit_test(every_round_of_small_networks),
        cmocka_unit_test(sampled_rounds),
        cmocka_unit_test(crossbars_do_what_switches_do),
        cmocka_unit_test(spare_middle_crossbars_stay_empty),
        cmocka_unit_test(equal_rounds_get_equal_rows),
        cmocka_unit_test(a_flipped_bit_is_seen),
        cmocka_unit_test(illegal_rounds_are_refused),
        cmocka_unit_test(networks_that_block_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
