/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/tree_replay.h"

#include "sched/machine/machine_address.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/room.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t *tree_replay_word(struct tree_replay *replay, uint32_t address)
{
    uint32_t rest = address & UINT32_C(0x0fffffff);
    assert_false(address & MACHINE_ALL_NODES);
    switch (machine_region_of(address)) {
    case MACHINE_TABLE:
        return &replay->table[rest];
    case MACHINE_SEND:
        return &replay->send[rest];
    default:
        assert_int_equal(machine_region_of(address), MACHINE_RECEIVE);
        return &replay->receive[rest];
    }
}

/* Words for all nodes clear what is clear here. */
static void tree_replay_read(struct tree_replay *replay, const struct image *image)
{
    const struct machine *machine = &replay->machine;
    for (size_t k = 0; k < image->count; k++) {
        uint32_t address = image->word[k].address;
        const struct machine_place at = machine_place_of(machine, address);
        if (at.all)
            assert_int_equal(image->word[k].word, 0);
        else if (at.region == MACHINE_PACKET)
            replay->placed[(at.node << machine->log2_packets) + at.slot] = 1 + at.slot;
        else if (at.region != MACHINE_REGISTER)
            *tree_replay_word(replay, address) = image->word[k].word;
    }
}

static void tree_replay_expect(struct tree_replay *replay)
{
    const struct schedule *schedule = replay->schedule;
    const uint32_t leaves = schedule->nodes, packets = schedule->packets;
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            if (transfer->destination >= leaves)
                continue;
            uint32_t round = (uint32_t)schedule->step[k].time;
            replay->due[(round - 1) * leaves + transfer->destination] = transfer->packet;
            replay->round[transfer->destination * (packets + 1) + transfer->packet] = round;
        }
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        for (size_t d = 0; d < schedule->demand_count; d++) {
            const struct demand *demand = &schedule->demand[d];
            bool wanted = demand->wanted_count == 0 || demand->source == leaf;
            for (uint32_t k = 0; k < demand->wanted_count; k++)
                wanted |= demand->wanted[k] == leaf;
            for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++)
                replay->wanted[leaf * (packets + 1) + packet] = wanted;
        }
}

struct tree_replay tree_replay_open(const struct schedule *schedule, const struct image *image,
                                    const struct machine *machine)
{
    struct tree_replay replay = {.schedule = schedule, .machine = *machine, .run = image->run};
    const struct topology *tree = &machine->topology;
    const size_t rows = (size_t)1 << machine->log2_rows, leaves = tree->nodes;
    const size_t slots = (size_t)1 << machine->log2_packets,
                 pairs = leaves * (schedule->packets + 1);
    replay.reference = fat_tree_reference_open(tree->height, tree->children + 1, tree->capacity + 1,
                                               (uint32_t)rows);
    replay.table = room_words(machine_routers(machine) * rows << machine_column_bits(machine));
    replay.send = room_words(leaves * rows);
    replay.receive = room_words(leaves * rows);
    replay.placed = room_words(leaves * slots);
    replay.memory = room_words(leaves * slots);
    replay.due = room_words(leaves * rows);
    replay.round = room_words(pairs);
    replay.wanted = calloc(pairs, sizeof *replay.wanted);
    replay.leaf_flags = room_words(leaves);
    replay.router_flags = room_words(machine_routers(machine));
    assert_non_null(replay.wanted);
    tree_replay_read(&replay, image);
    tree_replay_expect(&replay);
    return replay;
}

void tree_replay_close(struct tree_replay *replay)
{
    uint32_t *const blocks[] = {replay->table,  replay->send,       replay->receive,
                                replay->placed, replay->memory,     replay->due,
                                replay->round,  replay->leaf_flags, replay->router_flags};
    fat_tree_reference_close(&replay->reference);
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        free(blocks[b]);
    free(replay->wanted);
}

