/* SPDX-License-Identifier: Apache-2.0 */
/* test_exchange_no_memory: files of MSCCL, and lists of transfers, read and written without memory.
 *
 * Schedules of several collectives and sizes, so that arrays grow in different steps of a reader,
 * are written in each format and read with each allocation failing in turn. Reading must report
 * E104, or do without the memory and find all transfers, and release all its memory. Writing in the
 * formats that allocate does so, too: it reports E104, or writes the same text as with memory.
 *
 * tags: no-memory
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/msccl_hand.h"
#include "tests/support/no_memory_each.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

static const char *const formats[] = {"msccl", "csv", "jsonl"};

static const struct exchange_lab_asked asked[] = {
    {"matching", 5, 3, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"total-exchange", 5, 1, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"reduce", 5, 3, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"halving-all-reduce", 4, 4, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"scan", 5, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"exclusive-scan", 6, 1, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"circulant-reduce-scatter", 6, 1, 0, MODEL_SEND_RECEIVE, 0, NULL},
};

struct given {
    const char *format, *text;
    size_t transfers;
};

static bool read_text(void *context, struct err *err)
{
    const struct given *given = context;
    const struct exchange_reading how = {.model = MODEL_SEND_RECEIVE};
    struct schedule schedule = {0};
    const struct exchange_format *format = exchange_find(given->format, false, err);
    FILE *from = fmemopen((void *)(uintptr_t)given->text, strlen(given->text), "r");
    assert_true(format != NULL && from != NULL);
    const bool read = exchange_load_from(from, "file", &how, &format, &schedule, err);
    if (read)
        assert_int_equal(schedule.transfer_count, given->transfers);
    schedule_free(&schedule);
    fclose(from);
    return read;
}

/* Reads a text with each allocation failing in turn. Returns the number of failures. */
static unsigned try_all(const char *format, const char *text, size_t transfers)
{
    struct given given = {format, text, transfers};
    return no_memory_each(read_text, &given);
}

static void test_memory_that_runs_out(void **state)
{
    (void)state;
    for (unsigned which = 0; which < sizeof asked / sizeof *asked; which++) {
        struct schedule schedule;
        exchange_lab_build(&asked[which], &schedule);
        for (unsigned k = 0; k < sizeof formats / sizeof *formats; k++) {
            char *text = exchange_lab_write(formats[k], &schedule, NULL);
            running("%s as %s", asked[which].algorithm, formats[k]);
            assert_true(try_all(formats[k], text, schedule.transfer_count) > 5);
            free(text);
        }
        schedule_free(&schedule);
    }
}

/* Reductions of many sizes, so that the list of the orders of partial results grows at each kind of
 * transfer. */
static void test_orders_of_partial_results(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"reduce", "reduce-broadcast", "window-all-reduce",
                                             "circulant-all-reduce"};
    for (unsigned which = 0; which < sizeof algorithms / sizeof *algorithms; which++)
        for (uint32_t n = 3; n <= 9; n++)
            for (uint32_t m = 1; m <= (which == 1 ? 4 : 2); m++) {
                const struct exchange_lab_asked it = {algorithms[which],  n, m,   0,
                                                      MODEL_SEND_RECEIVE, 0, NULL};
                struct schedule schedule;
                exchange_lab_build(&it, &schedule);
                char *text = exchange_lab_write("msccl", &schedule, NULL);
                assert_true(try_all("msccl", text, schedule.transfer_count) > 5);
                free(text);
                schedule_free(&schedule);
            }
}

/* Lists by hand: rows in any order, names of packets, and one reduction of two packets. */
static void test_lists(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "3,0,2,a\n1,0,1,a\n2,1,3,a\n",
        "0,0,1,a\n0,1,2,b\n0,2,0,c\n1,0,2,d\n1,1,0,e\n1,2,1,f\n2,0,1,g\n2,1,2,h\n2,2,0,i\n",
        "round,src,dst,packet,reduction\n2,1,0,b,0 of *\n1,1,0,a,0 of 0+1\n",
    };
    for (unsigned which = 0; which < sizeof texts / sizeof *texts; which++) {
        size_t rows = 0;
        for (const char *at = texts[which]; *at != '\0'; at++)
            rows += *at == '\n';
        running("list %u", which);
        assert_true(try_all("csv", texts[which], which == 2 ? rows - 1 : rows) > 5);
    }
}

/* A list of flows that take one round each. */
static void test_flows(void **state)
{
    (void)state;
    assert_true(try_all("teccl",
                        "{\"1-Epoch_Duration\": 2e-09,\n\"7-Flows\": [\n"
                        "\"Chunk 0 from 1 traveled over 1->2 in epoch 0\",\n"
                        "\"Chunk 0 from 1 traveled over 2->4 in epoch 1\",\n"
                        "\"Chunk 0 from 4 traveled over 4->1 in epoch 5\"]}\n",
                        3) > 5);
}

