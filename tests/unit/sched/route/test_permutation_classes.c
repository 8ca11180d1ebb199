/* SPDX-License-Identifier: Apache-2.0 */
/* test_permutation_classes: the classes of self-routing permutations.
 *
 * Every permutation of 2, 4 and 8 ports: the size of each class equals its closed form: N shifts
 * and complements, k! 2^k bit-permute-complements, 2^k (2^k - 1) … (2^k - 2^(k-1)) affine ones,
 * 2^(k N/2) of either omega network; each permutation that a formula generates is in its class, and
 * omega_route, which sets switches, agrees with the test of lanes about the omega class. Partial
 * permutations: without one of its circuits a round stays in its classes; a round is in a class if
 * and only if some full permutation of the class has all its circuits (N = 4, all).
 */
#include "sched/network/omega.h"
#include "sched/route/permutation_classes.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <string.h>

#define MOST 8

struct tally {
    uint32_t ports, all, count[PERMUTATION_CLASSES_COUNT];
    struct omega_router *omega, *unused;
    uint32_t of_class[PERMUTATION_CLASSES_COUNT][40320][MOST]; /* the members */
};

static struct tally tally;

static void look(const uint32_t to[])
{
    bool used[MOST];
    uint32_t row[16];
    unsigned classes = permutation_classes_of(tally.ports, to, used);
    assert_int_equal(classes >> PERMUTATION_CLASSES_OMEGA & 1,
                     omega_route(tally.omega, to, row, NULL, NULL));
    for (unsigned which = 0; which < PERMUTATION_CLASSES_COUNT; which++)
        if (classes >> which & 1)
            memcpy(tally.of_class[which][tally.count[which]++], to, tally.ports * sizeof *to);
    tally.all++;
}

static void permute(uint32_t to[], uint32_t fixed)
{
    if (fixed == tally.ports) {
        look(to);
        return;
    }
    for (uint32_t with = fixed; with < tally.ports; with++) {
        uint32_t swapped = to[fixed];
        to[fixed] = to[with], to[with] = swapped;
        permute(to, fixed + 1);
        to[with] = to[fixed], to[fixed] = swapped;
    }
}

static void tally_all(uint32_t ports)
{
    struct err err = {0};
    struct multistage net = multistage_omega(ports);
    uint32_t to[MOST];
    tally.ports = ports;
    tally.all = 0;
    memset(tally.count, 0, sizeof tally.count);
    tally.omega = omega_router_new(&net, &err);
    support_true(tally.omega != NULL, &err);
    for (uint32_t port = 0; port < ports; port++)
        to[port] = port;
    permute(to, 0);
    omega_router_free(tally.omega);
}

static void all_permutations(void **state)
{
    (void)state;
    static const uint32_t factorial[] = {1, 1, 2, 6},
                          affine[] = {1, 2 * 1, 4 * 3 * 2, 8 * 7 * 6 * 4};
    for (unsigned k = 1; k <= 3; k++) {
        uint32_t ports = 1u << k;
        tally_all(ports);
        assert_int_equal(tally.count[PERMUTATION_CLASSES_SHIFT], ports);
        assert_int_equal(tally.count[PERMUTATION_CLASSES_COMPLEMENT], ports);
        assert_int_equal(tally.count[PERMUTATION_CLASSES_BIT_PERMUTE_COMPLEMENT],
                         factorial[k] << k);
        assert_int_equal(tally.count[PERMUTATION_CLASSES_AFFINE], affine[k]);
        assert_int_equal(tally.count[PERMUTATION_CLASSES_OMEGA], 1u << k * ports / 2);
        assert_int_equal(tally.count[PERMUTATION_CLASSES_INVERSE_OMEGA], 1u << k * ports / 2);
    }
}

/* Returns whether some member of the class has all the circuits. */
static bool some_has(enum permutation_class which, const uint32_t to[])
{
    for (uint32_t member = 0; member < tally.count[which]; member++) {
        bool has = true;
        for (uint32_t port = 0; port < tally.ports; port++)
            has = has &&
                  (to[port] == MULTISTAGE_IDLE || to[port] == tally.of_class[which][member][port]);
        if (has)
            return true;
    }
    return false;
}

static uint32_t partial(uint32_t to[], uint32_t port, uint32_t taken)
{
    if (port == tally.ports) {
        bool used[MOST];
        unsigned classes = permutation_classes_of(tally.ports, to, used);
        for (int which = 0; which < PERMUTATION_CLASSES_COUNT; which++)
            if ((classes >> which & 1) != some_has((enum permutation_class)which, to))
                fail_msg("%u %u %u %u: class %d", to[0], to[1], to[2], to[3], which);
        return 1;
    }
    uint32_t rounds = 0;
    for (uint32_t output = 0; output < tally.ports; output++)
        if (!(taken >> output & 1)) {
            to[port] = output;
            rounds += partial(to, port + 1, taken | 1u << output);
        }
    to[port] = MULTISTAGE_IDLE;
    return rounds + partial(to, port + 1, taken);
}

static void all_partial_permutations(void **state)
{
    (void)state;
    uint32_t to[MOST];
    tally_all(4);
    assert_int_equal(partial(to, 0, 0), 209); /* Σ C(4,i)² i! */
}

static void other_sizes_have_shifts_only(void **state)
{
    (void)state;
    bool used[MOST];
    static const uint32_t shift[] = {2, 3, 4, 0, 1}, other[] = {2, 3, 4, 1, 0},
                          some[] = {3, UINT32_MAX, 0, UINT32_MAX, 2};
    assert_int_equal(permutation_classes_of(5, shift, used), 1u << PERMUTATION_CLASSES_SHIFT);
    assert_int_equal(permutation_classes_of(5, other, used), 0);
    assert_int_equal(permutation_classes_of(5, some, used), 1u << PERMUTATION_CLASSES_SHIFT);
}

static void schedules_are_counted(void **state)
{
    (void)state;
    const struct collective circulant = {.n = 16, .m = 9, .model = MODEL_SEND_RECEIVE};
    uint32_t count[PERMUTATION_CLASSES_COUNT], rows;
    struct schedule schedule;
    struct err err = {0};
    const struct machine machine = support_machine(4, 1, 0);
    support_schedule(support_algorithm("circulant"), &circulant, &schedule);
    support_true(permutation_classes_count(&schedule, &machine, count, &rows, &err), &err);
    assert_int_equal(rows, 12);
    assert_true(count[PERMUTATION_CLASSES_SHIFT] == 12 && count[PERMUTATION_CLASSES_OMEGA] == 12 &&
                count[PERMUTATION_CLASSES_INVERSE_OMEGA] == 12);
    assert_true(count[PERMUTATION_CLASSES_COMPLEMENT] < 12);
    schedule_free(&schedule);
    support_schedule(support_algorithm("matching"), &circulant, &schedule);
    support_true(permutation_classes_count(&schedule, &machine, count, &rows, &err), &err);
    assert_true(rows == 12 && count[PERMUTATION_CLASSES_SHIFT] < 12 &&
                count[PERMUTATION_CLASSES_OMEGA] < 12);
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_permutations), cmocka_unit_test(all_partial_permutations),
        cmocka_unit_test(other_sizes_have_shifts_only), cmocka_unit_test(schedules_are_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
