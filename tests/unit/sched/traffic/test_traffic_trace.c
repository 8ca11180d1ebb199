/* SPDX-License-Identifier: Apache-2.0 */
/* test_traffic_trace: traffic that is read from the traces that otf2-print prints.
 *
 * Small traces, written by hand, with their expected entries: a node is the rank of a location
 * among all locations of the trace, and the packets follow from the lengths of the sends. Traces
 * of many sends, for which the lists of messages and locations are merged while they are read.
 * A long trace requires as few allocations as a short one with the same pairs. Each allocation
 * fails once, is reported, and leaves nothing allocated.
 * Counter-cases: each part of a send is missing or invalid, and sums that exceed 64 bits.
 *
 * tags: no-memory
 */
#include "sched/base/text.h"
#include "sched/traffic/traffic.h"
#include "sched/traffic/traffic_read.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD "=== OTF2-PRINT ===\n"
#define SEND(from, to, length) \
    "MPI_SEND " from " 5  Receiver: 1 (\"T\" <" to ">), Communicator: 0, Tag: 0, Length: " length
#define LARGEST "18446744073709551615" /* 2^64 - 1 */
#define SENDS 20000u

static char path[] = "/tmp/roundcast-trace-XXXXXX";

/* Reads a trace of `before`, `times` copies of `repeated`, and `after`. */
static bool read_trace(const char *before, const char *repeated, unsigned times, const char *after,
                       struct traffic_scale scale, struct traffic *traffic, struct err *err)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(before, file);
    for (unsigned k = 0; k < times; k++)
        fputs(repeated, file);
    fputs(after, file);
    assert_int_equal(fclose(file), 0);
    return traffic_read_entries(path, scale, 0, traffic, err);
}

/* Compares the entries with a text such as `0>1:5 `. */
static void check_entries(const struct traffic *traffic, uint32_t nodes, const char *expected)
{
    char text[400] = "";
    for (size_t k = 0; k < traffic->count; k++)
        text_append(text, sizeof text, "%" PRIu32 ">%" PRIu32 ":%" PRIu32 " ",
                    traffic->entry[k].source, traffic->entry[k].destination,
                    traffic->entry[k].packets);
    assert_string_equal(text, expected);
    assert_int_equal(traffic->nodes, nodes);
}

static void good_traces(void **state)
{
    (void)state;
    static const struct {
        const char *before, *repeated;
        unsigned times;
        const char *after;
        struct traffic_scale scale;
        uint32_t nodes;
        const char *entries;
    } cases[] = {
        /* one packet per send, whatever its length; the last line has no line feed */
        {HEAD, "", 0, SEND("3", "7", "100"), {0}, 2, "0>1:1 "},
        {HEAD, SEND("3", "7", "100") "\n", 3, "\n", {0}, 2, "0>1:3 "},
        /* blanks before an event, and empty lines, are skipped */
        {HEAD "\n   ", SEND("3", "7", "100") "\n", 1, "", {0}, 2, "0>1:1 "},
        /* lengths are rounded up to packets; a send of no bytes has none, but its nodes count */
        {HEAD, "", 0, SEND("7", "3", "65"), {.packet_bytes = 64}, 2, "1>0:2 "},
        {HEAD, "", 0, SEND("7", "3", "0"), {.packet_bytes = 64}, 2, ""},
        /* a location sends to itself */
        {HEAD, "", 0, SEND("7", "7", "65"), {.packet_bytes = 64}, 1, ""},
        /* events that are no sends only add their locations: 1, 2, 3, 4, 7 */
        {HEAD "MPI_RECV 1 5\nMPI_IRECV 2 5\nMPI_IRECV_REQUEST 4 5\nENTER 0 5\n",
         "",
         0,
         SEND("7", "3", "1"),
         {0},
         5,
         "4>2:1 "},
        /* shares of a total: 3 bytes to 1 */
        {HEAD SEND("0", "1", "3") "\n",
         "",
         0,
         SEND("1", "0", "1"),
         {.total = 8},
         2,
         "0>1:6 1>0:2 "},
        /* a line of more than 4096 bytes that is no event; blanks alone are no event either */
        {HEAD, "ENTER   ", 1000, "\n" SEND("0", "1", "3"), {0}, 2, "0>1:1 "},
        {HEAD, "        ", 1000, "\n" SEND("0", "1", "3"), {0}, 2, "0>1:1 "},
        /* many sends between two locations */
        {HEAD,
         SEND("0", "1", "3") "\n" SEND("1", "0", "3") "\n",
         SENDS,
         "",
         {0},
         2,
         "0>1:20000 1>0:20000 "},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct traffic traffic = {0};
        struct err err = {0};
        support_true(read_trace(cases[k].before, cases[k].repeated, cases[k].times, cases[k].after,
                                cases[k].scale, &traffic, &err),
                     &err);
        check_entries(&traffic, cases[k].nodes, cases[k].entries);
        traffic_free(&traffic);
    }
}

