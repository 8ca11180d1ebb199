#include "unpack.h"

#include "masks.h"
#include "tags.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static size_t row_words(const struct machine *machine)
{
    return (size_t)machine_stages(machine) * multistage_row_words(&machine->network);
}

/* The memories of a machine, as far as a run uses them. */
struct memories {
    uint32_t *table;          /* table[table rows][row_words] */
    uint32_t *order;          /* order[phases] */
    uint32_t *send, *receive; /* program[program rows][ports] */
};

static bool allocate(struct memories *memories, const struct machine *machine)
{
    size_t table_rows = (size_t)1 << machine_log2_table_rows(machine);
    size_t entries = (size_t)machine_ports(machine) << machine_log2_program_rows(machine);
    memories->table = calloc(table_rows * row_words(machine), sizeof *memories->table);
    memories->order = calloc((size_t)1 << machine->log2_period, sizeof *memories->order);
    memories->send = calloc(entries, sizeof *memories->send);
    memories->receive = calloc(entries, sizeof *memories->receive);
    return memories->table != NULL && memories->order != NULL && memories->send != NULL &&
           memories->receive != NULL;
}

static void free_memories(struct memories *memories)
{
    free(memories->table);
    free(memories->order);
    free(memories->send);
    free(memories->receive);
}

static void put_table(const struct memories *memories, const struct machine *machine, uint32_t field,
                      uint32_t word)
{
    unsigned column_bits = machine_column_bits(machine);
    uint32_t column = field & ((1u << column_bits) - 1);
    uint32_t row = field >> column_bits & ((1u << machine->log2_rows) - 1);
    uint32_t stage = field >> column_bits >> machine->log2_rows;
    if (stage == machine_stages(machine))
        memories->order[row] = word & ((UINT32_C(1) << machine_order_bits(machine)) - 1);
    else
        memories->table[row * row_words(machine) + stage * multistage_row_words(&machine->network) + column] =
            word;
}

static void put_program(const struct machine *machine, uint32_t program[], uint32_t address, uint32_t word)
{
    uint32_t ports = machine_ports(machine), row = address & ((1u << machine->log2_rows) - 1);
    uint32_t node = address >> machine->log2_rows & ((UINT32_C(1) << machine_node_bits(machine)) - 1);
    bool all = address & MACHINE_ALL_NODES;
    for (uint32_t port = all ? 0 : node; port < (all ? ports : node + 1); port++)
        program[(size_t)row * ports + port] = word;
}

static void put_words(const struct image *image, const struct memories *memories)
{
    for (size_t k = 0; k < image->count; k++) {
        uint32_t address = image->word[k].address, word = image->word[k].word;
        switch ((enum machine_region)(address >> 28 & 7)) {
        case MACHINE_TABLE:
            put_table(memories, &image->machine, address & UINT32_C(0x0fffffff), word);
            break;
        case MACHINE_SEND:
            put_program(&image->machine, memories->send, address, word);
            break;
        case MACHINE_RECEIVE:
            put_program(&image->machine, memories->receive, address, word);
            break;
        default:
            break;
        }
    }
}

/* The settings of a row: those of its own, those that its order names, or those of its order's tag or of masks that it names. */
static void read_settings(const struct memories *memories, const struct machine *machine, uint32_t row,
                          uint32_t phase, struct tags_way way[], uint32_t setting[])
{
    size_t words = row_words(machine);
    uint32_t order = machine->settings == MACHINE_FULL ? row : memories->order[phase];
    if (machine->settings == MACHINE_FULL || machine->settings == MACHINE_INDEXED) {
        memcpy(setting, memories->table + order * words, words * sizeof *setting);
        return;
    }
    for (unsigned stage = 0; stage < machine_stages(machine); stage++) {
        size_t at = stage * multistage_row_words(&machine->network);
        if (machine->settings == MACHINE_MASKS)
            masks_settings(&machine->network, memories->table[order * words + at], setting + at);
        else
            tags_settings(&machine->network, tags_read(&machine->network, order), stage, way, setting + at);
    }
}

/* Row by row what the run does. */
static void read_rows(struct unpacked *unpacked, const struct memories *memories, struct tags_way way[])
{
    const struct machine *machine = &unpacked->machine;
    const struct run *run = &unpacked->run;
    uint32_t ports = machine_ports(machine), period = run->period ? run->period : 1;
    for (uint32_t row = 0; row < run->rows; row++) {
        uint32_t phase = (run->first + row) % period, base = (run->first + row) / period * period;
        size_t from = (size_t)(machine->computed ? phase : row) * ports, to = (size_t)row * ports;
        read_settings(memories, machine, row, phase, way, unpacked->setting + row * row_words(machine));
        for (uint32_t port = 0; port < ports; port++) {
            uint32_t send = memories->send[from + port], receive = memories->receive[from + port];
            unpacked->send[to + port] =
                machine->computed ? machine_computed(machine, send, base, run->packets) : send;
            unpacked->receive[to + port] =
                machine->computed ? machine_computed(machine, receive, base, run->packets) : receive;
        }
    }
}

