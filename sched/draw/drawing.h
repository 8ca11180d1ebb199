/* SPDX-License-Identifier: Apache-2.0 */
/* drawing: a tree as a picture, written in the language of Graphviz.
 *
 *     node     [0]  [1] [2]  [3] …       count entries, time ascending, parents before their
 *                                        children
 *     time      0    1   2    2
 *     parent    0    0   0    1
 *
 *     0    (0)
 *           | \
 *     1    (1) \
 *           |   \
 *     2    (3)  (2)
 *
 * Depth in the picture is time. Nodes of one time are on one row, with the time in the margin. The
 * children of a node are in order of time, from the left. A drawing is deterministic: the same
 * nodes give the same text.
 */
#ifndef ROUNDCAST_DRAWING_H
#define ROUNDCAST_DRAWING_H

#include "sched/algorithms/complete/fibonacci_tree.h"
#include "sched/schedule/schedule.h"

/* The appearance of a node: name, Graphviz attributes, line of the legend. */
#define DRAWING_KINDS(X)                                           \
    X(PLAIN, "", NULL)                                             \
    X(SOURCE, "peripheries=2", "double circle: the source")        \
    X(RESULT, "peripheries=2", "double circle: a result")          \
    X(ROUTER, "shape=box", "square: a router")                     \
    X(VIRTUAL, "style=dashed", "dashed: v, the virtual processor") \
    X(INSERTED, "shape=box, style=filled, fillcolor=lightgrey",    \
      "grey square: an inserted processor")                        \
    X(ARRAY, "shape=box, style=filled, fillcolor=lightblue",       \
      "blue square: a processor of the array at v")

enum drawing_kind {
#define DRAWING_ENUM(name, attributes, legend) DRAWING_##name,
    DRAWING_KINDS(DRAWING_ENUM)
#undef DRAWING_ENUM
};

struct drawing_node {
    /* index of an earlier node; 0 for node 0, the root; or DRAWING_NO_PARENT */
    uint32_t parent;
    /* label of the node; v for DRAWING_VIRTUAL, level:index for DRAWING_ROUTER */
    uint32_t number;
    uint32_t depth; /* number of branches to the root */
    enum drawing_kind kind;
    /* ticks, at least the time of the previous node; printed below the label, except for
     * DRAWING_SOURCE */
    uint64_t time;
    /* ticks, or a number; printed at the branch to the parent if branches are shown */
    uint64_t branch;
    char
        *text; /* printed below the label, in place of the time; NULL: none; owned by the drawing */
};

#define DRAWING_NO_PARENT UINT32_MAX

/* An arrow between two nodes, in addition to those from parents to their children. */
struct drawing_arrow {
    uint32_t from, to; /* indices, from < to */
    bool dashed;
    const char *text; /* NULL: none; not owned */
};

struct drawing {
    char *title;          /* printed below the picture, lines separated by \n; owned */
    uint32_t denominator; /* times are in ticks of 1/denominator */
    struct topology tree; /* the tree that contains the routers; unused without routers */
    bool shows_numbers, shows_branches;
    size_t count, room;
    struct drawing_node *node;
    size_t arrow_count, arrow_room;
    struct drawing_arrow *arrow;
};

/* Initialises an empty drawing with times in ticks of 1/denominator. `title` is copied. E104. Free
 * it with drawing_free. */
bool drawing_init(struct drawing *drawing, const char *title, uint32_t denominator,
                  struct err *err);

void drawing_free(struct drawing *drawing);

/* Adds the next node and computes its depth. Precondition: the order of `struct drawing_node`.
 * E104. */
bool drawing_append(struct drawing *drawing, struct drawing_node node, struct err *err);

/* Adds an arrow, whose end is then at least as deep as its beginning and one branch more. E104. */
bool drawing_add_arrow(struct drawing *drawing, struct drawing_arrow arrow, struct err *err);

/* Returns the number of branches from the root to the deepest node. O(count). */
uint32_t drawing_depth(const struct drawing *drawing);

/* Writes the text for Graphviz. Check ferror(to) for write errors. Precondition: count > 0.
 * O(count). */
void drawing_write(FILE *to, const struct drawing *drawing);

/* Draws how a packet of a schedule spreads, up to the receipts at `last` (rounds, or ticks). Every
 * node that receives it, in a tree also every router, is below the sender of its first receipt. The
 * root, where the packet starts, is on the row of its first send. Messages call the schedule
 * `name`. Precondition: 1 ≤ packet ≤ packets. E102 if no node receives it; E104; E302 for a sender
 * that does not hold it, because the transfers then form no tree. O(transfers + nodes +
 * routers). */
bool drawing_broadcast(const char *name, const struct schedule *schedule, uint32_t packet,
                       uint64_t last, struct drawing *drawing, struct err *err);

/* Draws how a packet of a schedule is combined, up to the receipts at `last`. Each drawn node is
 * the partial result of a node, or of a router of a tree, from a time on, with the contributors
 * that are counted in it. Solid arrows are transfers; dashed ones lead to the next partial result
 * of the same node. A partial result that a node has by itself is drawn if it is sent. Messages
 * call the schedule `name`. Precondition: the packet is combined. E102 if no node receives it;
 * E104, also for more than DRAWING_MOST_CONTRIBUTORS nodes and routers; E302 for a sender that has
 * nothing. O((transfers + nodes) · nodes / 64). */
bool drawing_reduction(const char *name, const struct schedule *schedule, uint32_t packet,
                       uint64_t last, struct drawing *drawing, struct err *err);

#define DRAWING_MOST_CONTRIBUTORS 4096

/* Parts that both drawings of packets share: begins a drawing whose title describes the schedule
 * and ends with `what`, and reports that a packet has no receipt up to `last`. */
bool drawing_packet_init(const struct schedule *schedule, uint32_t packet, const char *what,
                         struct drawing *drawing, struct err *err);
bool drawing_packet_refuse(const char *name, const struct schedule *schedule, uint32_t packet,
                           uint64_t last, struct err *err);

/* Draws a generalised Fibonacci tree. `shape` is that of T_i and T̂_i, drawn as processors with
 * labels; NULL for FT_d(t), drawn as labels only. E104. O(count log count). */
bool drawing_fibonacci(const struct fibonacci_tree *tree, const struct fibonacci_shape *shape,
                       const char *title, struct drawing *drawing, struct err *err);

/* Draws T(tree) of a hypercube (cube_tree.h): nodes by depth, the dimension at each branch,
 * children in the order of their dimensions in the tree. Precondition: legal dimensions d,
 * 1 ≤ tree ≤ d. E104. O(d 2^d). */
bool drawing_cube(unsigned dimensions, unsigned tree, struct drawing *drawing, struct err *err);

#endif
