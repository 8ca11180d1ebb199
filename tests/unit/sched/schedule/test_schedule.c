/* SPDX-License-Identifier: Apache-2.0 */
/* test_schedule: the schedule in memory and its file.
 *
 * State space: a file is a sequence of lines, each of which can be wrong in a few ways. Exhaustive:
 * one bad file for each error that the reader can report, with the exact code and line; a good file
 * cut at every byte. Sampled: bytes changed at random; round trips of generated schedules over
 * sizes that cross the reader's and the writer's block, with the default seed below.
 *
 * tags: no-memory
 */
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/schedule/schedule.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"
#include "tests/support/support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20240229)

static const char *const good = "roundcast-schedule 1\n"
                                "algorithm by hand d=3\n"
                                "topology complete 13\n"
                                "model send-receive\n"
                                "demand 1-8 0 *\n"
                                "demand 9 3 7,12\n"
                                "round 1\n"
                                "0 1 1\n"
                                "round 2\n"
                                "0 8 2\n"
                                "1 4 1\n"
                                "round 11\n"
                                "3 12 9\n"
                                "end 11\n";

static bool read_bytes(const char *text, size_t length, struct schedule *schedule, struct err *err)
{
    FILE *file =
        length > 0 ? fmemopen((void *)(uintptr_t)text, length, "r") : fopen("/dev/null", "r");
    assert_non_null(file);
    bool read = schedule_read(file, "b.sched", schedule, err);
    fclose(file);
    return read;
}

static bool read_text(const char *text, struct schedule *schedule, struct err *err)
{
    return read_bytes(text, strlen(text), schedule, err);
}

static char *write_text(const struct schedule *schedule, size_t *length)
{
    char *text = NULL;
    struct err err = {0};
    FILE *file = open_memstream(&text, length);
    assert_non_null(file);
    assert_true(schedule_write(file, "out", schedule, &err));
    fclose(file);
    return text;
}

static void test_good_file(void **state)
{
    (void)state;
    struct schedule schedule = {0};
    struct err err = {0};
    assert_true(read_text(good, &schedule, &err));
    assert_string_equal(schedule.algorithm, "by hand d=3");
    assert_int_equal(schedule.nodes, 13);
    assert_int_equal(schedule.packets, 9);
    assert_int_equal(schedule.model, MODEL_SEND_RECEIVE);
    assert_int_equal(schedule.demand_count, 2);
    assert_int_equal(schedule.demand[0].wanted_count, 0);
    assert_int_equal(schedule.demand[1].first_packet, 9);
    assert_int_equal(schedule.demand[1].source, 3);
    assert_int_equal(schedule.demand[1].wanted_count, 2);
    assert_int_equal(schedule.demand[1].wanted[1], 12);
    assert_int_equal(schedule.step_count, 3);
    assert_int_equal(schedule.step[2].time, 11);
    assert_int_equal(schedule_step_end(&schedule, 1), 3);
    assert_int_equal(schedule.transfer_count, 4);
    assert_int_equal(schedule.transfer[2].destination, 4);
    assert_int_equal(schedule.end, 11);
    assert_ptr_equal(schedule_demand_of(&schedule, 8), &schedule.demand[0]);
    assert_ptr_equal(schedule_demand_of(&schedule, 9), &schedule.demand[1]);

    size_t length;
    char *text = write_text(&schedule, &length);
    assert_string_equal(text, good);
    free(text);
    schedule_free(&schedule);
    schedule_free(&schedule); /* a freed schedule is an empty one */
}

/* Comments, blank lines and blanks are skipped; line numbers are those of the file. */
static void test_lines_with_comments(void **state)
{
    (void)state;
    struct schedule schedule = {0};
    struct err err = {0};
    assert_true(read_text("# a comment\n"                    /*  1 */
                          "roundcast-schedule 1 # version\n" /*  2 */
                          "algorithm by  hand  # text\n"     /*  3 */
                          "\n"                               /*  4 */
                          "topology\tcomplete 13\n"          /*  5 */
                          "model send-receive\n"             /*  6 */
                          "demand 1-8 0 *\n"                 /*  7 */
                          "# between\n"                      /*  8 */
                          "demand 9 3 7,12\n"                /*  9 */
                          "  round 1\n"                      /* 10 */
                          "0 1 1\n"                          /* 11 */
                          "round 2\n"                        /* 12 */
                          "\n"                               /* 13 */
                          "0 8 2#\n"                         /* 14 */
                          "   # more\n"                      /* 15 */
                          "1 4 1\n"                          /* 16 */
                          "round 11\n"                       /* 17 */
                          "3 12 9\n"                         /* 18 */
                          "\n"                               /* 19 */
                          "end 11\n"                         /* 20 */
                          "# nothing else\n\n",
                          &schedule, &err));
    static const uint64_t line[] = {11, 14, 16, 18, 20};
    for (size_t index = 0; index <= schedule.transfer_count; index++)
        assert_int_equal(schedule_line(&schedule, index), line[index]);
    assert_string_equal(schedule.algorithm, "by  hand");
    schedule_free(&schedule);

    static const uint64_t canonical[] = {8, 10, 11, 13, 14};
    assert_true(read_text(good, &schedule, &err));
    assert_int_equal(schedule.jump_count, 0);
    for (size_t index = 0; index <= schedule.transfer_count; index++)
        assert_int_equal(schedule_line(&schedule, index), canonical[index]);
    schedule_free(&schedule);
}

