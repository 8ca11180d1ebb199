/* SPDX-License-Identifier: Apache-2.0 */
/* test_postal_times: schedules that the postal model can build are read back; times that cannot be
 * read are rejected.
 *
 * State space: λ = a/b with a, b ≤ 65535, ticks up to 2^62, schedules of every algorithm with
 * times. Sampled with the seed below (five times as many cases in `make test-all`): texts P/Q of
 * times, in lowest terms or not, in ticks of 1/b or between them, both small times and times up to
 * the limit; schedules of 2 … 100 000 packets for λ at both ends (65535/65534, 65535/1, 65535/2 …),
 * which are written, read and written again. Exhaustive: both sides of each limit: of the file, of
 * λ, and of the end that algorithms predict.
 *
 * Judges: P·b/Q in 128 bits; the bytes of the first text; the transfers in memory.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/rng.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20261123)
#define TIMES 200000
#define SCHEDULES 80
#define SAMPLED 5
#define MOST (UINT64_C(1) << 62)

static bool read_text(const char *text, size_t length, struct schedule *schedule, struct err *err)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, length, "r");
    assert_non_null(file);
    bool read = schedule_read(file, "t.sched", schedule, err);
    fclose(file);
    return read;
}

static char *write_text(const struct schedule *schedule, size_t *length)
{
    char *text = NULL;
    struct err err = {0};
    FILE *file = open_memstream(&text, length);
    assert_non_null(file);
    support_true(schedule_write(file, "out", schedule, &err), &err);
    fclose(file);
    return text;
}

/* Reads a schedule with λ = a/b whose one packet is sent at `time` and arrives at `end`, given as
 * texts. */
