/* SPDX-License-Identifier: Apache-2.0 */
/* test_mscclpp: plans for MSCCL++ run, and send the packets of the schedule.
 *
 * An executor in this test runs a plan as MSCCL++ does: one block for each GPU puts packets into
 * the buffers of other GPUs, signals, and waits for signals. Jansson parses the plan. Counter-case:
 * in a plan without its waits GPUs send packets that they do not have.
 *
 * Reductions: each chunk of an input is a random number, combining adds them, and every output must
 * be the sum that the collective defines.
 */
#include "sched/base/rng.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { GPUS = 24, CHUNKS = 128, MOVES = 1024 };

struct plan {
    const json_t *ops[GPUS], *peers[GPUS], *remotes[GPUS]; /* of each GPU */
    size_t gpus, at[GPUS];
    int signals[GPUS][GPUS], waited[GPUS][GPUS];
    uint32_t holds[GPUS][3][CHUNKS]; /* packets in i, o and s; 0: none */
    uint64_t sum[GPUS][3][CHUNKS];   /* numbers in i, o and s */
    size_t moves;
    struct transfer move[MOVES];
    bool blocked;
};

static const json_t *first_of(const json_t *object, const char *key)
{
    const json_t *array = json_object_get(object, key);
    assert_true(json_is_array(array) && json_array_size(array) >= 1);
    return json_array_get(array, 0);
}

static size_t integer(const json_t *object, const char *key)
{
    assert_true(json_is_integer(json_object_get(object, key)));
    return (size_t)json_integer_value(json_object_get(object, key));
}

static unsigned buffer_of(const json_t *object)
{
    const char *type = json_string_value(json_object_get(object, "type"));
    assert_non_null(type);
    return type[0] == 'i' ? 0 : type[0] == 'o' ? 1 : 2;
}

/* Returns the number that a chunk of an input contains. */
static uint64_t number_of(size_t gpu, uint32_t chunk)
{
    struct rng rng = {gpu * 1000 + chunk + 1};
    return rng_next(&rng);
}

static void read_plan(const json_t *root, struct plan *plan)
{
    const json_t *gpus = json_object_get(root, "gpus");
    plan->gpus = json_array_size(gpus);
    assert_true(plan->gpus > 0 && plan->gpus <= GPUS);
    for (size_t g = 0; g < plan->gpus; g++) {
        const json_t *gpu = json_array_get(gpus, g), *block = first_of(gpu, "threadblocks");
        assert_int_equal(integer(gpu, "id"), g);
        assert_true(integer(gpu, "input_chunks") <= CHUNKS);
        assert_true(integer(gpu, "scratch_chunks") <= CHUNKS);
        for (uint32_t k = 0; k < integer(gpu, "input_chunks"); k++) {
            plan->holds[g][0][k] = k + 1;
            plan->sum[g][0][k] = number_of(g, k);
        }
        plan->ops[g] = json_object_get(block, "ops");
        plan->peers[g] = json_object_get(first_of(gpu, "channels"), "connected_to");
        plan->remotes[g] = json_object_get(gpu, "remote_buffers");
    }
}

static size_t peer_of(const struct plan *plan, size_t gpu, const json_t *operation, size_t which)
{
    const json_t *channel = json_array_get(json_object_get(operation, "channel_ids"), which);
    assert_true(json_is_integer(channel));
    const json_t *peer = json_array_get(plan->peers[gpu], (size_t)json_integer_value(channel));
    assert_true(json_is_integer(peer));
    return (size_t)json_integer_value(peer);
}

static void put(struct plan *plan, size_t gpu, const json_t *operation)
{
    const json_t *from = first_of(operation, "src_buff"), *to = first_of(operation, "dst_buff");
    const json_t *remote = json_array_get(plan->remotes[gpu], integer(to, "buffer_id"));
    size_t peer = peer_of(plan, gpu, operation, 0);
    assert_int_equal(integer(remote, "rank"), peer);
    uint32_t packet = plan->holds[gpu][buffer_of(from)][integer(from, "index")];
    plan->holds[peer][buffer_of(remote)][integer(to, "index")] = packet;
    plan->sum[peer][buffer_of(remote)][integer(to, "index")] =
        plan->sum[gpu][buffer_of(from)][integer(from, "index")];
    assert_true(plan->moves < MOVES);
    plan->move[plan->moves++] = (struct transfer){(uint32_t)gpu, (uint32_t)peer, packet};
    plan->signals[gpu][peer]++;
}

