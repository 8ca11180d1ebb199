/* SPDX-License-Identifier: Apache-2.0 */
/* draw_tree: a tree of the papers, drawn in place of a schedule.
 *
 *     --tree full -d D -t T          FT_d(t)
 *     --tree top  -n N -d D [-i I]   T_i, the treetop that spans group i of n processors
 *     --tree hat  -n N -d D [-i I]   T̂_i, the tree that carries every d-th packet
 *     --tree cube --dim D [-i J]     T(J), the tree of e_J of a hypercube, J = 1 … D
 */
#ifndef ROUNDCAST_LIB_DRAW_TREE_H
#define ROUNDCAST_LIB_DRAW_TREE_H

#include "sched/draw/drawing.h"
#include "sched/request/field.h"

enum { TREE_N, TREE_D, TREE_T, TREE_I, TREE_DIM, TREE_NUMBERS };

#define TREE_NOT_GIVEN UINT32_MAX

struct draw_tree {
    const struct tree_kind *kind;  /* NULL: no --tree */
    uint32_t number[TREE_NUMBERS]; /* TREE_NOT_GIVEN if not given */
};

/* Returns the name of kind `which`; NULL after the last. */
const char *draw_tree_choice(unsigned which);

/* Finds the kind by its name. E101. */
bool draw_tree_kind(const char *name, const struct tree_kind **kind, struct err *err);

/* Checks that the numbers that the tree needs are given, and no others. E101. */
bool draw_tree_check(const struct draw_tree *options, struct err *err);

/* Draws the tree. Precondition: a kind, draw_tree_check. E102, E104. */
bool draw_tree_draw(const struct draw_tree *options, struct drawing *drawing, struct err *err);

#endif
