/* SPDX-License-Identifier: Apache-2.0 */
/* test_unpack_demands: the demands of packets, recovered from an image.
 *
 * State space. Exhaustive: every broadcast of the table for n = 2 … 9 and m = 1 … 5, and a schedule
 * of several sources written by hand. The demands must match the schedule's transfers: a packet
 * starts at its source, and all its receivers want it, or its source if it has no receiver;
 * consecutive packets with the same source and receivers share a demand, and no other packets do.
 * The first word of an image may belong to a table.
 *
 * Counter-cases: programs without receive entries, in which only its source wants each packet;
 * words that store no packet; a packet that is stored nowhere, or alone; rows after the last row of
 * the run.
 */
#include "sched/image/unpack.h"
#include "sched/machine/machine_address.h"
#include "sched/route/route.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#define SEED UINT64_C(20261122)

static void find(const struct image *image, struct schedule *found)
{
    struct unpacked unpacked;
    struct err err = {0};
    support_true(unpack_image(image, &unpacked, &err), &err);
    support_true(unpack_demands(&unpacked, found, &err), &err);
    unpack_free(&unpacked);
}

/* Returns the nodes that receive a packet, a bit for each. */
static uint32_t receivers(const struct schedule *schedule, uint32_t packet)
{
    uint32_t nodes = 0;
    for (size_t k = 0; k < schedule->transfer_count; k++)
        if (schedule->transfer[k].packet == packet)
            nodes |= 1u << schedule->transfer[k].destination;
    return nodes;
}

static uint32_t wanting(const struct schedule *schedule, const struct demand *demand)
{
    uint32_t nodes = 0;
    for (uint32_t k = 0; k < demand->wanted_count; k++)
        nodes |= 1u << demand->wanted[k];
    return demand->wanted_count == 0 ? (1u << schedule->nodes) - 1 : nodes;
}

static void assert_found(const struct schedule *schedule, const struct image *image)
{
    struct schedule found;
    uint32_t demands = 0, before = 0, source_before = UINT32_MAX;
    find(image, &found);
    assert_int_equal(found.nodes, schedule->nodes);
    assert_int_equal(found.packets, schedule->packets);
    assert_int_equal(found.end, schedule->end);
    for (uint32_t packet = 1; packet <= schedule->packets; packet++) {
        const struct demand *demand = schedule_demand_of(&found, packet);
        const uint32_t source = schedule_demand_of(schedule, packet)->source;
        const uint32_t received = receivers(schedule, packet),
                       nodes = received ? received : 1u << source;
        assert_int_equal(demand->source, source);
        if (demand->wanted_count == 0)
            assert_int_equal(nodes | 1u << source, (1u << schedule->nodes) - 1);
        else
            assert_int_equal(wanting(&found, demand), nodes);
        demands += source != source_before || nodes != before;
        source_before = source;
        before = nodes;
    }
    assert_int_equal(found.demand_count, demands);
    schedule_free(&found);
}

/* Checks the demands of the image as it is, and with a packet's word moved after a word of a
 * table. */
static void assert_found_in_any_order(const struct support_job *job)
{
    assert_found(&job->schedule, &job->image);
    struct image_word *word = job->image.word;
    size_t table = 0;
    while (machine_region_of(word[table].address) != MACHINE_TABLE)
        table++;
    const struct image_word first = word[0];
    word[0] = word[table];
    word[table] = first;
    assert_found(&job->schedule, &job->image);
}

static void every_broadcast(void **state)
{
    (void)state;
    for (const struct algorithm *const *algorithm = support_routable(); *algorithm; algorithm++)
        for (uint32_t n = 2; n <= 9; n++)
            for (uint32_t m = 1; m <= 5; m++) {
                struct collective collective = {
                    .n = n, .m = m, .source = n / 2, .model = algorithm_model(*algorithm)};
                struct support_job job;
                if ((*algorithm)->kind != COLLECTIVE_BROADCAST ||
                    collective.model != MODEL_SEND_RECEIVE ||
                    !algorithm_check(*algorithm, &collective, NULL))
                    continue;
                struct machine machine = support_machine(4, 1, 0);
                support_job(*algorithm, &collective, &machine, 2, SEED, &job);
                assert_found_in_any_order(&job);
                support_job_free(&job);
            }
}