/* A file with one line of `good` replaced (NULL: omitted, or appended after the last line). */
struct bad {
    unsigned line;           /* of `good`, from 1 */
    const char *replacement; /* with its newline; NULL: the line is omitted */
    enum err_code code;
    unsigned reported; /* the line that the message names */
    const char *text;  /* a part of the message */
};

static const struct bad bad_files[] = {
    {1, "roundcast-image 1\n", ERR_VERSION, 1, "not a schedule"},
    {1,
     "\x7f"
     "ELF\n",
     ERR_VERSION, 1, "not a schedule"},
    {1, "roundcast-schedule 2\n", ERR_VERSION, 1, "version 2; expected version 1"},
    {1, "roundcast-schedule\n", ERR_SYNTAX, 1, "the line ends; expected version"},
    {1, "roundcast-schedule 1 1\n", ERR_SYNTAX, 1, "unexpected '1'; expected the end of the line"},
    {2, NULL, ERR_SYNTAX, 2, "'topology'; expected 'algorithm'"},
    {2, "algorithm \n", ERR_SYNTAX, 2, "expected the algorithm's name"},
    {2, "algorithm a\001b\n", ERR_SYNTAX, 2, "unexpected byte 0x01"},
    {3, NULL, ERR_SYNTAX, 3, "'model'; expected 'topology'"},
    {3, "topology tree 4 4\n", ERR_SYNTAX, 3, "the line ends; expected children, or 'capacity'"},
    {3, "topology tree 4 4 lanes 1 1\n", ERR_SYNTAX, 3, "'lanes'; expected 'capacity'"},
    {3, "topology tree 4 4 capacity 1\n", ERR_SYNTAX, 3,
     "levels: 2, capacities: 1; expected as many"},
    {3, "topology tree capacity\n", ERR_FIELD_RANGE, 3, "0 levels; expected 1 … 24"},
    {3, "topology tree 4 1 capacity 1 1\n", ERR_FIELD_RANGE, 3,
     "1 children at level 2; expected 2 or more"},
    {3, "topology tree 4 4 capacity 65537 1\n", ERR_FIELD_RANGE, 3,
     "65537 links at level 1; expected 1 … 65536"},
    {3, "topology tree 4 4 capacity 1 1 half\n", ERR_SYNTAX, 3,
     "'half'; expected 'half-duplex' or the end of the line"},
    {3, "topology tree parent 2 2 capacity 1\n", ERR_SYNTAX, 3, "'parent'; expected 'parents'"},
    {3, "topology tree parents 2 1 capacity 1\n", ERR_FIELD_RANGE, 3,
     "parent 1 of node 1; expected 2 … 2"},
    {3, "topology tree parents 2 2 capacity 1 1\n", ERR_SYNTAX, 3,
     "levels: 1, capacities: 2; expected as many"},
    {3, "topology tree 4 4 capacity 1 0\n", ERR_FIELD_RANGE, 3, "capacity 0 is out of range"},
    {3, "topology tree 5000 5000 capacity 1 1\n", ERR_FIELD_RANGE, 3, "at most 16777216 leaves"},
    {3, "topology tree 4 4 capacity 1 2\n", ERR_SYNTAX, 4,
     "model 'send-receive' is of another topology"},
    {3, "topology tree 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 capacity\n",
     ERR_FIELD_RANGE, 3, "more than 24 levels"},
    {3, "topology tree 4 4 capacity 1 1 {\n", ERR_SYNTAX, 3,
     "unexpected '{'; expected the end of the line"},
    {3, "topology mesh\n", ERR_SYNTAX, 3, "the line ends; expected the sides of the mesh"},
    {3, "topology torus x\n", ERR_SYNTAX, 3, "unexpected 'x'; expected the sides of the torus"},
    {3, "topology mesh 5000 5000\n", ERR_FIELD_RANGE, 3,
     "5000 nodes along dimension 2; expected 2 or more, and at most 16777216 nodes in all"},
    {3, "topology mesh 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2\n", ERR_FIELD_RANGE, 3,
     "more than 24 dimensions; expected fewer"},
    {3, "topology hypercube\n", ERR_SYNTAX, 3, "the line ends; expected number of dimensions"},
    {3, "topology hypercube 0\n", ERR_FIELD_RANGE, 3,
     "number of dimensions 0 is out of range; expected 1 … 24"},
    {3, "topology hypercube 25\n", ERR_FIELD_RANGE, 3, "number of dimensions 25 is out of range"},
    {3, "topology hypercube 3 3\n", ERR_SYNTAX, 3, "unexpected '3'; expected the end of the line"},
    {3, "topology hypercube 3\n", ERR_SYNTAX, 4, "model 'send-receive' is of another topology"},
    {3, "topology ring 5\n", ERR_SYNTAX, 3, "topology 'ring' does not exist"},
    {3, "topology complete 0\n", ERR_FIELD_RANGE, 3, "number of nodes 0 is out of range"},
    {3, "topology complete 16777217\n", ERR_FIELD_RANGE, 3, "expected 1 … 16777216"},
    {3, "topology complete 4294967296\n", ERR_FIELD_RANGE, 3,
     "number of nodes 4294967296 is out of range"},
    {3, "topology complete 99999999999999999999999\n", ERR_FIELD_RANGE, 3, "too many digits"},
    {3, "topology complete 13 shares 2\n", ERR_SYNTAX, 3,
     "unexpected 'shares'; expected 'shared' or the end of the line"},
    {3, "topology complete -3\n", ERR_SYNTAX, 3, "unexpected '-'; expected number of nodes"},
    {3, "topology complete 5x\n", ERR_SYNTAX, 3, "unexpected 'x'"},
    {4, "model postal 5/2\n", ERR_SYNTAX, 7, "'round'; expected 'demand', 'time' or 'end'"},
    {4, "model postal\n", ERR_SYNTAX, 4, "the line ends; expected λ"},
    {4, "model postal 2/3\n", ERR_FIELD_RANGE, 4, "λ is 2/3; expected at least 1"},
    {4, "model postal 5/0\n", ERR_FIELD_RANGE, 4,
     "denominator of λ 0 is out of range; expected 1 … 65535"},
    {4, "model postal 70000\n", ERR_FIELD_RANGE, 4, "λ 70000 is out of range; expected 1 … 65535"},
    {4, "model postal 2.5\n", ERR_SYNTAX, 4, "unexpected '.'"},
    {4, "model single-port\n", ERR_SYNTAX, 4, "model 'single-port' is of another topology"},
    {4, "model all-port\n", ERR_SYNTAX, 4, "model 'all-port' is of another topology"},
    {4, "model telepathy\n", ERR_SYNTAX, 4, "model 'telepathy' does not exist"},
    {5, NULL, ERR_DEMAND, 5, "packet 1 is in no demand"},
    {5, "demand 0-8 0 *\n", ERR_FIELD_RANGE, 5, "packet 0 is out of range"},
    {5, "demand 8-1 0 *\n", ERR_FIELD_RANGE, 5, "last packet 1 is out of range"},
    {5, "demand 1-0 0 *\n", ERR_FIELD_RANGE, 5, "last packet 0 is out of range"},
    {5, "demand 1-134217729 0 *\n", ERR_FIELD_RANGE, 5, "expected 1 … 134217728"},
    {5, "demand 1-8 13 *\n", ERR_FIELD_RANGE, 5, "source 13 is out of range; expected 0 … 12"},
    {5, "demand 1-8 0\n", ERR_SYNTAX, 5, "the line ends; expected wanting node"},
    {5, "demand 1-8 0 **\n", ERR_SYNTAX, 5, "unexpected '*'"},
    {5, "end 0\n", ERR_SYNTAX, 6, "expected nothing after the 'end' line"},
    {5, "end 1\n", ERR_ORDER, 5, "'end 1'; expected the last round, 0"},
    {5, "round 1\n", ERR_ORDER, 5, "'round'; expected 'demand' or 'end'"},
    {5, "a-word-of-more-letters-than-there-is-room-for 1\n", ERR_SYNTAX, 5,
     "'a-word-of-more-letters-than-the'; expected 'demand' or 'end'"},
    {6, "demand 8 3 7\n", ERR_DEMAND, 6, "packet 8 is in a demand before; expected packet 9"},
    {6, "demand 3-12 3 7\n", ERR_DEMAND, 6, "packet 3 is in a demand before"},
    {6, "demand 10 3 7\n", ERR_DEMAND, 6, "packet 9 is in no demand; expected it before packet 10"},
    {6, "demand 9 3 7,7\n", ERR_ORDER, 6, "wanting node 7 follows 7"},
    {6, "demand 9 3 12,7\n", ERR_ORDER, 6, "wanting node 7 follows 12"},
    {6, "demand 9 3 13\n", ERR_FIELD_RANGE, 6, "wanting node 13 is out of range"},
    {6, "demand 9 3 7,\n", ERR_SYNTAX, 6, "the line ends; expected wanting node"},
    {6, "model telephone\n", ERR_SYNTAX, 6, "'model'; expected 'demand', 'round' or 'end'"},
    {7, NULL, ERR_SYNTAX, 7, "unexpected '0'; expected 'demand', 'round' or 'end'"},
    {7, "round 0\n", ERR_FIELD_RANGE, 7, "round 0 is out of range"},
    {7, "time 1\n", ERR_SYNTAX, 7, "'time'; expected 'demand', 'round' or 'end'"},
    {8, NULL, ERR_SYNTAX, 8, "unexpected 'r'; expected a transfer"},
    {8, "0 13 1\n", ERR_FIELD_RANGE, 8, "destination 13 is out of range; expected 0 … 12"},
    {8, "13 0 1\n", ERR_FIELD_RANGE, 8, "source 13 is out of range"},
    {8, "0 1 0\n", ERR_FIELD_RANGE, 8, "packet 0 is out of range; expected 1 … 9"},
    {8, "0 1 10\n", ERR_FIELD_RANGE, 8, "packet 10 is out of range; expected 1 … 9"},
    {8, "0 1 18446744073709551617\n", ERR_FIELD_RANGE, 8, "packet has too many digits"},
    {8, "0 0 1\n", ERR_SELF_SEND, 8, "node 0 sends to itself"},
    {8, "0 1\n", ERR_SYNTAX, 8, "the line ends; expected packet"},
    {8, "0 1 1 0\n", ERR_SYNTAX, 8, "unexpected '0'; expected the end of the line"},
    {8, "0:5 1 1\n", ERR_SYNTAX, 8, "unexpected ':'"},
    {8, "0,1,1\n", ERR_SYNTAX, 8, "unexpected ','"},
    {9, "round 1\n", ERR_ORDER, 9, "round 1 follows round 1; expected a later round"},
    {12, "round 1\n", ERR_ORDER, 12, "round 1 follows round 2"},
    {12, "demand 10 0 *\n", ERR_ORDER, 12, "'demand'; expected 'round' or 'end'"},
    {14, "end 10\n", ERR_ORDER, 14, "'end 10'; expected the last round, 11"},
    {14, "end 12\n", ERR_ORDER, 14, "'end 12'"},
    {14, NULL, ERR_CUT, 14, "the file is cut off here; expected 'round' or 'end'"},
    {14, "end 11\nround 12\n", ERR_SYNTAX, 15,
     "unexpected 'r'; expected nothing after the 'end' line"},
    {14, "end 11\nend 11\n", ERR_SYNTAX, 15, "nothing after the 'end' line"},
    {14, "end 11", ERR_CUT, 14, "the file is cut off here"},
};

