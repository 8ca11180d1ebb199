/* SPDX-License-Identifier: Apache-2.0 */
/* goal_run: finds the messages of a GOAL file, the packets that they carry, and their rounds.
 *
 * A message is placed in the first round in which its sender and its receiver are free, after all
 * that its send requires: list scheduling (R. L. Graham 1966). A send does not wait for its
 * receipt; a message whose receipt is also ready comes first. */
#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/base/heap.h"
#include "sched/exchange/goal_program.h"
#include "sched/exchange/rounds.h"

#include <inttypes.h>
#include <stdlib.h>

/* The progress of an operation. */
struct progress {
    uint32_t missing;
    bool posted, done;
    uint64_t ready; /* the round in which what it requires has ended; then that of a message */
    uint32_t label; /* of the packet of a send that is done */
};

struct runner {
    struct goal *goal;
    struct transfers *transfers;
    struct progress *progress; /* [operations] */
    size_t *order;             /* [operations]: used to sort, then a stack of those to begin */
    size_t stacked, ended;
    struct heap heap; /* [2 · operations] */
    struct rounds rounds;
    void *memory;
};

static bool wrong(const struct runner *runner, size_t which, struct err *err, const char *text)
{
    const struct goal_operation *at = &runner->goal->operation[which];
    return document_wrong(
        runner->goal->document, at->at, err, ERR_ORDER, "%s rank %" PRIu32 " by tag %" PRIu32 " %s",
        at->kind == GOAL_SEND ? "a send to" : "a receipt from", at->peer, at->tag, text);
}

/* -- messages -----------------------------------------------------------------------------------*/

/* The key of a send or a receipt: connections, then messages by place in the file. */
struct end {
    uint32_t from, to, tag;
    bool receives;
    uint64_t bytes;
    size_t operation;
};

static int by_connection(const struct end *a, const struct end *b)
{
    return compare_then(COMPARE(a->from, b->from),
                        compare_then(COMPARE(a->to, b->to), COMPARE(a->tag, b->tag)));
}

static int by_end(const void *left, const void *right)
{
    const struct end *a = left, *b = right;
    return compare_then(by_connection(a, b), compare_then(COMPARE(a->receives, b->receives),
                                                          COMPARE(a->operation, b->operation)));
}

/* Matches the ends first … last of one connection: sends, then receipts. */
static bool match_connection(struct runner *runner, const struct end *first, size_t count,
                             struct err *err)
{
    size_t sends = 0;
    while (sends < count && !first[sends].receives)
        sends++;
    size_t receipts = count - sends;
    if (sends != receipts)
        return wrong(runner,
                     sends > receipts ? first[receipts].operation : first[2 * sends].operation, err,
                     "has no partner; expected as many sends as receipts");
    for (size_t k = 0; k < sends; k++) {
        size_t send = first[k].operation, receipt = first[sends + k].operation;
        struct goal_operation *operation = runner->goal->operation;
        operation[send].partner = receipt;
        operation[receipt].partner = send;
        if (operation[send].bytes != operation[receipt].bytes)
            return document_wrong(
                runner->goal->document, operation[receipt].at, err, ERR_FIELD_RANGE,
                "a receipt of %" PRIu64 " bytes; expected %" PRIu64 ", which are sent",
                operation[receipt].bytes, operation[send].bytes);
    }
    return true;
}

static bool match(struct runner *runner, struct err *err)
{
    const struct goal *goal = runner->goal;
    struct end *end = calloc(goal->operations + 1, sizeof *end);
    size_t count = 0;
    bool matched = end != NULL || err_no_memory(err, "%zu operations", goal->operations);
    for (size_t k = 0; matched && k < goal->operations; k++) {
        const struct goal_operation *at = &goal->operation[k];
        bool receives = at->kind == GOAL_RECV;
        if (at->kind != GOAL_CALC)
            end[count++] = (struct end){receives ? at->peer : at->rank,
                                        receives ? at->rank : at->peer,
                                        at->tag,
                                        receives,
                                        at->bytes,
                                        k};
    }
    if (count > 0)
        qsort(end, count, sizeof *end, by_end);
    for (size_t k = 0, next; matched && k < count; k = next) {
        for (next = k + 1; next < count && by_connection(&end[k], &end[next]) == 0; next++)
            ;
        matched = match_connection(runner, &end[k], next - k, err);
    }
    free(end);
    return matched;
}

/* -- packets ------------------------------------------------------------------------------------*/

#define SEVERAL (GOAL_NONE - 1)

