/* SPDX-License-Identifier: Apache-2.0 */
/* no_memory: an allocator that fails on request, and counts memory that is not freed.
 *
 * A program that uses it is linked with NO_MEMORY_LINK of tests.mk: every allocation of the code
 * under test and of jansson is redirected here (the linker's --wrap). Internal allocations of other
 * libraries are not.
 *
 * While jansson parses, only its first call may fail: up to 2.14, after a failed allocation its
 * scanner continues and corrupts the heap (jansson issue 362).
 */
#ifndef ROUNDCAST_NO_MEMORY_H
#define ROUNDCAST_NO_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Makes jansson allocate here too. */
void no_memory_prepare(void);

/* From now on call `number` fails, counted from 1 (0: none), and all calls after it if `on`. */
void no_memory_begin(uint64_t number, bool on);

/* Ends the failures. Returns the number of calls since no_memory_begin; *left is the number of
 * their blocks that were not freed. */
uint64_t no_memory_end(int64_t *left);

#define NO_MEMORY_CALLS 8192

/* Where the call `number`, up to NO_MEMORY_CALLS, came from: a sum over its callers' addresses, as
 * it was when no call failed. */
uint64_t no_memory_place(uint64_t number);

#endif
