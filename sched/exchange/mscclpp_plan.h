/* SPDX-License-Identifier: Apache-2.0 */
/* mscclpp_plan: an execution plan of MSCCL++ that was read, as threads of events.
 *
 *     GPU 0, block 0   put i 0 to o 0 of GPU 1      moves  GPU 0 i 0 → GPU 1 o 0
 *                      signal channel 0             posts  to the counter of channel 0
 *     GPU 1, block 0   wait channel 0               waits  until the counter has its 1st post
 *
 * A block is a thread. So is each port channel of a block: a proxy executes its puts and signals
 * after the block has posted them, one by one; `flush` waits until the proxy is done. All
 * synchronisation is by counters, to which threads post, and for whose posts threads wait. */
#ifndef ROUNDCAST_MSCCLPP_PLAN_H
#define ROUNDCAST_MSCCLPP_PLAN_H

#include "sched/exchange/msccl_program.h"

/* Limits of a plan that is read. */
#define MSCCLPP_THREADS 16384
#define MSCCLPP_MOVED (UINT64_C(1) << 24) /* chunks that all operations read and write */

enum mscclpp_act { MSCCLPP_MOVES, MSCCLPP_POSTS, MSCCLPP_WAITS };

/* What a counter counts; for messages. */
enum mscclpp_counts {
    MSCCLPP_SIGNALS,    /* signals that a GPU sends on one of its channels */
    MSCCLPP_BARRIER,    /* arrivals at a barrier */
    MSCCLPP_SEMAPHORE,  /* releases of a semaphore */
    MSCCLPP_OPERATIONS, /* operations that a block posted to a proxy */
    MSCCLPP_DONE        /* operations that a proxy has done */
};

struct mscclpp_counter {
    enum mscclpp_counts counts;
    uint32_t gpu, number;      /* the GPU, and the number of its channel, barrier or semaphore */
    uint32_t initial;          /* the value before the first post */
    uint32_t total, waited;    /* number of posts, and of waits, in the plan */
    size_t producer, consumer; /* 1 + the thread that posts, or waits; 0: none */
    bool shared;               /* several threads post */
    /* of the channel's type: the other GPU, and how many channels to it come before; and the
     * counter of the other end, SIZE_MAX if there is none */
    bool port;
    uint32_t peer, before;
    size_t partner;
};

/* Chunks of one buffer; the number of chunks is that of the event. A packet carries a flag, for
 * which its reader waits. */
struct mscclpp_range {
    size_t first;
    uint32_t gpu;
    bool packet;
};

/* An event of a thread. One that moves combines its sources, and writes the result to all its
 * destinations; without destinations it only waits for packets. */
struct mscclpp_event {
    enum mscclpp_act act;
    bool relaxed; /* posts, or waits, without an order of what comes before and after */
    size_t step;  /* the operation in the array of steps */
    size_t next;  /* the next event of its thread; SIZE_MAX: none */
    size_t counter;
    uint32_t to, width; /* waits for post `to` of the counter; takes `width` posts */
    size_t range;       /* the first of its sources, then of its destinations */
    uint32_t sources, destinations, count;
};

struct mscclpp_thread {
    uint32_t gpu;
    size_t first, last; /* events; SIZE_MAX: none */
};

struct mscclpp {
    struct msccl msccl; /* GPUs, buffers and operations, a step for each */
    size_t counters, counter_room, events, event_room, ranges, range_room, threads, thread_room;
    struct mscclpp_counter *counter;
    struct mscclpp_event *event;
    struct mscclpp_range *range;
    struct mscclpp_thread *thread;
    uint64_t moved; /* chunks of all ranges */
};

/* Reads a plan. E104, E201; E203 for JSON that is no plan; E204, E205, E206; E208 for operations
 * that a schedule cannot have, such as those of switches. O(bytes). Free it with mscclpp_free. */
bool mscclpp_parse(FILE *from, const char *name, struct mscclpp *plan, struct err *err);

void mscclpp_free(struct mscclpp *plan);

/* Checks that every signal is waited for; the next execution would begin with those that are not.
 * E206. */
bool mscclpp_check_signals(const struct mscclpp *plan, struct err *err);

/* Executes a plan, and appends its transfers to an initialised schedule, in rounds of its model, as
 * early as blocks, waits and the model allow. Packets are as those of msccl_run. E104; E206 for
 * operations that race or never end, and for a chunk that is read before it is written; E208 for a
 * counter for which several threads wait; E209 and E303 as msccl_demand. O(events · threads +
 * chunks that are moved). */
bool mscclpp_run(const struct mscclpp *plan, struct schedule *schedule, struct err *err);

/* Reads a plan as a schedule under a model; messages call the file `name`. The errors of
 * mscclpp_parse and of mscclpp_run. */
bool mscclpp_read(FILE *from, const char *name, enum model model, struct schedule *schedule,
                  struct err *err);

#endif
