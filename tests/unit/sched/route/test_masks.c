/* SPDX-License-Identifier: Apache-2.0 */
/* test_masks: affine maps through the switches that masks set.
 *
 * State space. A network benes:N of a power of two and an affine map. Exhaustive: all affine maps
 * for N = 2, 4, 8 and 16 (for 16 every 11th; `make test-all` runs all), 2^K (2^K - 1)(2^K - 2) …
 * (2^K - 2^(K-1)) in number, and all bit-permute-complements for N = 16, port by port. Each port is
 * followed through all stages by multistage_trace, which knows no mask; the looping of
 * network_route must bring it to the same place. Sampled with a printed seed: N up to 65536. Maps
 * from masks: all rows of masks for N = 2 and 4, random rows up to N = 128; each sets an affine
 * map. N = 4 by hand.
 *
 * Counter-case. A mask with a flipped bit misroutes half of the ports, or all.
 */
#include "sched/base/compare.h"
#include "sched/machine/expand.h"
#include "sched/network/network_router.h"
#include "sched/route/affine.h"
#include "tests/support/affine_reference.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"

#include <stdlib.h>

#define SEED UINT64_C(20261124)
#define MOST_STAGES 32
#define MAPS 11 /* of the affine maps of 16 ports one in so many */

/* Memory for a row of settings, of exactly the guaranteed sufficient size. */
struct row {
    struct multistage net;
    uint32_t words, mask[MOST_STAGES];
    uint32_t *setting; /* setting[stages][words] */
};

static struct row row_new(uint32_t ports)
{
    struct row row = {.net = multistage_benes(ports)};
    row.words = multistage_row_words(&row.net);
    row.setting = malloc(multistage_stages(&row.net) * row.words * sizeof *row.setting);
    assert_true(row.setting != NULL && multistage_stages(&row.net) <= MOST_STAGES);
    return row;
}

static void expand(struct row *row)
{
    for (unsigned stage = multistage_stages(&row->net); stage-- > 0;)
        masks_settings(&row->net, row->mask[stage], row->setting + (size_t)stage * row->words);
}

/* Returns the number of ports that do not reach the port of the map. */
static uint32_t strays(const struct row *row, const struct affine *map)
{
    uint32_t strayed = 0;
    for (uint32_t port = 0; port < row->net.ports; port++)
        strayed +=
            multistage_trace(&row->net, row->setting, port) != affine_reference_image(map, port);
    return strayed;
}

static void check_map(struct row *row, const struct affine *map)
{
    masks_route(&row->net, map, row->mask);
    for (unsigned stage = 0; stage < multistage_stages(&row->net); stage++)
        assert_true(row->mask[stage] < row->net.ports);
    expand(row);
    if (strays(row, map) != 0)
        fail_msg("benes:%u: constant %u strays %u ports", row->net.ports, map->constant,
                 strays(row, map));
}

static void every_affine_map(void **state)
{
    (void)state;
    static const uint64_t counts[] = {2, 24, 1344, 16 * 15 * 14 * 12 * 8};
    for (unsigned bits = 1; bits <= 4; bits++) {
        struct row row = row_new(1u << bits);
        const unsigned stride = bits == 4 ? running_stride(MAPS) : 1;
        uint64_t count = 0;
        for (uint32_t code = 0; code < affine_reference_codes(bits); code++) {
            const struct affine map = affine_reference_coded(bits, code);
            if (!affine_reference_invertible(&map))
                continue;
            if (count++ % stride == 0)
                check_map(&row, &map);
        }
        assert_int_equal(count, counts[bits - 1]);
        free(row.setting);
    }
}

/* All of N = 16, from circuits: bit j of the output is bit from[j] of the input, or its
 * complement. */
static void every_bit_permute_complement(void **state)
{
    (void)state;
    struct row row = row_new(16);
    struct network_router *router = network_router_new(&row.net, NULL);
    uint32_t count = 0, to[16], looped[7];
    assert_true(router != NULL && row.words == 1);
    for (uint32_t code = 0; code < 256 * 16; code++) {
        uint32_t from[4], used = 0;
        for (unsigned j = 0; j < 4; j++)
            used |= 1u << (from[j] = code >> 2 * j & 3);
        if (used != 15)
            continue;
        for (uint32_t port = 0; port < 16; port++) {
            to[port] = code >> 8;
            for (unsigned j = 0; j < 4; j++)
                to[port] ^= (port >> from[j] & 1) << j;
        }
        struct affine_part part = affine_begin(&row.net);
        assert_true(affine_join(&part, to));
        const struct affine map = affine_complete(&part);
        check_map(&row, &map);
        assert_true(network_route(router, to, looped, NULL));
        for (uint32_t port = 0; port < 16; port++) {
            assert_int_equal(multistage_trace(&row.net, row.setting, port), to[port]);
            assert_int_equal(multistage_trace(&row.net, looped, port), to[port]);
        }
        count++;
    }
    assert_int_equal(count, 24 * 16);
    network_router_free(router);
    free(row.setting);
}

