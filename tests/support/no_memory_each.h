/* SPDX-License-Identifier: Apache-2.0 */
/* no_memory_each: fails every allocation of a function in turn. */
#ifndef ROUNDCAST_NO_MEMORY_EACH_H
#define ROUNDCAST_NO_MEMORY_EACH_H

#include "sched/base/err.h"

#include <stdbool.h>

/* The work under test. Returns whether it was done, and frees whatever it allocated. */
typedef bool no_memory_work(void *given, struct err *err);

/* Fails each allocation of the work, one per call, until a call has fewer. The test fails if memory
 * is not freed, if the work is refused with another error than E104, or if it is not done although
 * nothing fails. Work may be done without a block that it can do without. Returns the number of
 * refusals. */
unsigned no_memory_each(no_memory_work *work, void *given);

#endif
