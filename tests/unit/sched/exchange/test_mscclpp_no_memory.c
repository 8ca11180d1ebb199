/* SPDX-License-Identifier: Apache-2.0 */
/* test_mscclpp_no_memory: plans of MSCCL++, read without memory.
 *
 * Plans of 2 GPUs with each kind of operation (puts and signals by memory and port channels,
 * packets, barriers, semaphores, combinations, pipelines) are read with each allocation failing in
 * turn. Reading must report E104 and release all its memory; without a failure it must find the
 * transfers, whose number is stated beside the plan. Arrays of the reader have room for 16 entries
 * at first, and for 48 then. Each plan is therefore read with 0 … 16 copies before its operations,
 * with 0 or 1 operand more, and with blocks and semaphores before its own, so that each operation
 * is in turn the one for which an array grows.
 *
 * tags: no-memory
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/no_memory.h"
#include "tests/support/no_memory_each.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

/* The texts have ' for ", so that they are legible. Operands: chunks of an own buffer, and of the
 * other GPU's buffers (i, o, s: 0, 1, 2). */
#define OWN(type, index, size) "{'type':'" type "','index':" #index ",'size':" #size "}"
#define FAR(id, index, size) "{'buffer_id':" #id ",'index':" #index ",'size':" #size "}"
#define MOVE(name, channel, from, to)                                                   \
    "{'name':'" name "','src_buff':[" from "],'dst_buff':[" to "],'channel_ids':[0,0]," \
    "'channel_type':'" channel "'}"
#define ON(name, channel) "{'name':'" name "','channel_ids':[0],'channel_type':'" channel "'}"
#define PUT(name, channel) MOVE(name, channel, OWN("i", 0, 1), FAR(1, 0, 1))
#define COPY MOVE("copy", "none", OWN("o", 0, 1), OWN("s", 0, 1))
#define BARRIER "{'name':'barrier','barrier_id':3,'num_threadblocks':2}"
#define SEMAPHORE(name) "{'name':'sem_" name "','semaphore_ids':[0]}"

static const struct plan {
    const char *name, *collective;
    bool in_place;
    const char *block[2][2]; /* operations of the blocks of each GPU; NULL: no block */
    unsigned transfers;
} plans[] = {
    {"puts, signals and a flush by a proxy",
     "custom",
     false,
     {{PUT("put", "port") "," ON("signal", "port") "," ON("flush", "port") "," MOVE(
          "pwsf", "port", OWN("i", 1, 1), FAR(1, 1, 1))},
      {ON("wait", "port") "," ON("wait", "port") "," COPY}},
     2},
    {"only a signal by a proxy, and a put by memory",
     "custom",
     false,
     {{ON("flush", "port") "," PUT("put", "memory") "," ON("signal", "memory") "," ON("wait",
                                                                                      "port")},
      {ON("wait", "memory") "," COPY "," ON("signal", "port")}},
     1},
    {"a signal by a proxy",
     "custom",
     false,
     {{ON("signal", "port") "," ON("wait", "port")},
      {MOVE("get", "memory", FAR(0, 0, 1), OWN("o", 0, 1)) "," ON("signal",
                                                                  "port") "," ON("wait", "port")}},
     1},
    {"packets, which a proxy sends on",
     "custom",
     false,
     {{MOVE("cpkt", "none", OWN("i", 0, 1), OWN("s", 1, 1)) "," MOVE("rppkt", "port",
                                                                     OWN("s", 1, 1), FAR(2, 0, 1))},
      {MOVE("upkt", "none", OWN("s", 0, 1), OWN("o", 0, 1))}},
     1},
    {"a packet that is written twice at once, and read once",
     "custom",
     false,
     {{MOVE("cpkt", "none", OWN("i", 0, 1), OWN("s", 0, 1) "," FAR(2, 0, 1))},
      {MOVE("upkt", "none", OWN("s", 0, 1), OWN("o", 0, 1))}},
     1},
    {"a barrier and a relaxed signal",
     "custom",
     false,
     {{PUT("put", "memory") "," ON("signal", "memory") "," ON("rlxsignal", "memory")},
      {ON("wait", "memory") "," ON("rlxwait", "memory") "," BARRIER, BARRIER "," COPY}},
     1},
    {"a semaphore",
     "custom",
     false,
     {{PUT("put", "memory") "," ON("signal", "memory")},
      {ON("wait", "memory") "," SEMAPHORE("release"), SEMAPHORE("acquire") "," COPY}},
     1},
    {"a pipeline, and a get",
     "custom",
     false,
     {{"{'name':'pipeline','ops':[" PUT("put", "memory") "," ON("signal", "memory") "]}"},
      {ON("wait", "memory") "," MOVE("get", "memory", FAR(0, 1, 1), OWN("o", 1, 1))}},
     2},
    {"an all-reduce by packets",
     "allreduce",
     true,
     {{MOVE("ppkt", "memory", OWN("i", 0, 2), FAR(2, 0, 2)) "," MOVE(
          "repkt", "none", OWN("i", 0, 2) "," OWN("s", 0, 2), OWN("i", 0, 2))},
      {MOVE("ppkt", "memory", OWN("i", 0, 2), FAR(2, 0, 2)) "," MOVE(
          "repkt", "none", OWN("i", 0, 2) "," OWN("s", 0, 2), OWN("i", 0, 2))}},
     4},
    {"a combination of what is read and what is put",
     "custom",
     false,
     {{MOVE("rre", "memory", OWN("i", 0, 1) "," FAR(0, 0, 1), FAR(1, 0, 1)) "," ON("signal",
                                                                                   "memory")},
      {ON("wait", "memory") "," COPY}},
     2},
};

