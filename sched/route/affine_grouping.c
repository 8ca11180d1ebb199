/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/affine_grouping.h"

#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>

void affine_grouping_free(struct affine_grouping *maps)
{
    free(maps->index);
    free(maps->part);
    *maps = (struct affine_grouping){0};
}

static bool no_memory(struct err *err)
{
    return err_no_memory(err, "affine maps");
}

/* Room for one more, of which nothing is known. */
static bool add_map(struct affine_grouping *maps, uint32_t ports, struct err *err)
{
    if (maps->count == maps->room) {
        uint32_t room = maps->room ? 2 * maps->room : 8;
        struct affine_part *part = realloc(maps->part, room * sizeof *part);
        if (part == NULL)
            return no_memory(err);
        maps->part = part;
        maps->room = room;
    }
    const struct multistage net = multistage_benes(ports);
    maps->part[maps->count++] = affine_begin(&net);
    return true;
}

static bool place_row(void *self, const struct route_rows *rows, const uint32_t to[],
                      uint32_t *which, struct err *err)
{
    struct affine_grouping *maps = self;
    while (*which < maps->count && !affine_join(&maps->part[*which], to))
        ++*which;
    if (*which < maps->count)
        return true;
    if (!add_map(maps, rows->ports, err))
        return false;
    if (affine_join(&maps->part[*which], to))
        return true;
    char time[ROUTE_ROWS_NAME];
    route_rows_name(rows, time);
    return err_set(err, ERR_IRREGULAR,
                   "%s: --settings: no affine map of the bits of the %" PRIu32
                   " port%s' numbers; expected one, or --settings indexed",
                   time, rows->ports, text_s(rows->ports));
}

bool affine_grouping_find(const struct schedule *schedule, const struct machine *machine,
                          const struct settings *held, struct affine_grouping *maps,
                          struct err *err)
{
    *maps = (struct affine_grouping){0};
    if (!machine_check_settings(machine, err))
        return false;
    maps->index = calloc((size_t)schedule->end + 1, sizeof *maps->index);
    bool found = maps->index != NULL || no_memory(err);
    found = found && settings_numbers(schedule, machine, held, place_row, maps, maps->index, err);
    if (!found)
        affine_grouping_free(maps);
    return found;
}
