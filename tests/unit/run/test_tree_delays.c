/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_delays: packets of a tree that are corrupt or late.
 *
 * State space. The machines and jobs of tree_fault_rig.h, on csim and on RTL. Exhaustive: every bit
 * of every packet at its source, flipped before the run; a bit of every packet at every leaf that
 * wants it, flipped after the run; every transfer that can be made a step later by a legal
 * schedule.
 *
 * The expected report follows from the schedule: a corrupt packet at all leaves that want it; a
 * late packet at the leaf at which it arrives, and no report if it waits at a router on the way.
 */
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/route/route.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/tree_fault_rig.h"

#include <inttypes.h>
#include <stdio.h>

/* -- Corrupt packets --------------------------------------------------------------------------- */

static bool is_wanted(const struct tree_fault_rig *rig, uint32_t leaf, uint32_t packet)
{
    const struct tree_replay *replay = &rig->lab.replay;
    return replay->wanted[leaf * (replay->schedule->packets + 1) + packet];
}

static uint32_t round_of(const struct tree_fault_rig *rig, uint32_t leaf, uint32_t packet)
{
    const struct tree_replay *replay = &rig->lab.replay;
    return replay->round[leaf * (replay->schedule->packets + 1) + packet];
}

/* Requires that the last run reported this leaf's packet first, as corrupt. */
static void assert_corrupt(const struct tree_fault_rig *rig, uint32_t leaf, uint32_t packet,
                           uint32_t flit, uint32_t bits)
{
    char text[160];
    uint32_t word = MACHINE_VALID | payload_word(&rig->lab.job.payload, packet, flit);
    snprintf(text, sizeof text,
             "round %" PRIu32 ": node %" PRIu32 " holds packet %" PRIu32 " with flit %" PRIu32
             " = %08" PRIx32 "; expected %08" PRIx32,
             round_of(rig, leaf, packet), leaf, packet, flit, word ^ bits, word);
    support_error(&rig->lab.err, ERR_CORRUPT, text);
}

/* Corrupts a packet at its source: it is corrupt at all leaves that want it, and only there. */
static void corrupt_source(struct tree_fault_rig *rig, uint32_t source, uint32_t packet,
                           uint32_t flit, unsigned bit)
{
    struct tree_fault_lab *lab = &rig->lab;
    const uint32_t leaves = lab->job.schedule.nodes;
    uint32_t first = leaves, count = 0;
    for (uint32_t leaf = leaves; leaf-- > 0;)
        if (is_wanted(rig, leaf, packet)) {
            first = leaf;
            count++;
        }
    assert_false(tree_fault_lab_holds(
        lab, machine_packet_address(&lab->machine, source, packet - 1, flit), bit, false));
    assert_corrupt(rig, first, packet, flit, 1u << bit);
    assert_int_equal(lab->report.corrupt, count);
    assert_int_equal(lab->err.further, count - 1);
    assert_int_equal(lab->report.seen, lab->report.expected);
}

/* Clears the valid bit of a flit at the source, which raises a flag. */
static void lose_flit(struct tree_fault_rig *rig, uint32_t source, uint32_t packet, uint32_t flit)
{
    struct tree_fault_lab *lab = &rig->lab;
    const struct run *run = &lab->replay.run;
    uint32_t row = 0;
    while (lab->replay.send[(source << lab->machine.log2_rows) + row] !=
           (MACHINE_VALID | (packet - 1)))
        row++;
    char text[160];
    snprintf(text, sizeof text,
             "round %" PRIu32 ", cycle %" PRIu32 ": node %" PRIu32
             " flags sending what it does not hold; expected no flag, packet %" PRIu32
             " to be sent",
             row + 1, row * run->row_cycles + run->flits - 1 + lab->machine.pad, source, packet);
    assert_false(tree_fault_lab_holds(
        lab, machine_packet_address(&lab->machine, source, packet - 1, flit), 31, false));
    support_error(&lab->err, ERR_FLAG, text);
}

static void corrupt_packet(struct tree_fault_rig *rig, uint32_t source, uint32_t packet,
                           unsigned *count)
{
    struct tree_fault_lab *lab = &rig->lab;
    for (uint32_t flit = 0; flit < TREE_FAULT_LAB_FLITS; flit++) {
        for (unsigned bit = 0; bit < lab->machine.width; bit++, ++*count)
            corrupt_source(rig, source, packet, flit, bit);
        lose_flit(rig, source, packet, flit);
    }
    for (uint32_t leaf = 0; leaf < lab->job.schedule.nodes; leaf++) {
        uint32_t flit = (leaf + packet) % TREE_FAULT_LAB_FLITS,
                 bit = (5 * packet + leaf) % lab->machine.width;
        if (!is_wanted(rig, leaf, packet))
            continue;
        uint32_t address = machine_packet_address(&lab->machine, leaf, packet - 1, flit);
        assert_false(tree_fault_lab_holds(lab, address, bit, true));
        assert_corrupt(rig, leaf, packet, flit, 1u << bit);
        assert_int_equal(lab->err.further, 0);
        ++*count;
    }
}

