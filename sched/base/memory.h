/* SPDX-License-Identifier: Apache-2.0 */
/* memory: the memory of this machine, and arrays that grow. Requests larger than the memory are
 * rejected, so that the machine does not swap and no program is ended halfway. */
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

/* Makes room for `wanted` entries of `entry` bytes in an array from malloc that has room for *room
 * (NULL and 0 at first), and returns the array, which may have moved:
 *
 *     struct hop *larger = memory_grow(list->hop, list->count + 1, &list->room, sizeof *larger);
 *     if (larger == NULL)
 *         return err_no_memory(err, "the hops");
 *     list->hop = larger;
 *
 * Returns NULL if there is no memory; the array and *room are then unchanged. wanted > 0. The room
 * at least doubles: amortised O(1) for an entry. */
void *memory_grow(void *array, size_t wanted, size_t *room, size_t entry);

#endif
