/* SPDX-License-Identifier: Apache-2.0 */
/* peel: the methods that subtract one permutation after another from a table.
 *
 * birkhoff   the permutation whose least entry is largest, in the padded table
 * solstice   any permutation whose entries reach a power of two, which is halved if there is none
 * emptiest   the value, and for it the permutation, that makes the most entries 0
 * heaviest   the matching with the most packets, not padded; it stays until all circuits are done
 */
#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/decompose/match.h"

#include <stdlib.h>

static bool fits(const struct traffic *traffic)
{
    return traffic->nodes <= 64;
}

static uint32_t largest(const struct padded *padded)
{
    size_t entries = (size_t)padded->nodes * padded->nodes;
    uint32_t most = 0;
    for (size_t k = 0; k < entries; k++)
        most = MAX(most, padded->table[k]);
    return most;
}

/* -- Birkhoff and von Neumann ------------------------------------------------------------------ */

static bool take_widest(struct padded *padded, struct decomposition *decomposition, uint32_t *least,
                        struct err *err)
{
    /* The least entry never grows from one permutation to the next. */
    uint32_t low = 1, high = *least;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (match_least(padded->match, padded->nodes, padded->table, middle, padded->to))
            low = middle;
        else
            high = middle - 1;
    }
    match_least(padded->match, padded->nodes, padded->table, low, padded->to);
    *least = low;
    return padded_take(padded, decomposition, err);
}

static bool birkhoff(const struct traffic *traffic, uint64_t price, uint64_t seed,
                     struct decomposition *decomposition, struct err *err)
{
    (void)price, (void)seed;
    struct padded padded;
    if (!padded_new(traffic, true, &padded, err))
        return false;
    uint32_t least = largest(&padded);
    bool taken = true;
    while (taken && padded.rest > 0)
        taken = take_widest(&padded, decomposition, &least, err);
    padded_free(&padded);
    return taken;
}

const struct decompose_method decompose_birkhoff = {
    "birkhoff", "the permutation with the largest least entry, again and again",
    "Birkhoff 1946, von Neumann 1953", fits, birkhoff};

/* -- Solstice ---------------------------------------------------------------------------------- */

static bool solstice(const struct traffic *traffic, uint64_t price, uint64_t seed,
                     struct decomposition *decomposition, struct err *err)
{
    (void)price, (void)seed;
    struct padded padded;
    if (!padded_new(traffic, true, &padded, err))
        return false;
    uint32_t least = UINT32_C(1) << bits_log2_down(largest(&padded));
    bool taken = true;
    while (taken && padded.rest > 0) {
        if (match_least(padded.match, padded.nodes, padded.table, least, padded.to))
            taken = padded_take(&padded, decomposition, err);
        else
            least /= 2;
    }
    padded_free(&padded);
    return taken;
}

const struct decompose_method decompose_solstice = {
    "solstice", "permutations of entries that reach a power of two, which halves",
    "Liu et al. 2015, Solstice", fits, solstice};

/* -- The emptiest ------------------------------------------------------------------------------ */

static bool fits_emptiest(const struct traffic *traffic)
{
    return traffic->nodes <= 24;
}

/* Finds the permutation to[] of entries that are `value` or more for which the most entries become
 * 0 if `value` is subtracted from each. Returns their number; negative if there is no permutation.
 */
static int64_t emptied(const struct padded *padded, uint32_t value, int64_t weight[], uint32_t to[])
{
    size_t nodes = padded->nodes;
    int64_t sum = 0;
    for (size_t k = 0; k < nodes * nodes; k++)
        weight[k] = padded->table[k] < value ? -(int64_t)nodes - 1 : padded->table[k] == value;
    match_best(padded->match, padded->nodes, weight, to);
    for (size_t row = 0; row < nodes; row++)
        sum += weight[row * nodes + to[row]];
    return sum;
}

/* Working memory. */
struct emptiest {
    uint32_t *value; /* value[nodes²] */
    int64_t *weight; /* weight[nodes²] */
    uint32_t *to;    /* to[nodes] */
};

static bool take_emptiest(struct padded *padded, const struct emptiest *work,
                          struct decomposition *decomposition, struct err *err)
{
    size_t nodes = padded->nodes, values = padded_values(padded->table, nodes * nodes, work->value);
    int64_t most = 0;
    for (size_t k = 0; k < values; k++) {
        int64_t gain = emptied(padded, work->value[k], work->weight, work->to);
        if (gain < 0)
            break;
        for (size_t row = 0; gain >= most && row < nodes; row++)
            padded->to[row] = work->to[row];
        most = MAX(most, gain);
    }
    return padded_take(padded, decomposition, err);
}

static bool emptiest(const struct traffic *traffic, uint64_t price, uint64_t seed,
                     struct decomposition *decomposition, struct err *err)
{
    (void)price, (void)seed;
    struct padded padded;
    struct emptiest work;
    size_t entries = (size_t)traffic->nodes * traffic->nodes;
    if (!padded_new(traffic, true, &padded, err))
        return false;
    void *memory = arena_new((const struct arena_array[]){ARENA(work.value, entries),
                                                          ARENA(work.weight, entries),
                                                          ARENA(work.to, traffic->nodes)},
                             3);
    bool taken = memory != NULL || err_no_memory(err, "%zu weights", entries);
    while (taken && padded.rest > 0)
        taken = take_emptiest(&padded, &work, decomposition, err);
    free(memory);
    padded_free(&padded);
    return taken;
}

const struct decompose_method decompose_emptiest = {
    "emptiest", "the value whose permutation leaves the most entries empty", "greedy",
    fits_emptiest, emptiest};

/* -- The heaviest ------------------------------------------------------------------------------ */

/* Subtracts all packets of a matching. Returns its duration. */
static uint32_t empty(struct padded *padded)
{
    size_t nodes = padded->nodes;
    uint32_t most = 0;
    for (size_t row = 0; row < nodes; row++) {
        uint32_t *entry = &padded->table[row * nodes + padded->to[row]];
        most = MAX(most, *entry);
        *entry = 0;
    }
    return most;
}

static bool heaviest(const struct traffic *traffic, uint64_t price, uint64_t seed,
                     struct decomposition *decomposition, struct err *err)
{
    (void)price, (void)seed;
    struct padded padded;
    size_t entries = (size_t)traffic->nodes * traffic->nodes;
    if (!padded_new(traffic, false, &padded, err))
        return false;
    int64_t *weight = malloc(entries * sizeof *weight);
    bool taken = weight != NULL || err_no_memory(err, "%zu weights", entries);
    for (uint32_t duration = 1; taken && duration > 0;) {
        for (size_t k = 0; k < entries; k++)
            weight[k] = padded.table[k];
        match_best(padded.match, padded.nodes, weight, padded.to);
        duration = empty(&padded);
        if (duration > 0)
            taken = decomposition_add(decomposition, padded.to, duration, err);
    }
    free(weight);
    padded_free(&padded);
    return taken;
}

const struct decompose_method decompose_heaviest = {
    "heaviest", "the matching with the most packets, held until it is done", "greedy", fits,
    heaviest};
