/* SPDX-License-Identifier: Apache-2.0 */
/* test_omega: settings and conflicts of omega networks.
 *
 * State space. Exhaustive: every partial permutation of N = 2 and 4, every permutation of N = 8; as
 * many permutations pass as there are settings, 2^(N/2 · log2 N): 2, 16 and 4096. Sampled with a
 * printed seed: N = 16, 32 and 64 at densities at which some rounds pass and others do not. All
 * cyclic shifts of N = 2 … 1024, which pass (Lawrie 1975).
 *
 * Checked: a round passes if and only if no two paths through the drawing (omega_picture.h) share a
 * lane; in the drawing, a row connects every circuit to its output; the reported conflict is the
 * first one in the order of stage and switch, and its two circuits share the lane there.
 * Counter-case: any flipped switch misroutes two circuits. Rejections by code and text.
 */
#include "sched/network/omega.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/omega_picture.h"
#include "tests/support/room.h"

#include <stdlib.h>
#include <string.h>

struct omega_lab {
    struct multistage net;
    struct omega_picture omega;
    struct omega_router *router;
    uint32_t to[OMEGA_PICTURE_PORTS], row[2 * OMEGA_PICTURE_STAGES];
    uint64_t passed, blocked, full_passed;
};

static struct omega_lab lab_new(uint32_t ports)
{
    struct omega_lab lab = {.net = multistage_omega(ports)};
    struct err err = {0};
    lab.omega = omega_picture_new(&lab.net);
    lab.router = omega_router_new(&lab.net, &err);
    assert_non_null(lab.router);
    return lab;
}

static void lab_free(struct omega_lab *lab)
{
    omega_picture_free(&lab->omega);
    omega_router_free(lab->router);
}

/* Finds the first conflict by the drawing; returns false if there is none. */
static bool first_conflict(const struct omega_lab *lab, const uint32_t to[],
                           struct omega_conflict *first)
{
    uint32_t path[OMEGA_PICTURE_PORTS][OMEGA_PICTURE_STAGES];
    bool found = false;
    for (uint32_t source = 0; source < lab->net.ports; source++)
        if (to[source] != MULTISTAGE_IDLE)
            omega_picture_path(&lab->omega, source, to[source], path[source]);
    for (unsigned stage = 0; stage < lab->net.levels && !found; stage++) {
        for (uint32_t b = 1; b < lab->net.ports; b++)
            for (uint32_t a = 0; a < b; a++) {
                if (to[a] == MULTISTAGE_IDLE || to[b] == MULTISTAGE_IDLE ||
                    path[a][stage] != path[b][stage])
                    continue;
                uint32_t sw = lab->omega.box[stage][path[a][stage]]->sw;
                if (found && sw >= first->sw)
                    continue;
                *first = (struct omega_conflict){stage, sw, {a, b}, {to[a], to[b]}};
                found = true;
            }
    }
    return found;
}

static void check_round(void *context, const uint32_t to[])
{
    struct omega_lab *lab = context;
    struct omega_conflict expected = {0}, reported = {0};
    struct err err = {0};
    bool blocked = first_conflict(lab, to, &expected);
    memset(lab->row, 0xa5, sizeof lab->row);
    assert_int_equal(omega_route(lab->router, to, lab->row, &reported, &err), !blocked);
    if (!blocked) {
        multistage_picture_check(&lab->omega.picture, &lab->net, to, lab->row);
        lab->passed++;
        return;
    }
    lab->blocked++;
    assert_int_equal(err.code, ERR_BLOCKED);
    assert_int_equal(reported.stage, expected.stage);
    assert_int_equal(reported.sw, expected.sw);
    assert_memory_equal(reported.source, expected.source, sizeof reported.source);
    assert_memory_equal(reported.destination, expected.destination, sizeof reported.destination);
}

static void every_round_of_8_ports_and_fewer(void **state)
{
    (void)state;
    static const struct {
        uint32_t ports;
        bool partial;
        uint64_t all, pass; /* 0: no known closed form */
    } space[] = {{2, false, 2, 2},
                 {4, false, 24, 16},
                 {8, false, 40320, 4096},
                 {2, true, 7, 7},
                 {4, true, 209, 0}};
    for (size_t which = 0; which < sizeof space / sizeof space[0]; which++) {
        struct omega_lab lab = lab_new(space[which].ports);
        uint64_t count = multistage_picture_every_round(space[which].ports, space[which].partial, 0,
                                                        0, lab.to, check_round, &lab);
        assert_int_equal(count, space[which].all);
        assert_int_equal(lab.passed + lab.blocked, count);
        if (space[which].pass > 0)
            assert_int_equal(lab.passed, space[which].pass);
        lab_free(&lab);
    }
}

