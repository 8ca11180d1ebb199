/* SPDX-License-Identifier: Apache-2.0 */
/* mscclpp_events: builds the threads, counters and events of a plan of MSCCL++. Events belong to
 * the last step. */
#ifndef ROUNDCAST_MSCCLPP_EVENTS_H
#define ROUNDCAST_MSCCLPP_EVENTS_H

#include "sched/exchange/mscclpp_plan.h"

/* An operand: chunks of a buffer. */
struct mscclpp_operand {
    struct mscclpp_range range;
    uint32_t count;
};

struct mscclpp_operands {
    const struct mscclpp_operand *at;
    uint32_t count;
};

/* Reports an error at the last step. Returns false. */
bool mscclpp_refuse(const struct mscclpp *plan, struct err *err, enum err_code code,
                    const char *text);

/* Adds a counter, whose number in the array is *at. E104. */
bool mscclpp_add_counter(struct mscclpp *plan, const struct mscclpp_counter *counter, size_t *at,
                         struct err *err);

/* Adds a thread of a GPU without events. E104. */
bool mscclpp_add_thread(struct mscclpp *plan, uint32_t gpu, size_t *thread, struct err *err);

/* Appends a post to a counter. E104. */
bool mscclpp_add_post(struct mscclpp *plan, size_t thread, size_t counter, bool relaxed,
                      struct err *err);

/* Appends a wait: `counter`, `to`, `width` and `relaxed` of the event are used. E104; E208 for a
 * counter for which another thread waits, unless it is a barrier's. */
bool mscclpp_add_wait(struct mscclpp *plan, size_t thread, const struct mscclpp_event *wait,
                      struct err *err);

/* Appends an event that moves chunks. E104; E205 for operands that differ in size. */
bool mscclpp_add_move(struct mscclpp *plan, size_t thread, struct mscclpp_operands from,
                      struct mscclpp_operands to, struct err *err);

/* A proxy executes operations of a port channel of a block. It has two counters: of the operations
 * that the block has posted to it, and, after that one, of those that it has done. */
struct mscclpp_proxy {
    size_t thread, posted;
};

/* Adds a proxy of a GPU. E104. */
bool mscclpp_add_proxy(struct mscclpp *plan, uint32_t gpu, struct mscclpp_proxy *proxy,
                       struct err *err);

/* Begins an operation of a proxy, which a block posts to it: the events that follow in the proxy's
 * thread, up to mscclpp_proxy_end. E104. */
bool mscclpp_proxy_begin(struct mscclpp *plan, size_t block, const struct mscclpp_proxy *proxy,
                         struct err *err);

bool mscclpp_proxy_end(struct mscclpp *plan, const struct mscclpp_proxy *proxy, struct err *err);

/* Appends a wait of a block until a proxy has done all operations so far. E104. */
bool mscclpp_proxy_flush(struct mscclpp *plan, size_t block, const struct mscclpp_proxy *proxy,
                         struct err *err);

#endif
