/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_program: XML that MSCCL's runtime executes on GPUs (its parser: src/graph/topo.cc;
 * msccl-tools' language/ir.py writes it; RCCL and Azure's msccl-executor-nccl also read it).
 *
 *     algo          name, ngpus, coll, inplace, nchunksperloop, proto, …
 *       gpu         id; i_chunks, o_chunks, s_chunks: of input, output and scratch
 *         tb        id; send, recv: its one peer of each kind, or -1; chan
 *           step    s; type; srcbuf, srcoff, dstbuf, dstoff, cnt;
 *                   depid, deps: the step of another block of the GPU for which it waits, or -1;
 *                   hasdep: 1 if the step signals its end
 *
 *     type s, r     sends, receives              rrc    receives, combines with src, writes dst
 *     rcs           receives, writes dst, sends  rrs    receives, combines with src, sends
 *     cpy           copies src to dst            rrcs   as rrc, and sends the result
 *     nop           only waits                   re     combines dst with src
 *
 * GPUs and blocks may be in any order. A block executes its steps one by one. The k-th send of a
 * connection, which is a GPU, a peer and a channel, matches its k-th receipt. Operands that a step
 * specifies for the other side are ignored, and so are elements with other names. */
#ifndef ROUNDCAST_MSCCL_PROGRAM_H
#define ROUNDCAST_MSCCL_PROGRAM_H

#include "sched/schedule/schedule.h"

/* Limits of a program that is read, and of one that is written without an executor. */
#define MSCCL_STEPS 4096 /* of a block */
#define MSCCL_BLOCKS 1024
#define MSCCL_COUNT 71 /* chunks of a step */
#define MSCCL_CHANNEL_PEERS 32
#define MSCCL_CHANNELS 32
#define MSCCL_GPUS (MSCCL_CHANNEL_PEERS * MSCCL_CHANNELS)

#define MSCCL_NONE UINT32_MAX

enum msccl_type { MSCCL_SEND, MSCCL_RECEIVE, MSCCL_COPY, MSCCL_COMBINE, MSCCL_NOTHING };
enum msccl_buffer { MSCCL_INPUT, MSCCL_OUTPUT, MSCCL_SCRATCH };
enum msccl_collective {
    MSCCL_ALL_GATHER,
    MSCCL_ALL_TO_ALL,
    MSCCL_BROADCAST,
    MSCCL_GATHER,
    MSCCL_SCATTER,
    MSCCL_ALL_REDUCE,
    MSCCL_REDUCE,
    MSCCL_REDUCE_SCATTER,
    MSCCL_CUSTOM
};

/* The name of each collective in files. */
extern const char *const msccl_collective_names[MSCCL_CUSTOM + 1];

/* A step. A step that receives and sends is stored as two steps with the same number; the second
 * sends what the first has written. */
struct msccl_step {
    enum msccl_type type;
    bool signals;  /* signals its end to steps that wait for it */
    bool combines; /* a receipt: what arrives is combined with `from` */
    uint32_t block, number;
    /* its first chunks in the array of all GPUs, if the type has them. What `rrs` sends is in no
     * buffer; it is written to chunks of its block after all buffers. */
    size_t from, to;
    uint32_t count;
    uint32_t waits_block, waits_number; /* the step of its GPU for which it waits; MSCCL_NONE */
    uint64_t line, column;
};

struct msccl_block {
    uint32_t gpu, id, send, receive, channel; /* MSCCL_NONE: no peer */
    size_t first, end;                        /* the range of its steps */
    uint64_t line, column;
};

struct msccl_gpu {
    bool read;
    uint32_t chunks[3]; /* number of chunks of each buffer */
    size_t first[3];    /* start of each buffer in the array of all GPUs; in place, two are equal */
    uint32_t first_block, blocks;
};

struct msccl {
    const char *name; /* the file, for messages; not owned */
    enum msccl_collective collective;
    bool in_place;
    uint32_t gpus;
    uint32_t depth;   /* number of sends that a connection holds before one of them is received */
    int64_t per_loop; /* chunks of the whole collective; -1 if the file does not state it */
    struct msccl_gpu *gpu;
    size_t block_count, block_room, step_count, step_room;
    size_t chunks;             /* of the buffers of all GPUs */
    size_t passing;            /* chunks after them, for what `rrs` sends */
    bool combines;             /* the collective or a step combines chunks */
    struct msccl_block *block; /* ascending by GPU and number */
    struct msccl_step *step;
};

/* Returns whether a collective combines the chunks of all GPUs. */
static inline bool msccl_reduces(enum msccl_collective collective)
{
    return collective >= MSCCL_ALL_REDUCE && collective <= MSCCL_REDUCE_SCATTER;
}

/* Reads a file. E104, E201, E204, E205; E206 for numbers that are missing or duplicate; E208 for
 * features that a schedule cannot have. Free it with msccl_free. */
bool msccl_parse(FILE *from, const char *name, struct msccl *msccl, struct err *err);

void msccl_free(struct msccl *msccl);

/* Returns the number of chunks that a GPU contributes to an all-gather or a gather in place: the
 * chunks of its input, or, if that is empty, its part of the output. */
size_t msccl_gathered(const struct msccl *msccl, const struct msccl_gpu *gpu);

/* The chunks that a step uses: [count] from `from`, and from `to`. */
struct msccl_uses {
    bool reads_from, reads_to, writes_to;
};

/* Returns the chunks of buffers that a step uses. The second half of a step that receives and sends
 * reads no buffer. */
struct msccl_uses msccl_uses_of(const struct msccl *msccl, size_t step);

/* Returns whether a step is the second half of one that receives and sends. */
static inline bool msccl_is_second(const struct msccl *msccl, size_t step)
{
    const struct msccl_step *at = &msccl->step[step];
    return step > msccl->block[at->block].first && at[-1].number == at->number;
}

/* Returns the offset of a GPU's chunk in its buffer, and the letter of the buffer, as files name
 * them. */
size_t msccl_offset_of(const struct msccl_gpu *gpu, size_t chunk, char *buffer);

/* Reports an error at a step, with `name:line:column: GPU g, block b, step s: ` before the text.
 * Returns false. */
bool msccl_wrong(const struct msccl *msccl, size_t step, struct err *err, enum err_code code,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