/* The same for a tree, in which nodes have levels and branches have lanes. */
static const char *const good_tree = "roundcast-schedule 1\n"
                                     "algorithm by hand\n"
                                     "topology tree 2 3 capacity 1 2\n"
                                     "model multiport\n"
                                     "demand 1 0 5\n"
                                     "round 1\n"
                                     "0 1:0 1\n"
                                     "round 2\n"
                                     "1:0 2:0 1 1\n"
                                     "round 3\n"
                                     "2:0 1:2 1 0\n"
                                     "round 4\n"
                                     "1:2 5 1\n"
                                     "end 4\n";

static const struct bad bad_trees[] = {
    {7, "6 1:0 1\n", ERR_FIELD_RANGE, 7, "source 6 is out of range; expected 0 … 5"},
    {7, "x 1:0 1\n", ERR_SYNTAX, 7, "expected a transfer"},
    {7, "0 6 1\n", ERR_FIELD_RANGE, 7, "destination 6 is out of range; expected 0 … 5"},
    {7, "0 3:0 1\n", ERR_FIELD_RANGE, 7, "destination of level 3; expected level 0 … 2"},
    {7, "0 1:3 1\n", ERR_FIELD_RANGE, 7, "destination 3 is out of range; expected 0 … 2"},
    {7, "0 1: 1\n", ERR_SYNTAX, 7, "the line ends; expected packet"},
    {7, "0 1:0 2\n", ERR_FIELD_RANGE, 7, "packet 2 is out of range; expected 1 … 1"},
    {7, "0 1:0\n", ERR_SYNTAX, 7, "the line ends; expected packet"},
    {7, "0 1:0 1 1\n", ERR_FIELD_RANGE, 7, "lane 1 is out of range; expected 0 … 0"},
    {7, "0 1:0 1 0 0\n", ERR_SYNTAX, 7, "expected the end of the line"},
    {7, "0 1:1 1\n", ERR_NO_LINK, 7, "no branch joins 0 and 1:1"},
    {9, "1:0 2:0 1 2\n", ERR_FIELD_RANGE, 9, "lane 2 is out of range; expected 0 … 1"},
};

