/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/image/image_rams.h"

#include "sched/base/compare.h"
#include "sched/base/files.h"
#include "sched/base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool image_rams_check(const struct machine *machine, struct err *err)
{
    if (machine->ranges)
        return err_set(
            err, ERR_UNSUPPORTED,
            "{image}: mem is not available with {programs} ranges, because the range and "
            "the splits are registers; expected other programs, or another form");
    if (machine->width > MACHINE_WORD_WIDTH)
        return err_set(err, ERR_UNSUPPORTED,
                       "{image}: mem has memories of flits of at most %u bits; expected a smaller "
                       "{width}, or another form",
                       MACHINE_WORD_WIDTH);
    return !machine_is_autonomous(machine) ||
           err_set(err, ERR_UNSUPPORTED,
                   "{image}: mem is not available for cube-auto, whose nodes count packets as a "
                   "host writes them; "
                   "expected another network, or another form");
}

static uint32_t rams_of_node(const struct machine *machine)
{
    return machine_is_self_timed(machine) ? 2 : 3;
}

/* Number of memories of a router's table: one for the columns of read port 0, one for those of the
 * other read ports. */
static uint32_t rams_of_router(const struct machine *machine)
{
    return machine->reads > 1 ? 2 : 1;
}

static uint32_t rams_of_stages(const struct machine *machine)
{
    uint32_t count = 0;
    for (unsigned stage = 0; !machine_has_tags(machine) && stage < machine_stages(machine); stage++)
        count += machine_columns(machine, stage);
    return count;
}

uint32_t image_rams_count(const struct machine *machine)
{
    const uint32_t nodes = machine_ports(machine) * rams_of_node(machine);
    if (!machine_hops(machine))
        return nodes + rams_of_stages(machine) + machine_has_setting_index(machine);
    return nodes + (machine_is_self_timed(machine)
                        ? 0
                        : machine_routers(machine) * rams_of_router(machine));
}

static void name_ram(struct image_ram *ram, const char *what, uint32_t bank, int part)
{
    char tail[16] = "";
    if (part >= 0)
        snprintf(tail, sizeof tail, "-%04d", part);
    snprintf(ram->name, sizeof ram->name, "%s-%04" PRIu32 "%s.mem", what, bank, tail);
}

static void ram_of_node(const struct machine *machine, uint32_t which, struct image_ram *ram)
{
    const uint32_t rows = UINT32_C(1) << machine_log2_program_rows(machine);
    const unsigned packet =
        machine->computed ? machine_offset_bits(machine) : machine->log2_packets;
    const bool more = !machine->computed;
    const uint32_t count = rams_of_node(machine), node = which / count;
    struct image_ram kinds[] = {
        {.region = MACHINE_SEND,
         .depth = rows,
         .top = 1u + 2u * machine->keeps_own,
         .low = packet + machine_member_bits(machine)},
        {.region = MACHINE_PACKET,
         .depth = UINT32_C(1) << (machine->log2_packets + machine->log2_flits),
         .top = 1,
         .low = machine->width},
        {.region = MACHINE_RECEIVE,
         .depth = rows,
         .top = 1u + more + machine->combines + machine->keeps_own,
         .low = packet}};
    static const char *const names[] = {"send", "packets", "receive"};
    *ram = kinds[which % count];
    ram->bank = node;
    ram->cells = ram->group = 1;
    name_ram(ram, names[which % count], node, -1);
}

/* Describes a memory of the stages: a column of a stage or, after the last, the setting index. */
static void ram_of_stage(const struct machine *machine, uint32_t which, struct image_ram *ram)
{
    const struct multistage *net = &machine->network;
    *ram = (struct image_ram){.region = MACHINE_TABLE, .cells = 1, .group = 1};
    if (which == rams_of_stages(machine)) {
        ram->bank = machine_stages(machine);
        ram->depth = UINT32_C(1) << machine->log2_period;
        ram->low = machine_setting_index_word_bits(machine);
        name_ram(ram, "order", 0, -1);
        return;
    }
    unsigned stage = 0;
    for (; which >= machine_columns(machine, stage); stage++)
        which -= machine_columns(machine, stage);
    const bool masks = machine_has_masks(machine);
    const unsigned bits = masks ? net->levels : multistage_field_bits(net, stage);
    const uint32_t in_word = 32 / bits, fields = masks ? 1 : multistage_fields(net, stage),
                   rest = fields - which * in_word;
    ram->bank = stage;
    ram->first = which;
    ram->depth = UINT32_C(1) << machine_log2_table_rows(machine);
    ram->low = bits * MIN(rest, in_word);
    name_ram(ram, "table", stage, (int)which);
}

