/* SPDX-License-Identifier: Apache-2.0 */
/* test_route_postal: images without barriers.
 *
 * Sampled with a printed seed: 300 random legal schedules of the postal model (not of any
 * algorithm), n ≤ 16, m ≤ 4, λ = p/q with q ≤ 4 and p ≤ 12, in which every free node sends, with
 * some probability, a packet that another node lacks. In the image's tables, followed through the
 * switches, each packet must be in all of its rows from its sender to its receiver, and all but the
 * last row must announce more flits to the receiver; nothing else may be in them. On csim every
 * packet must arrive in its cycle. A setting that is flipped in any one row of a packet is
 * detected.
 *
 * Bad clocks: flits and registers that do not give λ; an image compared with a schedule of another
 * λ.
 */
#include "sched/base/rng.h"
#include "sched/image/unpack.h"
#include "sched/machine/clock.h"
#include "sched/machine/machine_address.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/route.h"
#include "sched/verify/verify.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <inttypes.h>

#define SEED UINT64_C(20240703)
#define TRIALS 300

enum { MAX_NODES = 16, MAX_PACKETS = 4 };

/* A random schedule under construction, in ticks; 0: never. */
struct making {
    uint64_t held_from[MAX_NODES][MAX_PACKETS + 1]; /* 1 + the tick */
    bool promised[MAX_NODES][MAX_PACKETS + 1];
    uint64_t sends_until[MAX_NODES], receives_until[MAX_NODES];
};

/* Returns a node that lacks the packet and is free to receive; n if there is none. */
static uint32_t receiver(const struct making *making, uint32_t n, uint32_t packet, uint64_t tick,
                         struct rng *rng)
{
    uint32_t first = rng_below(rng, n);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t node = (first + k) % n;
        if (!making->promised[node][packet] && making->receives_until[node] <= tick)
            return node;
    }
    return n;
}

static size_t random_step(struct making *making, const struct schedule *schedule, uint64_t tick,
                          struct rng *rng, struct transfer transfer[])
{
    size_t count = 0;
    for (uint32_t node = 0; node < schedule->nodes; node++) {
        uint32_t packet = 1 + rng_below(rng, schedule->packets);
        uint64_t held = making->held_from[node][packet];
        if (making->sends_until[node] > tick || held == 0 || held > tick + 1 ||
            rng_below(rng, 4) == 0)
            continue;
        uint32_t to = receiver(making, schedule->nodes, packet, tick, rng);
        if (to == schedule->nodes)
            continue;
        making->promised[to][packet] = true;
        making->held_from[to][packet] = 1 + tick + schedule->lambda.numerator;
        making->sends_until[node] = making->receives_until[to] =
            tick + schedule->lambda.denominator;
        transfer[count++] = (struct transfer){node, to, packet};
    }
    return count;
}

static void random_schedule(struct rng *rng, struct schedule *schedule)
{
    struct making making = {0};
    struct err err = {0};
    struct verify_report report;
    uint32_t n = 2 + rng_below(rng, MAX_NODES - 1), m = 1 + rng_below(rng, MAX_PACKETS);
    uint32_t q = 1 + rng_below(rng, 4), p = q + rng_below(rng, 12 - q + 1);
    support_true(support_broadcast(schedule, "random",
                                   &(struct collective){.n = n, .m = m, .model = MODEL_POSTAL},
                                   &err),
                 &err);
    schedule->lambda = rational_make(p, q);
    for (uint32_t packet = 1; packet <= m; packet++) {
        making.held_from[0][packet] = 1;
        making.promised[0][packet] = true;
    }
    for (uint64_t tick = 0; schedule->transfer_count < (size_t)(n - 1) * m; tick++) {
        struct transfer *transfer = schedule_open_step(schedule, tick, n, &err);
        assert_non_null(transfer);
        schedule_close_step(schedule, random_step(&making, schedule, tick, rng, transfer));
    }
    support_true(verify_schedule("random", schedule, &report, &err), &err);
}

static void route_random(struct rng *rng, struct support_job *job)
{
    struct err err = {0};
    *job = (struct support_job){0};
    random_schedule(rng, &job->schedule);
    struct machine machine = support_machine(4, 1, 0);
    uint32_t flits, needed = 1 + rng_below(rng, 4);
    support_true(clock_registers(&machine,
                                 &(struct clock_request){job->schedule.lambda, needed, 0, false},
                                 &flits, &err),
                 &err);
    support_payload(&job->schedule, &machine, flits, rng_next(rng), &job->payload);
    support_true(
        machine_sizing_fit(&job->schedule, flits,
                           &(struct machine){.log2_packets = 4, .log2_flits = 3, .log2_rows = 6},
                           &machine, &err),
        &err);
    support_true(route_schedule(&job->schedule, &machine, &job->payload, &job->image, &err), &err);
}

