/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/msccl_sums.h"

#include "sched/base/rng.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/msccl_hand.h"
#include "tests/support/msccl_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GPUS = 16, CHUNKS = 256, BLOCKS = 512, STEPS = 8192, FIFO = 8 };

struct operand {
    int buffer, at; /* 0, 1, 2: i, o, s */
};

struct sum_step {
    char type[24];
    struct operand from, to;
    int count, waits_block, waits_step;
    bool signals;
};

struct block {
    int gpu, id, send, receive, channel, first, steps;
    int step, moved, counter; /* progress */
    uint64_t fifo[FIFO];      /* what it has sent and is not received */
    int held;
};

struct adder {
    char collective[24];
    int gpus, in_place, depth, blocks, steps;
    int chunks[GPUS][3];
    struct block block[BLOCKS];
    struct sum_step step[STEPS];
    uint64_t cell[GPUS][3][CHUNKS];
    bool filled[GPUS][3][CHUNKS];
    struct msccl_sums sums;
};

static uint64_t number_of(int gpu, int chunk)
{
    struct rng rng = {(uint64_t)gpu * 1000 + (uint64_t)chunk + 1};
    return rng_next(&rng);
}

/* -- the text -----------------------------------------------------------------------------------*/

static struct operand operand_of(const char *line, const char *side)
{
    char buffer[16], offset[16], value[24];
    snprintf(buffer, sizeof buffer, "%sbuf", side);
    snprintf(offset, sizeof offset, "%soff", side);
    char letter = *msccl_replay_text(line, buffer, value);
    return (struct operand){letter == 'i'   ? 0
                            : letter == 'o' ? 1
                                            : 2,
                            msccl_replay_number(line, offset)};
}

static void read_step(struct adder *adder, const char *line)
{
    assert_true(adder->steps < STEPS);
    struct sum_step *step = &adder->step[adder->steps++];
    msccl_replay_text(line, "type", step->type);
    step->from = operand_of(line, "src");
    step->to = operand_of(line, "dst");
    step->count = msccl_replay_number(line, "cnt");
    step->waits_block = msccl_replay_number(line, "depid");
    step->waits_step = msccl_replay_number(line, "deps");
    step->signals = msccl_replay_number(line, "hasdep") == 1 && strcmp(step->type, "nop") != 0;
    adder->block[adder->blocks - 1].steps++;
}

static void read_all(struct adder *adder, const char *text)
{
    int gpu = 0;
    for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n') {
        char line[400], value[24];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
        if (strstr(line, "<algo ") != NULL) {
            msccl_replay_text(line, "coll", adder->collective);
            adder->gpus = msccl_replay_number(line, "ngpus");
            adder->in_place = msccl_replay_number(line, "inplace");
            bool simple = strstr(line, " proto=") == NULL ||
                          strcmp(msccl_replay_text(line, "proto", value), "Simple") == 0;
            adder->depth = simple ? 2 : FIFO;
            assert_true(adder->gpus <= GPUS);
        } else if (strstr(line, "<gpu ") != NULL) {
            gpu = msccl_replay_number(line, "id");
            adder->chunks[gpu][0] = msccl_replay_number(line, "i_chunks");
            adder->chunks[gpu][1] = msccl_replay_number(line, "o_chunks");
            adder->chunks[gpu][2] = msccl_replay_number(line, "s_chunks");
        } else if (strstr(line, "<tb ") != NULL) {
            assert_true(adder->blocks < BLOCKS);
            for (char *quote = line; (quote = strchr(quote, '\'')) != NULL;)
                *quote = '"';
            adder->block[adder->blocks++] =
                (struct block){.gpu = gpu,
                               .id = msccl_replay_number(line, "id"),
                               .send = msccl_replay_number(line, "send"),
                               .receive = msccl_replay_number(line, "recv"),
                               .channel = msccl_replay_number(line, "chan"),
                               .first = adder->steps,
                               .counter = -1};
        } else if (strstr(line, "<step ") != NULL) {
            read_step(adder, line);
        }
    }
}

/* -- one chunk of a step ------------------------------------------------------------------------*/

/* Returns the cell of a chunk; in place, the output is a part of the input. NULL outside of its
 * buffer. */
