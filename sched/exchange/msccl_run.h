/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_run: executes a program for GPUs: the waits between steps, the check that every order of
 * execution ends with the same contents, and the packets of the outputs in the end. */
#ifndef ROUNDCAST_MSCCL_RUN_H
#define ROUNDCAST_MSCCL_RUN_H

#include "sched/exchange/msccl.h"

/* --- What waits for what ------------------------------------------------------------------ */

/* The waits of a program for GPUs: the k-th receipt of a connection waits for its k-th send, and a
 * step for the step of its `depid` and `deps`.
 *
 *     block 1 of GPU 0   s 0  send      to GPU 2     block 0 of GPU 2   s 0  receive: of send 0
 *                        s 1  send                                      s 1  receive: of send 1
 *                                                    block 1            s 0  waits for block 0, s 1
 *
 * A block signals by a counter that only grows: a wait for a step with hasdep="0" ends at the next
 * step of that block with hasdep="1". A `nop` is no work of its own and never signals.
 */

#define MSCCL_NO_STEP SIZE_MAX
#define MSCCL_NO_BLOCK SIZE_MAX

struct msccl_links {
    size_t *partner;  /* [steps]: of a send its receipt, and back; MSCCL_NO_STEP */
    size_t *waits;    /* [steps]: the step whose signal a step waits for; MSCCL_NO_STEP */
    size_t *sender;   /* [blocks]: the block that sends to this one; MSCCL_NO_BLOCK */
    size_t *receiver; /* [blocks]: the block that receives from this one; MSCCL_NO_BLOCK */
    void *memory;
};

/* Finds the waits. E104; E205 for a wait for an unknown step, and for a receipt of another size
 * than its send; E206 for a send without receipt, a receipt without send, and a wait for a step
 * that never signals; E208 for two blocks that send, or receive, on one connection. O(steps +
 * blocks · log blocks). Free it with msccl_links_free. */
bool msccl_links_find(const struct msccl *msccl, struct msccl_links *links, struct err *err);

void msccl_links_free(struct msccl_links *links);

/* Returns true if a step is the second half of a step that receives, copies and sends. */
static inline bool msccl_is_second(const struct msccl *msccl, size_t step)
{
    const struct msccl_step *at = &msccl->step[step];
    return step > msccl->block[at->block].first && at[-1].number == at->number;
}

/* --- Every order ends --------------------------------------------------------------------- */

/* Checks that a program for GPUs ends, in any order of its blocks.
 *
 * A connection holds a fixed number of sends, one for each chunk at worst; a send waits for room,
 * a receipt for its send. Blocks have no choices, so that this is a network of processes in the
 * sense of Kahn: if one order of execution comes to the end, then every order does, and with more
 * room, too (G. Kahn 1974; T. M. Parks 1995). One order is tried.
 */

/* Puts all steps into order[steps], in an order in which they may end. E104; E206, which names a
 * step of the deadlock, if the program stops before its end. O(steps + chunks that are sent). */
bool msccl_order_find(const struct msccl *msccl, const struct msccl_links *links, size_t order[],
                      struct err *err);

/* --- All orders leave the same ------------------------------------------------------------ */

/* Checks that a program for GPUs leaves the same contents in every order of execution.
 *
 * Two steps race if both use one chunk of a buffer, one of them writes it, and neither happens
 * before the other: by the order of a block, by a wait, or by a receipt after its send. If no two
 * steps race, each read finds the same write before it in all orders, so that all orders agree.
 *
 * The steps that happen before a step are a vector of numbers, the number of such steps of each
 * block of a GPU (C. Fidge 1988, F. Mattern 1989). A chunk keeps its last write and the reads
 * since, which the next use is compared with (FastTrack: C. Flanagan and S. Freund 2009).
 *
 * A full connection makes its sender wait, which also orders steps; it is not counted, as the room
 * depends on the executor. A step that receives and forwards several chunks sends the first before
 * the last has arrived, so its sends carry only the steps before the first send.
 */

/* Checks that no two steps race; `order` is one in which the steps may end. E104; E206, which names
 * both steps and the chunk.
 *
 * O(steps + waits · blocks of a GPU + chunks that are used) where the waits of each GPU order its
 * steps; O(steps + (waits + receipts) · blocks of the GPU) more for each GPU that depends on steps
 * of other GPUs. Room for a vector of each step whose signal or send is still to be met. */
bool msccl_races_none(const struct msccl *msccl, const struct msccl_links *links,
                      const size_t order[], struct err *err);

/* --- What outputs have in the end --------------------------------------------------------- */

/* The values of the buffers of GPUs at the beginning, and the demands that follow from the outputs
 * in the end.
 */

/* A value that an input has at the beginning. */
struct msccl_value {
    uint32_t gpu, chunk, packet; /* packet 0: it does not stay elsewhere */
};

/* A chunk of a buffer: its value, as one more than the value's number, and the round since which it
 * has it. */
struct msccl_content {
    size_t value;
    uint64_t since;
};

/* Fills content[chunks] and value[chunks], which are 0, with the initial values of the inputs; in
 * place, those are in the outputs. O(chunks). */
void msccl_fill(const struct msccl *msccl, struct msccl_content content[],
                struct msccl_value value[]);

/* Makes the demands of the values in the outputs, and the packets of the values. E104; E209 if
 * there are none; E303 if they differ from the collective. O(chunks · log chunks). */
bool msccl_demand(const struct msccl *msccl, const struct msccl_content content[],
                  struct msccl_value value[], struct schedule *schedule, struct err *err);

/* --- Rounds ------------------------------------------------------------------------------- */

/* Executes the steps, and appends their transfers to a schedule, which is initialised: in rounds of
 * its model, as early as blocks, waits and the model permit. Packets are the chunks that end in
 * outputs of other GPUs. E104; E206 for steps that race or deadlock, and for a send of no chunks;
 * E209 for a chunk that no output has in the end; E303 for an output that is not the
 * collective's. */
bool msccl_run(const struct msccl *msccl, struct schedule *schedule, struct err *err);

#endif
