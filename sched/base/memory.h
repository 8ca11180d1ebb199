/* SPDX-License-Identifier: Apache-2.0 */
/* memory: the memory of this machine. Larger requests are rejected, so that the machine does not
 * swap and no program is ended halfway. */
#ifndef ROUNDCAST_MEMORY_H
#define ROUNDCAST_MEMORY_H

#include <stddef.h>

/* Returns the number of entries of `entry` bytes that fit in the memory of this machine, regardless
 * of other users. */
size_t memory_most(size_t entry);

/* Requests large pages for an array from malloc if it is large: the kernel then needs a tenth of
 * the time to allocate pages, and the processor less time to translate addresses. The request
 * covers the whole mapping of the array, because only a uniform mapping can grow without a copy.
 * This is advice to the kernel; the program does not depend on it. */
void memory_large_pages(void *array, size_t bytes);

#endif
