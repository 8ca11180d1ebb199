/* SPDX-License-Identifier: Apache-2.0 */
/* test_collectives: scatter, gather, all-gather and total-exchange on complete graphs.
 *
 * Exhaustive: n = 2 … 64, every model of complete graphs, postal with λ of 1, 5/2 and 7/3, m = 1, 2
 * and 3 (m = 1 for n > 16): verify and a judge in this file accept the schedule, no receipt is
 * redundant, and its end is the minimum that follows from counting the work; `end`, the lower
 * bounds and the bound of the schedule's demands return the same value. Collectives with a source
 * are also tested with sources other than 0. Small n run on csim with each way of storing settings
 * that supports them.
 *
 * Counter-cases: small schedules with one transfer omitted, or with its packet or its destination
 * changed; a changed demand; a source for a collective without a source; a single node.
 */
#include "sched/base/compare.h"
#include "sched/bound/bound.h"
#include "sched/machine/clock.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/route.h"
#include "sched/verify/verify.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NODES 64

static const char *const names[] = {"scatter", "gather", "all-gather", "total-exchange"};
enum { SCATTER_, GATHER_, ALL_GATHER, TOTAL_EXCHANGE, KINDS };

static const enum model round_models[] = {MODEL_SEND_RECEIVE, MODEL_TELEPHONE, MODEL_TELEGRAPH,
                                          MODEL_FABRIC_MULTICAST};
static const enum model timed_models[] = {MODEL_POSTAL, MODEL_FABRIC_POSTAL};
static const struct rational lambdas[] = {{1, 1}, {5, 2}, {7, 3}};

/* Returns whether a packet starts at `from` and is wanted at `to`, by the definition of the
 * collective, not by the schedule. */
static bool is_for(unsigned kind, uint32_t source, uint32_t from, uint32_t to)
{
    if (from == to)
        return false;
    if (kind == SCATTER_)
        return from == source;
    return kind != GATHER_ || to == source;
}

/* Returns the minimum number of rounds: a node receives and sends one packet at a time (in an
 * all-gather a node need not send, as others may forward), and a round of pairs has ⌊n/2⌋ pairs, in
 * both directions or one. */
static uint64_t least_rounds(unsigned kind, const struct collective *asked)
{
    uint64_t busiest = 0, receipts = 0;
    for (uint32_t node = 0; node < asked->n; node++) {
        uint64_t sends = 0, receives = 0;
        for (uint32_t other = 0; other < asked->n; other++) {
            sends += is_for(kind, asked->source, node, other);
            receives += is_for(kind, asked->source, other, node);
        }
        busiest = MAX(busiest, kind == ALL_GATHER ? receives : MAX(sends, receives));
        receipts += receives;
    }
    uint64_t pairs = asked->n / 2, most = UINT64_MAX;
    if (asked->model == MODEL_TELEPHONE)
        most = 2 * pairs;
    else if (asked->model == MODEL_TELEGRAPH)
        most = pairs;
    busiest *= asked->m;
    receipts *= asked->m;
    return MAX(busiest, (receipts - 1) / most + 1);
}

static uint64_t least_end(unsigned kind, const struct collective *asked)
{
    uint64_t rounds = least_rounds(kind, asked);
    if (asked->model != MODEL_POSTAL && asked->model != MODEL_FABRIC_POSTAL)
        return rounds;
    return (rounds - 1) * asked->lambda.denominator + asked->lambda.numerator;
}

/* -- A judge ----------------------------------------------------------------------------------- */

/* Checks that every packet goes directly from its source to its receiver, that each pair has m
 * packets of its own (in an all-gather the same m packets of a node go to all), and that no node
 * sends twice, receives twice or is paired twice at once. */
