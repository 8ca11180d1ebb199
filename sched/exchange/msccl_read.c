/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/msccl.h"

#include "sched/exchange/xml.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CHUNKS (UINT32_C(1) << 24) /* of all GPUs */

struct reader {
    struct xml xml;
    struct msccl *msccl;
};

/* Which of name[count] an attribute is; count if it is none. */
static unsigned which_of(const struct xml *xml, const char *name, const char *const names[],
                         unsigned count)
{
    const char *value = xml_value(xml, name);
    unsigned which = 0;
    while (which < count && (value == NULL || strcmp(value, names[which]) != 0))
        which++;
    return which;
}

static bool get32(const struct xml *xml, const char *name, int64_t minimum, int64_t maximum,
                  uint32_t *number, struct err *err)
{
    int64_t value = 0;
    if (!xml_number(xml, name, minimum, maximum, &value, err))
        return false;
    *number = value < 0 ? MSCCL_NONE : (uint32_t)value;
    return true;
}

/* The number of a tag: they come in order. */
static bool check_number(const struct xml *xml, const char *name, size_t expected, struct err *err)
{
    int64_t number;
    if (!xml_number(xml, name, 0, INT32_MAX, &number, err))
        return false;
    return (uint64_t)number == expected ||
           xml_wrong(xml, err, ERR_ORDER, "%s=\"%" PRIi64 "\"; expected %zu: they come in order",
                     name, number, expected);
}

static bool read_collective(struct reader *reader, struct err *err)
{
    static const char *const known[] = {"allgather", "alltoall", "broadcast", "custom"};
    static const char *const reductions[] = {"allreduce", "reduce", "reduce_scatter"};
    const struct xml *xml = &reader->xml;
    const char *value = xml_value(xml, "coll");
    unsigned which = which_of(xml, "coll", known, 4);
    reader->msccl->collective = (enum msccl_collective)which;
    if (which_of(xml, "coll", reductions, 3) < 3)
        return xml_wrong(xml, err, ERR_UNSUPPORTED,
                         "coll=\"%s\": a reduction; expected a collective that only moves chunks",
                         value);
    return which < 4 || xml_wrong(xml, err, ERR_UNSUPPORTED,
                                  "coll=\"%.40s\"; expected allgather, alltoall, broadcast or "
                                  "custom",
                                  value != NULL ? value : "");
}

static bool read_algorithm(struct reader *reader, struct err *err)
{
    const struct xml *xml = &reader->xml;
    struct msccl *msccl = reader->msccl;
    uint32_t in_place;
    if (!xml_next(&reader->xml, err))
        return false;
    if (xml->kind != XML_OPENS || strcmp(xml->tag, "algo") != 0)
        return xml_wrong(xml, err, ERR_VERSION, "no algorithm; expected <algo …>");
    if (!get32(xml, "ngpus", 2, MSCCL_GPUS, &msccl->gpus, err) ||
        !get32(xml, "inplace", 0, 1, &in_place, err) || !read_collective(reader, err))
        return false;
    msccl->in_place = in_place == 1;
    msccl->gpu = calloc(msccl->gpus, sizeof *msccl->gpu);
    return msccl->gpu != NULL || err_no_memory(err, "%" PRIu32 " GPUs", msccl->gpus);
}

size_t msccl_gathered(const struct msccl *msccl, const struct msccl_gpu *gpu)
{
    uint32_t inputs = gpu->chunks[MSCCL_INPUT];
    return inputs > 0 ? inputs : gpu->chunks[MSCCL_OUTPUT] / msccl->gpus;
}

/* Where the buffers of a GPU lie. In place, its input is a part of its output. */
static bool place_buffers(struct reader *reader, uint32_t id, struct err *err)
{
    struct msccl *msccl = reader->msccl;
    struct msccl_gpu *gpu = &msccl->gpu[id];
    size_t inputs = gpu->chunks[MSCCL_INPUT], outputs = gpu->chunks[MSCCL_OUTPUT], shift = 0;
    if (msccl->in_place && msccl->collective == MSCCL_ALL_GATHER)
        shift = id * msccl_gathered(msccl, gpu);
    size_t both = inputs + outputs;
    if (msccl->in_place)
        both = shift + inputs > outputs ? shift + inputs : outputs;
    gpu->first[MSCCL_OUTPUT] = msccl->chunks;
    gpu->first[MSCCL_INPUT] = msccl->chunks + (msccl->in_place ? shift : outputs);
    gpu->first[MSCCL_SCRATCH] = msccl->chunks + both;
    msccl->chunks += both + gpu->chunks[MSCCL_SCRATCH];
    return msccl->chunks <= MOST_CHUNKS ||
           xml_wrong(&reader->xml, err, ERR_TOO_BIG,
                     "more than %" PRIu32 " chunks of all GPUs; expected fewer", MOST_CHUNKS);
}

