/* SPDX-License-Identifier: Apache-2.0 */
/* test_schedule_parts: schedule files read and written by several threads.
 *
 * State space: file × positions at which it is cut into parts × number of threads × with or without
 * memory. Each file is read from a pipe by one thread, and from a regular file by several threads:
 * the schedules are the same, transfer by transfer and line by line, or else the messages.
 *
 * Exhaustive: a file of rounds and one of times, cut off at every byte, in parts of 1 … 34 bytes by
 * 5 threads; each allocation failing. Sampled, with the seed that is printed: bytes changed,
 * lines swapped, doubled or left out; files of 5 MB, in the usual parts, with 2 and 5 threads.
 *
 * A schedule that is read from a file of 5 MB is written unchanged by 1, 2 and 4 threads.
 *
 * Counter-cases: the judge distinguishes a schedule with another transfer, step, line or end from
 * its original; threads have run wherever that is claimed.
 *
 * tags: no-memory
 */
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/schedule/schedule_reader.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEED UINT64_C(20261123)

static const char *const rounds = "roundcast-schedule 1\n"
                                  "algorithm by hand\n"
                                  "topology complete 13\n"
                                  "model send-receive\n"
                                  "demand 1-9 0 *\n"
                                  "round 1\n"
                                  "0 1 1\n"
                                  "round 2\n"
                                  "0 8 2\n"
                                  "1 4 1\n"
                                  "# between\n"
                                  "3 7 9\n"
                                  "round 11\n"
                                  "3 12 9\n"
                                  "round 12\n"
                                  "10  9 8\n"
                                  "end 12\n";

static const char *const times = "roundcast-schedule 1\n"
                                 "algorithm by hand\n"
                                 "topology complete 13\n"
                                 "model postal 5/2\n"
                                 "demand 1-9 0 *\n"
                                 "time 0\n"
                                 "0 1 1\n"
                                 "time 5/2\n"
                                 "0 8 2\n"
                                 "1 4 1\n"
                                 "3 7 9\n"
                                 "time 10\n"
                                 "3 12 9\n"
                                 "time 21/2\n"
                                 "10 9 8\n"
                                 "end 13\n";

/* With comments, the parts begin one line later than without. */
static const char *const noted = "roundcast-schedule 1\n"
                                 "algorithm by hand\n"
                                 "topology complete 8\n"
                                 "model send-receive\n"
                                 "demand 1 0 *\n"
                                 "# before\n"
                                 "round 1\n"
                                 "0 1 1\n"
                                 "2 3 1\n"
                                 "4 5 1\n"
                                 "end 1\n";

/* Regular file with the text to be read. */
static FILE *file;

struct outcome {
    bool read;
    struct err err;
    struct schedule schedule;
};

static void read_by_one(const char *text, size_t length, struct outcome *outcome)
{
    FILE *bytes =
        length > 0 ? fmemopen((void *)(uintptr_t)text, length, "r") : fopen("/dev/null", "r");
    assert_non_null(bytes);
    *outcome = (struct outcome){.read = false};
    outcome->read = schedule_read(bytes, "b.sched", &outcome->schedule, &outcome->err);
    fclose(bytes);
}

static void put_text(const char *text, size_t length)
{
    rewind(file);
    assert_int_equal(ftruncate(fileno(file), 0), 0);
    assert_int_equal(fwrite(text, 1, length, file), length);
    rewind(file);
}

/* Reads the text that was stored. Returns whether threads were tried. */
static bool read_by(int threads, struct schedule_parts parts, struct outcome *outcome)
{
    *outcome = (struct outcome){.read = false};
    omp_set_num_threads(threads);
    rewind(file);
    outcome->read =
        schedule_read_by_parts(file, "b.sched", &parts, &outcome->schedule, &outcome->err);
    return parts.tried > 0;
}

