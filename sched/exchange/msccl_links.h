/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_links: which step of a program for GPUs waits for which: the k-th receipt of a connection
 * for its k-th send, and a step for the step of its `depid` and `deps`.
 *
 *     block 1 of GPU 0   s 0  send      to GPU 2     block 0 of GPU 2   s 0  receive: of send 0
 *                        s 1  send                                      s 1  receive: of send 1
 *                                                    block 1            s 0  waits for block 0, s 1
 *
 * A block signals by a counter that only grows: a wait for a step with hasdep="0" ends at the next
 * step of that block with hasdep="1". A `nop` is no work of its own and never signals.
 */
#ifndef ROUNDCAST_MSCCL_LINKS_H
#define ROUNDCAST_MSCCL_LINKS_H

#include "sched/exchange/msccl.h"

#define MSCCL_NO_STEP SIZE_MAX
#define MSCCL_NO_BLOCK SIZE_MAX

struct msccl_links {
    size_t *partner;  /* [steps]: of a send its receipt, and back; MSCCL_NO_STEP */
    size_t *waits;    /* [steps]: the step whose signal a step waits for; MSCCL_NO_STEP */
    size_t *sender;   /* [blocks]: the block that sends to this one; MSCCL_NO_BLOCK */
    size_t *receiver; /* [blocks]: the block that receives from this one; MSCCL_NO_BLOCK */
    void *memory;
};

/* Finds them. E104; E205 for a wait for no step, and for a receipt of another size than its send;
 * E206 for a send without receipt, a receipt without send, and a wait for what never signals; E208
 * for two blocks that send, or receive, on one connection. O(steps + blocks · log blocks). Free it
 * with msccl_links_free. */
bool msccl_links_find(const char *name, const struct msccl *msccl, struct msccl_links *links,
                      struct err *err);

void msccl_links_free(struct msccl_links *links);

/* Whether a step is the second half of one that receives, copies and sends. */
static inline bool msccl_is_second(const struct msccl *msccl, size_t step)
{
    const struct msccl_step *at = &msccl->step[step];
    return step > msccl->block[at->block].first && at[-1].number == at->number;
}

#endif
