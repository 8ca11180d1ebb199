/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/memory.h"
#include "sched/exchange/mscclpp_reader.h"

#include "sched/base/compare.h"
#include "sched/exchange/msccl_layout.h"
#include "sched/exchange/msccl_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS (1 << 20) /* of a block */
#define NONE 255             /* no operand of the operation is a packet */

/* How an operation moves chunks. */
enum moves {
    PAIRS,  /* each source to the destination of the same index */
    RESULT, /* all sources, combined, to all destinations */
    NOTHING
};

struct kind {
    const char *name;
    enum moves moves;
    uint8_t source_packets, destination_packets; /* operands from this index on are packets */
    bool signals, flushes, relaxed;
    bool (*read)(struct mscclpp_reader *reader, const json_t *operation, const struct kind *kind,
                 struct err *err);
};

/* -- operations ---------------------------------------------------------------------------------*/

/* An operation that moves chunks. */
struct moving {
    const struct kind *kind;
    enum mscclpp_channel type;
    struct mscclpp_side from, to;
};

/* Appends a put on a port channel: the proxy reads the source after the block has posted it. */
static bool put_by_port(struct mscclpp_reader *reader, const json_t *operation,
                        struct moving *moving, uint32_t index, struct err *err)
{
    struct mscclpp *plan = reader->plan;
    struct mscclpp_proxy proxy = {0};
    struct mscclpp_channel_of channel = {0};
    struct mscclpp_operand *source =
        &moving->from.operand[moving->kind->moves == PAIRS ? index : 0];
    const struct mscclpp_operands from = {source, 1}, to = {&moving->to.operand[index], 1};
    if (source->range.gpu != reader->gpu_id ||
        (moving->kind->moves == RESULT && moving->from.count > 1))
        return mscclpp_refuse(reader->plan, err, ERR_UNSUPPORTED,
                              "reads other GPUs, or combines, on a port channel; expected a put");
    if (!mscclpp_channel_at(reader, operation, index, MSCCLPP_PORT, &channel, err) ||
        !mscclpp_proxy_of(reader, channel.which, &proxy, err))
        return false;
    if (source->range.packet && !mscclpp_add_move(plan, reader->block_thread, from,
                                                  (struct mscclpp_operands){NULL, 0}, err))
        return false;
    bool waited = source->range.packet;
    source->range.packet = false; /* the proxy copies what the block has waited for */
    bool put =
        mscclpp_proxy_begin(plan, reader->block_thread, &proxy, err) &&
        mscclpp_add_move(plan, proxy.thread, from, to, err) &&
        (!moving->kind->signals ||
         mscclpp_add_post(plan, proxy.thread, channel.counter, false, err)) &&
        mscclpp_proxy_end(plan, &proxy, err) &&
        (!moving->kind->flushes || mscclpp_proxy_flush(plan, reader->block_thread, &proxy, err));
    source->range.packet = waited;
    return put;
}

static bool append_moves(struct mscclpp_reader *reader, const json_t *operation,
                         struct moving *moving, struct err *err)
{
    bool pairs = moving->kind->moves == PAIRS, port = moving->type == MSCCLPP_PORT;
    const struct mscclpp_side *from = &moving->from, *to = &moving->to;
    if (pairs && from->count != to->count)
        return mscclpp_refuse(
            reader->plan, err, ERR_SYNTAX,
            "has another number of sources than of destinations; expected as many");
    if (moving->kind->signals && !port)
        return mscclpp_refuse(
            reader->plan, err, ERR_UNSUPPORTED,
            "puts and signals on a memory channel, which would not signal; expected port");
    if (!port && !pairs)
        return mscclpp_add_move(reader->plan, reader->block_thread,
                                (struct mscclpp_operands){from->operand, from->count},
                                (struct mscclpp_operands){to->operand, to->count}, err);
    for (uint32_t k = 0; k < to->count; k++)
        if (port ? !put_by_port(reader, operation, moving, k, err)
                 : !mscclpp_add_move(reader->plan, reader->block_thread,
                                     (struct mscclpp_operands){&from->operand[k], 1},
                                     (struct mscclpp_operands){&to->operand[k], 1}, err))
            return false;
    return true;
}