__attribute__((format(printf, 3, 4))) static void
tree_replay_report(struct tree_replay *replay, enum err_code code, const char *format, ...)
{
    if (replay->reported.count++ != 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(replay->reported.text, sizeof replay->reported.text, format, arguments);
    va_end(arguments);
    replay->reported.code = code;
}

/* Returns the arrival in a slot of an input's buffer; UINT32_MAX if no packet has arrived there. */
static uint32_t tree_replay_arrival(const struct fat_tree_reference *r, uint32_t lane,
                                    uint32_t slot, uint32_t depth)
{
    uint32_t count = r->count[lane];
    return slot >= depth || slot >= count ? UINT32_MAX : slot + (count - 1 - slot) / depth * depth;
}

/* Returns a number as a router stores it, in the bits of 0 … count - 1. */
static uint32_t tree_replay_kept(uint32_t number, uint32_t count)
{
    uint32_t size = 2;
    while (size < count)
        size *= 2;
    return number % size;
}

/* Returns the input whose packet an output sends if its table selects `source`. With one read port
 * it selects among the other inputs, where the last input takes the number of its own. */
static uint32_t tree_replay_source(uint32_t ports, uint32_t reads, uint32_t output, uint32_t source)
{
    uint32_t last = ports * reads - 1, kept = tree_replay_kept(source, ports * reads);
    if (reads > 1)
        return kept;
    uint32_t choice = tree_replay_kept(kept == last ? output : kept, ports - 1);
    return choice == output ? last : choice;
}

/* The column of an output selects what it sends: the packet, or 0 and a flag. */
static uint32_t tree_replay_output(struct tree_replay *replay, uint32_t node, const uint32_t *table,
                                   uint32_t output)
{
    struct fat_tree_reference *r = &replay->reference;
    uint32_t reads = replay->machine.reads, ports = fat_tree_reference_ports(r, node);
    uint32_t source =
        tree_replay_source(ports, reads, output, table[output * reads] >> 16 & 0x7fff);
    uint32_t input = source / reads, lane = r->first[node] + input, arrival = UINT32_MAX;
    uint32_t depth = replay->machine.depth[r->level[node]];
    if (input < ports)
        arrival =
            tree_replay_arrival(r, lane, tree_replay_kept(table[source] & 0xffff, depth), depth);
    if (arrival != UINT32_MAX)
        return fat_tree_reference_forward(r, lane, arrival);
    replay->router_flags[node - r->leaves] |= MACHINE_ROUTER_NOT_HELD;
    return 0;
}

static void tree_replay_send(struct tree_replay *replay)
{
    struct fat_tree_reference *r = &replay->reference;
    const uint32_t row = r->row, rows = r->rows;
    const unsigned log2_slots = replay->machine.log2_packets;
    for (uint32_t leaf = 0; leaf < r->leaves; leaf++) {
        uint32_t word = replay->send[leaf * rows + row];
        r->sent[r->first[leaf]] =
            word & MACHINE_VALID ? replay->memory[leaf << log2_slots | (word & MACHINE_OBS_PACKET)]
                                 : 0;
    }
    for (uint32_t node = r->leaves; node < r->nodes; node++) {
        const uint32_t *table = replay->table + (((node - r->leaves) * rows + row)
                                                 << machine_column_bits(&replay->machine));
        unsigned outputs = 0;
        for (uint32_t port = 0; port < fat_tree_reference_ports(r, node); port++) {
            uint32_t word = table[port * replay->machine.reads];
            outputs += word >> 31;
            if (word & MACHINE_VALID)
                r->sent[r->first[node] + port] = tree_replay_output(replay, node, table, port);
        }
        if (replay->run.single_port && outputs > 1)
            replay->router_flags[node - r->leaves] |= MACHINE_ROUTER_TWICE;
    }
}

/* Stores the packets that the leaves received in a row. A missing packet overwrites the packet
 * stored there. */
static void tree_replay_receive(struct tree_replay *replay, uint32_t row, const uint32_t got[])
{
    const uint32_t leaves = replay->reference.leaves, rows = replay->reference.rows;
    const uint32_t cycle =
        row * replay->run.row_cycles + replay->run.flits - 1 + replay->machine.pad;
    uint32_t risen[64] = {0};
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
        uint32_t word = replay->receive[leaf * rows + row], due = replay->due[row * leaves + leaf];
        bool expects = word & MACHINE_VALID;
        if (expects)
            replay->memory[leaf << replay->machine.log2_packets | (word & MACHINE_OBS_PACKET)] =
                got[leaf];
        if (due != 0 && !(expects && got[leaf] != 0))
            tree_replay_report(replay, ERR_LOST,
                               "round %" PRIu32 ": node %" PRIu32
                               " does not receive packet %" PRIu32
                               "; expected it in cycle %" PRIu32,
                               row + 1, leaf, due, cycle);
        risen[leaf] = expects == (got[leaf] != 0) ? 0
                      : expects                   ? MACHINE_MISSING
                                                  : MACHINE_UNEXPECTED;
    }
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
        if (risen[leaf] & ~replay->leaf_flags[leaf])
            tree_replay_report(replay, ERR_FLAG,
                               "round %" PRIu32 ", cycle %" PRIu32 ": node %" PRIu32
                               " flags %s; expected no flag",
                               row + 1, cycle, leaf,
                               risen[leaf] & MACHINE_MISSING ? "missing what it expects"
                                                             : "receiving what it does not expect");
        replay->leaf_flags[leaf] |= risen[leaf];
    }
}