/* Returns the transfer that a node sends in a row, or NULL if it sends nothing. */
static const struct transfer *sent(const struct schedule *schedule, uint64_t row, uint32_t node,
                                   bool *last)
{
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
            uint64_t begin = schedule->step[k].time, rows = schedule->lambda.denominator;
            if (schedule->transfer[t].source == node && begin <= row && row < begin + rows) {
                *last = row + 1 == begin + rows;
                return &schedule->transfer[t];
            }
        }
    return NULL;
}

static uint64_t check_rows(const struct support_job *job, struct unpacked *unpacked)
{
    const struct schedule *schedule = &job->schedule;
    struct circuit circuit[MAX_NODES];
    uint64_t begun = 0;
    assert_int_equal(unpacked->run.rows, schedule->end);
    for (uint32_t row = 0; row < unpacked->run.rows; row++) {
        unpack_row(unpacked, row);
        uint32_t count = unpack_circuits(unpacked, circuit), at = 0;
        for (uint32_t node = 0; node < schedule->nodes; node++) {
            bool last;
            const struct transfer *transfer = sent(schedule, row, node, &last);
            if (transfer == NULL)
                continue;
            assert_true(at < count);
            assert_int_equal(circuit[at].source, node);
            assert_int_equal(circuit[at].destination, transfer->destination);
            assert_true(circuit[at].sent == transfer->packet &&
                        circuit[at].received == transfer->packet);
            uint32_t word = unpacked->receive[transfer->destination];
            assert_int_equal((word & MACHINE_MORE) == 0, last);
            begun += !circuit[at].continues;
            at++;
        }
        assert_int_equal(at, count);
        uint32_t receivers = 0;
        for (uint32_t port = 0; port < 16; port++)
            receivers += unpacked->receive[port] >> 31;
        assert_int_equal(receivers, count);
    }
    return begun;
}

static void random_schedules(void **state)
{
    (void)state;
    static const struct simulate_options options = {.engine_count = 1, .engine = {ENGINE_CSIM}};
    print_message("seed %" PRIu64 "\n", SEED);
    struct rng rng = {SEED};
    unsigned fractional = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        struct support_job job;
        struct unpacked unpacked;
        struct simulate_report report;
        struct err err = {0};
        route_random(&rng, &job);
        support_true(unpack_image(&job.image, &unpacked, &err), &err);
        assert_int_equal(check_rows(&job, &unpacked), job.schedule.transfer_count);
        support_true(simulate(&job.image, &job.schedule, &job.payload, &options, &report, &err),
                     &err);
        assert_int_equal(report.checks.seen, job.schedule.transfer_count);
        assert_int_equal(report.run_cycles,
                         job.schedule.end * job.payload.flits / job.schedule.lambda.denominator);
        fractional += job.schedule.lambda.denominator > 1;
        unpack_free(&unpacked);
        support_job_free(&job);
    }
    assert_in_range(fractional, TRIALS / 4, TRIALS);
}

/* A packet that is misrouted in only one of its rows is detected. */
static void flipped_settings_are_seen(void **state)
{
    (void)state;
    static const struct simulate_options options = {.engine_count = 1, .engine = {ENGINE_CSIM}};
    struct rng rng = {SEED + 1};
    unsigned flipped = 0, seen = 0;
    for (unsigned trial = 0; trial < 20; trial++) {
        struct support_job job;
        route_random(&rng, &job);
        for (uint32_t row = 0; row < job.image.run.rows; row++) {
            uint32_t address = machine_table_address(&job.image.machine, 0, row, 0);
            size_t k = 0;
            while (job.image.word[k].address != address)
                k++;
            bool last;
            if (sent(&job.schedule, row, 0, &last) == NULL)
                continue;
            struct simulate_report report;
            struct err err = {0};
            job.image.word[k].word ^= 1; /* the first switch of node 0 */
            bool holds = simulate(&job.image, &job.schedule, &job.payload, &options, &report, &err);
            /* Node 8, on the same switch, may send the same packet. */
            const struct transfer *other = sent(&job.schedule, row, 8, &last);
            bool same =
                other != NULL && other->packet == sent(&job.schedule, row, 0, &last)->packet;
            assert_true(!holds || same);
            seen += !holds;
            flipped++;
            job.image.word[k].word ^= 1;
        }
        support_job_free(&job);
    }
    assert_true(seen > 0 && seen > flipped / 2);
}

static void bad_clocks(void **state)
{
    (void)state;
    struct rng rng = {SEED + 2};
    struct support_job job;
    struct image image;
    struct err err = {0};
    do {
        route_random(&rng, &job);
        if (job.schedule.lambda.numerator != 5 || job.schedule.lambda.denominator != 2)
            support_job_free(&job);
    } while (job.schedule.nodes == 0);
    struct machine machine = job.image.machine;
    machine.pad++;
    assert_false(route_schedule(&job.schedule, &machine, &job.payload, &image, &err));
    support_error(&err, ERR_NETWORK, "flits through", "expected λ = 5/2");
    support_job_free(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_schedules),
        cmocka_unit_test(flipped_settings_are_seen),
        cmocka_unit_test(bad_clocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
