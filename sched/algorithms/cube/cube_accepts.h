/* SPDX-License-Identifier: Apache-2.0 */
/* cube_accepts: what algorithms of hypercubes ask for. */
#ifndef ROUNDCAST_CUBE_ACCEPTS_H
#define ROUNDCAST_CUBE_ACCEPTS_H

#include "sched/base/err.h"
#include "sched/schedule/collective.h"

/* As many processors as the hypercube has nodes. E103. Precondition of all: a hypercube. */
bool cube_accepts(const struct collective *collective, struct err *err);

/* The same with no source: every packet has its own. E103. */
bool cube_accepts_no_source(const char *name, const struct collective *collective, struct err *err);

/* Are there `least` … `most` packets? E103 with the legal range. */
bool cube_accepts_packets(const char *name, const struct collective *collective, uint32_t least,
                          uint32_t most, struct err *err);

#endif
