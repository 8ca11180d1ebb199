/* SPDX-License-Identifier: Apache-2.0 */
/* test_mscclpp_read: each operation of a plan for MSCCL++, and each rejection.
 *
 * Plans are written by hand for 2 GPUs, from a list of operations for each block; expected numbers
 * of transfers and rejections are stated beside them. Plans that the exporter writes are read again
 * with the same transfers, in no more rounds. test_mscclpp_orders compares verdicts with all orders
 * of execution.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"

#include <stdlib.h>
#include <string.h>

/* Operands: chunks of an own buffer, and of the other GPU's buffers (i, o, s: 0, 1, 2). */
#define OWN(type, index, size) \
    "{\"type\": \"" type "\", \"index\": " #index ", \"size\": " #size "}"
#define FAR(id, index, size) "{\"buffer_id\": " #id ", \"index\": " #index ", \"size\": " #size "}"
#define MOVE(name, channel, from, to)                                            \
    "{\"name\": \"" name "\", \"src_buff\": [" from "], \"dst_buff\": [" to "]," \
    "\"channel_ids\": [0, 0], \"channel_type\": \"" channel "\"}"
#define ON(name, channel) \
    "{\"name\": \"" name "\", \"channel_ids\": [0], \"channel_type\": \"" channel "\"}"
#define PUT MOVE("put", "memory", OWN("i", 0, 1), FAR(1, 0, 1))
#define SIGNAL ON("signal", "memory")
#define WAIT ON("wait", "memory")
#define COPY MOVE("copy", "none", OWN("o", 0, 1), OWN("s", 0, 1))
#define BARRIER(blocks) \
    "{\"name\": \"barrier\", \"barrier_id\": 3, \"num_threadblocks\": " #blocks "}"
#define SEMAPHORE(name) "{\"name\": \"sem_" name "\", \"semaphore_ids\": [0]}"
#define GROUP(id)                                                                               \
    "{\"name\": \"put\", \"src_buff\": [" OWN("i", 0, 2) "], \"dst_buff\": [" FAR(              \
        1, 0,                                                                                   \
        2) "],"                                                                                 \
           "\"channel_ids\": [0], \"channel_type\": \"memory\", \"tbg_info\": {\"tb_id\": " #id \
           ", \"tbg_size\": 2}}"

struct plan {
    const char *name, *collective;
    bool in_place;
    const char *block[2][3]; /* operations of the blocks of each GPU; NULL: no block */
    unsigned transfers;      /* if the plan is accepted */
    enum err_code code;      /* else */
    const char *part;        /* of the message */
};