static bool same_schedules(const struct schedule *a, const struct schedule *b)
{
    bool same = a->transfer_count == b->transfer_count && a->step_count == b->step_count &&
                a->end == b->end && a->demand_count == b->demand_count &&
                (a->transfer_count == 0 ||
                 memcmp(a->transfer, b->transfer, a->transfer_count * sizeof *a->transfer) == 0);
    for (size_t k = 0; same && k < a->step_count; k++)
        same = a->step[k].time == b->step[k].time && a->step[k].first == b->step[k].first;
    size_t stride = a->transfer_count / 1000 + 1;
    for (size_t index = 0; same && index <= a->transfer_count; index += stride)
        same = schedule_line(a, index) == schedule_line(b, index);
    return same && schedule_line(a, a->transfer_count) == schedule_line(b, b->transfer_count);
}

static bool same_outcomes(const struct outcome *a, const struct outcome *b)
{
    if (a->read && b->read)
        return same_schedules(&a->schedule, &b->schedule);
    return a->read == b->read && a->err.code == b->err.code &&
           strcmp(a->err.text, b->err.text) == 0;
}

/* Compares two outcomes and frees the second. */
static void assert_same(const struct outcome *expected, struct outcome *outcome)
{
    if (!same_outcomes(expected, outcome))
        fail_msg("one thread: %s, several: %s", expected->read ? "read" : expected->err.text,
                 outcome->read ? "read" : outcome->err.text);
    schedule_free(&outcome->schedule);
}

static struct schedule_parts small(size_t part)
{
    return (struct schedule_parts){.part = part, .window = 1 + part % 3, .least = 1, .wait = 1};
}

static void test_cut_anywhere(void **state)
{
    (void)state;
    static const size_t part[] = {1, 2, 3, 5, 8, 13, 21, 34};
    enum { PARTS = sizeof part / sizeof *part };
    unsigned tried = 0;
    for (unsigned which = 0; which < 2; which++) {
        const char *text = which == 0 ? rounds : times;
        for (size_t length = 0; length <= strlen(text); length++) {
            struct outcome expected, outcome;
            read_by_one(text, length, &expected);
            assert_int_equal(expected.read, length == strlen(text));
            put_text(text, length);
            for (size_t which_part = 0; which_part < PARTS; which_part++) {
                tried += read_by(5, small(part[which_part]), &outcome);
                assert_same(&expected, &outcome);
            }
            schedule_free(&expected.schedule);
        }
    }
    assert_true(tried > 100 * PARTS);
}

/* Returns a text of `steps` rounds or times. */
static char *make_text(struct rng *rng, unsigned steps, unsigned most, size_t *length)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, length);
    bool timed = rng_below(rng, 2) == 0;
    assert_non_null(to);
    fprintf(to,
            "roundcast-schedule 1\nalgorithm a\ntopology complete 1000\nmodel %s\n"
            "demand 1-5000 0 *\n",
            timed ? "postal 5/2" : "send-receive");
    unsigned time = 0;
    for (unsigned step = 0; step < steps; step++) {
        time += 1 + rng_below(rng, 3);
        if (timed)
            fprintf(to, time % 2 == 0 ? "time %u\n" : "time %u/2\n",
                    time % 2 == 0 ? time / 2 : time);
        else
            fprintf(to, "round %u\n", time);
        for (uint32_t count = 1 + rng_below(rng, most); count > 0; count--)
            fprintf(to, "%u %u %u\n", rng_below(rng, 500), 500 + rng_below(rng, 500),
                    1 + rng_below(rng, 5000));
    }
    time += timed ? 5 : 0;
    fprintf(to, timed && time % 2 != 0 ? "end %u/2\n" : "end %u\n",
            timed && time % 2 == 0 ? time / 2 : time);
    fclose(to);
    return text;
}

/* Damages the text or leaves it unchanged: bytes are changed, or a line is duplicated or
 * removed. */
