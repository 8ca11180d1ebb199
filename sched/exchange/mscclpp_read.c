/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/memory.h"
#include "sched/exchange/mscclpp_reader.h"

#include "sched/base/compare.h"
#include "sched/exchange/msccl_layout.h"
#include "sched/exchange/msccl_reader.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PARTS 64

bool mscclpp_wrong(const struct mscclpp_reader *reader, struct err *err, enum err_code code,
                   const char *format, ...)
{
    struct err inner;
    va_list arguments;
    va_start(arguments, format);
    err_vset(&inner, code, format, arguments);
    va_end(arguments);
    return err_at(err, &inner, "%.150s:%s", reader->document.name, reader->where);
}

/* The file is decoded with integers as real numbers, because max_message_size is 2⁶⁴ − 1. */
bool mscclpp_number(const struct mscclpp_reader *reader, const json_t *value, const char *what,
                    uint32_t maximum, uint32_t *number, struct err *err)
{
    double real = json_number_value(value);
    if (!json_is_number(value))
        return mscclpp_wrong(reader, err, ERR_SYNTAX, "%s: no number; expected 0 … %" PRIu32, what,
                             maximum);
    if (!(real >= 0 && real <= maximum) || floor(real) < real)
        return mscclpp_wrong(reader, err, ERR_FIELD_RANGE, "%s: %g; expected 0 … %" PRIu32, what,
                             real, maximum);
    *number = (uint32_t)real;
    return true;
}

bool mscclpp_array(const struct mscclpp_reader *reader, const json_t *object, const char *key,
                   bool optional, const json_t **array, struct err *err)
{
    *array = json_object_get(object, key);
    return json_is_array(*array) || (optional && *array == NULL) ||
           mscclpp_wrong(reader, err, ERR_SYNTAX, "no array '%s'; expected one", key);
}

/* -- GPUs ---------------------------------------------------------------------------------------*/

static bool read_collective(struct mscclpp_reader *reader, const json_t *root, struct err *err)
{
    struct msccl *msccl = &reader->plan->msccl;
    const json_t *name = json_object_get(root, "collective");
    const json_t *in_place = json_object_get(root, "inplace");
    if (!json_is_string(name) || !json_is_boolean(in_place))
        return mscclpp_wrong(reader, err, ERR_SYNTAX,
                             "no text 'collective', or no boolean 'inplace'; expected both");
    unsigned which = 0;
    while (which < MSCCL_CUSTOM &&
           strcmp(msccl_collective_names[which], json_string_value(name)) != 0)
        which++;
    if (strcmp(json_string_value(name), "reducescatter") == 0)
        which = MSCCL_REDUCE_SCATTER;
    msccl->collective = (enum msccl_collective)which;
    msccl->combines = msccl_reduces(msccl->collective);
    msccl->in_place = json_is_true(in_place);
    return true;
}

/* Reads the sizes of the buffers of a GPU, and places them. */
static bool read_buffers(struct mscclpp_reader *reader, const json_t *gpu, uint32_t id,
                         struct err *err)
{
    static const char *const names[] = {"input_chunks", "output_chunks", "scratch_chunks"};
    struct msccl *msccl = &reader->plan->msccl;
    uint32_t number = 0, most = MSCCL_CHUNKS / reader->parts;
    if (!mscclpp_number(reader, json_object_get(gpu, "id"), "id", UINT32_MAX, &number, err))
        return false;
    if (number != id)
        return mscclpp_wrong(reader, err, ERR_ORDER, "id %" PRIu32 "; expected %" PRIu32, number,
                             id);
    for (unsigned which = 0; which < 3; which++) {
        if (!mscclpp_number(reader, json_object_get(gpu, names[which]), names[which], most, &number,
                            err))
            return false;
        msccl->gpu[id].chunks[which] = number * reader->parts;
    }
    return msccl_buffers_set(msccl, id) ||
           mscclpp_wrong(reader, err, ERR_TOO_BIG,
                         "more than %" PRIu32 " chunks of all GPUs; expected fewer", MSCCL_CHUNKS);
}

/* -- blocks -------------------------------------------------------------------------------------*/

