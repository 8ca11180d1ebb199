/* SPDX-License-Identifier: Apache-2.0 */
/* tree_lab: builds, verifies and judges schedules of trees; reads rows of golden files. */
#ifndef ROUNDCAST_TREE_LAB_H
#define ROUNDCAST_TREE_LAB_H

#include "sched/algorithms/algorithm.h"
#include "sched/base/rng.h"

/* Children and capacities as on the command line. */
struct topology tree_lab_parse(const char *children, const char *capacity);

struct topology tree_lab_make(unsigned height, const uint32_t children[],
                              const uint32_t capacity[]);

#define TREE_LAB_PATTERNS 6

/* Capacity patterns of a tree, c_1 = 1: 1; as many as leaves; 2; 3; odd (1, 3, 5, …); random up to
 * 2 N_{i-1}. */
struct topology tree_lab_pattern(const struct topology *tree, unsigned pattern, struct rng *rng);

/* All trees of k_i = 2 … 5 with at most `most` leaves, counted from 0; false if there are no
 * more. */
bool tree_lab_next(uint32_t most, struct topology *tree);

/* A tree of some height, of 2 … 9 children and at most `most` leaves. */
struct topology tree_lab_random(uint32_t most, struct rng *rng);

struct collective tree_lab_ask(const struct topology *tree, enum model model, unsigned method);

/* A request that an algorithm must reject, and a part of the message. */
struct tree_lab_refused {
    struct collective asked;
    const char *part;
};

/* Checks that it rejects these, and runs on the tree with its only method in the single-port model
 * and both methods in the multiport model. */
void tree_lab_refuses(const struct algorithm *algorithm, const struct topology *tree,
                      const struct tree_lab_refused refused[], size_t count);

/* Builds, verifies and judges a schedule. Returns its steps, which must be those predicted. */
uint64_t tree_lab_steps(const struct algorithm *algorithm, const struct topology *tree,
                        enum model model, unsigned method, bool queue_free);

/* A row of golden/tree.csv or tree-queues.csv (k, h) or golden/tree-mixed.csv (children). */
struct tree_lab_row {
    char collective[40], model[16], algorithm[40];
    struct topology tree;
    unsigned number[4]; /* steps, max_queue; in tree-queues.csv the level, and its three depths */
};

/* Checks the rows of a collective in a file. Returns their number. `check` returns whether a row
 * applies. */
unsigned tree_lab_golden(const char *name, const char *collective,
                         bool (*check)(const struct tree_lab_row *row));

#endif