static const struct plan plans[] = {
    {"put", "custom", false, {{PUT "," SIGNAL}, {WAIT "," COPY}}, 1, 0, NULL},
    {"get",
     "custom",
     false,
     {{MOVE("get", "memory", FAR(0, 0, 2), OWN("o", 0, 2))}, {""}},
     2,
     0,
     NULL},
    {"put by a proxy",
     "custom",
     false,
     {{MOVE("pws", "port", OWN("i", 0, 1), FAR(1, 0, 1))}, {ON("wait", "port") "," COPY}},
     1,
     0,
     NULL},
    {"packets",
     "custom",
     false,
     {{MOVE("ppkt", "memory", OWN("i", 0, 2), FAR(2, 0, 2))},
      {MOVE("upkt", "none", OWN("s", 0, 2), OWN("o", 0, 2))}},
     2,
     0,
     NULL},
    {"packets by a proxy",
     "custom",
     false,
     {{MOVE("cpkt", "none", OWN("i", 0, 1), OWN("s", 1, 1)) "," MOVE("rppkt", "port",
                                                                     OWN("s", 1, 1), FAR(2, 0, 1))},
      {MOVE("upkt", "none", OWN("s", 0, 1), OWN("o", 0, 1))}},
     1,
     0,
     NULL},
    {"pipeline",
     "custom",
     false,
     {{"{\"name\": \"pipeline\", \"ops\": [" PUT "," SIGNAL "], \"iter_context\": {\"unit_size\": "
       "65536, \"num_chunks\": 1}}"},
      {WAIT "," COPY}},
     1,
     0,
     NULL},
    {"blocks that share a chunk: 2 chunks of 2 parts",
     "custom",
     false,
     {{GROUP(0), GROUP(1)}, {""}},
     4,
     0,
     NULL},
    {"all-reduce",
     "allreduce",
     true,
     {{MOVE("rre", "memory", OWN("i", 0, 1) "," FAR(0, 0, 1),
            OWN("s", 0, 1)) "," SIGNAL "," WAIT
                            "," MOVE("copy", "none", OWN("s", 0, 1), OWN("i", 0, 1)) "," MOVE(
                                "get", "memory", FAR(2, 1, 1), OWN("i", 1, 1)) "," SIGNAL "," WAIT},
      {MOVE("rre", "memory", OWN("i", 1, 1) "," FAR(0, 1, 1),
            OWN("s", 1, 1)) "," SIGNAL "," WAIT
                            "," MOVE("copy", "none", OWN("s", 1, 1), OWN("i", 1, 1)) "," MOVE(
                                "get", "memory", FAR(2, 0, 1), OWN("i", 0, 1)) "," SIGNAL
                                                                               "," WAIT}},
     4,
     0,
     NULL},
    {"all-reduce by packets",
     "allreduce",
     true,
     {{MOVE("ppkt", "memory", OWN("i", 0, 2), FAR(2, 0, 2)) "," MOVE(
          "repkt", "none", OWN("i", 0, 2) "," OWN("s", 0, 2), OWN("i", 0, 2))},
      {MOVE("ppkt", "memory", OWN("i", 0, 2), FAR(2, 0, 2)) "," MOVE(
          "repkt", "none", OWN("i", 0, 2) "," OWN("s", 0, 2), OWN("i", 0, 2))}},
     4,
     0,
     NULL},
    {"barrier",
     "custom",
     false,
     {{PUT "," SIGNAL}, {WAIT "," BARRIER(2), BARRIER(2) "," COPY}},
     1,
     0,
     NULL},
    {"semaphore",
     "custom",
     false,
     {{PUT "," SIGNAL}, {WAIT "," SEMAPHORE("release"), SEMAPHORE("acquire") "," COPY}},
     1,
     0,
     NULL},
    {"all releases of two blocks",
     "custom",
     false,
     {{PUT "," SIGNAL},
      {SEMAPHORE("acquire") "," SEMAPHORE("acquire") "," SEMAPHORE("acquire") "," COPY,
       WAIT "," SEMAPHORE("release"), SEMAPHORE("release") "," SEMAPHORE("release")}},
     1,
     0,
     NULL},
    {"one of two releases, which may be that of the other block",
     "custom",
     false,
     {{PUT "," SIGNAL},
      {SEMAPHORE("acquire") "," COPY, WAIT "," SEMAPHORE("release"), SEMAPHORE("release")}},
     0,
     ERR_ORDER,
     "they race"},

    {"no wait", "custom", false, {{PUT}, {COPY}}, 0, ERR_ORDER, "they race"},
    {"no barrier", "custom", false, {{PUT "," SIGNAL}, {WAIT, COPY}}, 0, ERR_ORDER, "they race"},
    {"a barrier of one block",
     "custom",
     false,
     {{PUT "," SIGNAL}, {WAIT "," BARRIER(1), BARRIER(1) "," COPY}},
     0,
     ERR_ORDER,
     "they race"},
    {"a barrier of three blocks",
     "custom",
     false,
     {{PUT "," SIGNAL}, {WAIT "," BARRIER(3), BARRIER(3) "," COPY}},
     0,
     ERR_ORDER,
     "waits for ever for the other blocks at barrier 3 of GPU 1: it waits for 3, of 2 in the plan"},
    {"no release",
     "custom",
     false,
     {{PUT "," SIGNAL}, {WAIT, SEMAPHORE("acquire") "," COPY}},
     0,
     ERR_ORDER,
     "waits for ever for a release of semaphore 0"},
    {"relaxed signals do not order",
     "custom",
     false,
     {{PUT "," ON("rlxsignal", "memory")}, {ON("rlxwait", "memory") "," COPY}},
     0,
     ERR_ORDER,
     "GPU 1, block 0, step 1: reads chunk 0 of buffer o of GPU 1, and GPU 0, block 0, step 0 "
     "writes it"},
    {"a source that changes before the proxy has read it",
     "custom",
     false,
     {{MOVE("put", "port", OWN("i", 0, 1), FAR(1, 0, 1)) "," MOVE("copy", "none", OWN("i", 1, 1),
                                                                  OWN("i", 0, 1))},
      {""}},
     0,
     ERR_ORDER,
     "they race"},
    {"no signal",
     "custom",
     false,
     {{PUT}, {WAIT "," COPY}},
     0,
     ERR_ORDER,
     "waits for ever for a signal on channel 0 of GPU 0: it waits for 1, of 0 in the plan"},
    {"a circle of waits",
     "custom",
     false,
     {{WAIT "," PUT "," SIGNAL}, {WAIT "," SIGNAL}},
     0,
     ERR_ORDER,
     "GPU 0, block 0, step 0: waits for ever"},
    {"no packet",
     "custom",
     false,
     {{PUT}, {MOVE("upkt", "none", OWN("s", 0, 1), OWN("s", 1, 1))}},
     0,
     ERR_ORDER,
     "waits for ever for a packet"},
    {"a signal too many",
     "custom",
     false,
     {{PUT "," SIGNAL "," SIGNAL}, {WAIT "," COPY}},
     0,
     ERR_ORDER,
     "GPU 0 signals 2 times on its memory channel 0 to GPU 1, which waits 1 times"},
    {"an empty chunk",
     "custom",
     false,
     {{MOVE("put", "memory", OWN("s", 0, 1), FAR(1, 0, 1))}, {""}},
     0,
     ERR_ORDER,
     "has nothing yet"},
    {"a contribution twice",
     "allreduce",
     true,
     {{MOVE("rre", "memory", OWN("i", 0, 1) "," FAR(0, 0, 1), OWN("s", 0, 1)) "," MOVE(
          "re", "none", OWN("s", 0, 1) "," OWN("i", 0, 1), OWN("i", 0, 1))},
      {""}},
     0,
     ERR_TWICE,
     "GPU 0"},
    {"another collective",
     "alltoall",
     false,
     {{PUT "," SIGNAL}, {WAIT "," COPY}},
     0,
     ERR_UNMET,
     "is not what the collective says"},
    {"nothing moves", "custom", false, {{""}, {""}}, 0, ERR_DEMAND, "no output"},
    {"a chunk that does not exist",
     "custom",
     false,
     {{MOVE("put", "memory", OWN("i", 1, 2), FAR(1, 0, 2))}, {""}},
     0,
     ERR_FIELD_RANGE,
     "uses chunks 1 … 2 of a buffer of GPU 0; expected some of its 2"},
    {"operands of other sizes",
     "custom",
     false,
     {{MOVE("put", "memory", OWN("i", 0, 2), FAR(1, 0, 1))}, {""}},
     0,
     ERR_FIELD_RANGE,
     "operands differ in size"},
    {"a buffer that does not exist",
     "custom",
     false,
     {{MOVE("put", "memory", OWN("i", 0, 1), FAR(7, 0, 1))}, {""}},
     0,
     ERR_FIELD_RANGE,
     "buffer_id: 7; expected 0 … 2"},
    {"a put with a signal in memory",
     "custom",
     false,
     {{MOVE("pws", "memory", OWN("i", 0, 1), FAR(1, 0, 1))}, {""}},
     0,
     ERR_UNSUPPORTED,
     "expected port"},
    {"a switch", "custom", false, {{ON("signal", "switch")}, {""}}, 0, ERR_UNSUPPORTED, "a switch"},
    {"an operation of a switch",
     "custom",
     false,
     {{"{\"name\": \"glres\"}"}, {""}},
     0,
     ERR_UNSUPPORTED,
     "an operation of a switch"},
    {"an operation that does not exist",
     "custom",
     false,
     {{"{\"name\": \"send\"}"}, {""}},
     0,
     ERR_UNSUPPORTED,
     "operation 'send'"},
    {"no name", "custom", false, {{"{}"}, {""}}, 0, ERR_SYNTAX, "without 'name'"},
    {"an index that is not whole",
     "custom",
     false,
     {{"{\"name\": \"copy\", \"src_buff\": [{\"type\": \"i\", \"index\": 0.5, \"size\": 1}]}"},
      {""}},
     0,
     ERR_FIELD_RANGE,
     "index: 0.5"},
    {"two blocks that wait for one channel",
     "custom",
     false,
     {{PUT "," SIGNAL "," SIGNAL}, {WAIT, WAIT}},
     0,
     ERR_UNSUPPORTED,
     "another block waits"},
    {"two blocks that acquire one semaphore",
     "custom",
     false,
     {{SEMAPHORE("acquire"), SEMAPHORE("acquire")}, {""}},
     0,
     ERR_UNSUPPORTED,
     "another block waits"},
};

