/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/routers/router_level.h"
#include "csim/shell/octet.h"
#include "sched/base/bits.h"
#include "sched/machine/machine_address.h"

#include <string.h>

#define SOURCE_BITS 15
#define COMBINED_SOURCE_BITS 13
#define ADDRESS_BITS 16

/* Returns the number of bits of a number below `count`. */
static unsigned bits_of(uint32_t count)
{
    return count < 2 ? 1 : bits_log2_up(count);
}

bool router_table_new(struct router_level *level, struct csim_module *module)
{
    level->table_size = ((size_t)level->routers * level->columns << level->machine.log2_rows) *
                        sizeof *level->table;
    uint32_t ports = level->routers * level->ports, columns = level->routers * level->columns;
    level->table = csim_alloc(module, level->table_size);
    level->lane_of = csim_alloc(module, columns * sizeof *level->lane_of);
    level->origin = csim_alloc(module, columns * sizeof *level->origin);
    level->given = csim_alloc(module, (columns + 1) * sizeof *level->given);
    level->first_of = csim_alloc(module, ports * sizeof *level->first_of);
    level->source = csim_alloc(module, ports * sizeof *level->source);
    if (level->table == NULL || level->lane_of == NULL || level->origin == NULL ||
        level->given == NULL || level->first_of == NULL || level->source == NULL)
        return false;
    for (uint32_t column = 0; column < columns; column++) {
        uint32_t router = column / level->columns;
        uint32_t port = column % level->columns / level->machine.reads;
        level->lane_of[column] = router_level_lane(level, router, port);
        level->origin[column] = level->base[level->lane_of[column]];
        level->first_of[column / level->machine.reads] = router * level->columns;
    }
    level->given[columns] = level->none;
    return true;
}

void router_table_fetch(struct router_level *level)
{
    size_t words = (size_t)level->routers * level->columns;
    memcpy(csim_write(&level->setting), level->table + csim_get(&level->row_i) * words,
           words * sizeof *level->table);
}

/* Computes given[column], the address of the packet that each read port of the level supplies;
 * `none` if no packet has arrived there. */
static inline void table_read(const struct router_level *l, const uint32_t *restrict setting,
                              uint32_t *restrict given)
{
    const uint32_t *restrict filled = l->filled, *restrict lane_of = l->lane_of;
    const uint32_t *restrict origin = l->origin;
    const uint32_t columns = l->routers * l->columns, none = l->none;
    const unsigned log2_flits = l->machine.log2_flits;
    for (uint32_t column = 0; column < columns; column++)
        given[column] = filled[lane_of[column]];
    for (uint32_t column = 0; column < columns; column++) {
        uint32_t slot = ports_low(setting[column], ADDRESS_BITS);
        uint32_t address = origin[column] + (slot << log2_flits);
        given[column] = slot < given[column] ? address : none;
    }
}

/* Computes source[port], the column that each output of the level takes; one past the last column
 * if it sends nothing. Returns the number of outputs that send.
 *
 * An output selects among the other inputs only, the last input taking the number of its own, and
 * among as many inputs as the bits of the selection can encode (rtl/routers/rc_router_core.sv). */
static inline uint32_t table_choose(const struct router_level *l, const uint32_t *restrict setting,
                                    uint32_t *restrict source)
{
    const uint32_t *restrict first_of = l->first_of;
    const uint32_t columns = l->columns, last = columns - 1, reads = l->machine.reads;
    const uint32_t ports = l->routers * l->ports, after = l->routers * columns;
    const bool others = reads == 1;
    const uint32_t choices = (UINT32_C(1) << bits_of(others ? last : columns)) - 1;
    const unsigned bits = l->machine.combines ? COMBINED_SOURCE_BITS : SOURCE_BITS;
    uint32_t sent = 0;
    for (uint32_t port = 0; port < ports; port++) {
        uint32_t word = setting[port * reads], place = others ? port - first_of[port] : last;
        uint32_t chosen = ports_low(word >> ADDRESS_BITS, bits);
        chosen = (chosen == last ? place : chosen) & choices;
        chosen = chosen == place ? last : chosen;
        bool exists = (word & MACHINE_VALID) && chosen < columns;
        source[port] = exists ? first_of[port] + chosen : after;
        sent += word >> 31;
    }
    return sent;
}

/* Raises the flags of routers that send a packet that they do not hold, or that send twice in a
 * single-port run. */