static uint64_t *cell_of(struct adder *adder, int gpu, struct operand operand, bool **filled)
{
    int buffer = operand.buffer, at = operand.at;
    if (at < 0 || at >= adder->chunks[gpu][buffer]) {
        adder->sums.malformed = true;
        return NULL;
    }
    if (adder->in_place && buffer == 1) {
        buffer = 0;
        at += strcmp(adder->collective, "reduce_scatter") == 0 ? gpu * adder->chunks[gpu][1] : 0;
    }
    assert_true(at < CHUNKS);
    *filled = &adder->filled[gpu][buffer][at];
    return &adder->cell[gpu][buffer][at];
}

static struct block *sender_of(struct adder *adder, const struct block *block)
{
    for (int b = 0; b < adder->blocks; b++) {
        struct block *other = &adder->block[b];
        if (other->gpu == block->receive && other->send == block->gpu &&
            other->channel == block->channel)
            return other;
    }
    return NULL;
}

static bool receives(const struct sum_step *step)
{
    return step->type[0] == 'r' && strcmp(step->type, "re") != 0;
}

static bool sends(const struct sum_step *step)
{
    return step->type[strlen(step->type) - 1] == 's';
}

static bool may_run(struct adder *adder, struct block *block)
{
    if (block->step == block->steps)
        return false;
    const struct sum_step *step = &adder->step[block->first + block->step];
    const struct block *sender = sender_of(adder, block);
    for (int b = 0; step->waits_block >= 0 && b < adder->blocks; b++) {
        const struct block *other = &adder->block[b];
        if (other->gpu == block->gpu && other->id == step->waits_block &&
            other->counter < step->waits_step)
            return false;
    }
    return (!receives(step) || (sender != NULL && sender->held > 0)) &&
           (!sends(step) || (block->send >= 0 && block->held < adder->depth));
}

/* Returns the number of a chunk of an operand, which has to have one. */
static uint64_t get(struct adder *adder, const struct block *block, struct operand operand)
{
    bool *filled = NULL;
    operand.at += block->moved;
    const uint64_t *cell = cell_of(adder, block->gpu, operand, &filled);
    adder->sums.malformed |= cell == NULL || !*filled;
    return cell != NULL ? *cell : 0;
}

static void put(struct adder *adder, const struct block *block, struct operand operand,
                uint64_t number)
{
    bool *filled = NULL;
    operand.at += block->moved;
    uint64_t *cell = cell_of(adder, block->gpu, operand, &filled);
    if (cell == NULL)
        return;
    *cell = number;
    *filled = true;
}

static uint64_t receive(struct adder *adder, const struct block *block)
{
    struct block *sender = sender_of(adder, block);
    uint64_t number = sender->fifo[0];
    memmove(sender->fifo, sender->fifo + 1, (FIFO - 1) * sizeof *sender->fifo);
    sender->held--;
    return number;
}

/* Moves one chunk of the present step of a block. */
static void go(struct adder *adder, struct block *block)
{
    const struct sum_step *step = &adder->step[block->first + block->step];
    const char *type = step->type;
    bool nothing = strcmp(type, "nop") == 0;
    bool adds = strcmp(type, "re") == 0 || type[1] == 'r';
    bool reads = strcmp(type, "s") == 0 || strcmp(type, "cpy") == 0 || adds;
    bool writes = !nothing && strcmp(type, "s") != 0 && strcmp(type, "rrs") != 0;
    uint64_t number = reads ? get(adder, block, step->from) : 0;
    if (receives(step))
        number += receive(adder, block);
    if (strcmp(type, "re") == 0)
        number += get(adder, block, step->to);
    if (writes)
        put(adder, block, step->to, number);
    if (!nothing && sends(step))
        block->fifo[block->held++] = number;
    if (!nothing && ++block->moved < step->count)
        return;
    block->moved = 0;
    if (step->signals)
        block->counter = block->step;
    block->step++;
}

/* -- results ------------------------------------------------------------------------------------*/

/* Returns the sum that output k of a GPU must have. */
static uint64_t sum_of(const struct adder *adder, int gpu, int k, int count)
{
    bool prefix = strcmp(adder->collective, "custom") == 0;
    bool scatters = strncmp(adder->collective, "reduce_sc", 9) == 0;
    uint64_t sum = 0;
    for (int g = 0; g < (prefix ? gpu + 1 : adder->gpus); g++)
        sum += number_of(g, scatters ? gpu * count + k : k);
    return sum;
}

