/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options_mpi.h"

#include "cli/options_keys.h"

#include <string.h>

static const char *const orders[] = {"rounds", "dependency"};

const char *options_mpi_order(const struct options_mpi *options)
{
    return orders[options->by_dependency];
}

static bool parse_order(const char *text, struct options_mpi *options)
{
    unsigned which;
    if (!options_choice("--order", text, orders, 2, &which, options->common.err))
        return false;
    options->by_dependency = which == 1;
    return true;
}

/* "1,1024": numbers with commas between them. */
static bool parse_sizes(const char *text, struct options_mpi *options)
{
    options->sizes = text;
    options->byte_count = 0;
    for (const char *from = text, *end; from != NULL; from = *end != '\0' ? end + 1 : NULL) {
        char number[24];
        end = from + strcspn(from, ",");
        if (options->byte_count == OPTIONS_MPI_SIZES)
            return err_set(options->common.err, ERR_RANGE,
                           "--bytes: '%.40s' has more than %d sizes; expected fewer", text,
                           OPTIONS_MPI_SIZES);
        snprintf(number, sizeof number, "%.*s", (int)(end - from), from);
        uint64_t bytes;
        if (!options_bytes("--bytes", number, 1, OPTIONS_MPI_BYTES, &bytes, options->common.err))
            return false;
        options->bytes[options->byte_count++] = (uint32_t)bytes;
    }
    return true;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options_mpi *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->common;
        return 0;
    case KEY_ORDER:
        return options_refuse(parse_order(argument, options));
    case KEY_PACKET_SIZES:
        return options_refuse(parse_sizes(argument, options));
    case KEY_REPEAT:
        return options_refuse(options_number32("--repeat", argument, 1, UINT32_C(1000000),
                                               &options->repeat, options->common.err));
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
    *options = (struct options_mpi){.common.err = err, .repeat = 10};
    parse_sizes("1,64,4096,65536", options);
    enum options_outcome outcome = options_parse(&argp, argc, argv, options, &options->common);
    if (outcome == OPTIONS_PARSED && options->path == NULL) {
        err_set(err, ERR_OPTION, "mpi: no file; expected a schedule, or - for standard input");
        return OPTIONS_REFUSED;
    }
    return outcome;
}