/* Predicts the reports of routers: their flags, and the last step in which a packet moved. */
static void tree_replay_routers(struct tree_replay *replay)
{
    const struct fat_tree_reference *r = &replay->reference;
    for (uint32_t node = r->leaves; node < r->nodes; node++) {
        uint32_t flags = replay->router_flags[node - r->leaves];
        if (flags != 0)
            tree_replay_report(
                replay, ERR_FLAG,
                "after the run: router %" PRIu32 ":%" PRIu32 " flags%s%s; expected no flag",
                r->level[node], node - replay->machine.topology.first[r->level[node]],
                flags & MACHINE_ROUTER_NOT_HELD ? " sending what it does not hold" : "",
                flags & MACHINE_ROUTER_TWICE ? " sending twice on its single port" : "");
    }
    if (r->steps != replay->schedule->end)
        tree_replay_report(replay, ERR_LATE,
                           "run: packets moved until step %" PRIu32
                           "; expected until step %" PRIu64,
                           r->steps, replay->schedule->end);
}

struct tree_replay_reported tree_replay_run(struct tree_replay *replay)
{
    struct fat_tree_reference *r = &replay->reference;
    const uint32_t packets = replay->schedule->packets;
    uint32_t got[64];
    assert_true(r->leaves <= 64);
    replay->reported = (struct tree_replay_reported){0};
    r->row = r->steps = 0;
    memset(r->count, 0, r->lanes * sizeof *r->count);
    memset(replay->leaf_flags, 0, r->leaves * sizeof *replay->leaf_flags);
    memset(replay->router_flags, 0, (r->nodes - r->leaves) * sizeof *replay->router_flags);
    memcpy(replay->memory, replay->placed,
           ((size_t)r->leaves << replay->machine.log2_packets) * sizeof *replay->memory);
    for (uint32_t row = 0; row < replay->run.rows; row++) {
        tree_replay_send(replay);
        fat_tree_reference_deliver(r, got);
        tree_replay_receive(replay, row, got);
    }
    tree_replay_routers(replay);
    for (uint32_t leaf = 0; leaf < r->leaves; leaf++)
        for (uint32_t packet = 1; packet <= packets; packet++)
            if (replay->wanted[leaf * (packets + 1) + packet] &&
                replay->memory[leaf << replay->machine.log2_packets | (packet - 1)] != packet)
                tree_replay_report(replay, ERR_CORRUPT,
                                   "round %" PRIu32 ": node %" PRIu32 " holds packet %" PRIu32
                                   " with flit ",
                                   replay->round[leaf * (packets + 1) + packet], leaf, packet);
    return replay->reported;
}
