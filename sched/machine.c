#include "machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static unsigned bits_of_index(unsigned count)
{
    unsigned bits = 1;
    while ((1u << bits) < count)
        bits++;
    return bits;
}

bool machine_check(const struct machine *machine, struct err *err)
{
    if (machine->log2_ports < 1 || machine->log2_ports > MACHINE_MAX_LOG2_PORTS)
        return err_set(err, ERR_NETWORK, "network: 2^%u ports; expected 2 … %u", machine->log2_ports,
                       1u << MACHINE_MAX_LOG2_PORTS);
    if (machine->pipe > machine_stages(machine) || machine->pad > MACHINE_MAX_PAD)
        return err_set(err, ERR_NETWORK, "network: pipe=%u, pad=%u; expected pipe 0 … %u, pad 0 … %u",
                       machine->pipe, machine->pad, machine_stages(machine), MACHINE_MAX_PAD);
    if (machine->width < 1 || machine->width > MACHINE_MAX_WIDTH)
        return err_set(err, ERR_NETWORK, "width: %u bits; expected 1 … %u", machine->width,
                       MACHINE_MAX_WIDTH);
    if (machine->log2_packets < 1 || machine->log2_flits < 1 || machine->log2_rows < 1)
        return err_set(err, ERR_NETWORK, "machine: a memory of one word; expected 2 packets, flits and rows");
    unsigned packet_bits = machine->log2_ports + machine->log2_packets + machine->log2_flits;
    unsigned program_bits = machine->log2_ports + machine->log2_rows;
    unsigned table_bits =
        bits_of_index(machine_stages(machine)) + machine->log2_rows + machine_column_bits(machine);
    if (packet_bits > 28 || program_bits > 28 || table_bits > 28)
        return err_set(
            err, ERR_NETWORK,
            "machine: 2^%u ports, 2^%u packets of 2^%u flits and 2^%u rows need more than 28 bits of "
            "address; expected fewer packets, flits or rows",
            machine->log2_ports, machine->log2_packets, machine->log2_flits, machine->log2_rows);
    return true;
}

/* Rows on barriers, or rows that follow each other. */
static bool row_cycles_fit(const struct machine *machine, const struct run *run)
{
    unsigned latency = machine_latency(machine);
    if (run->row_cycles >= run->flits + latency)
        return run->row_cycles <= MACHINE_MAX_ROW_CYCLES;
    return run->row_cycles > 0 && run->flits % run->row_cycles == 0 && latency % run->row_cycles == 0;
}

bool machine_check_run(const struct machine *machine, const struct run *run, const char *name,
                       struct err *err)
{
    if (run->rows > UINT32_C(1) << machine->log2_rows || run->flits < 1 ||
        run->flits > UINT32_C(1) << machine->log2_flits || !row_cycles_fit(machine, run))
        return err_set(
            err, ERR_FIELD_RANGE,
            "%.200s:3: a run of %u rows of %u flits in %u cycles; expected at most %u rows, 1 … %u "
            "flits, flits + latency … %u cycles or a divisor of flits and latency",
            name, run->rows, run->flits, run->row_cycles, 1u << machine->log2_rows, 1u << machine->log2_flits,
            MACHINE_MAX_ROW_CYCLES);
    return true;
}

bool machine_has_address(const struct machine *machine, uint32_t address)
{
    enum machine_region region = (enum machine_region)(address >> 28 & 7);
    bool all = address & MACHINE_ALL_NODES;
    uint32_t field = address & UINT32_C(0x0fffffff);
    unsigned program = machine->log2_ports + machine->log2_rows;
    unsigned packets = machine->log2_ports + machine->log2_packets + machine->log2_flits;
    switch (region) {
    case MACHINE_REGISTER:
        return !all && field >= MACHINE_RUN_ROWS && field <= MACHINE_RUN_ROW_CYCLES;
    case MACHINE_TABLE:
        return !all && field >> machine_column_bits(machine) >> machine->log2_rows < machine_stages(machine);
    case MACHINE_SEND:
    case MACHINE_RECEIVE:
        return field >> program == 0;
    case MACHINE_PACKET:
        return field >> packets == 0;
    case MACHINE_FLAGS:
        break;
    }
    return false;
}

/* The number after `prefix` at *text, in 0 … maximum; moves *text behind it. */
static bool take_number(const char **text, const char *prefix, unsigned long maximum, unsigned *number)
{
    size_t length = strlen(prefix);
    if (strncmp(*text, prefix, length) != 0 || (*text)[length] < '0' || (*text)[length] > '9')
        return false;
    char *end;
    errno = 0;
    unsigned long value = strtoul(*text + length, &end, 10);
    if (errno != 0 || value > maximum)
        return false;
    *text = end;
    *number = (unsigned)value;
    return true;
}

bool machine_parse_network(const char *text, struct machine *machine, struct err *err)
{
    const char *at = text;
    unsigned ports = 0, pipe = 1, pad = 0;
    bool parsed = take_number(&at, "benes:", 1ul << MACHINE_MAX_LOG2_PORTS, &ports);
    while (parsed && *at != '\0')
        parsed = take_number(&at, ",pipe=", 2 * MACHINE_MAX_LOG2_PORTS, &pipe) ||
                 take_number(&at, ",pad=", MACHINE_MAX_PAD, &pad);
    unsigned log2_ports = machine_log2(ports);
    if (!parsed || log2_ports == 0 || pipe > benes_stages(log2_ports))
        return err_set(
            err, ERR_NETWORK,
            "--network: '%.60s'; expected benes:N[,pipe=P][,pad=D] with N a power of two in 2 … %u, "
            "P at most the 2·log2(N)-1 stages, D at most %u",
            text, 1u << MACHINE_MAX_LOG2_PORTS, MACHINE_MAX_PAD);
    machine->log2_ports = log2_ports;
    machine->pipe = pipe;
    machine->pad = pad;
    return true;
}
