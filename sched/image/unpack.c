/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/image/unpack.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/machine/expand.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static size_t row_words(const struct machine *machine)
{
    return (size_t)machine_stages(machine) * multistage_row_words(&machine->network);
}

/* The memories whose words are unpacked. */
enum memory { TABLE, SETTING_INDEX, SEND, RECEIVE };

/* Words are sorted by memory, then by row, then in the order of the image; their index in the image
 * is in the low bits. */
#define INDEX_BITS 34
#define MEMORY_SHIFT 62

static uint64_t place_of(enum memory memory, uint32_t row)
{
    return (uint64_t)memory << MEMORY_SHIFT | (uint64_t)row << INDEX_BITS;
}

/* Finds the memory and row of a word. Returns false if no row uses it. */
static bool find_place(const struct machine *machine, uint32_t address, uint64_t *place)
{
    const struct machine_place at = machine_place_of(machine, address);
    switch (at.region) {
    case MACHINE_TABLE:
        if (machine->ranges && at.bank == machine_splits_bank(machine))
            return false;
        *place = place_of(at.bank < machine_stages(machine) ? TABLE : SETTING_INDEX, at.row);
        return true;
    case MACHINE_SEND:
        *place = place_of(SEND, at.row);
        return true;
    case MACHINE_RECEIVE:
        *place = place_of(RECEIVE, at.row);
        return true;
    default:
        return false;
    }
}

/* Sorts the words that rows need. */
static void sort_words(struct unpacked *unpacked)
{
    const struct image *image = unpacked->image;
    for (size_t k = 0; k < image->count; k++) {
        uint64_t place;
        if (find_place(&unpacked->machine, image->word[k].address, &place))
            unpacked->place[unpacked->count++] = place | k;
    }
    qsort(unpacked->place, unpacked->count, sizeof *unpacked->place, compare_u64);
}

