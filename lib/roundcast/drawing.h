/* SPDX-License-Identifier: Apache-2.0 */
/* drawing: pictures of the spread of a packet, and of trees of the papers. Depth in a picture is
 * time.
 */
#ifndef ROUNDCAST_LIB_DRAWING_H
#define ROUNDCAST_LIB_DRAWING_H

#include "roundcast/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct roundcast_schedule;
struct roundcast_drawing; /* the nodes of a tree, in order of time */

/* Draws how a packet of a schedule spreads, up to the receipts of round or time `last`; 0: all.
 * NULL with E102 for a packet out of range or that no node receives, E104, E302 for a sender that
 * does not hold the packet. Free it with roundcast_drawing_free. O(transfers + nodes). */
struct roundcast_drawing *roundcast_draw_packet(const struct roundcast_schedule *schedule,
                                                uint32_t packet, uint32_t last,
                                                struct roundcast_error *error);

#define ROUNDCAST_TREE_NOT_GIVEN UINT32_MAX

/* A tree of the papers, by its kind and the numbers that the kind requires:
 *
 *     full   degree D, order T         FT_D(T)
 *     top    nodes N, degree D, index  T_i, the treetop that spans group i of N processors
 *     hat    nodes N, degree D, index  T̂_i, the tree that carries every D-th packet
 *     cube   dim D, index              T(i), a tree of a hypercube, i = 1 … D
 *
 * The index is optional (default: 0; for a cube 1). A number that is ROUNDCAST_TREE_NOT_GIVEN is
 * not given. */
struct roundcast_tree {
    const char *kind; /* NULL: none */
    uint32_t nodes, degree, order, index, dim;
};

/* Returns the name of kind `which`, from 0; NULL after the last. Statically allocated. */
const char *roundcast_tree_kind(unsigned which);

/* Checks the kind, and that exactly the numbers that it requires are given; without a kind no
 * number may be given. E101. */
bool roundcast_tree_check(const struct roundcast_tree *tree, struct roundcast_error *error);

/* Draws the tree. NULL with E101, E102, E104. Free it with roundcast_drawing_free. */
struct roundcast_drawing *roundcast_draw_tree(const struct roundcast_tree *tree,
                                              struct roundcast_error *error);

struct roundcast_drawing_info {
    const char *title; /* lines separated by \n; valid as long as the drawing */
    size_t nodes;
    uint32_t depth; /* number of branches from the root to the deepest node */
    uint64_t last;  /* time at which the last node is reached: last/ticks */
    uint32_t ticks;
};

/* Returns the numbers that describe a drawing. O(nodes). */
struct roundcast_drawing_info roundcast_drawing_describe(const struct roundcast_drawing *drawing);

/* Writes the drawing to a file (`-`: standard output), which is complete or absent: in "dot", the
 * language of Graphviz, or as a picture that its program `dot` makes, "svg" or "png". E104 for a
 * picture of too many nodes, E202, E501. */
bool roundcast_drawing_write(const struct roundcast_drawing *drawing, const char *format,
                             const char *path, struct roundcast_error *error);

/* Frees a drawing; NULL is allowed. */
void roundcast_drawing_free(struct roundcast_drawing *drawing);

#ifdef __cplusplus
}
#endif

#endif
