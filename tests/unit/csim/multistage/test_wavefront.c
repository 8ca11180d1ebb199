/* SPDX-License-Identifier: Apache-2.0 */
/* The wavefront compared with its shifted inputs: after r registers it is the front of r shifts
 * ago, and empty before the first shift; it counts the fronts that fetch.
 *
 * State space: all sequences of seven fronts, for depths of 1, 2 and 3 registers; a front is idle,
 * or differs from an idle front in exactly one of its four fields. A wave that treated two
 * different fronts as equal would stand still when it must move. A reset follows each sequence. */
#include "csim/multistage/wavefront.h"
#include "tests/support/cmocka_all.h"

#define KINDS 5
#define LENGTH 7
#define MAX_DEPTH 3

static const struct wavefront_front kinds[KINDS] = {
    {0}, {.fetch = 1}, {.row = 1}, {.tag = 1}, {.setting_index = 1}};

static bool is_same(const struct wavefront_front *one, const struct wavefront_front *other)
{
    return one->fetch == other->fetch && one->row == other->row && one->tag == other->tag &&
           one->setting_index == other->setting_index;
}

/* Returns the front of `ago` shifts ago, after `shifts` shifts in all. */
static const struct wavefront_front *before(const uint32_t kind[], uint32_t shifts, uint32_t ago)
{
    return ago < shifts ? &kinds[kind[shifts - 1 - ago]] : &kinds[0];
}

static void expect(const struct wavefront *wave, const uint32_t kind[], uint32_t shifts)
{
    uint32_t fetches = 0;
    for (uint32_t registers = 1; registers <= wave->depth; registers++) {
        const struct wavefront_front *front = before(kind, shifts, registers - 1);
        fetches += front->fetch;
        assert_true(is_same(wavefront_after(wave, registers), front));
    }
    assert_int_equal(wave->fetches, fetches);
}

static void try_sequence(struct wavefront *wave, const uint32_t kind[])
{
    for (uint32_t shifts = 1; shifts <= LENGTH; shifts++) {
        wavefront_shift(wave, &kinds[kind[shifts - 1]]);
        expect(wave, kind, shifts);
    }
    wavefront_reset(wave);
    expect(wave, kind, 0);
}

static void shifts_as_registers_do(void **state)
{
    (void)state;
    for (uint32_t depth = 1; depth <= MAX_DEPTH; depth++) {
        struct wavefront_front entry[MAX_DEPTH];
        struct wavefront wave = {.entry = entry, .depth = depth};
        uint32_t kind[LENGTH] = {0}, at = 0;
        wavefront_reset(&wave);
        do {
            try_sequence(&wave, kind);
            for (at = 0; at < LENGTH && ++kind[at] == KINDS; at++)
                kind[at] = 0;
        } while (at < LENGTH);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shifts_as_registers_do)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
