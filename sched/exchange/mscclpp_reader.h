/* SPDX-License-Identifier: Apache-2.0 */
/* mscclpp_reader: the state of the reader of a plan of MSCCL++, and its part that reads operations.
 */
#ifndef ROUNDCAST_MSCCLPP_READER_H
#define ROUNDCAST_MSCCLPP_READER_H

#include "sched/exchange/document.h"
#include "sched/exchange/mscclpp_events.h"

#include <jansson.h>

#define MSCCLPP_WHERE 80    /* room for a place in the file */
#define MSCCLPP_BARRIERS 16 /* of a GPU, as the executor has */

/* The place of the next operation in the text. The text is valid JSON. */
struct mscclpp_cursor {
    const char *at, *start; /* the next byte, and the first of its line */
    uint64_t line;
    unsigned depth;
    const char *key[8]; /* the last string at each depth, which is the key of what follows */
};

/* The channels of a GPU: counters[channel[type] … + channels[type]) by type: memory, port. */
struct mscclpp_gpu {
    size_t channel[2];
    uint32_t channels[2];
    size_t barriers, semaphores; /* the first counter of each kind */
    uint32_t semaphore_count;
};

/* Numbers of a block's own lists, which its operations use. */
struct mscclpp_list {
    uint32_t *number;
    size_t count, room;
};

struct mscclpp_reader {
    struct document document;
    struct mscclpp *plan;
    struct mscclpp_cursor cursor;
    struct mscclpp_gpu *gpu; /* [gpus] */
    uint32_t parts;          /* of each chunk, for operations that several blocks share */
    /* of the current block: its channels and remote buffers by type */
    const json_t *remote_buffers;
    struct mscclpp_list channels[2], remotes[2];
    struct mscclpp_list
        proxies; /* [2 · port channels]: 1 + the thread of each proxy, and `posted` */
    uint32_t arrivals[MSCCLPP_BARRIERS]; /* of the block, at each barrier */
    size_t block_thread;
    uint32_t gpu_id;
    char where[MSCCLPP_WHERE]; /* the place, for messages: " gpus[2]" or "7:1: …" */
};

/* The types of channels that are read. */
enum mscclpp_channel { MSCCLPP_MEMORY, MSCCLPP_PORT, MSCCLPP_TYPES };

/* Reports an error at the current place in the file. Returns false. */
bool mscclpp_wrong(const struct mscclpp_reader *reader, struct err *err, enum err_code code,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Reads a whole number minimum … maximum. E204, E205. */
bool mscclpp_number(const struct mscclpp_reader *reader, const json_t *value, const char *what,
                    uint32_t maximum, uint32_t *number, struct err *err);

/* Reads the type of a channel. E204; E208 for a switch. */
bool mscclpp_channel_type(const struct mscclpp_reader *reader, const json_t *value,
                          enum mscclpp_channel *type, struct err *err);

/* Reads a member that must be an array, or may be missing. E204. */
bool mscclpp_array(const struct mscclpp_reader *reader, const json_t *object, const char *key,
                   bool optional, const json_t **array, struct err *err);

/* Reads the channels of a GPU, and adds their counters. E104, E204, E205, E208, E210. */
bool mscclpp_read_channels(struct mscclpp_reader *reader, const json_t *value, uint32_t id,
                           struct err *err);

/* Connects the channels of all GPUs: the k-th channel of a type of a GPU to a peer, and the k-th
 * one of the peer to the GPU, are two ends. E104. */
bool mscclpp_connect(struct mscclpp *plan, struct err *err);

/* A channel that an operation uses: its number in the block, and its counter. */
struct mscclpp_channel_of {
    uint32_t which;
    size_t counter;
};

#define MSCCLPP_OPERANDS 1024

/* The operands of one side of an operation that moves chunks. */
struct mscclpp_side {
    struct mscclpp_operand operand[MSCCLPP_OPERANDS];
    uint32_t count;
    unsigned packets; /* operands from this index on are packets */
};

/* Advances to the next operation of the file, and returns its column; the line is that of the
 * cursor. */
uint64_t mscclpp_next_place(struct mscclpp_cursor *cursor);

/* Reads the type of the channels of an operation: memory if it has none. E204, E208. */
bool mscclpp_read_type(struct mscclpp_reader *reader, const json_t *operation,
                       enum mscclpp_channel *type, struct err *err);

/* Reads element `index` of the channels of an operation. E204, E205. */
bool mscclpp_channel_at(struct mscclpp_reader *reader, const json_t *operation, size_t index,
                        enum mscclpp_channel type, struct mscclpp_channel_of *channel,
                        struct err *err);

/* Finds the proxy of a port channel of the block, which is added if there is none. E104. */
bool mscclpp_proxy_of(struct mscclpp_reader *reader, uint32_t which, struct mscclpp_proxy *proxy,
                      struct err *err);

/* Reads the operands of a side: "src_buff" or "dst_buff". E204, E205, E208. */
bool mscclpp_read_side(struct mscclpp_reader *reader, const json_t *operation, const char *key,
                       enum mscclpp_channel type, struct mscclpp_side *side, struct err *err);

/* Reads the operations of the last block, and appends their events. E104, E204, E205, E206,
 * E208. */
bool mscclpp_read_operations(struct mscclpp_reader *reader, const json_t *operations,
                             struct err *err);

#endif