static void ram_of_router(const struct machine *machine, uint32_t which, struct image_ram *ram)
{
    const uint32_t router = which / rams_of_router(machine), part = which % rams_of_router(machine);
    const unsigned level = wiring_level(&machine->topology, router);
    const uint32_t ports = machine->topology.router_ports[level], reads = machine->reads,
                   sources = ports * reads, depth = machine->depth[level];
    *ram = (struct image_ram){.region = MACHINE_TABLE,
                              .bank = router,
                              .depth = UINT32_C(1) << machine->log2_rows,
                              .step = reads,
                              .low = depth > 1 ? bits_log2_up(depth) : 1};
    if (part == 0) {
        ram->cells = ports;
        ram->group = 1;
        ram->top = machine->combines ? 3 : 1; /* valid, result, operand */
        ram->middle = bits_log2_up(sources);
    } else {
        ram->cells = ports * (reads - 1);
        ram->group = reads - 1;
        ram->first = 1;
    }
    name_ram(ram, "table", router, (int)part);
}

void image_ram(const struct machine *machine, uint32_t which, struct image_ram *ram)
{
    const uint32_t nodes = machine_ports(machine) * rams_of_node(machine);
    if (which < nodes)
        ram_of_node(machine, which, ram);
    else if (machine_hops(machine))
        ram_of_router(machine, which - nodes, ram);
    else
        ram_of_stage(machine, which - nodes, ram);
}

/* Returns the host's address of a cell. */
static uint32_t address_of(const struct machine *machine, const struct image_ram *ram, uint32_t row,
                           uint32_t cell)
{
    switch (ram->region) {
    case MACHINE_TABLE:
        return machine_table_address(machine, ram->bank, row,
                                     ram->first + cell / ram->group * ram->step +
                                         cell % ram->group);
    case MACHINE_PACKET:
        return machine_packet_address(machine, ram->bank, 0, row);
    default:
        return machine_program_address(machine, ram->region, ram->bank, row);
    }
}

/* Returns the address that writes the same word of all nodes, with node 0 in its node field. */
static uint32_t address_of_all(const struct machine *machine, uint32_t address)
{
    const struct machine_place at = machine_place_of(machine, address);
    return MACHINE_ALL_NODES | (at.region == MACHINE_PACKET
                                    ? machine_packet_address(machine, 0, at.slot, at.flit) + at.part
                                    : machine_program_address(machine, at.region, 0, at.row));
}

struct image_rams {
    const struct image *image;
    size_t count;
    /* place[count]: address in the high bits, index in the low bits; ascending */
    uint64_t place[];
};

struct image_rams *image_rams_new(const struct image *image, struct err *err)
{
    struct image_rams *rams = malloc(sizeof *rams + image->count * sizeof *rams->place);
    if (rams == NULL) {
        err_no_memory(err, "%zu words", image->count);
        return NULL;
    }
    rams->image = image;
    rams->count = image->count;
    for (size_t k = 0; k < image->count; k++) {
        uint32_t address = image->word[k].address;
        if (address & MACHINE_ALL_NODES)
            address = address_of_all(&image->machine, address);
        rams->place[k] = (uint64_t)address << 32 | k;
    }
    qsort(rams->place, rams->count, sizeof *rams->place, compare_u64);
    return rams;
}

/* Finds the last word at an address. Returns 1 + its index in the image; 0 if there is none. */
static size_t last_at(const struct image_rams *rams, uint32_t address)
{
    const uint64_t after = ((uint64_t)address + 1) << 32;
    size_t low = 0, high = rams->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rams->place[middle] < after)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && rams->place[low - 1] >> 32 == address
               ? (size_t)(rams->place[low - 1] & UINT32_MAX) + 1
               : 0;
}

static uint32_t word_at(const struct image_rams *rams, const struct image_ram *ram, uint32_t row,
                        uint32_t cell)
{
    const struct machine *machine = &rams->image->machine;
    const uint32_t address = address_of(machine, ram, row, cell);
    size_t own = last_at(rams, address),
           all = ram->region == MACHINE_TABLE ? 0 : last_at(rams, address_of_all(machine, address)),
           last = MAX(own, all);
    return last > 0 ? rams->image->word[last - 1].word : 0;
}

static unsigned cell_bits(const struct image_ram *ram)
{
    return ram->top + ram->middle + ram->low;
}

static uint64_t row_bits(const struct image_ram *ram)
{
    return (uint64_t)ram->cells * cell_bits(ram);
}

static uint32_t row_digits(const struct image_ram *ram)
{
    return (uint32_t)bits_divide_up(row_bits(ram), 4);
}

/* Returns the bit of the word that is bit `bit` of a cell. */
static unsigned bit_of_word(const struct image_ram *ram, unsigned bit)
{
    if (bit < ram->low)
        return bit;
    if (bit < ram->low + ram->middle)
        return 16 + bit - ram->low;
    return 32 - cell_bits(ram) + bit;
}

