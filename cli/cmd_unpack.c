/* SPDX-License-Identifier: Apache-2.0 */
/* unpack: reads an image back and prints the schedule that it runs, or the circuits of a round. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"

struct unpack_options {
    struct options common;
    uint32_t round; /* 0: all */
    const char *path;
};

static const struct roundcast_field own[] = {
    {"round", 'r', "ROUND", "print only this round (default: all)", ROUNDCAST_FIELD_OUTPUT,
     ROUNDCAST_FIELD_NUMBER, offsetof(struct unpack_options, round), 1, UINT32_MAX},
};

static json_t *circuit_json(const struct roundcast_circuit *circuit)
{
    json_t *destination = circuit->destination == UINT32_MAX
                              ? json_null()
                              : json_integer((json_int_t)circuit->destination);
    json_t *object = json_pack("{s:I, s:o, s:I, s:I}", "source", (json_int_t)circuit->source,
                               "destination", destination, "sent", (json_int_t)circuit->sent,
                               "received", (json_int_t)circuit->received);
    if (!circuit->held)
        roundcast_json_set(&object, "held", json_false());
    return object;
}

/* The rounds of an image as JSON, in the order of its rows. */
struct rounds {
    const struct roundcast_image_info *info;
    json_t *round;    /* an array */
    json_t *circuits; /* of the last round; borrowed from it */
    uint32_t next;    /* row of the next round */
};

/* Adds the next row, without circuits. */
static void add_round(struct rounds *rounds)
{
    char time[ROUNDCAST_TIME_TEXT];
    const uint32_t row = rounds->next++;
    rounds->circuits = json_array();
    json_t *circuits = rounds->circuits;
    json_t *round =
        rounds->info->times
            ? json_pack("{s:s, s:o}", "time", roundcast_time_text(row, rounds->info->ticks, time),
                        "circuits", circuits)
            : json_pack("{s:I, s:o}", "round", (json_int_t)row + 1, "circuits", circuits);
    roundcast_json_append(&rounds->round, round);
}

static bool add_circuit(void *with, const struct roundcast_circuit *circuit)
{
    struct rounds *rounds = with;
    while (rounds->next <= circuit->row)
        add_round(rounds);
    if (rounds->round != NULL &&
        json_array_append_new(rounds->circuits, circuit_json(circuit)) != 0)
        roundcast_json_append(&rounds->round, NULL);
    return rounds->round != NULL;
}

static bool print_json(const struct roundcast_image *image, uint32_t round,
                       struct roundcast_error *err)
{
    const struct roundcast_image_info info = roundcast_image_describe(image);
    struct rounds rounds = {.info = &info, .round = json_array()};
    rounds.next = round > 0 ? round - 1 : 0;
    bool read = round > 0 ? roundcast_round_circuits(image, round, add_circuit, &rounds, err)
                          : roundcast_each_circuit(image, add_circuit, &rounds, err);
    while (read && rounds.next < (round > 0 ? round : info.rows))
        add_round(&rounds);
    if (read)
        return roundcast_json_print(stdout, rounds.round, err);
    json_decref(rounds.round);
    return false;
}

static bool unpack(const struct unpack_options *options, struct roundcast_error *err)
{
    struct roundcast_image *image = roundcast_image_read_tables(options->path, err);
    if (image == NULL)
        return false;
    bool printed = options->common.json ? print_json(image, options->round, err)
                                        : roundcast_unpack_write(image, options->round, "-", err);
    roundcast_image_free(image);
    return printed;
}

static bool run(int argc, char **argv, struct roundcast_error *err)
{
    struct unpack_options options = {0};
    enum options_outcome outcome =
        options_parse(&command_unpack, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (!options_one_argument(&options.common, "image", &options.path, err))
        return false;
    if (options.path == NULL)
        return roundcast_error_set(
            err, ROUNDCAST_E_OPTION,
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
