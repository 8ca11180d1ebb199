/* SPDX-License-Identifier: Apache-2.0 */
/* unpack: read an image back and print the schedule that it runs, or the circuits of a round. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "lib/unpack_text.h"
#include "sched/base/files.h"
#include "sched/machine/machine_run.h"
#include "testbench/engine/path.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct unpack_options {
    struct options common;
    uint32_t round; /* 0: all */
    const char *path;
};

static const struct field own[] = {
    {"round", 'r', "ROUND", "print only this round (default: all)", FIELD_OUTPUT, FIELD_NUMBER,
     offsetof(struct unpack_options, round), 1, UINT32_MAX},
};

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
    char text[UNPACK_ROW_TEXT];
    unpack_row_text(unpacked, row, text);
    if (machine_streams(&unpacked->machine, &unpacked->run))
        return json_pack("{s:s, s:o}", "time", text + strlen("time "), "circuits", circuits);
    return json_pack("{s:I, s:o}", "round", (json_int_t)row + 1, "circuits", circuits);
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
        uint32_t count = unpack_row_circuits(unpacked, row, circuit);
        if (rounds != NULL)
            report_json_append(rounds, row_json(unpacked, row, circuit, count));
        else
            unpack_print_row(stdout, unpacked, row, circuit, count);
    }
    free(circuit);
    return true;
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
                              : unpack_print_schedule(stdout, "standard output", unpacked, err);
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
