/* SPDX-License-Identifier: Apache-2.0 */
/* arena: several arrays in one allocation, with one check and one free.
 *
 *     void *memory = arena_new((const struct arena_array[]){ARENA(run->order, n),
 *                                                           ARENA(run->place, m + 1)}, 2);
 *     if (memory == NULL)
 *         return err_no_memory(err, "…");
 *     …
 *     free(memory);
 *
 * Under AddressSanitizer the gap between two arrays is poisoned, so that a write past an array is
 * found, as it would be with an allocation for each. */
#ifndef ROUNDCAST_ARENA_H
#define ROUNDCAST_ARENA_H

#include <stddef.h>

struct arena_array {
    void *pointer; /* the address of the pointer to set, of any type */
    size_t count, size;
};

#define ARENA(pointer, count)                  \
    {                                          \
        &(pointer), (count), sizeof *(pointer) \
    }
#define ARENA_COUNT(arrays) (sizeof(arrays) / sizeof *(arrays))

/* Allocates the arrays, each zeroed and aligned to 64 bytes, and sets their pointers. Returns NULL,
 * and sets no pointer, if there is no memory. Free the result with free. O(bytes). */
void *arena_new(const struct arena_array array[], size_t count);

#endif
