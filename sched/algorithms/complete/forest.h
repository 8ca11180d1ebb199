/* SPDX-License-Identifier: Apache-2.0 */
/* forest: trees that span all nodes and carry the packets in turn (Bruck, Cypher and Ho, section
 * 2.3).
 *
 * With c trees, packets 1, c+1, 2c+1, … go down tree 0, packets 2, c+2, … down tree 1, and so on. A
 * node has a label in each tree: packet p reaches it in round p + label. So in each round exactly
 * one tree uses each label: the tree of packet round - label. In memory each tree has its n-1 edges
 * in order of label:
 *
 *     arc      [0]       [1][2]     [3][4][5]    [6] …
 *     first     0         1          3            6           first[label] … first[label + 1] - 1
 */
#ifndef ROUNDCAST_FOREST_H
#define ROUNDCAST_FOREST_H

#include "sched/base/err.h"
#include "sched/schedule/schedule.h"

/* Node `source` sends to node `destination`, which receives packet p in round p + label. */
struct forest_edge {
    uint32_t source, destination, label;
};

struct forest_arc {
    uint32_t source, destination;
};

struct forest_tree {
    uint32_t labels;        /* one more than the largest label */
    uint32_t *first;        /* [labels + 1]: first arc of each label */
    struct forest_arc *arc; /* [n - 1], by label */
};

struct forest {
    uint32_t n, count; /* nodes, trees */
    struct forest_tree *tree;
};

/* Allocates `count` empty trees. E104. */
bool forest_init(struct forest *forest, uint32_t n, uint32_t count, struct err *err);
void forest_free(struct forest *forest);

/* Sets one tree; call it once per tree. Shape: edge[n - 1], in any order; each node except 0 is the
 * destination of one edge. Labels are below 2^31. O(n + labels). E104. */
bool forest_set(struct forest *forest, uint32_t tree, const struct forest_edge edge[],
                struct err *err);

/* Appends the rounds in which the trees broadcast m packets from node 0. Precondition: all trees
 * are set, and the labels of the trees in use (d trees, or the first m if m < d) satisfy the
 * schedule's model. O(transfers + m · labels). E104. */
bool forest_build(const struct forest *forest, uint32_t m, struct schedule *schedule,
                  struct err *err);

#endif
