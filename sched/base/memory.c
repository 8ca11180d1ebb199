/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define FEWEST 16 /* entries for which room is made at first */
#define PAGE (UINT64_C(4) << 10)
#define LARGE_PAGE (UINT64_C(2) << 20)

size_t memory_most(size_t entry)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return (pages > 0 && page > 0 ? (size_t)pages * (size_t)page : SIZE_MAX) / entry;
}

void memory_large_pages(void *array, size_t bytes)
{
    uintptr_t start = (uintptr_t)array / PAGE * PAGE;
    if (bytes >= LARGE_PAGE)
        madvise((void *)start, (uintptr_t)array + bytes - start, MADV_HUGEPAGE);
}

void *memory_grow(void *array, size_t wanted, size_t *room, size_t entry)
{
    if (wanted <= *room)
        return array;
    size_t larger = wanted / 2 > *room ? wanted : 2 * *room + FEWEST;
    void *grown = reallocarray(array, larger, entry);
    if (grown != NULL)
        *room = larger;
    return grown;
}
