/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_run: executes a program for GPUs. It finds the steps for which each step waits, checks that
 * every order of execution ends with the same contents, and finds the packets that the outputs
 * contain at the end. */
#ifndef ROUNDCAST_MSCCL_RUN_H
#define ROUNDCAST_MSCCL_RUN_H

#include "sched/exchange/msccl_values.h"
#include "sched/exchange/rounds.h"

/* --- Waits -------------------------------------------------------------------------------- */

/* The step for which each step waits: the k-th receipt of a connection waits for its k-th send, and
 * a step for the step of its `depid` and `deps`.
 *
 *     block 1 of GPU 0   s 0  send      to GPU 2     block 0 of GPU 2   s 0  receive: of send 0
 *                        s 1  send                                      s 1  receive: of send 1
 *                                                    block 1            s 0  waits for block 0, s 1
 *
 * A block signals by a counter that only grows: a wait for a step with hasdep="0" ends at the next
 * step of that block with hasdep="1". A `nop` does no work and never signals. */

#define MSCCL_NO_STEP SIZE_MAX
#define MSCCL_NO_BLOCK SIZE_MAX

struct msccl_links {
    size_t *partner;  /* [steps]: for a send its receipt, for a receipt its send; MSCCL_NO_STEP */
    size_t *waits;    /* [steps]: the step for whose signal a step waits; MSCCL_NO_STEP */
    size_t *sender;   /* [blocks]: the block that sends to this one; MSCCL_NO_BLOCK */
    size_t *receiver; /* [blocks]: the block that receives from this one; MSCCL_NO_BLOCK */
    void *memory;
};

/* Finds the links. E104; E205 for a wait for a step that does not exist, and for a receipt whose
 * size differs from its send; E206 for a send without receipt, a receipt without send, and a wait
 * for a step that never signals; E208 for two blocks that send, or receive, on one connection.
 * O(steps + blocks · log blocks). Free it with msccl_links_free. */
bool msccl_links_find(const struct msccl *msccl, struct msccl_links *links, struct err *err);

void msccl_links_free(struct msccl_links *links);

/* --- Termination in every order ---------------------------------------------------------- */

/* A program ends in every order of its blocks, or in none.
 *
 * A connection holds a fixed number of sends, in the worst case one for each chunk; a send waits
 * for room, a receipt for its send. Blocks have no choices, so this is a process network in the
 * sense of Kahn: if one order of execution ends, every order does, and also with more room (G. Kahn
 * 1974; T. M. Parks 1995). Therefore it is sufficient to try one order. */

/* Writes all steps to order[steps], in an order in which they may end. E104; E206 with a step of
 * the cycle if the program stops before its end. O(steps + chunks that are sent). */
bool msccl_order_find(const struct msccl *msccl, const struct msccl_links *links, size_t order[],
                      struct err *err);

/* --- Same contents in every order -------------------------------------------------------- */

/* A program must end with the same contents in every order of execution.
 *
 * Two steps race if both use one chunk of a buffer, one of them writes it, and neither happens
 * before the other: by the order of a block, by a wait, or by a receipt after its send. If no two
 * steps race, each read finds the same write before it in all orders, so that all orders agree.
 *
 * The steps before a step are a vector of numbers, one for each block of a GPU: the number of its
 * steps (C. Fidge 1988, F. Mattern 1989). For each chunk the last write and the reads since are
 * kept, and the next use is compared with them (FastTrack: C. Flanagan and S. Freund 2009).
 *
 * A full connection makes its sender wait and thereby also orders steps. This is not used, because
 * the room depends on the executor. A step that receives and sends several chunks sends the first
 * before the last has arrived, so only what happened before the first send happens before its
 * receipt. */

/* Checks that no two steps race; `order` is one in which the steps may end. E104; E206, which names
 * both steps and the chunk.
 *
 * O(steps + waits · blocks of a GPU + chunks that are used) where the waits of each GPU order its
 * steps; O(steps + (waits + receipts) · blocks of the GPU) more for each GPU that depends on steps
 * of other GPUs. Memory for a vector of each step whose signal or send has not been received yet.
 */