/* Records that an operation requires a receipt, or a calculation of one. */
static void inherit(struct goal *goal, size_t from, struct goal_operation *to)
{
    const struct goal_operation *before = &goal->operation[from];
    size_t receipt = before->kind == GOAL_RECV ? from : before->from;
    if (before->kind == GOAL_SEND || receipt == GOAL_NONE || to->from == SEVERAL)
        return;
    const struct goal_operation *of = receipt != SEVERAL ? &goal->operation[receipt] : NULL;
    if (to->kind == GOAL_SEND && (of == NULL || of->tag != to->tag || of->bytes != to->bytes))
        return;
    if (to->kind != GOAL_RECV)
        to->from = to->from == GOAL_NONE || to->from == receipt ? receipt : SEVERAL;
}

/* Finds the receipt that each send forwards: the only one that it requires, directly or by
 * calculations, with the same tag and size. E206 for a circle of requirements. */
static bool find_forwards(struct runner *runner, struct err *err)
{
    struct goal *goal = runner->goal;
    size_t count = 0;
    for (size_t k = 0; k < goal->operations; k++) {
        runner->progress[k].missing = goal->operation[k].missing;
        if (goal->operation[k].missing == 0)
            runner->order[count++] = k;
    }
    for (size_t done = 0; done < count; done++)
        for (size_t e = goal->operation[runner->order[done]].edge; e != GOAL_NONE;
             e = goal->edge[e].next) {
            const struct goal_edge *edge = &goal->edge[e];
            if (!edge->immediate)
                inherit(goal, runner->order[done], &goal->operation[edge->to]);
            if (--runner->progress[edge->to].missing == 0)
                runner->order[count++] = edge->to;
        }
    for (size_t k = 0; k < goal->operations; k++)
        if (runner->progress[k].missing > 0)
            return document_wrong(goal->document, goal->operation[k].at, err, ERR_ORDER,
                                  "an operation that requires itself in a circle; expected none");
    return true;
}

/* A send that forwards nothing. */
struct begin {
    uint32_t tag, rank, peer;
    uint32_t to; /* the peer, if each packet goes to one rank */
    uint64_t bytes, repeat;
    size_t operation;
};

static int by_peer(const void *left, const void *right)
{
    const struct begin *a = left, *b = right;
    int order = compare_then(COMPARE(a->tag, b->tag), COMPARE(a->rank, b->rank));
    order = compare_then(order, COMPARE(a->bytes, b->bytes));
    return compare_then(
        order, compare_then(COMPARE(a->peer, b->peer), COMPARE(a->operation, b->operation)));
}

static int by_packet(const void *left, const void *right)
{
    const struct begin *a = left, *b = right;
    int order = compare_then(COMPARE(a->tag, b->tag), COMPARE(a->rank, b->rank));
    order = compare_then(order, COMPARE(a->bytes, b->bytes));
    return compare_then(order, compare_then(COMPARE(a->to, b->to), COMPARE(a->repeat, b->repeat)));
}

/* Numbers the packets: sends of a rank with the same tag and size are of one packet, the k-th ones
 * to each rank of the k-th packet. If the expected collective sends each packet to one rank, sends
 * to different ranks are of different packets. A number is the tag, plus 2³² for each further
 * packet of it. */
static bool number_packets(struct runner *runner, struct err *err)
{
    struct goal *goal = runner->goal;
    struct begin *begin = calloc(goal->operations + 1, sizeof *begin);
    size_t count = 0;
    if (begin == NULL)
        return err_no_memory(err, "%zu operations", goal->operations);
    for (size_t k = 0; k < goal->operations; k++) {
        struct goal_operation *at = &goal->operation[k];
        at->from = at->from == SEVERAL ? GOAL_NONE : at->from;
        if (at->kind == GOAL_SEND && at->from == GOAL_NONE)
            begin[count++] = (struct begin){
                at->tag,   at->rank, at->peer, runner->transfers->apart ? at->peer : 0,
                at->bytes, 0,        k};
    }
    if (count > 0)
        qsort(begin, count, sizeof *begin, by_peer);
    for (size_t k = 1; k < count; k++) {
        struct begin before = begin[k - 1];
        before.operation = begin[k].operation;
        begin[k].repeat = by_peer(&before, &begin[k]) == 0 ? before.repeat + 1 : 0;
    }
    if (count > 0)
        qsort(begin, count, sizeof *begin, by_packet);
    for (size_t k = 0; k < count; k++) {
        uint64_t number = begin[k].tag;
        if (k > 0 && begin[k - 1].tag == begin[k].tag)
            number = goal->operation[begin[k - 1].operation].number +
                     ((uint64_t)(by_packet(&begin[k - 1], &begin[k]) != 0) << 32);
        goal->operation[begin[k].operation].number = number;
    }
    free(begin);
    return true;
}

