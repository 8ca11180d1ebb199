/* SPDX-License-Identifier: Apache-2.0 */
/* route_rows: the circuits of a schedule on a multistage network, row by row.
 *
 * A row's circuits are those of the packets under way: of the steps that began in it or in the rows
 * before it that a packet takes. They are what network_route takes: where each port sends or, in a
 * network that copies, where each receives from.
 */
#ifndef ROUNDCAST_ROUTE_ROWS_H
#define ROUNDCAST_ROUTE_ROWS_H

#include "sched/machine/machine.h"
#include "sched/schedule/schedule.h"

struct route_rows {
    const struct schedule *schedule;
    uint32_t ports, packet_rows;
    bool copies;       /* multistage_copies */
    uint32_t rows;     /* how many rows there are */
    uint32_t row;      /* the next */
    size_t first, end; /* the steps that are under way */
    bool changed;      /* the row's circuits are others than those of the row before */
    bool idle;         /* it has none */
    bool held; /* it is the first of several that hold one setting, whose circuits are asked */
};

/* Precondition: a schedule that fits the machine. */
struct route_rows route_rows_begin(const struct schedule *schedule, const struct machine *machine);

/* The circuits of the next row, circuit[ports], MULTISTAGE_IDLE where there is none; they are
 * written only if they have changed. False behind the last row, and with E403 if a node sends twice
 * or, of a network that copies, receives twice. O(ports) for a row that has changed. */
bool route_rows_next(struct route_rows *rows, uint32_t circuit[], struct err *err);

/* The circuits of the steps first … end - 1, circuit[ports]. Returns a port that has two, of which
 * the later ones are left out; MULTISTAGE_IDLE if there is none. O(ports + transfers). */
uint32_t route_rows_circuits(const struct schedule *schedule, size_t first, size_t end,
                             uint32_t ports, bool copies, uint32_t circuit[]);

/* Numbers a row that has circuits, by a look at circuit[ports]. False if it cannot. */
typedef bool route_rows_number(void *self, const struct route_rows *row, const uint32_t circuit[],
                               uint32_t *number, struct err *err);

/* The numbers of all rows, number[schedule->end]. `give` is asked row by row, but a row with the
 * circuits of the one before shares its number, and a row without circuits has 0. Errors: those of
 * route_rows_next and of `give`; E104. O(rows · ports) and what `give` does. */
bool route_rows_numbers(const struct schedule *schedule, const struct machine *machine,
                        route_rows_number *give, void *self, uint32_t number[], struct err *err);

#define ROUTE_ROWS_NAME (SCHEDULE_TIME_TEXT + 24)

/* How a row is called in a message: "round 3", or "setting from round 3 on". */
void route_rows_name(const struct route_rows *rows, char name[ROUTE_ROWS_NAME]);

#endif
