/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/msccl_reader.h"

#include "sched/base/memory.h"

#include <inttypes.h>
#include <string.h>

unsigned msccl_reader_which(const struct xml *xml, const char *name, const char *const names[],
                            unsigned count)
{
    const char *value = xml_value(xml, name);
    unsigned which = 0;
    while (which < count && (value == NULL || strcmp(value, names[which]) != 0))
        which++;
    return which;
}

bool msccl_reader_get(const struct xml *xml, const char *name, int64_t minimum, int64_t maximum,
                      uint32_t *number, struct err *err)
{
    int64_t value = 0;
    if (!xml_number(xml, name, minimum, maximum, &value, err))
        return false;
    *number = value < 0 ? MSCCL_NONE : (uint32_t)value;
    return true;
}

/* Reads the first chunk of an operand: `side` is "src" or "dst". */
static bool read_operand(const struct reader *reader, const struct msccl_gpu *gpu, const char *side,
                         uint32_t count, size_t *first, struct err *err)
{
    static const char *const names[] = {"i", "o", "s"};
    char buffer[8], offset[8];
    uint32_t at;
    snprintf(buffer, sizeof buffer, "%sbuf", side);
    snprintf(offset, sizeof offset, "%soff", side);
    unsigned which = msccl_reader_which(&reader->xml, buffer, names, 3);
    if (which == 3)
        return xml_wrong(&reader->xml, err, ERR_SYNTAX, "%s: no buffer; expected i, o or s",
                         buffer);
    if (!msccl_reader_get(&reader->xml, offset, 0, INT32_MAX, &at, err))
        return false;
    *first = gpu->first[which] + at;
    return (uint64_t)at + count <= gpu->chunks[which] ||
           xml_wrong(&reader->xml, err, ERR_FIELD_RANGE,
                     "%s=\"%" PRIu32 "\" and %" PRIu32
                     " chunks; expected to end within the %" PRIu32 " of buffer %s",
                     offset, at, count, gpu->chunks[which], names[which]);
}

static bool add_step(struct reader *reader, enum msccl_type type, const struct msccl_step *like,
                     struct err *err)
{
    struct msccl *msccl = reader->msccl;
    struct msccl_step *larger =
        memory_grow(msccl->step, msccl->step_count + 1, &msccl->step_room, sizeof *larger);
    if (larger == NULL)
        return err_no_memory(err, "%zu steps", msccl->step_count);
    msccl->step = larger;
    msccl->step[msccl->step_count] = *like;
    msccl->step[msccl->step_count++].type = type;
    return true;
}

/* A type of a step, and the operands that it has. */
struct kind {
    const char *name;
    enum msccl_type type; /* of a step that receives: MSCCL_RECEIVE */
    bool source, destination, sends;
};

static const struct kind kinds[] = {
    {"s", MSCCL_SEND, true, false, true},        {"r", MSCCL_RECEIVE, false, true, false},
    {"rcs", MSCCL_RECEIVE, false, true, true},   {"cpy", MSCCL_COPY, true, true, false},
    {"nop", MSCCL_NOTHING, false, false, false}, {"re", MSCCL_COMBINE, true, true, false},
    {"rrc", MSCCL_RECEIVE, true, true, false},   {"rrs", MSCCL_RECEIVE, true, false, true},
    {"rrcs", MSCCL_RECEIVE, true, true, true},
};

/* Returns the kind of the step; NULL with E208. */
static const struct kind *kind_of(const struct xml *xml, struct err *err)
{
    const char *value = xml_value(xml, "type");
    for (size_t k = 0; value != NULL && k < sizeof kinds / sizeof *kinds; k++)
        if (strcmp(kinds[k].name, value) == 0)
            return &kinds[k];
    xml_wrong(xml, err, ERR_UNSUPPORTED,
              "type=\"%.20s\"; expected s, r, rcs, cpy, re, rrc, rrs, rrcs or nop",
              value != NULL ? value : "");
    return NULL;
}

/* Reads the operands of a step, by its kind. */
static bool read_move(struct reader *reader, const struct kind *kind,
                      const struct msccl_block *block, struct msccl_step *step, struct err *err)
{
    const struct xml *xml = &reader->xml;
    const struct msccl_gpu *gpu = &reader->msccl->gpu[block->gpu];
    bool receives = kind->type == MSCCL_RECEIVE;
    if ((kind->sends && block->send == MSCCL_NONE) || (receives && block->receive == MSCCL_NONE))
        return xml_wrong(xml, err, ERR_FIELD_RANGE,
                         "type=\"%s\", and its block has no such peer; expected one", kind->name);
    if (kind->type != MSCCL_NOTHING && xml_value(xml, "cnt") != NULL &&
        !msccl_reader_get(xml, "cnt", 1, MSCCL_COUNT, &step->count, err))
        return false;
    if ((kind->source && !read_operand(reader, gpu, "src", step->count, &step->from, err)) ||
        (kind->destination && !read_operand(reader, gpu, "dst", step->count, &step->to, err)))
        return false;
    if (!receives)
        return add_step(reader, kind->type, step, err);
    struct msccl_step first = *step;
    first.combines = kind->source;
    first.to = kind->destination ? step->to : MSCCL_PASSED;
    step->from = first.to; /* it sends what it has received, or combined */
    return add_step(reader, MSCCL_RECEIVE, &first, err) &&
           (!kind->sends || add_step(reader, MSCCL_SEND, step, err));
}

/* Checks the number of a step; numbers must be in order. */
static bool check_number(const struct xml *xml, uint32_t expected, struct err *err)
{
    int64_t number;
    if (!xml_number(xml, "s", 0, INT32_MAX, &number, err))
        return false;
    return number == expected ||
           xml_wrong(xml, err, ERR_ORDER,
                     "s=\"%" PRIi64 "\"; expected %" PRIu32 ": steps come in order", number,
                     expected);
}

bool msccl_reader_step(struct reader *reader, uint32_t number, struct err *err)
{
    struct msccl *msccl = reader->msccl;
    struct msccl_block *block = &msccl->block[msccl->block_count - 1];
    const struct xml *xml = &reader->xml;
    const struct kind *kind;
    uint32_t signals;
    struct msccl_step step = {.block = (uint32_t)msccl->block_count - 1,
                              .number = number,
                              .count = 1,
                              .line = xml->tag_line,
                              .column = xml->tag_column};
    if (number == MSCCL_STEPS)
        return xml_wrong(xml, err, ERR_FIELD_RANGE, "more than %d steps; expected fewer",
                         MSCCL_STEPS);
    if (!check_number(xml, number, err) ||
        !msccl_reader_get(xml, "depid", -1, MSCCL_BLOCKS - 1, &step.waits_block, err) ||
        !msccl_reader_get(xml, "deps", -1, MSCCL_STEPS - 1, &step.waits_number, err) ||
        !msccl_reader_get(xml, "hasdep", 0, 1, &signals, err))
        return false;
    kind = kind_of(xml, err);
    if (kind == NULL)
        return false;
    step.signals = signals == 1 && kind->type != MSCCL_NOTHING;
    msccl->combines = msccl->combines || (kind->source && kind->type == MSCCL_RECEIVE) ||
                      kind->type == MSCCL_COMBINE;
    if (!read_move(reader, kind, block, &step, err))
        return false;
    block->end = msccl->step_count;
    return true;
}