/* -- rounds -------------------------------------------------------------------------------------*/

static void push(struct runner *runner, size_t send)
{
    const struct progress *own = &runner->progress[send];
    const struct progress *other = &runner->progress[runner->goal->operation[send].partner];
    uint64_t ready = other->posted ? MAX(own->ready, other->ready) : own->ready;
    heap_push(&runner->heap, (uint64_t)!other->posted << 63 | ready, send);
}

/* Counts down what operations require: all that require one that has ended, or begun. */
static void release(struct runner *runner, size_t which, bool immediate, uint64_t round)
{
    const struct goal *goal = runner->goal;
    for (size_t e = goal->operation[which].edge; e != GOAL_NONE; e = goal->edge[e].next) {
        struct progress *to = &runner->progress[goal->edge[e].to];
        if (goal->edge[e].immediate != immediate)
            continue;
        to->ready = MAX(to->ready, round);
        if (--to->missing == 0)
            runner->order[runner->stacked++] = goal->edge[e].to;
    }
}

static void finish(struct runner *runner, size_t which, uint64_t round)
{
    runner->progress[which].done = true;
    runner->ended++;
    release(runner, which, false, round);
}

/* Begins the operations of the stack: all that they require has ended. */
static void begin_all(struct runner *runner)
{
    while (runner->stacked > 0) {
        size_t which = runner->order[--runner->stacked];
        const struct goal_operation *at = &runner->goal->operation[which];
        struct progress *progress = &runner->progress[which];
        progress->posted = true;
        if (at->kind == GOAL_SEND) {
            push(runner, which);
            continue;
        }
        release(runner, which, true, progress->ready);
        const struct progress *send = at->kind == GOAL_RECV ? &runner->progress[at->partner] : NULL;
        if (send == NULL || send->done)
            finish(runner, which, MAX(progress->ready, send != NULL ? send->ready : 0));
        else if (send->posted)
            push(runner, at->partner);
    }
}

/* Places a message, and appends it to the list. */
static bool place(struct runner *runner, size_t which, struct err *err)
{
    const struct goal_operation *at = &runner->goal->operation[which];
    struct progress *own = &runner->progress[which], *other = &runner->progress[at->partner];
    const struct transfer transfer = {at->rank, at->peer, 1};
    struct listed entry = {.source = at->rank, .destination = at->peer, .line = at->line};
    if (!rounds_place(&runner->rounds, transfer, own->ready + 1, &own->ready, err))
        return false;
    if (at->from != GOAL_NONE)
        own->label = runner->progress[runner->goal->operation[at->from].partner].label;
    else if (!transfers_number(runner->transfers, at->at, at->number, &own->label, err))
        return false;
    entry.time = own->ready;
    entry.label = own->label;
    release(runner, which, true, own->ready - 1);
    finish(runner, which, own->ready);
    if (other->posted)
        finish(runner, at->partner, MAX(other->ready, own->ready));
    return transfers_add(runner->transfers, at->at, &entry, err);
}

static bool run_all(struct runner *runner, struct err *err)
{
    const struct goal *goal = runner->goal;
    for (size_t k = 0; k < goal->operations; k++) {
        runner->progress[k] = (struct progress){.missing = goal->operation[k].missing};
        if (goal->operation[k].missing == 0)
            runner->order[runner->stacked++] = k;
    }
    begin_all(runner);
    while (runner->heap.count > 0) {
        size_t send = heap_pop(&runner->heap);
        if (runner->progress[send].done)
            continue; /* it was placed before its receipt began */
        if (!place(runner, send, err))
            return false;
        begin_all(runner);
    }
    for (size_t k = 0; runner->ended < goal->operations && k < goal->operations; k++)
        if (runner->progress[k].posted && !runner->progress[k].done)
            return wrong(runner, k, err, "waits for ever; expected no circle of requirements");
    return true;
}

bool goal_schedule(struct goal *goal, enum model model, struct transfers *transfers,
                   struct err *err)
{
    struct runner runner = {.goal = goal, .transfers = transfers};
    size_t operations = goal->operations + 1;
    const struct arena_array arrays[] = {ARENA(runner.progress, operations),
                                         ARENA(runner.order, operations),
                                         ARENA(runner.heap.entry, 2 * operations)};
    runner.memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (runner.memory == NULL)
        return err_no_memory(err, "%zu operations", goal->operations);
    transfers->timed = true;
    bool done = rounds_begin(&runner.rounds, goal->ranks, model, err) && match(&runner, err) &&
                find_forwards(&runner, err) && number_packets(&runner, err) &&
                run_all(&runner, err);
    rounds_free(&runner.rounds);
    free(runner.memory);
    return done;
}
