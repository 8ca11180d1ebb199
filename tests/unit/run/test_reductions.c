/* SPDX-License-Identifier: Apache-2.0 */
/* test_reductions: endpoints that combine packets, end to end.
 *
 * State space. On csim, exhaustive: each algorithm of a reduction in the models of rounds, n ≤ 8, m
 * ≤ 8, each operator, with 1 … 4 flits, on networks with and without registers; the postal ones
 * with three values of λ: on endpoints that keep one partial result, if nodes need no more, and
 * with m ≤ 4 on endpoints that keep what they receive apart. On the RTL, in lockstep with csim: a
 * seeded sample on two machines of each kind; if every case is tested, the same sizes and operators
 * on one of each, the postal ones where λ, the registers and the flits agree. `simulate` fails if a
 * packet arrives in another cycle, if a flag is set, or if a word in memory is not the combination
 * of the contributions in the payload.
 *
 * The operators, which the scoreboard shares with csim, are compared with their definitions, bit by
 * bit or by arithmetic in 64 bits, for all words of up to 5 bits.
 *
 * Counter-cases. Each combine bit of an image is flipped, and each bit of its programs that selects
 * one of two partial results: the scoreboard must find each flip that changes a result. A machine
 * that keeps one partial result is rejected for a schedule that needs two. A
 * contribution that is not loaded sets the flag of the node that combines it, and no other. A
 * packet that is sent while a receipt of it is stored is rejected, and wrong if it is routed.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/rng.h"
#include "sched/machine/clock.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/partial_results.h"
#include "sched/route/route.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/reduction_lab.h"
#include "tests/support/running.h"

#include <inttypes.h>
#include <stdio.h>

#define SEED UINT64_C(20261126)
#define MOST 8
#define MOST_APART 4 /* packets, on endpoints that keep what they receive apart */
#define RTL_RUNS 60

struct tally {
    const struct machine *shape; /* csim and the RTL run on this machine; NULL: csim, on several */
    bool apart;                  /* endpoints keep what they receive apart (keeps_own) */
    uint64_t runs, receipts, packets;
};

/* Builds an image of a reduction on a machine whose memories are fitted. */
static void build(const struct algorithm *algorithm, const struct collective *asked,
                  struct machine machine, uint32_t flits, struct support_job *job)
{
    *job = (struct support_job){0};
    support_schedule(algorithm, asked, &job->schedule);
    reduction_lab_build(machine, true, flits, SEED + asked->m, job);
}

static void run_each_operator(const struct algorithm *algorithm, const struct collective *asked,
                              struct machine machine, uint32_t flits, struct tally *tally)
{
    const struct simulate_options *options =
        tally->shape != NULL ? &reduction_lab_both : &reduction_lab_csim;
    struct support_job job = {0};
    if (tally->shape != NULL)
        support_job(algorithm, asked, &machine, flits, SEED + asked->m, &job);
    else
        build(algorithm, asked, machine, flits, &job);
    for (uint32_t operation = 0; operation < MACHINE_OPERATORS; operation++) {
        const struct simulate_report report = reduction_lab_run(&job, options, operation);
        assert_int_equal(report.checks.seen, job.schedule.transfer_count);
        tally->runs++;
        tally->receipts += report.checks.seen;
        tally->packets += report.checks.packets;
    }
    support_job_free(&job);
}

/* Returns whether endpoints can execute the algorithm's schedules of that size. Networks that
 * combine have a test of their own (test_fabric_reductions). */
static bool can(const struct algorithm *algorithm, const struct collective *asked, bool apart)
{
    if (!collective_rows[algorithm->kind].combined || model_combines(asked->model) ||
        algorithm->topology != TOPOLOGY_COMPLETE || asked->n < 2 ||
        !algorithm_check(algorithm, asked, NULL))
        return false;
    struct schedule schedule = {0};
    support_schedule(algorithm, asked, &schedule);
    bool right =
        partial_results_check("it", &schedule, NULL) && (apart || !partial_results_two(&schedule));
    schedule_free(&schedule);
    return right;
}

/* Makes the registers, or the flits of a given machine, agree with λ. Returns false if they
 * cannot. */
static bool fit(const struct collective *asked, struct machine *machine, bool given,
                uint32_t *flits)
{
    const struct clock_request clock = {asked->lambda, given ? *flits : 4, 0, false};
    struct err err = {0};
    if (!model_has_times(asked->model))
        return true;
    if (given)
        return clock_flits(machine, &clock, flits, NULL) && *flits >= MACHINE_COMBINE_FLITS &&
               *flits <= 1u << machine->log2_flits;
    support_true(clock_registers(machine, &clock, flits, &err), &err);
    return true;
}

