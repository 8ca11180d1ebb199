/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/route.h"

#include "sched/base/bits.h"
#include "sched/base/text.h"
#include "sched/image/image_packet.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/packet_tracker.h"
#include "sched/route/partial_results.h"
#include "sched/route/route_tables.h"
#include "sched/route/self_timed.h"
#include "sched/route/setting_period.h"
#include "sched/schedule/ranges.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Indexed by kind: checks that self-timed routers follow the schedule; NULL: the machine follows
 * tables. */
static bool (*const checks[MACHINE_KINDS])(const struct schedule *schedule, struct err *err) = {
    [MACHINE_FAT_TREE_AUTO] = fat_tree_auto_check, [MACHINE_CUBE_AUTO] = cube_auto_check};

bool route_check_self_timed(const struct schedule *schedule, const struct machine *machine,
                            struct err *err)
{
    return checks[machine->kind] == NULL || checks[machine->kind](schedule, err);
}

/* Number of program rows that the image clears. */
static uint32_t cleared_rows(const struct image *image)
{
    const struct run *run = &image->run;
    return machine_is_autonomous(&image->machine) || image->machine.ranges ? 1
           : image->machine.computed                                       ? run->period
                                                                           : run->rows;
}

static uint32_t cleared_slots(const struct image *image, const struct schedule *schedule)
{
    return machine_is_autonomous(&image->machine) ? 1u << image->machine.log2_packets
                                                  : schedule->packets;
}

/* Returns the number of words that the image has at least: the cleared rows and slots, and one for
 * each row of each table. */
static uint64_t least_words(const struct image *image, const struct schedule *schedule)
{
    const struct machine *machine = &image->machine;
    uint64_t programs = machine_has_receive_programs(machine) ? 2 : 1, columns = 0;
    for (unsigned stage = 0; !machine_hops(machine) && stage < machine_stages(machine); stage++)
        columns += !machine_has_setting_index(machine) ? machine_columns(machine, stage) : 0;
    return programs * cleared_rows(image) + columns * image->run.rows +
           (uint64_t)cleared_slots(image, schedule) * image->run.flits;
}

/* Appends the run registers, and clears everything that an earlier image may have left where this
 * image writes nothing. */
static bool append_preamble(struct image *image, const struct schedule *schedule, struct err *err)
{
    const struct machine *machine = &image->machine;
    const struct run *run = &image->run;
    bool fits = true;
    uint32_t word;
    for (uint32_t which = 0; fits && which < MACHINE_RUN_REGISTERS; which++)
        if (machine_run_word(machine, run, which, &word))
            fits = image_append(image, which, word, err);
    int last = machine_has_receive_programs(machine) ? MACHINE_RECEIVE : MACHINE_SEND;
    uint32_t rows = cleared_rows(image), slots = cleared_slots(image, schedule);
    const uint32_t words = run->flits * machine_parts(machine); /* of a packet */
    for (int program = MACHINE_SEND; program <= last; program++)
        for (uint32_t row = 0; fits && row < rows; row++)
            fits =
                image_append(image,
                             MACHINE_ALL_NODES | machine_program_address(
                                                     machine, (enum machine_region)program, 0, row),
                             0, err);
    for (uint32_t slot = 0; fits && slot < slots; slot++)
        for (uint32_t k = 0; fits && k < words; k++)
            fits = image_append(
                image, MACHINE_ALL_NODES | machine_packet_word_address(machine, 0, slot, k), 0,
                err);
    return fits;
}

static bool append_entry(struct image *image, enum machine_region program, uint32_t node,
                         uint32_t row, uint32_t entry, struct err *err)
{
    return image_append(image, machine_program_address(&image->machine, program, node, row), entry,
                        err);
}

/* The endpoints of a machine whose endpoints share memories, at which a node has its packets. */
struct members {
    uint32_t shared, packets;
    /* at[node · packets + packet - 1]: the first endpoint of the node that receives the packet, or
     * at which it starts, less the node's first endpoint; NULL if no memory is shared */
    uint8_t *at;
};