static void sampled_rounds(void **state)
{
    (void)state;
    struct rng rng = {MULTISTAGE_PICTURE_SEED};
    print_message("seed %llu\n", (unsigned long long)MULTISTAGE_PICTURE_SEED);
    for (uint32_t ports = 8; ports <= 64; ports *= 2) {
        struct omega_lab lab = lab_new(ports);
        for (unsigned time = 0; time < 2000; time++) {
            multistage_picture_round(&rng, ports, rng_below(&rng, 1 + 1024 / ports), lab.to);
            check_round(&lab, lab.to);
        }
        print_message("%u ports: %llu pass, %llu do not\n", ports, (unsigned long long)lab.passed,
                      (unsigned long long)lab.blocked);
        assert_true(lab.passed > 100 && lab.blocked > 100);
        lab_free(&lab);
    }
}

static void cyclic_shifts_pass(void **state)
{
    (void)state;
    for (uint32_t ports = 2; ports <= 1024; ports *= 2) {
        const struct multistage net = multistage_omega(ports);
        struct multistage_picture picture = multistage_picture_new(&net);
        struct err err = {0};
        struct omega_router *router = omega_router_new(&net, &err);
        uint32_t *to = room_of(ports, sizeof to[0]);
        uint32_t *row = room_of(multistage_picture_row_words(&picture), sizeof row[0]);
        for (uint32_t shift = 0; shift < ports; shift++) {
            for (uint32_t input = 0; input < ports; input++)
                to[input] = (input + shift) % ports;
            assert_true(omega_route(router, to, row, NULL, &err));
            assert_int_equal(multistage_picture_carry(&picture, to, row), 0);
            assert_int_equal(multistage_picture_astray(&picture, to), 0);
        }
        omega_router_free(router);
        multistage_picture_free(&picture);
        free(to);
        free(row);
    }
}

/* Each circuit has only one path, so every permutation that passes has a row of its own, and a
 * flipped switch misroutes two circuits. */
static void a_flipped_switch_is_seen(void **state)
{
    (void)state;
    struct omega_lab lab = lab_new(16);
    for (uint32_t input = 0; input < 16; input++)
        lab.to[input] = (input + 5) % 16;
    check_round(&lab, lab.to);
    for (unsigned stage = 0; stage < 4; stage++)
        for (uint32_t sw = 0; sw < 8; sw++) {
            lab.row[stage] ^= 1u << sw;
            multistage_picture_carry(&lab.omega.picture, lab.to, lab.row);
            assert_int_equal(multistage_picture_astray(&lab.omega.picture, lab.to), 2);
            lab.row[stage] ^= 1u << sw;
        }
    lab_free(&lab);
}

/* The example at the head of omega.h, and rounds that no network passes. */
static void what_is_refused_is_reported(void **state)
{
    (void)state;
    struct omega_lab lab = lab_new(8);
    struct err err = {0};
    memset(lab.to, 0xff, sizeof lab.to);
    lab.to[1] = 6;
    lab.to[3] = 7;
    assert_false(omega_route(lab.router, lab.to, lab.row, NULL, &err));
    assert_int_equal(err.code, ERR_BLOCKED);
    assert_string_equal(err.text,
                        "omega: stage 1, switch 3: circuits 1 → 6 and 3 → 7 both need lane 7; "
                        "expected a round that passes (split)");
    assert_string_equal(err_name(err.code), "blocked");
    assert_int_equal(err_exit_status(err.code), 2);
    lab.to[5] = 6;
    assert_false(omega_route(lab.router, lab.to, lab.row, NULL, &err));
    assert_int_equal(err.code, ERR_NOT_PERMUTATION);
    assert_string_equal(err.text,
                        "omega: inputs 1 and 5 both want output 6; expected one input at most");
    lab.to[5] = 8;
    assert_false(omega_route(lab.router, lab.to, lab.row, NULL, &err));
    assert_int_equal(err.code, ERR_NOT_PERMUTATION);
    assert_string_equal(err.text, "omega: input 5 wants output 8; expected 0 … 7 or idle");
    lab_free(&lab);
    omega_router_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_round_of_8_ports_and_fewer),
        cmocka_unit_test(sampled_rounds),
        cmocka_unit_test(cyclic_shifts_pass),
        cmocka_unit_test(a_flipped_switch_is_seen),
        cmocka_unit_test(what_is_refused_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