static void spoil(struct rng *rng, char *text, size_t *length)
{
    static const char bytes[] = "0123456789999 \n\t#-,*:.end round time/\r\xff";
    for (unsigned change = rng_below(rng, 3); change > 0; change--)
        text[rng_below(rng, (uint32_t)*length)] = bytes[rng_below(rng, sizeof bytes)];
    char *line = memchr(text + rng_below(rng, (uint32_t)*length - 1), '\n', *length);
    char *end = line < text + *length - 1 ? memchr(line + 1, '\n', *length) : NULL;
    if (rng_below(rng, 2) == 0 || line == NULL || end == NULL || end >= text + *length)
        return;
    size_t count = (size_t)(end - line), rest = (size_t)(text + *length - end);
    if (rng_below(rng, 2) == 0) { /* over the next line, up to its length */
        memmove(end, line, MIN(count, rest));
    } else {
        memmove(line, end, rest);
        *length -= count;
    }
}

static void test_spoilt(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    unsigned held = 0, tried = 0;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned trial = 0; trial < 3000; trial++) {
        size_t length;
        char *text = make_text(&rng, 1 + rng_below(&rng, 20), 1 + rng_below(&rng, 6), &length);
        struct outcome expected, outcome;
        spoil(&rng, text, &length);
        read_by_one(text, length, &expected);
        put_text(text, length);
        tried += read_by((int)rng_below(&rng, 3) + 3, small(1 + rng_below(&rng, 100)), &outcome);
        held += expected.read;
        assert_same(&expected, &outcome);
        schedule_free(&expected.schedule);
        free(text);
    }
    assert_in_range(held, 500, 2500);
    assert_true(tried > 1500);
}

/* Files large enough for threads, unchanged and with a few changed bytes. */
static void test_large(void **state)
{
    (void)state;
    struct rng rng = {SEED + 1};
    unsigned tried = 0;
    for (unsigned trial = 0; trial < 12; trial++) {
        size_t length;
        char *text =
            make_text(&rng, trial % 2 == 0 ? 300 : 200000, trial % 2 == 0 ? 3000 : 3, &length);
        struct outcome expected, outcome;
        assert_true(length > schedule_parts_usual.least);
        for (unsigned change = 0; change < trial / 2; change++)
            text[length / 2 + rng_below(&rng, (uint32_t)length / 2)] = "#\t 7"[change % 4];
        read_by_one(text, length, &expected);
        assert_true(expected.read || trial > 1);
        put_text(text, length);
        for (int threads = 1; threads <= 5; threads += threads) {
            tried += read_by(threads, schedule_parts_usual, &outcome);
            assert_same(&expected, &outcome);
        }
        schedule_free(&expected.schedule);
        free(text);
    }
    assert_int_equal(tried, 12 * 2);
}

static char *write_by(int threads, const struct schedule *schedule, size_t *length)
{
    char *text = NULL;
    struct err err = {0};
    FILE *to = open_memstream(&text, length);
    assert_non_null(to);
    omp_set_num_threads(threads);
    assert_true(schedule_write(to, "out", schedule, &err));
    fclose(to);
    return text;
}

/* A schedule that was read is written unchanged by any number of threads; a full device and a lack
 * of memory are reported. */
static void test_written(void **state)
{
    (void)state;
    struct rng rng = {SEED + 2};
    for (unsigned trial = 0; trial < 4; trial++) {
        size_t length, written;
        char *text =
            make_text(&rng, trial % 2 == 0 ? 300 : 200000, trial % 2 == 0 ? 3000 : 3, &length);
        struct outcome outcome;
        read_by_one(text, length, &outcome);
        assert_true(outcome.read && outcome.schedule.transfer_count > (1 << 18));
        for (int threads = 1; threads <= 5; threads += threads) {
            char *again = write_by(threads, &outcome.schedule, &written);
            assert_int_equal(written, length);
            assert_memory_equal(again, text, length);
            free(again);
        }
        FILE *full = fopen("/dev/full", "w");
        assert_non_null(full);
        struct err err = {0};
        assert_false(schedule_write(full, "full", &outcome.schedule, &err));
        assert_int_equal(err.code, ERR_WRITE);
        assert_non_null(strstr(err.text, "full: cannot write: No space left on device"));
        fclose(full);
        for (uint64_t number = 1; number <= 2; number++) {
            int64_t left;
            put_text("", 0);
            no_memory_begin(number, false);
            assert_false(schedule_write(file, "out", &outcome.schedule, &err));
            assert_int_equal(no_memory_end(&left), number);
            assert_int_equal(left, 0);
            assert_int_equal(err.code, ERR_TOO_BIG);
        }
        schedule_free(&outcome.schedule);
        free(text);
    }
}

