/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/memory.h"
#include "sched/exchange/mscclpp_reader.h"

#include "sched/base/compare.h"
#include "sched/exchange/msccl_layout.h"
#include "sched/exchange/msccl_reader.h"

#include <inttypes.h>
#include <string.h>

/* -- places -------------------------------------------------------------------------------------*/

/* Advances to the next byte that is not in a string. The text is valid JSON. */
static void skip_string(struct mscclpp_cursor *cursor)
{
    for (cursor->at++; *cursor->at != '"'; cursor->at++)
        cursor->at += *cursor->at == '\\';
    cursor->at++;
}

static bool has_key(const struct mscclpp_cursor *cursor, unsigned depth, const char *key)
{
    const char *found = cursor->key[depth];
    return found != NULL && strncmp(found, key, strlen(key)) == 0;
}

/* Advances to the next object in `gpus`, `threadblocks`, `ops`, and returns its column. The line is
 * that of the cursor. */
uint64_t mscclpp_next_place(struct mscclpp_cursor *cursor)
{
    while (*cursor->at != '\0') {
        const char *at = cursor->at;
        if (*at == '"') {
            cursor->key[MIN(cursor->depth, 7u)] = at;
            skip_string(cursor);
            continue;
        }
        if (*at == '\n') {
            cursor->line++;
            cursor->start = at + 1;
        }
        cursor->at++;
        cursor->depth -= *at == '}' || *at == ']';
        cursor->depth += *at == '{' || *at == '[';
        if (*at == '{' && cursor->depth == 7 && has_key(cursor, 1, "\"gpus\"") &&
            has_key(cursor, 3, "\"threadblocks\"") && has_key(cursor, 5, "\"ops\""))
            return (uint64_t)(at - cursor->start) + 1;
    }
    return 1;
}

/* -- operands -----------------------------------------------------------------------------------*/

bool mscclpp_channel_at(struct mscclpp_reader *reader, const json_t *operation, size_t index,
                        enum mscclpp_channel type, struct mscclpp_channel_of *channel,
                        struct err *err)
{
    const json_t *ids = json_object_get(operation, "channel_ids");
    const struct mscclpp_list *list = &reader->channels[type];
    if (index >= json_array_size(ids) || list->count == 0)
        return mscclpp_refuse(
            reader->plan, err, ERR_SYNTAX,
            "lacks an element of 'channel_ids', or its block has no channel of the type; "
            "expected one for each destination");
    if (!mscclpp_number(reader, json_array_get(ids, index), "channel_ids",
                        (uint32_t)list->count - 1, &channel->which, err))
        return false;
    channel->counter = reader->gpu[reader->gpu_id].channel[type] + list->number[channel->which];
    return true;
}

/* Finds the proxy of a port channel of the block, which is added if there is none. */
bool mscclpp_proxy_of(struct mscclpp_reader *reader, uint32_t which, struct mscclpp_proxy *proxy,
                      struct err *err)
{
    struct mscclpp_list *proxies = &reader->proxies;
    while (proxies->count < 2 * reader->channels[MSCCLPP_PORT].count) {
        void *array = proxies->number;
        array = memory_grow(array, proxies->count + 1, &proxies->room, sizeof *proxies->number);
        if (array == NULL)
            return err_no_memory(err, "the proxies of a block");
        proxies->number = array;
        proxies->number[proxies->count++] = 0;
    }
    uint32_t *entry = &proxies->number[2 * which];
    if (entry[0] == 0 && !mscclpp_add_proxy(reader->plan, reader->gpu_id, proxy, err))
        return false;
    if (entry[0] == 0) {
        entry[0] = (uint32_t)proxy->thread + 1;
        entry[1] = (uint32_t)proxy->posted;
    }
    *proxy = (struct mscclpp_proxy){entry[0] - 1, entry[1]};
    return true;
}

bool mscclpp_read_type(struct mscclpp_reader *reader, const json_t *operation,
                       enum mscclpp_channel *type, struct err *err)
{
    const json_t *name = json_object_get(operation, "channel_type");
    *type = MSCCLPP_MEMORY;
    if (name == NULL || (json_is_string(name) && strcmp(json_string_value(name), "none") == 0))
        return true;
    return mscclpp_channel_type(reader, name, type, err);
}

