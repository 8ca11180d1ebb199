/* SPDX-License-Identifier: Apache-2.0 */
/* test_shared_ports: nodes of several ports whose endpoints share a packet memory, end to end on
 * csim; test_shared_ports_rtl.c compares csim with the RTL.
 *
 * State space. matching, binomial and all-gather for 2 … 6 nodes of 2, 3 and 4 ports, 1, 3 and 6
 * packets of 1 … 3 flits, in the models send-receive, telephone and postal (there with barriers and
 * without), on Beneš networks of k n and of 32 ports, Waksman and Clos networks, with full and
 * indexed settings, and with reconfiguration. The scoreboard, which uses only the schedule of the
 * endpoints and the clock, must find each packet in its cycle and in memory, and unpack must read
 * back a schedule that verify accepts.
 *
 * Counter-cases. If a send program names another member of the node, the sender does not hold the
 * packet. Without shared memories the image fails. The file of a schedule whose nodes share
 * memories is read as it was written, and rejected if it is malformed; such a schedule is not
 * exported, drawn or executed by computed programs.
 */
#include "sched/draw/drawing.h"
#include "sched/image/unpack.h"
#include "sched/machine/machine.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_network.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/ports_to_nodes.h"
#include "sched/route/route.h"
#include "sched/verify/verify.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED 17
#define CHANGE 3

struct variant {
    enum machine_settings settings;
    bool reconfigures;
};

static bool simulates(const struct support_job *job, struct err *err)
{
    static const struct simulate_options options = {.engine_count = 1, .engine = {ENGINE_CSIM}};
    struct simulate_report report;
    return simulate(&job->image, &job->schedule, &job->payload, &options, &report, err) &&
           report.checks.seen == job->schedule.transfer_count;
}

/* Builds the schedule of the endpoints. Returns false if the algorithm does not accept the case or
 * its packets keep to their ports. */
static bool build(const char *name, const struct collective *asked, struct schedule *single)
{
    const struct algorithm *algorithm = support_algorithm(name);
    struct collective collective = *asked;
    struct schedule several = {0};
    struct err err = {0};
    collective.kind = algorithm->kind;
    *single = (struct schedule){0};
    if (!algorithm_check(algorithm, &collective, NULL))
        return false;
    support_true(algorithm_build(algorithm, &collective, &several, &err) &&
                     ports_to_nodes(&several, single, &err),
                 &err);
    schedule_free(&several);
    if (single->topology.shared > 0)
        return true;
    schedule_free(single);
    return false;
}

/* Makes the image on a machine whose memories fit. */
static void make_job(const struct schedule *single, const char *network, struct variant variant,
                     uint32_t flits, struct support_job *job)
{
    struct machine machine = {.width = 16,
                              .settings = variant.settings,
                              .reconfigures = variant.reconfigures,
                              .shared = single->topology.shared};
    const struct machine least = {.log2_packets = 1, .log2_flits = 1, .log2_rows = 1};
    struct err err = {0};
    support_true(machine_parse_network(network, &machine, &err), &err);
    *job = (struct support_job){.schedule = *single};
    support_true(machine_sizing_fit(single, flits, &least, &machine, &err), &err);
    support_payload(single, &machine, flits, SEED, &job->payload);
    support_true(route_schedule(single, &machine, &job->payload, &job->image, &err), &err);
    if (variant.reconfigures)
        route_reconfigure(&job->image, CHANGE);
}

static void job_free(struct support_job *job)
{
    payload_free(&job->payload);
    image_free(&job->image);
}

/* Follows the rows of an image. Returns the number of packets that are sent from a memory without
 * them; `moved` names the memory of the next port of the node for each. */
static uint64_t count_missing(struct unpacked *unpacked, bool moved)
{
    const uint32_t shared = unpacked->machine.shared;
    struct circuit *circuit = calloc(unpack_most_circuits(unpacked), sizeof *circuit);
    struct unpack_held held;
    struct err err = {0};
    uint64_t missing = 0;
    assert_non_null(circuit);
    support_true(unpack_held_new(unpacked, &held, &err), &err);
    for (uint32_t row = 0; row < unpacked->run.rows; row++) {
        uint32_t kept = 0;
        unpack_row(unpacked, row);
        const uint32_t count = unpack_circuits(unpacked, circuit);
        for (uint32_t k = 0; k < count; k++) {
            if (circuit[k].continues)
                continue;
            const uint32_t memory = circuit[k].memory, first = memory - memory % shared;
            struct circuit sent = circuit[k];
            if (moved)
                sent.memory = first + (memory + 1 - first) % shared;
            missing += !unpack_held_sends(&held, &sent);
            circuit[kept++] = circuit[k];
        }
        unpack_held_receive(&held, circuit, kept);
    }
    unpack_held_free(&held);
    free(circuit);
    return missing;
}

