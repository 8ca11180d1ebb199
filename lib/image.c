/* SPDX-License-Identifier: Apache-2.0 */
/* Images of the public library: made from schedules or requests, or read from folders. */
#include "lib/roundcast/image.h"
#include "lib/inside.h"
#include "lib/report/run.h"
#include "lib/tables.h"
#include "sched/base/arena.h"
#include "sched/base/err.h"
#include "sched/base/files.h"
#include "sched/bound/bound.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"
#include "sched/network/omega.h"
#include "sched/request/problem.h"
#include "sched/route/settings.h"
#include "sched/schedule/schedule.h"
#include "sched/shape/multistage.h"
#include "sched/verify/verify.h"
#include "testbench/engine/source.h"

#include <stdlib.h>
#include <sys/stat.h>

/* -- Rounds that an omega network passes ------------------------------------------------------- */

/* Reports which rounds of a schedule an omega network passes, and where it blocks the others. */

/* The state for examining rounds one after another. */
struct look {
    const struct schedule *schedule;
    const struct multistage *net;
    struct omega_router *router;
    struct omega_passes *passes;
    void *memory; /* of all arrays (arena.h) */
    uint32_t *to, *pass, *row;
};

static void close_look(struct look *look)
{
    omega_router_free(look->router);
    omega_passes_free(look->passes);
    free(look->memory);
}

static bool open_look(struct look *look, const struct schedule *schedule,
                      const struct multistage *net, struct err *err)
{
    *look = (struct look){.schedule = schedule, .net = net};
    const struct arena_array arrays[] = {
        ARENA(look->to, net->ports), ARENA(look->pass, net->ports),
        ARENA(look->row, (size_t)multistage_stages(net) * multistage_row_words(net))};
    look->memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (look->memory == NULL)
        return err_no_memory(err, "a round");
    look->router = omega_router_new(net, err);
    look->passes = look->router != NULL ? omega_passes_new(net, err) : NULL;
    return look->passes != NULL;
}

/* Routes one round and divides it into passes. A round of a legal schedule is a partial
 * permutation. */
static struct roundcast_round look_at(const struct look *look, size_t step)
{
    struct omega_conflict conflict;
    struct omega_passes_count count;
    route_rows_circuits(look->schedule, step, step + 1, look->net, look->to);
    bool passes = omega_route(look->router, look->to, look->row, &conflict, NULL);
    omega_passes_divide(look->passes, look->to, look->pass, &count, NULL);
    struct roundcast_round round = {.round = look->schedule->step[step].time,
                                    .passes = passes,
                                    .needed = count.passes,
                                    .least = count.bound};
    if (passes)
        return round;
    round.stage = conflict.stage;
    round.sw = conflict.sw;
    for (unsigned which = 0; which < 2; which++) {
        round.source[which] = conflict.source[which];
        round.destination[which] = conflict.destination[which];
    }
    return round;
}

/* Examines every round with transfers and calls routing->passing. Preconditions of split_schedule.
 * E104. O(rounds · ports · log ports). */
static bool passing_report(const struct schedule *schedule, const struct multistage *net,
                           const struct roundcast_routing *routing, struct err *err)
{
    struct look look;
    const size_t count = schedule->step_count;
    struct roundcast_round *round = calloc(count + 1, sizeof *round);
    bool looked =
        round != NULL ? open_look(&look, schedule, net, err) : err_no_memory(err, "the rounds");
    for (size_t step = 0; looked && step < count; step++)
        round[step] = look_at(&look, step);
    if (looked)
        routing->passing(routing->with, &(struct roundcast_passing){net->ports, count, round});
    if (round != NULL)
        close_look(&look);
    free(round);
    return looked;
}

/* Returns a handle that owns the bundle. Returns NULL with E104 after freeing the bundle. */
static struct roundcast_image *wrap(struct bundle *bundle, struct err *err)
{
    struct roundcast_image *image = malloc(sizeof *image);
    if (image == NULL) {
        err_no_memory(err, "an image");
        bundle_free(bundle);
        return NULL;
    }
    *image = (struct roundcast_image){.bundle = *bundle};
    return image;
}

