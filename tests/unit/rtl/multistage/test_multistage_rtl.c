/* SPDX-License-Identifier: Apache-2.0 */
/* test_multistage_rtl: multistage networks of all shapes, csim and RTL in lockstep; each round is a
 * permutation.
 *
 * In each round of the schedule node i sends its own packet to node p(i), and is idle if p(i) = i,
 * so that the expected receipts are those permutations, independent of the routing.
 *
 * All cases run if every space is exhausted; otherwise some networks of each kind.
 *
 *   Beneš, N = 2 … 6     all partial permutations without fixed points; their number is given by
 *                        the closed form
 *   N = 7                all permutations: 7! rounds with 6 · 7! receipts, because a permutation
 *                        has one fixed point on average
 *   Clos, N ≤ 6          all permutations
 *   omega:8              all that pass, 4096 of them by closed form, without the nodes that are
 *                        fixed points
 *   larger networks      seeded permutations, with idle nodes
 *
 * Counter-case: a round of an image with one changed field of its settings fails.
 */
#include "sched/machine/machine_network.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/permutation_lab.h"
#include "tests/support/running.h"

#define SEED UINT64_C(20261121)

static void test_benes_small(void **state)
{
    (void)state;
    for (uint32_t ports = running_exhaustive() ? 2 : 6; ports <= 6; ports++) {
        struct permutation_lab lab = permutation_lab_open(multistage_benes(ports), ports);
        permutation_lab_all(&lab, true);
        /* a round requires a sender */
        assert_int_equal(lab.rounds, permutation_lab_count(ports) - 1);
        permutation_lab_run(&lab, 1);
    }
}

static void test_benes_7(void **state)
{
    (void)state;
    struct permutation_lab lab = permutation_lab_open(multistage_benes(7), 7);
    permutation_lab_all(&lab, false);
    assert_int_equal(lab.rounds, 5039); /* all but the identity */
    assert_int_equal(permutation_lab_run(&lab, 1), 6 * 5040);
}

static void test_clos_small(void **state)
{
    (void)state;
    static const uint32_t shapes[][3] = {{3, 2, 3}, {4, 3, 2}, {2, 2, 2}, {2, 2, 3}, {3, 3, 2}};
    for (unsigned which = 0; which < (running_exhaustive() ? sizeof shapes / sizeof *shapes : 2);
         which++) {
        const uint32_t *s = shapes[which];
        uint32_t ports = s[1] * s[2], factorial = ports == 4 ? 24 : 720;
        struct permutation_lab lab = permutation_lab_open(multistage_clos(s[0], s[1], s[2]), ports);
        permutation_lab_all(&lab, false);
        assert_int_equal(permutation_lab_run(&lab, which % 3), (ports - 1) * factorial);
    }
}

static void test_omega_8(void **state)
{
    (void)state;
    struct permutation_lab lab = permutation_lab_open(multistage_omega(8), 8);
    permutation_lab_all(&lab, false);
    assert_int_equal(lab.rounds + lab.blocked, 40319);
    assert_int_equal(lab.rounds, 4095); /* the identity passes, too */
    permutation_lab_run(&lab, 1);
}

static void test_sampled(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t nodes, rounds;
    } shapes[] = {{"benes:33,pipe=2,pad=1", 31, 100}, {"clos:7,5,9,pipe=0,pad=1", 45, 80},
                  {"benes:27,radix=3", 27, 100},      {"benes:22", 22, 120},
                  {"benes:70,pipe=0", 70, 60},        {"clos:4,4,4", 16, 120},
                  {"benes:64,radix=4,pipe=2", 60, 80}};
    for (unsigned which = 0; which < (running_exhaustive() ? sizeof shapes / sizeof *shapes : 3);
         which++) {
        struct machine machine = {0};
        struct err err = {0};
        support_true(machine_parse_network(shapes[which].text, &machine, &err), &err);
        struct permutation_lab lab = permutation_lab_open(machine.network, shapes[which].nodes);
        lab.pipe = machine.pipe;
        lab.pad = machine.pad;
        permutation_lab_sample(&lab, shapes[which].rounds, SEED + which);
        uint64_t receipts = permutation_lab_run(&lab, 2);
        print_message("%s, seed %llu: %llu receipts\n", shapes[which].text,
                      (unsigned long long)(SEED + which), (unsigned long long)receipts);
    }
}

static void test_a_changed_field_shows(void **state)
{
    (void)state;
    permutation_lab_broken(multistage_benes(7), 7, SEED);
    permutation_lab_broken(multistage_clos(3, 2, 3), 6, SEED);
    permutation_lab_broken(multistage_omega(8), 8, SEED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_benes_small), cmocka_unit_test(test_benes_7),
        cmocka_unit_test(test_clos_small),  cmocka_unit_test(test_omega_8),
        cmocka_unit_test(test_sampled),     cmocka_unit_test(test_a_changed_field_shows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
