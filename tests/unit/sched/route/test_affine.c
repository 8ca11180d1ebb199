/* SPDX-License-Identifier: Apache-2.0 */
/* test_affine: from the circuits of a round to an affine map.
 *
 * State space. Exhaustive: all permutations of 2, 4 and 8 ports, 2, 24 and 1344 of them affine; all
 * maps of 2 and 4 ports to ports or nowhere, against a search of all affine maps, which are built
 * from their columns. Sampled with a printed seed: partial permutations of 8 ports; circuits of
 * random maps of up to 4096 ports, from which a map must be found, and exactly that map once the
 * circuits determine it; for 8 ports, the choice of the undetermined part, compared with all sums
 * of the known part.
 *
 * Counter-cases. The other permutations and maps; a circuit with a changed destination.
 */
#include "tests/support/affine_reference.h"
#include "tests/support/cmocka_all.h"

#define SEED UINT64_C(20261125)
#define MOST 4096

/* Returns whether a round is part of an affine map. Checks that a map that is found agrees with the
 * round, and that a rejected circuit leaves the known part unchanged. */
static bool is_affine(unsigned bits, const uint32_t to[])
{
    const struct multistage net = multistage_benes(UINT32_C(1) << bits);
    struct affine_part part = affine_begin(&net), before = part;
    if (!affine_join(&part, to)) {
        assert_memory_equal(&part, &before, sizeof part);
        return false;
    }
    const struct affine map = affine_complete(&part);
    assert_true(map.bits == bits && affine_reference_invertible(&map) &&
                affine_reference_agrees(&map, to));
    return true;
}

static void apply_by_hand(void **state)
{
    (void)state;
    const struct affine map = {.bits = 3, .column = {3, 6, 5}, .constant = 4};
    static const uint32_t images[] = {4, 7, 2, 1, 1, 2, 7, 4}; /* columns whose sum is 0 */
    for (uint32_t x = 0; x < 8; x++)
        assert_int_equal(affine_apply(&map, x), images[x]);
    assert_false(affine_reference_invertible(&map));
}

static uint32_t count_permutations(unsigned bits, uint32_t place, uint32_t to[])
{
    uint32_t count = place == 1u << bits && is_affine(bits, to);
    for (uint32_t other = place; other < 1u << bits; other++) {
        uint32_t held = to[place];
        to[place] = to[other], to[other] = held;
        count += count_permutations(bits, place + 1, to);
        held = to[place];
        to[place] = to[other], to[other] = held;
    }
    return count;
}

static void all_permutations(void **state)
{
    (void)state;
    static const uint32_t counts[] = {1, 2, 24, 1344};
    for (unsigned bits = 1; bits <= 3; bits++) {
        uint32_t to[] = {0, 1, 2, 3, 4, 5, 6, 7};
        assert_int_equal(count_permutations(bits, 0, to), counts[bits]);
    }
}

/* Returns whether some map agrees with the round; tries all maps. */
static bool some_agrees(unsigned bits, const uint32_t to[])
{
    for (uint32_t code = 0; code < affine_reference_codes(bits); code++) {
        const struct affine map = affine_reference_coded(bits, code);
        if (affine_reference_agrees(&map, to) && affine_reference_invertible(&map))
            return true;
    }
    return false;
}

static uint32_t check_maps(unsigned bits, uint32_t place, uint32_t to[])
{
    uint32_t count = 0;
    if (place == 1u << bits) {
        assert_int_equal(is_affine(bits, to), some_agrees(bits, to));
        return 1;
    }
    for (uint32_t output = 0; output <= 1u << bits; output++) {
        to[place] = output < 1u << bits ? output : MULTISTAGE_IDLE;
        count += check_maps(bits, place + 1, to);
    }
    return count;
}

static void all_maps(void **state)
{
    (void)state;
    uint32_t to[4];
    assert_int_equal(check_maps(1, 0, to), 3 * 3);
    assert_int_equal(check_maps(2, 0, to), 5 * 5 * 5 * 5);
}

/* Maps of 8 ports, any of which may be idle. */
static void some_maps(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    unsigned affine = 0;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned sample = 0; sample < 1500; sample++) {
        uint32_t to[8], keep = 1 + rng_below(&rng, 8);
        rng_permutation(&rng, 8, to);
        for (uint32_t port = 0; port < 8; port++)
            to[port] = rng_below(&rng, 8) < keep ? to[port] : MULTISTAGE_IDLE;
        bool is = is_affine(3, to);
        assert_int_equal(is, some_agrees(3, to));
        affine += is;
    }
    assert_true(affine > 300 && affine < 1200);
}

