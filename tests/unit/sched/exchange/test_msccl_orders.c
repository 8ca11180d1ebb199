/* SPDX-License-Identifier: Apache-2.0 */
/* test_msccl_orders: import accepts a program for GPUs if and only if all its execution orders
 * agree.
 *
 * Random programs of 2 to 4 GPUs, up to 8 blocks and a dozen steps, with a printed seed, are
 * executed in every order by support/msccl_program.h. The verdict of import must be
 *
 *     waits for ever        if and only if some order does not finish;
 *     race                  else if and only if two uses of a chunk, one a write, occur in both
 *                           orders, whether or not contents differ;
 *     nothing yet           else if and only if an empty chunk is read;
 *     what outputs ask for  else; the outputs are those that every order leaves.
 *
 * So import rejects not only orders that leave different contents but also races of equal values,
 * and of values that nothing reads. Steps that forward several chunks (rcs, cnt > 1) are judged
 * more strictly: import may report a race that does not exist, but never misses a race.
 *
 * With steps that combine, the outputs are judged by test_msccl_reduce; here a program that has no
 * other fault is accepted, or rejected for what it combines.
 *
 * Renumbering the GPUs and blocks, or changing their order in the file, does not change the
 * verdict. Each verdict must occur a minimum number of times, so that no comparison is void.
 */
#include "sched/base/rng.h"
#include "sched/exchange/exchange.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/msccl_draw.h"
#include "tests/support/running.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20261126)

enum verdict { WAITS, RACES, EMPTY, ASKS, NO_DEMAND, COMBINES, VERDICTS };

static const char *const names[VERDICTS] = {"wait for ever", "race",         "read nothing",
                                            "move chunks",   "move nothing", "combine"};

static struct rng rng;

/* -- verdicts -----------------------------------------------------------------------------------*/

static enum verdict import(const char *text, struct schedule *schedule, struct err *err)
{
    struct err none = {0};
    const struct exchange_format *msccl = exchange_find("msccl", false, &none);
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(file);
    *schedule = (struct schedule){0};
    *err = none;
    bool read = exchange_read(msccl, file, "p", MODEL_SEND_RECEIVE, schedule, err);
    fclose(file);
    if (read)
        return ASKS;
    if (err->code == ERR_DEMAND)
        return NO_DEMAND;
    if (strstr(err->text, "waits for ever") != NULL)
        return WAITS;
    if (strstr(err->text, "race") != NULL)
        return RACES;
    if (strstr(err->text, "nothing yet") != NULL)
        return EMPTY;
    if (err->code == ERR_TWICE || err->code == ERR_UNSUPPORTED)
        return COMBINES;
    fail_msg("%s\n%s", err->text, text);
    return VERDICTS;
}

/* Checks that the demands follow from the outputs: each value that other GPUs have, and these
 * GPUs. */
static void check_demands(const struct program *program, const struct program_outcome *outcome,
                          const struct schedule *schedule)
{
    uint32_t packets = 0, wanted = 0, found = 0;
    for (int value = 1; value < 16 * PROGRAM_GPUS; value++) {
        uint32_t gpus = 0;
        for (int g = 0; g < program->gpus; g++) {
            bool has = false;
            for (int k = 0; k < program->chunks[g][1]; k++)
                has = has || outcome->output[g][k] == value;
            gpus += has && (value - 1) / 16 != g;
        }
        packets += gpus > 0;
        wanted += gpus;
    }
    for (size_t k = 0; k < schedule->demand_count; k++) {
        const struct demand *demand = &schedule->demand[k];
        uint32_t nodes = demand->wanted_count > 0 ? demand->wanted_count : schedule->nodes - 1;
        found += nodes * (demand->last_packet - demand->first_packet + 1);
    }
    assert_int_equal(schedule->packets, packets);
    assert_int_equal(found, wanted);
}

static enum verdict expected(const struct program_outcome *outcome)
{
    if (outcome->stuck)
        return WAITS;
    if (outcome->races)
        return RACES;
    return outcome->empty ? EMPTY : ASKS;
}

static bool is_as_expected(enum verdict verdict, const struct program_outcome *outcome)
{
    enum verdict right = expected(outcome);
    return verdict == right || (right == ASKS && verdict == NO_DEMAND);
}

