/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/complete/forest.h"

#include "sched/base/compare.h"

#include <stdlib.h>

bool forest_init(struct forest *forest, uint32_t n, uint32_t count, struct err *err)
{
    *forest = (struct forest){.n = n, .count = count, .tree = calloc(count, sizeof *forest->tree)};
    return forest->tree != NULL || err_no_memory(err, "%u trees", count);
}

void forest_free(struct forest *forest)
{
    for (uint32_t tree = 0; tree < forest->count && forest->tree != NULL; tree++) {
        free(forest->tree[tree].first);
        free(forest->tree[tree].arc);
    }
    free(forest->tree);
    *forest = (struct forest){0};
}

static uint32_t count_labels(uint32_t edges, const struct forest_edge edge[])
{
    uint32_t largest = 0;
    for (uint32_t index = 0; index < edges; index++)
        largest = MAX(largest, edge[index].label);
    return largest + 1;
}

bool forest_set(struct forest *forest, uint32_t tree, const struct forest_edge edge[],
                struct err *err)
{
    uint32_t edges = forest->n - 1, labels = count_labels(edges, edge);
    /* One entry more, because first[label + 1] is the next index of `label` while the arcs are
     * placed. */
    uint32_t *first = calloc((size_t)labels + 2, sizeof *first);
    struct forest_arc *arc = malloc(edges * sizeof *arc);
    forest->tree[tree] = (struct forest_tree){.labels = labels, .first = first, .arc = arc};
    if (first == NULL || arc == NULL)
        return err_no_memory(err, "a tree of %u nodes", forest->n);
    for (uint32_t index = 0; index < edges; index++)
        first[edge[index].label + 2]++;
    for (uint32_t label = 0; label < labels; label++)
        first[label + 2] += first[label + 1];
    for (uint32_t index = 0; index < edges; index++)
        arc[first[edge[index].label + 1]++] =
            (struct forest_arc){edge[index].source, edge[index].destination};
    return true;
}

/* Writes the transfers of one packet to a tree's nodes of one label. Returns one past the last
 * transfer. */
static struct transfer *open_transfer(const struct forest_tree *tree, uint64_t label,
                                      uint32_t packet, struct transfer *transfer)
{
    for (uint32_t index = tree->first[label]; index < tree->first[label + 1]; index++) {
        const struct forest_arc *arc = &tree->arc[index];
        *transfer++ = (struct transfer){arc->source, arc->destination, packet};
    }
    return transfer;
}

bool forest_build(const struct forest *forest, uint32_t m, struct schedule *schedule,
                  struct err *err)
{
    uint64_t labels = 0;
    for (uint32_t tree = 0; tree < forest->count; tree++)
        labels = MAX(labels, forest->tree[tree].labels);

    for (uint64_t round = 1; round < m + labels; round++) {
        struct transfer *first = schedule_open_step(schedule, round, forest->n, err), *next = first;
        if (first == NULL)
            return false;
        uint64_t last = MIN(round, m);
        for (uint64_t packet = round < labels ? 1 : round - labels + 1; packet <= last; packet++) {
            const struct forest_tree *tree = &forest->tree[(packet - 1) % forest->count];
            if (round - packet < tree->labels)
                next = open_transfer(tree, round - packet, (uint32_t)packet, next);
        }
        schedule_close_step(schedule, (size_t)(next - first));
    }
    return true;
}