/* Reports which rounds an omega network blocks, before the schedule is rejected for them. */
static bool report_passing(const struct schedule *schedule, const struct machine *machine,
                           const struct roundcast_routing *routing, struct err *err)
{
    if (routing == NULL || routing->passing == NULL || !multistage_blocks(&machine->network) ||
        !topology_joins_all(&schedule->topology) || model_has_times(schedule->model) ||
        schedule->nodes > machine_ports(machine))
        return true;
    return passing_report(schedule, &machine->network, routing, err);
}

/* Routes a copy of the schedule, which the bundle owns, because compiling may change a schedule
 * (compile_rewrite). */
static bool route(const struct roundcast_schedule *schedule, const struct compile_request *request,
                  struct roundcast_routing *routing, struct bundle *bundle, struct err *err)
{
    struct verify_report verified;
    struct machine machine;
    struct split_report split = {0};
    bool routed = verify_schedule(schedule->name, &schedule->schedule, &verified, err) &&
                  schedule_copy(&schedule->schedule, &bundle->schedule, err) &&
                  compile_machine_of(request, &bundle->schedule, &machine, &bundle->payload, err) &&
                  report_passing(&bundle->schedule, &machine, routing, err) &&
                  compile_rewrite(request, &machine, &bundle->schedule, &split, err) &&
                  compile_schedule(request, &bundle->schedule, &bundle->payload, &machine,
                                   &bundle->image, err);
    if (!routed)
        bundle_free(bundle);
    if (!routed || routing == NULL)
        return routed;
    routing->rounds_split = split.rounds_split;
    routing->rounds_added = split.rounds_added;
    routing->rounds_bound = split.rounds_bound;
    return true;
}

/* Converts the members that routing needs: the machine, and the cost of a change of settings. */
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

bool roundcast_check_machine(const struct roundcast_request *request, struct roundcast_error *error)
{
    struct err err = {0};
    struct compile_request compile;
    return machine_of(request, &compile, &err) || inside_fail(&err, error);
}

struct roundcast_image *roundcast_route_reported(const struct roundcast_schedule *schedule,
                                                 const struct roundcast_request *request,
                                                 struct roundcast_routing *routing,
                                                 struct roundcast_error *error)
{
    struct err err = {0};
    struct compile_request compile;
    struct bundle bundle = {0};
    bool routed =
        machine_of(request, &compile, &err) && route(schedule, &compile, routing, &bundle, &err);
    struct roundcast_image *image = routed ? wrap(&bundle, &err) : NULL;
    if (image == NULL)
        inside_fail(&err, error);
    return image;
}

struct roundcast_image *roundcast_route(const struct roundcast_schedule *schedule,
                                        const struct roundcast_request *request,
                                        struct roundcast_error *error)
{
    return roundcast_route_reported(schedule, request, NULL, error);
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
    if (image == NULL) {
        inside_fail(&err, error);
        return NULL;
    }
    image->has_seed = report.has_seed;
    image->seed = report.seed;
    return image;
}

bool inside_has_schedule(const struct roundcast_image *image, struct err *err)
{
    return image->bundle.schedule.algorithm != NULL ||
           err_set(err, ERR_UNSUPPORTED, "image: only its tables were read; expected a schedule");
}

struct roundcast_schedule *roundcast_image_schedule(const struct roundcast_image *image,
                                                    struct roundcast_error *error)
{
    const struct schedule *from = &image->bundle.schedule;
    struct err err = {0};
    struct schedule copy = {0};
    bool copied = inside_has_schedule(image, &err) && schedule_copy(from, &copy, &err);
    struct roundcast_schedule *schedule = copied ? inside_wrap(&copy, from->algorithm, &err) : NULL;
    if (schedule == NULL)
        inside_fail(&err, error);
    return schedule;
}

const char *roundcast_image_form(unsigned index)
{
    return index < IMAGE_FORMS ? image_form_rows[index].text : NULL;
}

bool roundcast_image_write_forms(const struct roundcast_image *image, const char *folder,
                                 unsigned forms, struct roundcast_error *error)
{
    struct err err = {0};
    struct bundle bundle = image->bundle;
    for (unsigned form = 0; form < IMAGE_FORMS; form++)
        bundle.form[form] = (forms & 1u << form) != 0;
    bool written = inside_has_schedule(image, &err) && bundle_write(folder, &bundle, &err);
    return written || inside_fail(&err, error);
}

