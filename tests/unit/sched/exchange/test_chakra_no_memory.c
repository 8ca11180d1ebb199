/* SPDX-License-Identifier: Apache-2.0 */
/* test_chakra_no_memory: traces of Chakra in their binary form, read without memory.
 *
 * A file of two ranks, whose nodes have attributes and dependencies in both encodings (written as
 * in test_exchange_chakra_et), is read with each allocation failing in turn. Reading must report
 * E104 and release all its memory; without a failure it must find the only transfer.
 *
 * tags: no-memory
 */
#include "sched/exchange/exchange.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"
#include "tests/support/no_memory_each.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#define META       \
    "\x07\x0a\x05" \
    "0.0.4"
/* a calculation with id 2, after its length */
#define COMP "\x04\x08\x02\x18\x04"
/* a send with id 3, after the calculation by two lists, one of them packed: 4 + 2 + 3 + 14 bytes */
#define SEND               \
    "\x17\x08\x03\x18\x05" \
    "\x20\x02"             \
    "\x2a\x01\x02"         \
    "\x52\x0c\x0a\x08"     \
    "comm_dst"             \
    "\x38\x01"
#define RECV               \
    "\x12\x08\x04\x18\x06" \
    "\x52\x0c\x0a\x08"     \
    "comm_src"             \
    "\x38\x00"

static const char file[] = META COMP SEND META RECV;

static bool read_file(void *given, struct err *err)
{
    (void)given;
    const struct exchange_reading how = {.model = MODEL_SEND_RECEIVE};
    const struct exchange_format *format = &exchange_chakra_et;
    struct schedule schedule = {0};
    FILE *from = fmemopen((void *)(uintptr_t)file, sizeof file - 1, "rb");
    assert_non_null(from);
    const bool read = exchange_load_from(from, "file", &how, &format, &schedule, err);
    if (read)
        assert_int_equal(schedule.transfer_count, 1);
    schedule_free(&schedule);
    fclose(from);
    return read;
}

static void test_memory_that_runs_out(void **state)
{
    (void)state;
    no_memory_prepare();
    assert_true(no_memory_each(read_file, NULL) > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
