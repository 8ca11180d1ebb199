/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/msccl_program.h"

#include "sched/base/compare.h"
#include "sched/exchange/msccl_layout.h"
#include "sched/exchange/xml.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct xml xml;
    struct msccl *msccl;
};

/* Returns the index of an attribute in name[count]; count if it is not listed. */
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

/* -- the algorithm ------------------------------------------------------------------------------*/

static bool read_collective(struct reader *reader, struct err *err)
{
    static const char *const reductions[] = {"allreduce", "reduce", "reduce_scatter",
                                             "reducescatter"};
    const struct xml *xml = &reader->xml;
    const char *value = xml_value(xml, "coll");
    unsigned which = which_of(xml, "coll", msccl_collective_names, MSCCL_CUSTOM + 1);
    reader->msccl->collective = (enum msccl_collective)which;
    if (which_of(xml, "coll", reductions, 4) < 4)
        return xml_wrong(xml, err, ERR_UNSUPPORTED,
                         "coll=\"%s\": a reduction; expected a collective that only moves chunks",
                         value);
    return which <= MSCCL_CUSTOM ||
           xml_wrong(xml, err, ERR_UNSUPPORTED,
                     "coll=\"%.40s\"; expected allgather, alltoall, broadcast, gather, scatter or "
                     "custom",
                     value != NULL ? value : "");
}

/* Reads the protocol. Connections have 8 slots. A send takes 4 of them under the protocol Simple,
 * which is the default of a file, and 1 under the others. */
static bool read_protocol(struct reader *reader, struct err *err)
{
    static const char *const protocols[] = {"Simple", "LL", "LL128"};
    const char *value = xml_value(&reader->xml, "proto");
    unsigned which = value != NULL ? which_of(&reader->xml, "proto", protocols, 3) : 0;
    reader->msccl->depth = which == 0 ? 2 : 8;
    return which < 3 || xml_wrong(&reader->xml, err, ERR_SYNTAX,
                                  "proto=\"%.40s\"; expected Simple, LL or LL128", value);
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
        !get32(xml, "inplace", 0, 1, &in_place, err) || !read_collective(reader, err) ||
        !read_protocol(reader, err))
        return false;
    msccl->in_place = in_place == 1;
    msccl->per_loop = -1;
    if (xml_value(xml, "nchunksperloop") != NULL &&
        !xml_number(xml, "nchunksperloop", 1, MSCCL_CHUNKS, &msccl->per_loop, err))
        return false;
    if (msccl->collective == MSCCL_ALL_GATHER && msccl->per_loop > 0 &&
        msccl->per_loop % msccl->gpus != 0)
        return xml_wrong(xml, err, ERR_FIELD_RANGE,
                         "nchunksperloop=\"%" PRIi64 "\"; expected a multiple of ngpus=\"%" PRIu32
                         "\" in an allgather",
                         msccl->per_loop, msccl->gpus);
    msccl->gpu = calloc(msccl->gpus, sizeof *msccl->gpu);
    return msccl->gpu != NULL || err_no_memory(err, "%" PRIu32 " GPUs", msccl->gpus);
}

/* -- GPUs ---------------------------------------------------------------------------------------*/

static bool open_gpu(struct reader *reader, uint32_t *id, struct err *err)
{
    static const char *const names[] = {"i_chunks", "o_chunks", "s_chunks"};
    struct msccl *msccl = reader->msccl;
    if (!get32(&reader->xml, "id", 0, (int64_t)msccl->gpus - 1, id, err))
        return false;
    struct msccl_gpu *gpu = &msccl->gpu[*id];
    if (gpu->read)
        return xml_wrong(&reader->xml, err, ERR_ORDER,
                         "id=\"%" PRIu32 "\": a second GPU of this number; expected another one",
                         *id);
    gpu->read = true;
    for (unsigned which = 0; which < 3; which++)
        if (!get32(&reader->xml, names[which], 0, MSCCL_CHUNKS, &gpu->chunks[which], err))
            return false;
    return msccl_buffers_place(&reader->xml, msccl, *id, err);
}

/* -- blocks and steps ---------------------------------------------------------------------------*/