static void each_size(const struct algorithm *algorithm, enum model model, struct rational lambda,
                      struct tally *tally)
{
    for (uint32_t n = 2; n <= MOST; n++)
        for (uint32_t m = 1; m <= (tally->apart ? MOST_APART : MOST); m++) {
            const struct collective asked = {.n = n,
                                             .m = m,
                                             .source =
                                                 algorithm->kind == COLLECTIVE_REDUCE ? n / 2 : 0,
                                             .model = model,
                                             .lambda = lambda};
            struct machine machine = MULTISTAGE(3, n % 3, m % 2, 16, 1, 1, 1);
            uint32_t flits = 1 + (n + m) % 4;
            if (tally->shape != NULL)
                machine = *tally->shape;
            machine.combines = true;
            machine.keeps_own = tally->apart;
            if (!can(algorithm, &asked, tally->apart) ||
                !fit(&asked, &machine, tally->shape != NULL, &flits))
                continue;
            run_each_operator(algorithm, &asked, machine, flits, tally);
        }
}

static void each_reduction(const struct machine *shape, bool apart)
{
    static const struct rational lambdas[] = {{3, 2}, {2, 1}, {5, 2}};
    unsigned algorithms = 0;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        struct tally tally = {.shape = shape, .apart = apart};
        for (unsigned model = 0; model < MODEL_COUNT; model++)
            for (unsigned k = 0; k < (model_has_times((enum model)model) ? 3 : 1); k++)
                if (((*entry)->models & 1u << model) != 0)
                    each_size(*entry, (enum model)model,
                              model_has_times((enum model)model) ? lambdas[k]
                                                                 : (struct rational){1, 1},
                              &tally);
        if (tally.runs > 0)
            print_message("%s: %" PRIu64 " runs, %" PRIu64 " receipts, %" PRIu64 " results\n",
                          (*entry)->name, tally.runs, tally.receipts, tally.packets);
        algorithms += tally.runs > 0;
    }
    assert_true(algorithms >= (apart ? 9 : 8));
}

static void each_reduction_on_csim(void **state)
{
    (void)state;
    each_reduction(NULL, false);
}

static void each_reduction_with_two_results_on_csim(void **state)
{
    (void)state;
    each_reduction(NULL, true);
}

/* -- The operators ----------------------------------------------------------------------------- */

/* Returns a bit of a result, from the definition of the operator on two words. */
static uint64_t defined(uint32_t operation, unsigned width, uint64_t a, uint64_t b)
{
    const uint64_t values = UINT64_C(1) << width;
    uint64_t result = 0;
    switch (operation) {
    case 0:
        return (a + b) % values;
    case 1:
        return a + b < values ? a + b : values - 1;
    case 2:
        return a < b ? a : b;
    case 3:
        return a > b ? a : b;
    default:
        break;
    }
    for (unsigned bit = 0; bit < width; bit++) {
        const unsigned ones = (unsigned)(a >> bit & 1) + (unsigned)(b >> bit & 1);
        const bool set = operation == 4 ? ones == 2 : operation == 5 ? ones > 0 : ones == 1;
        result |= (uint64_t)set << bit;
    }
    return result;
}

static void operators_follow_their_definitions(void **state)
{
    (void)state;
    static const char *const names[] = {"sum", "saturating-sum", "min", "max", "and", "or", "xor"};
    assert_int_equal(MACHINE_OPERATORS, sizeof names / sizeof *names);
    for (uint32_t operation = 0; operation < MACHINE_OPERATORS; operation++) {
        uint32_t found = MACHINE_OPERATORS;
        assert_string_equal(machine_operator_name(operation), names[operation]);
        assert_true(machine_operator_parse(names[operation], &found) && found == operation);
        for (unsigned width = 1; width <= 5; width++)
            for (uint32_t a = 0; a < 1u << width; a++)
                for (uint32_t b = 0; b < 1u << width; b++)
                    assert_int_equal(machine_operate(operation, width, a, b),
                                     defined(operation, width, a, b));
        assert_int_equal(machine_operate(operation, 31, 0x7fffffff, 0x7ffffffe),
                         defined(operation, 31, 0x7fffffff, 0x7ffffffe));
    }
    uint32_t found = 0;
    assert_false(machine_operator_parse("mean", &found));
    assert_null(machine_operator_name(MACHINE_OPERATORS));
}

/* -- Faults ------------------------------------------------------------------------------------ */

