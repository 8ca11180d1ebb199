/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/mscclpp_events.h"
#include "sched/base/memory.h"

#include "sched/base/compare.h"
#include "sched/exchange/msccl_reader.h"

#include <inttypes.h>
#include <stdlib.h>

bool mscclpp_refuse(const struct mscclpp *plan, struct err *err, enum err_code code,
                    const char *text)
{
    return msccl_wrong(&plan->msccl, plan->msccl.step_count - 1, err, code, "%s", text);
}

bool mscclpp_add_counter(struct mscclpp *plan, const struct mscclpp_counter *counter, size_t *at,
                         struct err *err)
{
    void *array = plan->counter;
    array = memory_grow(array, plan->counters + 1, &plan->counter_room, sizeof *plan->counter);
    if (array == NULL)
        return err_no_memory(err, "%zu counters", plan->counters);
    plan->counter = array;
    *at = plan->counters;
    plan->counter[plan->counters++] = *counter;
    return true;
}

bool mscclpp_add_thread(struct mscclpp *plan, uint32_t gpu, size_t *thread, struct err *err)
{
    void *array = plan->thread;
    if (plan->threads == MSCCLPP_THREADS)
        return err_set(err, ERR_TOO_BIG,
                       "%s: more than %d blocks and port channels of blocks; expected fewer",
                       plan->msccl.name, MSCCLPP_THREADS);
    array = memory_grow(array, plan->threads + 1, &plan->thread_room, sizeof *plan->thread);
    if (array == NULL)
        return err_no_memory(err, "%zu threads", plan->threads);
    plan->thread = array;
    *thread = plan->threads;
    plan->thread[plan->threads++] = (struct mscclpp_thread){gpu, SIZE_MAX, SIZE_MAX};
    return true;
}

void mscclpp_free(struct mscclpp *plan)
{
    msccl_free(&plan->msccl);
    free(plan->counter);
    free(plan->event);
    free(plan->range);
    free(plan->thread);
    *plan = (struct mscclpp){0};
}

/* -- events -------------------------------------------------------------------------------------*/

static bool add_event(struct mscclpp *plan, size_t thread, struct mscclpp_event event,
                      struct err *err)
{
    void *array = plan->event;
    array = memory_grow(array, plan->events + 1, &plan->event_room, sizeof *plan->event);
    if (array == NULL)
        return err_no_memory(err, "%zu events", plan->events);
    struct mscclpp_thread *of = &plan->thread[thread];
    plan->event = array;
    event.step = plan->msccl.step_count - 1;
    event.next = SIZE_MAX;
    plan->event[plan->events] = event;
    if (of->first == SIZE_MAX)
        of->first = plan->events;
    else
        plan->event[of->last].next = plan->events;
    of->last = plan->events++;
    return true;
}

bool mscclpp_add_post(struct mscclpp *plan, size_t thread, size_t at, bool relaxed, struct err *err)
{
    struct mscclpp_counter *counter = &plan->counter[at];
    counter->shared = counter->shared || (counter->producer > 0 && counter->producer != thread + 1);
    counter->producer = thread + 1;
    counter->total++;
    return add_event(
        plan, thread,
        (struct mscclpp_event){.act = MSCCLPP_POSTS, .counter = at, .relaxed = relaxed}, err);
}

bool mscclpp_add_wait(struct mscclpp *plan, size_t thread, const struct mscclpp_event *wait,
                      struct err *err)
{
    struct mscclpp_counter *counter = &plan->counter[wait->counter];
    bool several = counter->consumer > 0 && counter->consumer != thread + 1;
    struct mscclpp_event event = *wait;
    event.act = MSCCLPP_WAITS;
    counter->consumer = thread + 1;
    counter->waited = MAX(counter->waited, wait->to);
    if (several && counter->counts != MSCCLPP_BARRIER)
        return mscclpp_refuse(plan, err, ERR_UNSUPPORTED,
                              "waits for a channel or a semaphore for which another block waits, "
                              "too; expected one block");
    return add_event(plan, thread, event, err);
}

