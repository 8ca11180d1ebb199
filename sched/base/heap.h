/* SPDX-License-Identifier: Apache-2.0 */
/* heap: a binary heap of items with keys. The caller provides the room. */
#ifndef ROUNDCAST_HEAP_H
#define ROUNDCAST_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_entry {
    uint64_t key;
    size_t item;
};

struct heap {
    struct heap_entry *entry; /* the first entry is the least, by key, then item; not owned */
    size_t count;
};

static inline bool heap_is_less(const struct heap_entry *a, const struct heap_entry *b)
{
    return a->key != b->key ? a->key < b->key : a->item < b->item;
}

/* Adds an item. Precondition: there is room for one more. O(log count). */
static inline void heap_push(struct heap *heap, uint64_t key, size_t item)
{
    const struct heap_entry added = {key, item};
    struct heap_entry *entry = heap->entry;
    size_t at = heap->count++;
    for (; at > 0 && heap_is_less(&added, &entry[(at - 1) / 2]); at = (at - 1) / 2)
        entry[at] = entry[(at - 1) / 2];
    entry[at] = added;
}

/* Removes the least entry and returns its item. Precondition: the heap is not empty. O(log
 * count). */
static inline size_t heap_pop(struct heap *heap)
{
    struct heap_entry *entry = heap->entry, least = entry[0], last = entry[--heap->count];
    size_t at = 0, child;
    while ((child = 2 * at + 1) < heap->count) {
        child += child + 1 < heap->count && heap_is_less(&entry[child + 1], &entry[child]);
        if (!heap_is_less(&entry[child], &last))
            break;
        entry[at] = entry[child];
        at = child;
    }
    entry[at] = last;
    return least.item;
}

#endif