/* Records that a node has a packet at an endpoint, unless it has it at another one. */
static void members_note(struct members *members, uint32_t endpoint, uint32_t packet)
{
    uint8_t *at =
        members->shared > 0
            ? &members->at[(size_t)(endpoint / members->shared) * members->packets + packet - 1]
            : NULL;
    if (at != NULL && *at == UINT8_MAX)
        *at = (uint8_t)(endpoint % members->shared);
}

/* Returns the entry of a send program for transfer `index`: {valid, member, packet}. */
static uint32_t sent_entry(const struct members *members, const struct image *image,
                           const struct schedule *schedule, size_t index)
{
    const struct transfer *transfer = &schedule->transfer[index];
    uint32_t packet = transfer->packet - 1, member = 0;
    if (members->shared > 0)
        member =
            members->at[(size_t)(transfer->source / members->shared) * members->packets + packet];
    return MACHINE_VALID | member << image->machine.log2_packets | packet;
}

static bool members_open(const struct schedule *schedule, const struct machine *machine,
                         struct members *members, struct err *err)
{
    *members = (struct members){.shared = machine->shared, .packets = schedule->packets};
    if (machine->shared == 0)
        return true;
    size_t nodes = bits_divide_up(schedule->nodes, machine->shared);
    members->at = malloc(nodes * schedule->packets + 1);
    if (members->at == NULL)
        return err_no_memory(err, "the packets of %zu nodes", nodes);
    memset(members->at, UINT8_MAX, nodes * schedule->packets);
    for (size_t d = 0; d < schedule->demand_count; d++)
        for (uint32_t packet = schedule->demand[d].first_packet;
             packet <= schedule->demand[d].last_packet; packet++)
            members_note(members, schedule->demand[d].source, packet);
    return true;
}

/* A transfer and its entries: its first row, the entry of its sender, or 0 if it has none because
 * consecutive transfers of a packet that is copied share the entry of the first, whether its
 * receiver has an entry, because transfers that the network combines share that of the first, and
 * the bits MACHINE_COMBINE and MACHINE_OWN of that entry. */
struct entries {
    size_t index;
    uint32_t first, sent, received;
    bool receives;
};

/* Appends a packet to the programs of its sender and its receiver in each row that it takes, if
 * these are endpoints and have such a program. */
static bool append_entries(struct image *image, const struct schedule *schedule,
                           const struct entries *entries, struct err *err)
{
    const size_t index = entries->index;
    const uint32_t first = entries->first;
    const struct machine *machine = &image->machine;
    const struct topology *topology = &schedule->topology;
    const struct transfer *transfer = &schedule->transfer[index];
    uint32_t lane = schedule_lane(schedule, index);
    uint32_t entry = MACHINE_VALID | (transfer->packet - 1);
    uint32_t last = first + machine_packet_rows(&image->run) - 1;
    uint32_t source = wiring_endpoint(topology, transfer->source, transfer->destination, lane);
    uint32_t destination = wiring_endpoint(topology, transfer->destination, transfer->source, lane);
    bool receives = entries->receives && destination < machine_ports(machine) &&
                    !machine_is_self_timed(machine);
    for (uint32_t row = first; row <= last; row++) {
        uint32_t more = row < last ? MACHINE_MORE : 0;
        if ((entries->sent != 0 &&
             !append_entry(image, MACHINE_SEND, source, row, entries->sent, err)) ||
            (receives && !append_entry(image, MACHINE_RECEIVE, destination, row,
                                       entry | entries->received | more, err)))
            return false;
    }
    return true;
}

