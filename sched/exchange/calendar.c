/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/calendar.h"

#include "sched/base/compare.h"
#include "sched/base/memory.h"

#include <stdlib.h>
#include <string.h>

uint64_t busy_first(const struct busy *one, const struct busy *other, uint64_t ready)
{
    size_t word = ready / 64;
    uint64_t taken =
        busy_word(one, word) | busy_word(other, word) | ((UINT64_C(1) << ready % 64) - 1);
    while (taken == UINT64_MAX) {
        word++;
        taken = busy_word(one, word) | busy_word(other, word);
    }
    return word * UINT64_C(64) + (unsigned)__builtin_ctzll(~taken);
}

bool busy_set(struct busy *busy, uint64_t round)
{
    size_t word = round / 64;
    if (word >= busy->words) {
        size_t before = busy->words;
        uint64_t *larger = memory_grow(busy->word, word + 1, &busy->words, sizeof *larger);
        if (larger == NULL)
            return false;
        memset(larger + before, 0, (busy->words - before) * sizeof *larger);
        busy->word = larger;
    }
    busy->word[word] |= UINT64_C(1) << round % 64;
    return true;
}

/* Returns the index of the first use that begins at `time` or later. Most are at the end. */
static size_t index_from(const struct calendar *calendar, uint64_t time)
{
    size_t low = 0, high = calendar->count;
    if (high == 0 || calendar->use[high - 1].start < time)
        return high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (calendar->use[middle].start < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the index of the first use that is not over at a time. */
static size_t index_lasting(const struct calendar *calendar, uint64_t time, uint32_t lasts)
{
    return index_from(calendar, time >= lasts ? time - lasts + 1 : 0);
}

/* Returns the first time from `ready` on at which the uses leave a place. */
static uint64_t first_place(const struct calendar *calendar, uint64_t ready,
                            struct calendar_rule rule)
{
    uint64_t start = MAX(ready, MAX(calendar->open, rule.origin)), together = 0;
    size_t from = index_lasting(calendar, start, rule.lasts);
    for (size_t k = from; k < calendar->count; k++) {
        const struct calendar_use *use = calendar->use;
        if (use[k].start >= start + rule.lasts)
            break;
        const uint64_t moment = MAX(start, use[k].start);
        together += use[k].count;
        while (use[from].start + rule.lasts <= moment)
            together -= use[from++].count;
        while (together >= rule.capacity) {
            start = use[from].start + rule.lasts;
            together -= use[from++].count;
        }
    }
    return start;
}

uint64_t calendar_first(const struct calendar *calendar, uint64_t ready, struct calendar_rule rule)
{
    return rule.lasts == 1 ? busy_first(&calendar->full, &calendar->full, MAX(ready, rule.origin))
                           : first_place(calendar, ready, rule);
}

uint64_t calendar_first_shared(const struct calendar *calendar, uint64_t ready, uint32_t tag,
                               struct calendar_rule rule)
{
    uint64_t start = MAX(ready, rule.origin);
    for (size_t k = index_lasting(calendar, start, rule.lasts); k < calendar->count; k++) {
        const struct calendar_use *use = &calendar->use[k];
        if (use->start >= start + rule.lasts)
            break;
        if (use->start >= start && use->tag == tag && tag != 0)
            return use->start;
        start = use->start + rule.lasts;
    }
    return start;
}

struct calendar_use *calendar_find(const struct calendar *calendar, uint64_t start, uint32_t tag)
{
    size_t k = index_from(calendar, start);
    while (k < calendar->count && calendar->use[k].start == start && calendar->use[k].tag != tag)
        k++;
    return k < calendar->count && calendar->use[k].start == start ? &calendar->use[k] : NULL;
}

uint32_t calendar_calls(const struct calendar *calendar, uint64_t round)
{
    uint32_t calls = 0;
    for (size_t k = index_from(calendar, round);
         k < calendar->count && calendar->use[k].start == round; k++)
        calls += MAX(calendar->use[k].count, calendar->use[k].other);
    return calls;
}

struct calendar_use *calendar_add(struct calendar *calendar, uint64_t start, uint32_t tag)
{
    struct calendar_use *use = calendar_find(calendar, start, tag);
    if (use != NULL)
        return use;
    struct calendar_use *larger =
        memory_grow(calendar->use, calendar->count + 1, &calendar->room, sizeof *larger);
    if (larger == NULL)
        return NULL;
    calendar->use = larger;
    size_t at = index_from(calendar, start + 1);
    memmove(&larger[at + 1], &larger[at], (calendar->count - at) * sizeof *larger);
    larger[at] = (struct calendar_use){.start = start, .tag = tag};
    calendar->count++;
    return &larger[at];
}

bool calendar_take(struct calendar *calendar, uint64_t start, struct calendar_rule rule)
{
    if (rule.lasts == 1 && rule.capacity == 1)
        return busy_set(&calendar->full, start);
    struct calendar_use *use = calendar_add(calendar, start, 0);
    if (use == NULL)
        return false;
    use->count++;
    if (rule.lasts == 1)
        return use->count < rule.capacity || busy_set(&calendar->full, start);
    if (start < MAX(calendar->open, rule.origin) + rule.lasts)
        calendar->open = first_place(calendar, 0, rule);
    return true;
}

static void remove_use(struct calendar *calendar, struct calendar_use *use)
{
    size_t after = calendar->count - (size_t)(use - calendar->use) - 1;
    memmove(use, use + 1, after * sizeof *use);
    calendar->count--;
}

void calendar_release(struct calendar *calendar, uint64_t start, struct calendar_rule rule)
{
    calendar->open = 0;
    if (rule.lasts == 1 && busy_has(&calendar->full, start))
        busy_clear(&calendar->full, start);
    if (rule.lasts > 1 || rule.capacity > 1)
        calendar_release_shared(calendar, start, 0);
}

void calendar_release_shared(struct calendar *calendar, uint64_t start, uint32_t tag)
{
    struct calendar_use *use = calendar_find(calendar, start, tag);
    if (--use->count == 0)
        remove_use(calendar, use);
}

void calendar_release_call(struct calendar *calendar, uint64_t round, uint32_t tag, bool back)
{
    struct calendar_use *use = calendar_find(calendar, round, tag);
    if (back)
        use->other--;
    else
        use->count--;
    if (use->count == 0 && use->other == 0)
        remove_use(calendar, use);
}

void calendar_free(struct calendar *calendar)
{
    free(calendar->use);
    free(calendar->full.word);
    *calendar = (struct calendar){0};
}