static void table_judge(struct router_level *l, const uint32_t *setting)
{
    bool single_port = csim_get(&l->single_port_i);
    for (uint32_t router = 0, column = 0; router < l->routers; router++) {
        uint32_t sent = 0, held = 0;
        for (uint32_t port = 0; port < l->ports; port++, column += l->machine.reads) {
            sent += setting[column] >> 31;
            held += l->tx_at[router_level_lane(l, router, port)] != l->none;
        }
        if (held != sent)
            router_level_raise(l, router, MACHINE_ROUTER_NOT_HELD);
        if (single_port && sent > 1)
            router_level_raise(l, router, MACHINE_ROUTER_TWICE);
    }
}

/* Computes the address from which each output sends. Returns the number of outputs that send a
 * packet. */
static inline uint32_t table_take(const struct router_level *l, const uint32_t *restrict given,
                                  const uint32_t *restrict source, uint32_t *restrict at)
{
    const uint32_t *restrict lane_of = l->lane_of;
    const uint32_t ports = l->routers * l->ports, reads = l->machine.reads, none = l->none;
    uint32_t held = 0;
    for (uint32_t port = 0; port < ports; port++) {
        uint32_t address = given[source[port]];
        at[lane_of[port * reads]] = address;
        held += address != none;
    }
    return held;
}

/* Combines the operands of a router, in the packet `at`. Returns whether there are operands and all
 * of them are held. */
static bool table_operate(struct router_level *l, const uint32_t *setting, uint32_t router,
                          uint32_t at)
{
    const uint32_t flits = UINT32_C(1) << l->machine.log2_flits, low = l->valid - 1;
    const uint32_t which = csim_get(&l->operation_i), reads = l->machine.reads;
    uint32_t *result = &l->memory[at];
    bool any = false;
    for (uint32_t port = 0; port < l->ports; port++) {
        const uint32_t column = router * l->columns + port * reads;
        if (!(setting[column] & MACHINE_OPERAND))
            continue;
        if (l->given[column] == l->none)
            return false;
        const uint32_t *operand = &l->memory[l->given[column]];
        for (uint32_t flit = 0; flit < flits; flit++)
            result[flit] =
                l->valid | (any ? wide_words_combine(l->wide, which, l->machine.width,
                                                     result[flit] & low, operand[flit] & low)
                                : operand[flit] & low);
        any = true;
    }
    return any;
}

/* Aims the outputs that send results at them. Returns the number of outputs that send a packet. */
static uint32_t table_results(struct router_level *l, const uint32_t *setting)
{
    const uint32_t both = MACHINE_VALID | MACHINE_RESULT;
    uint32_t held = 0;
    for (uint32_t router = 0; router < l->routers; router++) {
        uint32_t result = 0;
        for (uint32_t port = 0; port < l->ports; port++) {
            const uint32_t word = setting[router * l->columns + port * l->machine.reads];
            uint32_t *at = &l->tx_at[router_level_lane(l, router, port)];
            if ((word & both) == both && result == 0) {
                result = l->results + (router << l->machine.log2_flits);
                if (!table_operate(l, setting, router, result))
                    result = l->none;
            }
            if ((word & both) == both)
                *at = result;
            held += *at != l->none;
        }
    }
    return held;
}

LOOKUPS_FOR_EVERY_CPU
bool router_table_aim(struct router_level *l)
{
    const uint32_t *setting = csim_read(&l->setting);
    table_read(l, setting, l->given);
    uint32_t sent = table_choose(l, setting, l->source);
    uint32_t held = table_take(l, l->given, l->source, l->tx_at);
    if (l->machine.combines)
        held = table_results(l, setting);
    if (held != sent || csim_get(&l->single_port_i))
        table_judge(l, setting);
    return held != 0;
}

uint32_t *router_table_word(const struct router_level *level, uint32_t router)
{
    uint32_t column = csim_get(&level->host_column_i);
    size_t row = csim_get(&level->host_row_i);
    if (column >= level->columns)
        return NULL;
    return &level->table[(row * level->routers + router) * level->columns + column];
}

uint32_t router_table_mask(const struct router_level *level, uint32_t word)
{
    bool of_output = csim_get(&level->host_column_i) % level->machine.reads == 0;
    uint32_t source = ports_low(word >> ADDRESS_BITS, bits_of(level->columns));
    uint32_t slot = ports_low(word, bits_of(level->depth));
    const uint32_t flags =
        MACHINE_VALID | (level->machine.combines ? MACHINE_RESULT | MACHINE_OPERAND : 0);
    return of_output ? (word & flags) | source << ADDRESS_BITS | slot : slot;
}
