/* SPDX-License-Identifier: Apache-2.0 */
/* options: what commands share of reading their options with argp.
 *
 * argp's own messages and exits are switched off; whatever is wrong becomes our `struct err`. A
 * command's argp has options_common_argp among its children, its input begins with the values of
 * these:
 *
 *     struct my_options {
 *         struct options_common common;          first
 *         struct options_collective collective;  where wanted, as others of options_*.h
 *         …
 *     };
 *     parser, at ARGP_KEY_INIT:
 *         state->child_inputs[0] = &options->common;
 *         state->child_inputs[1] = &options->collective;
 *
 * A parser reports what is wrong with options_refuse(err_set(…)).
 */
#ifndef ROUNDCAST_OPTIONS_H
#define ROUNDCAST_OPTIONS_H

#include "cli/options_value.h"
#include "cli/output.h"

/* --help and --json, which every command has. */
struct options_common {
    struct err *err;
    bool help;
    bool json;
    const char *manual; /* a form of manual.h; NULL unless that is asked for */
};

extern const struct argp options_common_argp;

enum options_outcome {
    OPTIONS_PARSED,
    OPTIONS_HELPED, /* the help has been printed: nothing is left to do */
    OPTIONS_REFUSED /* err is set */
};

/* Parse a command's options. `input` is the command's options, `common` (with err set by the
 * caller) the part that options_common_argp fills. Errors: E101, E102, and what the parsers set. */
enum options_outcome options_parse(const struct argp *argp, int argc, char **argv, void *input,
                                   struct options_common *common);

/* Standard output, "-", carries a command's file, which messages call `what`, or its report: E101
 * for both. E101 also for a name or a terminal that does not go with the kind (output.h). `output`
 * may be NULL, no file. */
bool options_check_output(const struct options_common *common, const char *output, const char *what,
                          enum output_kind kind);

#endif
