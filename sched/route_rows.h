/* route_rows: the circuits of a schedule on a multistage network, row by row.
 *
 * A row's circuits are those of the packets under way: of the steps that began in it or in the rows before it that a
 * packet takes.
 */
#ifndef ROUNDCAST_ROUTE_ROWS_H
#define ROUNDCAST_ROUTE_ROWS_H

#include "machine.h"
#include "schedule.h"

struct route_rows {
    const struct schedule *schedule;
    uint32_t ports, packet_rows;
    uint32_t rows;     /* how many rows there are */
    uint32_t row;      /* the next */
    size_t first, end; /* the steps that are under way */
    bool changed;      /* the row's circuits are others than those of the row before */
    bool idle;         /* it has none */
};

/* Precondition: a schedule that fits the machine. */
struct route_rows route_rows_begin(const struct schedule *schedule, const struct machine *machine);

/* The circuits of the next row, to[ports], MULTISTAGE_IDLE where nothing is sent; they are written only if they have
 * changed. False behind the last row, and with E403 if a node sends twice. O(ports) for a row that has changed. */
bool route_rows_next(struct route_rows *rows, uint32_t to[], struct err *err);

/* The circuits of the steps first … end - 1, to[ports]. Returns a node that sends twice, whose later circuits are left out;
 * MULTISTAGE_IDLE if there is none. O(ports + transfers). */
uint32_t route_rows_circuits(const struct schedule *schedule, size_t first, size_t end, uint32_t ports,
                             uint32_t to[]);

/* How a row is called in a message: "round 3". */
void route_rows_name(const struct route_rows *rows, char time[SCHEDULE_TIME_TEXT]);

#endif
