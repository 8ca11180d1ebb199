/* SPDX-License-Identifier: Apache-2.0 */
/* sweep: runs the points of a study, prints their rows as CSV and writes a page of one of them.
 *
 *     cc sweep.c $(pkg-config --cflags --libs roundcast) -o sweep
 *     ./sweep STUDY DATABASE PAGE
 */
#include <inttypes.h>
#include <roundcast.h>
#include <stdio.h>

static bool print_point(void *with, uint64_t number, const char *command)
{
    (void)with;
    printf("%" PRIu64 "  %s\n", number, command);
    return true;
}

static bool run(const char *path, const char *database, struct roundcast_error *error)
{
    const struct roundcast_sweep_options options = {
        .version = ROUNDCAST_SWEEP_VERSION, .database = database, .jobs = 2};
    struct roundcast_sweep_report report;
    struct roundcast_study *study = roundcast_study_read(path, error);
    bool ran = study != NULL && roundcast_study_each(study, print_point, NULL, error) &&
               roundcast_sweep(study, &options, &report, error);
    if (ran)
        printf("%" PRIu64 " points, %" PRIu64 " run now, %" PRIu64 " failed\n", report.points,
               report.done, report.failed);
    roundcast_study_free(study);
    return ran;
}

static bool show(const char *page, struct roundcast_error *error)
{
    struct roundcast_request request;
    struct roundcast_report report;
    if (!roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, error))
        return false;
    request.algorithm = "matching";
    request.nodes = 8, request.packets = 2;
    request.engine = "csim";
    struct roundcast_image *image = roundcast_compile(&request, error);
    const struct roundcast_page run = {.image = image, .report = &report};
    bool shown = image != NULL && roundcast_simulate(image, &request, NULL, &report, error) &&
                 roundcast_page_write(page, &run, error);
    roundcast_image_free(image);
    return shown;
}

int main(int argc, char **argv)
{
    struct roundcast_error error = {0};
    if (argc != 4)
        return 2;
    roundcast_interrupt_begin();
    roundcast_threads(1); /* threads do not survive in the processes of a sweep */
    if (run(argv[1], argv[2], &error) && show(argv[3], &error))
        return 0;
    fprintf(stderr, "%s [E%d %s]\n", error.text, error.code, roundcast_error_name(error.code));
    return 1;
}