/* What comes before the operations of a plan. */
struct before {
    unsigned copies; /* operations of its first block */
    bool two;        /* the last of them has two destinations */
    unsigned blocks; /* of GPU 0, without operations */
    unsigned semaphores;
};

static void write_copies(FILE *to, const struct before *before)
{
    for (unsigned k = 0; k < before->copies; k++)
        fprintf(to, "%s,",
                before->two && k + 1 == before->copies
                    ? MOVE("copy", "none", OWN("i", 0, 1), OWN("s", 2, 1) "," OWN("s", 3, 1))
                    : MOVE("copy", "none", OWN("i", 0, 1), OWN("s", 2, 1)));
}

static char *text_of(const struct plan *plan, const struct before *before)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    fprintf(to, "{'collective':'%s','inplace':%s,'gpus':[", plan->collective,
            plan->in_place ? "true" : "false");
    for (unsigned gpu = 0; gpu < 2; gpu++) {
        unsigned id = 0;
        fprintf(to,
                "%s{'id':%u,'input_chunks':2,'output_chunks':%u,'scratch_chunks':4,"
                "'semaphores':[{'init_value':0}",
                gpu > 0 ? ",\n " : "", gpu, plan->in_place ? 0 : 2);
        for (unsigned k = 0; k < before->semaphores; k++)
            fputs(",{'init_value':0}", to);
        fputs("],'threadblocks':[", to);
        for (; gpu == 0 && id < before->blocks; id++)
            fprintf(to, "%s{'id':%u,'ops':[]}", id > 0 ? "," : "", id);
        for (unsigned block = 0; block < 2 && plan->block[gpu][block] != NULL; block++, id++) {
            fprintf(to, "%s{'id':%u,'ops':[", id > 0 ? "," : "", id);
            if (gpu == 0 && block == 0)
                write_copies(to, before);
            fprintf(to,
                    "%s],'channels':[{'channel_type':'memory','channel_ids':[0]},"
                    "{'channel_type':'port','channel_ids':[0]}],'remote_buffer_refs':["
                    "{'access_channel_type':'memory','remote_buffer_ids':[0,1,2]},"
                    "{'access_channel_type':'port','remote_buffer_ids':[0,1,2]}]}",
                    plan->block[gpu][block]);
        }
        fprintf(to,
                "],'channels':[{'channel_type':'memory','connected_to':[%u]},"
                "{'channel_type':'port','connected_to':[%u]}],'remote_buffers':["
                "{'rank':%u,'type':'i'},{'rank':%u,'type':'o'},{'rank':%u,'type':'s'}]}",
                1 - gpu, 1 - gpu, 1 - gpu, 1 - gpu, 1 - gpu);
    }
    fputs("]}\n", to);
    fclose(to);
    for (char *at = text; (at = strchr(at, '\'')) != NULL;)
        *at = '"';
    return text;
}

struct given {
    const char *text;
    size_t transfers;
};

static bool read_text(void *context, struct err *err)
{
    const struct given *given = context;
    const struct exchange_reading how = {.model = MODEL_SEND_RECEIVE};
    const struct exchange_format *format = &exchange_mscclpp;
    struct schedule schedule = {0};
    FILE *from = fmemopen((void *)(uintptr_t)given->text, strlen(given->text), "r");
    assert_non_null(from);
    const bool read = exchange_load_from(from, "file", &how, &format, &schedule, err);
    if (read)
        assert_int_equal(schedule.transfer_count, given->transfers);
    schedule_free(&schedule);
    fclose(from);
    return read;
}

/* Reads a text with each allocation failing in turn. Returns the number of failures. */
static unsigned try_all(const char *text, unsigned transfers)
{
    struct given given = {text, transfers};
    return no_memory_each(read_text, &given);
}

static void try_plans(const struct before *before)
{
    for (unsigned which = 0; which < sizeof plans / sizeof *plans; which++) {
        char *text = text_of(&plans[which], before);
        running("%s, after %u copies", plans[which].name, before->copies);
        assert_true(try_all(text, plans[which].transfers) > 20);
        free(text);
    }
}

static void test_copies(void **state)
{
    (void)state;
    no_memory_prepare();
    for (unsigned copies = 0; copies <= 16; copies++)
        for (unsigned two = 0; two < (copies > 0 ? 2 : 1); two++)
            try_plans(&(struct before){.copies = copies, .two = two == 1});
}

/* With 15 blocks before it, the first block of GPU 0 is the last thread for which there is room.
 * The counters are 4 channels, and 16 barriers and the semaphores of GPU 0 before the two of a
 * proxy, which are those at 48 and 49, or at 47 and 48. */
static void test_threads_and_counters(void **state)
{
    (void)state;
    no_memory_prepare();
    try_plans(&(struct before){.blocks = 15});
    try_plans(&(struct before){.semaphores = 27});
    try_plans(&(struct before){.semaphores = 26});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_threads_and_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
