/* SPDX-License-Identifier: Apache-2.0 */
/* running: records which test of a program is under way, and which case of it, and reports both
 * when a time limit ends the program.
 *
 * It is linked into every test program and wraps _cmocka_run_group_tests (the linker's --wrap), so
 * that the name of each test is known without a change of the test. A loop over seeds or parameters
 * reports its case:
 *
 *     running("%s -n %u -m %u, seed %llu", algorithm->name, n, m, seed);
 *
 * With TEST_CASE in the environment, a shell pattern, only tests run that have it in their name;
 * with an exclamation mark before it, only tests that do not.
 *
 * The runner's time limit sends SIGTERM: "under way: test_long: path -n 7 -m 2, seed 5" goes to
 * standard error.
 */
#ifndef ROUNDCAST_RUNNING_H
#define ROUNDCAST_RUNNING_H

#include <stdbool.h>
#include <stdint.h>

/* The case that begins now, until the next call or the next test. Cut to 255 bytes. */
__attribute__((format(printf, 1, 2))) void running(const char *format, ...);

/* Returns whether every case is to be tested (ROUNDCAST_EXHAUSTIVE, which `make test-all` sets)
 * instead of a sample. A test that samples prints its seed. */
bool running_exhaustive(void);

/* Returns the step through a test's largest cases: 1 if every case is tested, else `sampled`, a
 * prime that does not divide the periods in the order of the cases, so that the sample contains
 * cases of every kind. */
unsigned running_stride(unsigned sampled);

/* The same for the longest tests, which take fewer cases under sanitizers: these make a program
 * several times as slow. */
unsigned running_stride_long(unsigned sampled);

/* Returns the number of cases that are tested with such steps, of `cases` cases, beginning with the
 * first. */
uint64_t running_met(uint64_t cases, unsigned sampled);

#endif
