/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/decompose/beam.h"

#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/decompose/match.h"

#include <stdlib.h>
#include <string.h>

#define BIT 256       /* bits_of() in units of 1/256 bit */
#define EMPTY 1000    /* weight of an entry that becomes 0 */
#define FACTORIAL 120 /* BEAM_ALL! */

/* A step from a state: subtracts value times the permutation to[]. */
struct step {
    int64_t score;   /* score of the state that it leads to, without relations */
    int64_t merit;   /* score with relations and noise; the minimum if the state is empty */
    uint64_t hash;   /* hash of that state */
    uint32_t filled; /* number of its entries that are not empty */
    uint32_t from, value;
    uint32_t *to; /* to[nodes] */
};

/* Remembers relations, because the same states occur again, within a search and in the next
 * searches. */
#define KNOWN_BITS 15
struct known {
    uint64_t hash; /* 0: unused */
    struct relations relations;
};

struct beam {
    uint32_t nodes;
    unsigned width;
    size_t levels; /* maximum number of steps; each step empties at least one entry */
    struct match *match;
    uint32_t *state, *next; /* [width][nodes²] */
    struct step *step;      /* step[width · choices]: the steps of one level */
    uint32_t *to;           /* to[width · choices][nodes]: the permutations of step[] */
    struct step *taken;     /* taken[levels · width]: the steps that were kept at each level */
    uint32_t *taken_to;     /* taken_to[levels · width][nodes] */
    /* [nodes²]: the values of a state, and the number of entries with each */
    uint32_t *value, *many;
    uint32_t *value_of; /* value_of[nodes²]: the index of each entry's value in value[] */
    /* removed[nodes²]: the number of entries of each value that a step changes */
    uint32_t *removed;
    int64_t *weight;       /* weight[nodes²] */
    struct known *known;   /* known[2^KNOWN_BITS]; used up to BEAM_ALL nodes */
    struct beam_rule rule; /* of the current search */
    struct rng *rng;
    void *memory;
};

static size_t choices(uint32_t nodes)
{
    size_t values = (size_t)nodes * nodes;
    return nodes <= BEAM_ALL ? FACTORIAL : values;
}

static bool get_memory(struct beam *beam)
{
    size_t n = beam->nodes, w = beam->width, steps = w * choices(beam->nodes);
    const struct arena_array arrays[] = {ARENA(beam->state, w * n * n),
                                         ARENA(beam->next, w * n * n),
                                         ARENA(beam->step, steps),
                                         ARENA(beam->to, steps * n),
                                         ARENA(beam->taken, beam->levels * w),
                                         ARENA(beam->taken_to, beam->levels * w * n),
                                         ARENA(beam->value, n * n),
                                         ARENA(beam->many, n * n),
                                         ARENA(beam->value_of, n * n),
                                         ARENA(beam->removed, n * n),
                                         ARENA(beam->weight, n * n),
                                         ARENA(beam->known, n <= BEAM_ALL ? 1 << KNOWN_BITS : 0)};
    beam->memory = arena_new(arrays, ARENA_COUNT(arrays));
    return beam->memory != NULL;
}

struct beam *beam_new(uint32_t nodes, unsigned width, struct rng *rng, struct err *err)
{
    struct beam *beam = malloc(sizeof *beam);
    if (beam != NULL) {
        *beam = (struct beam){
            .nodes = nodes, .width = width, .levels = (size_t)nodes * nodes + 1, .rng = rng};
        beam->match = match_new(nodes, err);
        if (beam->match != NULL && get_memory(beam))
            return beam;
    }
    beam_free(beam);
    err_no_memory(err, "a search of %u states", width);
    return NULL;
}

void beam_free(struct beam *beam)
{
    if (beam == NULL)
        return;
    match_free(beam->match);
    free(beam->memory);
    free(beam);
}

/* Returns log2(1 + entry) in units of 1 / BIT, linear between powers of two. */
static int64_t bits_of(uint32_t entry)
{
    uint64_t more = (uint64_t)entry + 1;
    unsigned log = bits_log2_down(more);
    return (int64_t)(BIT * log + ((more << 8) >> log) - BIT);
}

static uint64_t mix(size_t entry, uint32_t value)
{
    return rng_next(&(struct rng){(uint64_t)entry << 32 | value});
}

/* Lists the values of a state, and the index of each entry's value. Returns the number of values.
 */
static size_t look(struct beam *beam, const uint32_t state[])
{
    size_t entries = (size_t)beam->nodes * beam->nodes;
    size_t values = padded_values(state, entries, beam->value);
    memset(beam->many, 0, values * sizeof *beam->many);
    for (size_t e = 0; e < entries; e++) {
        size_t low = 0, high = values;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (beam->value[middle] < state[e])
                low = middle + 1;
            else
                high = middle;
        }
        beam->value_of[e] = (uint32_t)low;
        if (state[e] != 0)
            beam->many[low]++;
    }
    return values;
}

