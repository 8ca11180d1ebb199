/* SPDX-License-Identifier: Apache-2.0 */
#include "testbench/engine/engine_name.h"

#include "sched/base/text.h"
#include "sched/machine/machine_address.h"

#include <inttypes.h>
#include <stdio.h>

/* Appends a parameter that has a value for each level, "-name1_2_3", level 1 first. */
static void append_levels(const char *name, const uint32_t value[], unsigned height, char *text)
{
    text_append(text, ENGINE_NAME_ROOM, "-%s%" PRIu32, name, value[1]);
    for (unsigned level = 2; level <= height; level++)
        text_append(text, ENGINE_NAME_ROOM, "_%" PRIu32, value[level]);
}

/* Appends the parameters of a multistage network. For a Beneš network of 2×2 switches the number of
 * ports determines the others. */
static void multistage_words(const struct machine *machine, char *text)
{
    const struct multistage *net = &machine->network;
    text_append(text, ENGINE_NAME_ROOM, "-ports%" PRIu32, net->ports);
    if (net->kind != 0)
        text_append(text, ENGINE_NAME_ROOM, "-kind%d", (int)net->kind);
    if (multistage_has_crossbars(net))
        text_append(text, ENGINE_NAME_ROOM, "-middle%" PRIu32 "-radix%" PRIu32 "-levels%u",
                    net->middle, net->radix, net->levels);
    if (machine_has_setting_index(machine))
        text_append(text, ENGINE_NAME_ROOM, "-settings%d-tables%u", (int)machine->settings,
                    1u << machine_log2_table_rows(machine));
    if (machine_has_setting_period(machine))
        text_append(text, ENGINE_NAME_ROOM, "-setting_period%u-computed%d",
                    1u << machine->log2_period, machine->computed);
    if (machine->reconfigures)
        text_append(text, ENGINE_NAME_ROOM, "-reconfig1");
    if (machine->combines)
        text_append(text, ENGINE_NAME_ROOM, "-combine1");
    if (machine->shared > 0)
        text_append(text, ENGINE_NAME_ROOM, "-shared%" PRIu32, machine->shared);
    if (machine->ranges)
        text_append(text, ENGINE_NAME_ROOM, "-ranges1-splits%u", 1u << machine->log2_splits);
    text_append(text, ENGINE_NAME_ROOM, "-pipe%u", machine->pipe);
}

static void cube_words(const struct machine *machine, char *text)
{
    text_append(text, ENGINE_NAME_ROOM, "-dimensions%u-depth%" PRIu32 "-reads%" PRIu32,
                machine->topology.dimensions, machine->depth[1], machine->reads);
}

static void cube_auto_words(const struct machine *machine, char *text)
{
    text_append(text, ENGINE_NAME_ROOM, "-dimensions%u-depth%" PRIu32 "-queue%" PRIu32,
                machine->topology.dimensions, machine->depth[1], machine->queue[1]);
}

static void tree_words(const struct machine *machine, char *text)
{
    const struct topology *tree = &machine->topology;
    text_append(text, ENGINE_NAME_ROOM, "-height%u", tree->height);
    append_levels("children", tree->children, tree->height, text);
    append_levels("capacity", tree->capacity, tree->height, text);
    append_levels("depth", machine->depth, tree->height, text);
    if (machine_is_self_timed(machine)) {
        text_append(text, ENGINE_NAME_ROOM, "-auto1");
        append_levels("queue", machine->queue, tree->height, text);
    }
    text_append(text, ENGINE_NAME_ROOM, "-reads%" PRIu32, machine->reads);
}

/* Appends the parameters of the network of a machine of that kind. */
static void (*const append_words[MACHINE_KINDS])(const struct machine *machine, char *text) = {
    [MACHINE_MULTISTAGE] = multistage_words,
    [MACHINE_FAT_TREE] = tree_words,
    [MACHINE_FAT_TREE_AUTO] = tree_words,
    [MACHINE_CUBE] = cube_words,
    [MACHINE_CUBE_AUTO] = cube_auto_words};

void engine_name_of(enum engine_kind kind, const struct machine *machine, bool traced,
                    char name[ENGINE_NAME_ROOM])
{
    snprintf(name, ENGINE_NAME_ROOM, "%s-rc_%s", engine_name(kind), machine_row(machine)->top);
    append_words[machine->kind](machine, name);
    text_append(name, ENGINE_NAME_ROOM, "-pad%u-width%u-packets%u-flits%u-rows%u%s", machine->pad,
                machine->width, 1u << machine->log2_packets, 1u << machine->log2_flits,
                1u << machine->log2_rows, traced ? "-traced" : "");
}
