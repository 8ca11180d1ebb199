/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_hand: writes XML of MSCCL tag by tag, one tag per line, from the third line on.
 *
 *     struct msccl_hand hand = msccl_hand_begin("custom", 0, 3);
 *     msccl_hand_gpu(&hand, 0, 2, 1, 1);
 *     msccl_hand_block(&hand, 0, 1, -1);
 *     msccl_hand_step(&hand, 0, "cpy", 'i', 1, 's', 0, 1);
 *     …
 *     char *text = msccl_hand_end(&hand);
 */
#ifndef ROUNDCAST_MSCCL_HAND_H
#define ROUNDCAST_MSCCL_HAND_H

#include "tests/support/exchange_lab.h"

#include <stdbool.h>
#include <stdio.h>

struct msccl_hand {
    FILE *to;
    bool in_gpu, in_block;
};

struct msccl_hand msccl_hand_begin(const char *collective, int in_place, int gpus);
void msccl_hand_gpu(struct msccl_hand *hand, int id, int inputs, int outputs, int scratch);
void msccl_hand_block(struct msccl_hand *hand, int id, int send, int receive);
void msccl_hand_step(struct msccl_hand *hand, int number, const char *type, char from_buffer,
                     int from, char to_buffer, int to, int count);

/* The same with a wait for a step of a block, or -1, -1; and whether it signals. */
void msccl_hand_wait(struct msccl_hand *hand, int number, const char *type, char from_buffer,
                     int from, char to_buffer, int to, int count, int block, int step,
                     bool signals);
char *msccl_hand_end(struct msccl_hand *hand);

/* Programs of several tests, which are right:
 *
 *     ring        an allgather in place of 4 GPUs, each sending on what it receives
 *     custom      chunk 1 of GPU 0 is copied, passed on by GPU 1, whose nop waits, and kept by 2
 *     broadcast   in place, from GPU 0 to two others, in steps without cnt
 *     pair        an alltoall of two GPUs
 *     relay       GPU 0 forwards a chunk of GPU 1 to GPU 2 once its other block has ended */
enum msccl_hand_program { HAND_RING, HAND_CUSTOM, HAND_BROADCAST, HAND_PAIR, HAND_RELAY };

char *msccl_hand_ring(void);
char *msccl_hand_custom(void);
char *msccl_hand_broadcast(void);
char *msccl_hand_pair(void);
char *msccl_hand_relay(void);

/* GPU 0 copies its chunk 2 and sends two chunks, which GPU 1 forwards; GPU 2 answers once it has
 * them, and the answer overwrites chunk 2. If GPU 0 copies after it has sent, this races. */
char *msccl_hand_answered(bool copies_first);

/* One of these programs with changes, and its expected rejection. */
struct msccl_hand_refused {
    enum msccl_hand_program program;
    struct exchange_lab_edit edit[4];
    enum err_code code;
    const char *part;
};

/* Checks that all are rejected as expected. Returns their number. */
unsigned msccl_hand_refuse(const struct msccl_hand_refused cases[], size_t count);

#endif