static bool read_moves(struct mscclpp_reader *reader, const json_t *operation,
                       const struct kind *kind, struct err *err)
{
    struct moving *moving = malloc(sizeof *moving);
    if (moving == NULL)
        return err_no_memory(err, "the operands of an operation");
    moving->kind = kind;
    moving->from.packets = kind->source_packets;
    moving->to.packets = kind->destination_packets;
    bool read =
        mscclpp_read_type(reader, operation, &moving->type, err) &&
        mscclpp_read_side(reader, operation, "src_buff", moving->type, &moving->from, err) &&
        mscclpp_read_side(reader, operation, "dst_buff", moving->type, &moving->to, err) &&
        append_moves(reader, operation, moving, err);
    free(moving);
    return read;
}

/* Appends a wait for the next signal of the other end of a channel. */
static bool wait_for_signal(struct mscclpp_reader *reader, size_t channel, bool relaxed,
                            struct err *err)
{
    size_t other = reader->plan->counter[channel].partner;
    if (other == SIZE_MAX)
        return mscclpp_refuse(
            reader->plan, err, ERR_ORDER,
            "waits for ever: the peer has no channel to this GPU that belongs to its "
            "channel; expected one");
    const struct mscclpp_event wait = {.counter = other,
                                       .to = reader->plan->counter[other].waited + 1,
                                       .width = 1,
                                       .relaxed = relaxed};
    return mscclpp_add_wait(reader->plan, reader->block_thread, &wait, err);
}

/* Appends a signal, which on a port channel is an operation of the proxy. */
static bool signal_on(struct mscclpp_reader *reader, const struct mscclpp_channel_of *channel,
                      enum mscclpp_channel type, bool relaxed, struct err *err)
{
    struct mscclpp *plan = reader->plan;
    struct mscclpp_proxy proxy = {0};
    if (type == MSCCLPP_MEMORY)
        return mscclpp_add_post(plan, reader->block_thread, channel->counter, relaxed, err);
    return mscclpp_proxy_of(reader, channel->which, &proxy, err) &&
           mscclpp_proxy_begin(plan, reader->block_thread, &proxy, err) &&
           mscclpp_add_post(plan, proxy.thread, channel->counter, relaxed, err) &&
           mscclpp_proxy_end(plan, &proxy, err);
}

/* Reads a signal, a wait or a flush of several channels. */
static bool read_channels(struct mscclpp_reader *reader, const json_t *operation,
                          const struct kind *kind, struct err *err)
{
    size_t count = json_array_size(json_object_get(operation, "channel_ids"));
    enum mscclpp_channel type = MSCCLPP_MEMORY;
    struct mscclpp_channel_of channel = {0};
    struct mscclpp_proxy proxy = {0};
    if (!mscclpp_read_type(reader, operation, &type, err))
        return false;
    for (size_t k = 0; k < MAX(count, 1u); k++) {
        if (!mscclpp_channel_at(reader, operation, k, type, &channel, err))
            return false;
        bool added = true;
        if (kind->signals)
            added = signal_on(reader, &channel, type, kind->relaxed, err);
        else if (!kind->flushes)
            added = wait_for_signal(reader, channel.counter, kind->relaxed, err);
        else if (type == MSCCLPP_PORT)
            added = mscclpp_proxy_of(reader, channel.which, &proxy, err) &&
                    mscclpp_proxy_flush(reader->plan, reader->block_thread, &proxy, err);
        if (!added)
            return false;
    }
    return true;
}

