/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include "cli/manual.h"
#include "cli/options_explain.h"
#include "cli/options_keys.h"

#include <stdio.h>
#include <string.h>

static error_t parse_common(int key, char *argument, struct argp_state *state)
{
    struct options_common *common = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = common->err;
        return 0;
    case 'h':
        common->help = true;
        return 0;
    case KEY_JSON:
        common->json = true;
        return 0;
    case KEY_MANUAL:
        common->manual = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option common_options[] = {
    {"json", KEY_JSON, NULL, 0, "report as JSON", -1},
    {"help", 'h', NULL, 0, "this text", -1},
    {"manual", KEY_MANUAL, "FORM", OPTION_HIDDEN, NULL, -1},
    {0},
};

static const struct argp_child common_children[] = {{&options_explain_argp, 0, NULL, 0}, {0}};

const struct argp options_common_argp = {
    .options = common_options, .parser = parse_common, .children = common_children};

enum options_outcome options_parse(const struct argp *argp, int argc, char **argv, void *input,
                                   struct options_common *common)
{
    if (argp_parse(argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_ERRS | ARGP_NO_HELP, NULL, input) != 0)
        return OPTIONS_REFUSED;
    if (common->manual != NULL)
        return manual_command(argp, argv[0], common->manual, common->err) ? OPTIONS_HELPED
                                                                          : OPTIONS_REFUSED;
    if (!common->help)
        return OPTIONS_PARSED;
    char name[64];
    snprintf(name, sizeof name, "roundcast %s", argv[0]);
    argp_help(argp, stdout, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, name);
    return OPTIONS_HELPED;
}

bool options_check_output(const struct options_common *common, const char *output, const char *what,
                          enum output_kind kind)
{
    if (output == NULL)
        return true;
    if (common->json && strcmp(output, "-") == 0)
        return err_set(common->err, ERR_OPTION,
                       "--json: standard output carries the %s; expected -o FILE with it", what);
    return output_check("-o", output, kind, common->err);
}
