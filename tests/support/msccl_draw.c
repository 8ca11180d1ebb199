/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/msccl_draw.h"

#include "tests/support/cmocka_all.h"

#include <string.h>

static struct rng *random_words;

static int below(int bound)
{
    return (int)rng_below(random_words, (uint32_t)bound);
}

static char any_buffer(const struct program *program, int gpu, int count, int *offset)
{
    for (;;) {
        int which = below(3), room = program->chunks[gpu][which] - count;
        if (room < 0)
            continue;
        *offset = below(room + 1);
        return "ios"[which];
    }
}

/* Adds a step. In most cases it waits for an earlier step of the same GPU. */
static struct program_step *add_step(struct program *program, struct program_block *block,
                                     char type, int count)
{
    struct program_step *step = &block->step[block->steps++];
    *step = (struct program_step){type, 'i', 'o', 0, 0, count, -1, -1, false};
    if (type != 'n') {
        step->from_buffer = any_buffer(program, block->gpu, count, &step->from);
        if (below(2) == 0) { /* a chunk of the input, which is defined */
            step->from_buffer = 'i';
            step->from = below(program->chunks[block->gpu][0] - count + 1);
        }
        step->to_buffer = any_buffer(program, block->gpu, count, &step->to);
    }
    struct program_block *other = &program->block[below(program->blocks)];
    if (other->gpu == block->gpu && other != block && other->steps > 0 && below(4) > 0) {
        step->waits_block = other->id;
        step->waits_step = below(other->steps);
        if (below(12) > 0)
            other->step[step->waits_step].signals = true;
    }
    step->signals = below(6) == 0;
    return step;
}

static bool has_room(const struct program_block *block)
{
    return block->steps + 2 < PROGRAM_STEPS;
}

/* Returns the block for an end of a connection: a block of the GPU without such a peer, or a new
 * one. */
static int block_for(struct program *program, int gpu, bool sends, int peer)
{
    for (int b = 0; b < program->blocks; b++) {
        struct program_block *block = &program->block[b];
        int *end = sends ? &block->send : &block->receive;
        if (block->gpu != gpu || *end >= 0 || below(2) == 0)
            continue;
        *end = peer;
        return b;
    }
    if (program->blocks == PROGRAM_BLOCKS)
        return -1;
    int id = 0;
    for (int b = 0; b < program->blocks; b++)
        id += program->block[b].gpu == gpu;
    program->block[program->blocks] = (struct program_block){
        .gpu = gpu, .id = id, .send = sends ? peer : -1, .receive = sends ? -1 : peer};
    return program->blocks++;
}

static void add_transfer(struct program *program, const int from[], const int to[], int lines,
                         int most)
{
    int line = below(lines), count = 1 + below(most);
    struct program_block *sender = &program->block[from[line]],
                         *receiver = &program->block[to[line]];
    if (!has_room(sender) || !has_room(receiver))
        return;
    bool late = below(5) == 0; /* the receipt comes first in this order */
    if (!late)
        add_step(program, sender, 's', count);
    add_step(program, receiver, 'r', count);
    if (late)
        add_step(program, sender, 's', count);
}

/* Fuses a receipt and a send that follow each other in one block into one step. */
static void fuse(struct program *program)
{
    for (int b = 0; b < program->blocks; b++) {
        struct program_block *block = &program->block[b];
        for (int s = 0; s + 1 < block->steps; s++) {
            struct program_step *step = &block->step[s];
            if (step->type != 'r' || step[1].type != 's' || step->count != step[1].count ||
                step[1].waits_block >= 0 || step->signals || below(2) == 0)
                continue;
            bool waited = false; /* numbers of steps after it change */
            for (int other = 0; other < program->blocks; other++)
                for (int k = 0; k < program->block[other].steps; k++)
                    waited |= program->block[other].gpu == block->gpu &&
                              program->block[other].step[k].waits_block == block->id;
            if (waited)
                continue;
            step->type = 'f';
            step->signals = step[1].signals;
            memmove(step + 1, step + 2, (size_t)(block->steps - s - 2) * sizeof *step);
            block->steps--;
        }
    }
}

static void draw(struct program *program, int most)
{
    int from[4], to[4], lines = 0;
    *program = (struct program){.collective = "custom",
                                .in_place = below(3) == 0,
                                .low_latency = below(3) == 0,
                                .gpus = 2 + below(3)};
    for (int g = 0; g < program->gpus; g++)
        for (int which = 0; which < 3; which++)
            program->chunks[g][which] = which < 2 ? most + below(2) : below(3);
    for (int wanted = 1 + below(4); lines < wanted; lines++) {
        int sender = below(program->gpus), receiver = below(program->gpus);
        receiver = sender == receiver ? (receiver + 1) % program->gpus : receiver;
        from[lines] = block_for(program, sender, true, receiver);
        to[lines] = block_for(program, receiver, false, sender);
        if (from[lines] < 0 || to[lines] < 0)
            break;
        program->block[from[lines]].channel = program->block[to[lines]].channel = lines;
    }
    /* A block has one channel: both ends of a connection have to agree, and no two be the same. */
    for (int line = 0; line < lines; line++)
        if (program->block[from[line]].channel != program->block[to[line]].channel)
            lines = line;
    for (int count = below(7); count >= 0 && lines > 0; count--) {
        struct program_block *block = &program->block[below(program->blocks)];
        if (below(4) > 0)
            add_transfer(program, from, to, lines, most);
        else if (has_room(block) && block->steps > 0)
            add_step(program, block, below(3) > 0 ? 'c' : 'n', 1);
    }
}

/* Returns whether the sends of each connection equal its receipts in number, and no two blocks are
 * the same end of a connection. */
static bool is_sound(const struct program *program)
{
    int steps = 0;
    for (int a = 0; a < program->blocks; a++) {
        const struct program_block *block = &program->block[a];
        steps += block->steps;
        for (int b = 0; b < a; b++) {
            const struct program_block *other = &program->block[b];
            if (other->gpu == block->gpu && other->channel == block->channel &&
                ((other->send >= 0 && other->send == block->send) ||
                 (other->receive >= 0 && other->receive == block->receive)))
                return false;
        }
    }
    return steps > 1 && steps <= 13;
}

void msccl_draw(struct rng *rng, int most, bool forwards, struct program *program)
{
    random_words = rng;
    do {
        draw(program, most);
        if (forwards)
            fuse(program);
    } while (!is_sound(program));
}

void msccl_draw_combining(struct rng *rng, struct program *program)
{
    random_words = rng;
    for (int b = 0; b < program->blocks; b++)
        for (int s = 0; s < program->block[b].steps; s++) {
            struct program_step *step = &program->block[b].step[s];
            if (below(2) == 0)
                continue;
            if (step->type == 'f')
                step->type = "pq"[below(2)];
            else if (step->type == 'r' || step->type == 'c')
                step->type = step->type == 'r' ? 'w' : 'a';
        }
}
