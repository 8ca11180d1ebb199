/* SPDX-License-Identifier: Apache-2.0 */
/* tree_accepts: preconditions shared by the algorithms of trees. */
#ifndef ROUNDCAST_TREE_ACCEPTS_H
#define ROUNDCAST_TREE_ACCEPTS_H

#include "sched/base/err.h"
#include "sched/schedule/collective.h"

/* Checks that there is one packet for each leaf, each pair or all, that a tree given by parents has
 * no method, and that there are as many processors as the tree has leaves. E103. Precondition: a
 * tree. */
bool tree_accepts(const struct collective *collective, struct err *err);

/* Performs the checks of tree_accepts, and checks that a gather ends at a leaf. E103. */
bool tree_accepts_leaf(const struct collective *collective, struct err *err);

/* Performs the checks of tree_accepts for an algorithm without a source whose methods, except the
 * first of `methods`, require the multiport model. E103 with the legal range. */
bool tree_accepts_no_source(const char *name, const char *const methods[],
                            const struct collective *collective, struct err *err);

#endif