/* Packets 1 and 2 have equal sources and receivers, in two demands; 3 has another source, 4 another
 * receiver, 5 has two receivers; no node receives 6. */
static const char several[] = "roundcast-schedule 1\nalgorithm x\ntopology complete 5\n"
                              "model send-receive\n"
                              "demand 1 0 1\ndemand 2 0 1\ndemand 3 2 1\ndemand 4 2 3\n"
                              "demand 5 2 0,3\ndemand 6 4 4\n"
                              "round 1\n0 1 1\n2 3 4\n"
                              "round 2\n0 1 2\n2 3 5\n"
                              "round 3\n2 1 3\n"
                              "round 4\n2 0 5\n4 3 3\nend 4\n";

/* Node 1 receives packet 1 twice; packet 2, of the same source, has fewer receivers. */
static const char twice[] = "roundcast-schedule 1\nalgorithm x\ntopology complete 3\n"
                            "model send-receive\ndemand 1 0 1,2\ndemand 2 0 1\n"
                            "round 1\n0 1 1\nround 2\n0 2 1\nround 3\n0 1 2\n"
                            "round 4\n2 1 1\nend 4\n";

/* Two packets of two nodes, with the same receiver. */
static const char apart[] = "roundcast-schedule 1\nalgorithm x\ntopology complete 3\n"
                            "model send-receive\ndemand 1 0 1\ndemand 2 2 1\n"
                            "round 1\n0 1 1\nround 2\n2 1 2\nend 2\n";

static void job_of(const char *text, struct support_job *job)
{
    struct err err = {0};
    const struct machine machine = support_machine(3, 1, 0);
    support_true(support_read(text, "several", &job->schedule, &err), &err);
    support_payload(&job->schedule, &machine, 2, SEED, &job->payload);
    support_true(route_schedule(&job->schedule, &machine, &job->payload, &job->image, &err), &err);
}

static void several_sources(void **state)
{
    (void)state;
    struct support_job job;
    job_of(several, &job);
    assert_found_in_any_order(&job);
    support_job_free(&job);
    job_of(twice, &job);
    assert_found_in_any_order(&job);
    support_job_free(&job);
    job_of(apart, &job);
    assert_found_in_any_order(&job);
    support_job_free(&job);
}

/* Program rows after the last row of the run belong to no run. */
static void rows_after_the_last(void **state)
{
    (void)state;
    struct support_job job;
    struct schedule found;
    job_of(several, &job);
    job.image.run.rows = 3;
    find(&job.image, &found);
    assert_int_equal(found.end, 3);
    assert_int_equal(wanting(&found, schedule_demand_of(&found, 5)), 1u << 3);
    schedule_free(&found);
    support_job_free(&job);
}

/* As many packets as slots; the last packet is not stored anywhere. */
static void all_slots(void **state)
{
    (void)state;
    struct support_job job;
    struct err err = {0};
    const struct machine machine = support_machine(3, 1, 0);
    const struct collective collective = {
        .n = 4, .m = UINT32_C(1) << machine.log2_packets, .source = 2, .model = MODEL_SEND_RECEIVE};
    support_job(algorithm_find("path", &err), &collective, &machine, 2, SEED, &job);
    assert_found(&job.schedule, &job.image);
    const uint32_t last = machine_packet_address(&machine, 2, collective.m - 1, 0);
    for (size_t k = 0; k < job.image.count; k++)
        if (job.image.word[k].address >= last &&
            machine_region_of(job.image.word[k].address) == MACHINE_PACKET)
            job.image.word[k].word = 0;
    assert_found(&job.schedule, &job.image);
    support_job_free(&job);
}

static void what_nobody_expects_is_its_sources(void **state)
{
    (void)state;
    struct support_job job;
    struct schedule found;
    job_of(several, &job);
    for (size_t k = 0; k < job.image.count; k++)
        if (machine_region_of(job.image.word[k].address) == MACHINE_RECEIVE)
            job.image.word[k].word = 0;
    find(&job.image, &found);
    for (uint32_t packet = 1; packet <= job.schedule.packets; packet++) {
        const struct demand *demand = schedule_demand_of(&found, packet);
        assert_int_equal(wanting(&found, demand), 1u << demand->source);
    }
    schedule_free(&found);
    support_job_free(&job);
}

