/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/msccl_replay.h"

#include "tests/support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- the text -----------------------------------------------------------------------------------*/

const char *msccl_replay_text(const char *line, const char *name, char value[24])
{
    char key[40];
    snprintf(key, sizeof key, " %s=\"", name);
    const char *at = strstr(line, key);
    assert_non_null(at);
    at += strlen(key);
    size_t length = strcspn(at, "\"");
    assert_true(length < 24);
    memcpy(value, at, length);
    value[length] = '\0';
    return value;
}

int msccl_replay_number(const char *line, const char *name)
{
    char value[24];
    return atoi(msccl_replay_text(line, name, value));
}

static void read_step(struct msccl_replay *replay, const char *line,
                      const struct msccl_replay_step *block)
{
    char value[24];
    assert_true(replay->steps < REPLAY_STEPS);
    struct msccl_replay_step *step = &replay->step[replay->steps++];
    *step = *block;
    step->number = msccl_replay_number(line, "s");
    msccl_replay_text(line, "type", step->type);
    step->from_buffer = *msccl_replay_text(line, "srcbuf", value);
    step->to_buffer = *msccl_replay_text(line, "dstbuf", value);
    step->from = msccl_replay_number(line, "srcoff");
    step->to = msccl_replay_number(line, "dstoff");
    step->count = msccl_replay_number(line, "cnt");
    step->signals = msccl_replay_number(line, "hasdep") == 1;
    step->before = step->number > 0 ? replay->steps - 2 : -1;
    step->waits =
        msccl_replay_number(line, "depid") < 0
            ? -1
            : msccl_replay_number(line, "depid") * REPLAY_STEPS + msccl_replay_number(line, "deps");
    step->round = -1;
}

static void read_all(struct msccl_replay *replay, const char *text)
{
    struct msccl_replay_step block = {0};
    for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n') {
        char line[400];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
        if (strstr(line, "<algo ") != NULL) {
            msccl_replay_text(line, "coll", replay->collective);
            replay->per_loop = msccl_replay_number(line, "nchunksperloop");
            replay->gpus = msccl_replay_number(line, "ngpus");
            assert_true(replay->gpus <= REPLAY_GPUS);
        } else if (strstr(line, "<gpu ") != NULL) {
            block.gpu = msccl_replay_number(line, "id");
            replay->chunks[block.gpu][0] = msccl_replay_number(line, "i_chunks");
            replay->chunks[block.gpu][1] = msccl_replay_number(line, "o_chunks");
            replay->chunks[block.gpu][2] = msccl_replay_number(line, "s_chunks");
        } else if (strstr(line, "<tb ") != NULL) {
            block.block = msccl_replay_number(line, "id");
            block.send = msccl_replay_number(line, "send");
            block.receive = msccl_replay_number(line, "recv");
            block.channel = msccl_replay_number(line, "chan");
        } else if (strstr(line, "<step ") != NULL) {
            read_step(replay, line, &block);
        }
    }
}

/* -- rounds -------------------------------------------------------------------------------------*/

static struct msccl_replay_move *cell_of(struct msccl_replay *replay, int gpu, char buffer, int at)
{
    int which = buffer == 'i' ? 0 : buffer == 'o' ? 1 : 2;
    assert_true(at >= 0 && at < replay->chunks[gpu][which] && at < REPLAY_CHUNKS);
    return &replay->cell[gpu][which][at];
}

/* Replaces the wait of each step by the index of the step that it waits for. */
static void find_waits(struct msccl_replay *replay)
{
    for (int k = 0; k < replay->steps; k++) {
        struct msccl_replay_step *step = &replay->step[k];
        int found = -1;
        for (int other = 0; step->waits >= 0 && other < replay->steps; other++)
            if (replay->step[other].gpu == step->gpu &&
                replay->step[other].block * REPLAY_STEPS + replay->step[other].number ==
                    step->waits)
                found = other;
        assert_true(step->waits < 0 || (found >= 0 && replay->step[found].signals));
        step->waits = found;
    }
}

static bool is_ready(const struct msccl_replay *replay, const struct msccl_replay_step *step)
{
    return step->round < 0 && (step->before < 0 || replay->step[step->before].round >= 0) &&
           (step->waits < 0 || replay->step[step->waits].round >= 0);
}