static bool open_gpu(struct reader *reader, uint32_t id, struct err *err)
{
    static const char *const names[] = {"i_chunks", "o_chunks", "s_chunks"};
    struct msccl *msccl = reader->msccl;
    if (id == msccl->gpus)
        return xml_wrong(&reader->xml, err, ERR_FIELD_RANGE,
                         "more GPUs than ngpus=\"%" PRIu32 "\" says; expected </algo>",
                         msccl->gpus);
    if (!check_number(&reader->xml, "id", id, err))
        return false;
    for (unsigned which = 0; which < 3; which++)
        if (!get32(&reader->xml, names[which], 0, MOST_CHUNKS, &msccl->gpu[id].chunks[which], err))
            return false;
    msccl->gpu[id].first_block = (uint32_t)msccl->block_count;
    return place_buffers(reader, id, err);
}

/* Room for one element more; false if there is no memory. */
static bool has_room(void **array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return true;
    void *larger = realloc(*array, (2 * *room + 16) * size);
    if (larger == NULL)
        return false;
    *array = larger;
    *room = 2 * *room + 16;
    return true;
}

static bool open_block(struct reader *reader, uint32_t gpu, struct err *err)
{
    struct msccl *msccl = reader->msccl;
    const struct xml *xml = &reader->xml;
    struct msccl_block block = {.gpu = gpu, .first = msccl->step_count};
    int64_t last = (int64_t)msccl->gpus - 1;
    if (msccl->gpu[gpu].blocks == MSCCL_BLOCKS)
        return xml_wrong(xml, err, ERR_FIELD_RANGE, "more than %d blocks; expected fewer",
                         MSCCL_BLOCKS);
    if (!check_number(xml, "id", msccl->gpu[gpu].blocks, err) ||
        !get32(xml, "send", -1, last, &block.send, err) ||
        !get32(xml, "recv", -1, last, &block.receive, err) ||
        !get32(xml, "chan", 0, INT32_MAX, &block.channel, err))
        return false;
    if (block.send == gpu || block.receive == gpu)
        return xml_wrong(xml, err, ERR_SELF_SEND,
                         "GPU %" PRIu32 " is its own peer; expected another one", gpu);
    if (!has_room((void **)&msccl->block, msccl->block_count, &msccl->block_room,
                  sizeof *msccl->block))
        return err_no_memory(err, "%zu blocks", msccl->block_count);
    msccl->block[msccl->block_count++] = block;
    msccl->gpu[gpu].blocks++;
    return true;
}

/* The first chunk of an operand: `side` is "src" or "dst". */
static bool read_operand(const struct reader *reader, const struct msccl_gpu *gpu, const char *side,
                         uint32_t count, size_t *first, struct err *err)
{
    static const char *const names[] = {"i", "o", "s"};
    char buffer[8], offset[8];
    uint32_t at;
    snprintf(buffer, sizeof buffer, "%sbuf", side);
    snprintf(offset, sizeof offset, "%soff", side);
    unsigned which = which_of(&reader->xml, buffer, names, 3);
    if (which == 3)
        return xml_wrong(&reader->xml, err, ERR_SYNTAX, "%s: no buffer; expected i, o or s",
                         buffer);
    if (!get32(&reader->xml, offset, 0, INT32_MAX, &at, err))
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
    if (!has_room((void **)&msccl->step, msccl->step_count, &msccl->step_room, sizeof *msccl->step))
        return err_no_memory(err, "%zu steps", msccl->step_count);
    msccl->step[msccl->step_count] = *like;
    msccl->step[msccl->step_count++].type = type;
    return true;
}

/* What a step moves, by its type. */
static bool read_move(struct reader *reader, const struct msccl_gpu *gpu,
                      const struct msccl_block *block, struct msccl_step *step, struct err *err)
{
    static const char *const types[] = {"s", "r", "cpy", "nop", "rcs"};
    const struct xml *xml = &reader->xml;
    unsigned type = which_of(xml, "type", types, 5);
    bool both = type == 4, sends = type == MSCCL_SEND || both,
         receives = type == MSCCL_RECEIVE || both, copies = type == MSCCL_COPY;
    if (type == 5) {
        const char *value = xml_value(xml, "type");
        return xml_wrong(xml, err, ERR_UNSUPPORTED,
                         "type=\"%.20s\"; expected s, r, rcs, cpy or nop, which only move chunks",
                         value != NULL ? value : "");
    }
    if ((sends && block->send == MSCCL_NONE) || (receives && block->receive == MSCCL_NONE))
        return xml_wrong(xml, err, ERR_FIELD_RANGE,
                         "type=\"%s\", and its block has no such peer; "
                         "expected one",
                         types[type]);
    if (type != MSCCL_NOTHING && xml_value(xml, "cnt") != NULL &&
        !get32(xml, "cnt", 1, MSCCL_COUNT, &step->count, err))
        return false;
    if ((type == MSCCL_SEND || copies) &&
        !read_operand(reader, gpu, "src", step->count, &step->from, err))
        return false;
    if ((receives || copies) && !read_operand(reader, gpu, "dst", step->count, &step->to, err))
        return false;
    if (both && !add_step(reader, MSCCL_RECEIVE, step, err))
        return false;
    step->from = both ? step->to : step->from; /* it sends on what it has received */
    return add_step(reader, both ? MSCCL_SEND : (enum msccl_type)type, step, err);
}

