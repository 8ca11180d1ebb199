#include "maps.h"

#include "route_rows.h"

#include <inttypes.h>
#include <stdlib.h>

void maps_free(struct maps *maps)
{
    free(maps->index);
    free(maps->part);
    *maps = (struct maps){0};
}

static bool no_memory(struct err *err)
{
    return err_set(err, ERR_TOO_BIG, "route: no memory for affine maps; expected a shorter schedule");
}

/* Room for one more, of which nothing is known. */
static bool add_map(struct maps *maps, const struct multistage *net, struct err *err)
{
    if (maps->count == maps->room) {
        uint32_t room = maps->room ? 2 * maps->room : 8;
        struct affine_part *part = realloc(maps->part, room * sizeof *part);
        if (part == NULL)
            return no_memory(err);
        maps->part = part;
        maps->room = room;
    }
    maps->part[maps->count++] = affine_begin(net);
    return true;
}

static bool place_row(struct maps *maps, const struct multistage *net, const uint32_t to[],
                      const struct route_rows *rows, struct err *err)
{
    uint32_t which = 0;
    while (which < maps->count && !affine_join(&maps->part[which], to))
        which++;
    maps->index[rows->row - 1] = which;
    if (which < maps->count)
        return true;
    if (!add_map(maps, net, err))
        return false;
    if (affine_join(&maps->part[which], to))
        return true;
    char time[SCHEDULE_TIME_TEXT];
    route_rows_name(rows, time);
    return err_set(err, ERR_IRREGULAR,
                   "%s: --settings: no affine map of the bits of the %" PRIu32
                   " ports' numbers; expected one, or --settings indexed",
                   time, rows->ports);
}

bool maps_find(const struct schedule *schedule, const struct machine *machine, struct maps *maps,
               struct err *err)
{
    struct route_rows rows = route_rows_begin(schedule, machine);
    *maps = (struct maps){0};
    if (!machine_check_settings(machine, err))
        return false;
    *maps = (struct maps){.index = calloc((size_t)rows.rows + 1, sizeof *maps->index)};
    uint32_t *to = malloc(rows.ports * sizeof *to);
    bool found = maps->index != NULL && to != NULL;
    found = found || no_memory(err);
    while (found && rows.row < rows.rows) {
        found = route_rows_next(&rows, to, err);
        if (found && !rows.changed)
            maps->index[rows.row - 1] = maps->index[rows.row - 2];
        else if (found && !rows.idle)
            found = place_row(maps, &machine->network, to, &rows, err);
    }
    free(to);
    if (!found)
        maps_free(maps);
    return found;
}