static bool read_barrier(struct mscclpp_reader *reader, const json_t *operation,
                         const struct kind *kind, struct err *err)
{
    struct mscclpp *plan = reader->plan;
    struct mscclpp_gpu *gpu = &reader->gpu[reader->gpu_id];
    uint32_t id = 0, blocks = 0;
    (void)kind;
    if (!mscclpp_number(reader, json_object_get(operation, "barrier_id"), "barrier_id",
                        MSCCLPP_BARRIERS - 1, &id, err) ||
        !mscclpp_number(reader, json_object_get(operation, "num_threadblocks"), "num_threadblocks",
                        MSCCL_BLOCKS, &blocks, err))
        return false;
    size_t at = gpu->barriers + id;
    uint32_t arrivals = ++reader->arrivals[id];
    if (blocks == 0)
        return mscclpp_refuse(reader->plan, err, ERR_FIELD_RANGE,
                              "is a barrier of 0 blocks; expected some");
    const struct mscclpp_event wait = {.counter = at, .to = arrivals * blocks, .width = blocks};
    return mscclpp_add_post(plan, reader->block_thread, at, false, err) &&
           mscclpp_add_wait(plan, reader->block_thread, &wait, err);
}

static bool read_semaphores(struct mscclpp_reader *reader, const json_t *operation,
                            const struct kind *kind, struct err *err)
{
    const struct mscclpp_gpu *gpu = &reader->gpu[reader->gpu_id];
    const json_t *ids = json_object_get(operation, "semaphore_ids");
    if (json_array_size(ids) == 0 || gpu->semaphore_count == 0)
        return mscclpp_refuse(reader->plan, err, ERR_SYNTAX,
                              "names no semaphore, or its GPU has none; expected 'semaphore_ids'");
    for (size_t k = 0; k < json_array_size(ids); k++) {
        uint32_t id = 0;
        uint32_t last = gpu->semaphore_count - 1;
        if (!mscclpp_number(reader, json_array_get(ids, k), "semaphore_ids", last, &id, err))
            return false;
        size_t at = gpu->semaphores + id;
        const struct mscclpp_event wait = {
            .counter = at, .to = reader->plan->counter[at].waited + 1, .width = 1};
        if (kind->signals ? !mscclpp_add_post(reader->plan, reader->block_thread, at, false, err)
                          : !mscclpp_add_wait(reader->plan, reader->block_thread, &wait, err))
            return false;
    }
    return true;
}

static bool read_nothing(struct mscclpp_reader *reader, const json_t *operation,
                         const struct kind *kind, struct err *err)
{
    (void)reader, (void)operation, (void)kind, (void)err;
    return true;
}

static const struct kind kinds[] = {
    {"nop", NOTHING, NONE, NONE, false, false, false, read_nothing},
    {"put", PAIRS, NONE, NONE, false, false, false, read_moves},
    {"pws", PAIRS, NONE, NONE, true, false, false, read_moves},
    {"pwsf", PAIRS, NONE, NONE, true, true, false, read_moves},
    {"get", PAIRS, NONE, NONE, false, false, false, read_moves},
    {"copy", RESULT, NONE, NONE, false, false, false, read_moves},
    {"re", RESULT, NONE, NONE, false, false, false, read_moves},
    {"res", RESULT, NONE, NONE, false, false, false, read_moves},
    {"rre", RESULT, NONE, NONE, false, false, false, read_moves},
    {"rres", RESULT, NONE, NONE, false, false, false, read_moves},
    {"ppkt", PAIRS, NONE, 0, false, false, false, read_moves},
    {"rppkt", RESULT, 0, 0, false, false, false, read_moves},
    {"cpkt", RESULT, NONE, 0, false, false, false, read_moves},
    {"upkt", RESULT, 0, NONE, false, false, false, read_moves},
    {"repkt", RESULT, 1, 1, false, false, false, read_moves},
    {"respkt", RESULT, 1, 1, false, false, false, read_moves},
    {"recpkt", RESULT, 1, 1, false, false, false, read_moves},
    {"recspkt", RESULT, 1, 1, false, false, false, read_moves},
    {"signal", NOTHING, NONE, NONE, true, false, false, read_channels},
    {"rlxsignal", NOTHING, NONE, NONE, true, false, true, read_channels},
    {"wait", NOTHING, NONE, NONE, false, false, false, read_channels},
    {"rlxwait", NOTHING, NONE, NONE, false, false, true, read_channels},
    {"flush", NOTHING, NONE, NONE, false, true, false, read_channels},
    {"barrier", NOTHING, NONE, NONE, false, false, false, read_barrier},
    {"sem_acquire", NOTHING, NONE, NONE, false, false, false, read_semaphores},
    {"sem_release", NOTHING, NONE, NONE, true, false, false, read_semaphores},
};

