/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/cube/cube_tree.h"
#include "sched/draw/drawing.h"

#include <inttypes.h>

/* Adds the children of a node to the drawing, if it has any. */
static bool add_children(unsigned d, unsigned tree, uint32_t at, struct drawing *drawing,
                         struct err *err)
{
    const struct drawing_node node = drawing->node[at]; /* a copy, because the array may move */
    bool added = true;
    for (unsigned place = 0; added && place < d; place++) {
        unsigned dimension = (tree + place) % d + 1; /* in the order j+1, …, d, 1, …, j */
        uint32_t child = topology_across(node.number, dimension);
        if (child != cube_tree_root(tree) && cube_tree_parent(tree, child) == node.number)
            added = drawing_append(
                drawing,
                (struct drawing_node){
                    .parent = at, .number = child, .time = node.time + 1, .branch = dimension},
                err);
    }
    return added;
}

bool drawing_cube(unsigned dimensions, unsigned tree, struct drawing *drawing, struct err *err)
{
    char title[120];
    snprintf(title, sizeof title,
             "T(%u) of the %u-cube\nnodes over how deep they are; at the arrows, the dimension",
             tree, dimensions);
    if (!drawing_init(drawing, title, 1, err))
        return false;
    drawing->shows_numbers = true;
    drawing->shows_branches = true;
    bool drawn =
        drawing_append(drawing, (struct drawing_node){.number = cube_tree_root(tree)}, err);
    for (uint32_t at = 0; drawn && at < drawing->count; at++) /* row by row */
        drawn = add_children(dimensions, tree, at, drawing, err);
    if (!drawn)
        drawing_free(drawing);
    return drawn;
}
