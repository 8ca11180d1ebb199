/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_replay: executes XML of MSCCL as its runtime does, round by round, from its text alone.
 *
 * Blocks do their steps one by one; the k-th send of a connection moves in one round with its k-th
 * receipt, as soon as both may. A step waits for one of another block that signals (hasdep="1").
 */
#ifndef ROUNDCAST_MSCCL_REPLAY_H
#define ROUNDCAST_MSCCL_REPLAY_H

#include <stdbool.h>
#include <stddef.h>

enum { REPLAY_GPUS = 24, REPLAY_CHUNKS = 512, REPLAY_STEPS = 4096 };

struct msccl_replay_step {
    int gpu, block, number, count, before, waits; /* -1: none */
    char type[24], from_buffer, to_buffer;
    int from, to, send, receive, channel;
    bool signals;
    long round; /* in which it ended; -1: not yet */
};

/* A chunk of an input that moved, one more than its number. */
struct msccl_replay_move {
    int from, to, gpu, chunk; /* of whose input; chunk 0: nothing */
};

struct msccl_replay {
    char collective[24];
    int per_loop, gpus;
    int chunks[REPLAY_GPUS][3]; /* of i, o and s */
    int steps, moves;
    struct msccl_replay_step step[REPLAY_STEPS];
    struct msccl_replay_move move[REPLAY_STEPS];
    /* [gpu][buffer i, o or s][chunk]: whose input's chunk it is; chunk 0: nothing */
    struct msccl_replay_move cell[REPLAY_GPUS][3][REPLAY_CHUNKS];
    long rounds, most; /* the most that a GPU sends, or receives, in one round */
    bool blocked, other_operands;
};

/* Executes a text, with its waits or as if there were none; asserts that it is one of the form that
 * is written. The caller's to free. */
struct msccl_replay *msccl_replay(const char *text, bool waits);

/* Returns the value of an attribute of a line, which it must have, as text or as a number. */
const char *msccl_replay_text(const char *line, const char *name, char value[24]);
int msccl_replay_number(const char *line, const char *name);

#endif
