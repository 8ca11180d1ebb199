/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/routers/router_table.h"
#include "sched/base/bits.h"

#include <string.h>

#define SOURCE_BITS 15
#define ADDRESS_BITS 16

/* The bits of a number below `count`. */
static unsigned bits_of(uint32_t count)
{
    return count < 2 ? 1 : bits_log2_up(count);
}

bool router_table_new(struct router_level *level, struct csim_module *module)
{
    level->table_size = ((size_t)level->routers * level->columns << level->machine.log2_rows) *
                        sizeof *level->table;
    level->table = csim_alloc(module, level->table_size);
    level->input_of = csim_alloc(module, level->columns * sizeof *level->input_of);
    if (level->table == NULL || level->input_of == NULL)
        return false;
    for (uint32_t column = 0; column < level->columns; column++)
        level->input_of[column] = column / level->machine.reads;
    return true;
}

void router_table_fetch(struct router_level *level)
{
    size_t words = (size_t)level->routers * level->columns;
    memcpy(csim_write(&level->setting), level->table + csim_get(&level->row_i) * words,
           words * sizeof *level->table);
}

/* The source that an output takes. It chooses among the other inputs only, where the last one
 * stands in its own place, and among as many as the bits of the choice can name
 * (rtl/routers/rc_router_core.sv). */
static uint32_t sent_source(const struct router_level *l, uint32_t port, uint32_t source)
{
    bool others = l->machine.reads == 1;
    uint32_t last = l->columns - 1, place = others ? port : last;
    uint32_t choice =
        ports_low(source == last ? place : source, bits_of(others ? last : l->columns));
    return choice == place ? last : choice;
}

/* The address of the packet that `word` of a router's setting tells an output to send; `none` if no
 * packet has come there. */
static uint32_t table_aim_output(const struct router_level *l, uint32_t router, uint32_t port,
                                 const uint32_t *setting, uint32_t word)
{
    uint32_t source = sent_source(l, port, word >> ADDRESS_BITS & ((1u << SOURCE_BITS) - 1));
    if (source >= l->columns)
        return l->none;
    uint32_t lane = router_level_lane(l, router, l->input_of[source]);
    uint32_t slot = ports_low(setting[source], ADDRESS_BITS);
    return slot < l->filled[lane] ? router_level_address(l, lane, slot) : l->none;
}

bool router_table_aim(struct router_level *l)
{
    const uint32_t *setting = csim_read(&l->setting);
    bool single_port = csim_get(&l->single_port_i), any = false;
    for (uint32_t router = 0; router < l->routers; router++, setting += l->columns) {
        uint32_t sent = 0, held = 0;
        for (uint32_t port = 0; port < l->ports; port++) {
            uint32_t word = setting[port * l->machine.reads], at = l->none;
            if (word & MACHINE_VALID) {
                at = table_aim_output(l, router, port, setting, word);
                sent++;
                held += at != l->none;
            }
            l->tx_at[router_level_lane(l, router, port)] = at;
        }
        any |= held != 0;
        if (held != sent)
            router_level_raise(l, router, MACHINE_ROUTER_NOT_HELD);
        if (single_port && sent > 1)
            router_level_raise(l, router, MACHINE_ROUTER_TWICE);
    }
    return any;
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
    return of_output ? (word & MACHINE_VALID) | source << ADDRESS_BITS | slot : slot;
}
