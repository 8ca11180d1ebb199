/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options_mpi.h"

#include "cli/options_keys.h"

/* Reads the option of the field with this name. */
static bool parse_field(const char *name, const char *text, struct options_mpi *options)
{
    return field_parse(field_find(mpi_fields, mpi_field_count, name), &options->request, text,
                       options->common.err);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options_mpi *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->common;
        return 0;
    case KEY_ORDER:
        return options_refuse(parse_field("order", argument, options));
    case KEY_PACKET_SIZES:
        return options_refuse(parse_field("bytes", argument, options));
    case KEY_REPEAT:
        return options_refuse(parse_field("repeat", argument, options));
    case ARGP_KEY_ARG:
        return options_argument("file", argument, &options->path, options->common.err);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

enum options_outcome options_mpi_parse(int argc, char **argv, struct options_mpi *options,
                                       struct err *err)
{
    static const struct argp_child children[] = {{&options_common_argp, 0, NULL, 0}, {0}};
    static const struct argp_option own[] = {
        {"order", KEY_ORDER, "rounds|dependency", 0,
         "what a sending waits for: all of earlier rounds (rounds), or its packet alone", 1},
        {"bytes", KEY_PACKET_SIZES, "B,B,...", 0, "of a packet (1,64,4096,65536)", 1},
        {"repeat", KEY_REPEAT, "R", 0, "executions of each size (10)", 1},
        {0}};
    static const struct argp argp = {
        .options = own,
        .parser = parse,
        .children = children,
        .args_doc = "FILE",
        .doc = "Execute a schedule by ranks of MPI, one for each node, check every byte, and time "
               "it beside the same collective of the library."};
    *options = (struct options_mpi){.common.err = err, .request = mpi_request_default()};
    enum options_outcome outcome = options_parse(&argp, argc, argv, options, &options->common);
    if (outcome == OPTIONS_PARSED && options->path == NULL) {
        err_set(err, ERR_OPTION, "mpi: no file; expected a schedule, or - for standard input");
        return OPTIONS_REFUSED;
    }
    return outcome;
}
