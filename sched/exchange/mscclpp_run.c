/* SPDX-License-Identifier: Apache-2.0 */
/* mscclpp_run: executes a plan of MSCCL++ once, as early as rounds allow, and checks that no other
 * order of execution differs.
 *
 * Threads make no choices, a post never waits, and one thread at most waits for each counter, so
 * that if one order of execution ends, every order does (G. Kahn 1974). If several threads post to
 * a counter, only the wait for the last post knows which posts precede it. */
#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/base/heap.h"
#include "sched/exchange/msccl_run.h"
#include "sched/exchange/mscclpp_races.h"
#include "sched/exchange/rounds.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NO_THREAD SIZE_MAX

/* What a post stores: the clock of its thread, NULL if it is relaxed, and its round. */
struct posted {
    uint32_t *clock; /* [threads]; owned */
    uint64_t round;
    uint32_t users; /* threads that still wait for it */
};

struct counted {
    struct posted *posted; /* [total] */
    uint32_t count;        /* posts so far */
    size_t waiting;        /* the first thread that waits; NO_THREAD */
};

struct at {
    size_t event;   /* the next event; SIZE_MAX: it has ended */
    uint64_t round; /* in which its last event ended */
    size_t next;    /* another thread that waits for the same counter or packet */
};

/* A chunk that contains a packet. */
struct packet {
    size_t sent;    /* 1 + the event that wrote it; 0: none */
    size_t waiting; /* 1 + the first thread that waits for it; 0: none */
};

struct runner {
    const struct mscclpp *plan;
    struct at *at;           /* [threads] */
    struct counted *counted; /* [counters] */
    struct posted *posted;   /* [all posts] */
    uint32_t **clock;        /* [events]: the clock after an event that wrote packets */
    struct packet *packet;   /* [chunks] */
    struct mscclpp_races races;
    size_t ended;                  /* threads */
    struct msccl_content *content; /* [chunks] */
    struct msccl_value *value;     /* [chunks] */
    struct heap heap;              /* [threads] */
    struct msccl_values values;
    struct rounds rounds;
    void *memory;
};

static void push(struct runner *runner, size_t thread)
{
    if (runner->at[thread].event != SIZE_MAX)
        heap_push(&runner->heap, runner->at[thread].round, thread);
    else
        runner->ended++;
}

/* Continues all threads of a list. */
static void wake(struct runner *runner, size_t thread)
{
    for (size_t next; thread != NO_THREAD; thread = next) {
        next = runner->at[thread].next;
        push(runner, thread);
    }
}

/* -- counters -----------------------------------------------------------------------------------*/

static bool post(struct runner *runner, size_t thread, const struct mscclpp_event *event,
                 struct err *err)
{
    struct counted *counted = &runner->counted[event->counter];
    const struct mscclpp_counter *counter = &runner->plan->counter[event->counter];
    struct posted *posted = &counted->posted[counted->count++];
    bool barrier = counter->counts == MSCCLPP_BARRIER;
    *posted = (struct posted){.round = runner->at[thread].round,
                              .users = barrier ? (uint32_t)runner->plan->threads : 1};
    if (!event->relaxed && (posted->clock = mscclpp_races_clock(&runner->races, thread)) == NULL)
        return err_no_memory(err, "%zu clocks", runner->plan->threads);
    size_t waiting = counted->waiting;
    counted->waiting = NO_THREAD;
    wake(runner, waiting);
    return true;
}

/* Takes over what a counter has stored for a wait. Returns false if the thread must wait. */
static bool take(struct runner *runner, size_t thread, const struct mscclpp_event *event)
{
    const struct mscclpp_counter *counter = &runner->plan->counter[event->counter];
    struct counted *counted = &runner->counted[event->counter];
    struct at *at = &runner->at[thread];
    if (counter->initial + (uint64_t)counted->count < event->to) {
        at->next = counted->waiting;
        counted->waiting = thread;
        return false;
    }
    uint32_t to = event->to - MIN(event->to, counter->initial), from = to - MIN(to, event->width);
    if (counter->shared && counter->counts != MSCCLPP_BARRIER)
        from = to == counter->total ? 0 : to;
    for (uint32_t k = from; k < to; k++) {
        struct posted *posted = &counted->posted[k];
        at->round = MAX(at->round, posted->round);
        if (!event->relaxed)
            mscclpp_races_join(&runner->races, thread, posted->clock);
        if (--posted->users == 0 && !counter->shared) {
            free(posted->clock);
            posted->clock = NULL;
        }
    }
    return true;
}