static bool append_programs(struct image *image, const struct schedule *schedule, struct err *err)
{
    struct packet_tracker walk;
    struct partial_results results;
    struct members members = {0};
    const bool copies = model_copies(schedule->model),
               joins = machine_has_node_memories(&image->machine);
    if (!partial_results_open(&results, schedule, image->machine.keeps_own, err))
        return false;
    bool appended = packet_tracker_open(&walk, schedule, err) &&
                    members_open(schedule, &image->machine, &members, err);
    while (appended && walk.step < schedule->step_count) {
        uint32_t row = (uint32_t)schedule_row(schedule, walk.step);
        size_t first = schedule->step[walk.step].first;
        for (size_t t = first; t < schedule_step_end(schedule, walk.step); t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            bool again = copies && t > first && transfer[-1].source == transfer->source;
            bool sends = !again && (joins || !packet_tracker_is_routed(&walk, transfer));
            const uint32_t chosen = partial_results_sent(&results, walk.step, t);
            const bool combines =
                joins ? partial_results_joins(schedule, t) : partial_results_receive(&results, t);
            const struct entries entries = {
                .index = t,
                .first = row,
                .sent = sends ? chosen | sent_entry(&members, image, schedule, t) : 0,
                .received = (combines ? MACHINE_COMBINE : 0) |
                            (partial_results_includes_own(&results, t) ? MACHINE_OWN : 0),
                .receives = !partial_results_meet(&results, walk.step, t)};
            appended = appended && append_entries(image, schedule, &entries, err);
            members_note(&members, transfer->destination, transfer->packet);
        }
        packet_tracker_next(&walk);
    }
    packet_tracker_close(&walk);
    partial_results_close(&results);
    free(members.at);
    return appended;
}

/* Appends an entry for each setting phase in which a node has one. */
static bool append_computed(struct image *image, const struct periodic_programs *computed,
                            struct err *err)
{
    bool appended = true;
    for (int direction = 0; direction < 2; direction++)
        for (uint32_t setting_phase = 0; setting_phase < computed->period; setting_phase++)
            for (uint32_t node = 0; appended && node < computed->nodes; node++) {
                int32_t offset =
                    computed->offset[direction][(size_t)setting_phase * computed->nodes + node];
                enum machine_region program = direction == 0 ? MACHINE_SEND : MACHINE_RECEIVE;
                if (offset != PERIODIC_PROGRAMS_NONE)
                    appended = append_entry(image, program, node, setting_phase,
                                            machine_offset_word(&image->machine, offset), err);
            }
    return appended;
}

/* Appends the range of node 0, and the table of splits. All nodes have that table; its unused words
 * apply to no range. */
static bool append_ranges(struct image *image, const struct schedule *schedule, struct err *err)
{
    const struct machine *machine = &image->machine;
    const uint32_t bank = machine_splits_bank(machine), room = 1u << machine->log2_splits;
    struct ranges ranges;
    if (!ranges_find(schedule, &ranges, err))
        return false;
    bool appended = ranges.split_count <= room || err_set(err, ERR_TOO_SMALL,
                                                          "machine: %" PRIu32 " splits for %" PRIu32
                                                          "; expected a larger {memory}",
                                                          room, ranges.split_count);
    for (uint32_t row = 0; appended && row < room; row++) {
        const struct ranges_split *split =
            row < ranges.split_count ? &ranges.split[row] : &(struct ranges_split){0};
        appended = image_append(image, machine_table_address(machine, bank, row, 0),
                                machine_split_word(split->gives, split->others, split->nodes), err);
    }
    appended =
        appended && append_entry(image, MACHINE_SEND, 0, 0, MACHINE_VALID | ranges.last[0], err);
    ranges_free(&ranges);
    return appended;
}

/* Appends a packet at all endpoints of its source, because any of them may send it. */
static bool append_packet(struct image *image, const struct topology *topology,
                          const struct payload *payload, uint32_t source, uint32_t packet,
                          struct err *err)
{
    uint32_t first = wiring_first_endpoint(topology, source);
    bool appended = true;
    for (uint32_t k = 0; appended && k < topology->endpoints; k++) {
        const struct image_packet at = {source, first + k, packet - 1, packet};
        appended = image_packet_append(image, payload, at, err);
    }
    return appended;
}

static bool append_payload(struct image *image, const struct schedule *schedule,
                           const struct payload *payload, struct err *err)
{
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        if (demand->control && machine_is_autonomous(&image->machine))
            continue;
        const uint32_t starts = schedule_starts(schedule, demand);
        for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++)
            for (uint32_t k = 0; k < starts; k++)
                if (!append_packet(image, &schedule->topology, payload, schedule_start(demand, k),
                                   packet, err))
                    return false;
    }
    return true;
}

