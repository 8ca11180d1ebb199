/* SPDX-License-Identifier: Apache-2.0 */
/* unpack: read an image back and print the schedule that it runs, or the circuits of a round. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "sched/base/files.h"
#include "sched/image/unpack.h"
#include "testbench/engine/path.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ROW_TEXT (RATIONAL_TEXT + 8)

struct unpack_options {
    struct options common;
    uint32_t round; /* 0: all */
    const char *path;
};

static const struct field own[] = {
    {"round", 'r', "ROUND", "print only this round (default: all)", FIELD_OUTPUT, FIELD_NUMBER,
     offsetof(struct unpack_options, round), 1, UINT32_MAX},
};

/* What a row is called: a run without barriers has times, in which a packet is shown where it
 * begins. */
static void row_text(const struct unpacked *unpacked, uint32_t row, char text[ROW_TEXT])
{
    char number[RATIONAL_TEXT];
    if (machine_streams(&unpacked->machine, &unpacked->run))
        snprintf(text, ROW_TEXT, "time %s",
                 rational_text(row, machine_packet_rows(&unpacked->run), number));
    else
        snprintf(text, ROW_TEXT, "round %" PRIu32, row + 1);
}

static void print_row(const struct unpacked *unpacked, uint32_t row, const struct circuit circuit[],
                      uint32_t count)
{
    char text[ROW_TEXT];
    row_text(unpacked, row, text);
    puts(text);
    for (uint32_t k = 0; k < count; k++) {
        if (circuit[k].destination == MULTISTAGE_NOWHERE) {
            printf("# node %" PRIu32 " sends packet %" PRIu32 " to nobody\n", circuit[k].source,
                   circuit[k].sent);
            continue;
        }
        printf("%" PRIu32 " %" PRIu32 " %" PRIu32, circuit[k].source, circuit[k].destination,
               circuit[k].sent);
        if (circuit[k].received == 0)
            printf("  # the receiver expects nothing");
        else if (circuit[k].received != circuit[k].sent)
            printf("  # the receiver takes it for packet %" PRIu32, circuit[k].received);
        putchar('\n');
    }
}

static json_t *circuit_json(const struct circuit *circuit)
{
    json_t *destination = circuit->destination == MULTISTAGE_NOWHERE
                              ? json_null()
                              : json_integer((json_int_t)circuit->destination);
    return json_pack("{s:I, s:o, s:I, s:I}", "source", (json_int_t)circuit->source, "destination",
                     destination, "sent", (json_int_t)circuit->sent, "received",
                     (json_int_t)circuit->received);
}

static json_t *row_json(const struct unpacked *unpacked, uint32_t row,
                        const struct circuit circuit[], uint32_t count)
{
    json_t *circuits = json_array();
    for (uint32_t k = 0; k < count; k++)
        report_json_append(&circuits, circuit_json(&circuit[k]));
    char text[ROW_TEXT];
    row_text(unpacked, row, text);
    if (machine_streams(&unpacked->machine, &unpacked->run))
        return json_pack("{s:s, s:o}", "time", text + strlen("time "), "circuits", circuits);
    return json_pack("{s:I, s:o}", "round", (json_int_t)row + 1, "circuits", circuits);
}

/* Those that were under way before are left out. */
static uint32_t drop_continuing(struct circuit circuit[], uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < count; k++)
        if (!circuit[k].continues)
            circuit[kept++] = circuit[k];
    return kept;
}

/* Each round, or one, as text or into the array. */
static bool print_rounds(const struct unpack_options *options, struct unpacked *unpacked,
                         json_t **rounds, struct err *err)
{
    struct circuit *circuit = malloc(unpack_most_circuits(unpacked) * sizeof *circuit);
    if (circuit == NULL)
        return err_no_memory(err, "a round");
    uint32_t first = options->round ? (uint32_t)options->round - 1 : 0;
    uint32_t end = options->round ? first + 1 : unpacked->run.rows;
    for (uint32_t row = first; row < end; row++) {
        unpack_row(unpacked, row);
        uint32_t count = drop_continuing(circuit, unpack_circuits(unpacked, circuit));
        if (rounds != NULL)
            report_json_append(rounds, row_json(unpacked, row, circuit, count));
        else if (count > 0 || options->round > 0)
            print_row(unpacked, row, circuit, count);
    }
    free(circuit);
    return true;
}

/* The whole schedule. */
static bool print_schedule(const struct unpack_options *options, struct unpacked *unpacked,
                           struct err *err)
{
    struct schedule head = {0};
    bool printed = unpack_demands(unpacked, &head, err) &&
                   schedule_write_head(stdout, "standard output", &head, err) &&
                   print_rounds(options, unpacked, NULL, err);
    char end[RATIONAL_TEXT];
    if (printed)
        printf("end %s\n", rational_text(head.end, head.lambda.denominator, end));
    schedule_free(&head);
    return printed;
}

static bool print(const struct unpack_options *options, struct unpacked *unpacked, struct err *err)
{
    if (options->round > 0 && machine_streams(&unpacked->machine, &unpacked->run))
        return err_set(err, ERR_OPTION, "{round}: the image has times; expected no {round}");
    if (options->round > unpacked->run.rows)
        return err_out_of_range(err, "round", options->round, 1, unpacked->run.rows);
    if (options->common.json) {
        json_t *rounds = json_array();
        if (print_rounds(options, unpacked, &rounds, err))
            return report_json(stdout, rounds, err);
        json_decref(rounds);
        return false;
    }
    return options->round > 0 ? print_rounds(options, unpacked, NULL, err)
                              : print_schedule(options, unpacked, err);
}

/* A folder that `roundcast route` wrote has its image in a file of this name. */
static bool find_image(const char *argument, char path[PATH_ROOM], struct err *err)
{
    struct stat status;
    bool folder = stat(argument, &status) == 0 && S_ISDIR(status.st_mode);
    return path_print(path, err, "%s%s", argument, folder ? "/image.hex" : "");
}

static bool unpack(const struct unpack_options *options, struct err *err)
{
    struct image image;
    struct unpacked unpacked;
    char path[PATH_ROOM];
    FILE *file = find_image(options->path, path, err) ? files_open_input(path, err) : NULL;
    if (file == NULL)
        return false;
    bool read = image_read(file, files_input_name(path), &image, err);
    files_close_input(file);
    if (!read)
        return false;
    bool printed = unpack_image(&image, &unpacked, err);
    if (printed) {
        printed = print(options, &unpacked, err);
        unpack_free(&unpacked);
    }
    image_free(&image);
    return printed;
}

static bool run(int argc, char **argv, struct err *err)
{
    struct unpack_options options = {0};
    enum options_outcome outcome =
        options_parse(&command_unpack, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (!options_one_argument(&options.common, "image", &options.path, err))
        return false;
    if (options.path == NULL)
        return err_set(err, ERR_OPTION,
                       "unpack: no image; expected DIR, DIR/image.hex, or - for standard input");
    return unpack(&options, err);
}

const struct command command_unpack = {
    .name = "unpack",
    .arguments = "IMAGE|DIR [--round R]",
    .summary = "read an image back as a schedule",
    .usage = "IMAGE|DIR",
    .text = "Follow every sender of an image through the switches and print the schedule that the "
            "machine will run.",
    .examples = "roundcast unpack b\nroundcast unpack b/image.hex --round 3",
    COMMAND_OWN(own),
    .run = run,
};