static void judge(unsigned kind, const struct collective *asked, const struct schedule *s)
{
    uint32_t n = asked->n, m = asked->m;
    uint64_t *sent = calloc(n, sizeof *sent), *received = calloc(n, sizeof *received);
    uint32_t *seen = calloc((size_t)n * n, sizeof *seen);
    uint32_t *owner = calloc(s->packets + 1, sizeof *owner);
    assert_true(sent != NULL && received != NULL && seen != NULL && owner != NULL);
    bool pairs = s->model == MODEL_TELEPHONE || s->model == MODEL_TELEGRAPH;
    for (size_t k = 0; k < s->step_count; k++) {
        size_t first = s->step[k].first, end = schedule_step_end(s, k);
        for (size_t t = first; t < end; t++) {
            const struct transfer *now = &s->transfer[t];
            assert_true(is_for(kind, asked->source, now->source, now->destination));
            assert_true(sent[now->source] != k + 1 && received[now->destination] != k + 1);
            sent[now->source] = received[now->destination] = k + 1;
            seen[(size_t)now->source * n + now->destination]++;
            uint32_t of =
                kind == ALL_GATHER ? now->source + 1 : now->source * n + now->destination + 1;
            assert_true(owner[now->packet] == 0 || owner[now->packet] == of);
            owner[now->packet] = of;
        }
        for (size_t t = first; pairs && t < end; t++) {
            const struct transfer *now = &s->transfer[t];
            bool back = sent[now->destination] == k + 1 || received[now->source] == k + 1;
            assert_false(back && s->model == MODEL_TELEGRAPH);
            for (size_t u = first; back && u < end && n <= 16; u++) {
                const struct transfer *other = &s->transfer[u];
                bool touches =
                    other->source == now->destination || other->destination == now->source;
                assert_true(!touches || (other->source == now->destination &&
                                         other->destination == now->source));
            }
        }
    }
    for (uint32_t from = 0; from < n; from++)
        for (uint32_t to = 0; to < n; to++)
            assert_int_equal(seen[(size_t)from * n + to],
                             is_for(kind, asked->source, from, to) ? m : 0);
    free(sent);
    free(received);
    free(seen);
    free(owner);
}

/* -- Every size -------------------------------------------------------------------------------- */

static void check_known(unsigned kind, const struct collective *asked,
                        const struct schedule *schedule)
{
    struct collective known;
    uint64_t bound;
    assert_true(bound_of_schedule(schedule, &bound));
    assert_int_equal(bound, schedule->end);
    assert_true(schedule_collective(schedule, &known));
    if (asked->n == 2)
        return; /* where a gather of one node is a scatter of the other */
    assert_int_equal(known.kind, support_algorithm(names[kind])->kind);
    assert_int_equal(known.m, asked->m);
    assert_int_equal(known.source, asked->source);
}

static void check(unsigned kind, const struct collective *asked)
{
    const struct algorithm *algorithm = support_algorithm(names[kind]);
    struct collective whole = *asked;
    struct schedule schedule;
    support_schedule(algorithm, asked, &schedule);
    judge(kind, asked, &schedule);
    whole.kind = algorithm->kind;
    uint64_t least = least_end(kind, asked);
    if (schedule.end != least)
        fail_msg("%s n=%u m=%u %s: ends at %llu, not %llu", names[kind], asked->n, asked->m,
                 model_name(asked->model), (unsigned long long)schedule.end,
                 (unsigned long long)least);
    assert_int_equal(algorithm_end(algorithm, asked), least);
    assert_int_equal(bound_end(&whole), least);
    assert_int_equal(schedule.transfer_count, collective_receipts(&whole));
    check_known(kind, asked, &schedule);
    schedule_free(&schedule);
}

static void check_models(unsigned kind, struct collective asked)
{
    for (unsigned which = 0; which < sizeof round_models / sizeof *round_models; which++) {
        asked.model = round_models[which];
        check(kind, &asked);
    }
    for (unsigned which = 0; which < 2 * sizeof lambdas / sizeof *lambdas; which++) {
        asked.model = timed_models[which % 2];
        asked.lambda = lambdas[which / 2];
        check(kind, &asked);
    }
}

static void every_size(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (uint32_t n = 2; n <= MAX_NODES; n++)
            for (uint32_t m = 1; m <= (n <= 16 ? 3 : 1); m++) {
                check_models(kind, (struct collective){.n = n, .m = m});
                if (kind == SCATTER_ || kind == GATHER_)
                    check_models(kind, (struct collective){.n = n, .m = m, .source = n - 1});
            }
}

/* -- What is wrong ----------------------------------------------------------------------------- */

static void refuse(const struct schedule *schedule, const char *what, size_t index)
{
    struct verify_report report;
    struct err err = {0};
    if (verify_schedule("changed", schedule, &report, &err))
        fail_msg("%s: %s of transfer %zu is accepted", schedule->algorithm, what, index);
    assert_int_equal(err_exit_status(err.code), 1);
}

/* Checks that each changed transfer is rejected: with the next packet, with the next node as its
 * destination, and replaced by a copy of another transfer. */
static void change_all(struct schedule *schedule)
{
    for (size_t t = 0; t < schedule->transfer_count; t++) {
        struct transfer *transfer = &schedule->transfer[t], kept = *transfer;
        transfer->packet = kept.packet % schedule->packets + 1;
        if (schedule->packets > 1)
            refuse(schedule, "another packet", t);
        *transfer = kept;
        transfer->destination = (kept.destination + 1) % schedule->nodes;
        if (transfer->destination != kept.source)
            refuse(schedule, "another node", t);
        *transfer = kept;
        if (schedule->transfer_count == 1)
            continue;
        /* The transfer is replaced by a copy of another one. */
        *transfer = schedule->transfer[t == 0];
        refuse(schedule, "absence", t);
        *transfer = kept;
    }
}

