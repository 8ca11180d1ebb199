/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of an image that depend on its machine: tables, buffers of routers, classes of
 * rounds. */
#include "lib/inside.h"
#include "lib/roundcast/image.h"
#include "lib/tables.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/permutation_classes.h"
#include "sched/shape/wiring.h"
#include "sched/verify/buffers.h"

/* Checks that the image has a schedule and a multistage network; `what` names the result in the
 * message. */
static bool check_multistage(const struct roundcast_image *image, const char *what, struct err *err)
{
    return inside_has_schedule(image, err) &&
           (!machine_hops(&image->bundle.image.machine) ||
            err_set(err, ERR_UNSUPPORTED,
                    "image: a machine of routers has no %s; expected a multistage network", what));
}

bool roundcast_each_table(const struct roundcast_image *image,
                          bool (*visit)(void *with, const struct roundcast_table *table),
                          void *with, struct roundcast_error *error)
{
    struct err err = {0};
    struct table_row row[TABLE_ROWS];
    if (!check_multistage(image, "tables", &err))
        return inside_fail(&err, error);
    tables_measure(&image->bundle.image, image->bundle.schedule.nodes, row);
    bool more = true;
    for (unsigned which = 0; more && which < TABLE_ROWS; which++) {
        const struct roundcast_table table = {row[which].name, row[which].words, row[which].bits,
                                              row[which].used, row[which].full};
        if (row[which].full || row[which].used)
            more = visit(with, &table);
    }
    return true;
}

/* Measures the buffers. Only the routers of a tree hold waiting packets (buffers.h). */
static bool measure(const struct bundle *bundle, struct buffer_depth depth[TOPOLOGY_MAX_HEIGHT + 1],
                    struct router_needs *needs, struct err *err)
{
    const struct machine *machine = &bundle->image.machine;
    return (!topology_has_routers(&machine->topology) ||
            buffers_measure(&bundle->schedule, depth, err)) &&
           router_needs_on(machine, &bundle->schedule, needs, err);
}

bool roundcast_each_level(const struct roundcast_image *image,
                          bool (*visit)(void *with, const struct roundcast_level *level),
                          void *with, struct roundcast_error *error)
{
    struct err err = {0};
    const struct machine *machine = &image->bundle.image.machine;
    const struct topology *topology = &machine->topology;
    struct buffer_depth depth[TOPOLOGY_MAX_HEIGHT + 1] = {0};
    struct router_needs needs;
    bool known = inside_has_schedule(image, &err) &&
                 (machine_hops(machine) ||
                  err_set(&err, ERR_UNSUPPORTED,
                          "image: a multistage network has no routers; expected some")) &&
                 measure(&image->bundle, depth, &needs, &err);
    if (!known)
        return inside_fail(&err, error);
    bool more = true;
    for (unsigned level = 1; more && level <= topology->router_levels; level++) {
        const struct roundcast_level row = {.level = level,
                                            .routers = wiring_level_routers(topology, level),
                                            .ports = topology->router_ports[level],
                                            .has_wait = topology_has_routers(topology),
                                            .wait = depth[level].wait,
                                            .buffer_needs = needs.depth[level],
                                            .buffer_holds = machine->depth[level],
                                            .has_queue = machine_is_self_timed(machine),
                                            .queue_needs = needs.queue[level],
                                            .queue_holds = machine->queue[level]};
        more = visit(with, &row);
    }
    return true;
}

bool roundcast_each_class(const struct roundcast_image *image, uint32_t *rows,
                          bool (*visit)(void *with, const char *name, uint32_t count), void *with,
                          struct roundcast_error *error)
{
    static const char *const name[] = {
#define CLASS_TEXT(name, text) text,
        PERMUTATION_CLASSES_TABLE(CLASS_TEXT)
#undef CLASS_TEXT
    };
    struct err err = {0};
    const struct machine *machine = &image->bundle.image.machine;
    uint32_t count[PERMUTATION_CLASSES_COUNT];
    bool counted =
        check_multistage(image, "permutations", &err) &&
        ((!multistage_copies(&machine->network) && !multistage_combines(&machine->network)) ||
         err_set(&err, ERR_UNSUPPORTED,
                 "image: rounds of a network that copies or combines are no permutations; "
                 "expected another")) &&
        permutation_classes_count(&image->bundle.schedule, machine, count, rows, &err);
    bool more = counted;
    for (unsigned which = 0; more && which < PERMUTATION_CLASSES_COUNT; which++)
        more = visit(with, name[which], count[which]);
    return counted || inside_fail(&err, error);
}
