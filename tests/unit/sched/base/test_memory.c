/* SPDX-License-Identifier: Apache-2.0 */
/* test_memory: arrays that grow.
 *
 * State space: the room of an array × the entries that are wanted. Exhaustive for both up to 80;
 * the entries that were there must stay, the room must suffice, and at least double unless more is
 * wanted. A list of 2^20 entries moves at most 20 times. Counter-cases: room that cannot be
 * allocated, by size and by an overflow of the size, leaves array and room as they were.
 */
#include "sched/base/memory.h"
#include "tests/support/cmocka_all.h"

#include <stdint.h>
#include <stdlib.h>

#define MOST 80

static void entries_stay(void **unused)
{
    (void)unused;
    for (size_t before = 1; before <= MOST; before++)
        for (size_t wanted = 1; wanted <= 3 * MOST; wanted++) {
            size_t room = before;
            uint32_t *array = malloc(before * sizeof *array);
            assert_non_null(array);
            for (size_t place = 0; place < before; place++)
                array[place] = (uint32_t)(place * place + 1);
            uint32_t *larger = memory_grow(array, wanted, &room, sizeof *larger);
            assert_non_null(larger);
            assert_true(room >= wanted);
            if (wanted <= before) {
                assert_ptr_equal(larger, array);
                assert_int_equal(room, before);
            } else
                assert_true(room >= 2 * before);
            for (size_t place = 0; place < before; place++)
                assert_int_equal(larger[place], place * place + 1);
            for (size_t place = before; place < room; place++)
                larger[place] = 0;
            free(larger);
        }
}

static void lists_grow_seldom(void **unused)
{
    (void)unused;
    size_t room = 0, moves = 0;
    uint32_t *list = NULL;
    for (uint32_t count = 0; count < UINT32_C(1) << 20; count++) {
        size_t before = room;
        list = memory_grow(list, (size_t)count + 1, &room, sizeof *list);
        assert_non_null(list);
        moves += room != before;
        list[count] = count;
    }
    assert_true(moves <= 20);
    for (uint32_t count = 0; count < UINT32_C(1) << 20; count++)
        assert_int_equal(list[count], count);
    free(list);
}

/* Under AddressSanitizer, sizes that cannot be allocated end the program by default. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static void too_large_changes_nothing(void **unused)
{
    (void)unused;
    static const size_t wanted[] = {PTRDIFF_MAX / 8 + 1, SIZE_MAX / 8 + 2, SIZE_MAX};
    uint64_t *list = malloc(2 * sizeof *list);
    assert_non_null(list);
    list[0] = 5;
    list[1] = 7;
    for (size_t which = 0; which < sizeof wanted / sizeof *wanted; which++) {
        size_t room = 2;
        assert_null(memory_grow(list, wanted[which], &room, sizeof *list));
        assert_int_equal(room, 2);
        assert_int_equal(list[0], 5);
        assert_int_equal(list[1], 7);
    }
    free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_stay),
        cmocka_unit_test(lists_grow_seldom),
        cmocka_unit_test(too_large_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
