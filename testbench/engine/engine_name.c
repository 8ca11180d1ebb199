/* SPDX-License-Identifier: Apache-2.0 */
#include "testbench/engine/engine_name.h"

#include <inttypes.h>
#include <stdio.h>

/* Append a parameter that has a value for each level, "-name1_2_3", level 1 first. */
static size_t append_levels(const char *name, const uint32_t value[], unsigned height, char *text,
                            size_t room)
{
    size_t length = (size_t)snprintf(text, room, "-%s%" PRIu32, name, value[1]);
    for (unsigned level = 2; level <= height; level++)
        length += (size_t)snprintf(text + length, room - length, "_%" PRIu32, value[level]);
    return length;
}

/* Those of a Beneš network of 2×2 switches follow from its ports. */
static size_t multistage_words(const struct machine *machine, char *text, size_t room)
{
    const struct multistage *net = &machine->network;
    size_t length = (size_t)snprintf(text, room, "-ports%" PRIu32, net->ports);
    if (net->kind != 0)
        length += (size_t)snprintf(text + length, room - length, "-kind%d", (int)net->kind);
    if (multistage_has_crossbars(net))
        length += (size_t)snprintf(text + length, room - length,
                                   "-middle%" PRIu32 "-radix%" PRIu32 "-levels%u", net->middle,
                                   net->radix, net->levels);
    if (machine_has_order(machine))
        length += (size_t)snprintf(text + length, room - length, "-settings%d-tables%u",
                                   (int)machine->settings, 1u << machine_log2_table_rows(machine));
    if (machine_has_beats(machine))
        length += (size_t)snprintf(text + length, room - length, "-beats%u-computed%d",
                                   1u << machine->log2_period, machine->computed);
    if (machine->held)
        length += (size_t)snprintf(text + length, room - length, "-held1");
    return length + (size_t)snprintf(text + length, room - length, "-pipe%u", machine->pipe);
}

static size_t cube_words(const struct machine *machine, char *text, size_t room)
{
    return (size_t)snprintf(text, room, "-dimensions%u-depth%" PRIu32 "-reads%" PRIu32,
                            machine->topology.dimensions, machine->depth[1], machine->reads);
}

static size_t cube_auto_words(const struct machine *machine, char *text, size_t room)
{
    return (size_t)snprintf(text, room, "-dimensions%u-depth%" PRIu32 "-queue%" PRIu32,
                            machine->topology.dimensions, machine->depth[1], machine->queue[1]);
}

static size_t tree_words(const struct machine *machine, char *text, size_t room)
{
    const struct topology *tree = &machine->topology;
    size_t length = (size_t)snprintf(text, room, "-height%u", tree->height);
    length += append_levels("children", tree->children, tree->height, text + length, room - length);
    length += append_levels("capacity", tree->capacity, tree->height, text + length, room - length);
    length += append_levels("depth", machine->depth, tree->height, text + length, room - length);
    if (machine_is_self_timed(machine)) {
        length += (size_t)snprintf(text + length, room - length, "-auto1");
        length +=
            append_levels("queue", machine->queue, tree->height, text + length, room - length);
    }
    return length +
           (size_t)snprintf(text + length, room - length, "-reads%" PRIu32, machine->reads);
}

/* The parameters of the network of a machine of that kind. */
static size_t (*const words[MACHINE_KINDS])(const struct machine *machine, char *text,
                                            size_t room) = {[MACHINE_MULTISTAGE] = multistage_words,
                                                            [MACHINE_FAT_TREE] = tree_words,
                                                            [MACHINE_FAT_TREE_AUTO] = tree_words,
                                                            [MACHINE_CUBE] = cube_words,
                                                            [MACHINE_CUBE_AUTO] = cube_auto_words};

void engine_name_of(enum engine_kind kind, const struct machine *machine, bool traced,
                    char name[ENGINE_NAME_ROOM])
{
    char network[ENGINE_NAME_ROOM / 2];
    words[machine->kind](machine, network, sizeof network);
    snprintf(name, ENGINE_NAME_ROOM, "%s-rc_%s%s-pad%u-width%u-packets%u-flits%u-rows%u%s",
             engine_name(kind), machine_row(machine)->top, network, machine->pad, machine->width,
             1u << machine->log2_packets, 1u << machine->log2_flits, 1u << machine->log2_rows,
             traced ? "-traced" : "");
}
