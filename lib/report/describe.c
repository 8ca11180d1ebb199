/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/report/describe.h"

#include "sched/base/text.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"

#include <inttypes.h>

const char *describe_end(const struct schedule *schedule, char text[DESCRIBE_END_TEXT])
{
    char number[RATIONAL_TEXT];
    rational_text(schedule->end, schedule->lambda.denominator, number);
    if (model_has_times(schedule->model))
        snprintf(text, DESCRIBE_END_TEXT, "time %s", number);
    else
        snprintf(text, DESCRIBE_END_TEXT, "%" PRIu64 " round%s", schedule->end,
                 text_s(schedule->end));
    return text;
}

static void append_numbers(char text[DESCRIBE_MACHINE_TEXT], const char *title, unsigned height,
                           const uint32_t number[])
{
    text_append(text, DESCRIBE_MACHINE_TEXT, "%s", title);
    for (unsigned level = 1; level <= height; level++)
        text_append(text, DESCRIBE_MACHINE_TEXT, level > 1 ? ",%" PRIu32 : " %" PRIu32,
                    number[level]);
}

const char *describe_machine(const struct machine *machine, char text[DESCRIBE_MACHINE_TEXT])
{
    const struct topology *topology = &machine->topology;
    unsigned count = machine_hops(machine) ? machine_routers(machine) : machine_stages(machine);
    if (topology->dimensions > 0) {
        snprintf(text, DESCRIBE_MACHINE_TEXT, "%s of %u dimension%s", machine_row(machine)->name,
                 topology->dimensions, text_s(topology->dimensions));
    } else if (machine_hops(machine)) {
        snprintf(text, DESCRIBE_MACHINE_TEXT, "%s", machine_row(machine)->name);
        append_numbers(text, "", topology->height, topology->children);
        append_numbers(text, " capacity", topology->height, topology->capacity);
    } else {
        machine_network_name(machine, text);
    }
    text_append(text, DESCRIBE_MACHINE_TEXT, "%s, %u %s%s, latency %u cycle%s",
                machine->combines ? " that combines" : "", count,
                machine_hops(machine) ? "router" : "stage", text_s(count), machine_latency(machine),
                text_s(machine_latency(machine)));
    return text;
}