static struct machine machine_of_faults(void)
{
    struct machine machine = MULTISTAGE(3, 1, 0, 16, 1, 1, 1);
    machine.combines = true;
    return machine;
}

static void each_flipped_combine_bit_is_found(void **state)
{
    (void)state;
    static const char *const names[] = {"reduce", "reduce-broadcast", "reduce-scatter", "scan"};
    unsigned flips = 0;
    for (unsigned which = 0; which < sizeof names / sizeof *names; which++) {
        const struct collective asked = {.n = 7, .m = 2, .source = 0, .lambda = {1, 1}};
        struct machine machine = machine_of_faults();
        struct support_job job;
        build(support_algorithm(names[which]), &asked, machine, 3, &job);
        for (size_t k = 0; k < job.image.count; k++) {
            struct image_word *word = &job.image.word[k];
            struct simulate_report report;
            struct err err = {0};
            if (machine_region_of(word->address) != MACHINE_RECEIVE ||
                !(word->word & MACHINE_VALID))
                continue;
            word->word ^= MACHINE_COMBINE;
            assert_false(simulate(&job.image, &job.schedule, &job.payload, &reduction_lab_csim,
                                  &report, &err));
            assert_int_equal(err.code, ERR_CORRUPT);
            assert_int_equal(report.checks.seen, report.checks.expected);
            word->word ^= MACHINE_COMBINE;
            flips++;
        }
        support_job_free(&job);
    }
    print_message("%u combine bits flipped, all found\n", flips);
    assert_true(flips > 60);
}

/* Returns whether the image has a later entry for the same packet in the same receive program. */
static bool is_received_again(const struct image *image, size_t which)
{
    const struct machine_place at = machine_place_of(&image->machine, image->word[which].address);
    for (size_t k = which + 1; k < image->count; k++) {
        const struct image_word *word = &image->word[k];
        const struct machine_place place = machine_place_of(&image->machine, word->address);
        if (place.region == MACHINE_RECEIVE && !place.all && place.node == at.node &&
            ((word->word ^ image->word[which].word) & (MACHINE_VALID | MACHINE_OBS_PACKET)) == 0)
            return true;
    }
    return false;
}

/* Returns whether a bit of an entry changes a result if it is flipped. A send program combines only
 * what was received; the host reads a packet as the last receipt says. */
static bool matters(const struct image *image, size_t which, uint32_t bit)
{
    const struct image_word *word = &image->word[which];
    if (machine_region_of(word->address) == MACHINE_SEND)
        return bit == MACHINE_RECEIVED || word->word & MACHINE_RECEIVED;
    return bit != MACHINE_OWN || !is_received_again(image, which);
}

static void each_flipped_choice_is_found(void **state)
{
    (void)state;
    static const char *const names[] = {"window-all-reduce", "blocks-all-reduce", "exclusive-scan"};
    static const uint32_t bits[2][2] = {{MACHINE_RECEIVED, MACHINE_COMBINE},
                                        {MACHINE_COMBINE, MACHINE_OWN}};
    unsigned found = 0, harmless = 0;
    for (unsigned which = 0; which < sizeof names / sizeof *names; which++) {
        const struct collective asked = {.n = 7, .m = 2, .lambda = {1, 1}};
        struct machine machine = machine_of_faults();
        struct support_job job;
        machine.keeps_own = true;
        build(support_algorithm(names[which]), &asked, machine, 3, &job);
        for (size_t k = 0; k < job.image.count; k++) {
            struct image_word *word = &job.image.word[k];
            const enum machine_region region = machine_region_of(word->address);
            if ((region != MACHINE_SEND && region != MACHINE_RECEIVE) ||
                !(word->word & MACHINE_VALID))
                continue;
            for (unsigned b = 0; b < 2; b++) {
                const uint32_t bit = bits[region == MACHINE_RECEIVE][b];
                const bool right = !matters(&job.image, k, bit);
                struct simulate_report report;
                struct err err = {0};
                word->word ^= bit;
                assert_int_equal(simulate(&job.image, &job.schedule, &job.payload,
                                          &reduction_lab_csim, &report, &err),
                                 right);
                assert_true(right || err.code == ERR_CORRUPT || err.code == ERR_FLAG);
                word->word ^= bit;
                found += !right;
                harmless += right;
            }
        }
        support_job_free(&job);
    }
    print_message("%u choices flipped that matter, all found; %u that do not\n", found, harmless);
    assert_true(found > 100 && harmless > 30);
}

