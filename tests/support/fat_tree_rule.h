/* SPDX-License-Identifier: Apache-2.0 */
/* fat_tree_rule: random packets for self-timed routers, and a reference that queues and serves them
 * by the rule, for test_fat_tree_auto.c and test_fat_tree_rtl.c. It shares nothing with csim.
 * Packets are received in the slots of a leaf that are not filled at first. */
#ifndef ROUNDCAST_FAT_TREE_RULE_H
#define ROUNDCAST_FAT_TREE_RULE_H

#include "tests/support/fat_tree_lab.h"

/* A packet that waits for a branch: its lane and the number of its arrival there. */
struct fat_tree_rule_waiting {
    uint32_t lane, arrival, branch;
};

/* The state of the rule. A branch is identified by its first lane. */
struct fat_tree_rule {
    struct fat_tree_rule_waiting *queue; /* [lanes][FAT_TREE_RULE_ROWS * FAT_TREE_RULE_MOST] */
    uint32_t *begin, *end;               /* [lanes] */
    uint32_t *next_child;                /* [nodes]: the child that is served first */
    uint32_t queues[8];                  /* by level: the largest number of packets that waited for
                                          * a branch */
    /* the largest number of different packets that an input supplied in a row */
    uint32_t reads;
};

void fat_tree_rule_close(struct fat_tree_rule *rule);

/* -- Runs -------------------------------------------------------------------------------------- */

uint32_t fat_tree_rule_control_cycles(const struct fat_tree_reference *r, uint32_t flits);

/* Draws a run and its packets, and applies the rule to them. The caller frees `rule`. */
void fat_tree_rule_draw(struct fat_tree_lab *lab, struct fat_tree_rule *rule, struct rng *rng);

/* Minimum queues, buffers and read ports that the run requires. */
void fat_tree_rule_fit(const struct fat_tree_lab *lab, const struct fat_tree_rule *rule,
                       struct machine *machine);

#endif
