/* SPDX-License-Identifier: Apache-2.0 */
/* pool: many short works, in a few processes at once.
 *
 * A process is forked for a batch of works. It does them one by one, writes the result of each to a
 * pipe, and ends, so that a work does not cost a process and its memory is freed. If the process
 * dies, the work that killed it is reported, and another process continues after it.
 */
#ifndef ROUNDCAST_SWEEP_POOL_H
#define ROUNDCAST_SWEEP_POOL_H

#include "sched/base/err.h"

#include <stddef.h>

#define POOL_MAX_WORKERS 256

/* Returns the number of processors of this machine. */
unsigned pool_processors(void);

struct pool {
    const char *what; /* works are, for messages: "the points of a sweep" */
    size_t count;     /* of works, 0 … count-1 */
    unsigned workers; /* processes at once, 1 … POOL_MAX_WORKERS */
    void *context;    /* of the functions */

    /* Does a work in a process of its own, and writes its result. */
    void (*work)(void *context, size_t which, FILE *to);

    /* Receives the result of a work; NULL: its process died with this status of wait. False ends
     * the pool. */
    bool (*done)(void *context, size_t which, const char *bytes, size_t size, int status,
                 struct err *err);

    /* Called several times a second while there is work; may be NULL. False ends the pool. */
    bool (*rest)(void *context, struct err *err);
};

/* Reports a work whose process died with this status of wait, without a report of its own: E901.
 * Returns the exit status that a shell would see. `work` is its name: "the point". */
int pool_report_death(const char *work, int status, struct err *err);

/* Executes all works, each once, in any order. A signal that ends the program ends them, and takes
 * effect when the caller releases it. E501 if no process can be started, E104, and what done and
 * rest set. Precondition: the caller holds signals (interrupt.h). */
bool pool_run(const struct pool *pool, struct err *err);

#endif
