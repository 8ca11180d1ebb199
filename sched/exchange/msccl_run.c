/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_run: the steps of an algorithm for GPUs get rounds: list scheduling (R. L. Graham 1966). A
 * step is ready when the one before it and the one that it waits for have ended. A send does not
 * wait for its receipt, as connections have buffers; but those whose receipt is ready, too, come
 * first, so that transfers get their rounds in an order that receivers agree to.
 */
#include "sched/exchange/msccl_outputs.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/exchange/rounds.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#define NOBODY SIZE_MAX

/* A step that waits, or is done. */
struct progress {
    size_t partner;     /* the step of the other side */
    size_t first, next; /* a list: the first that waits for it; the next that waits for the same */
    size_t flight;      /* of a send: where its chunks stand until they are received */
    unsigned missing;   /* so many have to end before */
    uint64_t ready;     /* the round in which all of them have */
    bool done;
};

/* A step that can be done. */
struct entry {
    bool lone; /* a send whose receipt is not ready */
    uint64_t ready;
    size_t step;
};

struct runner {
    const char *name;
    const struct msccl *msccl;
    struct progress *progress;     /* [steps] */
    struct msccl_content *content; /* [chunks] */
    struct msccl_content *flight;  /* [chunks of all sends] */
    struct msccl_value *value;     /* [chunks] */
    struct entry *heap;            /* [2 · steps]: the first is the least */
    size_t heaped;
    struct rounds rounds;
    void *memory;
};