static bool open_step(struct reader *reader, uint32_t number, struct err *err)
{
    struct msccl *msccl = reader->msccl;
    struct msccl_block *block = &msccl->block[msccl->block_count - 1];
    const struct xml *xml = &reader->xml;
    struct msccl_step step = {.block = (uint32_t)msccl->block_count - 1,
                              .number = number,
                              .count = 1,
                              .line = xml->tag_line,
                              .column = xml->tag_column};
    if (number == MSCCL_STEPS)
        return xml_wrong(xml, err, ERR_FIELD_RANGE, "more than %d steps; expected fewer",
                         MSCCL_STEPS);
    if (!check_number(xml, "s", number, err) ||
        !get32(xml, "depid", -1, MSCCL_BLOCKS - 1, &step.waits_block, err) ||
        !get32(xml, "deps", -1, MSCCL_STEPS - 1, &step.waits_number, err) ||
        !read_move(reader, &msccl->gpu[block->gpu], block, &step, err))
        return false;
    block->end = msccl->step_count;
    return true;
}

/* The next tag is <name …> if it opens; else it closes the one around. */
static bool next_of(struct reader *reader, const char *name, bool *opens, struct err *err)
{
    if (!xml_next(&reader->xml, err))
        return false;
    *opens = reader->xml.kind == XML_OPENS;
    return !*opens || strcmp(reader->xml.tag, name) == 0 ||
           xml_wrong(&reader->xml, err, ERR_SYNTAX, "<%s>; expected <%s>", reader->xml.tag, name);
}

static bool read_block(struct reader *reader, uint32_t gpu, struct err *err)
{
    bool opens, closes;
    if (!open_block(reader, gpu, err))
        return false;
    reader->msccl->block[reader->msccl->block_count - 1].end = reader->msccl->step_count;
    for (uint32_t number = 0;; number++) {
        if (!next_of(reader, "step", &opens, err))
            return false;
        if (!opens)
            return true;
        if (!open_step(reader, number, err) || !next_of(reader, "", &closes, err))
            return false;
    }
}

static bool read_gpu(struct reader *reader, uint32_t id, struct err *err)
{
    bool opens;
    if (!open_gpu(reader, id, err))
        return false;
    for (;;) {
        if (!next_of(reader, "tb", &opens, err))
            return false;
        if (!opens)
            return true;
        if (!read_block(reader, id, err))
            return false;
    }
}

static bool read_all(struct reader *reader, struct err *err)
{
    bool opens = true;
    uint32_t id = 0;
    if (!read_algorithm(reader, err))
        return false;
    for (;; id++) {
        if (!next_of(reader, "gpu", &opens, err))
            return false;
        if (!opens)
            break;
        if (!read_gpu(reader, id, err))
            return false;
    }
    if (id < reader->msccl->gpus)
        return xml_wrong(&reader->xml, err, ERR_CUT, "%" PRIu32 " GPUs; expected %" PRIu32, id,
                         reader->msccl->gpus);
    return xml_next(&reader->xml, err) &&
           (reader->xml.kind == XML_ENDS ||
            xml_wrong(&reader->xml, err, ERR_SYNTAX, "another tag; expected the end of the file"));
}

bool msccl_parse(FILE *from, const char *name, struct msccl *msccl, struct err *err)
{
    struct reader *reader = malloc(sizeof *reader);
    if (reader == NULL)
        return err_no_memory(err, "a reader of %s", name);
    *msccl = (struct msccl){0};
    reader->msccl = msccl;
    xml_begin(&reader->xml, from, name);
    bool read = read_all(reader, err);
    free(reader);
    if (!read)
        msccl_free(msccl);
    return read;
}

void msccl_free(struct msccl *msccl)
{
    free(msccl->gpu);
    free(msccl->block);
    free(msccl->step);
    *msccl = (struct msccl){0};
}

bool msccl_read(FILE *from, const char *name, enum model model, struct schedule *schedule,
                struct err *err)
{
    struct msccl msccl;
    struct schedule reading = {0};
    if (!msccl_parse(from, name, &msccl, err))
        return false;
    const struct topology complete = topology_complete(msccl.gpus);
    bool read =
        schedule_init(&reading, "msccl", &complete, COLLECTIVE_SIMULTANEOUS, 0, model, err) &&
        msccl_run(name, &msccl, &reading, err);
    msccl_free(&msccl);
    if (read)
        *schedule = reading;
    else
        schedule_free(&reading);
    return read;
}
