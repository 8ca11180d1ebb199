/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/mscclpp_reader.h"

#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CHANNELS (1 << 16) /* of a type, of a GPU */

bool mscclpp_channel_type(const struct mscclpp_reader *reader, const json_t *value,
                          enum mscclpp_channel *type, struct err *err)
{
    const char *text = json_is_string(value) ? json_string_value(value) : "";
    if (strcmp(text, "switch") == 0)
        return mscclpp_wrong(reader, err, ERR_UNSUPPORTED,
                             "a channel of a switch, which combines and copies; expected memory or "
                             "port");
    *type = strcmp(text, "port") == 0 ? MSCCLPP_PORT : MSCCLPP_MEMORY;
    return *type == MSCCLPP_PORT || strcmp(text, "memory") == 0 ||
           mscclpp_wrong(reader, err, ERR_SYNTAX, "channel type '%.40s'; expected memory or port",
                         text);
}

/* Adds the channels of one entry of a GPU's list. `before` counts the channels to each GPU. */
static bool add_channels(struct mscclpp_reader *reader, const json_t *entry,
                         enum mscclpp_channel wanted, uint32_t id, uint32_t before[],
                         struct err *err)
{
    struct mscclpp_gpu *gpu = &reader->gpu[id];
    enum mscclpp_channel type;
    const json_t *peers;
    if (!mscclpp_channel_type(reader, json_object_get(entry, "channel_type"), &type, err) ||
        !mscclpp_array(reader, entry, "connected_to", false, &peers, err))
        return false;
    for (size_t k = 0; type == wanted && k < json_array_size(peers); k++) {
        struct mscclpp_counter counter = {.counts = MSCCLPP_SIGNALS,
                                          .gpu = id,
                                          .number = gpu->channels[type],
                                          .port = type == MSCCLPP_PORT,
                                          .partner = SIZE_MAX};
        size_t at;
        if (!mscclpp_number(reader, json_array_get(peers, k), "connected_to",
                            reader->plan->msccl.gpus - 1, &counter.peer, err))
            return false;
        if (counter.peer == id)
            return mscclpp_wrong(reader, err, ERR_SELF_SEND,
                                 "GPU %" PRIu32 " is its own peer; expected another one", id);
        counter.before = before[counter.peer]++;
        if (gpu->channels[type]++ == MOST_CHANNELS)
            return mscclpp_wrong(reader, err, ERR_TOO_BIG,
                                 "more than %d channels of a type; expected fewer", MOST_CHANNELS);
        if (!mscclpp_add_counter(reader->plan, &counter, &at, err))
            return false;
    }
    return true;
}

bool mscclpp_read_channels(struct mscclpp_reader *reader, const json_t *value, uint32_t id,
                           struct err *err)
{
    const json_t *channels;
    uint32_t *before = calloc(reader->plan->msccl.gpus, sizeof *before);
    bool read = before != NULL || err_no_memory(err, "the channels of a GPU");
    read = read && mscclpp_array(reader, value, "channels", true, &channels, err);
    for (unsigned type = 0; read && type < MSCCLPP_TYPES; type++) {
        reader->gpu[id].channel[type] = reader->plan->counters;
        memset(before, 0, reader->plan->msccl.gpus * sizeof *before);
        for (size_t k = 0; read && k < json_array_size(channels); k++)
            read = add_channels(reader, json_array_get(channels, k), (enum mscclpp_channel)type, id,
                                before, err);
    }
    free(before);
    return read;
}

/* An end of a connection, from a GPU to its peer. */
struct end {
    bool port;
    uint32_t gpu, peer, before;
    size_t counter;
};

static int by_end(const void *left, const void *right)
{
    const struct end *a = left, *b = right;
    return compare_then(compare_then(COMPARE(a->port, b->port), COMPARE(a->gpu, b->gpu)),
                        compare_then(COMPARE(a->peer, b->peer), COMPARE(a->before, b->before)));
}

bool mscclpp_connect(struct mscclpp *plan, struct err *err)
{
    struct end *end = calloc(plan->counters + 1, sizeof *end);
    if (end == NULL)
        return err_no_memory(err, "%zu channels", plan->counters);
    for (size_t k = 0; k < plan->counters; k++)
        end[k] = (struct end){plan->counter[k].port, plan->counter[k].gpu, plan->counter[k].peer,
                              plan->counter[k].before, k};
    if (plan->counters > 0)
        qsort(end, plan->counters, sizeof *end, by_end);
    for (size_t k = 0; k < plan->counters; k++) {
        struct mscclpp_counter *at = &plan->counter[k];
        const struct end wanted = {at->port, at->peer, at->gpu, at->before, 0};
        const struct end *other = bsearch(&wanted, end, plan->counters, sizeof *end, by_end);
        at->partner = other != NULL ? other->counter : SIZE_MAX;
    }
    free(end);
    return true;
}