static void found_again(void **state)
{
    (void)state;
    static uint32_t to[MOST];
    struct rng rng = {SEED};
    unsigned whole = 0;
    for (unsigned sample = 0; sample < 120; sample++) {
        unsigned bits = 3 + sample % 10;
        const struct affine drawn = affine_reference_draw(&rng, bits);
        const struct multistage net = multistage_benes(UINT32_C(1) << bits);
        struct affine_part part = affine_begin(&net);
        uint32_t keep = 1 + rng_below(&rng, 64);
        for (uint32_t x = 0; x < net.ports; x++)
            to[x] = x < 2 || rng_below(&rng, 64) < keep ? affine_apply(&drawn, x) : MULTISTAGE_IDLE;
        assert_true(is_affine(bits, to) && affine_join(&part, to));
        const struct affine found = affine_complete(&part);
        assert_true(affine_reference_agrees(&found, to));
        to[4] = affine_apply(&drawn, 4);
        to[5] = affine_apply(&drawn, 5) ^ 1; /* 0, 1, 4 and 5 add up to 0, their images do not */
        assert_false(is_affine(bits, to));
        if (keep == 64) {
            assert_memory_equal(&found, &drawn, sizeof found);
            whole++;
        }
    }
    assert_true(whole > 0);
}

/* Bits that are not determined keep their positions if possible. */
static void idle_bits_stay(void **state)
{
    (void)state;
    const struct multistage net = multistage_benes(16);
    struct affine_part part = affine_begin(&net);
    struct affine map = affine_complete(&part);
    for (uint32_t x = 0; x < 16; x++)
        assert_int_equal(affine_apply(&map, x), x);
    assert_true(affine_add(&part, 3, 9)); /* a complement of 10 */
    map = affine_complete(&part);
    for (uint32_t x = 0; x < 16; x++)
        assert_int_equal(affine_apply(&map, x), x ^ 10);
    assert_false(affine_add(&part, 4, 9) || affine_add(&part, 3, 8));
    /* bit 0 → bit 1, bit 2 → bit 0 */
    assert_true(affine_add(&part, 2, 11) && affine_add(&part, 7, 8));
    map = affine_complete(&part);
    assert_true(affine_apply(&map, 6) == (9 ^ 2 ^ 1) && map.column[3] == 8 && map.column[1] == 4);
}

enum { BITS = 3, VECTORS = 1 << (BITS + 1), NOWHERE = VECTORS };

/* All sums of the known vectors: the image of each, and whether an output is the image of one. */
struct sums {
    uint32_t to[VECTORS];
    bool comes[VECTORS];
};

/* Adds a known vector: all its sums with the vectors that were known before. */
static void add_sum(struct sums *sums, uint32_t in, uint32_t out)
{
    if (sums->to[in] != NOWHERE)
        return;
    const struct sums before = *sums;
    for (uint32_t x = 0; x < VECTORS; x++)
        if (before.to[x] != NOWHERE) {
            sums->to[x ^ in] = before.to[x] ^ out;
            sums->comes[before.to[x] ^ out] = true;
        }
}

/* Returns the image of an undetermined bit, which keeps its position if possible. */
static uint32_t free_bit(const struct sums *sums, uint32_t in)
{
    uint32_t out = in;
    for (uint32_t bit = 1; sums->comes[out]; bit *= 2)
        out = bit;
    return out;
}

/* Some ports of 8, from random maps. */
static void other_bits_go_to_the_lowest_free(void **state)
{
    (void)state;
    struct rng rng = {SEED + 1};
    unsigned moved = 0;
    print_message("seed %llu\n", (unsigned long long)SEED + 1);
    for (unsigned sample = 0; sample < 1000; sample++) {
        const struct multistage net = multistage_benes(1 << BITS);
        const struct affine drawn = affine_reference_draw(&rng, BITS);
        struct affine_part part = affine_begin(&net);
        struct sums sums = {.comes = {true}};
        for (uint32_t x = 1; x < VECTORS; x++)
            sums.to[x] = NOWHERE;
        for (uint32_t known = rng_below(&rng, BITS + 1); known > 0; known--) {
            uint32_t x = rng_below(&rng, 1 << BITS), y = affine_apply(&drawn, x);
            assert_true(affine_add(&part, x, y));
            add_sum(&sums, x | 1 << BITS, y | 1 << BITS);
        }
        const struct affine map = affine_complete(&part);
        for (unsigned bit = 0; bit <= BITS; bit++) {
            uint32_t in = UINT32_C(1) << bit;
            if (sums.to[in] == NOWHERE)
                add_sum(&sums, in, free_bit(&sums, in));
            moved += sums.to[in] != in;
            assert_int_equal(bit < BITS ? map.column[bit] : map.constant | in, sums.to[in]);
        }
    }
    assert_true(moved > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(apply_by_hand),
        cmocka_unit_test(all_permutations),
        cmocka_unit_test(all_maps),
        cmocka_unit_test(some_maps),
        cmocka_unit_test(found_again),
        cmocka_unit_test(idle_bits_stay),
        cmocka_unit_test(other_bits_go_to_the_lowest_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
