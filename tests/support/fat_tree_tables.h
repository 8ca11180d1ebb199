/* SPDX-License-Identifier: Apache-2.0 */
/* fat_tree_tables: random legal tables of routers and programs of leaves, and the predictions of a
 * reference, for test_fat_tree.c and test_fat_tree_rtl.c. */
#ifndef ROUNDCAST_FAT_TREE_TABLES_H
#define ROUNDCAST_FAT_TREE_TABLES_H

#include "tests/support/fat_tree_lab.h"

/* Draws the packets of all leaves and every row of a run; machine and run must be set. */
void fat_tree_tables_draw(struct fat_tree_lab *lab);

#endif