/* Appends the ranges of operands, which must have `count` chunks each. */
static bool add_ranges(struct mscclpp *plan, struct mscclpp_operands operands, uint32_t count,
                       struct err *err)
{
    for (uint32_t k = 0; k < operands.count; k++) {
        void *array = plan->range;
        if (operands.at[k].count != count)
            return mscclpp_refuse(plan, err, ERR_FIELD_RANGE,
                                  "its operands differ in size; expected equal sizes");
        plan->moved += count;
        if (plan->moved > MSCCLPP_MOVED)
            return mscclpp_refuse(plan, err, ERR_TOO_BIG,
                                  "all operations move more than 2^24 chunks; expected fewer");
        array = memory_grow(array, plan->ranges + 1, &plan->range_room, sizeof *plan->range);
        if (array == NULL)
            return err_no_memory(err, "%zu operands", plan->ranges);
        plan->range = array;
        plan->range[plan->ranges++] = operands.at[k].range;
    }
    return true;
}

bool mscclpp_add_move(struct mscclpp *plan, size_t thread, struct mscclpp_operands from,
                      struct mscclpp_operands to, struct err *err)
{
    const struct mscclpp_event event = {.act = MSCCLPP_MOVES,
                                        .range = plan->ranges,
                                        .sources = from.count,
                                        .destinations = to.count,
                                        .count = from.at[0].count};
    plan->msccl.combines = plan->msccl.combines || from.count > 1;
    return add_ranges(plan, from, event.count, err) && add_ranges(plan, to, event.count, err) &&
           add_event(plan, thread, event, err);
}

/* -- proxies ------------------------------------------------------------------------------------*/

bool mscclpp_add_proxy(struct mscclpp *plan, uint32_t gpu, struct mscclpp_proxy *proxy,
                       struct err *err)
{
    const struct mscclpp_counter posted = {.counts = MSCCLPP_OPERATIONS, .gpu = gpu};
    const struct mscclpp_counter done = {.counts = MSCCLPP_DONE, .gpu = gpu};
    size_t second = 0;
    return mscclpp_add_thread(plan, gpu, &proxy->thread, err) &&
           mscclpp_add_counter(plan, &posted, &proxy->posted, err) &&
           mscclpp_add_counter(plan, &done, &second, err);
}

bool mscclpp_proxy_begin(struct mscclpp *plan, size_t block, const struct mscclpp_proxy *proxy,
                         struct err *err)
{
    if (!mscclpp_add_post(plan, block, proxy->posted, false, err))
        return false;
    const struct mscclpp_event wait = {
        .counter = proxy->posted, .to = plan->counter[proxy->posted].total, .width = 1};
    return mscclpp_add_wait(plan, proxy->thread, &wait, err);
}

bool mscclpp_proxy_end(struct mscclpp *plan, const struct mscclpp_proxy *proxy, struct err *err)
{
    return mscclpp_add_post(plan, proxy->thread, proxy->posted + 1, false, err);
}

bool mscclpp_proxy_flush(struct mscclpp *plan, size_t block, const struct mscclpp_proxy *proxy,
                         struct err *err)
{
    const struct mscclpp_event wait = {
        .counter = proxy->posted + 1, .to = plan->counter[proxy->posted + 1].total, .width = 1};
    return wait.to == 0 || mscclpp_add_wait(plan, block, &wait, err);
}

bool mscclpp_check_signals(const struct mscclpp *plan, struct err *err)
{
    for (size_t k = 0; k < plan->counters; k++) {
        const struct mscclpp_counter *counter = &plan->counter[k];
        if (counter->counts == MSCCLPP_SIGNALS && counter->waited < counter->total)
            return err_set(
                err, ERR_ORDER,
                "%s: GPU %" PRIu32 " signals %" PRIu32 " time%s on its %s channel %" PRIu32
                " to GPU %" PRIu32 ", which waits %" PRIu32
                " times: the next execution of the plan would end a wait too early; "
                "expected as many waits",
                plan->msccl.name, counter->gpu, counter->total, counter->total == 1 ? "" : "s",
                counter->port ? "port" : "memory", counter->number, counter->peer, counter->waited);
    }
    return true;
}