static void refuse_bad(const char *whole, const struct bad *bad_file, size_t count)
{
    for (size_t which = 0; which < count; which++) {
        const struct bad *bad = &bad_file[which];
        const char *start = whole;
        for (unsigned line = 1; line < bad->line; line++)
            start = strchr(start, '\n') + 1;
        const char *rest = strchr(start, '\n') + 1;
        char text[1000], reported[32];
        snprintf(text, sizeof text, "%.*s%s%s", (int)(start - whole), whole,
                 bad->replacement != NULL ? bad->replacement : "", rest);

        struct schedule schedule = {0};
        struct err err = {0};
        assert_false(read_text(text, &schedule, &err));
        snprintf(reported, sizeof reported, "b.sched:%u: ", bad->reported);
        if (err.code != bad->code || strncmp(err.text, reported, strlen(reported)) != 0 ||
            strstr(err.text, bad->text) == NULL)
            fail_msg("bad file %zu: %s [E%d]; expected %s%s [E%d]", which, err.text, (int)err.code,
                     reported, bad->text, (int)bad->code);
        assert_null(schedule.transfer); /* no partial schedule is returned */
    }
}

static void test_bad_files(void **state)
{
    (void)state;
    refuse_bad(good, bad_files, sizeof bad_files / sizeof *bad_files);
}

