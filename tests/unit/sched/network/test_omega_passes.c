/* SPDX-License-Identifier: Apache-2.0 */
/* test_omega_passes: rounds divided among passes of an omega network, against the minimum number of
 * passes.
 *
 * State space. Exhaustive: every partial permutation of N = 2 and 4, every permutation of N = 8.
 * Sampled with a printed seed: N = 16, 32 and 64 of several densities. Up to N = 16 the minimum
 * number of passes is found by trying all divisions, on paths from the drawing (omega_picture.h).
 * Closed forms for large N: bit reversal takes 2^⌊K/2⌋ passes for N = 2^K, cyclic shifts take one.
 * More passes than are filled concurrently: bit reversal of 1024 ports takes 32.
 *
 * Checked: each circuit has a pass, idle inputs have none, no pass is empty, no two circuits of a
 * pass share a lane in the drawing; bound ≤ minimum ≤ found, and, if the minimum is known, how
 * often more passes are found. Counter-case: circuits that share a lane in one pass are detected;
 * rejections by code and text.
 */
#include "sched/base/compare.h"
#include "sched/network/omega.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/omega_picture.h"
#include "tests/support/room.h"

#include <stdlib.h>
#include <string.h>

struct passes_lab {
    struct multistage net;
    struct omega_picture omega;
    struct omega_passes *passes;
    uint32_t to[OMEGA_PICTURE_PORTS], pass[OMEGA_PICTURE_PORTS], again[OMEGA_PICTURE_PORTS];
    bool clash[OMEGA_PICTURE_PORTS][OMEGA_PICTURE_PORTS];
    uint64_t rounds, above_bound, above_fewest, worst;
    bool find_fewest;
};

static struct passes_lab lab_new(uint32_t ports, bool find_fewest)
{
    struct passes_lab lab = {.net = multistage_omega(ports), .find_fewest = find_fewest};
    struct err err = {0};
    lab.omega = omega_picture_new(&lab.net);
    lab.passes = omega_passes_new(&lab.net, &err);
    assert_non_null(lab.passes);
    return lab;
}

static void lab_free(struct passes_lab *lab)
{
    omega_picture_free(&lab->omega);
    omega_passes_free(lab->passes);
}

static void find_clashes(struct passes_lab *lab, const uint32_t to[])
{
    uint32_t path[OMEGA_PICTURE_PORTS][OMEGA_PICTURE_STAGES];
    for (uint32_t source = 0; source < lab->net.ports; source++)
        if (to[source] != MULTISTAGE_IDLE)
            omega_picture_path(&lab->omega, source, to[source], path[source]);
    for (uint32_t a = 0; a < lab->net.ports; a++)
        for (uint32_t b = 0; b < lab->net.ports; b++) {
            lab->clash[a][b] = false;
            if (a == b || to[a] == MULTISTAGE_IDLE || to[b] == MULTISTAGE_IDLE)
                continue;
            for (unsigned stage = 0; stage < lab->net.levels; stage++)
                lab->clash[a][b] |= path[a][stage] == path[b][stage];
        }
}

static bool fits(const struct passes_lab *lab, const uint32_t pass[], uint32_t source,
                 uint32_t number)
{
    for (uint32_t before = 0; before < lab->net.ports; before++)
        if (lab->clash[source][before] && pass[before] == number)
            return false;
    return true;
}

/* Returns whether the circuits from `source` on can be added to the earlier ones, in `most` passes,
 * of which `used` are in use. */
static bool can_divide(const struct passes_lab *lab, const uint32_t to[], uint32_t source,
                       uint32_t used, uint32_t most, uint32_t pass[])
{
    if (source == lab->net.ports)
        return true;
    if (to[source] == MULTISTAGE_IDLE)
        return can_divide(lab, to, source + 1, used, most, pass);
    for (uint32_t number = 0; number < most && number <= used; number++) {
        if (!fits(lab, pass, source, number))
            continue;
        pass[source] = number;
        if (can_divide(lab, to, source + 1, used + (number == used), most, pass))
            return true;
        pass[source] = MULTISTAGE_IDLE;
    }
    return false;
}