/* Writes a row as hexadecimal digits, the highest first, and a newline. */
static void put_row(const struct image_rams *rams, const struct image_ram *ram, uint32_t row,
                    char digit[])
{
    const uint32_t digits = row_digits(ram);
    const unsigned bits = cell_bits(ram);
    memset(digit, 0, digits);
    for (uint32_t cell = 0; cell < ram->cells; cell++) {
        const uint32_t word = word_at(rams, ram, row, cell);
        for (unsigned bit = 0; bit < bits; bit++)
            if (word >> bit_of_word(ram, bit) & 1)
                digit[digits - 1 - (cell * bits + bit) / 4] |= (char)(1 << (cell * bits + bit) % 4);
    }
    for (uint32_t k = 0; k < digits; k++)
        digit[k] = "0123456789abcdef"[(unsigned char)digit[k]];
    digit[digits] = '\n';
}

bool image_ram_write(FILE *to, const char *name, const struct image_rams *rams,
                     const struct image_ram *ram, struct err *err)
{
    const uint32_t digits = row_digits(ram);
    char *line = malloc(digits + 1);
    if (line == NULL)
        return err_no_memory(err, "a row of %s", ram->name);
    for (uint32_t row = 0; row < ram->depth; row++) {
        put_row(rams, ram, row, line);
        fwrite(line, 1, digits + 1, to);
    }
    free(line);
    return !ferror(to) || files_refuse_output(name, errno, err);
}

/* Returns the value of a hexadecimal digit. The codes of the letters are 1 … 6 above a multiple of
 * 16. */
static unsigned value_of(char digit)
{
    return ((unsigned char)digit & 15u) + (digit > '9' ? 9 : 0);
}

/* Returns whether a line is a row of the memory, without bits above the highest of the row. */
static bool is_row(const struct image_ram *ram, const char line[])
{
    const uint32_t digits = row_digits(ram);
    return strspn(line, "0123456789abcdefABCDEF") == digits && line[digits] == '\n' &&
           value_of(line[0]) >> (row_bits(ram) - 4 * (uint64_t)(digits - 1)) == 0;
}

/* Appends the words of a row, one for each cell. */
static bool take_row(const struct image_ram *ram, uint32_t row, const char digit[],
                     struct image *image, struct err *err)
{
    const uint32_t digits = row_digits(ram);
    const unsigned bits = cell_bits(ram);
    for (uint32_t cell = 0; cell < ram->cells; cell++) {
        uint32_t word = 0;
        for (unsigned bit = 0; bit < bits; bit++) {
            const uint32_t at = cell * bits + bit;
            word |= (value_of(digit[digits - 1 - at / 4]) >> at % 4 & 1) << bit_of_word(ram, bit);
        }
        if (!image_append(image, address_of(&image->machine, ram, row, cell), word, err))
            return false;
    }
    return true;
}

static bool read_rows(FILE *from, const char *path, const struct image_ram *ram, char line[],
                      struct image *image, struct err *err)
{
    const uint32_t digits = row_digits(ram);
    for (uint32_t row = 0; row < ram->depth; row++) {
        if (fgets(line, (int)digits + 2, from) == NULL)
            return err_set(err, ERR_CUT,
                           "%.200s:%" PRIu32 ": the file ends; expected %" PRIu32 " lines", path,
                           row + 1, ram->depth);
        if (!is_row(ram, line))
            return err_set(err, ERR_SYNTAX,
                           "%.200s:%" PRIu32 ": not a word of the memory; expected %" PRIu32
                           " digit%s in hexadecimal, of %" PRIu64 " bit%s",
                           path, row + 1, digits, text_s(digits), row_bits(ram),
                           text_s(row_bits(ram)));
        if (!take_row(ram, row, line, image, err))
            return false;
    }
    return fgetc(from) == EOF ||
           err_set(err, ERR_SYNTAX, "%.200s:%" PRIu32 ": something after the end; expected nothing",
                   path, ram->depth + 1);
}

static bool read_ram(const char *path, const struct image_ram *ram, struct image *image,
                     struct err *err)
{
    FILE *from = files_open_input(path, err);
    if (from == NULL)
        return false;
    char *line = malloc(row_digits(ram) + 2);
    bool read = line != NULL ? read_rows(from, path, ram, line, image, err)
                             : err_no_memory(err, "a row of %s", ram->name);
    free(line);
    files_close_input(from);
    return read;
}

bool image_rams_read(const char *name, struct image *image, struct err *err)
{
    const char *slash = strrchr(name, '/');
    const int folder = slash == NULL ? 0 : (int)(slash + 1 - name);
    bool read = true;
    for (uint32_t which = 0; read && which < image_rams_count(&image->machine); which++) {
        struct image_ram ram;
        char *path;
        image_ram(&image->machine, which, &ram);
        if (asprintf(&path, "%.*s%s", folder, name, ram.name) < 0)
            return err_no_memory(err, "the name of %s", ram.name);
        read = read_ram(path, &ram, image, err);
        free(path);
    }
    return read;
}
