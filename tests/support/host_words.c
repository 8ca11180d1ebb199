/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/host_words.h"

#include "sched/machine/machine_address.h"
#include "tests/support/host_runs.h"

#define WORDS 600    /* read after a run */
#define LIST 5       /* slots of each node of a self-timed hypercube, for all but one ... */
#define LONG_LIST 32 /* ... or packets of one, if no other has any */

uint32_t host_words_address(uint32_t region, uint32_t field)
{
    return machine_region_address((enum machine_region)region) | field;
}

uint32_t host_words_draw(struct rng *rng, unsigned valid, bool continues, bool small)
{
    uint32_t word = (uint32_t)rng_next(rng) & ~(continues ? 0 : MACHINE_MORE);
    if (small)
        word &= UINT32_C(0x70070003);
    return rng_below(rng, 8) < valid ? word | MACHINE_VALID : word & ~MACHINE_VALID;
}

/* Returns the word, changed so that a router's output sends from a source that exists, or the
 * result of the row. */
static uint32_t legal(const struct machine *machine, uint32_t address, uint32_t word)
{
    const struct machine_place place = machine_place_of(machine, address);
    if (place.region != MACHINE_TABLE || !machine_hops(machine) || machine_is_self_timed(machine) ||
        place.bank >= machine_routers(machine))
        return word;
    unsigned level = wiring_level(&machine->topology, place.bank);
    uint32_t sources = machine->topology.router_ports[level] * machine->reads;
    const uint32_t flags = machine->combines ? MACHINE_RESULT | MACHINE_OPERAND : 0;
    uint32_t source = (word >> 16 & (flags ? 0x1fff : 0x7fff)) % sources;
    return (word & (MACHINE_VALID | flags | 0xffff)) | source << 16;
}

void host_words_packets(struct host_lab *lab, struct rng *rng, unsigned valid)
{
    const struct machine *machine = &lab->map.machine;
    const uint32_t flits = 1u << machine->log2_flits;
    uint32_t held = 0;
    for (uint32_t field = 0; field < 1u << host_map_bits(&lab->map, MACHINE_PACKET); field++) {
        uint32_t word = host_words_draw(rng, valid, true, false);
        if (!machine_is_self_timed(machine) || field % flits == 0)
            held = word & MACHINE_VALID;
        host_lab_write(lab, host_words_address(MACHINE_PACKET, field),
                       (word & ~MACHINE_VALID) | held);
    }
}

/* Writes the lists: every processor has a few packets, a random number each or all the same number;
 * or one processor has many. The slots of the processors change from run to run. */
static void write_lists(struct host_lab *lab, struct rng *rng, unsigned which)
{
    const uint32_t processors = lab->map.nodes / lab->map.machine.topology.dimensions;
    const uint32_t lonely = rng_below(rng, processors), shift = rng_below(rng, processors);
    const uint32_t most = rng_below(rng, 2) ? LONG_LIST : rng_below(rng, LONG_LIST + 1);
    const unsigned valid = rng_below(rng, 3) == 0 ? 6 : 8;
    for (uint32_t processor = 0; processor < processors; processor++) {
        uint32_t first = (processor + shift) % processors * LIST,
                 length = which % 3 == 0 ? rng_below(rng, LIST + 1) : 1 + which / 3 % LIST;
        if (which % 3 == 1) {
            first = rng_below(rng, LIST * processors - LONG_LIST + 1);
            length = processor == lonely ? most : 0;
        }
        host_runs_list(lab, rng, valid, processor, first, length);
    }
}

void host_words_write(struct host_lab *lab, struct rng *rng, unsigned which, bool streams)
{
    const unsigned valid = (which + 3) % 9;
    const bool small = which % 2;
    for (uint32_t region = MACHINE_TABLE; region < MACHINE_PACKET; region++)
        for (uint32_t field = 0; field < 1u << host_map_bits(&lab->map, region); field++) {
            const uint32_t address = host_words_address(region, field);
            host_lab_write(lab, address,
                           legal(&lab->map.machine, address,
                                 host_words_draw(rng, valid, streams || region != MACHINE_RECEIVE,
                                                 small && region != MACHINE_TABLE)));
        }
    host_words_packets(lab, rng, valid);
    if (machine_is_autonomous(&lab->map.machine))
        write_lists(lab, rng, which);
}

void host_words_read_changed(struct host_lab *lab)
{
    for (uint32_t region = MACHINE_PACKET; region <= MACHINE_ROUTER_FLAGS; region++)
        for (uint32_t field = 0; field < 1u << host_map_bits(&lab->map, region); field++)
            host_lab_ask(lab, host_words_address(region, field));
}

void host_words_read_some(struct host_lab *lab, struct rng *rng)
{
    for (unsigned k = 0; k < WORDS; k++) {
        uint32_t region = rng_below(rng, HOST_MAP_REGIONS);
        uint32_t field = rng_below(rng, 1u << host_map_bits(&lab->map, region));
        bool kept = region >= MACHINE_TABLE && region <= MACHINE_PACKET;
        if (!kept && rng_below(rng, 4) == 0)
            host_lab_write(lab, host_words_address(region, field),
                           (uint32_t)rng_next(rng) & (rng_below(rng, 2) ? UINT32_MAX : 1));
        host_lab_ask(lab, host_words_address(region, field) |
                              (rng_below(rng, 4) ? 0 : MACHINE_ALL_NODES));
    }
    host_lab_idle(lab, 3);
}

uint32_t host_words_operator(const struct machine *machine, struct rng *rng)
{
    if (!machine->combines)
        return 0;
    uint32_t which;
    do
        which = rng_below(rng, MACHINE_OPERATORS);
    while (!(machine_built_operators(machine) >> which & 1));
    return which;
}
