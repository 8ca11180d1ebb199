/* SPDX-License-Identifier: Apache-2.0 */
#include "view/data.h"

#include "sched/image/unpack.h"
#include "sched/machine/machine_run.h"
#include "sched/schedule/schedule_settings.h"

#include <inttypes.h>
#include <stdlib.h>

/* Returns a comma for all entries except the first. */
static const char *comma(size_t which)
{
    return which > 0 ? "," : "";
}

static void write_numbers(FILE *to, const uint32_t number[], size_t count)
{
    fputc('[', to);
    for (size_t k = 0; k < count; k++)
        fprintf(to, "%s%" PRIu32, comma(k), number[k]);
    fputc(']', to);
}

static void write_topology(FILE *to, const struct topology *topology)
{
    fprintf(to, "\"topology\":{\"kind\":\"%s\",\"nodes\":%" PRIu32 ",\"all\":%" PRIu32,
            topology_row(topology)->name, topology->nodes, topology->all);
    fprintf(to, ",\"dimensions\":%u,\"children\":", topology->dimensions);
    write_numbers(to, topology->children + 1, topology->height);
    fputs(",\"capacity\":", to);
    write_numbers(to, topology->capacity + 1, topology->height);
    fputs("},\n", to);
}

static void write_demands(FILE *to, const struct schedule *schedule)
{
    fputs("\"demands\":[", to);
    for (size_t which = 0; which < schedule->demand_count; which++) {
        const struct demand *demand = &schedule->demand[which];
        fprintf(to, "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",", comma(which), demand->first_packet,
                demand->last_packet, demand->source);
        write_numbers(to, demand->wanted, demand->wanted_count);
        if (demand->reduction != NULL) {
            fputc(',', to);
            write_numbers(to, demand->reduction->contributor, demand->reduction->contributor_count);
        }
        fputc(']', to);
    }
    fputs("],\n", to);
}

static void write_steps(FILE *to, const struct schedule *schedule)
{
    fputs("\"steps\":[", to);
    for (size_t k = 0; k < schedule->step_count; k++) {
        fprintf(to, "%s\n[%" PRIu64, comma(k), schedule->step[k].time);
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++)
            fprintf(to, ",%" PRIu32 ",%" PRIu32 ",%" PRIu32, schedule->transfer[t].source,
                    schedule->transfer[t].destination, schedule->transfer[t].packet);
        fputc(']', to);
    }
    fputs("],\n\"lanes\":[", to);
    for (size_t k = 0; schedule->lane != NULL && k < schedule->step_count; k++) {
        size_t first = schedule->step[k].first;
        fputs(comma(k), to);
        write_numbers(to, schedule->lane + first, schedule_step_end(schedule, k) - first);
    }
    fputs("],\n\"combining\":[", to);
    for (size_t k = 0; schedule->has_reductions && k < schedule->step_count; k++) {
        fprintf(to, "%s[", comma(k));
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++)
            fprintf(to, "%s%u", comma(t - schedule->step[k].first),
                    schedule_combining(schedule, t));
        fputc(']', to);
    }
    fputc(']', to);
}

void data_schedule(FILE *to, const struct schedule *schedule)
{
    fputc('{', to);
    write_topology(to, &schedule->topology);
    fprintf(to, "\"packets\":%" PRIu32 ",\"data\":%" PRIu32 ",\"timed\":%s", schedule->packets,
            schedule_data_packets(schedule), model_has_times(schedule->model) ? "true" : "false");
    fprintf(to, ",\"lambda\":[%" PRIu64 ",%" PRIu64 "],\"end\":%" PRIu64 ",\n",
            (uint64_t)schedule->lambda.numerator, (uint64_t)schedule->lambda.denominator,
            schedule->end);
    write_demands(to, schedule);
    write_steps(to, schedule);
    fputc('}', to);
}

/* Returns the number of settings up to and including a row; 0 without reconfiguration. */
static uint64_t setting_changes_until(const uint32_t setting_changes[], uint64_t row)
{
    return setting_changes != NULL ? setting_changes[row] : 0;
}

/* Writes spans of rows. A span ends where the next row does not begin directly after the row
 * before. */
static void write_spans(FILE *to, const struct run *run, uint64_t rows,
                        const uint32_t setting_changes[])
{
    uint64_t first = 0, begin = 0;
    for (uint64_t row = 0; row < rows; row++) {
        uint64_t now = machine_row_begin(run, row, setting_changes_until(setting_changes, row));
        if (row == first)
            begin = now;
        uint64_t end = now + run->row_cycles;
        if (row + 1 < rows &&
            machine_row_begin(run, row + 1, setting_changes_until(setting_changes, row + 1)) == end)
            continue;
        fprintf(to, "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", comma(first), row + 1 - first, begin,
                end - 1);
        first = row + 1;
    }
}

