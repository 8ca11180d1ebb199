#include "unpack.h"

#include <inttypes.h>
#include <stdlib.h>

static size_t row_words(const struct machine *machine)
{
    return (size_t)machine_stages(machine) * multistage_row_words(&machine->network);
}

static void put_table(struct unpacked *unpacked, uint32_t field, uint32_t word)
{
    const struct machine *machine = &unpacked->machine;
    unsigned column_bits = machine_column_bits(machine);
    uint32_t column = field & ((1u << column_bits) - 1);
    uint32_t row = field >> column_bits & ((1u << machine->log2_rows) - 1);
    uint32_t stage = field >> column_bits >> machine->log2_rows;
    if (row < unpacked->run.rows)
        unpacked
            ->setting[row * row_words(machine) + stage * multistage_row_words(&machine->network) + column] =
            word;
}

static void put_program(struct unpacked *unpacked, uint32_t program[], uint32_t address, uint32_t word)
{
    const struct machine *machine = &unpacked->machine;
    uint32_t row = address & ((1u << machine->log2_rows) - 1);
    uint32_t node = address >> machine->log2_rows & ((UINT32_C(1) << machine_node_bits(machine)) - 1);
    bool all = address & MACHINE_ALL_NODES;
    for (uint32_t port = all ? 0 : node;
         row < unpacked->run.rows && port < (all ? machine_ports(machine) : node + 1); port++)
        program[(size_t)row * machine_ports(machine) + port] = word;
}

bool unpack_image(const struct image *image, struct unpacked *unpacked, struct err *err)
{
    if (machine_hops(&image->machine))
        return err_set(err, ERR_UNSUPPORTED,
                       "unpack: the image of a machine of routers; expected that of a "
                       "multistage network");
    *unpacked = (struct unpacked){.machine = image->machine, .run = image->run};
    size_t rows = image->run.rows ? image->run.rows : 1;
    unpacked->setting = calloc(rows * row_words(&image->machine), sizeof *unpacked->setting);
    unpacked->send = calloc(rows * machine_ports(&image->machine), sizeof *unpacked->send);
    unpacked->receive = calloc(rows * machine_ports(&image->machine), sizeof *unpacked->receive);
    if (unpacked->setting == NULL || unpacked->send == NULL || unpacked->receive == NULL) {
        unpack_free(unpacked);
        return err_set(err, ERR_TOO_BIG, "unpack: no memory for %" PRIu32 " rows; expected a smaller image",
                       image->run.rows);
    }
    for (size_t k = 0; k < image->count; k++) {
        uint32_t address = image->word[k].address, word = image->word[k].word;
        switch ((enum machine_region)(address >> 28 & 7)) {
        case MACHINE_TABLE:
            put_table(unpacked, address & UINT32_C(0x0fffffff), word);
            break;
        case MACHINE_SEND:
            put_program(unpacked, unpacked->send, address, word);
            break;
        case MACHINE_RECEIVE:
            put_program(unpacked, unpacked->receive, address, word);
            break;
        default:
            break;
        }
    }
    return true;
}

const uint32_t *unpack_settings(const struct unpacked *unpacked, uint32_t row)
{
    return unpacked->setting + row * row_words(&unpacked->machine);
}

uint32_t unpack_circuits(const struct unpacked *unpacked, uint32_t row, struct circuit circuit[])
{
    const struct machine *machine = &unpacked->machine;
    const uint32_t *send = unpacked->send + (size_t)row * machine_ports(machine);
    const uint32_t *receive = unpacked->receive + (size_t)row * machine_ports(machine);
    const uint32_t *before = row > 0 ? receive - machine_ports(machine) : NULL;
    uint32_t count = 0;
    for (uint32_t port = 0; port < machine_ports(machine); port++) {
        if (!(send[port] & MACHINE_VALID))
            continue;
        uint32_t output = multistage_trace(&machine->network, unpack_settings(unpacked, row), port);
        circuit[count++] = (struct circuit){
            .source = port,
            .destination = output,
            .sent = (send[port] & MACHINE_OBS_PACKET) + 1,
            .received = output != MULTISTAGE_NOWHERE && receive[output] & MACHINE_VALID
                            ? (receive[output] & MACHINE_OBS_PACKET) + 1
                            : 0,
            .goes_on = before != NULL && output != MULTISTAGE_NOWHERE && (before[output] & MACHINE_VALID) &&
                       (before[output] & MACHINE_MORE),
        };
    }
    return count;
}

void unpack_free(struct unpacked *unpacked)
{
    free(unpacked->setting);
    free(unpacked->send);
    free(unpacked->receive);
    *unpacked = (struct unpacked){0};
}
