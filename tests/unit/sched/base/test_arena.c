/* SPDX-License-Identifier: Apache-2.0 */
/* test_arena: several arrays in one allocation.
 *
 * Exhaustive: two arrays of 0 … 130 elements of 1, 2, 4 and 8 bytes, and a third after them:
 * aligned, cleared, and apart, which is checked by filling each with a value of its own; under
 * AddressSanitizer the byte after each is poisoned. Counter-cases: sizes whose product or sum
 * overflows, and a sum that exceeds the memory, set no pointer.
 */
#include "sched/base/arena.h"
#include "tests/support/cmocka_all.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define IS_WATCHED(at) __asan_address_is_poisoned(at)
#else
#define IS_WATCHED(at) ((void)(at), true)
#endif

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void check(const unsigned char *at, size_t bytes, unsigned char value)
{
    for (size_t k = 0; k < bytes; k++)
        assert_int_equal(at[k], value);
}

static void arrays_are_apart(void **state)
{
    (void)state;
    unsigned char *first, *second;
    uint64_t *third;
    for (size_t a = 0; a <= 130; a++)
        for (size_t b = 0; b <= 130; b++)
            for (size_t size = 1; size <= 8; size *= 2) {
                const struct arena_array arrays[] = {
                    {&first, a, size}, {&second, b, 1}, ARENA(third, 3)};
                void *memory = arena_new(arrays, ARENA_COUNT(arrays));
                assert_non_null(memory);
                assert_true((uintptr_t)first % 64 == 0 && (uintptr_t)second % 64 == 0 &&
                            (uintptr_t)third % 64 == 0);
                assert_true(IS_WATCHED(first + a * size) && IS_WATCHED(second + b));
                check(first, a * size, 0);
                check(second, b, 0);
                memset(first, 1, a * size);
                memset(second, 2, b);
                memset(third, 3, 3 * sizeof *third);
                check(first, a * size, 1);
                check(second, b, 2);
                free(memory);
            }
}

static void too_much_is_refused(void **state)
{
    (void)state;
    static const size_t counts[][2] = {{SIZE_MAX, 8},
                                       {SIZE_MAX / 8 + 1, 8},
                                       {SIZE_MAX - 10, 1},
                                       {SIZE_MAX / 2, 1},
                                       {SIZE_MAX / 4, 2}};
    for (size_t which = 0; which < sizeof counts / sizeof *counts; which++) {
        char *first = NULL, *second = NULL;
        const struct arena_array arrays[] = {{&first, 10, 1},
                                             {&second, counts[which][0], counts[which][1]}};
        assert_null(arena_new(arrays, 2));
        assert_true(first == NULL && second == NULL);
    }
    char *first = NULL, *second = NULL;
    const struct arena_array halves[] = {{&first, SIZE_MAX / 2, 1}, {&second, SIZE_MAX / 2, 1}};
    assert_null(arena_new(halves, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrays_are_apart),
                                       cmocka_unit_test(too_much_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
