/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_buffers: where the buffers of GPUs lie among all chunks.
 *
 *     out of place          o o o o i i s       in place, GPU 1 of an allgather   o i o s
 *                                                                                   o
 *
 * In place, the input is a part of the output, or, of what is scattered, the output a part of the
 * input: at the GPU's number in an allgather, a gather and a scatter, else at the beginning.
 */
#ifndef ROUNDCAST_MSCCL_BUFFERS_H
#define ROUNDCAST_MSCCL_BUFFERS_H

#include "sched/exchange/msccl.h"
#include "sched/exchange/xml.h"

#define MSCCL_CHUNKS (UINT32_C(1) << 24) /* of all GPUs */

/* Gives the buffers of a GPU, whose sizes are there, their places after those of all GPUs before.
 * Errors are at the tag of `xml`. E104; E205 for sizes that contradict nchunksperloop. */
bool msccl_buffers_place(const struct xml *xml, struct msccl *msccl, uint32_t id, struct err *err);

#endif