static struct run run_of(const struct schedule *schedule, const struct machine *machine,
                         uint32_t flits)
{
    return (struct run){
        .rows = machine_is_autonomous(machine) ? 1u << machine->log2_rows : (uint32_t)schedule->end,
        .flits = flits,
        .row_cycles = model_has_times(schedule->model) ? flits / schedule->lambda.denominator
                                                       : machine_row_cycles(machine, flits),
        .single_port = model_row(schedule->model)->one_link};
}

/* Finds the repeating part of the programs, if the machine can use it. */
static bool find_setting_period(const struct schedule *schedule, struct image *image,
                                struct setting_period *setting_period, struct err *err)
{
    const struct machine *machine = &image->machine;
    *setting_period = (struct setting_period){0};
    if (!machine_has_setting_period(machine))
        return true;
    if (!setting_period_find(schedule, machine, setting_period, err))
        return false;
    image->run.period = setting_period->period;
    image->run.first = setting_period->first;
    image->run.packets = schedule->packets;
    if (machine->computed && schedule->stream) {
        image->run.stream = 1;
        image->run.row_cycles = MAX(image->run.row_cycles, MACHINE_STREAM_CYCLES);
    }
    bool fits =
        setting_period->period <= 1u << machine->log2_period &&
        (!machine_is_indexed(machine) || setting_period->distinct <= 1u << machine->log2_settings);
    return fits || err_set(err, ERR_TOO_SMALL,
                           "machine: a period of %u and %u setting%s for %" PRIu32 " and %" PRIu32
                           "; expected a larger {memory}",
                           1u << machine->log2_period, 1u << machine->log2_settings,
                           text_s(1u << machine->log2_settings), setting_period->period,
                           setting_period->distinct);
}

static bool append_all(struct image *image, const struct schedule *schedule,
                       const struct payload *payload, const struct setting_period *setting_period,
                       struct err *err)
{
    const struct machine *machine = &image->machine;
    bool tables = image_reserve(image, least_words(image, schedule), err) &&
                  append_preamble(image, schedule, err) &&
                  (machine_hops(machine) ? route_routers(image, schedule, err)
                                         : route_multistage(image, schedule, setting_period, err));
    bool programs =
        tables && (machine_is_autonomous(machine) ? route_lists(image, schedule, err)
                   : machine->ranges              ? append_ranges(image, schedule, err)
                   : machine->computed ? append_computed(image, &setting_period->computed, err)
                                       : append_programs(image, schedule, err));
    return programs && append_payload(image, schedule, payload, err);
}

bool route_schedule(const struct schedule *schedule, const struct machine *machine,
                    const struct payload *payload, struct image *image, struct err *err)
{
    struct setting_period setting_period = {0};
    *image = (struct image){.machine = *machine};
    if (!route_check_self_timed(schedule, machine, err) ||
        !partial_results_check_kept("the schedule", schedule, machine, err) ||
        !machine_sizing_check(schedule, machine, payload->flits, err))
        return false;
    image->run = run_of(schedule, machine, payload->flits);
    image->run.packets = machine->ranges ? schedule->packets : 0;
    image->run.operation = machine_first_operator(machine);
    bool routed = find_setting_period(schedule, image, &setting_period, err) &&
                  append_all(image, schedule, payload, &setting_period, err);
    setting_period_free(&setting_period);
    if (!routed)
        image_free(image);
    return routed;
}

/* Replaces the word of a register of the run. */
static void set_register(struct image *image, uint32_t which, uint32_t word)
{
    for (size_t k = 0; k < image->count; k++)
        if (image->word[k].address == which)
            image->word[k].word = word;
}

void route_reconfigure(struct image *image, uint32_t cycles)
{
    image->run.reconfigure = cycles;
    set_register(image, MACHINE_RUN_RECONFIGURE, cycles);
}

void route_operator(struct image *image, uint32_t operation)
{
    image->run.operation = operation;
    set_register(image, MACHINE_RUN_OPERATOR, operation);
}