/* Executes `copy` or `re`: writes the sum of all sources to the destination. */
static void add_up(struct plan *plan, size_t gpu, const json_t *operation)
{
    const json_t *from = json_object_get(operation, "src_buff"),
                 *to = first_of(operation, "dst_buff");
    uint64_t sum = 0;
    for (size_t k = 0; k < json_array_size(from); k++) {
        const json_t *chunk = json_array_get(from, k);
        sum += plan->sum[gpu][buffer_of(chunk)][integer(chunk, "index")];
    }
    plan->sum[gpu][buffer_of(to)][integer(to, "index")] = sum;
}

/* Executes one operation; returns false if its GPU must wait. */
static bool go(struct plan *plan, size_t gpu, const json_t *operation)
{
    const char *name = json_string_value(json_object_get(operation, "name"));
    size_t count = json_array_size(json_object_get(operation, "channel_ids"));
    bool waits = strcmp(name, "wait") == 0;
    for (size_t k = 0; waits && k < count; k++) {
        size_t peer = peer_of(plan, gpu, operation, k);
        if (plan->signals[peer][gpu] <= plan->waited[gpu][peer])
            return false;
    }
    for (size_t k = 0; k < count; k++) {
        size_t peer = peer_of(plan, gpu, operation, k);
        plan->waited[gpu][peer] += waits;
        plan->signals[gpu][peer] += strcmp(name, "signal") == 0;
    }
    if (strcmp(name, "pwsf") == 0)
        put(plan, gpu, operation);
    if (strcmp(name, "re") == 0 || strcmp(name, "copy") == 0)
        add_up(plan, gpu, operation);
    return true;
}

/* Executes a plan, with or without its waits. */
static struct plan *run_plan(char *text, bool with_waits)
{
    struct plan *plan = calloc(1, sizeof *plan);
    json_error_t error;
    char *most = strstr(text, "18446744073709551615"); /* larger than the integers of Jansson */
    assert_non_null(most);
    memset(most, ' ', 19);
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    assert_true(plan != NULL && root != NULL);
    read_plan(root, plan);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t g = 0; g < plan->gpus; g++)
            while (plan->at[g] < json_array_size(plan->ops[g])) {
                const json_t *operation = json_array_get(plan->ops[g], plan->at[g]);
                const char *name = json_string_value(json_object_get(operation, "name"));
                bool skipped = !with_waits && strcmp(name, "wait") == 0;
                if (!skipped && !go(plan, g, operation))
                    break;
                plan->at[g]++;
                changed = true;
            }
    }
    for (size_t g = 0; g < plan->gpus; g++)
        plan->blocked |= plan->at[g] < json_array_size(plan->ops[g]);
    json_decref(root);
    return plan;
}

static const struct exchange_lab_asked cases[] = {
    {"total-exchange", 9, 1, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"all-gather", 7, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"gather", 7, 2, 3, MODEL_SEND_RECEIVE, 0, NULL},
    {"matching", 8, 3, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"scatter", 11, 1, 0, MODEL_SEND_RECEIVE, 0, NULL}, /* more peers than an operation supports */
};

static void test_plans(void **state)
{
    (void)state;
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule;
        exchange_lab_build(&cases[which], &schedule);
        char *text = exchange_lab_write("mscclpp", &schedule, NULL);
        struct plan *plan = run_plan(text, true);
        assert_false(plan->blocked);
        exchange_lab_moves(&schedule, plan->move, plan->moves);
        free(plan);
        free(text);
        schedule_free(&schedule);
    }
}

/* Returns whether a node has a contribution of another one in the result of a packet. */
static bool is_in(const struct demand *demand, uint32_t node, uint32_t of)
{
    const struct reduction *reduction = demand->reduction;
    return !reduction->prefix || of < node || (of == node && !reduction->exclusive);
}

