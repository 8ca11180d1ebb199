/* SPDX-License-Identifier: Apache-2.0 */
/* test_mscclpp_orders: import accepts a plan for MSCCL++ if and only if all its execution orders
 * agree.
 *
 * Random plans of 2 GPUs with 2 blocks each and up to 8 operations, with a fixed seed, are executed
 * here in every order: a block executes its next operation, or a proxy the oldest put or signal
 * that its block has posted. The faults of a plan are
 *
 *     WAITS    some order does not finish
 *     RACES    two uses of a chunk, one a write, occur in both orders
 *     EMPTY    some order reads a chunk that contains nothing
 *     LEFT     a signal is never waited for
 *     TWICE    two packets are written to one chunk
 *
 * Import must reject a plan with a fault, and name a fault that it has; it must accept a plan
 * without, and then the demands are what all orders leave in the outputs. Each verdict must occur a
 * minimum number of times, so that no comparison is void.
 */
#include "sched/base/rng.h"
#include "sched/exchange/operations.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"

#include <stdlib.h>
#include <string.h>

enum { GPUS = 2, BLOCKS = 2, THREADS = 4, MOST = 8, CHUNKS = 8, PLANS = 4000, USES = 32 };

enum { PUT, GET, COPY, SIGNAL, WAIT, PORT_PUT, PORT_SIGNAL, PORT_WAIT, FLUSH, PPKT, UPKT, KINDS };
enum { WAITS = 1, RACES = 2, EMPTY = 4, LEFT = 8, TWICE = 16 };

/* The chunks of a GPU: 0 input, 1 and 2 output, 3 scratch. */
struct operation {
    int kind;
    unsigned from, to; /* chunks of both GPUs, 4 each */
};

struct plan {
    struct operation operation[THREADS][MOST];
    unsigned count[THREADS];
};

/* A state of an execution. Thread t is block t % 2 of GPU t / 2. */
struct state {
    unsigned at[THREADS], head[THREADS]; /* operations begun; operations of the proxy done */
    unsigned queue[THREADS][MOST], queued[THREADS];
    int signals[2][THREADS]; /* on memory and port channels, by sender */
    unsigned value[CHUNKS];  /* 1 + the GPU whose input it is; 0: nothing */
    bool packet[CHUNKS];
};

static struct rng rng;
static unsigned faults;
static unsigned order[2 * THREADS * MOST][2 * THREADS * MOST]; /* uses that conflict, in order */
static struct {
    unsigned id, chunk;
    bool writes;
} use[4 * USES];
static unsigned uses, final_value[CHUNKS];
static unsigned long executions;

/* -- random plans -------------------------------------------------------------------------------*/

static unsigned drawn(unsigned count)
{
    return (unsigned)(rng_next(&rng) % count);
}

static void draw_operation(unsigned thread, struct operation *operation)
{
    unsigned own = thread / 2 * 4, other = 4 - own;
    bool empty = drawn(8) == 0; /* may be; most operations read an input */
    operation->kind = drawn(8) == 0 ? PPKT : (int)drawn(KINDS);
    operation->from = own + (empty ? drawn(4) : 0);
    operation->to = other + 1 + drawn(3);
    if (operation->kind == GET) {
        operation->from = other + (empty ? drawn(4) : 0);
        operation->to = own + 1 + drawn(3);
    }
    if (operation->kind == COPY)
        operation->to = own + 1 + drawn(3);
    if (operation->kind == PPKT)
        operation->to = other + 3;
    if (operation->kind == UPKT) {
        operation->from = own + 3;
        operation->to = own + 1 + drawn(2);
    }
}

static void draw(struct plan *plan)
{
    memset(plan, 0, sizeof *plan);
    unsigned count = 2 + drawn(MOST - 1);
    for (unsigned k = 0; k < count; k++) {
        unsigned thread = drawn(THREADS);
        draw_operation(thread, &plan->operation[thread][plan->count[thread]++]);
    }
    /* Half of the plans: a wait for each signal, at the end of the other GPU's block. */
    for (unsigned t = 0; drawn(2) == 0 && t < THREADS; t++)
        for (unsigned k = 0; k < plan->count[t]; k++) {
            unsigned peer = (t + 2) % THREADS;
            int kind = plan->operation[t][k].kind;
            if ((kind == SIGNAL || kind == PORT_SIGNAL) && plan->count[peer] < MOST &&
                count++ < MOST)
                plan->operation[peer][plan->count[peer]++].kind = kind == SIGNAL ? WAIT : PORT_WAIT;
        }
}

/* -- all orders ---------------------------------------------------------------------------------*/

static void use_chunk(unsigned id, unsigned chunk, bool writes)
{
    for (unsigned k = 0; k < uses; k++)
        if (use[k].id != id && use[k].chunk == chunk && (writes || use[k].writes)) {
            order[use[k].id][id] = 1;
            if (order[id][use[k].id] != 0)
                faults |= RACES;
        }
    use[uses].id = id;
    use[uses].chunk = chunk;
    use[uses++].writes = writes;
}