bool roundcast_image_write(const struct roundcast_image *image, const char *folder,
                           struct roundcast_error *error)
{
    return roundcast_image_write_forms(image, folder, 0, error);
}

struct roundcast_image *roundcast_image_read_with(const char *folder, const char *payload,
                                                  struct roundcast_error *error)
{
    struct err err = {0};
    struct bundle bundle;
    struct roundcast_image *image =
        bundle_read(folder, payload, &bundle, &err) ? wrap(&bundle, &err) : NULL;
    if (image == NULL)
        inside_fail(&err, error);
    return image;
}

struct roundcast_image *roundcast_image_read(const char *folder, struct roundcast_error *error)
{
    return roundcast_image_read_with(folder, NULL, error);
}

/* Reads the tables from a file, or from image.hex in a folder that roundcast_image_write wrote. */
static bool read_tables(const char *path, struct image *image, struct err *err)
{
    struct stat status;
    char file[PATH_ROOM];
    bool folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    if (!path_print(file, err, "%s%s", path, folder ? "/image.hex" : ""))
        return false;
    FILE *from = files_open_input(file, err);
    if (from == NULL)
        return false;
    bool read = image_read(from, files_input_name(file), image, err);
    files_close_input(from);
    return read;
}

struct roundcast_image *roundcast_image_read_tables(const char *path, struct roundcast_error *error)
{
    struct err err = {0};
    struct bundle bundle = {0};
    struct roundcast_image *image =
        read_tables(path, &bundle.image, &err) ? wrap(&bundle, &err) : NULL;
    if (image == NULL)
        inside_fail(&err, error);
    return image;
}

/* --- descriptions --------------------------------------------------------------------------- */

const char *roundcast_image_machine(const struct roundcast_image *image,
                                    char text[ROUNDCAST_MACHINE_TEXT])
{
    _Static_assert(ROUNDCAST_MACHINE_TEXT == DESCRIBE_MACHINE_TEXT, "any description fits");
    return describe_machine(&image->bundle.image.machine, text);
}

bool roundcast_image_register(const struct roundcast_image *image, unsigned index,
                              struct roundcast_register *found)
{
    static const struct roundcast_register registers[] = {
#define REGISTER(name, text, number) {text, number, 0},
        MACHINE_REGISTER_TABLE(REGISTER)
#undef REGISTER
    };
    for (size_t k = 0; k < sizeof registers / sizeof *registers; k++) {
        uint32_t word;
        if (!machine_built_word(&image->bundle.image.machine, registers[k].number, &word) ||
            index-- > 0)
            continue;
        *found = registers[k];
        found->word = word;
        return true;
    }
    return false;
}

struct roundcast_schedule_info roundcast_image_schedule_info(const struct roundcast_image *image)
{
    return inside_describe(&image->bundle.schedule);
}

bool roundcast_image_bound(const struct roundcast_image *image, uint64_t *end)
{
    return inside_has_schedule(image, NULL) && bound_of_schedule(&image->bundle.schedule, end);
}

struct roundcast_image_info roundcast_image_describe(const struct roundcast_image *image)
{
    const struct machine *machine = &image->bundle.image.machine;
    const struct run *run = &image->bundle.image.run;
    const bool hops = machine_hops(machine);
    struct roundcast_image_info info = {
        .ports = machine_ports(machine),
        .stages = machine_stages(machine),
        .routers = hops ? machine_routers(machine) : 0,
        .latency = machine_latency(machine),
        .rows = run->rows,
        .row_cycles = run->row_cycles,
        .times = machine_streams(machine, run),
        .ticks = machine_packet_rows(run),
        .copies = !hops && multistage_copies(&machine->network),
        .combines = !hops && multistage_combines(&machine->network),
        .reconfigure = run->reconfigure,
        .combine = machine->combines ? machine_operator_name(run->operation) : NULL,
        .flits = run->flits,
        .width = machine->width,
        .field_bits = machine_field_bits(machine),
        .payload_bytes = image->bundle.payload.size,
        .words = image->bundle.image.count};
    _Static_assert(sizeof info.network == MACHINE_NETWORK_TEXT, "any name fits");
    machine_network_text(machine, info.network);
    _Static_assert(sizeof info.operators == MACHINE_OPERATORS_TEXT, "all operators fit");
    machine_operators_text(machine_built_operators(machine), info.operators);
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
