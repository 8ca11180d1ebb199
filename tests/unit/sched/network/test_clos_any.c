/* SPDX-License-Identifier: Apache-2.0 */
/* test_clos_any: Clos networks and Beneš networks of crossbars, their settings followed through a
 * drawing.
 *
 * State space. Exhaustive: every partial permutation of clos:2,2,2, 3,2,3, 2,2,3 and 3,3,2 (4 and 6
 * ports). Sampled with a printed seed: densities from full to empty on larger networks of odd, even
 * and prime shapes, with spare middle crossbars, and on radix Beneš networks of three or more
 * stages; regular rounds.
 *
 * Checks of a routed round (multistage_picture.h): all circuits arrive, no output carries a signal
 * that no circuit needs, no bit is set outside of a field, and multistage_trace agrees. The worked
 * example of clos_any.c, the drawing of clos:2,2,2 field by field. Spare middle crossbars stay
 * empty. Equal rounds get equal rows. Counter-cases: the drawing detects a flipped bit; rejections
 * by code and text, including too few middle crossbars.
 */
#include "sched/network/clos.h"
#include "sched/network/network_kind.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/router_lab.h"

static const struct network_kind *const kind = &network_kind_clos_any;

static const struct {
    uint32_t m, n, r;
} large[] = {{24, 24, 24},  {32, 24, 24}, {5, 5, 7},    {7, 5, 11},  {4, 3, 2},    {2, 2, 100},
             {100, 100, 2}, {9, 9, 13},   {16, 16, 16}, {31, 17, 3}, {23, 23, 29}, {64, 64, 8}},
  small[] = {{2, 2, 2}, {3, 2, 3}, {2, 2, 3}, {3, 3, 2}};
static const struct {
    uint32_t radix;
    unsigned levels;
} radix[] = {{2, 3}, {2, 6}, {3, 2}, {3, 3}, {3, 5}, {4, 3},
             {4, 4}, {5, 3}, {8, 3}, {8, 4}, {15, 3}};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* The example at the head of clos_any.c, field by field: six fields of two bits. */
static void the_worked_example(void **state)
{
    (void)state;
    static const uint32_t to[] = {2, 0, 3, 1};
    static const uint32_t fields[3][4] = {{1, 2, 2, 1}, {1, 2, 2, 1}, {2, 1, 1, 2}};
    struct router_lab lab = router_lab_new(kind, multistage_clos(2, 2, 2));
    router_lab_check(&lab, to);
    for (unsigned stage = 0; stage < 3; stage++)
        for (unsigned lane = 0; lane < 4; lane++)
            assert_int_equal(lab.row[stage] >> 2 * lane & 3, fields[stage][lane]);
    router_lab_free(&lab);
}

static void every_round_of_small_networks(void **state)
{
    (void)state;
    for (size_t which = 0; which < COUNT(small); which++)
        for (unsigned partial = 0; partial < 2; partial++)
            router_lab_every(kind, multistage_clos(small[which].m, small[which].n, small[which].r),
                             partial);
}

static void sampled_rounds(void **state)
{
    (void)state;
    struct rng rng = {MULTISTAGE_PICTURE_SEED};
    print_message("seed %llu\n", (unsigned long long)MULTISTAGE_PICTURE_SEED);
    for (size_t which = 0; which < COUNT(large); which++) {
        struct multistage net = multistage_clos(large[which].m, large[which].n, large[which].r);
        router_lab_sample(kind, net, &rng, 10);
        router_lab_regular(kind, net);
    }
    for (size_t which = 0; which < COUNT(radix); which++) {
        struct multistage net = multistage_radix_benes(radix[which].radix, radix[which].levels);
        router_lab_sample(kind, net, &rng, 3);
        router_lab_regular(kind, net);
    }
}

/* One field in each word: crossbars of 70 000 inputs, each of which multistage_trace would
 * examine. */
static void fields_as_wide_as_words(void **state)
{
    (void)state;
    struct rng rng = {MULTISTAGE_PICTURE_SEED + 4};
    struct err err = {0};
    struct router_lab lab = router_lab_new(kind, multistage_clos(2, 2, 70000));
    multistage_picture_round(&rng, lab.net.ports, 250, lab.to);
    assert_int_equal(lab.picture.stage[1].in_word, 1);
    assert_true(clos_any_route(lab.router, lab.to, lab.row, &err));
    assert_int_equal(multistage_picture_carry(&lab.picture, lab.to, lab.row), 0);
    assert_int_equal(multistage_picture_astray(&lab.picture, lab.to), 0);
    router_lab_free(&lab);
}

/* The lanes of middle crossbars n … m-1 carry no signal. */
static void spare_middle_crossbars_stay_empty(void **state)
{
    (void)state;
    struct rng rng = {MULTISTAGE_PICTURE_SEED + 1};
    struct router_lab lab = router_lab_new(kind, multistage_clos(7, 5, 11));
    multistage_picture_round(&rng, 55, 256, lab.to);
    router_lab_check(&lab, lab.to);
    for (unsigned stage = 0; stage < 2; stage++) {
        unsigned bits = stage == 0 ? 3 : 4, in_word = 32 / bits;
        for (uint32_t lane = 0; lane < 77; lane++) {
            uint32_t field =
                lab.row[stage * lab.picture.words + lane / in_word] >> lane % in_word * bits;
            assert_true((field % (1u << bits) == 0) == (lane >= 55));
        }
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
        router_lab_equal(kind, multistage_radix_benes(3, 4), &rng, live);
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
    astray += router_lab_flip(kind, multistage_clos(5, 5, 7), &rng, 256);
    astray += router_lab_flip(kind, multistage_radix_benes(3, 3), &rng, 256);
    assert_true(astray > 1000);
}

static void illegal_rounds_are_refused(void **state)
{
    (void)state;
    router_lab_refuse(kind, multistage_clos(2, 2, 3), "clos");
    router_lab_refuse(kind, multistage_radix_benes(3, 3), "clos");
}

static void networks_that_block_are_refused(void **state)
{
    (void)state;
    const struct multistage net = multistage_clos(4, 5, 6);
    struct err err = {0};
    assert_null(clos_any_new(&net, &err));
    assert_int_equal(err.code, ERR_NETWORK);
    assert_string_equal(
        err.text, "clos: 4 middle crossbars for 5 inputs of each outer one; expected 5 at least, "
                  "so that any permutation passes");
    clos_any_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example),
        cmocka_unit_test(every_round_of_small_networks),
        cmocka_unit_test(sampled_rounds),
        cmocka_unit_test(fields_as_wide_as_words),
        cmocka_unit_test(spare_middle_crossbars_stay_empty),
        cmocka_unit_test(equal_rounds_get_equal_rows),
        cmocka_unit_test(a_flipped_bit_is_seen),
        cmocka_unit_test(illegal_rounds_are_refused),
        cmocka_unit_test(networks_that_block_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