static void one_result_is_rejected(void **state)
{
    (void)state;
    static const char *const names[] = {"window-all-reduce", "exclusive-scan"};
    static const char *const wrong[] = {"round 3: node 0 sends what it received of packet 1",
                                        "the result of an exclusive scan"};
    for (unsigned which = 0; which < 2; which++) {
        const struct collective asked = {.n = 7, .m = 1, .lambda = {1, 1}};
        struct machine machine = machine_of_faults(), common = machine;
        struct support_job job = {0};
        struct err err = {0};
        support_schedule(support_algorithm(names[which]), &asked, &job.schedule);
        support_payload(&job.schedule, &machine, 1, SEED, &job.payload);
        support_true(machine_sizing_fit(&job.schedule, 1, &common, &machine, &err), &err);
        assert_true(partial_results_two(&job.schedule));
        assert_false(route_schedule(&job.schedule, &machine, &job.payload, &job.image, &err));
        support_error(&err, ERR_UNSUPPORTED, wrong[which], "expected one partial result");
        machine.keeps_own = true;
        support_true(route_schedule(&job.schedule, &machine, &job.payload, &job.image, &err), &err);
        support_job_free(&job);
    }
}

/* The schedule says that node 3 contributes; the changed one, whose payload is loaded, does not. */
static void a_contribution_that_is_not_loaded_is_flagged(void **state)
{
    (void)state;
    static const char text[] = "roundcast-schedule 1\nalgorithm by hand\ntopology complete 4\n"
                               "model send-receive\nreduce 1 0 *\nround 1\n2 3 1\n"
                               "round 2\n3 0 1\nround 3\n1 0 1\nend 3\n";
    static const char fewer[] = "roundcast-schedule 1\nalgorithm by hand\ntopology complete 4\n"
                                "model send-receive\nreduce 1 0 0,1,2\nround 1\n2 3 1\n"
                                "round 2\n3 0 1\nround 3\n1 0 1\nend 3\n";
    struct machine machine = machine_of_faults();
    struct support_job job = {0};
    struct schedule loaded = {0};
    struct simulate_report report;
    struct err err = {0};
    struct machine common = machine;
    support_true(support_read(text, "all", &job.schedule, &err), &err);
    support_true(support_read(fewer, "fewer", &loaded, &err), &err);
    support_payload(&job.schedule, &machine, 2, SEED, &job.payload);
    support_true(machine_sizing_fit(&job.schedule, 2, &common, &machine, &err), &err);
    support_true(route_schedule(&job.schedule, &machine, &job.payload, &job.image, &err), &err);
    support_true(
        simulate(&job.image, &job.schedule, &job.payload, &reduction_lab_csim, &report, &err),
        &err);
    /* Clear the words of node 3 in the image: `simulate` loads those of `loaded` over it. */
    for (size_t k = 0; k < job.image.count; k++)
        if (machine_region_of(job.image.word[k].address) == MACHINE_PACKET &&
            machine_place_of(&machine, job.image.word[k].address).node == 3)
            job.image.word[k].word = 0;
    assert_false(simulate(&job.image, &loaded, &job.payload, &reduction_lab_csim, &report, &err));
    support_error(&err, ERR_FLAG, "node 3 flags", "what it does not hold");
    schedule_free(&loaded);
    support_job_free(&job);
}

/* A postal scan that sends a packet while it stores a receipt of it is rejected; if it is routed
 * nevertheless, its results are wrong. With λ = 2 the flits of a row are read before any is
 * stored. */
static void a_mixed_packet_is_rejected(void **state)
{
    (void)state;
    const struct algorithm *scan = support_algorithm("scan");
    const struct rational lambdas[] = {{3, 2}, {2, 1}};
    for (unsigned which = 0; which < 2; which++) {
        const struct collective asked = {
            .n = 5, .m = 1, .model = MODEL_POSTAL, .lambda = lambdas[which]};
        struct machine machine = machine_of_faults();
        struct support_job job;
        struct simulate_report report;
        struct err err = {0};
        uint32_t flits;
        support_true(clock_registers(&machine, &(struct clock_request){lambdas[which], 4, 0, false},
                                     &flits, &err),
                     &err);
        build(scan, &asked, machine, flits, &job);
        assert_int_equal(partial_results_check("it", &job.schedule, &err), which == 1);
        if (which == 0)
            support_error(&err, ERR_UNSUPPORTED, "it: time", "while it stores a receipt of it");
        assert_int_equal(
            simulate(&job.image, &job.schedule, &job.payload, &reduction_lab_csim, &report, &err),
            which == 1);
        if (which == 0)
            assert_int_equal(err.code, ERR_CORRUPT);
        support_job_free(&job);
    }
}

/* -- A sample on the RTL ----------------------------------------------------------------------- */