static void large_networks(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    uint32_t most = 0;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned sample = 0; sample < 60; sample++) {
        struct row row = row_new(UINT32_C(32) << sample % 12);
        struct affine map = affine_reference_draw(&rng, row.net.levels);
        unsigned stage = rng_below(&rng, multistage_stages(&row.net));
        check_map(&row, &map);
        row.mask[stage] ^= UINT32_C(1) << rng_below(&rng, row.net.levels);
        expand(&row);
        assert_true(strays(&row, &map) >= row.net.ports / 2);
        most = MAX(most, row.net.ports);
        free(row.setting);
    }
    assert_int_equal(most, 65536);
}

/* Compares the settings with the rule in the header, switch by switch. */
static void settings_are_those_of_the_rule(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    for (uint32_t ports = 2; ports <= 1024; ports *= 2) {
        struct row row = row_new(ports);
        for (uint32_t mask = 0; mask<ports; mask += ports> 64 ? 1 + rng_below(&rng, 9) : 1) {
            masks_settings(&row.net, mask, row.setting);
            for (uint32_t sw = 0; sw < ports / 2; sw++) {
                unsigned common = 0;
                for (unsigned bit = 0; bit < row.net.levels; bit++)
                    common += (mask >> bit & 1) && ((ports / 2 + sw) >> bit & 1);
                assert_int_equal(multistage_field(row.setting, 1, sw), common % 2);
                assert_int_equal(masks_crossed(&row.net, mask, sw), common % 2);
            }
        }
        free(row.setting);
    }
}

/* A flipped bit changes half of a stage's switches, or all: the words on them are misrouted. */
static void a_flipped_bit_strays(void **state)
{
    (void)state;
    uint32_t flipped = 0;
    for (unsigned bits = 1; bits <= 6; bits++) {
        struct row row = row_new(1u << bits);
        struct affine map = {.bits = bits, .constant = 1};
        for (unsigned j = 0; j < bits; j++)
            map.column[j] = 1u << (bits - 1 - j); /* bit reversal */
        check_map(&row, &map);
        for (unsigned stage = 0; stage < multistage_stages(&row.net); stage++)
            for (unsigned bit = 0; bit < bits; bit++, flipped++) {
                row.mask[stage] ^= 1u << bit;
                expand(&row);
                assert_int_equal(strays(&row, &map),
                                 bit == bits - 1 ? row.net.ports : row.net.ports / 2);
                row.mask[stage] ^= 1u << bit;
            }
        free(row.setting);
    }
    assert_int_equal(flipped, 1 + 3 * 2 + 5 * 3 + 7 * 4 + 9 * 5 + 11 * 6);
}

/* For any masks, the network performs an affine map. */
static void all_masks_make_affine_maps(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    for (unsigned bits = 1; bits <= 7; bits++) {
        struct row row = row_new(1u << bits);
        unsigned stages = multistage_stages(&row.net);
        for (uint32_t code = 0; code < (bits < 3 ? 1u << bits * stages : 300); code++) {
            for (unsigned stage = 0; stage < stages; stage++)
                row.mask[stage] = bits < 3 ? code >> bits * stage & (row.net.ports - 1)
                                           : rng_below(&rng, row.net.ports);
            expand(&row);
            struct affine map = {.bits = bits,
                                 .constant = multistage_trace(&row.net, row.setting, 0)};
            for (unsigned j = 0; j < bits; j++)
                map.column[j] = map.constant ^ multistage_trace(&row.net, row.setting, 1u << j);
            assert_int_equal(strays(&row, &map), 0);
        }
        free(row.setting);
    }
}

/* The example of affine.h; a complement of 3 crosses both switches of a level once, by bit K-1 of
 * the mask. */
static void four_lanes_by_hand(void **state)
{
    (void)state;
    struct row row = row_new(4);
    check_map(&row, &(struct affine){.bits = 2, .column = {2, 1}});
    assert_true(row.mask[0] == 1 && row.mask[1] == 1 && row.mask[2] == 1);
    check_map(&row, &(struct affine){.bits = 2, .column = {1, 2}, .constant = 3});
    assert_true(row.mask[0] == 0 && row.mask[1] == 2 && row.mask[2] == 2);
    check_map(&row, &(struct affine){.bits = 2, .column = {1, 2}});
    assert_true(row.mask[0] == 0 && row.mask[1] == 0 && row.mask[2] == 0);
    free(row.setting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_affine_map),     cmocka_unit_test(every_bit_permute_complement),
        cmocka_unit_test(large_networks),       cmocka_unit_test(settings_are_those_of_the_rule),
        cmocka_unit_test(a_flipped_bit_strays), cmocka_unit_test(all_masks_make_affine_maps),
        cmocka_unit_test(four_lanes_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
