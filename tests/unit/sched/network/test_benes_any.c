/* SPDX-License-Identifier: Apache-2.0 */
/* test_benes_any: Beneš networks of any size, their settings followed through a drawing.
 *
 * State space. Exhaustive: every partial permutation of N = 2 … 7 ports, whose number has a closed
 * form (130 922 for 7), and every permutation of 8. Sampled with a printed seed: densities from
 * full to empty for every N up to 200 and some larger ones, on both sides of powers of two; regular
 * rounds.
 *
 * Checks of a routed round (multistage_picture.h): all circuits arrive, no switch without a circuit
 * is crossed, no bit is set that belongs to no switch, and multistage_trace agrees. Tiles, 64 lanes
 * at once, are routed in two ways that must agree. The drawing is compared with the one of five
 * ports in multistage.h, switch by switch. Equal rounds get equal rows. Counter-cases: the drawing
 * detects a flipped switch; rejections by code and text.
 */
#include "sched/base/rng.h"
#include "sched/network/benes_block.h"
#include "sched/network/network_kind.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/router_lab.h"

#define SEED UINT64_C(20261123)

/* Tests the looping algorithm of benes_any.c, also for powers of two. */
static struct router_lab_sizes sizes = {&network_kind_waksman, multistage_benes, "benes"};

/* The drawing of N = 5 at the head of multistage.h, transcribed by hand. */
static void the_drawing_is_that_of_the_header(void **state)
{
    (void)state;
    static const struct {
        unsigned stage;
        uint32_t sw, low, high;
    } drawn[] = {{0, 0, 0, 2}, {0, 1, 1, 3}, {1, 0, 0, 1}, {1, 1, 2, 3},
                 {2, 1, 3, 4}, {3, 1, 2, 3}, {4, 0, 0, 2}, {4, 1, 1, 3}};
    const struct multistage net = multistage_benes(5);
    struct multistage_picture picture = multistage_picture_new(&net);
    size_t boxes = 0;
    assert_int_equal(picture.stages, 5);
    for (unsigned s = 0; s < picture.stages; s++) {
        for (uint32_t b = 0; b < picture.stage[s].count; b++, boxes++) {
            const struct multistage_picture_box *box = &picture.stage[s].box[b];
            assert_true(boxes < sizeof drawn / sizeof drawn[0] && drawn[boxes].stage == s);
            assert_int_equal(box->sw, drawn[boxes].sw);
            assert_int_equal(box->in[0], drawn[boxes].low);
            assert_int_equal(box->in[1], drawn[boxes].high);
        }
    }
    assert_int_equal(boxes, sizeof drawn / sizeof drawn[0]);
    multistage_picture_free(&picture);
}

/* The example at the head of benes_any.c. */
static void the_worked_example(void **state)
{
    (void)state;
    struct router_lab lab = router_lab_new(&network_kind_waksman, multistage_benes(5));
    const uint32_t to[] = {3, 0, 4, 1, 2};
    router_lab_check(&lab, to);
    assert_int_equal(lab.row[0], 0);
    assert_int_equal(lab.row[4] & 3, 2); /* switch 0 straight, 1 crossed */
    router_lab_free(&lab);
}

/* Stores all kinds of tiles of a network; returns their number. */
static uint32_t tiles_of(const struct multistage *net, struct benes_tile tile[])
{
    uint32_t known = 0;
    for (uint32_t number = 0; number >> benes_tile_top(net) == 0; number++) {
        uint32_t which = benes_tile_find(net, number, tile, known);
        known += which == known;
        assert_true(known <= BENES_TILE_KINDS);
        assert_int_equal(benes_tile_find(net, number, tile, known), which);
    }
    return known;
}

/* CPUs that permute 64 bytes at once use another implementation; both must give the same
 * settings. */
static void compare_routes(const struct benes_tile *tile, struct rng *rng, benes_tile_fn *best)
{
    uint32_t drawn[BENES_TILE], lanes = (uint32_t)__builtin_popcountll(tile->key[0]);
    uint64_t walked[BENES_TILE_STAGES] = {0}, fast[BENES_TILE_STAGES] = {0};
    uint8_t from[BENES_TILE];
    rng_permutation(rng, lanes, drawn);
    for (uint32_t lane = 0; lane < BENES_TILE; lane++)
        from[lane] = (uint8_t)(lane < lanes ? drawn[lane] : lane);
    benes_tile_walk(tile, from, walked);
    best(tile, from, fast);
    assert_memory_equal(walked, fast, sizeof walked);
}

static void the_fastest_tile_equals_the_walk(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    static struct benes_tile tile[BENES_TILE_KINDS + 1];
    print_message("%s, seed %llu\n",
                  benes_tile_best() == benes_tile_walk ? "no vectors here, the walk against itself"
                                                       : "vectors",
                  (unsigned long long)SEED);
    for (uint32_t ports = 2; ports < 700; ports++) {
        struct multistage net = ports % 2 ? multistage_waksman(ports) : multistage_benes(ports);
        uint32_t known = tiles_of(&net, tile);
        for (uint32_t which = 0; which < known; which++)
            for (unsigned time = 0; time < 5; time++)
                compare_routes(&tile[which], &rng, benes_tile_best());
    }
}

/* The number of kinds of tiles is at most the maximum of benes_block.h; it is one if all tiles are
 * equal. */
static void kinds_of_tiles_are_few(void **state)
{
    (void)state;
    static struct benes_tile tile[BENES_TILE_KINDS + 1];
    struct multistage many = multistage_benes(8290), one = multistage_benes(4096);
    assert_int_equal(tiles_of(&many, tile), BENES_TILE_KINDS);
    assert_int_equal(tiles_of(&one, tile), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_drawing_is_that_of_the_header),
        cmocka_unit_test(the_worked_example),
        cmocka_unit_test(the_fastest_tile_equals_the_walk),
        cmocka_unit_test(kinds_of_tiles_are_few),
        ROUTER_LAB_TESTS(&sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