/* Draws a reduction that fits the machine; λ follows from its registers and the flits. */
static const struct algorithm *draw(struct rng *rng, const struct machine *machine,
                                    struct collective *asked, uint32_t *flits)
{
    static const struct rational lambdas[] = {{3, 2}, {2, 1}, {3, 1}};
    const bool apart = machine->keeps_own;
    unsigned algorithms = 0;
    while (algorithm_table[algorithms] != NULL)
        algorithms++;
    for (;;) {
        const struct algorithm *algorithm = algorithm_table[rng_below(rng, algorithms)];
        *asked = (struct collective){.n = 2 + rng_below(rng, machine_ports(machine) - 1),
                                     .m = 1 + rng_below(rng, MOST),
                                     .model = (enum model)rng_below(rng, MODEL_COUNT),
                                     .lambda = lambdas[rng_below(rng, 3)]};
        asked->source = algorithm->kind == COLLECTIVE_REDUCE ? rng_below(rng, asked->n) : 0;
        *flits = 1 + rng_below(rng, 8);
        if (can(algorithm, asked, apart) &&
            algorithm_end(algorithm, asked) <= 1u << machine->log2_rows &&
            (!model_has_times(asked->model) ||
             (clock_flits(machine, &(struct clock_request){asked->lambda, *flits, 0, false}, flits,
                          NULL) &&
              *flits >= MACHINE_COMBINE_FLITS && *flits <= 1u << machine->log2_flits)))
            return algorithm;
    }
}

static void sample_on_rtl(const struct machine *shape)
{
    const uint64_t seed = SEED + machine_latency(shape);
    struct rng rng = {seed};
    unsigned postal = 0;
    uint64_t results = 0;
    for (unsigned which = 0; which < RTL_RUNS; which++) {
        struct collective asked;
        struct support_job job = {0};
        struct simulate_report report;
        struct err err = {0};
        uint32_t flits;
        const struct algorithm *algorithm = draw(&rng, shape, &asked, &flits);
        support_job(algorithm, &asked, shape, flits, rng_next(&rng), &job);
        route_operator(&job.image, which % MACHINE_OPERATORS);
        bool holds =
            simulate(&job.image, &job.schedule, &job.payload, &reduction_lab_both, &report, &err);
        if (!holds)
            print_error("%s n=%u m=%u source=%u flits=%u operator %u\n", algorithm->name, asked.n,
                        asked.m, asked.source, flits, which % MACHINE_OPERATORS);
        support_true(holds, &err);
        assert_int_equal(report.checks.seen, job.schedule.transfer_count);
        postal += model_has_times(asked.model);
        results += report.checks.packets;
        support_job_free(&job);
    }
    print_message("seed %" PRIu64 ": %u runs, %u of the postal model, %" PRIu64 " results\n", seed,
                  RTL_RUNS, postal, results);
    assert_true(postal > 0 && postal < RTL_RUNS && results > 0);
}

static void sample_of_6_registers_on_rtl(void **state)
{
    (void)state;
    struct machine machine = MULTISTAGE(3, 1, 0, 16, 6, 4, 8);
    machine.combines = true;
    sample_on_rtl(&machine);
    machine.keeps_own = true;
    sample_on_rtl(&machine);
}

static void each_reduction_on_rtl(void **state)
{
    (void)state;
    const struct machine machine = MULTISTAGE(3, 1, 0, 16, 6, 4, 8);
    if (!running_exhaustive())
        skip();
    each_reduction(&machine, false);
    each_reduction(&machine, true);
}

/* The register of the endpoint is the only one: a row of one flit has two cycles. */
static void sample_of_1_register_on_rtl(void **state)
{
    (void)state;
    struct machine machine = MULTISTAGE(3, 0, 0, 8, 6, 3, 8);
    machine.combines = true;
    sample_on_rtl(&machine);
    machine.keeps_own = true;
    sample_on_rtl(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_follow_their_definitions),
        cmocka_unit_test(each_reduction_on_csim),
        cmocka_unit_test(each_reduction_with_two_results_on_csim),
        cmocka_unit_test(each_flipped_combine_bit_is_found),
        cmocka_unit_test(each_flipped_choice_is_found),
        cmocka_unit_test(one_result_is_rejected),
        cmocka_unit_test(a_contribution_that_is_not_loaded_is_flagged),
        cmocka_unit_test(a_mixed_packet_is_rejected),
        cmocka_unit_test(sample_of_6_registers_on_rtl),
        cmocka_unit_test(sample_of_1_register_on_rtl),
        cmocka_unit_test(each_reduction_on_rtl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
