/* SPDX-License-Identifier: Apache-2.0 */
/* Images: made of schedules or requests, and read from folders. */
#include "lib/inside.h"
#include "lib/run.h"
#include "lib/tables.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"
#include "sched/request/machine_request.h"
#include "sched/verify/verify.h"

#include <stdlib.h>

/* Returns a handle that owns the bundle; NULL with E104, and then the bundle has been freed. */
static struct roundcast_image *wrap(struct bundle *bundle, struct err *err)
{
    struct roundcast_image *image = malloc(sizeof *image);
    if (image == NULL) {
        err_no_memory(err, "an image");
        bundle_free(bundle);
        return NULL;
    }
    image->bundle = *bundle;
    return image;
}

/* Compiling may change a schedule (compile_schedule): the bundle gets a copy. */
static bool route(const struct roundcast_schedule *schedule, const struct compile_request *request,
                  struct bundle *bundle, struct err *err)
{
    struct verify_report verified;
    struct machine machine;
    struct split_report split;
    bool routed = verify_schedule(schedule->name, &schedule->schedule, &verified, err) &&
                  inside_copy(&schedule->schedule, schedule->name, &bundle->schedule, err) &&
                  compile_machine_of(request, &bundle->schedule, &machine, &bundle->payload, err) &&
                  compile_rewrite(request, &machine, &bundle->schedule, &split, err) &&
                  compile_schedule(request, &bundle->schedule, &bundle->payload, &machine,
                                   &bundle->image, err);
    if (!routed)
        bundle_free(bundle);
    return routed;
}

/* Takes the members that routing needs: the machine, and the price of a change of settings. */
static bool machine_of(const struct roundcast_request *from, struct compile_request *compile,
                       struct err *err)
{
    struct request asked;
    if (!inside_request(from, INSIDE_MACHINE, &asked, err))
        return false;
    asked.problem.reconfigure = from->reconfigure;
    asked.problem.clock = from->clock;
    return machine_request(&asked, compile, err);
}

struct roundcast_image *roundcast_route(const struct roundcast_schedule *schedule,
                                        const struct roundcast_request *request,
                                        struct roundcast_error *error)
{
    struct err err = {0};
    struct compile_request compile;
    struct bundle bundle = {0};
    bool routed = machine_of(request, &compile, &err) && route(schedule, &compile, &bundle, &err);
    struct roundcast_image *image = routed ? wrap(&bundle, &err) : NULL;
    if (image == NULL)
        inside_fail(&err, error);
    return image;
}

struct roundcast_image *roundcast_compile(const struct roundcast_request *request,
                                          struct roundcast_error *error)
{
    struct err err = {0};
    struct request asked;
    struct run_report report = {0};
    struct roundcast_image *image = NULL;
    if (inside_request(request, INSIDE_PROBLEM | INSIDE_MACHINE, &asked, &err) &&
        run_compile(&asked, &report, &err))
        image = wrap(&report.bundle, &err);
    else
        run_report_free(&report);
    if (image == NULL)
        inside_fail(&err, error);
    return image;
}

struct roundcast_schedule *roundcast_image_schedule(const struct roundcast_image *image,
                                                    struct roundcast_error *error)
{
    const struct schedule *from = &image->bundle.schedule;
    struct err err = {0};
    struct schedule copy = {0};
    struct roundcast_schedule *schedule = inside_copy(from, from->algorithm, &copy, &err)
                                              ? inside_wrap(&copy, from->algorithm, &err)
                                              : NULL;
    if (schedule == NULL)
        inside_fail(&err, error);
    return schedule;
}

bool roundcast_image_write(const struct roundcast_image *image, const char *folder,
                           struct roundcast_error *error)
{
    struct err err = {0};
    return bundle_write(folder, &image->bundle, &err) || inside_fail(&err, error);
}

struct roundcast_image *roundcast_image_read(const char *folder, struct roundcast_error *error)
{
    struct err err = {0};
    struct bundle bundle;
    struct roundcast_image *image =
        bundle_read(folder, NULL, &bundle, &err) ? wrap(&bundle, &err) : NULL;
    if (image == NULL)
        inside_fail(&err, error);
    return image;
}

struct roundcast_image_info roundcast_image_describe(const struct roundcast_image *image)
{
    const struct machine *machine = &image->bundle.image.machine;
    const struct run *run = &image->bundle.image.run;
    const bool hops = machine_hops(machine);
    struct roundcast_image_info info = {.ports = machine_ports(machine),
                                        .stages = machine_stages(machine),
                                        .routers = hops ? machine_routers(machine) : 0,
                                        .latency = machine_latency(machine),
                                        .rows = run->rows,
                                        .row_cycles = run->row_cycles,
                                        .flits = run->flits,
                                        .width = machine->width,
                                        .words = image->bundle.image.count};
    _Static_assert(sizeof info.network == MACHINE_NETWORK_TEXT, "any name fits");
    machine_network_text(machine, info.network);
    struct table_row row[TABLE_ROWS];
    if (hops)
        return info;
    tables_measure(&image->bundle.image, image->bundle.schedule.nodes, row);
    tables_sum(row, &info.full_bits, &info.table_bits);
    return info;
}

void roundcast_image_free(struct roundcast_image *image)
{
    if (image == NULL)
        return;
    bundle_free(&image->bundle);
    free(image);
}
