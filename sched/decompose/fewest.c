/* SPDX-License-Identifier: Apache-2.0 */
/* fewest: the fewest possible settings, by an edge colouring of the entries. Each setting stays
 * until its largest entry is done. */
#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/decompose/decompose.h"

#include <stdlib.h>

static bool fits(const struct traffic *traffic)
{
    (void)traffic;
    return true;
}

/* Adds the entries of each colour as the circuits of one setting. */
static bool add_colours(const struct traffic *traffic, uint64_t colours, const uint32_t colour[],
                        struct decomposition *decomposition, struct err *err)
{
    size_t nodes = traffic->nodes;
    uint32_t *to, *longest;
    void *memory = arena_new(
        (const struct arena_array[]){ARENA(to, colours * nodes), ARENA(longest, colours)}, 2);
    if (memory == NULL)
        return err_no_memory(err, "settings of %zu nodes", nodes);
    for (size_t k = 0; k < colours * nodes; k++)
        to[k] = DECOMPOSE_IDLE;
    for (size_t k = 0; k < traffic->count; k++) {
        const struct traffic_entry *entry = &traffic->entry[k];
        to[colour[k] * nodes + entry->source] = entry->destination;
        longest[colour[k]] = MAX(longest[colour[k]], entry->packets);
    }
    bool added = true;
    for (size_t c = 0; added && c < colours; c++)
        added = decomposition_add(decomposition, to + c * nodes, longest[c], err);
    free(memory);
    return added;
}

static bool fewest(const struct traffic *traffic, uint64_t price, uint64_t seed,
                   struct decomposition *decomposition, struct err *err)
{
    (void)price, (void)seed;
    struct traffic ones = *traffic;
    struct traffic_load load;
    uint32_t *colour = NULL;
    ones.entry = malloc(traffic->count * sizeof *ones.entry);
    if (ones.entry == NULL)
        return err_no_memory(err, "%zu entries", traffic->count);
    for (size_t k = 0; k < traffic->count; k++) {
        ones.entry[k] = traffic->entry[k];
        ones.entry[k].packets = 1;
    }
    ones.packets = traffic->count;
    bool made = traffic_load(&ones, &load, err) &&
                traffic_rounds(&ones, load.degree, &colour, err) &&
                add_colours(traffic, load.degree, colour, decomposition, err);
    free(colour);
    free(ones.entry);
    return made;
}

const struct decompose_method decompose_fewest = {
    "fewest", "as few settings as there can be, by edge colouring", "König 1916", fits, fewest};