static uint32_t fewest(const struct passes_lab *lab, const uint32_t to[])
{
    uint32_t pass[OMEGA_PICTURE_PORTS], most = 0;
    do
        memset(pass, 0xff, sizeof pass);
    while (!can_divide(lab, to, 0, 0, most, pass) && ++most > 0);
    return most;
}

/* Checks pass[] and the number of passes; returns whether they are correct. */
static bool divided(const struct passes_lab *lab, const uint32_t to[], uint32_t passes)
{
    uint64_t filled = 0;
    for (uint32_t source = 0; source < lab->net.ports; source++) {
        if (to[source] == MULTISTAGE_IDLE) {
            if (lab->pass[source] != MULTISTAGE_IDLE)
                return false;
            continue;
        }
        if (lab->pass[source] >= passes || !fits(lab, lab->pass, source, lab->pass[source]))
            return false;
        filled |= UINT64_C(1) << lab->pass[source];
    }
    return filled == (UINT64_C(1) << passes) - 1;
}

/* Counter-case: moves a circuit to the pass of a circuit with which it conflicts. */
static void check_rejects(struct passes_lab *lab, const uint32_t to[], uint32_t passes)
{
    for (uint32_t a = 0; a < lab->net.ports; a++)
        for (uint32_t b = 0; b < a; b++)
            if (lab->clash[a][b]) {
                uint32_t before = lab->pass[a];
                lab->pass[a] = lab->pass[b];
                assert_false(divided(lab, to, passes));
                lab->pass[a] = before;
                return;
            }
    assert_true(passes <= 1);
}

static void check_round(void *context, const uint32_t to[])
{
    struct passes_lab *lab = context;
    struct omega_passes_count count, second;
    struct err err = {0};
    assert_true(omega_passes_divide(lab->passes, to, lab->pass, &count, &err));
    find_clashes(lab, to);
    assert_true(divided(lab, to, count.passes));
    assert_true(count.bound <= count.passes);
    check_rejects(lab, to, count.passes);
    lab->rounds++;
    lab->above_bound += count.passes > count.bound;
    lab->worst = MAX(lab->worst, count.passes);
    if (lab->find_fewest) {
        uint32_t least = fewest(lab, to);
        assert_true(count.bound <= least && least <= count.passes);
        lab->above_fewest += count.passes > least;
    }
    /* equal rounds get equal passes, also if they are divided in random orders */
    if (lab->rounds % 100 == 0 || count.passes > count.bound) {
        assert_true(omega_passes_divide(lab->passes, to, lab->again, &second, &err));
        assert_memory_equal(lab->pass, lab->again, lab->net.ports * sizeof lab->pass[0]);
    }
}

static void print_counts(const struct passes_lab *lab)
{
    print_message("%u ports: %llu rounds, %llu above the bound, %llu above the fewest%s, %llu "
                  "passes at most\n",
                  lab->net.ports, (unsigned long long)lab->rounds,
                  (unsigned long long)lab->above_bound, (unsigned long long)lab->above_fewest,
                  lab->find_fewest ? "" : " known", (unsigned long long)lab->worst);
}

static void every_round_of_8_ports_and_fewer(void **state)
{
    (void)state;
    static const struct {
        uint32_t ports;
        bool partial;
        uint64_t all;
    } space[] = {{2, true, 7}, {4, true, 209}, {8, false, 40320}};
    for (size_t which = 0; which < sizeof space / sizeof space[0]; which++) {
        struct passes_lab lab = lab_new(space[which].ports, true);
        assert_int_equal(multistage_picture_every_round(space[which].ports, space[which].partial, 0,
                                                        0, lab.to, check_round, &lab),
                         space[which].all);
        print_counts(&lab);
        assert_int_equal(lab.above_fewest, 0);
        lab_free(&lab);
    }
}

