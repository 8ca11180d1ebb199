/* SPDX-License-Identifier: Apache-2.0 */
/* simulate: runs an image on engines and checks every arrival. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/run.h"

#include <sys/stat.h>

static bool check(const struct options *options, const char **folder, struct roundcast_error *err)
{
    const char *page = options->request.view;
    if (!options_one_argument(options, "folder", folder, err) ||
        !roundcast_check_run(&options->request, err))
        return false;
    if (*folder == NULL)
        return roundcast_error_set(
            err, ROUNDCAST_E_OPTION,
            "simulate: no folder; expected one that 'roundcast route' wrote");
    struct stat status;
    if (stat(*folder, &status) == 0 && !S_ISDIR(status.st_mode))
        return roundcast_error_set(
            err, ROUNDCAST_E_OPTION,
            "%.60s: is a file; expected a folder, which 'roundcast route %.60s -o DIR' "
            "writes",
            *folder, *folder);
    return page == NULL || output_check("view", page, OUTPUT_PAGE, err);
}

static bool run(int argc, char **argv, struct roundcast_error *err)
{
    struct options options;
    const char *folder = NULL;
    enum options_outcome outcome =
        options_parse(&command_simulate, argc, argv, &options, NULL, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    const struct roundcast_request *request = &options.request;
    struct roundcast_image *image = check(&options, &folder, err)
                                        ? roundcast_image_read_with(folder, request->payload, err)
                                        : NULL;
    if (image == NULL)
        return false;
    bool holds = run_report_print(image, request, options.json, stdout, err);
    roundcast_image_free(image);
    return holds;
}

const struct command command_simulate = {
    .name = "simulate",
    .arguments = "DIR [options]",
    .summary = "run an image and check every arrival",
    .usage = "DIR",
    .text = "Run the image in a folder that 'roundcast route' wrote, and check every arrival.",
    .examples = "roundcast simulate b --engine csim\nroundcast simulate b --waves b.fst",
    .request = ROUNDCAST_FOR_SIMULATE,
    .run = run,
};
