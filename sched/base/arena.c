/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define GAP 64
#else
#define ASAN_POISON_MEMORY_REGION(from, bytes) ((void)(from), (void)(bytes))
#define GAP 0
#endif

#define ALIGNMENT ((size_t)64)

/* Computes the bytes of an array, including the gap before the next one. Returns false if they
 * exceed size_t. */
static bool takes(const struct arena_array *array, size_t *bytes)
{
    return !__builtin_mul_overflow(array->count, array->size, bytes) &&
           !__builtin_add_overflow(*bytes, GAP + ALIGNMENT - 1, bytes);
}

void *arena_new(const struct arena_array array[], size_t count)
{
    size_t all = ALIGNMENT, bytes;
    for (size_t k = 0; k < count; k++)
        if (!takes(&array[k], &bytes) ||
            __builtin_add_overflow(all, bytes / ALIGNMENT * ALIGNMENT, &all))
            return NULL;
    char *memory = all <= PTRDIFF_MAX ? calloc(all, 1) : NULL;
    if (memory == NULL)
        return NULL;
    char *at = memory + (ALIGNMENT - (uintptr_t)memory % ALIGNMENT) % ALIGNMENT;
    for (size_t k = 0; k < count; k++) {
        memcpy(array[k].pointer, &at, sizeof at);
        takes(&array[k], &bytes);
        size_t used = array[k].count * array[k].size, step = bytes / ALIGNMENT * ALIGNMENT;
        ASAN_POISON_MEMORY_REGION(at + used, step - used);
        at += step;
    }
    return memory;
}