/* Reads the buffer of an operand: of its GPU, or of another one. */
static bool read_buffer(struct mscclpp_reader *reader, const json_t *value,
                        enum mscclpp_channel type, uint32_t *gpu, enum msccl_buffer *buffer,
                        struct err *err)
{
    const json_t *id = json_object_get(value, "buffer_id");
    const struct mscclpp_list *list = &reader->remotes[type];
    const json_t *owner = value;
    uint32_t which = 0;
    *gpu = reader->gpu_id;
    if (json_object_get(value, "switch_channel_id") != NULL)
        return mscclpp_refuse(
            reader->plan, err, ERR_UNSUPPORTED,
            "uses a switch, which combines and copies; expected memory or port channels");
    if (id != NULL) {
        if (list->count == 0)
            return mscclpp_refuse(
                reader->plan, err, ERR_FIELD_RANGE,
                "has a 'buffer_id', and its block refers to no buffer of that type; "
                "expected 'remote_buffer_refs'");
        if (!mscclpp_number(reader, id, "buffer_id", (uint32_t)list->count - 1, &which, err))
            return false;
        owner = json_array_get(reader->remote_buffers, list->number[which]);
        if (!mscclpp_number(reader, json_object_get(owner, "rank"), "rank",
                            reader->plan->msccl.gpus - 1, gpu, err))
            return false;
    }
    const char *name = json_string_value(json_object_get(owner, "type"));
    const char *letters = "ios";
    const char *letter =
        name != NULL && name[0] != '\0' && name[1] == '\0' ? strchr(letters, name[0]) : NULL;
    *buffer = letter != NULL ? (enum msccl_buffer)(letter - letters) : MSCCL_INPUT;
    return letter != NULL || mscclpp_refuse(reader->plan, err, ERR_SYNTAX,
                                            "has an operand without 'type'; expected i, o or s");
}

/* Reads an operand. A block of a group uses its part of it. */
static bool read_operand(struct mscclpp_reader *reader, const json_t *operation,
                         const json_t *value, enum mscclpp_channel type,
                         struct mscclpp_operand *operand, struct err *err)
{
    const json_t *info = json_object_get(operation, "tbg_info");
    uint32_t gpu = 0, index = 0, size = 0, part = 0, parts = 1;
    enum msccl_buffer buffer = MSCCL_INPUT;
    if (!read_buffer(reader, value, type, &gpu, &buffer, err) ||
        !mscclpp_number(reader, json_object_get(value, "index"), "index", MSCCL_CHUNKS, &index,
                        err) ||
        !mscclpp_number(reader, json_object_get(value, "size"), "size", MSCCL_CHUNKS, &size, err))
        return false;
    const struct msccl_gpu *of = &reader->plan->msccl.gpu[gpu];
    uint32_t chunks = of->chunks[buffer] / reader->parts;
    if (size == 0 || index > chunks || size > chunks - index)
        return msccl_wrong(&reader->plan->msccl, reader->plan->msccl.step_count - 1, err,
                           ERR_FIELD_RANGE,
                           "uses chunks %" PRIu32 " … %" PRIu32 " of a buffer of GPU %" PRIu32
                           "; expected some of its %" PRIu32,
                           index, index + size - (size > 0), gpu, chunks);
    if (info != NULL) {
        parts = (uint32_t)json_number_value(json_object_get(info, "tbg_size"));
        if (!mscclpp_number(reader, json_object_get(info, "tb_id"), "tb_id", parts - 1, &part, err))
            return false;
    }
    *operand = (struct mscclpp_operand){.count = size * (reader->parts / parts)};
    operand->range = (struct mscclpp_range){
        .first = of->first[buffer] + (size_t)index * reader->parts + (size_t)part * operand->count,
        .gpu = gpu};
    return true;
}

bool mscclpp_read_side(struct mscclpp_reader *reader, const json_t *operation, const char *key,
                       enum mscclpp_channel type, struct mscclpp_side *side, struct err *err)
{
    const json_t *list = json_object_get(operation, key);
    if (!json_is_array(list) || json_array_size(list) == 0 ||
        json_array_size(list) > MSCCLPP_OPERANDS)
        return mscclpp_refuse(
            reader->plan, err, ERR_SYNTAX,
            "lacks 'src_buff' or 'dst_buff', or has too many; expected 1 … 1024 operands");
    side->count = (uint32_t)json_array_size(list);
    for (uint32_t k = 0; k < side->count; k++) {
        if (!read_operand(reader, operation, json_array_get(list, k), type, &side->operand[k], err))
            return false;
        side->operand[k].range.packet = k >= side->packets;
    }
    return true;
}
