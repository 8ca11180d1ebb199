/* SPDX-License-Identifier: Apache-2.0 */
/* cube_accepts: preconditions shared by the algorithms of hypercubes. */
#ifndef ROUNDCAST_CUBE_ACCEPTS_H
#define ROUNDCAST_CUBE_ACCEPTS_H

#include "sched/base/err.h"
#include "sched/schedule/collective.h"

/* Checks that there are as many processors as the hypercube has nodes. E103. Precondition of all
 * functions: a hypercube. */
bool cube_accepts(const struct collective *collective, struct err *err);

/* Performs the check of cube_accepts, and checks that no source is given, because every packet has
 * a source of its own. E103. */
bool cube_accepts_no_source(const char *name, const struct collective *collective, struct err *err);

/* Checks that there are `least` … `most` packets. E103 with the legal range. */
bool cube_accepts_packets(const char *name, const struct collective *collective, uint32_t least,
                          uint32_t most, struct err *err);

#endif