/* Streams without positions, and small files, are read by one thread. */
static void test_one_thread(void **state)
{
    (void)state;
    struct schedule_parts parts = small(8);
    struct outcome outcome = {.read = false};
    omp_set_num_threads(2);
    FILE *bytes = fmemopen((void *)(uintptr_t)times, strlen(times), "r");
    assert_non_null(bytes);
    assert_true(schedule_read_by_parts(bytes, "b", &parts, &outcome.schedule, &outcome.err));
    assert_int_equal(parts.tried, 0);
    fclose(bytes);
    schedule_free(&outcome.schedule);
    put_text(times, strlen(times));
    assert_false(read_by(2, schedule_parts_usual, &outcome));
    schedule_free(&outcome.schedule);
    assert_true(read_by(2, small(8), &outcome));
    schedule_free(&outcome.schedule);
    assert_false(read_by(1, small(8), &outcome));
    schedule_free(&outcome.schedule);
}

/* Whichever allocation fails, nothing stays allocated, and the schedule is either read or rejected
 * with E104. */
static void run_out_of_memory(const char *text, size_t part, unsigned *without, unsigned *refused)
{
    struct outcome expected;
    read_by_one(text, strlen(text), &expected);
    put_text(text, strlen(text));
    for (uint64_t number = 0, calls = 0; number <= calls; number++) {
        struct outcome outcome;
        int64_t left;
        no_memory_begin(number, false);
        assert_true(read_by(5, small(part), &outcome) || number > 0);
        uint64_t made = no_memory_end(&left);
        calls = number == 0 ? made : calls;
        *without += outcome.read && number > 0;
        *refused += !outcome.read;
        if (!outcome.read)
            assert_int_equal(outcome.err.code, ERR_TOO_BIG);
        else
            assert_true(same_outcomes(&expected, &outcome));
        assert_true(outcome.read || left == 0);
        schedule_free(&outcome.schedule);
    }
    schedule_free(&expected.schedule);
}

static void test_no_memory(void **state)
{
    (void)state;
    for (size_t part = 1; part <= 34; part++) {
        unsigned without = 0, refused = 0;
        run_out_of_memory(rounds, part, &without, &refused);
        run_out_of_memory(times, part, &without, &refused);
        run_out_of_memory(noted, part, &without, &refused);
        assert_true(without > 0 && refused > 9);
    }
}

/* Each outcome differs from the original in one point. */
static void test_judge(void **state)
{
    (void)state;
    struct outcome a, b;
    read_by_one(rounds, strlen(rounds), &a);
    read_by_one(rounds, strlen(rounds), &b);
    assert_true(same_outcomes(&a, &b));
    b.schedule.transfer[4].packet++;
    assert_false(same_outcomes(&a, &b));
    b.schedule.transfer[4].packet--;
    b.schedule.step[3].time++;
    assert_false(same_outcomes(&a, &b));
    b.schedule.step[3].time--;
    b.schedule.jump[0].extra++;
    assert_false(same_outcomes(&a, &b));
    b.schedule.jump[0].extra--;
    b.schedule.end++;
    assert_false(same_outcomes(&a, &b));
    b.schedule.end--;
    assert_true(same_outcomes(&a, &b));
    b.read = false;
    assert_false(same_outcomes(&a, &b));
    a.read = false;
    assert_true(same_outcomes(&a, &b));
    strcpy(b.err.text, "b.sched:1: more");
    assert_false(same_outcomes(&a, &b));
    schedule_free(&a.schedule);
    schedule_free(&b.schedule);
}

static int open_file(void **state)
{
    (void)state;
    file = tmpfile();
    return file == NULL;
}

static int close_file(void **state)
{
    (void)state;
    return fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_judge),      cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_spoilt),     cmocka_unit_test(test_large),
        cmocka_unit_test(test_one_thread), cmocka_unit_test(test_written),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, open_file, close_file);
}
