/* SPDX-License-Identifier: Apache-2.0 */
/* no_memory: an allocator that fails when it is told to, and counts what is not given back.
 *
 * A program that uses it is linked with NO_MEMORY_LINK of tests.mk: every call that allocates, of
 * the code under test and of jansson, comes here first (the linker's --wrap). What libraries
 * allocate for themselves does not.
 *
 * While jansson parses, its first call alone may fail: up to 2.14 its scanner drops what it has no
 * memory for, goes on, and breaks the heap (its issue 362).
 */
#ifndef ROUNDCAST_NO_MEMORY_H
#define ROUNDCAST_NO_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Let jansson allocate here too. */
void no_memory_prepare(void);

/* From now on the call `number` fails, from 1 (0: none does), and all after it if `on`. */
void no_memory_begin(uint64_t number, bool on);

/* No call fails any more. Returns how many there were since no_memory_begin; *left is how many
 * pieces they gave that were not freed. */
uint64_t no_memory_end(int64_t *left);

#define NO_MEMORY_CALLS 8192

/* Where the call `number`, up to NO_MEMORY_CALLS, came from: a sum over its callers' addresses, as
 * it was when no call failed. */
uint64_t no_memory_place(uint64_t number);

#endif