static void check_exactly(const struct program *program, unsigned counts[VERDICTS], unsigned *equal)
{
    struct program_outcome outcome;
    struct schedule schedule;
    struct verify_report report;
    struct err err = {0};
    char *text = program_text(program, NULL, NULL, NULL);
    enum verdict verdict = import(text, &schedule, &err);
    program_run(program, &outcome);
    if (!is_as_expected(verdict, &outcome))
        fail_msg("%s: '%s', but orders %s\n%s", names[verdict], err.text, names[expected(&outcome)],
                 text);
    counts[verdict]++;
    *equal += outcome.races && !outcome.differs && !outcome.stuck;
    if (verdict == ASKS) {
        struct err breach = {0};
        assert_false(outcome.differs);
        check_demands(program, &outcome, &schedule);
        if (!verify_schedule("p", &schedule, &report, &breach))
            fail_msg("%s\n%s", breach.text, text);
    }
    schedule_free(&schedule);
    free(text);
}

static void test_every_order(void **state)
{
    (void)state;
    unsigned counts[VERDICTS] = {0}, equal = 0, programs = running_exhaustive() ? 200000 : 4000;
    struct program program;
    rng = (struct rng){SEED};
    print_message("seed %" PRIu64 "\n", SEED);
    for (unsigned which = 0; which < programs; which++) {
        msccl_draw(&rng, 1, true, &program);
        running("program %u", which);
        check_exactly(&program, counts, &equal);
    }
    for (unsigned verdict = 0; verdict < COMBINES; verdict++) {
        print_message("%u %s\n", counts[verdict], names[verdict]);
        assert_true(counts[verdict] >= programs / 400);
    }
    assert_int_equal(counts[COMBINES], 0);
    print_message("%u race and leave the same\n", equal);
    assert_true(equal > 0);
}

/* Two chunks in a step, in sends, receives and copies. */
static void test_several_chunks(void **state)
{
    (void)state;
    unsigned counts[VERDICTS] = {0}, equal = 0, programs = running_exhaustive() ? 50000 : 1500;
    struct program program;
    rng = (struct rng){SEED + 1};
    print_message("seed %" PRIu64 "\n", SEED + 1);
    for (unsigned which = 0; which < programs; which++) {
        msccl_draw(&rng, 2, false, &program);
        running("program %u", which);
        check_exactly(&program, counts, &equal);
    }
    for (unsigned verdict = 0; verdict < COMBINES; verdict++)
        print_message("%u %s\n", counts[verdict], names[verdict]);
    assert_true(counts[RACES] > programs / 30 &&
                counts[ASKS] + counts[NO_DEMAND] > programs / 30 &&
                counts[WAITS] > programs / 150);
}

/* Chunks that are forwarded in parts: accepted programs are correct, and deadlocks are found; a
 * race may be reported that does not exist. */
static void test_forwarded_chunks(void **state)
{
    (void)state;
    unsigned taken = 0, strict = 0, programs = running_exhaustive() ? 50000 : 1500;
    struct program program;
    struct program_outcome outcome;
    struct schedule schedule;
    struct err err;
    rng = (struct rng){SEED + 2};
    print_message("seed %" PRIu64 "\n", SEED + 2);
    for (unsigned which = 0; which < programs; which++) {
        msccl_draw(&rng, 2, true, &program);
        running("program %u", which);
        char *text = program_text(&program, NULL, NULL, NULL);
        enum verdict verdict = import(text, &schedule, &err);
        program_run(&program, &outcome);
        bool too_strict = verdict == RACES && !outcome.races && !outcome.stuck;
        if (!is_as_expected(verdict, &outcome) && !too_strict)
            fail_msg("%s: '%s', but orders %s\n%s", names[verdict], err.text,
                     names[expected(&outcome)], text);
        taken += verdict == ASKS || verdict == NO_DEMAND;
        strict += too_strict;
        schedule_free(&schedule);
        free(text);
    }
    print_message("%u taken, %u races that are none\n", taken, strict);
    assert_true(taken > programs / 20 && strict < programs / 100);
}

/* Steps that combine wait and race as others do. */
static void test_combining(void **state)
{
    (void)state;
    unsigned counts[VERDICTS] = {0}, programs = running_exhaustive() ? 200000 : 4000;
    struct program program;
    rng = (struct rng){SEED + 4};
    print_message("seed %" PRIu64 "\n", SEED + 4);
    for (unsigned which = 0; which < programs; which++) {
        struct program_outcome outcome;
        struct schedule schedule;
        struct err err = {0};
        msccl_draw(&rng, 1, true, &program);
        msccl_draw_combining(&rng, &program);
        running("program %u", which);
        char *text = program_text(&program, NULL, NULL, NULL);
        enum verdict verdict = import(text, &schedule, &err), right;
        program_run(&program, &outcome);
        right = expected(&outcome);
        bool judged = verdict == NO_DEMAND || verdict == COMBINES; /* after the orders */
        if (verdict != right && !(judged && (right == ASKS || right == EMPTY)))
            fail_msg("%s: '%s', but orders %s\n%s", names[verdict], err.text, names[right], text);
        assert_false(verdict == ASKS && outcome.differs);
        counts[verdict]++;
        schedule_free(&schedule);
        free(text);
    }
    for (unsigned verdict = 0; verdict < VERDICTS; verdict++)
        print_message("%u %s\n", counts[verdict], names[verdict]);
    assert_true(counts[RACES] > programs / 24 && counts[WAITS] > programs / 120 &&
                counts[COMBINES] > programs / 120 && counts[ASKS] > programs / 240);
}