static uint64_t moved_packets; /* that were found missing where they are not */

static void check_unpacked(const struct support_job *job)
{
    struct unpacked unpacked;
    struct schedule schedule = {0};
    struct verify_report report;
    struct err err = {0};
    support_true(unpack_image(&job->image, &unpacked, &err), &err);
    support_true(unpack_demands(&unpacked, &schedule, &err), &err);
    assert_int_equal(schedule.topology.shared, job->schedule.topology.shared);
    assert_int_equal(count_missing(&unpacked, false), 0);
    moved_packets += count_missing(&unpacked, true);
    schedule_free(&schedule);
    unpack_free(&unpacked);
    support_true(verify_schedule("endpoints", &job->schedule, &report, &err), &err);
}

static unsigned every_network(const struct schedule *single, uint32_t flits)
{
    static const struct variant variants[] = {
        {MACHINE_FULL, false}, {MACHINE_INDEXED, false}, {MACHINE_FULL, true}};
    const bool times = model_has_times(single->model);
    char network[4][40];
    unsigned runs = 0;
    snprintf(network[0], sizeof network[0], "benes:%u", single->nodes);
    snprintf(network[1], sizeof network[1], "benes:32,pipe=2");
    snprintf(network[2], sizeof network[2], "waksman:%u", single->nodes);
    snprintf(network[3], sizeof network[3], "clos:3,3,%u", single->nodes / 3 + 1);
    for (unsigned which = 0; which < 4; which++)
        for (unsigned each = 0; each < 3; each++) {
            struct support_job job;
            struct err err = {0};
            if (times) /* λ fits one network only; see postal */
                continue;
            make_job(single, network[which], variants[each], flits, &job);
            if (!simulates(&job, &err))
                fail_msg("%s of %u endpoints, %u packets on %s: %s", single->algorithm,
                         single->nodes, single->packets, network[which], err.text);
            check_unpacked(&job);
            runs++;
            job_free(&job);
        }
    return runs;
}

static void rounds(void **state)
{
    (void)state;
    static const char *const names[] = {"matching", "binomial", "all-gather"};
    static const uint32_t packets[] = {1, 3, 6};
    unsigned runs = 0;
    for (unsigned name = 0; name < 3; name++)
        for (unsigned pairs = 0; pairs < 2; pairs++)
            for (uint32_t n = 2; n <= 6; n++)
                for (unsigned m = 0; m < 3; m++)
                    for (uint32_t ports = 2; ports <= 4; ports++) {
                        const struct collective asked = {.n = n,
                                                         .m = packets[m],
                                                         .ports = ports,
                                                         .model = pairs ? MODEL_TELEPHONE
                                                                        : MODEL_SEND_RECEIVE};
                        struct schedule single;
                        if (!build(names[name], &asked, &single))
                            continue;
                        runs += every_network(&single, 1 + m);
                        schedule_free(&single);
                    }
    print_message("%u runs\n", runs);
    assert_true(runs > 1000 && moved_packets > 1000);
}

/* Without barriers, a word may be sent on in the cycle after its receipt, over another port than
 * the one that received it: one flit, or rows of one cycle. */