static void move(struct state *state, unsigned id, const struct operation *operation)
{
    use_chunk(id, operation->from, false);
    if (state->value[operation->from] == 0)
        faults |= EMPTY;
    use_chunk(id, operation->to, true);
    state->value[operation->to] = state->value[operation->from];
    if (operation->kind == PPKT) {
        faults |= state->packet[operation->to] ? TWICE : 0;
        state->packet[operation->to] = true;
    }
}

static bool has_proxy(int kind)
{
    return kind == PORT_PUT || kind == PORT_SIGNAL;
}

/* Returns whether a thread can execute its next operation. */
static bool may_go(const struct state *state, const struct plan *plan, unsigned thread)
{
    if (state->at[thread] == plan->count[thread])
        return false;
    const struct operation *operation = &plan->operation[thread][state->at[thread]];
    unsigned peer = (thread + 2) % THREADS;
    switch (operation->kind) {
    case WAIT:
    case PORT_WAIT:
        return state->signals[operation->kind == PORT_WAIT][peer] > 0;
    case FLUSH:
        return state->head[thread] == state->queued[thread];
    case UPKT:
        return state->packet[operation->from];
    default:
        return true;
    }
}

static void go(struct state *state, const struct plan *plan, unsigned thread)
{
    unsigned which = state->at[thread]++, peer = (thread + 2) % THREADS;
    const struct operation *operation = &plan->operation[thread][which];
    int kind = operation->kind;
    if (kind == WAIT || kind == PORT_WAIT)
        state->signals[kind == PORT_WAIT][peer]--;
    else if (kind == SIGNAL)
        state->signals[0][thread]++;
    else if (has_proxy(kind))
        state->queue[thread][state->queued[thread]++] = which;
    else if (kind != FLUSH)
        move(state, thread * MOST + which, operation);
}

static void go_proxy(struct state *state, const struct plan *plan, unsigned thread)
{
    unsigned which = state->queue[thread][state->head[thread]++];
    if (plan->operation[thread][which].kind == PORT_SIGNAL)
        state->signals[1][thread]++;
    else
        move(state, thread * MOST + which, &plan->operation[thread][which]);
}

static void explore(const struct state *state, const struct plan *plan)
{
    bool went = false, ended = true;
    unsigned before = uses;
    for (unsigned t = 0; t < 2 * THREADS; t++) {
        unsigned thread = t % THREADS;
        bool proxy = t >= THREADS;
        struct state next = *state;
        uses = before;
        if (proxy ? state->head[thread] == state->queued[thread] : !may_go(state, plan, thread))
            continue;
        if (proxy)
            go_proxy(&next, plan, thread);
        else
            go(&next, plan, thread);
        went = true;
        explore(&next, plan);
    }
    if (went)
        return;
    executions++;
    for (unsigned t = 0; t < THREADS; t++) {
        ended = ended && state->at[t] == plan->count[t];
        faults |= state->signals[0][t] > 0 || state->signals[1][t] > 0 ? LEFT : 0;
    }
    faults |= ended ? 0 : WAITS;
    memcpy(final_value, state->value, sizeof final_value);
}

/* -- the text -----------------------------------------------------------------------------------*/

static void write_operand(FILE *to, const char *key, unsigned chunk, unsigned gpu)
{
    static const char *const own[] = {"i", "o", "o", "s"};
    static const unsigned index[] = {0, 0, 1, 0}, remote[] = {0, 1, 1, 2};
    if (chunk / 4 == gpu)
        fprintf(to, ", \"%s\": [{\"type\": \"%s\", \"index\": %u, \"size\": 1}]", key,
                own[chunk % 4], index[chunk % 4]);
    else
        fprintf(to, ", \"%s\": [{\"buffer_id\": %u, \"index\": %u, \"size\": 1}]", key,
                remote[chunk % 4], index[chunk % 4]);
}

static void write_block(FILE *to, const struct plan *plan, unsigned thread)
{
    static const char *const name[KINDS] = {"put",    "get",  "copy",  "signal", "wait", "put",
                                            "signal", "wait", "flush", "ppkt",   "upkt"};
    fprintf(to, "%s{\"id\": %u, \"ops\": [", thread % 2 > 0 ? ", " : "", thread % 2);
    for (unsigned k = 0; k < plan->count[thread]; k++) {
        const struct operation *operation = &plan->operation[thread][k];
        int kind = operation->kind;
        bool port = kind >= PORT_PUT && kind <= FLUSH;
        bool moves = kind < SIGNAL || kind == PORT_PUT || kind >= PPKT;
        fprintf(to, "%s\n{\"name\": \"%s\", \"channel_ids\": [0], \"channel_type\": \"%s\"",
                k > 0 ? "," : "", name[kind], port ? "port" : "memory");
        if (moves) {
            write_operand(to, "src_buff", operation->from, thread / 2);
            write_operand(to, "dst_buff", operation->to, thread / 2);
        }
        fputc('}', to);
    }
    fputs("], \"channels\": [", to);
    for (unsigned port = 0; port < 2; port++)
        fprintf(to, "%s{\"channel_type\": \"%s\", \"channel_ids\": [%u]}", port > 0 ? ", " : "",
                port > 0 ? "port" : "memory", thread % 2);
    fputs("], \"remote_buffer_refs\": [{\"access_channel_type\": \"memory\", "
          "\"remote_buffer_ids\": [0, 1, 2]}, {\"access_channel_type\": \"port\", "
          "\"remote_buffer_ids\": [0, 1, 2]}]}",
          to);
}

