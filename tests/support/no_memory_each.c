/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/no_memory_each.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"
#include "tests/support/support.h"

unsigned no_memory_each(no_memory_work *work, void *given)
{
    unsigned refused = 0;
    for (uint64_t number = 1;; number++) {
        struct err err = {0};
        int64_t left;
        no_memory_begin(number, false);
        const bool done = work(given, &err);
        const uint64_t calls = no_memory_end(&left);
        if (left != 0)
            fail_msg("%lld blocks are left after allocation %llu failed", (long long)left,
                     (unsigned long long)number);
        if (!done)
            support_error(&err, ERR_TOO_BIG, "memory");
        refused += !done;
        if (calls < number) {
            assert_true(done);
            return refused;
        }
    }
}