static void sampled_rounds(void **state)
{
    (void)state;
    struct rng rng = {MULTISTAGE_PICTURE_SEED};
    print_message("seed %llu\n", (unsigned long long)MULTISTAGE_PICTURE_SEED);
    for (uint32_t ports = 16; ports <= 64; ports *= 2) {
        struct passes_lab lab = lab_new(ports, ports == 16);
        for (unsigned time = 0; time < 300; time++) {
            multistage_picture_round(&rng, ports, time % 2 ? 256 : rng_below(&rng, 256), lab.to);
            check_round(&lab, lab.to);
        }
        print_counts(&lab);
        assert_true(lab.above_bound <=
                    lab.rounds / 50); /* effect of the iterations: without them, twice as many */
        lab_free(&lab);
    }
}

/* Checks rounds whose minimum number of passes is known; every pass is routed and carried through
 * the drawing. */
static void check_known(const struct multistage *net, const uint32_t to[], uint32_t expected)
{
    struct multistage_picture picture = multistage_picture_new(net);
    struct err err = {0};
    struct omega_passes_count count;
    struct omega_passes *passes = omega_passes_new(net, &err);
    struct omega_router *router = omega_router_new(net, &err);
    uint32_t *pass = room_of(net->ports, sizeof pass[0]),
             *part = room_of(net->ports, sizeof part[0]);
    uint32_t *row = room_of(multistage_picture_row_words(&picture), sizeof row[0]), routed = 0;
    assert_true(omega_passes_divide(passes, to, pass, &count, &err));
    assert_int_equal(count.passes, expected);
    assert_int_equal(count.bound, expected);
    for (uint32_t number = 0; number < count.passes; number++) {
        for (uint32_t source = 0; source < net->ports; source++) {
            part[source] = pass[source] == number ? to[source] : MULTISTAGE_IDLE;
            routed += pass[source] == number;
        }
        assert_true(omega_route(router, part, row, NULL, &err));
        assert_int_equal(multistage_picture_carry(&picture, part, row), 0);
        assert_int_equal(multistage_picture_astray(&picture, part), 0);
    }
    assert_int_equal(routed, net->ports);
    omega_passes_free(passes);
    omega_router_free(router);
    multistage_picture_free(&picture);
    free(pass);
    free(part);
    free(row);
}

static void rounds_with_closed_forms(void **state)
{
    (void)state;
    uint32_t to[4096];
    for (unsigned bits = 1; bits <= 12; bits++) {
        const struct multistage net = multistage_omega(1u << bits);
        for (uint32_t port = 0; port < net.ports; port++) {
            to[port] = 0;
            for (unsigned bit = 0; bit < bits; bit++)
                to[port] |= (port >> bit & 1) << (bits - 1 - bit);
        }
        check_known(&net, to, 1u << bits / 2);
        for (uint32_t port = 0; port < net.ports; port++)
            to[port] = (port + 3) % net.ports;
        check_known(&net, to, 1);
    }
}

static void illegal_rounds_are_refused(void **state)
{
    (void)state;
    struct passes_lab lab = lab_new(8, false);
    struct omega_passes_count count;
    struct err err = {0};
    memset(lab.to, 0xff, sizeof lab.to);
    check_round(&lab, lab.to);
    assert_int_equal(lab.worst, 0);
    lab.to[1] = lab.to[3] = 6;
    assert_false(omega_passes_divide(lab.passes, lab.to, lab.pass, &count, &err));
    assert_int_equal(err.code, ERR_NOT_PERMUTATION);
    assert_string_equal(err.text,
                        "omega: inputs 1 and 3 both want output 6; expected one input at most");
    lab.to[1] = 8;
    assert_false(omega_passes_divide(lab.passes, lab.to, lab.pass, &count, &err));
    assert_int_equal(err.code, ERR_NOT_PERMUTATION);
    lab_free(&lab);
    omega_passes_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_round_of_8_ports_and_fewer),
        cmocka_unit_test(sampled_rounds),
        cmocka_unit_test(rounds_with_closed_forms),
        cmocka_unit_test(illegal_rounds_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