/* Reads an operation other than a pipeline. */
static bool read_plain(struct mscclpp_reader *reader, const json_t *operation, struct err *err)
{
    const char *name = json_string_value(json_object_get(operation, "name"));
    for (size_t k = 0; name != NULL && k < sizeof kinds / sizeof *kinds; k++)
        if (strcmp(kinds[k].name, name) == 0)
            return kinds[k].read(reader, operation, &kinds[k], err);
    if (name != NULL && strncmp(name, "gl", 2) != 0 && strncmp(name, "gs", 2) != 0)
        return msccl_wrong(&reader->plan->msccl, reader->plan->msccl.step_count - 1, err,
                           ERR_UNSUPPORTED,
                           "operation '%.40s'; expected put, get, copy, re, signal, wait or "
                           "another one of a plan",
                           name);
    return mscclpp_refuse(reader->plan, err, name != NULL ? ERR_UNSUPPORTED : ERR_SYNTAX,
                          name != NULL
                              ? "an operation of a switch, which combines and copies; expected "
                                "operations of memory or port channels"
                              : "an operation without 'name'; expected one");
}

/* Appends a step for the next operation of the last block. */
static bool add_step(struct mscclpp_reader *reader, struct err *err)
{
    struct msccl *msccl = &reader->plan->msccl;
    struct msccl_block *block = &msccl->block[msccl->block_count - 1];
    void *steps = msccl->step;
    steps = memory_grow(steps, msccl->step_count + 1, &msccl->step_room, sizeof *msccl->step);
    if (steps == NULL)
        return err_no_memory(err, "%zu operations", msccl->step_count);
    msccl->step = steps;
    uint64_t column = mscclpp_next_place(&reader->cursor);
    msccl->step[msccl->step_count] =
        (struct msccl_step){.type = MSCCL_NOTHING,
                            .block = (uint32_t)msccl->block_count - 1,
                            .number = (uint32_t)(msccl->step_count - block->first),
                            .line = reader->cursor.line,
                            .column = column};
    snprintf(reader->where, sizeof reader->where,
             "%" PRIu64 ":%" PRIu64 ": GPU %" PRIu32 ", block %" PRIu32 ", step %" PRIu32,
             reader->cursor.line, column, block->gpu, block->id,
             msccl->step[msccl->step_count].number);
    msccl->step_count++;
    return true;
}

bool mscclpp_read_operations(struct mscclpp_reader *reader, const json_t *operations,
                             struct err *err)
{
    if (json_array_size(operations) > MOST_STEPS)
        return err_set(err, ERR_TOO_BIG, "%s: %zu operations of a block; expected at most %d",
                       reader->document.name, json_array_size(operations), MOST_STEPS);
    for (size_t k = 0; k < json_array_size(operations); k++) {
        const json_t *operation = json_array_get(operations, k);
        const json_t *inner = json_object_get(operation, "ops");
        const char *name = json_string_value(json_object_get(operation, "name"));
        bool pipeline = name != NULL && strcmp(name, "pipeline") == 0;
        if (!add_step(reader, err) || (!pipeline && !read_plain(reader, operation, err)))
            return false;
        for (size_t j = 0; pipeline && j < json_array_size(inner); j++)
            if (!read_plain(reader, json_array_get(inner, j), err))
                return false;
    }
    return true;
}
