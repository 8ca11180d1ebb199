/* SPDX-License-Identifier: Apache-2.0 */
/* tree_accepts: preconditions shared by the algorithms of trees. */
#ifndef ROUNDCAST_TREE_ACCEPTS_H
#define ROUNDCAST_TREE_ACCEPTS_H

#include "sched/base/err.h"
#include "sched/schedule/collective.h"

/* Checks that there is one packet for each leaf, each pair or all, and that there are as many
 * processors as the tree has leaves. E103. Precondition: a tree. */
bool tree_accepts(const struct collective *collective, struct err *err);

/* Checks the same, and that a gather ends at a leaf. E103. */
bool tree_accepts_leaf(const struct collective *collective, struct err *err);

/* Checks the same for an algorithm without a source that has only one method in the single-port
 * model, the first of `methods`. E103 with the legal range. */
bool tree_accepts_no_source(const char *name, const char *const methods[],
                            const struct collective *collective, struct err *err);

#endif
