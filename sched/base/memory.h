/* SPDX-License-Identifier: Apache-2.0 */
/* memory: the capacity of this machine. Larger requests are rejected, rather than swapped or ended
 * half way. */
#ifndef ROUNDCAST_MEMORY_H
#define ROUNDCAST_MEMORY_H

#include <stddef.h>

/* Number of entries of `entry` bytes that fit in the memory of this machine, regardless of other
 * users. */
size_t memory_most(size_t entry);

/* Asks for large pages if the array, from malloc, is large: the kernel then spends a tenth of the
 * time on handing them out, and the processor less on finding them. It is asked for all of the
 * array's own mapping: only one that is the same everywhere can grow without a copy. Only advice:
 * nothing depends on it. */
void memory_large_pages(void *array, size_t bytes);

#endif