static void test_bad_trees(void **state)
{
    (void)state;
    struct schedule schedule;
    struct err err;
    assert_true(read_text(good_tree, &schedule, &err));
    size_t length;
    char *text = write_text(&schedule, &length);
    assert_string_equal(text, good_tree);
    free(text);
    schedule_free(&schedule);
    refuse_bad(good_tree, bad_trees, sizeof bad_trees / sizeof *bad_trees);
}

/* Reads from a stream that fails at the end of the text. */
static ssize_t read_then_break(void *cookie, char *bytes, size_t size)
{
    const char **rest = cookie;
    size_t length = MIN(strlen(*rest), size);
    memcpy(bytes, *rest, length);
    *rest += length;
    if (length > 0)
        return (ssize_t)length;
    errno = EIO;
    return -1;
}

/* Wherever a stream fails, even after the last line, the file is rejected. */
static void test_broken_stream(void **state)
{
    (void)state;
    for (size_t length = 0; length <= strlen(good); length++) {
        char text[300];
        const char *rest = text;
        struct schedule schedule = {0};
        struct err err = {0};
        snprintf(text, sizeof text, "%.*s", (int)length, good);
        FILE *file = fopencookie(&rest, "r", (cookie_io_functions_t){.read = read_then_break});
        assert_non_null(file);
        assert_false(schedule_read(file, "b.sched", &schedule, &err));
        if (length == strlen(good) || good[length - (length > 0)] == '\n')
            assert_int_equal(err.code, length == 0 ? ERR_VERSION : ERR_READ);
        fclose(file);
    }
}

/* Demands and rounds that exceed the writer's block: the file is read back unchanged, and a full
 * device is reported. */
static void test_long_texts(void **state)
{
    (void)state;
    for (unsigned rounds = 0; rounds < 2; rounds++) {
        struct schedule schedule, again;
        struct err err;
        size_t length;
        assert_true(support_broadcast(
            &schedule, "a", &(struct collective){.n = 1000000, .m = 1, .model = MODEL_TELEPHONE},
            &err));
        for (uint32_t k = 0; rounds == 0 && k < 100000; k++)
            assert_true(schedule_add_demand(&schedule, 1, k, (uint32_t[]){k + 1, k + 2}, 2, &err));
        for (uint32_t k = 1; rounds == 1 && k < 100000; k++) {
            struct transfer *transfer = schedule_open_step(&schedule, k, 1, &err);
            transfer[0] = (struct transfer){k, 999999 - k, 1};
            schedule_close_step(&schedule, 1);
        }
        char *text = write_text(&schedule, &length);
        assert_true(length > (1u << 20));
        assert_true(read_text(text, &again, &err));
        assert_int_equal(again.demand_count, schedule.demand_count);
        assert_int_equal(again.transfer_count, schedule.transfer_count);
        for (size_t d = 1; d < schedule.demand_count; d++)
            assert_memory_equal(again.demand[d].wanted, schedule.demand[d].wanted,
                                2 * sizeof(uint32_t));
        if (rounds == 1)
            assert_memory_equal(again.transfer, schedule.transfer,
                                again.transfer_count * sizeof *again.transfer);
        free(text);
        FILE *full = fopen("/dev/full", "w");
        assert_non_null(full);
        assert_false(schedule_write(full, "full", &schedule, &err));
        assert_int_equal(err.code, ERR_WRITE);
        fclose(full);
        schedule_free(&schedule);
        schedule_free(&again);
    }
}

/* Returns a text of `lines` transfers 0 → 1, with `other` as the 50th of them, on `topology`. If
 * `strict`, the other lines have two blanks each, so that only `other` is canonical. */
static char *lines_text(const char *topology, const char *other, bool strict)
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    fprintf(file, "roundcast-schedule 1\nalgorithm a\ntopology %s\nmodel %s\ndemand 1-123456 0 *\n",
            topology, topology[0] == 'c' ? "send-receive" : "all-port");
    fprintf(file, "round 1\n");
    for (unsigned line = 1; line <= 100; line++)
        fprintf(file, line == 50 ? other : strict ? "0  1  %u\n" : "0 1 %u\n", 1000 * line + line);
    fprintf(file, "end 1\n");
    fclose(file);
    return text;
}

/* A separate parser reads canonical transfers: both parsers find the same transfers on the same
 * lines, and the same errors. */