static void write_gpu(FILE *to, const struct plan *plan, unsigned gpu)
{
    fprintf(to,
            "%s{\"id\": %u, \"input_chunks\": 2, \"output_chunks\": %u, \"scratch_chunks\": 2, "
            "\"semaphores\": [{\"init_value\": 0}], \"threadblocks\": [",
            gpu > 0 ? ",\n " : "", gpu, plan->in_place ? 0 : 2);
    for (unsigned block = 0; block < 3 && plan->block[gpu][block] != NULL; block++)
        fprintf(to,
                "%s{\"id\": %u, \"ops\": [\n%s], \"channels\": [{\"channel_type\": \"memory\", "
                "\"channel_ids\": [0]}, {\"channel_type\": \"port\", \"channel_ids\": [0]}], "
                "\"remote_buffer_refs\": [{\"access_channel_type\": \"memory\", "
                "\"remote_buffer_ids\": [0, 1, 2]}, {\"access_channel_type\": \"port\", "
                "\"remote_buffer_ids\": [0, 1, 2]}]}",
                block > 0 ? ", " : "", block, plan->block[gpu][block]);
    fprintf(to,
            "], \"channels\": [{\"channel_type\": \"memory\", \"connected_to\": [%u]}, "
            "{\"channel_type\": \"port\", \"connected_to\": [%u]}], \"remote_buffers\": ["
            "{\"rank\": %u, \"type\": \"i\"}, {\"rank\": %u, \"type\": \"o\"}, "
            "{\"rank\": %u, \"type\": \"s\"}]}",
            1 - gpu, 1 - gpu, 1 - gpu, 1 - gpu, 1 - gpu);
}

