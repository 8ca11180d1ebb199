/* SPDX-License-Identifier: Apache-2.0 */
/* route_tables: the tables of a machine's network, for route.c. */
#ifndef ROUNDCAST_ROUTE_TABLES_H
#define ROUNDCAST_ROUTE_TABLES_H

#include "sched/image/image.h"
#include "sched/machine/machine.h"
#include "sched/route/setting_period.h"
#include "sched/route/settings.h"
#include "sched/schedule/schedule.h"

/* --- Many rounds at once ------------------------------------------------------------------ */

/* Settings of many rounds, routed in parallel by all threads (OMP_NUM_THREADS).
 *
 *     rounds added:  circuit[0] [1] …        at least 64, more in a small network
 *     routed by:     thread 0 … T-1, whichever is free, each with a network_router of its own;
 *                    the remaining threads route parts of large rounds
 *     written to:    the rows of the rounds in the tables of all stages
 *
 * Rounds do not depend on each other. Therefore the tables are the same for any number of threads,
 * and so is the error: that of the first round that fails. */

/* The tables of all stages, in the order of the address map: word[stages][rows][columns]. */
struct route_table {
    uint32_t stages, rows, columns;
    uint32_t *word;
};

/* A round to be routed; its settings are written to rows first … end - 1 of the table. */
struct route_round {
    uint32_t first, end;
    char name[ROUTE_ROWS_NAME];
};

struct route_worker;

struct route_batch {
    const struct route_table *table;
    uint32_t circuits, room, count; /* circuits: multistage_circuits */
    void *memory;                   /* of all arrays (arena.h) */
    /* circuit[room + 1][circuits]: of the rounds, and of the next one, in the form of
     * network_route */
    uint32_t *circuit;
    struct route_round *round;
    unsigned threads, worker_count, claimed; /* threads; those that route rounds, and have begun */
    struct route_worker *worker;
};

/* Allocates memory for rounds of the table, which the caller owns; a small table gets one thread,
 * which is faster. E104, and E401 as network_router_new. Close it even after an error. */
bool route_batch_open(struct route_batch *batch, const struct machine *machine,
                      const struct route_table *table, struct err *err);
void route_batch_close(struct route_batch *batch);

/* Returns the place for the circuits of the next round, circuit[circuits]. */
uint32_t *route_batch_next(struct route_batch *batch);

/* Adds the round at route_batch_next, for row `row`, called `name` in messages. A full batch is
 * routed first. Errors: as route_batch_flush. */
bool route_batch_add(struct route_batch *batch, uint32_t row, const char *name, struct err *err);

/* Extends the settings of the last round to the next row. Precondition: the round has not been
 * flushed. */
void route_batch_repeat(struct route_batch *batch);

/* Routes the rounds that were added and writes them to the table. Errors: E403, E408 of the first
 * round that fails, as network_route, with its name; the table is then undefined. O(rounds · ports
 * · log ports / threads). */
bool route_batch_flush(struct route_batch *batch, struct err *err);

/* --- Tables of an image ------------------------------------------------------------------- */

/* The tables of a machine's network, appended to an image whose machine and run are set; for
 * route.c.
 *
 * Errors: E402, E403, E407, E104 as route_schedule.
 */

/* Appends the switch tables of a multistage network. A row is the permutation of the packets under
 * way, or one of the rows of `setting_period`, as settings or as masks; then the setting index
 * follows. With tags there is only the setting index. O(rows · ports · log ports). */
bool route_multistage(struct image *image, const struct schedule *schedule,
                      const struct setting_period *setting_period, struct err *err);

/* Appends the tables of routers. Self-timed routers have no tables; only their buffers and queues
 * are checked. E402 for too few reads, E407 for buffers or queues that are too small. O(transfers ·
 * log transfers + rows · ports of routers), memory O(routers · packets). */
bool route_routers(struct image *image, const struct schedule *schedule, struct err *err);

/* Appends the list of packets of each node of a self-timed hypercube (machine.h). E407 if its
 * routers' buffers are too small, E208 unless the schedule is what its nodes do. */
bool route_lists(struct image *image, const struct schedule *schedule, struct err *err);

#endif