/* -- contents -----------------------------------------------------------------------------------*/

/* Waits for the packets among the sources of an event. Returns false if one has not been
 * written. */
static bool have_packets(struct runner *runner, size_t thread, const struct mscclpp_event *event)
{
    const struct mscclpp_range *range = &runner->plan->range[event->range];
    for (uint32_t s = 0; s < event->sources; s++)
        for (uint32_t k = 0; range[s].packet && k < event->count; k++) {
            struct packet *packet = &runner->packet[range[s].first + k];
            if (packet->sent > 0)
                continue;
            runner->at[thread].next = packet->waiting > 0 ? packet->waiting - 1 : NO_THREAD;
            packet->waiting = thread + 1;
            return false;
        }
    size_t last = 0;
    uint64_t *round = &runner->at[thread].round;
    for (uint32_t s = 0; s < event->sources; s++)
        for (uint32_t k = 0; range[s].packet && k < event->count; k++) {
            size_t chunk = range[s].first + k, sent = runner->packet[chunk].sent;
            if (sent != last)
                mscclpp_races_join(&runner->races, thread, runner->clock[sent - 1]);
            last = sent;
            *round = MAX(*round, runner->content[chunk].since);
        }
    return true;
}

/* A chunk of each operand of an event that moves. */
struct moving {
    const struct mscclpp_event *event;
    struct mscclpp_use use;
    uint32_t gpu, which;
    uint64_t ready, last; /* the round before it, and that of its last transfer */
};

/* Moves a content between two GPUs: finds its round. */
static bool transfer(struct runner *runner, struct moving *moving, uint32_t from, uint32_t to,
                     struct msccl_content *content, struct err *err)
{
    if (from == to)
        return true;
    const struct transfer moved = {
        .source = from, .destination = to, .packet = (uint32_t)content->value};
    uint64_t ready = MAX(content->since, moving->ready) + 1;
    if (!rounds_place(&runner->rounds, moved, ready, &content->since, err))
        return false;
    moving->last = MAX(moving->last, content->since);
    const struct msccl_move move = {
        .from = from, .to = to, .value = content->value, .round = content->since};
    if (!runner->plan->msccl.combines)
        return true;
    if (!msccl_values_move(&runner->values, &move, content->origin, &content->origin, err))
        return false;
    runner->values.now++;
    msccl_values_arrive(&runner->values, content->origin);
    return true;
}

/* Reads a chunk of each source, and combines what it reads. */
static bool read_sources(struct runner *runner, struct moving *moving, struct msccl_content *result,
                         struct err *err)
{
    const struct mscclpp_event *event = moving->event;
    const struct mscclpp_range *range = &runner->plan->range[event->range];
    moving->use.writes = false;
    for (uint32_t s = 0; s < event->sources; s++) {
        size_t at = range[s].first + moving->which;
        struct msccl_content content = runner->content[at];
        if (!mscclpp_races_use(&runner->races, &moving->use, at, err))
            return false;
        if (content.value == 0)
            return msccl_wrong(&runner->plan->msccl, event->step, err, ERR_ORDER,
                               "reads chunk %" PRIu32 " of an operand, which has nothing yet; "
                               "expected it to come before",
                               moving->which);
        if (!transfer(runner, moving, range[s].gpu, moving->gpu, &content, err))
            return false;
        if (s == 0)
            *result = content;
        else if (!msccl_values_combine(&runner->values, event->step, result, &content, result, err))
            return false;
    }
    return true;
}