/* Returns a program in which GPU 0 sends `count` chunks to GPU 1, which forwards them to the chunks
 * from `to` on in the same buffer. */
static struct program echo_of(int count, int to)
{
    return (struct program){.collective = "custom",
                            .gpus = 3,
                            .chunks = {{4, 2, 0}, {2, 2, 0}, {1, 2, 0}},
                            .blocks = 5,
                            .block = {
                                {0, 0, 1, -1, 0, 1, {{'s', 'i', 'o', 0, 0, count, -1, -1, false}}},
                                {0, 1, -1, 1, 0, 1, {{'r', 'i', 'i', 0, to, count, -1, -1, false}}},
                                {1, 0, 0, 0, 0, 1, {{'f', 'i', 'o', 0, 0, count, -1, -1, false}}},
                                {2, 0, 1, -1, 1, 1, {{'s', 'i', 'o', 0, 0, 1, -1, -1, false}}},
                                {1, 1, -1, 2, 1, 1, {{'r', 'i', 'i', 0, 0, 1, -1, -1, false}}},
                            }};
}

/* Chunks that return one position further race with the send of the next chunk; chunks that return
 * to their own positions do not race, which import does not recognise; a single chunk has no
 * race. */
static void test_echo(void **state)
{
    (void)state;
    static const struct {
        int count, to;
        bool races, refused;
    } cases[] = {
        {1, 0, false, false}, {2, 1, true, true}, {2, 0, false, true}, {2, 2, false, false}};
    for (unsigned which = 0; which < 4; which++) {
        struct program program = echo_of(cases[which].count, cases[which].to);
        struct program_outcome outcome;
        struct schedule schedule;
        struct err err;
        char *text = program_text(&program, NULL, NULL, NULL);
        running("case %u", which);
        program_run(&program, &outcome);
        assert_int_equal(outcome.races, cases[which].races);
        assert_false(outcome.stuck);
        assert_int_equal(import(text, &schedule, &err) == RACES, cases[which].refused);
        schedule_free(&schedule);
        free(text);
    }
}

static void test_other_numbers(void **state)
{
    (void)state;
    unsigned programs = running_exhaustive() ? 50000 : 1500, refused = 0;
    struct program program;
    struct schedule schedule;
    struct err err, other;
    rng = (struct rng){SEED + 3};
    print_message("seed %" PRIu64 "\n", SEED + 3);
    for (unsigned which = 0; which < programs; which++) {
        uint32_t order[PROGRAM_BLOCKS], gpu[PROGRAM_GPUS], places[PROGRAM_BLOCKS];
        int to_gpu[PROGRAM_GPUS], to_id[PROGRAM_BLOCKS], to_order[PROGRAM_BLOCKS];
        msccl_draw(&rng, 1 + (int)rng_below(&rng, 2), true, &program);
        running("program %u", which);
        rng_permutation(&rng, (uint32_t)program.gpus, gpu);
        rng_permutation(&rng, (uint32_t)program.blocks, order);
        rng_permutation(&rng, (uint32_t)program.blocks, places);
        for (int g = 0; g < program.gpus; g++)
            to_gpu[g] = (int)gpu[g];
        for (int b = 0; b < program.blocks; b++) {
            to_order[b] = (int)order[b];
            to_id[b] = 0; /* its rank among the blocks of its GPU */
            for (int k = 0; k < program.blocks; k++)
                to_id[b] += program.block[k].gpu == program.block[b].gpu && places[k] < places[b];
        }
        char *text = program_text(&program, NULL, NULL, NULL);
        char *again = program_text(&program, to_gpu, to_id, to_order);
        enum verdict verdict = import(text, &schedule, &err);
        schedule_free(&schedule);
        if (import(again, &schedule, &other) != verdict || err.code != other.code)
            fail_msg("'%s', and '%s' with other numbers\n%s\n%s", err.text, other.text, text,
                     again);
        schedule_free(&schedule);
        refused += verdict != ASKS;
        free(text);
        free(again);
    }
    assert_true(refused > programs / 10 && refused < programs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_order),      cmocka_unit_test(test_several_chunks),
        cmocka_unit_test(test_forwarded_chunks), cmocka_unit_test(test_echo),
        cmocka_unit_test(test_other_numbers),    cmocka_unit_test(test_combining),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
