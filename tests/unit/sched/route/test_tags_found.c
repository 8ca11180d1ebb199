/* SPDX-License-Identifier: Apache-2.0 */
/* test_tags_found: from the circuits of a round to its tag.
 *
 * State space. Exhaustive: all permutations of 2 … 8 ports, all maps of 2 … 6 ports to ports or
 * nowhere; the number that have a tag equals a closed form, and a tag that is found must have every
 * circuit. Sampled with a printed seed: shifts of up to 1023 ports, some of them idle, must be
 * found again.
 *
 * Counter-cases. The other permutations and maps; a shift with one changed circuit.
 */
#include "sched/base/rng.h"
#include "sched/route/setting_period.h"
#include "tests/support/cmocka_all.h"

#define SEED UINT64_C(20261121)

static uint32_t output_of(uint32_t ports, struct tag tag, uint32_t port)
{
    return tag.complement ? port ^ tag.value : (port + tag.value) % ports;
}

static bool agrees(uint32_t ports, struct tag tag, const uint32_t to[])
{
    for (uint32_t port = 0; port < ports; port++)
        if (to[port] != MULTISTAGE_NOWHERE && to[port] != output_of(ports, tag, port))
            return false;
    return true;
}

/* Returns whether a tag was found; if so, checks it. */
static bool has_tag(uint32_t ports, const uint32_t to[])
{
    const struct multistage net = multistage_benes(ports);
    struct tag tag;
    if (!tags_of(&net, to, &tag))
        return false;
    assert_true(tag.value < ports && agrees(ports, tag, to));
    return true;
}

/* Counts the permutations of at[place …] that have a tag. */
static uint64_t count_permutations(uint32_t ports, uint32_t place, uint32_t to[])
{
    uint64_t count = place == ports && has_tag(ports, to);
    for (uint32_t other = place; other < ports; other++) {
        uint32_t held = to[place];
        to[place] = to[other], to[other] = held;
        count += count_permutations(ports, place + 1, to);
        held = to[place];
        to[place] = to[other], to[other] = held;
    }
    return count;
}

/* N shifts and N complements; the shifts and complements by 0 and by N/2 are equal. */
static void all_permutations(void **state)
{
    (void)state;
    for (uint32_t ports = 2; ports <= 8; ports++) {
        uint32_t to[] = {0, 1, 2, 3, 4, 5, 6, 7};
        bool power = (ports & (ports - 1)) == 0;
        assert_int_equal(count_permutations(ports, 0, to), power ? 2 * ports - 2 : ports);
    }
}

/* Counts the maps to[place …] to ports or nowhere that have a tag. */
static uint64_t count_maps(uint32_t ports, uint32_t place, uint32_t to[])
{
    if (place == ports)
        return has_tag(ports, to);
    uint64_t count = 0;
    for (uint32_t output = 0; output <= ports; output++) {
        to[place] = output < ports ? output : MULTISTAGE_NOWHERE;
        count += count_maps(ports, place + 1, to);
    }
    return count;
}

/* Returns the number of maps with a tag: a shift has 2^N - 1 nonempty parts, which belong to no
 * other shift; the same holds for complements; a shift and a complement that agree on k ports share
 * 2^k - 1 of these parts. The empty map has a tag as well. */
static uint64_t expected_maps(uint32_t ports)
{
    uint64_t parts = ports * ((UINT64_C(1) << ports) - 1), common = 0;
    if ((ports & (ports - 1)) != 0)
        return parts + 1;
    for (uint32_t shift = 0; shift < ports; shift++)
        for (uint32_t value = 0; value < ports; value++) {
            unsigned same = 0;
            for (uint32_t port = 0; port < ports; port++)
                same += (port + shift) % ports == (port ^ value);
            common += (UINT64_C(1) << same) - 1;
        }
    return 2 * parts - common + 1;
}

static void all_maps(void **state)
{
    (void)state;
    for (uint32_t ports = 2; ports <= 6; ports++) {
        uint32_t to[6];
        assert_int_equal(count_maps(ports, 0, to), expected_maps(ports));
    }
    assert_int_equal(expected_maps(2), 7); /* of 9: but for 0, 0 and 1, 1 */
    assert_int_equal(expected_maps(3), 22);
}

/* A random shift is found again from its circuits; an idle round has the shift by 0; a round with a
 * changed circuit has no tag. */
static void found_again(void **state)
{
    (void)state;
    static uint32_t to[1025];
    struct rng rng = {SEED};
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned sample = 0; sample < 200; sample++) {
        uint32_t ports = 5 + rng_below(&rng, 1019), shift = rng_below(&rng, ports);
        const struct multistage net = multistage_benes(ports);
        struct tag tag;
        for (uint32_t port = 0; port < ports; port++)
            to[port] = rng_below(&rng, 4) ? (port + shift) % ports : MULTISTAGE_NOWHERE;
        for (uint32_t port = 0; port < 4; port++)
            to[port] = (port + shift) % ports;
        assert_true(tags_of(&net, to, &tag) && agrees(ports, tag, to));
        assert_true(tag.complement || tag.value == shift);
        to[3] = (4 + shift) % ports;
        assert_false(tags_of(&net, to, &tag));
        for (uint32_t port = 0; port < ports; port++)
            to[port] = MULTISTAGE_NOWHERE;
        to[ports] = 1; /* not a port */
        assert_true(tags_of(&net, to, &tag) && !tag.complement && tag.value == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_permutations),
        cmocka_unit_test(all_maps),
        cmocka_unit_test(found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