static void bad_traces(void **state)
{
    (void)state;
    static const char receiver[] = ":2: a send without the location of its receiver; expected ";
    static const char length[] = ":2: a send without its length; expected 'Length: BYTES'";
    static const char location[] = ":2: an event without a location; expected its number";
    static const char too_many[] = "the bytes from a location to another exceed 2^64";
    static const struct {
        const char *text;
        unsigned times;
        enum err_code code;
        const char *message;
    } cases[] = {
        {"MPI_SEND 0 5  Receiver: 1 (\"T\" <7>), Length: 3\n", 1, ERR_SYNTAX, receiver},
        {"MPI_SEND 0 5  Receiver: 1, Communicator: 0, Length: 3\n", 1, ERR_SYNTAX, receiver},
        {SEND("0", "x", "3"), 1, ERR_SYNTAX, receiver},
        {SEND("0", "", "3"), 1, ERR_SYNTAX, receiver},
        {SEND("0", "7 ", "3"), 1, ERR_SYNTAX, receiver},
        {SEND("0", "18446744073709551616", "3"), 1, ERR_SYNTAX, receiver},
        {"MPI_ISEND 0 5  Receiver: 1 (\"T\" <7>), Communicator: 0\n", 1, ERR_SYNTAX, length},
        {SEND("0", "7", "x"), 1, ERR_SYNTAX, length},
        {SEND("0", "7", "18446744073709551616"), 1, ERR_SYNTAX, length},
        {"MPI_SEND\n", 1, ERR_SYNTAX, location},
        {"MPI_SEND 0\n", 1, ERR_SYNTAX, location},
        {SEND("x", "7", "3"), 1, ERR_SYNTAX, location},
        {SEND("0,", "7", "3"), 1, ERR_SYNTAX, location},
        {"ENTER 0 5\n", 1, ERR_CUT, ":3: no event of MPI; expected some"},
        /* two sends are added up at the end, many while the trace is read */
        {SEND("0", "7", LARGEST) "\n", 2, ERR_FIELD_RANGE, too_many},
        {SEND("0", "7", LARGEST) "\n", SENDS, ERR_FIELD_RANGE, too_many},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct traffic traffic = {0};
        struct err err = {0};
        assert_false(read_trace(HEAD, cases[k].text, cases[k].times, "",
                                (struct traffic_scale){.total = 8}, &traffic, &err));
        support_error(&err, cases[k].code, cases[k].message);
        assert_null(traffic.entry);
    }
}

/* Returns the number of allocations of a trace of sends between two locations, in both directions.
 */
static uint64_t allocations(unsigned times)
{
    struct traffic traffic = {0};
    struct err err = {0};
    int64_t left;
    no_memory_begin(0, false);
    support_true(read_trace(HEAD, SEND("0", "1", "3") "\n" SEND("1", "0", "3") "\n", times, "",
                            (struct traffic_scale){0}, &traffic, &err),
                 &err);
    traffic_free(&traffic);
    uint64_t calls = no_memory_end(&left);
    assert_int_equal(left, 0);
    return calls;
}

/* Sends and locations are added up while the trace is read, so that the memory depends on the
 * number of pairs, and not on the length of the trace. */
static void long_traces(void **state)
{
    (void)state;
    assert_int_equal(allocations(SENDS), allocations(1));
}

/* 17 locations, of which the last is that of a receiver, exceed the first allocation of 16. */
static void without_memory(void **state)
{
    (void)state;
    static const char trace[] =
        HEAD "MPI_RECV 0 5\n" SEND("1", "2", "3") "\n" SEND("3", "4", "3") "\n" SEND(
            "5", "6",
            "3") "\n" SEND("7", "8",
                           "3") "\n" SEND("9", "10",
                                          "3") "\n" SEND("11", "12",
                                                         "3") "\n" SEND("13", "14",
                                                                        "3") "\n" SEND("15", "16",
                                                                                       "3") "\n";
    struct traffic traffic = {0};
    struct err err = {0};
    int64_t left;
    bool read = false;
    uint64_t number = 0;
    support_true(read_trace(trace, "", 0, "", (struct traffic_scale){0}, &traffic, &err), &err);
    traffic_free(&traffic);
    while (!read) {
        err = (struct err){0};
        no_memory_begin(++number, false);
        read = traffic_read_entries(path, (struct traffic_scale){0}, 0, &traffic, &err);
        no_memory_end(&left);
        if (read)
            break;
        assert_int_equal(left, 0);
        assert_true(err.code == ERR_TOO_BIG || err.code == ERR_READ); /* fopen fails, too */
    }
    check_entries(&traffic, 17, "1>2:1 3>4:1 5>6:1 7>8:1 9>10:1 11>12:1 13>14:1 15>16:1 ");
    traffic_free(&traffic);
    assert_true(number > 5);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_traces), cmocka_unit_test(bad_traces), cmocka_unit_test(long_traces),
        cmocka_unit_test(without_memory)};
    int file = mkstemp(path);
    if (file < 0)
        return 1;
    close(file);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