static void test_canonical_lines(void **state)
{
    (void)state;
    static const char *const others[] = {"4095 0 123456\n",
                                         "0 4095 123456 # as good\n",
                                         "\n#\n12 13 7\n",
                                         "0000000012 13 000000007\n",
                                         "00000012 13 00000007\n",
                                         "0 2 123457\n",
                                         "0 2 0\n",
                                         "0 4096 1\n",
                                         "4096 0 1\n",
                                         "7 7 7\n",
                                         "0 3 1\n",
                                         "0 1\n",
                                         "0 1 1 1\n",
                                         "0 1 1\r\n",
                                         "0\t1 1\n",
                                         "0 1\t1\n",
                                         "0,1 1\n",
                                         "0 :1 1\n",
                                         "0 1 \n",
                                         "0 1 x\n",
                                         "0 1 99999999999999999999999\n",
                                         "0 1 1 # a long comment, of more than 32 bytes\n",
                                         "0 1 \xc3\xa9\n",
                                         "round 2\n3 2 1\n",
                                         "round 1\n",
                                         "end 1\n",
                                         "x"};
    static const char *const topologies[] = {"complete 4096", "hypercube 12"};
    for (unsigned which = 0; which < 2 * sizeof others / sizeof *others; which++) {
        struct schedule schedule[2];
        struct err err[2] = {{0}, {0}};
        bool read[2];
        for (unsigned strict = 0; strict < 2; strict++) {
            char *text = lines_text(topologies[which % 2], others[which / 2], strict);
            read[strict] = read_text(text, &schedule[strict], &err[strict]);
            free(text);
        }
        assert_int_equal(read[0], read[1]);
        if (!read[0]) {
            assert_string_equal(err[0].text, err[1].text);
            assert_int_equal(err[0].code, err[1].code);
            continue;
        }
        assert_int_equal(schedule[0].transfer_count, 100);
        assert_memory_equal(schedule[0].transfer, schedule[1].transfer,
                            100 * sizeof *schedule[0].transfer);
        for (size_t index = 0; index <= 100; index++)
            assert_int_equal(schedule_line(&schedule[0], index),
                             schedule_line(&schedule[1], index));
        schedule_free(&schedule[0]);
        schedule_free(&schedule[1]);
    }
}

/* Returns a text of 30 steps of two transfers, with `other` in place of the line of the 15th step.
 * If `strict`, all other lines have two blanks each. */
static char *steps_text(bool timed, const char *other, bool strict)
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    const char *word = timed ? "time" : "round", *blank = strict ? "  " : " ";
    assert_non_null(file);
    fprintf(file,
            "roundcast-schedule 1\nalgorithm a\ntopology complete 100\nmodel %s\n"
            "demand 1-1000 0 *\n",
            timed ? "postal 5/2" : "send-receive");
    for (unsigned step = 1; step <= 30; step++) {
        if (step == 15)
            fprintf(file, "%s", other);
        else
            fprintf(file, "%s%s%u\n", word, blank, step);
        fprintf(file, "0%s1%s%u\n7%s8%s%u\n", blank, blank, step, blank, blank, 2 * step);
    }
    fprintf(file, timed ? "end 65/2\n" : "end 30\n");
    fclose(file);
    return text;
}

/* The same for lines of rounds and times. */
static void test_canonical_steps(void **state)
{
    (void)state;
    static const char *const others[][2] = {
        {"round 15\n", "time 15\n"},
        {"round 015\n", "time 29/2\n"},
        {"round 15 # more\n", "time 30/2\n"},
        {"\n#\n round 15\n", "time 150/10\n"},
        {"round 14\n", "time 14\n"},
        {"round 16\n", "time 28/2\n"},
        {"round 0\n", "time 15/0\n"},
        {"round 999999999999999999\n", "time 31/4\n"},
        {"round 1000000000000000015\n", "time 983025/65535\n"},
        {"round 99999999999999999999\n", "time 983040/65536\n"},
        {"round 4611686018427387905\n", "time 2305843009213693953\n"},
        {"round 15\nround 16\n", "time 15\ntime 31/2\n"},
        {"round 14\nround 15\n", "time 31/2\ntime 15\n"},
        {"round 15/1\n", "time 15/1\n"},
        {"round\n", "time /2\n"},
        {"round15\n", "time 29/\n"},
        {"time 15\n", "round 15\n"},
        {"", ""},
        {"end 14\n", "end 33/2\n"},
        {"demand 9 0 *\n", "times 15\n"}};
    for (unsigned which = 0; which < 2 * sizeof others / sizeof *others; which++) {
        struct schedule schedule[2];
        struct err err[2] = {{0}, {0}};
        bool read[2], timed = which % 2 == 1;
        for (unsigned strict = 0; strict < 2; strict++) {
            char *text = steps_text(timed, others[which / 2][timed], strict);
            read[strict] = read_text(text, &schedule[strict], &err[strict]);
            free(text);
        }
        assert_int_equal(read[0], read[1]);
        if (!read[0]) {
            assert_string_equal(err[0].text, err[1].text);
            assert_int_equal(err[0].code, err[1].code);
            continue;
        }
        assert_int_equal(schedule[0].step_count, schedule[1].step_count);
        for (size_t k = 0; k < schedule[0].step_count; k++) {
            assert_int_equal(schedule[0].step[k].time, schedule[1].step[k].time);
            assert_int_equal(schedule[0].step[k].first, schedule[1].step[k].first);
        }
        for (size_t index = 0; index <= 60; index++)
            assert_int_equal(schedule_line(&schedule[0], index),
                             schedule_line(&schedule[1], index));
        schedule_free(&schedule[0]);
        schedule_free(&schedule[1]);
    }
}