/* Appends the numbers of an array, each up to a maximum, to a list. */
static bool append_numbers(const struct mscclpp_reader *reader, const json_t *array,
                           const char *what, size_t maximum, struct mscclpp_list *list,
                           struct err *err)
{
    for (size_t k = 0; k < json_array_size(array); k++) {
        void *numbers = list->number;
        uint32_t number = 0;
        if (maximum == 0)
            return mscclpp_wrong(reader, err, ERR_FIELD_RANGE,
                                 "%s: the GPU has none; expected some", what);
        if (!mscclpp_number(reader, json_array_get(array, k), what, (uint32_t)maximum - 1, &number,
                            err))
            return false;
        numbers = memory_grow(numbers, list->count + 1, &list->room, sizeof *list->number);
        if (numbers == NULL)
            return err_no_memory(err, "a list of %zu numbers", list->count);
        list->number = numbers;
        list->number[list->count++] = number;
    }
    return true;
}

/* Reads the lists of a block, to which its operations refer. */
static bool read_lists(struct mscclpp_reader *reader, const json_t *block, struct err *err)
{
    const json_t *channels, *remotes, *ids;
    enum mscclpp_channel type;
    for (type = 0; type < MSCCLPP_TYPES; type++)
        reader->channels[type].count = reader->remotes[type].count = 0;
    reader->proxies.count = 0;
    memset(reader->arrivals, 0, sizeof reader->arrivals);
    if (!mscclpp_array(reader, block, "channels", true, &channels, err) ||
        !mscclpp_array(reader, block, "remote_buffer_refs", true, &remotes, err))
        return false;
    for (size_t k = 0; k < json_array_size(channels); k++) {
        const json_t *entry = json_array_get(channels, k);
        if (!mscclpp_channel_type(reader, json_object_get(entry, "channel_type"), &type, err) ||
            !mscclpp_array(reader, entry, "channel_ids", false, &ids, err) ||
            !append_numbers(reader, ids, "channel_ids", reader->gpu[reader->gpu_id].channels[type],
                            &reader->channels[type], err))
            return false;
    }
    for (size_t k = 0; k < json_array_size(remotes); k++) {
        const json_t *entry = json_array_get(remotes, k);
        const json_t *name = json_object_get(entry, "access_channel_type");
        if (!mscclpp_channel_type(reader, name, &type, err) ||
            !mscclpp_array(reader, entry, "remote_buffer_ids", false, &ids, err) ||
            !append_numbers(reader, ids, "remote_buffer_ids",
                            json_array_size(reader->remote_buffers), &reader->remotes[type], err))
            return false;
    }
    return true;
}

static bool read_block(struct mscclpp_reader *reader, const json_t *value, uint32_t id,
                       struct err *err)
{
    struct msccl *msccl = &reader->plan->msccl;
    const json_t *operations;
    uint32_t number = 0;
    void *blocks = msccl->block;
    snprintf(reader->where, sizeof reader->where, " GPU %" PRIu32 ", block %" PRIu32,
             reader->gpu_id, id);
    if (!mscclpp_number(reader, json_object_get(value, "id"), "id", UINT32_MAX, &number, err))
        return false;
    if (number != id)
        return mscclpp_wrong(reader, err, ERR_ORDER, "id %" PRIu32 "; expected %" PRIu32, number,
                             id);
    if (!mscclpp_array(reader, value, "ops", false, &operations, err) ||
        !read_lists(reader, value, err) ||
        !mscclpp_add_thread(reader->plan, reader->gpu_id, &reader->block_thread, err))
        return false;
    blocks = memory_grow(blocks, msccl->block_count + 1, &msccl->block_room, sizeof *msccl->block);
    if (blocks == NULL)
        return err_no_memory(err, "%zu blocks", msccl->block_count);
    msccl->block = blocks;
    msccl->block[msccl->block_count++] =
        (struct msccl_block){.gpu = reader->gpu_id, .id = id, .first = msccl->step_count};
    msccl->gpu[reader->gpu_id].blocks++;
    bool read = mscclpp_read_operations(reader, operations, err);
    msccl->block[msccl->block_count - 1].end = msccl->step_count;
    return read;
}