/* Returns the index of the first word at a place or after it. */
static size_t find_first(const struct unpacked *unpacked, uint64_t place)
{
    size_t low = 0, high = unpacked->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (unpacked->place[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the next word of a row of a memory, and moves *at past it; NULL after the last word. */
static const struct image_word *next_word(const struct unpacked *unpacked, enum memory memory,
                                          uint32_t row, size_t *at)
{
    if (*at == unpacked->count || unpacked->place[*at] >= place_of(memory, row + 1))
        return NULL;
    return &unpacked->image->word[unpacked->place[(*at)++] & ((UINT64_C(1) << INDEX_BITS) - 1)];
}

static void read_table(struct unpacked *unpacked, uint32_t row)
{
    const struct machine *machine = &unpacked->machine;
    size_t words = multistage_row_words(&machine->network),
           at = find_first(unpacked, place_of(TABLE, row));
    memset(unpacked->setting, 0, row_words(machine) * sizeof *unpacked->setting);
    for (const struct image_word *word; (word = next_word(unpacked, TABLE, row, &at)) != NULL;) {
        const struct machine_place place = machine_place_of(machine, word->address);
        unpacked->setting[place.bank * words + place.column] = word->word;
    }
}

/* Reads the setting index's word of a setting phase: the setting in the low bits and, with
 * reconfiguration, the number of further rows above it. */
static uint32_t read_setting_index(const struct unpacked *unpacked, uint32_t setting_phase)
{
    size_t at = find_first(unpacked, place_of(SETTING_INDEX, setting_phase));
    uint32_t setting_index = 0;
    for (const struct image_word *word;
         (word = next_word(unpacked, SETTING_INDEX, setting_phase, &at)) != NULL;)
        setting_index =
            word->word & (UINT32_MAX >> (32 - machine_setting_index_word_bits(&unpacked->machine)));
    return setting_index;
}

static uint32_t setting_phase_of(const struct unpacked *unpacked, uint32_t row)
{
    const struct run *run = &unpacked->run;
    return run->period ? (run->first + row) % run->period : row;
}

/* Reads the setting of a row on a machine with reconfiguration. Words are followed from the row
 * that was read last if it is not later, else from the first row. */
static uint32_t read_reconfig(struct unpacked *unpacked, uint32_t row)
{
    const unsigned bits = machine_setting_index_bits(&unpacked->machine);
    if (unpacked->reconfig_row > row)
        unpacked->reconfig_row = unpacked->reconfig = 0;
    uint32_t word = read_setting_index(unpacked, setting_phase_of(unpacked, unpacked->reconfig));
    while (row - unpacked->reconfig_row > word >> bits) {
        unpacked->reconfig_row += (word >> bits) + 1;
        word = read_setting_index(unpacked, setting_phase_of(unpacked, ++unpacked->reconfig));
    }
    return word & ((UINT32_C(1) << bits) - 1);
}

/* Reads the entries program[ports] of a row of the run. */
static void read_program(const struct unpacked *unpacked, enum memory memory, uint32_t row,
                         uint32_t program[])
{
    const struct machine *machine = &unpacked->machine;
    uint32_t packets = unpacked->run.packets | (unpacked->run.stream ? MACHINE_STREAM : 0);
    uint32_t ports = machine_ports(machine),
             own = machine->computed ? setting_phase_of(unpacked, row) : row;
    size_t at = find_first(unpacked, place_of(memory, own));
    if (machine->ranges) {
        const size_t first = memory == SEND ? 0 : unpacked->run.rows;
        memcpy(program, unpacked->program + (first + row) * ports, ports * sizeof *program);
        return;
    }
    memset(program, 0, ports * sizeof *program);
    for (const struct image_word *word; (word = next_word(unpacked, memory, own, &at)) != NULL;) {
        const struct machine_place place = machine_place_of(machine, word->address);
        for (uint32_t port = place.all ? 0 : place.node;
             port < (place.all ? ports : place.node + 1); port++)
            program[port] = word->word;
    }
    for (uint32_t port = 0; machine->computed && port < ports; port++)
        program[port] =
            machine_computed(machine, program[port], unpacked->run.first + row - own, packets);
}

/* Reads the settings of a row: from the row of the tables with its number or with its setting
 * index, from the tag in the setting index, or from the masks in the row that the setting index
 * selects. */
void unpack_settings(struct unpacked *unpacked, uint32_t row)
{
    const struct machine *machine = &unpacked->machine;
    const struct multistage *net = &machine->network;
    uint32_t setting_index = !machine_has_setting_index(machine) ? row
                             : machine->reconfigures
                                 ? read_reconfig(unpacked, row)
                                 : read_setting_index(unpacked, setting_phase_of(unpacked, row));
    if (!machine_has_tags(machine))
        read_table(unpacked, setting_index);
    for (unsigned stage = 0; stage < machine_stages(machine); stage++) {
        uint32_t *setting = unpacked->setting + stage * multistage_row_words(net);
        if (machine_has_masks(machine))
            masks_settings(net, setting[0], setting);
        else if (machine_has_tags(machine))
            tags_settings(net, tags_read(net, setting_index), stage, unpacked->shift, setting);
    }
}

static bool allocate(struct unpacked *unpacked)
{
    const struct machine *machine = &unpacked->machine;
    size_t words = unpacked->image->count, ports = machine_ports(machine);
    const struct arena_array arrays[] = {
        ARENA(unpacked->place, words),
        ARENA(unpacked->shift, (size_t)1 << machine->network.levels),
        ARENA(unpacked->setting, row_words(machine)),
        ARENA(unpacked->send, ports),
        ARENA(unpacked->receive, ports),
        ARENA(unpacked->before, ports),
        ARENA(unpacked->of_lane, 3 * ports)};
    unpacked->memory = words >> INDEX_BITS == 0 ? arena_new(arrays, ARENA_COUNT(arrays)) : NULL;
    return unpacked->memory != NULL;
}

bool unpack_image(const struct image *image, struct unpacked *unpacked, struct err *err)
{
    const struct machine *machine = &image->machine;
    if (machine_hops(machine))
        return err_set(err, ERR_UNSUPPORTED,
                       "unpack: the image of a machine of routers; expected that of a "
                       "multistage network");
    *unpacked = (struct unpacked){.image = image, .machine = *machine, .run = image->run};
    if (!allocate(unpacked))
        return err_no_memory(err, "%zu words", image->count);
    sort_words(unpacked);
    if (!machine->ranges || unpack_ranges(unpacked, err))
        return true;
    unpack_free(unpacked);
    return false;
}

void unpack_row(struct unpacked *unpacked, uint32_t row)
{
    unpack_settings(unpacked, row);
    read_program(unpacked, SEND, row, unpacked->send);
    read_program(unpacked, RECEIVE, row, unpacked->receive);
    if (row > 0)
        read_program(unpacked, RECEIVE, row - 1, unpacked->before);
    else
        memset(unpacked->before, 0, machine_ports(&unpacked->machine) * sizeof *unpacked->before);
}

/* Returns the port from whose memory a port sends by an entry of its program. */
static uint32_t memory_of(const struct machine *machine, uint32_t port, uint32_t entry)
{
    if (machine->shared == 0)
        return port;
    uint32_t members = (UINT32_C(1) << machine_member_bits(machine)) - 1;
    return port - port % machine->shared + (entry >> machine->log2_packets & members);
}

static struct circuit circuit_of(const struct unpacked *unpacked, uint32_t source, uint32_t output)
{
    bool arrives = output != MULTISTAGE_NOWHERE;
    uint32_t receive = arrives ? unpacked->receive[output] : 0,
             before = arrives ? unpacked->before[output] : 0;
    const uint32_t slots = (UINT32_C(1) << unpacked->machine.log2_packets) - 1;
    return (struct circuit){
        .source = source,
        .destination = output,
        .sent = (unpacked->send[source] & slots) + 1,
        .received = receive & MACHINE_VALID ? (receive & slots) + 1 : 0,
        .continues = before & MACHINE_VALID && before & MACHINE_MORE,
        .memory = memory_of(&unpacked->machine, source, unpacked->send[source]),
    };
}

static int compare(const void *left, const void *right)
{
    const struct circuit *a = left, *b = right;
    return compare_then(COMPARE(a->source, b->source), COMPARE(a->destination, b->destination));
}

/* Finds the circuits in a network that combines and copies: of each group, those of its first
 * sender to all its receivers, and those of its other senders to its first receiver. Schedules have
 * no groups of several senders and several receivers. Senders that reach no output follow. Returns
 * the number of circuits. */
static uint32_t grouped_circuits(const struct unpacked *unpacked, struct circuit circuit[])
{
    const struct multistage *net = &unpacked->machine.network;
    uint32_t *receiver = unpacked->of_lane, *sender = receiver + net->ports,
             *lane_of = sender + net->ports; /* the lane before the stages that copy */
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < net->ports; lane++)
        receiver[lane] = sender[lane] = MULTISTAGE_NOWHERE;
    for (uint32_t output = net->ports; output-- > 0;) {
        lane_of[output] = multistage_source(net, unpacked->setting, output, multistage_stages(net));
        receiver[lane_of[output]] = output;
    }
    for (uint32_t port = 0; port < net->ports; port++) {
        if (!(unpacked->send[port] & MACHINE_VALID))
            continue;
        const uint32_t lane =
            multistage_follow(net, unpacked->setting, port, multistage_combining(net));
        if (sender[lane] == MULTISTAGE_NOWHERE)
            sender[lane] = port;
        if (sender[lane] != port || receiver[lane] == MULTISTAGE_NOWHERE)
            circuit[count++] = circuit_of(unpacked, port, receiver[lane]);
    }
    for (uint32_t output = 0; output < net->ports; output++)
        if (sender[lane_of[output]] != MULTISTAGE_NOWHERE)
            circuit[count++] = circuit_of(unpacked, sender[lane_of[output]], output);
    qsort(circuit, count, sizeof *circuit, compare);
    return count;
}

/* Finds the circuits in a network that copies: follows each output back to its sender, then adds
 * the senders that reach no output. Returns their number. */
static uint32_t copied_circuits(const struct unpacked *unpacked, struct circuit circuit[])
{
    const struct multistage *net = &unpacked->machine.network;
    const uint32_t *send = unpacked->send;
    uint32_t count = 0;
    for (uint32_t output = 0; output < net->ports; output++) {
        uint32_t source = multistage_source(net, unpacked->setting, output, multistage_stages(net));
        if (send[source] & MACHINE_VALID)
            circuit[count++] = circuit_of(unpacked, source, output);
    }
    qsort(circuit, count, sizeof *circuit, compare);
    uint32_t found = count, at = 0;
    for (uint32_t port = 0; port < net->ports; port++) {
        while (at < found && circuit[at].source < port)
            at++;
        if (send[port] & MACHINE_VALID && (at == found || circuit[at].source != port))
            circuit[count++] = circuit_of(unpacked, port, MULTISTAGE_NOWHERE);
    }
    qsort(circuit, count, sizeof *circuit, compare);
    return count;
}

uint32_t unpack_circuits(const struct unpacked *unpacked, struct circuit circuit[])
{
    const struct multistage *net = &unpacked->machine.network;
    if (multistage_copies(net) && multistage_combines(net))
        return grouped_circuits(unpacked, circuit);
    if (multistage_copies(net))
        return copied_circuits(unpacked, circuit);
    uint32_t count = 0;
    for (uint32_t port = 0; port < net->ports; port++)
        if (unpacked->send[port] & MACHINE_VALID)
            circuit[count++] =
                circuit_of(unpacked, port, multistage_trace(net, unpacked->setting, port));
    return count;
}

void unpack_free(struct unpacked *unpacked)
{
    free(unpacked->memory);
    free(unpacked->program);
    *unpacked = (struct unpacked){0};
}