static void test_reductions(void **state)
{
    (void)state;
    static const struct exchange_lab_asked reductions[] = {
        {"reduce", 8, 2, 3, MODEL_SEND_RECEIVE, 0, NULL},
        {"reduce-broadcast", 5, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"window-all-reduce", 7, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"halving-all-reduce", 8, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"reduce-scatter", 5, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"circulant-reduce-scatter", 6, 1, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"scan", 9, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"exclusive-scan", 8, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
    };
    for (unsigned which = 0; which < sizeof reductions / sizeof *reductions; which++) {
        struct schedule schedule;
        exchange_lab_build(&reductions[which], &schedule);
        char *text = exchange_lab_write("mscclpp", &schedule, NULL);
        struct plan *plan = run_plan(text, true);
        unsigned checked = 0;
        assert_false(plan->blocked);
        assert_int_equal(plan->moves, schedule.transfer_count);
        for (uint32_t packet = 1; packet <= schedule.packets; packet++) {
            const struct demand *demand = schedule_demand_of(&schedule, packet);
            for (uint32_t node = 0; node < schedule.nodes; node++) {
                uint64_t sum = 0;
                if (demand->wanted_count > 0 && demand->wanted[0] != node)
                    continue;
                for (uint32_t of = 0; of < schedule.nodes; of++)
                    sum += is_in(demand, node, of) ? number_of(of, packet - 1) : 0;
                assert_int_equal(plan->sum[node][1][packet - 1], sum);
                checked++;
            }
        }
        assert_true(checked >= schedule.packets);
        free(plan);
        free(text);
        schedule_free(&schedule);
    }
}

static void test_without_waits(void **state)
{
    (void)state;
    struct schedule schedule;
    exchange_lab_build(&cases[3], &schedule);
    char *text = exchange_lab_write("mscclpp", &schedule, NULL);
    struct plan *plan = run_plan(text, false);
    unsigned empty = 0;
    for (size_t k = 0; k < plan->moves; k++)
        empty += plan->move[k].packet == 0;
    assert_true(empty > 0);
    free(plan);
    free(text);
    schedule_free(&schedule);
}

/* A node without a peer executes nothing. */
static void test_alone(void **state)
{
    (void)state;
    struct schedule schedule;
    exchange_lab_schedule("roundcast-schedule 1\nalgorithm by hand\ntopology complete 3\n"
                          "model send-receive\ndemand 1 0 1\nround 1\n0 1 1\nend 1\n",
                          &schedule);
    char *text = exchange_lab_write("mscclpp", &schedule, NULL);
    struct plan *plan = run_plan(text, true);
    assert_int_equal(plan->moves, 1);
    assert_int_equal(plan->at[2], 0);
    free(plan);
    free(text);
    schedule_free(&schedule);
}

static void test_too_much(void **state)
{
    (void)state;
    struct schedule schedule;
    exchange_lab_build(
        &(struct exchange_lab_asked){"all-gather", 9, 4, 0, MODEL_SEND_RECEIVE, 0, NULL},
        &schedule);
    exchange_lab_no_write("mscclpp", &schedule, NULL, ERR_TOO_BIG,
                          "operations; expected at most 64");
    schedule_free(&schedule);
    exchange_lab_build(
        &(struct exchange_lab_asked){"gather", 20, 1, 0, MODEL_SEND_RECEIVE, 0, NULL}, &schedule);
    exchange_lab_no_write("mscclpp", &schedule, NULL, ERR_TOO_BIG, "more than 16 peers");
    schedule_free(&schedule);
}

/* Node 0 sends a packet to each of 9 others, and a further one that each of them forwards to node
 * 10. */
static void test_many_buffers(void **state)
{
    (void)state;
    struct schedule schedule;
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    fputs("roundcast-schedule 1\nalgorithm by hand\ntopology complete 12\nmodel send-receive\n",
          to);
    for (int k = 1; k < 10; k++)
        fprintf(to, "demand %d 0 %d\n", k, k);
    fputs("demand 10-18 0 10\n", to);
    for (int k = 1; k < 10; k++)
        fprintf(to, "round %d\n0 %d %d\n", k, k, k);
    for (int k = 1; k < 10; k++) {
        fprintf(to, "round %d\n0 %d %d\n", k + 9, k, k + 9);
        if (k > 1)
            fprintf(to, "%d 10 %d\n", k - 1, k + 8);
    }
    fputs("round 19\n9 10 18\nend 19\n", to);
    fclose(to);
    exchange_lab_schedule(text, &schedule);
    exchange_lab_no_write("mscclpp", &schedule, NULL, ERR_TOO_BIG,
                          "node 0 has more than 16 peers, or buffers of peers");
    free(text);
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plans),         cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_without_waits), cmocka_unit_test(test_alone),
        cmocka_unit_test(test_too_much),      cmocka_unit_test(test_many_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