/* Adds the counters of the semaphores and the barriers of a GPU. */
static bool read_semaphores(struct mscclpp_reader *reader, const json_t *value, struct err *err)
{
    struct mscclpp_gpu *gpu = &reader->gpu[reader->gpu_id];
    const json_t *semaphores;
    if (!mscclpp_array(reader, value, "semaphores", true, &semaphores, err))
        return false;
    gpu->semaphores = reader->plan->counters;
    for (size_t k = 0, at; k < json_array_size(semaphores); k++) {
        const json_t *initial = json_object_get(json_array_get(semaphores, k), "init_value");
        struct mscclpp_counter counter = {
            .counts = MSCCLPP_SEMAPHORE, .gpu = reader->gpu_id, .number = gpu->semaphore_count++};
        if (!mscclpp_number(reader, initial, "init_value", INT32_MAX, &counter.initial, err) ||
            !mscclpp_add_counter(reader->plan, &counter, &at, err))
            return false;
    }
    gpu->barriers = reader->plan->counters;
    for (uint32_t k = 0; k < MSCCLPP_BARRIERS; k++) {
        const struct mscclpp_counter counter = {
            .counts = MSCCLPP_BARRIER, .gpu = reader->gpu_id, .number = k};
        size_t at;
        if (!mscclpp_add_counter(reader->plan, &counter, &at, err))
            return false;
    }
    return true;
}

static bool read_gpu(struct mscclpp_reader *reader, const json_t *value, uint32_t id,
                     struct err *err)
{
    const json_t *blocks;
    snprintf(reader->where, sizeof reader->where, " gpus[%" PRIu32 "]", id);
    reader->gpu_id = id;
    reader->plan->msccl.gpu[id].first_block = (uint32_t)reader->plan->msccl.block_count;
    if (!mscclpp_array(reader, value, "remote_buffers", true, &reader->remote_buffers, err) ||
        !mscclpp_array(reader, value, "threadblocks", false, &blocks, err) ||
        !read_semaphores(reader, value, err))
        return false;
    if (json_array_size(blocks) > MSCCL_BLOCKS)
        return mscclpp_wrong(reader, err, ERR_FIELD_RANGE, "%zu blocks; expected at most %d",
                             json_array_size(blocks), MSCCL_BLOCKS);
    for (size_t k = 0; k < json_array_size(blocks); k++)
        if (!read_block(reader, json_array_get(blocks, k), (uint32_t)k, err))
            return false;
    return true;
}

static uint32_t divisor_of(uint32_t a, uint32_t b)
{
    return b == 0 ? a : divisor_of(b, a % b);
}

/* Blocks that share an operation move an equal part of each chunk: divides chunks into parts such
 * that each block moves whole parts. */
static bool count_parts(struct mscclpp_reader *reader, const json_t *operations, struct err *err)
{
    for (size_t k = 0; k < json_array_size(operations); k++) {
        const json_t *operation = json_array_get(operations, k);
        const json_t *info = json_object_get(operation, "tbg_info");
        uint32_t size = 1;
        if (info != NULL && !mscclpp_number(reader, json_object_get(info, "tbg_size"), "tbg_size",
                                            MOST_PARTS, &size, err))
            return false;
        uint32_t parts = size > 0 ? reader->parts / divisor_of(reader->parts, size) * size : 0;
        if (parts == 0 || parts > MOST_PARTS)
            return mscclpp_wrong(reader, err, ERR_FIELD_RANGE,
                                 "groups of blocks divide a chunk into %" PRIu32
                                 " parts; expected 1 … %d",
                                 parts, MOST_PARTS);
        reader->parts = parts;
        const json_t *inner = json_object_get(operation, "ops");
        for (size_t j = 0; j < json_array_size(inner); j++)
            if (json_object_get(json_array_get(inner, j), "tbg_info") != NULL)
                return mscclpp_wrong(reader, err, ERR_UNSUPPORTED,
                                     "blocks share an operation of a pipeline; expected none");
    }
    return true;
}

