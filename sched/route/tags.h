/* SPDX-License-Identifier: Apache-2.0 */
/* tags: rounds whose settings follow from one number, and that number: cyclic shifts and
 * complements (expand_tags.h). */
#ifndef ROUNDCAST_TAGS_H
#define ROUNDCAST_TAGS_H

#include "sched/machine/expand_tags.h"

/* The tag of a round, some of whose ports may be idle (MULTISTAGE_IDLE); of an idle round it is a
 * shift by 0. False if it has none. to[ports]. O(ports). */
bool tags_of(const struct multistage *net, const uint32_t to[], struct tag *tag);

#endif
