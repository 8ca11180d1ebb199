/* SPDX-License-Identifier: Apache-2.0 */
/* options_tree: a tree of the papers, which is drawn instead of a schedule.
 *
 *     --tree full -d D -t T          FT_d(t)
 *     --tree top  -n N -d D [-i I]   T_i, the treetop that spans group i of n processors
 *     --tree hat  -n N -d D [-i I]   T̂_i, the tree that carries every d-th packet
 *     --tree cube --dim D [-i J]     T(J), the tree of e_J of a hypercube, J = 1 … D
 */
#ifndef ROUNDCAST_OPTIONS_TREE_H
#define ROUNDCAST_OPTIONS_TREE_H

#include "cli/options.h"
#include "sched/draw/drawing.h"

enum { TREE_N, TREE_D, TREE_T, TREE_I, TREE_DIM, TREE_NUMBERS };

struct options_tree {
    struct err *err;
    const struct tree_kind *kind;  /* NULL: no --tree */
    uint32_t number[TREE_NUMBERS]; /* 0 if not given */
    unsigned given;                /* bit 1u << TREE_x */
};

/* --tree, -n, -d, -t, -i and --dim. */
extern const struct argp options_tree_argp;

/* After parsing: are the numbers given that the tree needs, and no others? E101. */
bool options_tree_check(const struct options_tree *options);

/* Draw the tree. Precondition: a kind, options_tree_check. Errors: E104, and what the numbers
 * break. */
bool options_tree_draw(const struct options_tree *options, struct drawing *drawing);

#endif