/* The last demand exceeds the maximum number of packets of a schedule. */
static void test_too_many_packets(void **state)
{
    (void)state;
    struct schedule schedule;
    struct err err;
    assert_true(support_broadcast(
        &schedule, "a",
        &(struct collective){.n = 4, .m = SCHEDULE_MAX_PACKETS - 1, .model = MODEL_SEND_RECEIVE},
        &err));
    assert_false(schedule_add_demand(&schedule, 2, 0, NULL, 0, &err));
    assert_int_equal(err.code, ERR_RANGE);
    assert_int_equal(schedule.demand_count, 1);
    assert_true(schedule_add_demand(&schedule, 1, 0, NULL, 0, &err));
    assert_int_equal(schedule.packets, SCHEDULE_MAX_PACKETS);
    schedule_free(&schedule);
}

/* A file that is cut at any byte is rejected; no other complete schedule is a prefix of it. */
static void test_cut_anywhere(void **state)
{
    (void)state;
    for (size_t length = 0; length < strlen(good); length++) {
        struct schedule schedule = {0};
        struct err err = {0};
        assert_false(read_bytes(good, length, &schedule, &err));
        if (length >= strlen("roundcast-schedule 1\n") && err.code != ERR_CUT)
            /* a truncated word is another word */
            assert_true(err.code == ERR_SYNTAX || err.code == ERR_ORDER);
    }
}

static void test_unreadable(void **state)
{
    (void)state;
    struct schedule schedule = {0};
    struct err err = {0};
    FILE *folder = fopen("/", "r"); /* can be opened, but not read */
    assert_non_null(folder);
    assert_false(schedule_read(folder, "folder", &schedule, &err));
    assert_int_equal(err.code, ERR_READ);
    fclose(folder);

    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    assert_true(read_text(good, &schedule, &err));
    assert_false(schedule_write(full, "full", &schedule, &err));
    assert_int_equal(err.code, ERR_WRITE);
    assert_non_null(strstr(err.text, "full: cannot write"));
    fclose(full);
    schedule_free(&schedule);
}

/* The largest legal header, without lines after it, takes no memory. */
static void test_huge_header(void **state)
{
    (void)state;
    struct schedule schedule = {0};
    struct err err = {0};
    assert_true(read_text(
        "roundcast-schedule 1\nalgorithm none\ntopology complete 16777216\nmodel telephone\n"
        "demand 1-134217728 16777215 *\nend 0\n",
        &schedule, &err));
    assert_int_equal(schedule.packets, SCHEDULE_MAX_PACKETS);
    assert_int_equal(schedule.transfer_room, 0);
    schedule_free(&schedule);
}

static void test_ranges(void **state)
{
    (void)state;
    static const uint32_t refused[][3] = {{0, 1, 0},
                                          {SCHEDULE_MAX_NODES + 1, 1, 0},
                                          {5, 0, 0},
                                          {5, SCHEDULE_MAX_PACKETS + 1, 0},
                                          {5, 1, 5}};
    struct schedule schedule = {0};
    struct err err = {0};
    for (size_t which = 0; which < sizeof refused / sizeof *refused; which++) {
        const uint32_t *r = refused[which];
        assert_false(schedule_check_range(r[0], r[1], r[2], &err));
        assert_int_equal(err.code, ERR_RANGE);
    }
    assert_true(support_broadcast(
        &schedule, "a", &(struct collective){.n = 1, .m = 1, .model = MODEL_TELEGRAPH}, &err));
    assert_int_equal(schedule.end, 0);
    assert_false(schedule_reserve(&schedule, 1, SIZE_MAX / 2, &err));
    assert_int_equal(err.code, ERR_TOO_BIG);
    assert_false(schedule_reserve(&schedule, SIZE_MAX, 1, &err));
    assert_int_equal(err.code, ERR_TOO_BIG);
    schedule_free(&schedule);
}

static void test_empty_step_vanishes(void **state)
{
    (void)state;
    struct schedule schedule = {0};
    struct err err = {0};
    assert_true(support_broadcast(
        &schedule, "a", &(struct collective){.n = 4, .m = 2, .model = MODEL_SEND_RECEIVE}, &err));
    assert_non_null(schedule_open_step(&schedule, 1, 3, &err));
    schedule_close_step(&schedule, 0);
    assert_int_equal(schedule.step_count, 0);
    assert_int_equal(schedule.end, 0);
    struct transfer *transfer = schedule_open_step(&schedule, 2, 3, &err);
    assert_non_null(transfer);
    transfer[0] = (struct transfer){0, 1, 1};
    schedule_close_step(&schedule, 1);
    assert_int_equal(schedule.step_count, 1);
    assert_int_equal(schedule.transfer_count, 1);
    assert_int_equal(schedule.end, 2);
    schedule_free(&schedule);
}