bool unpack_image(const struct image *image, struct unpacked *unpacked, struct err *err)
{
    const struct machine *machine = &image->machine;
    if (machine_hops(machine))
        return err_set(err, ERR_UNSUPPORTED,
                       "unpack: the image of a machine of routers; expected that of a "
                       "multistage network");
    *unpacked = (struct unpacked){.machine = *machine, .run = image->run};
    struct memories memories = {0};
    size_t rows = image->run.rows ? image->run.rows : 1, ports = machine_ports(machine);
    struct tags_way *way = calloc((size_t)1 << machine->network.levels, sizeof *way);
    unpacked->setting = calloc(rows * row_words(machine), sizeof *unpacked->setting);
    unpacked->send = calloc(rows * ports, sizeof *unpacked->send);
    unpacked->receive = calloc(rows * ports, sizeof *unpacked->receive);
    bool allocated = allocate(&memories, machine) && way != NULL && unpacked->setting != NULL &&
                     unpacked->send != NULL && unpacked->receive != NULL;
    if (allocated) {
        put_words(image, &memories);
        read_rows(unpacked, &memories, way);
    } else {
        unpack_free(unpacked);
        err_set(err, ERR_TOO_BIG, "unpack: no memory for %" PRIu32 " rows; expected a smaller image",
                image->run.rows);
    }
    free(way);
    free_memories(&memories);
    return allocated;
}

const uint32_t *unpack_settings(const struct unpacked *unpacked, uint32_t row)
{
    return unpacked->setting + row * row_words(&unpacked->machine);
}

static struct circuit circuit_of(const struct unpacked *unpacked, uint32_t row, uint32_t source,
                                 uint32_t output)
{
    uint32_t ports = machine_ports(&unpacked->machine);
    const uint32_t *receive = unpacked->receive + (size_t)row * ports;
    const uint32_t *before = row > 0 ? receive - ports : NULL;
    bool arrives = output != MULTISTAGE_NOWHERE;
    return (struct circuit){
        .source = source,
        .destination = output,
        .sent = (unpacked->send[(size_t)row * ports + source] & MACHINE_OBS_PACKET) + 1,
        .received =
            arrives && receive[output] & MACHINE_VALID ? (receive[output] & MACHINE_OBS_PACKET) + 1 : 0,
        .goes_on =
            arrives && before != NULL && (before[output] & MACHINE_VALID) && (before[output] & MACHINE_MORE),
    };
}

static int compare(const void *a, const void *b)
{
    const struct circuit *left = a, *right = b;
    if (left->source != right->source)
        return left->source < right->source ? -1 : 1;
    return left->destination < right->destination ? -1 : left->destination > right->destination;
}

/* In a network that copies: from each output back to what sends to it, then the senders that no output has led to. */
static uint32_t copied_circuits(const struct unpacked *unpacked, uint32_t row, struct circuit circuit[])
{
    const struct multistage *net = &unpacked->machine.network;
    const uint32_t *send = unpacked->send + (size_t)row * net->ports;
    uint32_t count = 0;
    for (uint32_t output = 0; output < net->ports; output++) {
        uint32_t source =
            multistage_source(net, unpack_settings(unpacked, row), output, multistage_stages(net));
        if (source != MULTISTAGE_NOWHERE && send[source] & MACHINE_VALID)
            circuit[count++] = circuit_of(unpacked, row, source, output);
    }
    qsort(circuit, count, sizeof *circuit, compare);
    uint32_t found = count, at = 0;
    for (uint32_t port = 0; port < net->ports; port++) {
        while (at < found && circuit[at].source < port)
            at++;
        if (send[port] & MACHINE_VALID && (at == found || circuit[at].source != port))
            circuit[count++] = circuit_of(unpacked, row, port, MULTISTAGE_NOWHERE);
    }
    qsort(circuit, count, sizeof *circuit, compare);
    return count;
}

uint32_t unpack_circuits(const struct unpacked *unpacked, uint32_t row, struct circuit circuit[])
{
    const struct multistage *net = &unpacked->machine.network;
    if (multistage_copies(net))
        return copied_circuits(unpacked, row, circuit);
    const uint32_t *send = unpacked->send + (size_t)row * net->ports;
    uint32_t count = 0;
    for (uint32_t port = 0; port < net->ports; port++)
        if (send[port] & MACHINE_VALID)
            circuit[count++] =
                circuit_of(unpacked, row, port, multistage_trace(net, unpack_settings(unpacked, row), port));
    return count;
}

void unpack_free(struct unpacked *unpacked)
{
    free(unpacked->setting);
    free(unpacked->send);
    free(unpacked->receive);
    *unpacked = (struct unpacked){0};
}