static void corrupt_every_packet(struct tree_fault_rig *rig, void *count)
{
    const struct schedule *schedule = &rig->lab.job.schedule;
    for (size_t d = 0; d < schedule->demand_count; d++)
        for (uint32_t packet = schedule->demand[d].first_packet;
             packet <= schedule->demand[d].last_packet; packet++)
            corrupt_packet(rig, schedule->demand[d].source, packet, count);
}

static void corrupt_packets(enum engine_kind kind)
{
    unsigned count = 0;
    tree_fault_rig_each(kind, corrupt_every_packet, &count);
    print_message("%u corrupt packets\n", count);
    assert_int_equal(count, (4 + 12 + 1 + 6 + 30 + 1) * TREE_FAULT_LAB_FLITS * 16 + 16 + 24 + 4 +
                                36 + 60 + 6);
}

/* -- Late packets ------------------------------------------------------------------------------ */

/* Checks that the leaf is reported to have received its packet late; no report if the transfer does
 * not end at a leaf. */
static void judge_late(struct tree_fault_rig *rig, const struct schedule *later, size_t which,
                       bool held)
{
    const struct tree_fault_lab *lab = &rig->lab;
    const struct schedule *schedule = &lab->job.schedule;
    const struct transfer *transfer = &schedule->transfer[which];
    const struct run *run = &lab->replay.run;
    if (transfer->destination >= schedule->nodes) {
        assert_int_equal(later->end, schedule->end);
        support_true(held, &lab->err);
        return;
    }
    uint32_t round = (uint32_t)schedule->step[schedule_step_of(schedule, which)].time;
    uint32_t cycle = round * run->row_cycles + run->flits - 1 + lab->machine.pad;
    char text[160];
    snprintf(text, sizeof text,
             "round %" PRIu32 ", cycle %" PRIu32 ": node %" PRIu32 " receives packet %" PRIu32
             "; expected it in round %" PRIu32 ", cycle %" PRIu32,
             round + 1, cycle, transfer->destination, transfer->packet, round,
             cycle - run->row_cycles);
    assert_false(held);
    support_error(&lab->err, ERR_LATE, text);
    assert_int_equal(lab->err.further, later->end - schedule->end); /* steps */
}

struct delays {
    unsigned late, waiting;
};

static void put_off(struct tree_fault_rig *rig, size_t which, struct delays *delays)
{
    struct tree_fault_lab *lab = &rig->lab;
    struct schedule later = tree_fault_rig_changed(rig, which);
    struct verify_report verified;
    struct image image;
    struct err err = {0};
    if (!verify_schedule("late", &later, &verified, &err)) {
        schedule_free(&later);
        return;
    }
    support_true(route_schedule(&later, &lab->machine, &lab->job.payload, &image, &err), &err);
    tree_fault_lab_unload(lab);
    tree_fault_lab_load(lab, &lab->job.schedule, &image);
    judge_late(rig, &later, which, tree_fault_lab_holds(lab, 0, 0, false));
    if (lab->job.schedule.transfer[which].destination < later.nodes)
        delays->late++;
    else
        delays->waiting++;
    image_free(&image);
    schedule_free(&later);
}

static void put_all_off(struct tree_fault_rig *rig, void *delays)
{
    for (size_t t = 0; t < rig->lab.job.schedule.transfer_count; t++)
        put_off(rig, t, delays);
    tree_fault_rig_reload(rig);
}

static void late_packets(enum engine_kind kind)
{
    struct delays delays = {0};
    tree_fault_rig_each(kind, put_all_off, &delays);
    print_message("%u packets late by a step, %u that wait for a step before\n", delays.late,
                  delays.waiting);
    assert_int_equal(delays.late, 22);
    assert_int_equal(delays.waiting, 19);
}

TREE_FAULT_RIG_ON(corrupt_packets)
TREE_FAULT_RIG_ON(late_packets)

int main(void)
{
    const struct CMUnitTest tests[] = {TREE_FAULT_RIG_BOTH(corrupt_packets),
                                       TREE_FAULT_RIG_BOTH(late_packets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
