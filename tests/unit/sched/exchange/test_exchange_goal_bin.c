/* SPDX-License-Identifier: Apache-2.0 */
/* test_exchange_goal_bin: binary GOAL, as txt2bin of LogGOPSim writes it.
 *
 * The bytes of the smallest file are written by hand; other files are encoded here, from a list of
 * operations, by the layout in goal_bin.h. The expected transfers are stated beside each file. What
 * the exporter writes is read again with the transfers of the text form. Counter-cases: a change of
 * each number that must agree with another one; every file that is cut off; every file with one
 * byte changed, which is read or rejected without an error of memory.
 */
#include "sched/exchange/exchange.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

struct bytes {
    unsigned char at[1024];
    size_t size;
};

/* Writes a number of `width` bytes at an offset. */
static void set(struct bytes *bytes, size_t offset, unsigned width, uint64_t number)
{
    assert_true(offset + width <= sizeof bytes->at);
    for (unsigned k = 0; k < width; k++)
        bytes->at[offset + k] = (unsigned char)(number >> 8 * k);
}

static void put(struct bytes *bytes, unsigned width, uint64_t number)
{
    set(bytes, bytes->size, width, number);
    bytes->size += width;
}

/* An operation, and the ones of its rank that it requires, as bits; those of `begun`: irequires. */
struct operation {
    unsigned rank, kind, peer, bytes, tag, ended, begun;
};

enum { SEND = 1, RECV = 2, CALC = 3 };

/* The roots of a section: the operations that require nothing, or one of them less, or the last
 * operation, too. */
enum roots { ROOTS, FEWER_ROOTS, MORE_ROOTS };

static bool is_root(const struct operation operation[], unsigned count, unsigned k,
                    enum roots roots)
{
    bool last = k + 1 == count;
    if ((operation[k].ended | operation[k].begun) == 0)
        return roots != FEWER_ROOTS || !last;
    return roots == MORE_ROOTS && last;
}

static void put_section(struct bytes *bytes, const struct operation operation[], unsigned count,
                        enum roots roots)
{
    struct bytes appendix = {.size = 0};
    unsigned root_count = 0;
    for (unsigned k = 0; k < count; k++)
        root_count += is_root(operation, count, k, roots);
    put(bytes, 4, count);
    put(bytes, 4, root_count);
    for (unsigned k = 0; k < count; k++)
        if (is_root(operation, count, k, roots))
            put(bytes, 4, k);
    for (unsigned k = 0; k < count; k++) {
        const struct operation *at = &operation[k];
        put(bytes, 4, (unsigned)(__builtin_popcount(at->ended) + __builtin_popcount(at->begun)));
        put(bytes, 1, at->kind);
        put(bytes, 4, at->peer);
        put(bytes, 8, at->bytes);
        put(bytes, 4, at->tag);
        put(bytes, 2, 0);
        for (unsigned begun = 0; begun < 2; begun++) {
            const size_t first = appendix.size / 4;
            for (unsigned j = 0; j < count; j++)
                if ((begun ? operation[j].begun : operation[j].ended) >> k & 1)
                    put(&appendix, 4, j);
            put(bytes, 4, appendix.size / 4 - first);
            put(bytes, 4, first);
        }
    }
    for (size_t k = 0; k < appendix.size; k++)
        put(bytes, 1, appendix.at[k]);
}

/* Encodes operations that are in the order of their ranks; kind 0 ends the list. */
static void encode(struct bytes *bytes, unsigned ranks, const struct operation *operation,
                   enum roots roots)
{
    bytes->size = 0;
    put(bytes, 8, 4223);
    put(bytes, 4, ranks);
    put(bytes, 2, 0);
    for (unsigned k = 0; k < 2 * ranks; k++)
        put(bytes, 8, 0);
    for (unsigned rank = 0; rank < ranks; rank++) {
        unsigned count = 0;
        while (operation[count].kind > 0 && operation[count].rank == rank)
            count++;
        set(bytes, 14 + 16 * rank, 8, bytes->size - 8);
        put_section(bytes, operation, count, count > 1 ? roots : ROOTS);
        set(bytes, 22 + 16 * rank, 8, bytes->size - 8);
        operation += count;
    }
}

static bool read_bytes(const struct bytes *bytes, const struct exchange_format **format,
                       struct schedule *schedule, struct err *err)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(bytes->at, 1, bytes->size, file), bytes->size);
    rewind(file);
    const struct exchange_reading how = {.model = MODEL_SEND_RECEIVE};
    bool read = exchange_load_from(file, "file", &how, format, schedule, err);
    fclose(file);
    return read;
}