/* A word that stores a packet at all nodes, or that is not valid, determines no source. If a packet
 * is not stored, the first node that sends it is its source. */
static void what_is_not_stored(void **state)
{
    (void)state;
    struct support_job job;
    struct schedule found;
    struct err err = {0};
    job_of(several, &job);
    const struct machine *machine = &job.image.machine;
    for (uint32_t slot = 0; slot < 6; slot++) {
        const uint32_t address = machine_packet_address(machine, 0, slot, 0);
        support_true(image_append(&job.image, address | MACHINE_ALL_NODES, MACHINE_VALID, &err),
                     &err);
        if (slot > 1)
            support_true(image_append(&job.image, address, 0, &err), &err);
    }
    assert_found(&job.schedule, &job.image);
    for (size_t k = 0; k < job.image.count; k++)
        if (machine_region_of(job.image.word[k].address) == MACHINE_PACKET)
            job.image.word[k].word = 0;
    find(&job.image, &found);
    assert_int_equal(found.packets, 5); /* no node sends packet 6 */
    for (uint32_t packet = 1; packet <= 5; packet++)
        assert_int_equal(schedule_demand_of(&found, packet)->source,
                         schedule_demand_of(&job.schedule, packet)->source);
    schedule_free(&found);
    support_job_free(&job);
}

/* With one receipt less, the packet's own source wants it; the other packets are unchanged. */
static void one_that_is_not_expected(void **state)
{
    (void)state;
    struct support_job job;
    struct schedule found;
    job_of(several, &job);
    for (size_t k = 0; k < job.image.count; k++)
        if (job.image.word[k].address ==
            machine_program_address(&job.image.machine, MACHINE_RECEIVE, 1, 0))
            job.image.word[k].word = 0;
    find(&job.image, &found);
    assert_int_equal(wanting(&found, schedule_demand_of(&found, 1)), 1u << 0);
    assert_int_equal(wanting(&found, schedule_demand_of(&found, 2)), 1u << 1);
    assert_int_equal(wanting(&found, schedule_demand_of(&found, 5)), 1u << 0 | 1u << 3);
    schedule_free(&found);
    support_job_free(&job);
}

/* A single word, which stores a packet at node 2. */
static void one_word(void **state)
{
    (void)state;
    struct support_job job;
    struct schedule found;
    job_of(several, &job);
    job.image.word[0] =
        (struct image_word){machine_packet_address(&job.image.machine, 2, 0, 0), MACHINE_VALID};
    job.image.count = 1;
    find(&job.image, &found);
    assert_int_equal(found.packets, 1);
    assert_int_equal(found.nodes, 3);
    assert_int_equal(found.demand[0].source, 2);
    assert_int_equal(wanting(&found, &found.demand[0]), 1u << 2);
    schedule_free(&found);
    support_job_free(&job);
}

/* Only the third slot is used: the packets before it have no source, and count as node 0's. */
static void slots_before_the_first_packet(void **state)
{
    (void)state;
    struct support_job job;
    struct schedule found;
    job_of(several, &job);
    job.image.word[0] =
        (struct image_word){machine_packet_address(&job.image.machine, 2, 2, 0), MACHINE_VALID};
    job.image.count = 1;
    find(&job.image, &found);
    assert_int_equal(found.packets, 3);
    assert_int_equal(found.nodes, 3);
    for (uint32_t packet = 1; packet <= 3; packet++) {
        const struct demand *demand = schedule_demand_of(&found, packet);
        assert_int_equal(demand->source, packet < 3 ? 0 : 2);
        assert_int_equal(wanting(&found, demand), 1u << demand->source);
    }
    schedule_free(&found);
    support_job_free(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_broadcast),
                                       cmocka_unit_test(several_sources),
                                       cmocka_unit_test(rows_after_the_last),
                                       cmocka_unit_test(all_slots),
                                       cmocka_unit_test(what_nobody_expects_is_its_sources),
                                       cmocka_unit_test(what_is_not_stored),
                                       cmocka_unit_test(one_that_is_not_expected),
                                       cmocka_unit_test(one_word),
                                       cmocka_unit_test(slots_before_the_first_packet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