/* Writes a content to a chunk of each destination. */
static bool write_destinations(struct runner *runner, struct moving *moving,
                               const struct msccl_content *result, struct err *err)
{
    const struct mscclpp_event *event = moving->event;
    const struct mscclpp_range *range = &runner->plan->range[event->range + event->sources];
    moving->use.writes = true;
    for (uint32_t d = 0; d < event->destinations; d++) {
        size_t at = range[d].first + moving->which;
        struct msccl_content content = *result;
        if (!mscclpp_races_use(&runner->races, &moving->use, at, err) ||
            !transfer(runner, moving, moving->gpu, range[d].gpu, &content, err))
            return false;
        if (runner->content[at].value != content.value)
            runner->content[at] = content; /* an equal value keeps its earlier round */
        if (!range[d].packet)
            continue;
        if (runner->packet[at].sent > 0)
            return msccl_wrong(&runner->plan->msccl, event->step, err, ERR_ORDER,
                               "writes a packet where another one was written: a reader cannot "
                               "distinguish them; expected one packet in each chunk");
        runner->packet[at].sent = moving->use.event;
    }
    return true;
}

/* Continues the threads that wait for the packets that an event wrote. */
static bool send_packets(struct runner *runner, const struct moving *moving, struct err *err)
{
    const struct mscclpp_event *event = moving->event;
    const struct mscclpp_range *range = &runner->plan->range[event->range + event->sources];
    uint32_t **clock = &runner->clock[moving->use.event - 1];
    for (uint32_t d = 0; d < event->destinations; d++) {
        if (!range[d].packet)
            continue;
        if (*clock == NULL &&
            (*clock = mscclpp_races_clock(&runner->races, moving->use.thread)) == NULL)
            return err_no_memory(err, "%zu clocks", runner->plan->threads);
        for (uint32_t k = 0; k < event->count; k++) {
            struct packet *packet = &runner->packet[range[d].first + k];
            size_t waiting = packet->waiting > 0 ? packet->waiting - 1 : NO_THREAD;
            packet->waiting = 0;
            wake(runner, waiting);
        }
    }
    return true;
}

static bool move(struct runner *runner, const struct mscclpp_use *use, struct err *err)
{
    struct at *at = &runner->at[use->thread];
    struct moving moving = {.event = &runner->plan->event[use->event - 1],
                            .use = *use,
                            .gpu = runner->plan->thread[use->thread].gpu,
                            .ready = at->round,
                            .last = at->round};
    for (; moving.which < moving.event->count; moving.which++) {
        struct msccl_content content = {0};
        runner->values.now++;
        if (!read_sources(runner, &moving, &content, err) ||
            !write_destinations(runner, &moving, &content, err))
            return false;
    }
    at->round = moving.last;
    return send_packets(runner, &moving, err);
}

/* Executes events of a thread until one waits, or takes a round. */
static bool run_thread(struct runner *runner, size_t thread, struct err *err)
{
    struct at *at = &runner->at[thread];
    uint64_t began = at->round;
    while (at->event != SIZE_MAX && at->round == began) {
        const struct mscclpp_event *event = &runner->plan->event[at->event];
        bool posts = event->act == MSCCLPP_POSTS, moves = event->act == MSCCLPP_MOVES;
        if (event->act == MSCCLPP_WAITS && !take(runner, thread, event))
            return true;
        if (moves && !have_packets(runner, thread, event))
            return true;
        const struct mscclpp_use use = mscclpp_races_next(&runner->races, thread, at->event);
        at->event = event->next;
        if ((posts && !post(runner, thread, event, err)) || (moves && !move(runner, &use, err)))
            return false;
    }
    push(runner, thread);
    return true;
}

/* -- the whole plan -----------------------------------------------------------------------------*/

