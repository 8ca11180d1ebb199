/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_outputs: what the buffers of GPUs have in the beginning, and what is asked for by what
 * their outputs have in the end.
 */
#ifndef ROUNDCAST_MSCCL_OUTPUTS_H
#define ROUNDCAST_MSCCL_OUTPUTS_H

#include "sched/exchange/msccl.h"

/* What begins in an input. */
struct msccl_value {
    uint32_t gpu, chunk, packet; /* packet 0: it does not stay elsewhere */
};

/* A place of a buffer: the value that it has, one more than its number, and since which round. */
struct msccl_content {
    size_t value;
    uint64_t since;
};

/* Fill content[chunks] and value[chunks], which are 0, with what begins in inputs; in place,
 * outputs have it. O(chunks). */
void msccl_fill(const struct msccl *msccl, struct msccl_content content[],
                struct msccl_value value[]);

/* The demands of what outputs have in the end, and the packets of the values. E104; E209 if that is
 * nothing; E303 if it is not what the collective says. O(chunks · log chunks). */
bool msccl_demand(const char *name, const struct msccl *msccl, const struct msccl_content content[],
                  struct msccl_value value[], struct schedule *schedule, struct err *err);

#endif
