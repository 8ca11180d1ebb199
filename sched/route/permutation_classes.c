/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/permutation_classes.h"

#include "sched/base/bits.h"
#include "sched/route/affine.h"
#include "sched/route/settings.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BITS MULTISTAGE_MAX_LOG2_PORTS

static bool is_shift(uint32_t ports, const uint32_t to[])
{
    uint32_t shift = MULTISTAGE_IDLE;
    for (uint32_t port = 0; port < ports; port++) {
        if (to[port] == MULTISTAGE_IDLE)
            continue;
        uint32_t by = (to[port] + ports - port) % ports;
        if (shift != MULTISTAGE_IDLE && by != shift)
            return false;
        shift = by;
    }
    return true;
}

static bool is_complement(uint32_t ports, const uint32_t to[])
{
    uint32_t by = MULTISTAGE_IDLE;
    for (uint32_t port = 0; port < ports; port++) {
        if (to[port] == MULTISTAGE_IDLE)
            continue;
        if (by != MULTISTAGE_IDLE && (to[port] ^ port) != by)
            return false;
        by = to[port] ^ port;
    }
    return true;
}

/* Assigns to output bit j one of the input bits in may[j], and moves other output bits if necessary
 * (augmenting paths). Returns false if that is impossible. */
static bool assign(unsigned j, const uint32_t may[], uint32_t *seen, unsigned owner[])
{
    for (uint32_t left = may[j] & ~*seen; left != 0; left = may[j] & ~*seen) {
        unsigned input = (unsigned)__builtin_ctz(left);
        *seen |= UINT32_C(1) << input;
        if (owner[input] == MOST_BITS || assign(owner[input], may, seen, owner)) {
            owner[input] = j;
            return true;
        }
    }
    return false;
}

static bool is_bit_permute_complement(uint32_t ports, unsigned bits, const uint32_t to[])
{
    uint32_t same[MOST_BITS], opposite[MOST_BITS], may[MOST_BITS];
    unsigned owner[MOST_BITS];
    for (unsigned j = 0; j < bits; j++) {
        same[j] = opposite[j] = ports - 1;
        owner[j] = MOST_BITS;
    }
    for (uint32_t port = 0; port < ports; port++)
        for (unsigned j = 0; to[port] != MULTISTAGE_IDLE && j < bits; j++) {
            /* the bits of `port` that equal bit j of the output */
            uint32_t equal = to[port] >> j & 1 ? port : ~port;
            same[j] &= equal;
            opposite[j] &= ~equal;
            if ((same[j] | opposite[j]) == 0)
                return false;
        }
    for (unsigned j = 0; j < bits; j++) {
        uint32_t seen = 0;
        for (unsigned each = 0; each < bits; each++)
            may[each] = same[each] | opposite[each];
        if (!assign(j, may, &seen, owner))
            return false;
    }
    return true;
}

static bool is_affine(uint32_t ports, const uint32_t to[])
{
    const struct multistage net = multistage_benes(ports);
    struct affine_part part = affine_begin(&net);
    return affine_join(&part, to);
}

/* Reports whether the lanes of all circuits differ after every stage. The stages use the bits of
 * the destination from the highest on or, in an inverse network, from the lowest on. */
static bool passes(uint32_t ports, unsigned bits, const uint32_t to[], bool inverse, bool used[])
{
    for (unsigned stage = 1; stage < bits; stage++) {
        uint32_t low = (UINT32_C(1) << (inverse ? stage : bits - stage)) - 1;
        uint32_t of_output = inverse ? low : ~low;
        memset(used, 0, ports * sizeof *used);
        for (uint32_t port = 0; port < ports; port++) {
            if (to[port] == MULTISTAGE_IDLE)
                continue;
            uint32_t lane = (to[port] & of_output) | (port & ~of_output);
            if (used[lane])
                return false;
            used[lane] = true;
        }
    }
    return true;
}

unsigned permutation_classes_of(uint32_t ports, const uint32_t to[], bool used[])
{
    unsigned bits = bits_log2_up(ports), classes = (unsigned)is_shift(ports, to)
                                                   << PERMUTATION_CLASSES_SHIFT;
    if (!bits_is_power(ports))
        return classes;
    return classes | (unsigned)is_complement(ports, to) << PERMUTATION_CLASSES_COMPLEMENT |
           (unsigned)is_bit_permute_complement(ports, bits, to)
               << PERMUTATION_CLASSES_BIT_PERMUTE_COMPLEMENT |
           (unsigned)is_affine(ports, to) << PERMUTATION_CLASSES_AFFINE |
           (unsigned)passes(ports, bits, to, false, used) << PERMUTATION_CLASSES_OMEGA |
           (unsigned)passes(ports, bits, to, true, used) << PERMUTATION_CLASSES_INVERSE_OMEGA;
}

bool permutation_classes_count(const struct schedule *schedule, const struct machine *machine,
                               uint32_t count[PERMUTATION_CLASSES_COUNT], uint32_t *rows,
                               struct err *err)
{
    struct route_rows walk = route_rows_begin(schedule, machine);
    uint32_t *to = malloc(walk.circuits * sizeof *to);
    bool *used = malloc(walk.circuits * sizeof *used);
    bool counted = to != NULL && used != NULL;
    unsigned classes = 0;
    *rows = 0;
    memset(count, 0, PERMUTATION_CLASSES_COUNT * sizeof *count);
    if (!counted)
        err_no_memory(err, "a row");
    while (counted && walk.row < walk.rows) {
        counted = route_rows_next(&walk, to, err);
        if (!counted || walk.idle)
            continue;
        classes = walk.changed ? permutation_classes_of(walk.circuits, to, used) : classes;
        for (unsigned which = 0; which < PERMUTATION_CLASSES_COUNT; which++)
            count[which] += classes >> which & 1;
        ++*rows;
    }
    free(to);
    free(used);
    return counted;
}
