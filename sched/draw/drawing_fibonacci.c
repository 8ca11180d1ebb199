/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/draw/drawing.h"

#include "sched/base/compare.h"

#include <stdlib.h>

/* A node of the tree and its index in the tree. */
struct entry {
    uint32_t label, index;
};

/* Compares by label, then by order of creation. */
static int compare(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    return compare_then(COMPARE(a->label, b->label), COMPARE(a->index, b->index));
}

static enum drawing_kind kind_of(const struct fibonacci_shape *shape, uint32_t processor)
{
    if (shape == NULL)
        return DRAWING_PLAIN;
    if (processor == FIBONACCI_VIRTUAL)
        return DRAWING_VIRTUAL;
    uint32_t inserted = 1 + shape->d * shape->s, array = inserted + shape->d * shape->beta;
    if (processor >= array)
        return DRAWING_ARRAY;
    return processor >= inserted ? DRAWING_INSERTED : DRAWING_PLAIN;
}

/* Sorts the nodes: order[at] is the node at place `at`, and place[index] is the place of a node. */
static void sort(const struct fibonacci_tree *tree, struct entry *order, uint32_t *place)
{
    for (uint32_t index = 0; index < tree->count; index++)
        order[index] = (struct entry){tree->node[index].label, index};
    qsort(order, tree->count, sizeof *order, compare);
    for (uint32_t at = 0; at < tree->count; at++)
        place[order[at].index] = at;
}

bool drawing_fibonacci(const struct fibonacci_tree *tree, const struct fibonacci_shape *shape,
                       const char *title, struct drawing *drawing, struct err *err)
{
    if (!drawing_init(drawing, title, 1, err))
        return false;
    drawing->shows_numbers = shape != NULL;
    struct entry *order = malloc(tree->count * sizeof *order);
    uint32_t *place = malloc(tree->count * sizeof *place);
    bool drawn = order != NULL && place != NULL;
    if (drawn)
        sort(tree, order, place);
    else
        err_no_memory(err, "the drawing of a tree");
    for (uint32_t at = 0; drawn && at < tree->count; at++) {
        const struct fibonacci_node *node = &tree->node[order[at].index];
        drawn = drawing_append(drawing,
                               (struct drawing_node){.parent = place[node->parent],
                                                     .number = node->processor,
                                                     .kind = kind_of(shape, node->processor),
                                                     .time = node->label},
                               err);
    }
    free(order);
    free(place);
    if (!drawn)
        drawing_free(drawing);
    return drawn;
}