static void postal(void **state)
{
    (void)state;
    static const uint32_t flits[] = {1, 2, 3, 4, 6};
    unsigned runs = 0;
    for (unsigned which = 0; which < 5; which++)
        for (unsigned pad = 0; pad <= 5; pad++)
            for (uint32_t n = 3; n <= 8; n++) {
                struct machine machine = {.width = 16};
                struct support_job job;
                struct schedule single;
                struct err err = {0};
                char network[40];
                snprintf(network, sizeof network, "benes:%u,pipe=0,pad=%u", 2 * n, pad);
                support_true(machine_parse_network(network, &machine, &err), &err);
                const struct collective asked = {.n = n,
                                                 .m = 3,
                                                 .ports = 2,
                                                 .lambda = machine_lambda(&machine, flits[which]),
                                                 .model = MODEL_POSTAL};
                if (!build("all-gather", &asked, &single))
                    continue;
                make_job(&single, network, (struct variant){MACHINE_FULL, false}, flits[which],
                         &job);
                support_true(simulates(&job, &err), &err);
                check_unpacked(&job);
                job_free(&job);
                schedule_free(&single);
                runs++;
            }
    print_message("%u runs\n", runs);
    assert_true(runs > 50);
}

/* -- Counter-cases ----------------------------------------------------------------------------- */

static void build_one(struct schedule *single, struct support_job *job)
{
    const struct collective asked = {.n = 4, .m = 3, .ports = 2, .model = MODEL_SEND_RECEIVE};
    assert_true(build("matching", &asked, single));
    make_job(single, "benes:8", (struct variant){MACHINE_FULL, false}, 2, job);
}

static void another_member_holds_nothing(void **state)
{
    (void)state;
    struct schedule single;
    struct support_job job;
    struct err err = {0};
    unsigned tried = 0;
    build_one(&single, &job);
    const uint32_t member = UINT32_C(1) << job.image.machine.log2_packets;
    for (size_t k = 0; k < job.image.count; k++) {
        struct image_word *word = &job.image.word[k];
        if (machine_region_of(word->address) != MACHINE_SEND || !(word->word & MACHINE_VALID))
            continue;
        word->word ^= member;
        assert_false(simulates(&job, &err));
        assert_true(err.code == ERR_FLAG || err.code == ERR_LOST || err.code == ERR_LATE);
        word->word ^= member;
        tried++;
    }
    assert_int_equal(tried, single.transfer_count);
    support_true(simulates(&job, &err), &err);
    job_free(&job);
    schedule_free(&single);
}

static void files_name_the_sharing(void **state)
{
    (void)state;
    static const char *const wrong[] = {"18 shared", "18 shared 1", "18 shared 19", "18 share 2",
                                        "18 shared 2 3"};
    struct schedule single, again;
    struct support_job job;
    struct err err = {0};
    build_one(&single, &job);
    char *text = support_text(&single);
    assert_non_null(strstr(text, "topology complete 8 shared 2\n"));
    support_true(support_read(text, "again", &again, &err), &err);
    assert_int_equal(again.topology.shared, 2);
    schedule_free(&again);
    free(text);
    for (unsigned which = 0; which < sizeof wrong / sizeof *wrong; which++) {
        char lines[200];
        snprintf(lines, sizeof lines,
                 "roundcast-schedule 1\nalgorithm x\ntopology complete %s\nmodel send-receive\n"
                 "demand 1 0 *\nend 0\n",
                 wrong[which]);
        assert_false(support_read(lines, "wrong", &again, &err));
        schedule_free(&again);
    }
    job_free(&job);
    schedule_free(&single);
}

static void others_are_refused(void **state)
{
    (void)state;
    struct schedule single;
    struct support_job job;
    struct drawing drawing;
    struct err err = {0};
    build_one(&single, &job);
    assert_false(drawing_broadcast("s", &single, 1, UINT64_MAX, &drawing, &err));
    support_error(&err, ERR_UNSUPPORTED, "2 adjacent endpoints share the memory of a node");
    struct machine machine = job.image.machine;
    machine.computed = true;
    machine.log2_period = 1;
    assert_false(machine_check(&machine, &err));
    support_error(&err, ERR_NETWORK, "the endpoints of a node share a memory");
    machine = job.image.machine;
    machine.shared = 1;
    assert_false(machine_check(&machine, &err));
    machine.shared = MACHINE_MAX_SHARED + 1;
    assert_false(machine_check(&machine, &err));
    support_error(&err, ERR_NETWORK, "65 endpoints share a memory; expected 2 … 64");
    job_free(&job);
    schedule_free(&single);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rounds), cmocka_unit_test(postal),
                                       cmocka_unit_test(another_member_holds_nothing),
                                       cmocka_unit_test(files_name_the_sharing),
                                       cmocka_unit_test(others_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