static long latest(const struct msccl_replay *replay, const struct msccl_replay_step *step)
{
    long before = step->before < 0 ? 0 : replay->step[step->before].round;
    long waits = step->waits < 0 ? 0 : replay->step[step->waits].round;
    return before > waits ? before : waits;
}

static void move(struct msccl_replay *replay, struct msccl_replay_step *send,
                 struct msccl_replay_step *receipt)
{
    long a = latest(replay, send), b = latest(replay, receipt);
    send->round = receipt->round = (a > b ? a : b) + 1;
    assert_int_equal(send->count, 1);
    assert_int_equal(receipt->count, 1);
    replay->other_operands |= send->from_buffer != receipt->from_buffer ||
                              send->to_buffer != receipt->to_buffer ||
                              send->from != receipt->from || send->to != receipt->to;
    struct msccl_replay_move value = *cell_of(replay, send->gpu, send->from_buffer, send->from);
    *cell_of(replay, receipt->gpu, receipt->to_buffer, receipt->to) = value;
    replay->move[replay->moves++] =
        (struct msccl_replay_move){send->gpu, receipt->gpu, value.gpu, value.chunk};
    if (send->round > replay->rounds)
        replay->rounds = send->round;
}

static void copy(struct msccl_replay *replay, struct msccl_replay_step *step)
{
    step->round = latest(replay, step);
    for (int k = 0; k < step->count; k++)
        *cell_of(replay, step->gpu, step->to_buffer, step->to + k) =
            *cell_of(replay, step->gpu, step->from_buffer, step->from + k);
}

/* Returns the next step of a type on a connection that has not ended; NULL if there is none. */
static struct msccl_replay_step *next_receipt(struct msccl_replay *replay,
                                              const struct msccl_replay_step *send)
{
    for (int k = 0; k < replay->steps; k++) {
        struct msccl_replay_step *step = &replay->step[k];
        if (strcmp(step->type, "r") == 0 && step->gpu == send->send && step->receive == send->gpu &&
            step->channel == send->channel && step->round < 0)
            return step;
    }
    return NULL;
}

static bool advance(struct msccl_replay *replay)
{
    bool changed = false;
    for (int k = 0; k < replay->steps; k++) {
        struct msccl_replay_step *step = &replay->step[k], *receipt;
        if (!is_ready(replay, step))
            continue;
        if (strcmp(step->type, "nop") == 0) {
            step->round = latest(replay, step);
            changed = true;
        } else if (strcmp(step->type, "cpy") == 0) {
            copy(replay, step);
            changed = true;
        } else if (strcmp(step->type, "s") == 0) {
            receipt = next_receipt(replay, step);
            if (receipt != NULL && is_ready(replay, receipt)) {
                move(replay, step, receipt);
                changed = true;
            }
        } else {
            assert_string_equal(step->type, "r");
        }
    }
    return changed;
}

static void count_most(struct msccl_replay *replay)
{
    for (int k = 0; k < replay->steps; k++) {
        long same = 0;
        for (int other = 0; other < replay->steps; other++)
            same += replay->step[other].gpu == replay->step[k].gpu &&
                    replay->step[other].round == replay->step[k].round &&
                    strcmp(replay->step[other].type, replay->step[k].type) == 0;
        bool moves = replay->step[k].type[1] == '\0';
        if (moves && same > replay->most)
            replay->most = same;
        replay->blocked |= replay->step[k].round < 0;
    }
}

struct msccl_replay *msccl_replay(const char *text, bool waits)
{
    struct msccl_replay *replay = calloc(1, sizeof *replay);
    assert_non_null(replay);
    read_all(replay, text);
    find_waits(replay);
    for (int k = 0; !waits && k < replay->steps; k++)
        replay->step[k].waits = -1;
    for (int g = 0; g < replay->gpus; g++)
        for (int k = 0; k < replay->chunks[g][0]; k++)
            *cell_of(replay, g, 'i', k) = (struct msccl_replay_move){0, 0, g, k + 1};
    while (advance(replay)) {
    }
    count_most(replay);
    return replay;
}