bool msccl_races_none(const struct msccl *msccl, const struct msccl_links *links,
                      const size_t order[], struct err *err);

/* --- Final contents of the outputs -------------------------------------------------------- */

/* The initial contents of the buffers of GPUs, and the demands that follow from the final contents
 * of their outputs. */

/* The output of a GPU in the array of all chunks, and the number of its first chunk in an input of
 * a reduction. */
struct msccl_output {
    size_t first, count, number;
};

/* Returns the output of a GPU. In place, an output of a reduction that has no chunks of its own is
 * the input, or the GPU's part of it in a reduce-scatter. Precondition: the program combines
 * chunks, or the GPU has an output of its own. */
struct msccl_output msccl_output_of(const struct msccl *msccl, uint32_t id);

/* Fills content[chunks] and value[chunks], which must be 0, with the initial contents of inputs; in
 * place, outputs contain them. O(chunks). */
void msccl_fill(const struct msccl *msccl, struct msccl_content content[],
                struct msccl_value value[]);

/* Finds the demands that follow from the final contents of outputs, and the packets of the values.
 * E104; E209 if there are none; E303 if they contradict the collective. O(chunks · log chunks). */
bool msccl_demand(const struct msccl *msccl, const struct msccl_content content[],
                  struct msccl_value value[], struct schedule *schedule, struct err *err);

/* Replaces the values in the transfers of `rounds` by the packets that msccl_demand has found, and
 * omits the transfers of values that no output of another GPU contains. E104. O(transfers). */
bool msccl_name_packets(const struct msccl_value value[], struct rounds *rounds, struct err *err);

/* Returns whether the outputs contain what a collective that moves chunks requires, and some output
 * a chunk of another GPU. Precondition: MSCCL_ALL_GATHER or MSCCL_ALL_TO_ALL. O(chunks). */
bool msccl_outputs_are(const struct msccl *msccl, enum msccl_collective collective,
                       const struct msccl_content content[], const struct msccl_value value[]);

/* --- Rounds ------------------------------------------------------------------------------- */

/* Executes the steps, and appends their transfers to an initialised schedule, in rounds of its
 * model, as early as blocks, waits and the model allow. Packets are the chunks that outputs of
 * other GPUs contain at the end; transfers of other chunks are omitted. E104; E206 for steps that
 * race or never end, and for a send of an empty chunk; E209 if no output has a chunk of another
 * GPU; E303 for an output that contradicts the collective. */
bool msccl_run(const struct msccl *msccl, struct schedule *schedule, struct err *err);

/* -- Results ----------------------------------------------------------------------------------- */

/* The reductions that the outputs of a program contain at its end, and the schedule of a program
 * that combines. */

/* The results of a program, by the number of the chunk that they combine. */
struct msccl_results {
    size_t numbers; /* chunks of the longest input */
    /* [numbers]: the value that combines all contributions, 0 if no output has a combination; and
     * its packet */
    size_t *whole;
    uint32_t *packet;
    void *memory; /* the memory of the arrays */
};

/* Finds the results, and adds their demands to a schedule without demands. E104; E208 for a
 * collective that combines nothing, and for results that a demand cannot describe; E209 if there
 * are none; E303 for outputs of another collective, which is named if it is a common one; E310 for
 * an output that lacks a contribution. O(chunks · GPUs / 64). Free it with msccl_results_free. */
bool msccl_results_find(const struct msccl *msccl, const struct msccl_content content[],
                        const struct msccl_values *values, struct msccl_results *results,
                        struct schedule *schedule, struct err *err);

void msccl_results_free(struct msccl_results *results);

/* Appends the transfers of a program that combines to an initialised schedule, in rounds of its
 * model. E104, E208 as partials_schedule; and the errors of msccl_results_find.
 *
 * A GPU of a program has several chunks for partial results; a node of a schedule has one partial
 * result of each packet. So a receipt counts from the step on that first combines or sends what
 * arrived. */
bool msccl_partial_schedule(const struct msccl *msccl, const struct msccl_content content[],
                            const struct msccl_values *values, struct schedule *schedule,
                            struct err *err);

#endif