static char *text_of(const struct plan *plan)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    fprintf(
        to,
        "{\"name\": \"by hand\", \"collective\": \"%s\", \"protocol\": \"LL\", \"inplace\": %s,\n"
        "\"max_message_size\": 18446744073709551615, \"gpus\": [\n",
        plan->collective, plan->in_place ? "true" : "false");
    write_gpu(to, plan, 0);
    write_gpu(to, plan, 1);
    fputs("]}\n", to);
    fclose(to);
    return text;
}

static void test_operations(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof plans / sizeof *plans; k++) {
        char *text = text_of(&plans[k]);
        print_message("%s\n", plans[k].name);
        if (plans[k].part != NULL) {
            exchange_lab_refuses("mscclpp", text, plans[k].code, plans[k].part);
        } else {
            struct schedule schedule;
            exchange_lab_import("mscclpp", text, MODEL_SEND_RECEIVE, &schedule);
            assert_int_equal(schedule.transfer_count, plans[k].transfers);
            schedule_free(&schedule);
        }
        free(text);
    }
}

/* A message names the line and the column of the operation. */
static void test_lines(void **state)
{
    (void)state;
    const struct plan plan = {.collective = "custom",
                              .block = {{PUT ",\n  " SIGNAL}, {"\n\n " COPY "," WAIT}}};
    char *text = text_of(&plan);
    exchange_lab_refuses("mscclpp", text, ERR_ORDER, ":9:2: GPU 1, block 0, step 0: reads");
    free(text);
}

static void test_files(void **state)
{
    (void)state;
    exchange_lab_refuses("mscclpp", "{", ERR_SYNTAX, "expected JSON");
    exchange_lab_refuses("mscclpp", "{}", ERR_VERSION, "no array 'gpus'");
    exchange_lab_refuses("mscclpp", "{\"gpus\": [{}]}", ERR_FIELD_RANGE, "1 GPUs");
    exchange_lab_refuses("mscclpp", "{\"gpus\": [{}, {}]}", ERR_SYNTAX, "'collective'");
    exchange_lab_refuses("mscclpp",
                         "{\"collective\": \"x\", \"inplace\": true, \"gpus\": [{\"id\": 1}, {}]}",
                         ERR_ORDER, "gpus[0]: id 1; expected 0");
    exchange_lab_refuses("mscclpp",
                         "{\"collective\": \"x\", \"inplace\": true, \"gpus\": [{\"id\": 0, "
                         "\"input_chunks\": 1e99}, {}]}",
                         ERR_FIELD_RANGE, "input_chunks: 1e+99");
}

static void test_round_trips(void **state)
{
    static const struct exchange_lab_asked cases[] = {
        {"total-exchange", 7, 1, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"all-gather", 7, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"gather", 7, 2, 3, MODEL_SEND_RECEIVE, 0, NULL},
        {"matching", 8, 3, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"binomial", 9, 2, 0, MODEL_TELEPHONE, 0, NULL},
        {"binomial", 9, 2, 0, MODEL_TELEGRAPH, 0, NULL},
        {"reduce-broadcast", 5, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"window-all-reduce", 7, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"reduce-scatter", 5, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"scan", 9, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
    };
    (void)state;
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct schedule schedule, again;
        exchange_lab_build(&cases[k], &schedule);
        char *text = exchange_lab_write("mscclpp", &schedule, NULL);
        exchange_lab_import("mscclpp", text, cases[k].model, &again);
        exchange_lab_same(&schedule, &again);
        schedule_free(&schedule);
        schedule_free(&again);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_round_trips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