static void changes_are_refused(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (uint32_t n = 2; n <= 7; n++)
            for (unsigned model = 0; model < 3; model++) {
                const struct collective asked = {.n = n, .m = 2, .model = round_models[model]};
                struct schedule schedule;
                struct collective known;
                support_schedule(support_algorithm(names[kind]), &asked, &schedule);
                change_all(&schedule);
                schedule.demand[schedule.demand_count - 1].source =
                    (schedule.demand[schedule.demand_count - 1].source + 1) % n;
                assert_false(n > 2 && schedule.demand_count > 1 &&
                             schedule_collective(&schedule, &known) &&
                             known.kind != COLLECTIVE_TRAFFIC && known.kind != COLLECTIVE_DEMANDS);
                schedule_free(&schedule);
            }
}

static void what_is_refused(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        const struct algorithm *algorithm = support_algorithm(names[kind]);
        bool of_all = kind == ALL_GATHER || kind == TOTAL_EXCHANGE;
        struct err err = {0};
        assert_int_equal(
            algorithm_check(algorithm, &(struct collective){.n = 5, .m = 1, .source = 1}, &err),
            !of_all);
        if (of_all)
            support_error(&err, ERR_ALGORITHM, names[kind], "has no one source, 1 is given");
        err = (struct err){0};
        assert_int_equal(algorithm_check(algorithm, &(struct collective){.n = 1, .m = 3}, &err),
                         kind == ALL_GATHER);
        if (kind != ALL_GATHER)
            support_error(&err, ERR_ALGORITHM, "a single node has no receiver");
        struct schedule schedule = {0};
        const struct collective large = {.n = 1 << 24, .m = 1 << 27};
        assert_false(algorithm_build(algorithm, &large, &schedule, &err));
        support_error(&err, ERR_RANGE, "packets; expected 1 … 134217728");
        const struct collective many = {.n = 2, .m = 1 << 26};
        assert_true(algorithm_end(algorithm, &many) == many.m);
    }
}

/* -- On csim ----------------------------------------------------------------------------------- */

/* Runs the collective with these settings; returns false if it has no pattern for them. */
static bool run(unsigned kind, const struct collective *asked, struct machine machine)
{
    static const struct simulate_options options = {.engine_count = 1, .engine = {ENGINE_CSIM}};
    struct support_job job = {0};
    struct simulate_report report;
    struct err err = {0};
    uint32_t flits = 2;
    support_schedule(support_algorithm(names[kind]), asked, &job.schedule);
    if (model_has_times(asked->model))
        support_true(clock_registers(&machine, &(struct clock_request){asked->lambda, 2, 0, false},
                                     &flits, &err),
                     &err);
    support_payload(&job.schedule, &machine, flits, kind + asked->n, &job.payload);
    bool fits = machine_sizing_fit(&job.schedule, flits, NULL, &machine, &err);
    if (fits) {
        support_true(route_schedule(&job.schedule, &machine, &job.payload, &job.image, &err), &err);
        support_true(simulate(&job.image, &job.schedule, &job.payload, &options, &report, &err),
                     &err);
        assert_int_equal(report.checks.seen, job.schedule.transfer_count);
    } else {
        assert_int_equal(err.code, ERR_IRREGULAR);
    }
    support_job_free(&job);
    return fits;
}

/* Shifts of all nodes are tags on the same number of ports. So are the complements of a tournament
 * of 2^k nodes, which are affine, too. */
static void runs_on_csim(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (uint32_t n = 2; n <= 12; n++) {
            bool power = (n & (n - 1)) == 0, one = kind == SCATTER_ || kind == GATHER_;
            struct collective asked = {.n = n, .m = 2, .lambda = {5, 2}};
            struct machine machine = {.network = multistage_benes(n), .pipe = 1, .width = 16};
            machine.settings = MACHINE_TAGS;
            assert_true(run(kind, &asked, machine));
            asked.model = MODEL_TELEPHONE;
            assert_true(run(kind, &asked, machine) || (!power && !one));
            asked.model = MODEL_TELEGRAPH;
            assert_true(run(kind, &asked, machine) || (!power && !one));
            if (power) {
                machine.settings = MACHINE_MASKS;
                assert_true(run(kind, &asked, machine));
            }
            machine.settings = MACHINE_FULL;
            assert_true(run(kind, &asked, machine));
            asked.model = MODEL_POSTAL;
            assert_true(run(kind, &asked, machine));
            machine.network = multistage_multicast(power ? n : 16);
            asked.model = MODEL_FABRIC_MULTICAST;
            assert_true(run(kind, &asked, machine));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size),
        cmocka_unit_test(changes_are_refused),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(runs_on_csim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