static bool find_parts(struct mscclpp_reader *reader, const json_t *gpus, struct err *err)
{
    for (size_t g = 0; g < json_array_size(gpus); g++) {
        const json_t *blocks = json_object_get(json_array_get(gpus, g), "threadblocks");
        for (size_t b = 0; b < json_array_size(blocks); b++)
            if (!count_parts(reader, json_object_get(json_array_get(blocks, b), "ops"), err))
                return false;
    }
    return true;
}

static bool read_plan(struct mscclpp_reader *reader, const json_t *root, struct err *err)
{
    struct msccl *msccl = &reader->plan->msccl;
    const json_t *gpus = json_object_get(root, "gpus");
    if (!json_is_array(gpus))
        return mscclpp_wrong(reader, err, ERR_VERSION,
                             "no array 'gpus'; expected a plan of MSCCL++");
    if (json_array_size(gpus) < 2 || json_array_size(gpus) > MSCCL_GPUS)
        return mscclpp_wrong(reader, err, ERR_FIELD_RANGE, "%zu GPUs; expected 2 … %d",
                             json_array_size(gpus), MSCCL_GPUS);
    msccl->gpus = (uint32_t)json_array_size(gpus);
    msccl->per_loop = -1;
    msccl->gpu = calloc(msccl->gpus, sizeof *msccl->gpu);
    reader->gpu = calloc(msccl->gpus, sizeof *reader->gpu);
    if (msccl->gpu == NULL || reader->gpu == NULL)
        return err_no_memory(err, "%" PRIu32 " GPUs", msccl->gpus);
    if (!read_collective(reader, root, err) || !find_parts(reader, gpus, err))
        return false;
    for (uint32_t id = 0; id < msccl->gpus; id++) {
        const json_t *value = json_array_get(gpus, id);
        snprintf(reader->where, sizeof reader->where, " gpus[%" PRIu32 "]", id);
        if (!read_buffers(reader, value, id, err) || !mscclpp_read_channels(reader, value, id, err))
            return false;
    }
    if (!mscclpp_connect(reader->plan, err))
        return false;
    for (uint32_t id = 0; id < msccl->gpus; id++)
        if (!read_gpu(reader, json_array_get(gpus, id), id, err))
            return false;
    return true;
}

static void free_lists(struct mscclpp_reader *reader)
{
    for (unsigned type = 0; type < MSCCLPP_TYPES; type++) {
        free(reader->channels[type].number);
        free(reader->remotes[type].number);
    }
    free(reader->proxies.number);
    free(reader->gpu);
    document_free(&reader->document);
}

bool mscclpp_parse(FILE *from, const char *name, struct mscclpp *plan, struct err *err)
{
    struct mscclpp_reader reader = {.plan = plan, .parts = 1};
    json_error_t error = {0};
    *plan = (struct mscclpp){.msccl.name = name};
    if (!document_read(from, name, false, &reader.document, err))
        return false;
    reader.cursor = (struct mscclpp_cursor){
        .at = reader.document.text, .start = reader.document.text, .line = 1};
    errno = 0;
    json_t *root = json_loadb(reader.document.text, reader.document.size,
                              JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
    bool read = root != NULL;
    if (!read && errno == ENOMEM) /* jansson's text may describe an invalid word instead */
        err_no_memory(err, "the JSON of %s", name);
    else if (!read)
        err_set(err, ERR_SYNTAX, "%s:%d: %s; expected JSON", name, error.line, error.text);
    read = read && read_plan(&reader, root, err);
    json_decref(root);
    free_lists(&reader);
    if (!read)
        mscclpp_free(plan);
    return read;
}

bool mscclpp_read(FILE *from, const char *name, enum model model, struct schedule *schedule,
                  struct err *err)
{
    struct mscclpp plan;
    struct schedule reading = {0};
    if (!mscclpp_parse(from, name, &plan, err))
        return false;
    const struct topology complete = topology_complete(plan.msccl.gpus);
    bool read = schedule_init_empty(&reading, "mscclpp", &complete, model, err) &&
                mscclpp_run(&plan, &reading, err);
    reading.in_place = plan.msccl.in_place;
    mscclpp_free(&plan);
    if (read)
        *schedule = reading;
    else
        schedule_free(&reading);
    return read;
}