static bool is_right(struct adder *adder, int gpu)
{
    bool scatters = strncmp(adder->collective, "reduce_sc", 9) == 0;
    bool of_input = adder->in_place && adder->chunks[gpu][1] == 0;
    int count = adder->chunks[gpu][of_input ? 0 : 1], first = 0;
    if (of_input && scatters) {
        count /= adder->gpus;
        first = gpu * count;
    }
    bool right = count > 0;
    for (int k = 0; k < count; k++) {
        bool *filled = NULL;
        const struct operand at = {of_input ? 0 : 1, first + k};
        const uint64_t *cell = cell_of(adder, gpu, at, &filled);
        right = right && *filled && *cell == sum_of(adder, gpu, k, count);
        adder->sums.outputs = (adder->sums.outputs ^ *cell) * UINT64_C(1099511628211);
    }
    return right;
}

static void judge(struct adder *adder)
{
    int right = 0, outputs = 0;
    for (int b = 0; b < adder->blocks; b++)
        adder->sums.stuck |= adder->block[b].step < adder->block[b].steps;
    for (int g = 0; g < adder->gpus; g++) {
        right += is_right(adder, g);
        outputs += adder->chunks[g][1] > 0 || adder->in_place;
    }
    bool reduce = strcmp(adder->collective, "reduce") == 0;
    adder->sums.wrong = reduce ? right != 1 : right < outputs || outputs < adder->gpus;
}

struct msccl_sums msccl_sums(const char *text, uint64_t seed)
{
    struct adder *adder = calloc(1, sizeof *adder);
    struct rng rng = {seed};
    assert_non_null(adder);
    read_all(adder, text);
    for (int g = 0; g < adder->gpus; g++)
        for (int k = 0; k < adder->chunks[g][0]; k++) {
            adder->cell[g][0][k] = number_of(g, k);
            adder->filled[g][0][k] = true;
        }
    bool eager = rng_below(&rng, 2) == 0; /* a block that may go on does so */
    for (int at = 0, idle = 0; idle < adder->blocks;) {
        struct block *block = &adder->block[at];
        if (!may_run(adder, block)) {
            idle++;
            at = (at + 1) % adder->blocks;
            continue;
        }
        idle = 0;
        go(adder, block);
        if (!eager || rng_below(&rng, 8) == 0)
            at = (int)rng_below(&rng, (uint32_t)adder->blocks);
    }
    judge(adder);
    struct msccl_sums sums = adder->sums;
    free(adder);
    return sums;
}

/* -- programs -----------------------------------------------------------------------------------*/

char *msccl_sums_ring(int n, int count)
{
    struct msccl_hand hand = msccl_hand_begin("allreduce", 1, n);
    for (int g = 0; g < n; g++) {
        int step = 0;
        msccl_hand_gpu(&hand, g, n * count, 0, 0);
        msccl_hand_block(&hand, 0, (g + 1) % n, (g + n - 1) % n);
        for (int k = 0; k < 2 * n - 1; k++) {
            int at = (g + 2 * n - k) % n * count;
            const char *type = k == 0 ? "s" : k < n - 1 ? "rrs" : k == n - 1 ? "rrcs" : "rcs";
            type = k == 2 * n - 2 ? "r" : type;
            msccl_hand_step(&hand, step++, type, 'i', at, 'i', at, count);
        }
    }
    char *text = msccl_hand_end(&hand);
    const struct exchange_lab_edit edits[] = {{0, 0, " coll", " proto=\"LL\" coll"}, {0}};
    char *made = exchange_lab_edit(text, edits);
    free(text);
    return made;
}

char *msccl_sums_pairs(int n, int count)
{
    struct msccl_hand hand = msccl_hand_begin("allreduce", 1, n);
    for (int g = 0; g < n; g++) {
        msccl_hand_gpu(&hand, g, n * count, 0, (n - 1) * count);
        for (int p = 0, slot = 0; p < n; p++) {
            if (p == g)
                continue;
            msccl_hand_block(&hand, slot, p, p);
            msccl_hand_step(&hand, 0, "s", 'i', p * count, 's', slot * count, count);
            msccl_hand_wait(&hand, 1, "r", 'i', g * count, 's', slot * count, count, -1, -1, true);
            msccl_hand_wait(&hand, 2, "s", 'i', g * count, 'i', g * count, count, n - 1, n - 2,
                            false);
            msccl_hand_step(&hand, 3, "r", 'i', p * count, 'i', p * count, count);
            slot++;
        }
        msccl_hand_block(&hand, n - 1, -1, -1);
        for (int slot = 0; slot < n - 1; slot++)
            msccl_hand_wait(&hand, slot, "re", 's', slot * count, 'i', g * count, count, slot, 1,
                            slot == n - 2);
    }
    return msccl_hand_end(&hand);
}
