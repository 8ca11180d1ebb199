/* SPDX-License-Identifier: Apache-2.0 */
/* tree_accepts: what all algorithms of trees ask for. */
#ifndef ROUNDCAST_TREE_ACCEPTS_H
#define ROUNDCAST_TREE_ACCEPTS_H

#include "sched/base/err.h"
#include "sched/schedule/collective.h"

/* One packet for each leaf, pair or all, and as many processors as the tree has leaves. E103.
 * Precondition: a tree. */
bool tree_accepts(const struct collective *collective, struct err *err);

/* The same of an algorithm without a source that has one way only in the single-port model: the
 * first of `methods`. E103 with the legal range. */
bool tree_accepts_no_source(const char *name, const char *const methods[],
                            const struct collective *collective, struct err *err);

#endif
