/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_layout: finds the collective of a schedule, and the places of its packets in the buffers of
 * GPUs.
 *
 *     allgather, 3 nodes of 2 packets     input of node 1   1.0 1.1
 *                                         output of each    0.0 0.1 1.0 1.1 2.0 2.1
 *
 * A packet that a node only passes on is in its scratch buffer. If the schedule is no collective,
 * packet p is chunk p - 1 of every buffer, which is always its chunk in the scratch buffer. */
#ifndef ROUNDCAST_MSCCL_LAYOUT_H
#define ROUNDCAST_MSCCL_LAYOUT_H

#include "sched/exchange/msccl_program.h"
#include "sched/exchange/xml.h"

/* --- Writing: places of packets ----------------------------------------------------------- */

struct msccl_layout {
    const struct schedule *schedule;
    enum msccl_collective collective;
    uint32_t root;     /* node of a broadcast, a gather or a scatter */
    uint32_t each;     /* packets of a node, or from a node to another one */
    uint32_t *part;    /* [packets + 1]: index of a packet among these packets, from 0 */
    uint32_t per_loop; /* nchunksperloop */
};

struct msccl_chunk {
    char buffer; /* 'i', 'o' or 's': input, output or scratch */
    uint32_t offset;
};

/* Chunks of a partial result (msccl_parts.h). */
enum msccl_partial { MSCCL_OWN, MSCCL_ALL, MSCCL_GOT, MSCCL_NEW };

/* Finds the collective: broadcast, allgather, alltoall, gather or scatter, in this order, if a node
 * has the same number of packets for each node that wants any; allreduce, reduce or reduce_scatter
 * if all packets are combined of all nodes; else custom. E104; E208 for a schedule of which only
 * some packets are combined, or without packets. O(packets + nodes · wanted). Free it with
 * msccl_layout_free. */
bool msccl_layout_find(const struct schedule *schedule, struct msccl_layout *layout,
                       struct err *err);

/* Changes the collective to custom. */
void msccl_layout_customize(struct msccl_layout *layout);

void msccl_layout_free(struct msccl_layout *layout);

/* Returns the place of a packet at a node. O(log demands + log wanted). */
struct msccl_chunk msccl_layout_chunk(const struct msccl_layout *layout, uint32_t node,
                                      uint32_t packet);

/* Returns the place of a chunk of a partial result at a node. O(log demands + log wanted). */
struct msccl_chunk msccl_layout_partial(const struct msccl_layout *layout, uint32_t node,
                                        uint32_t packet, enum msccl_partial kind);

/* Returns the number of chunks of a node's input or output. */
uint32_t msccl_layout_size(const struct msccl_layout *layout, uint32_t node,
                           enum msccl_buffer buffer);

/* A node's own part of the collective, which no packet carries: `count` chunks of its input from
 * `input` belong to its output from `output`. */
struct msccl_own {
    uint32_t input, output, count;
};

/* Returns the number of parts that a node may have. */
size_t msccl_layout_owns(const struct msccl_layout *layout);

/* Returns part `which` of a node, 0 … msccl_layout_owns - 1; its count is 0 if the node has no such
 * part. O(log contributors). */
struct msccl_own msccl_layout_own(const struct msccl_layout *layout, uint32_t node, size_t which);

/* --- Reading: places of buffers ----------------------------------------------------------- */

/* The buffers of all GPUs are one array of chunks.
 *
 *     out of place          o o o o i i s       in place, GPU 1 of an allgather   o i o s
 *                                                                                   o
 *
 * In place, the input is a part of the output, or, in a scatter or a reduce-scatter, the output is
 * a part of the input: at the GPU's number in an allgather, a gather, a scatter and a
 * reduce-scatter, else at the beginning. */

#define MSCCL_CHUNKS (UINT32_C(1) << 24) /* maximum chunks of all GPUs */

/* Places the buffers of a GPU, whose sizes are known, after those of all previous GPUs. Returns
 * false if all GPUs have more than MSCCL_CHUNKS. */
bool msccl_buffers_set(struct msccl *msccl, uint32_t id);

/* Places the buffers of a GPU likewise, and checks their sizes. Errors refer to the tag of `xml`.
 * E104; E205 for sizes that contradict nchunksperloop. */
bool msccl_buffers_place(const struct xml *xml, struct msccl *msccl, uint32_t id, struct err *err);

#endif