/* Makes room for one more element. Returns false if there is no memory. */
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
    struct msccl_block block = {.gpu = gpu,
                                .first = msccl->step_count,
                                .end = msccl->step_count,
                                .line = xml->tag_line,
                                .column = xml->tag_column};
    int64_t last = (int64_t)msccl->gpus - 1;
    if (msccl->gpu[gpu].blocks == MSCCL_BLOCKS)
        return xml_wrong(xml, err, ERR_FIELD_RANGE, "more than %d blocks; expected fewer",
                         MSCCL_BLOCKS);
    if (!get32(xml, "id", 0, MSCCL_BLOCKS - 1, &block.id, err) ||
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

/* Reads the first chunk of an operand: `side` is "src" or "dst". */
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

/* Reads the operands of a step, by its type. */
static bool read_move(struct reader *reader, const struct msccl_gpu *gpu,
                      const struct msccl_block *block, struct msccl_step *step, struct err *err)
{
    static const char *const types[] = {"s", "r", "cpy", "nop", "rcs"};
    static const char *const reductions[] = {"rrs", "rrc", "rrcs", "re", "ra", "rr"};
    const struct xml *xml = &reader->xml;
    unsigned type = which_of(xml, "type", types, 5);
    bool both = type == 4, sends = type == MSCCL_SEND || both,
         receives = type == MSCCL_RECEIVE || both, copies = type == MSCCL_COPY;
    if (type == 5) {
        const char *value = xml_value(xml, "type");
        return xml_wrong(xml, err, ERR_UNSUPPORTED,
                         "type=\"%.20s\"%s; expected s, r, rcs, cpy or nop, which only move chunks",
                         value != NULL ? value : "",
                         which_of(xml, "type", reductions, 6) < 6 ? ": a reduction" : "");
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
    step->from = both ? step->to : step->from; /* it sends what it has received */
    return add_step(reader, both ? MSCCL_SEND : (enum msccl_type)type, step, err);
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

static bool open_step(struct reader *reader, uint32_t number, struct err *err)
{
    struct msccl *msccl = reader->msccl;
    struct msccl_block *block = &msccl->block[msccl->block_count - 1];
    const struct xml *xml = &reader->xml;
    static const char *const nothing = "nop"; /* a nop never signals */
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
        !get32(xml, "depid", -1, MSCCL_BLOCKS - 1, &step.waits_block, err) ||
        !get32(xml, "deps", -1, MSCCL_STEPS - 1, &step.waits_number, err) ||
        !get32(xml, "hasdep", 0, 1, &signals, err))
        return false;
    step.signals = signals == 1 && which_of(xml, "type", &nothing, 1) == 1;
    if (!read_move(reader, &msccl->gpu[block->gpu], block, &step, err))
        return false;
    block->end = msccl->step_count;
    return true;
}

/* -- the whole file -----------------------------------------------------------------------------*/

/* Advances to the next tag <name …>, and skips elements with other names. *opens is false if the
 * enclosing element closes first. */
static bool next_of(struct reader *reader, const char *name, bool *opens, struct err *err)
{
    for (;;) {
        if (!xml_next(&reader->xml, err))
            return false;
        *opens = reader->xml.kind == XML_OPENS;
        if (!*opens || strcmp(reader->xml.tag, name) == 0)
            return true;
        if (!xml_skip(&reader->xml, err))
            return false;
    }
}

static bool read_block(struct reader *reader, uint32_t gpu, struct err *err)
{
    bool opens;
    if (!open_block(reader, gpu, err))
        return false;
    for (uint32_t number = 0;; number++) {
        if (!next_of(reader, "step", &opens, err))
            return false;
        if (!opens)
            return true;
        if (!open_step(reader, number, err) || !xml_skip(&reader->xml, err))
            return false;
    }
}

static bool read_gpu(struct reader *reader, struct err *err)
{
    bool opens;
    uint32_t id;
    if (!open_gpu(reader, &id, err))
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

static int by_number(const void *left, const void *right)
{
    const struct msccl_block *a = left, *b = right;
    return compare_then(COMPARE(a->gpu, b->gpu),
                        compare_then(COMPARE(a->id, b->id), COMPARE(a->first, b->first)));
}

/* Sorts the blocks by their numbers, which must be 0, 1, … on each GPU. */
static bool sort_blocks(struct reader *reader, struct err *err)
{
    struct msccl *msccl = reader->msccl;
    if (msccl->block_count > 0)
        qsort(msccl->block, msccl->block_count, sizeof *msccl->block, by_number);
    size_t at = 0;
    for (uint32_t id = 0; id < msccl->gpus; id++) {
        msccl->gpu[id].first_block = (uint32_t)at;
        for (uint32_t k = 0; k < msccl->gpu[id].blocks; k++, at++) {
            const struct msccl_block *block = &msccl->block[at];
            if (block->id != k)
                return err_set(err, ERR_ORDER,
                               "%s:%" PRIu64 ":%" PRIu64 ": GPU %" PRIu32 ": id=\"%" PRIu32
                               "\": %s; expected the numbers 0 … %" PRIu32 ", each once",
                               reader->xml.name, block->line, block->column, id, block->id,
                               block->id < k ? "a second block of this number"
                                             : "a smaller number has no block",
                               msccl->gpu[id].blocks - 1);
            for (size_t step = block->first; step < block->end; step++)
                msccl->step[step].block = (uint32_t)at;
        }
    }
    return true;
}

static bool read_all(struct reader *reader, struct err *err)
{
    bool opens = true;
    uint32_t count = 0;
    if (!read_algorithm(reader, err))
        return false;
    for (;; count++) {
        if (!next_of(reader, "gpu", &opens, err))
            return false;
        if (!opens)
            break;
        if (!read_gpu(reader, err))
            return false;
    }
    if (count < reader->msccl->gpus)
        return xml_wrong(&reader->xml, err, ERR_CUT, "%" PRIu32 " GPUs; expected %" PRIu32, count,
                         reader->msccl->gpus);
    if (!xml_next(&reader->xml, err))
        return false;
    if (reader->xml.kind != XML_ENDS)
        return xml_wrong(&reader->xml, err, ERR_SYNTAX,
                         "another tag; expected the end of the file");
    return sort_blocks(reader, err);
}

bool msccl_parse(FILE *from, const char *name, struct msccl *msccl, struct err *err)
{
    struct reader *reader = malloc(sizeof *reader);
    if (reader == NULL)
        return err_no_memory(err, "a reader of %s", name);
    *msccl = (struct msccl){.name = name};
    reader->msccl = msccl;
    xml_begin(&reader->xml, from, name);
    bool read = read_all(reader, err);
    free(reader);
    if (!read)
        msccl_free(msccl);
    return read;
}