/* Random well-formed schedules of up to a few blocks of text are written, read and written
 * again. */
static void test_round_trip(void **state)
{
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    struct rng rng = {SEED};
    for (unsigned trial = 0; trial < 60; trial++) {
        struct schedule schedule = {0}, again = {0};
        struct err err = {0};
        uint32_t nodes = 2 + rng_below(&rng, trial % 2 == 0 ? 20 : SCHEDULE_MAX_NODES - 2);
        uint32_t packets = 1 + rng_below(&rng, trial % 3 == 0 ? 3 : SCHEDULE_MAX_PACKETS);
        assert_true(
            support_broadcast(&schedule, "random x=1",
                              &(struct collective){.n = nodes,
                                                   .m = packets,
                                                   .source = rng_below(&rng, nodes),
                                                   .model = (enum model)(trial % MODEL_POSTAL)},
                              &err));
        uint64_t round = 0;
        for (unsigned step = 0; step < trial; step++) {
            round += 1 + rng_below(&rng, 3);
            size_t count = 1 + rng_below(&rng, 2 * trial * trial);
            struct transfer *transfer = schedule_open_step(&schedule, round, count, &err);
            assert_non_null(transfer);
            for (size_t index = 0; index < count; index++) {
                uint32_t source = rng_below(&rng, nodes), destination = rng_below(&rng, nodes - 1);
                transfer[index] = (struct transfer){source, destination + (destination >= source),
                                                    1 + rng_below(&rng, packets)};
            }
            schedule_close_step(&schedule, count);
        }
        size_t length, length_again;
        char *text = write_text(&schedule, &length);
        assert_true(read_bytes(text, length, &again, &err));
        assert_int_equal(again.transfer_count, schedule.transfer_count);
        assert_int_equal(again.jump_count, 0);
        if (schedule.transfer_count > 0)
            assert_memory_equal(again.transfer, schedule.transfer,
                                schedule.transfer_count * sizeof *schedule.transfer);
        char *text_again = write_text(&again, &length_again);
        assert_int_equal(length, length_again);
        assert_memory_equal(text, text_again, length);
        free(text);
        free(text_again);
        schedule_free(&schedule);
        schedule_free(&again);
    }
}

/* Random bytes are changed: the reader rejects the file with a file error, or the schedule is
 * written and read back unchanged. */
static void test_random_bytes(void **state)
{
    (void)state;
    static const char bytes[] = "0123456789999 \n\t#-,*:.end round\r\xff";
    struct rng rng = {SEED};
    unsigned accepted = 0;
    for (unsigned trial = 0; trial < 20000; trial++) {
        char text[300];
        size_t length = strlen(good), length_written, length_again;
        memcpy(text, good, length + 1);
        for (unsigned change = rng_below(&rng, 3) + 1; change > 0; change--)
            text[rng_below(&rng, (uint32_t)length)] = bytes[rng_below(&rng, sizeof bytes)];
        struct schedule schedule = {0}, again = {0};
        struct err err = {0};
        if (!read_bytes(text, length, &schedule, &err)) {
            assert_in_range(err.code, ERR_READ, ERR_SELF_SEND);
            continue;
        }
        char *written = write_text(&schedule, &length_written);
        assert_true(read_bytes(written, length_written, &again, &err));
        char *written_again = write_text(&again, &length_again);
        assert_string_equal(written, written_again);
        free(written);
        free(written_again);
        schedule_free(&schedule);
        schedule_free(&again);
        accepted++;
    }
    assert_true(accepted > 100);
}

/* If memory for a broadcast does not suffice, no schedule is built and nothing stays allocated. */
static void test_init_without_memory(void **state)
{
    (void)state;
    struct schedule schedule;
    struct err err = {0};
    int64_t left;
    no_memory_begin(1, true);
    assert_false(
        support_broadcast(&schedule, "none",
                          &(struct collective){.n = 4, .m = 2, .model = MODEL_SEND_RECEIVE}, &err));
    assert_true(no_memory_end(&left) > 0);
    assert_int_equal(left, 0);
    assert_int_equal(err.code, ERR_TOO_BIG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_file),       cmocka_unit_test(test_lines_with_comments),
        cmocka_unit_test(test_bad_files),       cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_unreadable),      cmocka_unit_test(test_huge_header),
        cmocka_unit_test(test_ranges),          cmocka_unit_test(test_empty_step_vanishes),
        cmocka_unit_test(test_round_trip),      cmocka_unit_test(test_random_bytes),
        cmocka_unit_test(test_bad_trees),       cmocka_unit_test(test_broken_stream),
        cmocka_unit_test(test_long_texts),      cmocka_unit_test(test_too_many_packets),
        cmocka_unit_test(test_canonical_lines), cmocka_unit_test(test_init_without_memory),
        cmocka_unit_test(test_canonical_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
