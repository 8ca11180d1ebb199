/* SPDX-License-Identifier: Apache-2.0 */
/* settings: finds the circuits of a schedule's rows on a multistage network, and which rows can
 * share settings. */
#ifndef ROUNDCAST_SETTINGS_H
#define ROUNDCAST_SETTINGS_H

#include "sched/machine/machine.h"
#include "sched/schedule/schedule.h"

/* --- Rows --------------------------------------------------------------------------------- */

/* The circuits of a schedule on a multistage network, row by row.
 *
 * The circuits of a row are those of the packets under way: packets of the steps that began in this
 * row, or in an earlier row if they take several rows. They are in the form of network_route: the
 * destination of each port or, in a network that copies, its source, or the groups. */

struct route_rows {
    const struct schedule *schedule;
    const struct multistage *net;
    uint32_t circuits; /* multistage_circuits */
    uint32_t packet_rows;
    uint32_t rows;     /* number of rows */
    uint32_t row;      /* the next row */
    size_t first, end; /* steps whose packets are under way */
    bool changed;      /* the row's circuits differ from those of the row before */
    bool idle;         /* the row has no circuits */
    /* the row is the first of several that hold one setting, which is being numbered */
    bool reconfig;
};

/* Begins before the first row. Precondition: a schedule that fits the machine. */
struct route_rows route_rows_begin(const struct schedule *schedule, const struct machine *machine);

/* Moves to the next row and writes its circuits, circuit[circuits], MULTISTAGE_IDLE for idle ports,
 * only if they have changed. Returns false after the last row, and with E403 if a node sends twice
 * or, in a network that copies, receives twice. O(ports) for a row that has changed. */
bool route_rows_next(struct route_rows *rows, uint32_t circuit[], struct err *err);

/* Writes the circuits of the steps first … end - 1, circuit[multistage_circuits]. Returns a port
 * with several circuits, if there is one, else MULTISTAGE_IDLE; only its first circuit is written.
 * O(ports + transfers). */
uint32_t route_rows_circuits(const struct schedule *schedule, size_t first, size_t end,
                             const struct multistage *net, uint32_t circuit[]);

/* Numbers a row with the circuits circuit[circuits]. Returns false on an error. */
typedef bool route_rows_number(void *self, const struct route_rows *row, const uint32_t circuit[],
                               uint32_t *number, struct err *err);

/* A caller's numbering function, and its first argument. */
struct route_rows_numbering {
    route_rows_number *give;
    void *self;
};

/* Writes the numbers of all rows, number[schedule->end]. The numbering is called row by row, but a
 * row with the circuits of the row before has the same number, and a row without circuits has
 * number 0. Errors: those of route_rows_next and of the numbering; E104. O(rows · ports) besides
 * the numbering. */
bool route_rows_numbers(const struct schedule *schedule, const struct machine *machine,
                        struct route_rows_numbering numbering, uint32_t number[], struct err *err);

#define ROUTE_ROWS_NAME (SCHEDULE_TIME_TEXT + 24)

/* Writes the name of a row in messages: "round 3", or "setting from round 3 on". */
void route_rows_name(const struct route_rows *rows, char name[ROUTE_ROWS_NAME]);

/* --- Settings that rows share ------------------------------------------------------------- */

/* Which rows of a schedule can share settings.
 *
 * Rows can share settings if their circuits together are a partial permutation and, in a network
 * that blocks, if the network passes it: a circuit that a row does not use carries nothing. In a
 * network that copies, a node that sends in both rows must have the same receivers, because an
 * additional circuit would carry a copy. In a network that combines, several nodes may have one
 * receiver, because a circuit that carries nothing changes no combination. In a network that does
 * both, a group that both rows have must have the same receivers. First-fit: each row joins the
 * first setting that it can share, so equal rows always share one. (A round of `circulant` is part
 * of a shift by one of ⌈log2 n⌉ numbers, so the schedule needs that many settings.)
 *
 * On a machine with reconfiguration a row joins the setting of the previous row if it can, and
 * these settings are then numbered as rows are. */

struct settings {
    uint32_t rows, circuits; /* multistage_circuits */
    bool copies;             /* multistage_copies */
    bool combines;           /* multistage_combines */
    uint32_t count;          /* number of distinct settings */
    uint32_t *index;         /* index[rows]: the setting of each row; 0 for an idle one */
    uint32_t *circuit; /* circuit[count][circuits]: of each setting, in the form of network_route */
    /* back[count][circuits]: the inverse of circuit; in a network that copies, a receiver */
    uint32_t *back;
    /* sends[circuits]: in a network that copies: the port sends in the row that is being placed */
    bool *sends;
    uint32_t room;
    bool last;                      /* a row joins the last setting, or none */
    struct settings_passes *passes; /* in a network that blocks, while settings are searched for */
};

/* Finds the settings of all rows or, if `reconfig` is not NULL, of the settings that settings_hold
 * found: index[reconfig->count]. Preconditions: as route_rows_begin. E403 if a row is not a partial
 * permutation, E408 if the network blocks it, E104. Free it with settings_free. O(rows · ports +
 * rows · count) if rows that cannot share differ in their first circuits, O(rows · count · ports)
 * in the worst case; on a network that blocks O(rows · count · ports · log ports). */
bool settings_find(const struct schedule *schedule, const struct machine *machine,
                   const struct settings *reconfig, struct settings *settings, struct err *err);
void settings_free(struct settings *settings);

/* Finds the settings that the rows of a machine with reconfiguration hold one after the other:
 * *settings, whose index is in ascending order, and *rows[count], the number of rows for which each
 * is held. The caller frees *rows. Preconditions and errors: as settings_find. O(rows · ports),
 * times log ports on a network that blocks. */
bool settings_hold(const struct schedule *schedule, const struct machine *machine,
                   struct settings *settings, uint32_t **rows, struct err *err);

/* Numbers all rows (route_rows_numbers) or, if `reconfig` is not NULL, its settings as if each were
 * a row: number[reconfig->count]. */
bool settings_numbers(const struct schedule *schedule, const struct machine *machine,
                      const struct settings *reconfig, struct route_rows_numbering numbering,
                      uint32_t number[], struct err *err);

/* Returns the least p ≥ 1 so that word[r] = word[r + p] for all r and r + p below count. O(count).
 * Returns 0 if there is no memory. */
uint32_t settings_period(const uint64_t word[], uint32_t count);

#endif