static void lists(const struct bytes *bytes, const char *table)
{
    struct schedule schedule = {0};
    struct err err = {0};
    const struct exchange_format *format = NULL;
    support_true(read_bytes(bytes, &format, &schedule, &err), &err);
    assert_string_equal(format->name, "goal-bin");
    char *found = exchange_lab_write("csv", &schedule, NULL);
    assert_string_equal(found, table);
    free(found);
    schedule_free(&schedule);
}

/* Rank 0 sends 8 bytes to rank 1 by tag 1. */
static const unsigned char by_hand[] = {
    0x7f, 0x10, 0, 0, 0, 0, 0, 0, /* 4223 */
    2, 0, 0, 0, 0, 0,             /* ranks, cpu, nic */
    38, 0, 0, 0, 0, 0, 0, 0,      /* rank 0: from byte 8 + 38 on */
    89, 0, 0, 0, 0, 0, 0, 0,      /* to byte 8 + 89 */
    89, 0, 0, 0, 0, 0, 0, 0,      /* rank 1 */
    140, 0, 0, 0, 0, 0, 0, 0,
    /* rank 0: 1 operation; root 0 */
    1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
    /* requires 0; send; to 1; 8 bytes; tag 1; cpu, nic; required by 0 */
    0, 0, 0, 0, 1, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0,
    /* rank 1: 1 operation; root 0; recv; from 0 */
    1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

/* Writes a schedule as binary GOAL. */
static void write_bytes(const struct schedule *schedule, uint64_t size_of_packet, char **text,
                        size_t *size)
{
    struct err err = {0};
    const struct exchange_options options = {.bytes = size_of_packet};
    FILE *file = open_memstream(text, size);
    assert_non_null(file);
    support_true(exchange_write(&exchange_goal_bin, file, "written", schedule, &options, &err),
                 &err);
    fclose(file);
}

static void test_by_hand(void **state)
{
    (void)state;
    struct bytes bytes = {.size = sizeof by_hand};
    struct schedule schedule;
    char *text;
    size_t size;
    memcpy(bytes.at, by_hand, sizeof by_hand);
    lists(&bytes, "round,source,destination,packet\n1,0,1,1\n");
    exchange_lab_schedule("roundcast-schedule 1\nalgorithm a\ntopology complete 2\n"
                          "model send-receive\ndemand 1 0 *\nround 1\n0 1 1\nend 1\n",
                          &schedule);
    write_bytes(&schedule, 8, &text, &size);
    assert_int_equal(size, sizeof by_hand);
    assert_memory_equal(text, by_hand, size);
    free(text);
    schedule_free(&schedule);
}

/* Rank 1 forwards to rank 2, after a calculation. */
static const struct operation chain[] = {{0, SEND, 1, 8, 4, 0, 0},   {1, RECV, 0, 8, 4, 0, 0},
                                         {1, CALC, 0, 100, 0, 1, 0}, {1, SEND, 2, 8, 4, 2, 0},
                                         {2, RECV, 1, 8, 4, 0, 0},   {0}};

static const struct {
    unsigned ranks;
    struct operation operation[8];
    const char *table;
} files[] = {
    /* forwarded: the size and the tag are equal */
    {3,
     {{0, SEND, 1, 8, 4, 0, 0},
      {1, RECV, 0, 8, 4, 0, 0},
      {1, SEND, 2, 8, 4, 1, 0},
      {2, RECV, 1, 8, 4, 0, 0}},
     "round,source,destination,packet\n1,0,1,1\n2,1,2,1\n"},
    /* not forwarded: another tag; the second send requires the end, or the begin, of the receipt */
    {3,
     {{0, SEND, 1, 8, 1, 0, 0},
      {1, RECV, 0, 8, 1, 0, 0},
      {1, SEND, 2, 8, 2, 1, 0},
      {2, RECV, 1, 8, 2, 0, 0}},
     "round,source,destination,packet\n1,0,1,1\n2,1,2,2\n"},
    {3,
     {{0, SEND, 1, 8, 1, 0, 0},
      {1, RECV, 0, 8, 1, 0, 0},
      {1, SEND, 2, 8, 2, 0, 1},
      {2, RECV, 1, 8, 2, 0, 0}},
     "round,source,destination,packet\n1,0,1,1\n1,1,2,2\n"},
    /* a rank without operations; two sends, the second after the first */
    {4,
     {{0, SEND, 3, 8, 7, 0, 0},
      {0, SEND, 1, 8, 7, 1, 0},
      {1, RECV, 0, 8, 7, 0, 0},
      {3, RECV, 0, 8, 7, 0, 0}},
     "round,source,destination,packet\n1,0,3,1\n2,0,1,1\n"},
};

/* A schedule of one node has one section without operations. */
static void test_one_node(void **state)
{
    (void)state;
    struct schedule schedule;
    struct bytes bytes;
    char *text;
    size_t size;
    exchange_lab_schedule("roundcast-schedule 1\nalgorithm a\ntopology complete 1\n"
                          "model send-receive\nend 0\n",
                          &schedule);
    write_bytes(&schedule, 8, &text, &size);
    encode(&bytes, 1, &(struct operation){0}, ROOTS);
    assert_int_equal(size, 14 + 16 + 8);
    assert_int_equal(size, bytes.size);
    assert_memory_equal(text, bytes.at, size);
    free(text);
    schedule_free(&schedule);
}

static void test_files(void **state)
{
    (void)state;
    struct bytes bytes;
    encode(&bytes, 3, chain, ROOTS);
    lists(&bytes, "round,source,destination,packet\n1,0,1,1\n2,1,2,1\n");
    for (unsigned k = 0; k < sizeof files / sizeof *files; k++) {
        encode(&bytes, files[k].ranks, files[k].operation, ROOTS);
        lists(&bytes, files[k].table);
    }
}

static void refuses(const struct bytes *bytes, enum err_code code, const char *part)
{
    struct schedule schedule = {0};
    struct err err = {0};
    const struct exchange_format *format = &exchange_goal_bin;
    assert_false(read_bytes(bytes, &format, &schedule, &err));
    support_error(&err, code, part);
}

/* Changes of `chain`, whose sections begin at 62, 113 and 250; the operation of rank 0 begins at
 * 74, those of rank 1 at 125, 164 and 203, its appendix at 242. */
static const struct {
    size_t offset;
    unsigned width;
    uint64_t number;
    enum err_code code;
    const char *part;
} changes[] = {
    {0, 8, 4222, ERR_VERSION, "file: byte 0: 4222; expected 4223, which begins binary GOAL"},
    {0, 8, 2342, ERR_VERSION, "file: byte 0: a run of LogGOPSim that saves memory has used up"},
    {8, 4, 1, ERR_FIELD_RANGE, "file: byte 8: 1 ranks; expected 2 … 16777216"},
    {8, 4, UINT32_MAX, ERR_FIELD_RANGE, "file: byte 8: 4294967295 ranks"},
    {8, 4, 20, ERR_CUT, "file: byte 301: the file ends in the table of 20 sections"},
    {14, 8, 55, ERR_ORDER, "byte 14: the section of rank 0 begins at 55; expected 54"},
    {30, 8, 54, ERR_ORDER, "byte 30: the section of rank 1 begins at 54; expected 105"},
    {22, 8, 294, ERR_CUT, "byte 22: the section of rank 0 ends at 294; expected at most 293"},
    {22, 8, 61, ERR_FIELD_RANGE, "byte 22: the section of rank 0 ends at 61; expected at least 62"},
    {22, 8, 0, ERR_FIELD_RANGE, "byte 22: the section of rank 0 ends at 0"},
    {62, 4, 2, ERR_FIELD_RANGE, "byte 62: 2 operations and 1 roots, which do not fit a section of"},
    {62, 4, UINT32_MAX, ERR_FIELD_RANGE, "byte 62: 4294967295 operations and 1 roots"},
    {66, 4, UINT32_MAX, ERR_FIELD_RANGE, "byte 62: 1 operations and 4294967295 roots"},
    {78, 1, 4, ERR_SYNTAX, "byte 78: an operation of kind 4; expected 1 (send), 2 (recv) or 3"},
    {78, 1, 0, ERR_SYNTAX, "byte 78: an operation of kind 0"},
    {79, 4, 3, ERR_FIELD_RANGE, "byte 79: rank 3; expected 0 … 2"},
    {79, 4, 0, ERR_SELF_SEND, "byte 79: rank 0 is its own peer"},
    {79, 4, UINT32_MAX, ERR_UNSUPPORTED, "byte 79: -1; expected one rank and one tag"},
    {91, 4, UINT32_MAX, ERR_UNSUPPORTED, "byte 91: -1; expected one rank and one tag"},
    {91, 4, 5, ERR_ORDER, "has no partner; expected as many sends as receipts"},
    {83, 8, 9, ERR_FIELD_RANGE, "byte 125: a receipt of 8 bytes; expected 9, which are sent"},
    {148, 4, 0, ERR_FIELD_RANGE, "byte 242: an appendix of 2 requirements; expected 1"},
    {148, 4, 3, ERR_FIELD_RANGE, "byte 148: 3 requirements from 0 on; expected an appendix of 2"},
    {152, 4, 2, ERR_FIELD_RANGE, "byte 148: 1 requirements from 2 on; expected an appendix of 2"},
    {152, 4, UINT32_MAX, ERR_FIELD_RANGE, "byte 148: 1 requirements from 4294967295 on"},
    {242, 4, 3, ERR_FIELD_RANGE, "byte 242: operation 3; expected one of the 3 of rank 1"},
    {242, 4, 2, ERR_FIELD_RANGE, "byte 164: an operation that waits for 1; expected 0"},
    {121, 4, 1, ERR_ORDER, "byte 121: operation 0, which requires nothing, is missing"},
};

static const struct operation two_sends[] = {{0, SEND, 1, 8, 0, 0, 0},
                                             {0, SEND, 1, 8, 0, 0, 0},
                                             {1, RECV, 0, 8, 0, 0, 0},
                                             {1, RECV, 0, 8, 0, 0, 0},
                                             {0}};

static void test_refused(void **state)
{
    (void)state;
    struct bytes bytes;
    for (unsigned k = 0; k < sizeof changes / sizeof *changes; k++) {
        print_message("change %u\n", k);
        encode(&bytes, 3, chain, ROOTS);
        set(&bytes, changes[k].offset, changes[k].width, changes[k].number);
        refuses(&bytes, changes[k].code, changes[k].part);
    }
    /* a file that a run has used up is recognised, too */
    encode(&bytes, 3, chain, ROOTS);
    set(&bytes, 0, 8, 2342);
    struct schedule schedule = {0};
    struct err err = {0};
    const struct exchange_format *format = NULL;
    assert_false(read_bytes(&bytes, &format, &schedule, &err));
    support_error(&err, ERR_VERSION, "file: byte 0: a run of LogGOPSim that saves memory has used");
    encode(&bytes, 3, chain, MORE_ROOTS);
    refuses(&bytes, ERR_ORDER, "byte 125: a root that requires others; expected 1 roots");
    /* the section of rank 0 begins at 46; its only root is at 54, and its operations at 58 */
    encode(&bytes, 2, two_sends, FEWER_ROOTS);
    refuses(&bytes, ERR_ORDER, "byte 58: operation 1, which requires nothing, is missing");
    encode(&bytes, 3, chain, ROOTS);
    put(&bytes, 1, 0);
    refuses(&bytes, ERR_SYNTAX, "byte 301: 1 byte after the last section; expected none");
    static const struct operation circle[] = {
        {0, CALC, 0, 1, 0, 2, 0}, {0, CALC, 0, 1, 0, 1, 0}, {0}};
    encode(&bytes, 2, circle, ROOTS);
    refuses(&bytes, ERR_ORDER, "requires itself in a circle");
}

static void test_changed(void **state)
{
    (void)state;
    struct bytes whole;
    encode(&whole, 3, chain, ROOTS);
    assert_int_equal(whole.size, 301);
    size_t rejected = 0;
    for (size_t k = 0; k < 2 * whole.size; k++) {
        struct bytes bytes = whole;
        struct schedule schedule = {0};
        struct err err = {0};
        const struct exchange_format *format = &exchange_goal_bin;
        if (k < whole.size)
            bytes.size = k;
        else
            bytes.at[k - whole.size] ^= 0xff;
        if (read_bytes(&bytes, &format, &schedule, &err))
            schedule_free(&schedule);
        else
            rejected++;
        if (k + 1 == whole.size)
            assert_int_equal(rejected, whole.size); /* all that are cut off */
    }
    /* the changes of cpu, nic, a calculation and the begin of no entries are without effect */
    assert_true(rejected > whole.size + whole.size / 2);
}

static void test_round_trips(void **state)
{
    static const struct exchange_lab_asked cases[] = {
        {"total-exchange", 7, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"gather", 7, 2, 3, MODEL_SEND_RECEIVE, 0, NULL},
        {"matching", 22, 8, 3, MODEL_SEND_RECEIVE, 0, NULL},
        {"reduce", 8, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"window-all-reduce", 7, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"traffic", 8, 1, 0, MODEL_SEND_RECEIVE, 0, "moe:6,2"},
    };
    (void)state;
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct schedule schedule, texts, again = {0};
        struct err err = {0};
        char *bytes;
        size_t size;
        exchange_lab_build(&cases[k], &schedule);
        char *text = exchange_lab_write("goal", &schedule, NULL);
        exchange_lab_import("goal", text, cases[k].model, &texts);
        write_bytes(&schedule, 1, &bytes, &size);
        FILE *file = fmemopen(bytes, size, "rb");
        assert_non_null(file);
        support_true(exchange_read(&exchange_goal_bin, file, "file", cases[k].model, &again, &err),
                     &err);
        fclose(file);
        char *expected = exchange_lab_write("csv", &texts, NULL);
        char *found = exchange_lab_write("csv", &again, NULL);
        assert_string_equal(found, expected);
        free(expected);
        free(found);
        free(bytes);
        free(text);
        schedule_free(&schedule);
        schedule_free(&texts);
        schedule_free(&again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),  cmocka_unit_test(test_files),
        cmocka_unit_test(test_one_node), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_changed),  cmocka_unit_test(test_round_trips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