bool data_clock(FILE *to, const struct schedule *schedule, const struct image *image,
                struct err *err)
{
    uint64_t rows = schedule->end, changes = 0;
    uint32_t *setting_changes = NULL;
    if (image->machine.reconfigures) {
        setting_changes = malloc((rows + 1) * sizeof *setting_changes);
        if (setting_changes == NULL)
            return err_no_memory(err, "the settings of %" PRIu64 " rounds", rows);
        if (!schedule_setting_changes(schedule, &image->machine.network, setting_changes, err)) {
            free(setting_changes);
            return false;
        }
        changes = rows > 0 ? setting_changes[rows - 1] : 0;
    }
    fprintf(to, "{\"end\":%" PRIu64 ",\"rows\":[", machine_row_begin(&image->run, rows, changes));
    write_spans(to, &image->run, rows, setting_changes);
    fputs("]}", to);
    free(setting_changes);
    return true;
}

static uint32_t row_columns(const struct multistage *net)
{
    uint32_t columns = 0;
    for (unsigned stage = 0; stage < multistage_stages(net); stage++)
        columns += multistage_columns(net, stage);
    return columns;
}

uint64_t data_setting_words(const struct image *image)
{
    return machine_hops(&image->machine)
               ? 0
               : (uint64_t)row_columns(&image->machine.network) * image->run.rows;
}

/* Writes, for each lane after a stage, its switch and the other lane of the switch. */
static void write_switches(FILE *to, const struct multistage *net, unsigned stage)
{
    uint32_t sw;
    fputs(",\"switch\":[", to);
    for (uint32_t lane = 0; lane < net->ports; lane++)
        if (multistage_partner(net, stage, lane, &sw) != lane)
            fprintf(to, "%s%" PRIu32, comma(lane), sw);
        else
            fprintf(to, "%s-1", comma(lane));
    fputs("],\"partner\":[", to);
    for (uint32_t lane = 0; lane < net->ports; lane++)
        fprintf(to, "%s%" PRIu32, comma(lane), multistage_partner(net, stage, lane, &sw));
    fputc(']', to);
}

static void write_crossbars(FILE *to, const struct multistage *net, unsigned stage)
{
    struct multistage_crossbars bars = multistage_crossbars(net, stage);
    fprintf(to, ",\"inputs\":%" PRIu32 ",\"outputs\":%" PRIu32 ",\"stride\":%" PRIu32, bars.inputs,
            bars.outputs, bars.stride);
}

static void write_stages(FILE *to, const struct multistage *net)
{
    fputs("\"stages\":[", to);
    for (unsigned stage = 0; stage < multistage_stages(net); stage++) {
        fprintf(to, "%s\n{\"lanes\":%" PRIu32 ",\"columns\":%" PRIu32 ",\"bits\":%u", comma(stage),
                multistage_lanes(net, stage + 1), multistage_columns(net, stage),
                multistage_field_bits(net, stage));
        if (multistage_has_crossbars(net))
            write_crossbars(to, net, stage);
        else
            write_switches(to, net, stage);
        fputc('}', to);
    }
    fputs("],\n", to);
}

/* Writes bytes in base64: three bytes are four letters. */
static void write_base64(FILE *to, const uint8_t byte[], size_t count)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t at = 0; at < count; at += 3) {
        uint32_t group = 0;
        for (size_t k = 0; k < 3; k++)
            group = group << 8 | (at + k < count ? byte[at + k] : 0);
        for (size_t k = 0; k < 4; k++)
            fputc(at + k > count ? '=' : letters[group >> (18 - 6 * k) & 63], to);
    }
}

static void write_row(FILE *to, const struct unpacked *unpacked, uint8_t byte[])
{
    const struct multistage *net = &unpacked->machine.network;
    size_t count = 0;
    for (unsigned stage = 0; stage < multistage_stages(net); stage++)
        for (uint32_t column = 0; column < multistage_columns(net, stage); column++) {
            uint32_t word = unpacked->setting[stage * multistage_row_words(net) + column];
            for (unsigned k = 0; k < 4; k++)
                byte[count++] = (uint8_t)(word >> 8 * k);
        }
    fputc('"', to);
    write_base64(to, byte, count);
    fputc('"', to);
}

bool data_network(FILE *to, const struct image *image, struct err *err)
{
    const struct multistage *net = &image->machine.network;
    struct unpacked unpacked;
    uint8_t *byte = malloc((size_t)row_columns(net) * 4);
    if (byte == NULL)
        return err_no_memory(err, "a row of settings");
    bool made = unpack_image(image, &unpacked, err);
    if (made) {
        fprintf(to, "{\"copies\":%s,\"combining\":%u,\"rows\":%" PRIu32 ",\"ports\":%" PRIu32 ",",
                multistage_copies(net) ? "true" : "false", multistage_combining(net),
                image->run.rows, net->ports);
        write_stages(to, net);
        fputs("\"settings\":[", to);
        for (uint32_t row = 0; row < image->run.rows; row++) {
            unpack_row(&unpacked, row);
            fprintf(to, "%s\n", comma(row));
            write_row(to, &unpacked, byte);
        }
        fputs("]}", to);
        unpack_free(&unpacked);
    }
    free(byte);
    return made;
}
