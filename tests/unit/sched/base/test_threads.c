/* SPDX-License-Identifier: Apache-2.0 */
/* test_threads: the number of threads that share a piece of work.
 *
 * Sizes of work below, at and above the threshold from which threads are faster, for 1 … 4 threads,
 * outside of and inside a thread of shared work, which must not be shared again.
 */
#include "sched/base/threads.h"
#include "tests/support/cmocka_all.h"

static void shared_if_large(void **state)
{
    (void)state;
    for (int most = 1; most <= 4; most++) {
        omp_set_num_threads(most);
        assert_int_equal(threads_for(99, 100), 1);
        assert_int_equal(threads_for(100, 100), most);
        assert_int_equal(threads_for(101, 100), most);
        assert_int_equal(threads_for(0, 0), most);
    }
}

static void not_shared_twice(void **state)
{
    (void)state;
#ifndef _OPENMP
    skip(); /* one thread only, as in coverage builds */
#endif
    unsigned workers = 0, each[2] = {0};
    omp_set_num_threads(4);
#pragma omp parallel num_threads(2) reduction(+ : workers)
    {
        workers++;
        each[omp_get_thread_num()] = threads_for(100, 100);
    }
    assert_int_equal(workers, 2);
    assert_int_equal(each[0], 1);
    assert_int_equal(each[1], 1);
    assert_int_equal(threads_for(100, 100), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_if_large),
        cmocka_unit_test(not_shared_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