static char *text_of(const struct plan *plan)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    fputs("{\"name\": \"p\", \"collective\": \"custom\", \"protocol\": \"Simple\", "
          "\"inplace\": false, \"max_message_size\": 18446744073709551615, \"gpus\": [",
          to);
    for (unsigned gpu = 0; gpu < GPUS; gpu++) {
        fprintf(to,
                "%s{\"id\": %u, \"input_chunks\": 1, \"output_chunks\": 2, \"scratch_chunks\": 1, "
                "\"threadblocks\": [",
                gpu > 0 ? ", " : "", gpu);
        for (unsigned block = 0; block < BLOCKS; block++)
            write_block(to, plan, gpu * 2 + block);
        fprintf(to,
                "], \"channels\": [{\"channel_type\": \"memory\", \"connected_to\": [%u, %u]}, "
                "{\"channel_type\": \"port\", \"connected_to\": [%u, %u]}], \"remote_buffers\": [",
                1 - gpu, 1 - gpu, 1 - gpu, 1 - gpu);
        for (unsigned which = 0; which < 3; which++)
            fprintf(to, "%s{\"rank\": %u, \"type\": \"%c\"}", which > 0 ? ", " : "", 1 - gpu,
                    "ios"[which]);
        fputs("]}", to);
    }
    fputs("]}\n", to);
    fclose(to);
    return text;
}

/* -- comparison ---------------------------------------------------------------------------------*/

/* Returns the fault that a message names; 0: none. */
static unsigned named(const struct err *err)
{
    static const struct {
        const char *text;
        unsigned fault;
    } texts[] = {{"waits for ever", WAITS},
                 {"they race", RACES},
                 {"has nothing yet", EMPTY},
                 {"expected as many waits", LEFT},
                 {"where another one was written", TWICE}};
    for (unsigned k = 0; err->code == ERR_ORDER && k < sizeof texts / sizeof *texts; k++)
        if (strstr(err->text, texts[k].text) != NULL)
            return texts[k].fault;
    return 0;
}

/* Checks that the demands of a schedule are the inputs that the outputs contain. */
static void check_demands(const struct schedule *schedule)
{
    for (uint32_t gpu = 0; gpu < GPUS; gpu++) {
        unsigned value = 2 - gpu; /* of the other GPU */
        bool has = final_value[4 * gpu + 1] == value || final_value[4 * gpu + 2] == value;
        bool wants = false;
        for (uint32_t packet = 1; packet <= schedule->packets; packet++) {
            const struct demand *demand = schedule_demand_of(schedule, packet);
            wants = wants || (demand->source == 1 - gpu && demand_wants(demand, gpu));
        }
        assert_int_equal(has, wants);
    }
}

static void test_orders(void **state)
{
    unsigned seen[32] = {0}, accepted = 0, idle = 0;
    (void)state;
    rng = (struct rng){20261127};
    for (unsigned k = 0; k < PLANS; k++) {
        struct plan plan;
        struct state begin = {.value = {1, 0, 0, 0, 2, 0, 0, 0}};
        struct schedule schedule = {0};
        struct err err = {0};
        draw(&plan);
        char *text = text_of(&plan);
        memset(order, 0, sizeof order);
        faults = uses = 0;
        explore(&begin, &plan);
        bool read = exchange_lab_read("mscclpp", text, MODEL_SEND_RECEIVE, &schedule, &err);
        unsigned fault = named(&err);
        if (faults != 0 ? (fault & faults) == 0 : !read && err.code != ERR_DEMAND)
            fail_msg("plan %u has faults %#x; import: %s\n%s", k, faults, read ? "ok" : err.text,
                     text);
        if (read) {
            struct verify_report report;
            assert_true(verify_schedule("plan", &schedule, &report, &err));
            check_demands(&schedule);
        }
        seen[fault]++;
        accepted += read;
        idle += !read && fault == 0;
        schedule_free(&schedule);
        free(text);
    }
    print_message(
        "%lu orders; %u accepted, %u without demands; wait %u, race %u, empty %u, signals "
        "%u, twice %u\n",
        executions, accepted, idle, seen[WAITS], seen[RACES], seen[EMPTY], seen[LEFT], seen[TWICE]);
    assert_true(accepted >= 20 && idle >= 20 && seen[WAITS] >= 20 && seen[RACES] >= 20);
    assert_true(seen[EMPTY] >= 20 && seen[LEFT] >= 20 && seen[TWICE] >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_orders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
