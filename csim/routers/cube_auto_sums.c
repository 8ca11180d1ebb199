/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/routers/cube_auto.h"

/* Control packets are numbered by round, and within a round by ascending node: 2^(d-j) fold over
 * dimension j, up in round j, down in round 2d + 1 - j. Returns the number of the control packet
 * that `number` sends. */
static uint32_t number_up(const struct cube_auto *a, uint32_t number, unsigned dimension)
{
    return a->nodes - (2 * a->nodes >> dimension) + (number >> dimension);
}
static uint32_t number_down(const struct cube_auto *a, uint32_t number, unsigned dimension)
{
    return a->nodes - 1 + (a->nodes >> dimension) - 1 + (number >> dimension);
}

/* Computes, for each tree, the first row of the node's list that belongs to it: row m of the list
 * has position r - m, and position r belongs to tree (r - 1) mod d + 1. */
static void begin_lists(struct cube_auto *a, struct cube_auto_node *node)
{
    uint32_t position = cube_auto_low(a, node->right + node->count) % a->d;
    for (unsigned tree = 1; tree <= a->d; tree++)
        node->own[tree] = (position + a->d - tree) % a->d;
}

void cube_auto_sums_send(struct cube_auto *a, uint32_t number, uint32_t row)
{
    struct cube_auto_node *node = &a->node[number];
    unsigned up = row + 1, down = 2 * a->d - row; /* the dimension that is folded */
    if (row < a->d) {
        if (node->zeros == up - 1)
            cube_auto_make(a, number, up, CUBE_AUTO_SUM, number_up(a, number, up), node->sum);
    } else if (row < 2 * a->d) {
        if (node->zeros < down)
            return;
        cube_auto_make(a, number, down, CUBE_AUTO_SUM, number_down(a, number, down), node->right);
        node->right = cube_auto_low(a, node->right + node->kept[down]);
    } else {
        begin_lists(a, node);
        for (unsigned dimension = 1; number == 0 && dimension <= a->d; dimension++)
            cube_auto_make(a, 0, dimension, CUBE_AUTO_SUM, 2 * (a->nodes - 1), node->sum);
    }
}

void cube_auto_sums_take(struct cube_auto *a, uint32_t number, unsigned dimension, uint32_t value)
{
    struct cube_auto_node *node = &a->node[number];
    if (a->row < a->d) {
        if (dimension != a->row + 1 || node->zeros < dimension)
            return;
        node->kept[dimension] = value;
        node->sum = cube_auto_low(a, node->sum + value);
    } else if (a->row < 2 * a->d) {
        if (dimension == 2 * a->d - a->row && node->zeros == dimension - 1)
            node->right = value;
    } else if (dimension == node->root) {
        node->total = value;
    }
}