/* Reports a thread that waits for ever. Returns false. */
static bool refuse(const struct runner *runner, struct err *err)
{
    static const char *const names[] = {"a signal on channel", "the other blocks at barrier",
                                        "a release of semaphore", "its block", "its puts"};
    const struct mscclpp *plan = runner->plan;
    size_t thread = 0;
    while (thread + 1 < plan->threads && runner->at[thread].event == SIZE_MAX)
        thread++;
    const struct mscclpp_event *event = &plan->event[runner->at[thread].event];
    if (event->act != MSCCLPP_WAITS)
        return msccl_wrong(&plan->msccl, event->step, err, ERR_ORDER,
                           "waits for ever for a packet, which is not written before; expected "
                           "no circle of waits, and a packet for each chunk");
    const struct mscclpp_counter *counter = &plan->counter[event->counter];
    return msccl_wrong(&plan->msccl, event->step, err, ERR_ORDER,
                       "waits for ever for %s %" PRIu32 " of GPU %" PRIu32 ": it waits for %" PRIu32
                       ", of %" PRIu32 " in the plan, and %" PRIu32
                       " came; expected no circle of waits",
                       names[counter->counts], counter->number, counter->gpu, event->to,
                       counter->initial + counter->total,
                       counter->initial + runner->counted[event->counter].count);
}

static bool run_all(struct runner *runner, struct err *err)
{
    for (size_t thread = 0; thread < runner->plan->threads; thread++)
        push(runner, thread);
    while (runner->heap.count > 0)
        if (!run_thread(runner, heap_pop(&runner->heap), err))
            return false;
    return (runner->ended == runner->plan->threads || refuse(runner, err)) &&
           mscclpp_check_signals(runner->plan, err);
}

static void begin(struct runner *runner)
{
    const struct mscclpp *plan = runner->plan;
    struct posted *next = runner->posted;
    for (size_t k = 0; k < plan->threads; k++) {
        runner->at[k] = (struct at){.event = plan->thread[k].first, .next = NO_THREAD};
    }
    for (size_t k = 0; k < plan->counters; k++) {
        runner->counted[k] = (struct counted){.posted = next, .waiting = NO_THREAD};
        next += plan->counter[k].total;
    }
}

/* Replaces the values in the transfers by the numbers of their packets. */
static bool finish(struct runner *runner, struct schedule *schedule, struct err *err)
{
    const struct msccl *msccl = &runner->plan->msccl;
    if (msccl->combines)
        return msccl_partial_schedule(msccl, runner->content, &runner->values, schedule, err);
    return msccl_demand(msccl, runner->content, runner->value, schedule, err) &&
           msccl_name_packets(runner->value, &runner->rounds, err) &&
           rounds_finish(&runner->rounds, schedule, err);
}

bool mscclpp_run(const struct mscclpp *plan, struct schedule *schedule, struct err *err)
{
    struct runner runner = {.plan = plan};
    size_t posts = 1, chunks = plan->msccl.chunks + 1, threads = plan->threads + 1;
    for (size_t k = 0; k < plan->counters; k++)
        posts += plan->counter[k].total;
    const struct arena_array arrays[] = {
        ARENA(runner.at, threads),    ARENA(runner.counted, plan->counters + 1),
        ARENA(runner.posted, posts),  ARENA(runner.clock, plan->events + 1),
        ARENA(runner.packet, chunks), ARENA(runner.content, chunks),
        ARENA(runner.value, chunks),  ARENA(runner.heap.entry, threads)};
    runner.memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (runner.memory == NULL)
        return err_no_memory(err, "%zu threads, %zu chunks", plan->threads, plan->msccl.chunks);
    begin(&runner);
    msccl_fill(&plan->msccl, runner.content, runner.value);
    bool done = rounds_begin(&runner.rounds, plan->msccl.gpus, schedule->model, err) &&
                msccl_values_begin(&plan->msccl, runner.value, &runner.values, err) &&
                mscclpp_races_begin(plan, &runner.races, err) && run_all(&runner, err) &&
                finish(&runner, schedule, err);
    for (size_t k = 0; k < posts; k++)
        free(runner.posted[k].clock);
    for (size_t k = 0; k < plan->events; k++)
        free(runner.clock[k]);
    mscclpp_races_free(&runner.races);
    msccl_values_free(&runner.values);
    rounds_free(&runner.rounds);
    free(runner.memory);
    return done;
}
