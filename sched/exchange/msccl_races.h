/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_races: does a program for GPUs leave the same contents in every order of execution?
 *
 * Two steps race if both use one chunk of a buffer, one of them writes it, and neither happens
 * before the other: by the order of a block, by a wait, or by a receipt after its send. If no two
 * steps race, each read finds the same write before it in all orders, so that all orders agree.
 *
 * What happens before a step is a vector of numbers, one for each block of a GPU: so many of its
 * steps (C. Fidge 1988, F. Mattern 1989). A chunk keeps its last write and the reads since, which
 * the next use is compared with (FastTrack: C. Flanagan and S. Freund 2009).
 *
 * That a full connection makes its sender wait orders steps, too; it is not counted, as the room
 * depends on the executor. A step that receives and sends on several chunks sends the first before
 * the last has come: what it sends on carries only what was before the first send.
 */
#ifndef ROUNDCAST_MSCCL_RACES_H
#define ROUNDCAST_MSCCL_RACES_H

#include "sched/exchange/msccl_links.h"

/* Checks that no two steps race; `order` is one in which the steps may end. E104; E206, which names
 * both steps and the chunk.
 *
 * O(steps + waits · blocks of a GPU + chunks that are used) where the waits of each GPU order its
 * steps; O(steps + (waits + receipts) · blocks of the GPU) more for each GPU that relies on what
 * others do. Room for a vector of each step whose signal or send is still to be met. */
bool msccl_races_none(const char *name, const struct msccl *msccl, const struct msccl_links *links,
                      const size_t order[], struct err *err);

#endif
