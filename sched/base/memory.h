/* SPDX-License-Identifier: Apache-2.0 */
/* memory: what this machine can hold. What asks for more is refused, not swapped or ended half
 * way. */
#ifndef ROUNDCAST_MEMORY_H
#define ROUNDCAST_MEMORY_H

#include <stddef.h>

/* How many entries of so many bytes fit in the memory of this machine, whoever else uses it. */
size_t memory_most(size_t entry);

/* Ask for large pages if the array, from malloc, is large: the kernel then spends a tenth of the
 * time on handing them out, and the processor less on finding them. It is asked for all of the
 * array's own mapping: only one that is the same everywhere can grow without a copy. Only advice:
 * nothing depends on it. */
void memory_large_pages(void *array, size_t bytes);

#endif
