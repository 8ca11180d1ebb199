/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/image/image_beats.h"

#include "sched/base/text.h"
#include "sched/machine/machine_network.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *image_beats_of_machine(const struct machine *machine, char text[IMAGE_BEATS_TEXT])
{
    text[0] = '\0';
    if (machine_has_beats(machine))
        snprintf(text, IMAGE_BEATS_TEXT, " settings=%s tables=%u programs=%s beats=%u%s",
                 machine_settings_text(machine->settings),
                 machine_has_tags(machine) ? 0 : 1u << machine_log2_table_rows(machine),
                 machine->computed ? "computed" : "stored", 1u << machine->log2_period,
                 machine->held ? " order=held" : "");
    return text;
}

const char *image_beats_of_run(const struct machine *machine, const struct run *run,
                               char text[IMAGE_BEATS_TEXT])
{
    text[0] = '\0';
    if (machine_has_beats(machine))
        text_append(text, IMAGE_BEATS_TEXT,
                    " period=%" PRIu32 " first=%" PRIu32 " packets=%" PRIu32, run->period,
                    run->first, run->packets);
    if (machine->held)
        text_append(text, IMAGE_BEATS_TEXT, " reconfigure=%" PRIu32, run->reconfigure);
    return text;
}

void image_beats_read_machine(const char *rest, struct machine *machine)
{
    char settings[10], programs[10];
    unsigned tables, beats;
    if (sscanf(rest, " settings=%9s tables=%9u programs=%9s beats=%9u", settings, &tables, programs,
               &beats) != 4)
        return;
    machine_parse_settings(settings, &machine->settings);
    machine->held = strstr(rest, " order=held") != NULL;
    machine->log2_settings = machine_is_indexed(machine) ? machine_log2(tables) : 0;
    machine->computed = strcmp(programs, "computed") == 0;
    machine->log2_period = machine_log2(beats);
}

void image_beats_read_run(const char *rest, struct run *run)
{
    sscanf(rest,
           " period=%9" SCNu32 " first=%9" SCNu32 " packets=%9" SCNu32 " reconfigure=%10" SCNu32,
           &run->period, &run->first, &run->packets, &run->reconfigure);
}