/* GPU 1 sends a chunk and forwards eight, so that the arrays of the reader grow in the second half
 * of a step that forwards. */
static char *forwards(void)
{
    struct msccl_hand hand = msccl_hand_begin("custom", 0, 3);
    msccl_hand_gpu(&hand, 1, 1, 8, 0);
    msccl_hand_block(&hand, 0, 2, 0);
    msccl_hand_step(&hand, 0, "s", 'i', 0, 'o', 8, 1);
    for (int k = 0; k < 8; k++)
        msccl_hand_step(&hand, k + 1, "rcs", 'i', k, 'o', k, 1);
    msccl_hand_gpu(&hand, 0, 8, 1, 0);
    msccl_hand_block(&hand, 0, 1, -1);
    for (int k = 0; k < 8; k++)
        msccl_hand_step(&hand, k, "s", 'i', k, 'o', k, 1);
    msccl_hand_gpu(&hand, 2, 1, 9, 0);
    msccl_hand_block(&hand, 0, -1, 1);
    msccl_hand_step(&hand, 0, "r", 'i', 0, 'o', 8, 1);
    for (int k = 0; k < 8; k++)
        msccl_hand_step(&hand, k + 1, "r", 'o', k, 'o', k, 1);
    return msccl_hand_end(&hand);
}

static void test_programs(void **state)
{
    (void)state;
    char *text = forwards();
    assert_true(try_all("msccl", text, 17) > 10);
    free(text);
    text = msccl_hand_answered(true); /* its races are looked for */
    assert_true(try_all("msccl", text, 4) > 10);
    free(text);
}

struct written {
    const struct exchange_format *format;
    const struct schedule *schedule;
    const char *expected;
    char *found; /* as large as the expected text, with its end */
};

static const struct exchange_options options = {.bytes = 8};

static bool write_text(void *context, struct err *err)
{
    const struct written *given = context;
    FILE *to = fmemopen(given->found, strlen(given->expected) + 2, "w");
    assert_non_null(to);
    const bool written = exchange_write(given->format, to, "file", given->schedule, &options, err);
    fclose(to);
    if (written)
        assert_string_equal(given->found, given->expected);
    return written;
}

/* Writes with each allocation failing in turn. Returns the number of failures. */
static unsigned try_writing(const char *name, const struct schedule *schedule)
{
    struct err err = {0};
    char *expected = exchange_lab_write(name, schedule, &options);
    struct written given = {exchange_find(name, true, &err), schedule, expected,
                            calloc(strlen(expected) + 2, 1)};
    assert_true(given.format != NULL && given.found != NULL);
    const unsigned refused = no_memory_each(write_text, &given);
    free(given.found);
    free(expected);
    return refused;
}

static void test_writing(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        struct exchange_lab_asked asked;
    } cases[] = {
        {"ion", {"matching", 5, 3, 0, MODEL_SEND_RECEIVE, 0, NULL}},
        {"goal", {"matching", 5, 3, 0, MODEL_SEND_RECEIVE, 0, NULL}},
        {"goal", {"reduce", 5, 3, 0, MODEL_SEND_RECEIVE, 0, NULL}},
        {"msccl", {"total-exchange", 5, 1, 0, MODEL_SEND_RECEIVE, 0, NULL}},
        {"msccl", {"exclusive-scan", 6, 1, 0, MODEL_SEND_RECEIVE, 0, NULL}},
        {"mscclpp", {"matching", 5, 3, 0, MODEL_SEND_RECEIVE, 0, NULL}},
        {"mscclpp", {"scan", 5, 2, 0, MODEL_SEND_RECEIVE, 0, NULL}},
        {"openoptics", {"matching", 5, 3, 0, MODEL_SEND_RECEIVE, 0, NULL}},
        {"tsnkit", {"matching", 5, 3, 0, MODEL_SEND_RECEIVE, 0, NULL}},
        {"sccl", {"reduce", 5, 3, 0, MODEL_SEND_RECEIVE, 0, NULL}},
        {"mpi-c", {"matching", 5, 3, 0, MODEL_SEND_RECEIVE, 0, NULL}},
        {"mpi-c", {"exclusive-scan", 6, 1, 0, MODEL_SEND_RECEIVE, 0, NULL}},
        {"taprio", {"matching", 5, 3, 0, MODEL_SEND_RECEIVE, 0, NULL}},
    };
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule;
        exchange_lab_build(&cases[which].asked, &schedule);
        running("%s as %s", cases[which].asked.algorithm, cases[which].format);
        assert_true(try_writing(cases[which].format, &schedule) > 0);
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_that_runs_out),
        cmocka_unit_test(test_orders_of_partial_results),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_flows),
        cmocka_unit_test(test_programs),
        cmocka_unit_test(test_writing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
