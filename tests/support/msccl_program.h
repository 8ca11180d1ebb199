/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_program: small programs for GPUs, written as XML of MSCCL, and executed in every order.
 *
 * It shares no code with the code under test: the executor follows the runtime's rules step by
 * step. A block executes its steps one by one. A step of several chunks moves them one by one. A
 * connection holds 2 chunks, or 8 under the protocol LL. A block's counter is the number of its
 * last step with hasdep="1" that has ended; a step waits until the counter of another block has
 * come to `deps`.
 */
#ifndef ROUNDCAST_MSCCL_PROGRAM_H
#define ROUNDCAST_MSCCL_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

enum { PROGRAM_GPUS = 4, PROGRAM_BLOCKS = 8, PROGRAM_STEPS = 8, PROGRAM_CHUNKS = 4 };

/* The type of a step: `s`end, `r`eceive, `c`opy, `f`orward (rcs), `n`othing, or `a`dd (re), or
 * receive and add, then write (rrc, `w`), send (rrs, `p`), or both (rrcs, `q`). */
struct program_step {
    char type, from_buffer, to_buffer; /* i, o or s */
    int from, to, count;
    int waits_block, waits_step; /* -1: for none */
    bool signals;
};

struct program_block {
    int gpu, id, send, receive, channel; /* -1: no peer */
    int steps;
    struct program_step step[PROGRAM_STEPS];
};

struct program {
    const char *collective; /* custom, whose buffers overlap from their first chunk on in place */
    bool in_place, low_latency;
    int gpus, blocks;
    int chunks[PROGRAM_GPUS][3]; /* of i, o and s */
    struct program_block block[PROGRAM_BLOCKS];
};

/* What all orders of execution have in common; where nothing else is said, with connections that
 * hold any number of chunks, so that a sender never waits for room. */
struct program_outcome {
    bool stuck;   /* some order does not come to the end, where connections hold 2 chunks, or 8 */
    bool races;   /* two uses of a chunk, one of them a write, come in both orders */
    bool differs; /* orders leave different contents */
    bool empty;   /* some order reads an undefined chunk */
    size_t states;
    /* [gpu][chunk]: the outputs that one order leaves: 1 + 16 · GPU + chunk of the input that began
     * there; 0: nothing */
    int output[PROGRAM_GPUS][PROGRAM_CHUNKS];
};

/* Returns the program as XML, GPU g with the number gpu[g], and the blocks in the order
 * order[blocks], block b with the number id[b]. NULL: as they are. The caller's to free. */
char *program_text(const struct program *program, const int gpu[], const int id[],
                   const int order[]);

/* Executes a program in every possible order. */
void program_run(const struct program *program, struct program_outcome *outcome);

#endif