static bool read_one(uint32_t a, uint32_t b, const char *time, const char *end,
                     struct schedule *schedule, struct err *err)
{
    char text[400];
    int length =
        snprintf(text, sizeof text,
                 "roundcast-schedule 1\nalgorithm one\ntopology complete 2\nmodel postal %" PRIu32
                 "/%" PRIu32 "\ndemand 1 0 *\ntime %s\n0 1 1\nend %s\n",
                 a, b, time, end);
    *schedule = (struct schedule){0};
    return read_text(text, (size_t)length, schedule, err);
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* Returns a random number of random magnitude. */
static uint64_t draw(struct rng *rng, uint64_t most)
{
    uint64_t number = rng_next(rng) >> rng_below(rng, 64);
    return rng_below(rng, 16) == 0 ? most - number % 4 : number % most + 1;
}

/* A text P/Q is read as the tick P·b/Q, or is rejected. */
static void test_texts(void **state)
{
    (void)state;
    print_message("seed %" PRIu64 "\n", SEED);
    struct rng rng = {SEED};
    const unsigned trials = (unsigned)running_met(TIMES, SAMPLED);
    unsigned taken = 0;
    for (unsigned trial = 0; trial < trials; trial++) {
        uint32_t b = (uint32_t)draw(&rng, 65535), a = b + rng_below(&rng, 65535 - b + 1);
        uint64_t q = draw(&rng, 65535), p = draw(&rng, MOST + 3);
        if (trial % 2 == 0) { /* one that is likely a whole tick */
            uint32_t lowest = b / common_divisor(a, b);
            q = lowest / common_divisor(lowest, 1 + rng_below(&rng, 100)) *
                (1 + rng_below(&rng, 3));
            q = q > 65535 ? lowest : q;
        }
        uint32_t tick = b / common_divisor(a, b), numerator = a / common_divisor(a, b);
        unsigned __int128 ticks = (unsigned __int128)p * tick;
        bool right = p <= MOST && ticks % q == 0 && ticks / q <= MOST;
        uint64_t sent = right ? (uint64_t)(ticks / q) : 0;
        char time[60], end[60];
        snprintf(time, sizeof time, "%" PRIu64 "/%" PRIu64, p, q);
        snprintf(end, sizeof end, "%" PRIu64 "/%" PRIu32, sent + numerator, tick);
        struct schedule schedule;
        struct err err = {0};
        bool read = read_one(a, b, time, end, &schedule, &err);
        if (read != right)
            fail_msg("trial %u: λ %u/%u time %s end %s: %s", trial, a, b, time, end, err.text);
        if (read) {
            assert_int_equal(schedule.step[0].time, sent);
            assert_int_equal(schedule.end, sent + numerator);
        } else {
            assert_int_equal(err.code, ERR_FIELD_RANGE);
        }
        taken += read;
        schedule_free(&schedule);
    }
    assert_true(taken > trials / 10 && taken < trials * 9 / 10);
}

/* Tests both sides of the limits. */
static void test_limits(void **state)
{
    (void)state;
    static const struct {
        const char *time, *end, *refusal; /* NULL: none */
    } rows[] = {
        {"4611686018427387904/65534", "4611686018427453439/65534", NULL},
        {"4611686018427387905/65534", "4611686018427453440/65534",
         "expected 0 … 4611686018427387904"},
        {"4611686018427387904/32767", "0", "at most 4611686018427387904 of them"},
        {"4611686018427387904", "0", "at most 4611686018427387904 of them"},
        {"9223372036854775808/65534", "0", "out of range"},
        {"18446744073709551616/65534", "0", "has too many digits"},
        {"4294967296", "4294967297/1", "expected the last arrival, 281466386841599/65534"},
        {"4294967296", "281466386841599/65534", NULL},
        {"4294967296/65534", "2147516416/32767", "expected the last arrival"},
        {"1/65533", "0", "expected a multiple of 1/65534"},
        {"1/65535", "0", "expected a multiple of 1/65534"},
        {"1/65536", "0", "denominator 65536 is out of range"},
        {"1/0", "0", "denominator 0 is out of range"},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct schedule schedule;
        struct err err = {0};
        bool read = read_one(65535, 65534, rows[row].time, rows[row].end, &schedule, &err);
        if (read != (rows[row].refusal == NULL) ||
            (!read && strstr(err.text, rows[row].refusal) == NULL))
            fail_msg("row %zu, time %s: %s", row, rows[row].time, err.text);
        schedule_free(&schedule);
    }
}

/* Writes a schedule, reads it and writes it again. */
static void check_file(const struct algorithm *algorithm, const struct collective *collective)
{
    struct schedule schedule = {0}, again = {0};
    struct err err = {0};
    size_t length, length_again;
    support_true(algorithm_build(algorithm, collective, &schedule, &err), &err);
    char *text = write_text(&schedule, &length);
    if (!read_text(text, length, &again, &err))
        fail_msg("%s n=%u m=%u λ=%u/%u d=%u: %s", algorithm->name, collective->n, collective->m,
                 collective->lambda.numerator, collective->lambda.denominator, collective->degree,
                 err.text);
    assert_int_equal(again.end, schedule.end);
    assert_int_equal(again.step_count, schedule.step_count);
    assert_memory_equal(again.step, schedule.step, schedule.step_count * sizeof *schedule.step);
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

/* Returns a random algorithm that supports a model with times, and stores that model. */
static const struct algorithm *draw_algorithm(struct rng *rng, enum model *model)
{
    for (;;) {
        const struct algorithm *const *entry = algorithm_table;
        for (uint32_t skip = rng_below(rng, 30); *entry != NULL && skip > 0; skip--)
            entry++;
        *model = rng_below(rng, 2) == 0 ? MODEL_POSTAL : MODEL_FABRIC_POSTAL;
        if (*entry != NULL && (*entry)->kind == COLLECTIVE_BROADCAST &&
            (*entry)->models >> *model & 1)
            return *entry;
    }
}

static void test_schedules(void **state)
{
    (void)state;
    print_message("seed %" PRIu64 "\n", SEED + 1);
    struct rng rng = {SEED + 1};
    static const struct rational ends[] = {
        {65535, 65534}, {65535, 1}, {65535, 2}, {65534, 65533}, {1, 1}};
    const unsigned trials = (unsigned)running_met(SCHEDULES, SAMPLED);
    unsigned large = 0;
    for (unsigned trial = 0; trial < trials; trial++) {
        enum model model;
        const struct algorithm *algorithm = draw_algorithm(&rng, &model);
        uint32_t n = 2 + (uint32_t)draw(&rng, 1000) % (trial % 8 == 0 ? 1000 : 2);
        uint32_t most = 200000 / n, b = 1 + rng_below(&rng, 65534);
        struct collective collective = {
            .n = n,
            .m = trial % 3 == 0 ? 1 + (uint32_t)draw(&rng, most) % most : most,
            .model = model,
            .lambda = trial % 2 == 0 ? ends[rng_below(&rng, 5)]
                                     : rational_make(b + rng_below(&rng, 65536 - b), b)};
        if (algorithm->best_degree != NULL && rng_below(&rng, 2) == 0)
            collective.degree = 1 + rng_below(&rng, n - 1);
        if (!algorithm_check(algorithm, &collective, NULL))
            collective.m = 1;
        large += algorithm_end(algorithm, &collective) > UINT32_MAX;
        check_file(algorithm, &collective);
    }
    print_message("%u of %d end after tick 2^32\n", large, trials);
    assert_true(large >= trials / 10);
}

/* The largest schedule of each algorithm, which exceeds any memory, is planned and could be
 * written. */
static void test_promises(void **state)
{
    (void)state;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        for (unsigned model = 0; model < MODEL_COUNT; model++) {
            struct collective largest = {.n = SCHEDULE_MAX_NODES,
                                         .m = SCHEDULE_MAX_PACKETS,
                                         .model = (enum model)model,
                                         .lambda = {65535, 65534}};
            if (!model_has_times(largest.model) || !algorithm_check(*entry, &largest, NULL))
                continue;
            uint64_t end = algorithm_end(*entry, &largest);
            assert_true(end == ALGORITHM_UNKNOWN || end <= MOST);
            largest.degree = (*entry)->best_degree != NULL ? 524287 : 0;
            assert_true(algorithm_check(*entry, &largest, NULL));
            end = algorithm_end(*entry, &largest);
            assert_true(end == ALGORITHM_UNKNOWN || end <= MOST);
        }
    }
}

/* A λ that no file can contain is rejected before anything is built. */
static void test_lambda(void **state)
{
    (void)state;
    static const struct rational refused[] = {
        {65536, 1}, {65537, 65536}, {65536, 65535}, {1, 2}, {1, 0}};
    struct collective collective = {.n = 4, .m = 1, .model = MODEL_POSTAL};
    for (size_t which = 0; which < sizeof refused / sizeof *refused; which++) {
        struct schedule schedule = {0};
        struct err err = {0};
        collective.lambda = refused[which];
        assert_false(
            algorithm_build(support_algorithm("postal-bcast"), &collective, &schedule, &err));
        support_error(&err, ERR_RANGE, "of at most 65535");
    }
    collective.lambda = (struct rational){65535, 65534};
    check_file(support_algorithm("postal-bcast"), &collective);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),     cmocka_unit_test(test_limits),
        cmocka_unit_test(test_schedules), cmocka_unit_test(test_promises),
        cmocka_unit_test(test_lambda),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