/* Returns whether an entry with this value remains, apart from the entries that a step changes.
 * Precondition: some entry is larger. */
static bool stays(const struct beam *beam, size_t values, uint32_t value)
{
    size_t low = 0, high = values;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (beam->value[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return beam->value[low] == value && beam->many[low] > beam->removed[low];
}

/* Returns the change in the number of different values of a state by a step; can be negative. */
static int64_t more_values(struct beam *beam, const uint32_t state[], size_t values,
                           const struct step *step)
{
    uint32_t nodes = beam->nodes, made[BEAM_MAX_NODES];
    int64_t more = 0;
    size_t count = 0;
    for (uint32_t row = 0; row < nodes; row++) {
        uint32_t which = beam->value_of[row * nodes + step->to[row]];
        more -= ++beam->removed[which] == beam->many[which];
    }
    for (uint32_t row = 0; row < nodes; row++) {
        uint32_t value = state[row * nodes + step->to[row]] - step->value;
        bool known = value == 0 || stays(beam, values, value);
        for (size_t k = 0; !known && k < count; k++)
            known = made[k] == value;
        if (known)
            continue;
        made[count++] = value;
        more++;
    }
    for (uint32_t row = 0; row < nodes; row++)
        beam->removed[beam->value_of[row * nodes + step->to[row]]] = 0;
    return more;
}

/* Returns the relations of the state that a step leads to. */
static struct relations relations_after(const struct beam *beam, const uint32_t state[],
                                        const struct step *step)
{
    uint32_t nodes = beam->nodes, left[RELATIONS_MAX_ENTRIES];
    struct known *known = &beam->known[step->hash >> (64 - KNOWN_BITS)];
    if (known->hash == step->hash)
        return known->relations;
    memcpy(left, state, (size_t)nodes * nodes * sizeof *left);
    for (uint32_t row = 0; row < nodes; row++)
        left[row * nodes + step->to[row]] -= step->value;
    *known = (struct known){step->hash, relations_of(left, (size_t)nodes * nodes)};
    return known->relations;
}

static int64_t judge_relations(const struct beam *beam, const uint32_t state[],
                               const struct step *step)
{
    const struct beam_rule rule = beam->rule;
    struct relations relations = relations_after(beam, state, step);
    return BIT * ((int64_t)rule.distinct * relations.values - (int64_t)rule.sums * relations.sums);
}

/* Scores the state that a step leads to. `before` is the score of the state that it leaves. */
static void judge(struct beam *beam, const uint32_t state[], size_t values,
                  const struct step *before, struct step *step)
{
    const struct beam_rule rule = beam->rule;
    uint32_t nodes = beam->nodes;
    step->score = before->score;
    step->hash = before->hash;
    step->filled = before->filled;
    for (uint32_t row = 0; row < nodes; row++) {
        size_t entry = row * nodes + step->to[row];
        uint32_t left = state[entry] - step->value;
        if (rule.bits > 0)
            step->score += rule.bits * (bits_of(left) - bits_of(state[entry]));
        step->score -= left == 0 ? (int64_t)rule.filled * BIT : 0;
        step->filled -= left == 0;
        step->hash += mix(entry, left) - mix(entry, state[entry]);
    }
    if (rule.sums == 0)
        step->score += (int64_t)rule.distinct * BIT * more_values(beam, state, values, step);
    step->merit = step->score + (rule.sums > 0 ? judge_relations(beam, state, step) : 0) +
                  (rule.noise > 0 ? rng_below(beam->rng, rule.noise) : 0);
    if (step->filled == 0)
        step->merit = INT64_MIN;
}

/* Returns the least entry of a permutation. */
static uint32_t least_of(const struct beam *beam, const uint32_t state[], const uint32_t to[])
{
    uint32_t least = UINT32_MAX;
    for (uint32_t row = 0; row < beam->nodes; row++) {
        uint32_t entry = state[row * beam->nodes + to[row]];
        least = MIN(least, entry);
    }
    return least;
}

/* Finds the most promising permutation of entries that are `value` or more. Returns its least
 * entry; 0 if there is no such permutation. */
static uint32_t promise(struct beam *beam, const uint32_t state[], size_t values, uint32_t value,
                        uint32_t to[])
{
    const struct beam_rule rule = beam->rule;
    size_t entries = (size_t)beam->nodes * beam->nodes;
    for (size_t e = 0; e < entries; e++) {
        if (state[e] < value) {
            beam->weight[e] = -(INT64_C(1) << 40);
            continue;
        }
        uint32_t left = state[e] - value;
        int64_t weight = rule.shrink * (bits_of(state[e]) - bits_of(left)) / BIT;
        if (left == 0)
            weight += EMPTY;
        else if (stays(beam, values, left))
            weight += rule.bonus;
        if (rule.noise > 0)
            weight += rng_below(beam->rng, rule.noise);
        beam->weight[e] = weight;
    }
    match_best(beam->match, beam->nodes, beam->weight, to);
    uint32_t least = least_of(beam, state, to);
    return least >= value ? least : 0;
}

/* Replaces to[] by the next permutation in lexicographic order. Returns false after the last one.
 */
static bool next_permutation(uint32_t nodes, uint32_t to[])
{
    uint32_t k = nodes - 1, other = nodes - 1;
    while (k > 0 && to[k - 1] >= to[k])
        k--;
    if (k == 0)
        return false;
    while (to[other] <= to[k - 1])
        other--;
    uint32_t moved = to[k - 1];
    to[k - 1] = to[other];
    to[other] = moved;
    for (uint32_t last = nodes - 1; k < last; k++, last--) {
        moved = to[k];
        to[k] = to[last];
        to[last] = moved;
    }
    return true;
}

/* Appends all steps from a state to the `count` steps. Returns the new number of steps. */
static size_t find_steps(struct beam *beam, uint32_t from, const struct step *before, size_t count)
{
    uint32_t nodes = beam->nodes, to[BEAM_MAX_NODES];
    const uint32_t *state = beam->state + (size_t)from * nodes * nodes;
    size_t values = look(beam, state);
    bool all = nodes <= BEAM_ALL, more = true;
    for (uint32_t row = 0; row < nodes; row++)
        to[row] = row;
    for (size_t k = 0; all ? more : k < values; k++) {
        struct step *step = &beam->step[count];
        step->value =
            all ? least_of(beam, state, to) : promise(beam, state, values, beam->value[k], to);
        step->from = from;
        step->to = beam->to + count * nodes;
        memcpy(step->to, to, nodes * sizeof *to);
        more = all && next_permutation(nodes, to);
        if (step->value == 0 && !all)
            break; /* larger values have no permutation either */
        if (step->value == 0)
            continue;
        judge(beam, state, values, before, step);
        count++;
    }
    return count;
}

static int compare(const void *left, const void *right)
{
    const struct step *a = left, *b = right;
    return compare_then(COMPARE(a->merit, b->merit), COMPARE(a->hash, b->hash));
}

/* Selects the best of `count` steps, each state once, and creates their states. Returns the number
 * of states. */
static size_t take_steps(struct beam *beam, size_t level, unsigned width, size_t count)
{
    size_t nodes = beam->nodes, entries = nodes * nodes, kept = 0;
    qsort(beam->step, count, sizeof *beam->step, compare);
    for (size_t k = 0; k < count && kept < width; k++) {
        const struct step *step = &beam->step[k];
        struct step *taken = &beam->taken[level * beam->width + kept];
        if (kept > 0 && taken[-1].hash == step->hash)
            continue;
        uint32_t *to = beam->taken_to + (level * beam->width + kept) * nodes;
        uint32_t *state = beam->next + kept * entries;
        *taken = *step;
        taken->to = to;
        memcpy(to, step->to, nodes * sizeof *to);
        memcpy(state, beam->state + step->from * entries, entries * sizeof *state);
        for (size_t row = 0; row < nodes; row++)
            state[row * nodes + to[row]] -= step->value;
        kept++;
    }
    uint32_t *was = beam->state;
    beam->state = beam->next;
    beam->next = was;
    return kept;
}

/* Collects the permutations that lead to the first state of a level. */
static bool trace(const struct beam *beam, size_t level, struct decomposition *decomposition,
                  struct err *err)
{
    decomposition->count = 0;
    for (size_t at = 0; level > 0; level--) {
        const struct step *step = &beam->taken[(level - 1) * beam->width + at];
        if (!decomposition_add(decomposition, step->to, step->value, err))
            return false;
        at = step->from;
    }
    return true;
}

static struct step start_at(const uint32_t table[], size_t entries)
{
    struct step start = {0};
    for (size_t e = 0; e < entries; e++) {
        start.filled += table[e] != 0;
        start.hash += mix(e, table[e]);
    }
    return start;
}

bool beam_search(struct beam *beam, const uint32_t table[], size_t limit, struct beam_rule rule,
                 struct decomposition *decomposition, struct err *err)
{
    size_t entries = (size_t)beam->nodes * beam->nodes, states = 1;
    struct step start = start_at(table, entries);
    unsigned width = MIN(rule.width, beam->width);
    beam->rule = rule;
    memcpy(beam->state, table, entries * sizeof *table);
    for (size_t level = 0; level + 1 < limit && level < beam->levels; level++) {
        size_t count = 0;
        for (size_t from = 0; from < states; from++) {
            const struct step *before =
                level == 0 ? &start : &beam->taken[(level - 1) * beam->width + from];
            count = find_steps(beam, (uint32_t)from, before, count);
        }
        if (level < rule.first) {
            beam->step[0] = beam->step[rng_below(beam->rng, (uint32_t)count)];
            count = 1;
        }
        states = take_steps(beam, level, width, count);
        if (states > 0 && beam->taken[level * beam->width].filled == 0)
            return trace(beam, level + 1, decomposition, err);
    }
    return false;
}
