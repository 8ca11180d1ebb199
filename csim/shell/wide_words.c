/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/shell/wide_words.h"

#include "csim/kernel/ports.h"
#include "sched/base/compare.h"
#include "sched/machine/operators.h"

#include <string.h>

#define IN_TABLE (UINT32_C(1) << 30) /* of a number; also the most values and the first literal */
#define FIRST_BUCKETS 64
#define MOST_PARTS (MACHINE_MAX_WIDTH / 32)

/* A rewind (csim_rewind) restores `count` and not the pools: values after `count` do not exist
 * then, as if they had never been added, because buckets are taken in the order of the values. */
struct wide_words {
    unsigned width;
    uint32_t parts;           /* of a value: those with a bit of the flit */
    uint32_t count;           /* values */
    struct csim_pool *values; /* value[count][parts] */
    /* the number of buckets, a power of two above twice the values, and bucket[buckets]: 1 + index
     * of a value; free: 0, or above `count` */
    struct csim_pool *hashed;
    bool failed;
};

static uint32_t *value_at(const struct wide_words *words, uint32_t index)
{
    return (uint32_t *)words->values->at + (size_t)index * words->parts;
}

static uint32_t hash_of(const uint32_t value[], uint32_t parts)
{
    uint64_t hash = 0;
    for (uint32_t k = 0; k < parts; k++)
        hash = (hash ^ value[k]) * UINT64_C(0x9e3779b97f4a7c15), hash ^= hash >> 29;
    return (uint32_t)(hash >> 32);
}

static uint32_t buckets_of(const struct wide_words *words)
{
    return words->hashed->at == NULL ? 0 : *(const uint32_t *)words->hashed->at;
}

/* Returns the bucket of a value, or the free one that it would take. */
static uint32_t *find_bucket(const struct wide_words *words, const uint32_t value[])
{
    uint32_t *buckets = (uint32_t *)words->hashed->at + 1, at = hash_of(value, words->parts);
    for (;; at++) {
        uint32_t *bucket = &buckets[at & (buckets_of(words) - 1)];
        if (*bucket == 0 || *bucket > words->count ||
            memcmp(value_at(words, *bucket - 1), value, words->parts * sizeof *value) == 0)
            return bucket;
    }
}

/* Makes room for one more value. */
static bool reserve(struct wide_words *words)
{
    const size_t bytes = ((size_t)words->count + 1) * words->parts * sizeof(uint32_t);
    if (words->count + 1 >= IN_TABLE || !csim_pool_grow(words->values, bytes))
        return false;
    if (buckets_of(words) > 2 * words->count + 1)
        return true;
    const uint32_t buckets = buckets_of(words) == 0 ? FIRST_BUCKETS : 2 * buckets_of(words);
    if (!csim_pool_grow(words->hashed, ((size_t)buckets + 1) * sizeof(uint32_t)))
        return false;
    memset(words->hashed->at, 0, ((size_t)buckets + 1) * sizeof(uint32_t));
    *(uint32_t *)words->hashed->at = buckets;
    for (uint32_t k = 0; k < words->count; k++)
        *find_bucket(words, value_at(words, k)) = k + 1;
    return true;
}

/* Returns the number of a value. */
static uint32_t number_of(struct wide_words *words, const uint32_t value[])
{
    uint32_t high = value[0] & ~(IN_TABLE - 1);
    for (uint32_t k = 1; k < words->parts; k++)
        high |= value[k];
    if (high == 0)
        return value[0];
    if (!reserve(words)) {
        words->failed = true;
        return 0;
    }
    uint32_t *bucket = find_bucket(words, value);
    if (*bucket == 0 || *bucket > words->count) {
        memcpy(value_at(words, words->count), value, words->parts * sizeof *value);
        *bucket = ++words->count;
    }
    return IN_TABLE | (*bucket - 1);
}

uint32_t wide_words_bits(const struct wide_words *words, uint32_t number, uint32_t part)
{
    if (part >= words->parts)
        return 0;
    if (!(number & IN_TABLE))
        return part == 0 ? number : 0;
    return value_at(words, number & (IN_TABLE - 1))[part];
}

uint32_t wide_words_replace(struct wide_words *words, uint32_t number, uint32_t part, uint32_t bits)
{
    uint32_t value[MOST_PARTS];
    if (part >= words->parts)
        return number;
    for (uint32_t k = 0; k < words->parts; k++)
        value[k] = wide_words_bits(words, number, k);
    value[part] = ports_low(bits, MIN(words->width - 32 * part, 32));
    return number_of(words, value);
}

uint32_t wide_words_operate(struct wide_words *words, uint32_t which, uint32_t a, uint32_t b)
{
    uint32_t value_a[MOST_PARTS], value_b[MOST_PARTS];
    for (uint32_t k = 0; k < words->parts; k++) {
        value_a[k] = wide_words_bits(words, a, k);
        value_b[k] = wide_words_bits(words, b, k);
    }
    machine_operate_wide(which, words->width, value_a, value_b, value_a);
    return number_of(words, value_a);
}

bool wide_words_failed(const struct wide_words *words)
{
    return words->failed;
}

static void wide_words_reset(void *state)
{
    struct wide_words *words = state;
    words->count = 0;
    words->failed = false;
}

struct wide_words *wide_words_new(struct csim_module *parent, const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "wide_words");
    struct wide_words *self = csim_state(module, sizeof *self);
    if (self == NULL)
        return NULL;
    self->width = machine->width;
    self->parts = (machine->width + 31) / 32;
    self->values = csim_pool(module);
    self->hashed = csim_pool(module);
    csim_on_reset(module, wide_words_reset);
    return self->values == NULL || self->hashed == NULL ? NULL : self;
}