static bool wrong(const struct runner *runner, size_t step, struct err *err, enum err_code code,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

static bool wrong(const struct runner *runner, size_t step, struct err *err, enum err_code code,
                  const char *format, ...)
{
    char text[300];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return err_set(err, code, "%s:%" PRIu64 ":%" PRIu64 ": %s", runner->name,
                   runner->msccl->step[step].line, runner->msccl->step[step].column, text);
}

static const struct msccl_block *block_of(const struct runner *runner, size_t step)
{
    return &runner->msccl->block[runner->msccl->step[step].block];
}

/* -- what waits for what ------------------------------------------------------------------------*/

static void wait_for(struct runner *runner, size_t step, size_t other)
{
    runner->progress[step].missing++;
    runner->progress[step].next = runner->progress[other].first;
    runner->progress[other].first = step;
}

/* The last part of step `number` of a block; NOBODY if there is none. */
static size_t find_step(const struct runner *runner, const struct msccl_block *block,
                        uint32_t number)
{
    size_t low = block->first, high = block->end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (runner->msccl->step[middle].number <= number)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low > block->first && runner->msccl->step[low - 1].number == number;
    return found ? low - 1 : NOBODY;
}

static bool find_waits(struct runner *runner, struct err *err)
{
    const struct msccl *msccl = runner->msccl;
    size_t sent = 0;
    for (size_t k = 0; k < msccl->step_count; k++) {
        runner->progress[k] =
            (struct progress){.partner = NOBODY, .first = NOBODY, .next = NOBODY, .flight = sent};
        sent += msccl->step[k].type == MSCCL_SEND ? msccl->step[k].count : 0;
    }
    for (size_t k = 0; k < msccl->step_count; k++) {
        const struct msccl_step *step = &msccl->step[k];
        const struct msccl_gpu *gpu = &msccl->gpu[block_of(runner, k)->gpu];
        bool second = k > block_of(runner, k)->first && step[-1].number == step->number;
        runner->progress[k].missing = k > block_of(runner, k)->first;
        if (step->waits_block == MSCCL_NONE || second)
            continue;
        size_t other = NOBODY;
        if (step->waits_block < gpu->blocks)
            other = find_step(runner, &msccl->block[gpu->first_block + step->waits_block],
                              step->waits_number);
        if (other == NOBODY)
            return wrong(runner, k, err, ERR_FIELD_RANGE,
                         "waits for step %d of block %" PRIu32 "; expected one of its GPU",
                         (int)step->waits_number, step->waits_block);
        wait_for(runner, k, other);
    }
    return true;
}

/* -- who sends to whom --------------------------------------------------------------------------*/

/* A connection: by its sender, its receiver and its channel. */
static int by_connection(const void *left, const void *right)
{
    const struct msccl_block *a = *(const struct msccl_block *const *)left,
                             *b = *(const struct msccl_block *const *)right;
    return compare_then(COMPARE(a->gpu, b->gpu),
                        compare_then(COMPARE(a->send, b->send), COMPARE(a->channel, b->channel)));
}

/* The next step of a type in a block, from `step` on; NOBODY if there is none. */
static size_t next_of(const struct runner *runner, const struct msccl_block *block, size_t step,
                      enum msccl_type type)
{
    while (step < block->end && runner->msccl->step[step].type != type)
        step++;
    return step < block->end ? step : NOBODY;
}

/* The k-th send of a block goes with the k-th receipt of the other. */
static bool join(struct runner *runner, const struct msccl_block *from,
                 const struct msccl_block *to, struct err *err)
{
    size_t send = next_of(runner, from, from->first, MSCCL_SEND);
    size_t receipt = next_of(runner, to, to->first, MSCCL_RECEIVE);
    while (send != NOBODY && receipt != NOBODY) {
        if (runner->progress[send].partner != NOBODY)
            return wrong(runner, receipt, err, ERR_UNSUPPORTED,
                         "GPUs %" PRIu32 " and %" PRIu32 " have two blocks of one channel; "
                         "expected one",
                         from->gpu, to->gpu);
        runner->progress[send].partner = receipt;
        runner->progress[receipt].partner = send;
        if (runner->msccl->step[send].count != runner->msccl->step[receipt].count)
            return wrong(runner, receipt, err, ERR_FIELD_RANGE,
                         "%" PRIu32 " chunks; expected %" PRIu32 ", which are sent",
                         runner->msccl->step[receipt].count, runner->msccl->step[send].count);
        send = next_of(runner, from, send + 1, MSCCL_SEND);
        receipt = next_of(runner, to, receipt + 1, MSCCL_RECEIVE);
    }
    return true;
}

static bool find_partners(struct runner *runner, struct err *err)
{
    const struct msccl *msccl = runner->msccl;
    const struct msccl_block **sorted = calloc(msccl->block_count + 1, sizeof(void *));
    if (sorted == NULL)
        return err_no_memory(err, "%zu blocks", msccl->block_count);
    for (size_t k = 0; k < msccl->block_count; k++)
        sorted[k] = &msccl->block[k];
    qsort(sorted, msccl->block_count, sizeof *sorted, by_connection);
    bool found = true;
    for (size_t k = 0; found && k < msccl->block_count; k++) {
        const struct msccl_block *to = &msccl->block[k],
                                 *key = &(struct msccl_block){
                                     .gpu = to->receive, .send = to->gpu, .channel = to->channel};
        const struct msccl_block **from = NULL;
        if (to->receive != MSCCL_NONE)
            from = bsearch(&key, sorted, msccl->block_count, sizeof *sorted, by_connection);
        found = from == NULL || join(runner, *from, to, err);
    }
    free(sorted);
    return found;
}

/* -- a heap of what is ready --------------------------------------------------------------------*/

static bool is_less(const struct entry *a, const struct entry *b)
{
    if (a->lone != b->lone)
        return b->lone;
    return a->ready != b->ready ? a->ready < b->ready : a->step < b->step;
}

static void push(struct runner *runner, bool lone, uint64_t ready, size_t step)
{
    const struct entry entry = {lone, ready, step};
    struct entry *heap = runner->heap;
    size_t at = runner->heaped++;
    for (; at > 0 && is_less(&entry, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = entry;
}

static size_t pop(struct runner *runner)
{
    struct entry *heap = runner->heap, least = heap[0], last = heap[--runner->heaped];
    size_t at = 0, child;
    while ((child = 2 * at + 1) < runner->heaped) {
        child += child + 1 < runner->heaped && is_less(&heap[child + 1], &heap[child]);
        if (!is_less(&heap[child], &last))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return least.step;
}

/* A step for which nothing is missing can be done, a receipt when its send is or can be done. */
static void look(struct runner *runner, size_t step)
{
    const struct progress *progress = &runner->progress[step], *partner = NULL;
    enum msccl_type type = runner->msccl->step[step].type;
    if (progress->missing > 0)
        return;
    if (type == MSCCL_COPY || type == MSCCL_NOTHING) {
        push(runner, false, progress->ready, step);
    } else if (progress->partner != NOBODY) {
        partner = &runner->progress[progress->partner];
        uint64_t both = MAX(progress->ready, partner->ready);
        size_t send = type == MSCCL_SEND ? step : progress->partner;
        if (partner->missing == 0)
            push(runner, false, both, partner->done ? step : send);
        else if (type == MSCCL_SEND)
            push(runner, true, progress->ready, step);
    }
}

static void end_one(struct runner *runner, size_t step, uint64_t round)
{
    struct progress *progress = &runner->progress[step];
    progress->missing--;
    progress->ready = MAX(progress->ready, round);
    look(runner, step);
}

static void end(struct runner *runner, size_t step, uint64_t round)
{
    runner->progress[step].done = true;
    for (size_t other = runner->progress[step].first; other != NOBODY;
         other = runner->progress[other].next)
        end_one(runner, other, round);
    if (step + 1 < block_of(runner, step)->end)
        end_one(runner, step + 1, round);
}

/* -- execution ----------------------------------------------------------------------------------*/

static bool has(const struct runner *runner, size_t step, uint32_t which,
                struct msccl_content *content, struct err *err)
{
    const struct msccl_step *move = &runner->msccl->step[step];
    *content = runner->content[move->from + which];
    return content->value != 0 ||
           wrong(runner, step, err, ERR_ORDER,
                 "chunk %" PRIu32 " of the step has nothing yet; expected it to come before",
                 which);
}

/* What is there already has been there since then. */
static void put(struct runner *runner, size_t chunk, size_t value, uint64_t since)
{
    if (runner->content[chunk].value != value)
        runner->content[chunk] = (struct msccl_content){value, since};
}

static bool copy(struct runner *runner, size_t step, struct err *err)
{
    const struct msccl_step *move = &runner->msccl->step[step];
    struct msccl_content content;
    for (uint32_t which = 0; which < move->count; which++) {
        if (!has(runner, step, which, &content, err))
            return false;
        put(runner, move->to + which, content.value, content.since);
    }
    return true;
}

/* Chunk by chunk, a round for each. */
static bool send(struct runner *runner, size_t step, struct err *err)
{
    const struct msccl_step *move = &runner->msccl->step[step];
    struct progress *progress = &runner->progress[step];
    struct transfer transfer = {.source = block_of(runner, step)->gpu,
                                .destination = block_of(runner, progress->partner)->gpu};
    uint64_t last = 0;
    for (uint32_t which = 0; which < move->count; which++) {
        struct msccl_content *flight = &runner->flight[progress->flight + which];
        if (!has(runner, step, which, flight, err))
            return false;
        uint64_t held = MAX(flight->since, progress->ready);
        transfer.packet = (uint32_t)flight->value;
        if (!rounds_place(&runner->rounds, transfer, held + 1, &flight->since, err))
            return false;
        last = MAX(last, flight->since);
    }
    end(runner, step, last);
    return true;
}

/* What was sent comes to its place. */
static void receive(struct runner *runner, size_t step)
{
    const struct msccl_step *move = &runner->msccl->step[step];
    const struct progress *progress = &runner->progress[step];
    const struct msccl_content *flight =
        &runner->flight[runner->progress[progress->partner].flight];
    uint64_t last = progress->ready;
    for (uint32_t which = 0; which < move->count; which++) {
        put(runner, move->to + which, flight[which].value, flight[which].since);
        last = MAX(last, flight[which].since);
    }
    end(runner, step, last);
}

static bool do_step(struct runner *runner, size_t step, struct err *err)
{
    const struct progress *progress = &runner->progress[step];
    enum msccl_type type = runner->msccl->step[step].type;
    if (progress->done)
        return true; /* it was a lone send before */
    if (type == MSCCL_RECEIVE) {
        receive(runner, step);
    } else if (type == MSCCL_SEND) {
        if (!send(runner, step, err))
            return false;
        if (runner->progress[progress->partner].missing == 0)
            receive(runner, progress->partner);
    } else {
        if (type == MSCCL_COPY && !copy(runner, step, err))
            return false;
        end(runner, step, progress->ready);
    }
    return true;
}

static bool run_all(struct runner *runner, struct err *err)
{
    const struct msccl *msccl = runner->msccl;
    for (size_t k = 0; k < msccl->step_count; k++)
        if (msccl->step[k].type != MSCCL_RECEIVE)
            look(runner, k); /* a receipt's is looked at with its send */
    while (runner->heaped > 0)
        if (!do_step(runner, pop(runner), err))
            return false;
    for (size_t k = 0; k < msccl->step_count; k++)
        if (!runner->progress[k].done)
            return wrong(runner, k, err, ERR_ORDER,
                         "waits for ever; expected a step of the other side for it, and no circle");
    return true;
}

/* Transfers know the values; give them the packets. */
static bool name_packets(struct runner *runner, struct err *err)
{
    for (size_t k = 0; k < runner->rounds.count; k++) {
        struct transfer *transfer = &runner->rounds.placed[k].transfer;
        const struct msccl_value *value = &runner->value[transfer->packet - 1];
        if (value->packet == 0)
            return err_set(err, ERR_DEMAND,
                           "%s: chunk %" PRIu32 " of GPU %" PRIu32 " goes to GPU %" PRIu32
                           ", and no output of another GPU has it in the end; expected one",
                           runner->name, value->chunk, value->gpu, transfer->destination);
        transfer->packet = value->packet;
    }
    return true;
}

bool msccl_run(const char *name, const struct msccl *msccl, struct schedule *schedule,
               struct err *err)
{
    struct runner runner = {.name = name, .msccl = msccl};
    size_t steps = msccl->step_count + 1, sent = 1;
    for (size_t k = 0; k < msccl->step_count; k++)
        sent += msccl->step[k].type == MSCCL_SEND ? msccl->step[k].count : 0;
    const struct arena_array arrays[] = {
        ARENA(runner.progress, steps), ARENA(runner.heap, 2 * steps),
        ARENA(runner.content, msccl->chunks + 1), ARENA(runner.value, msccl->chunks + 1),
        ARENA(runner.flight, sent)};
    runner.memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (runner.memory == NULL)
        return err_no_memory(err, "%zu steps, %zu chunks", msccl->step_count, msccl->chunks);
    msccl_fill(msccl, runner.content, runner.value);
    bool done = rounds_begin(&runner.rounds, msccl->gpus, schedule->model, err) &&
                find_waits(&runner, err) && find_partners(&runner, err) && run_all(&runner, err) &&
                msccl_demand(name, msccl, runner.content, runner.value, schedule, err) &&
                name_packets(&runner, err) && rounds_finish(&runner.rounds, schedule, err);
    rounds_free(&runner.rounds);
    free(runner.memory);
    return done;
}
