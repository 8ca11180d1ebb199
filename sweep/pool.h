/* SPDX-License-Identifier: Apache-2.0 */
/* pool: executes many short works in a few parallel processes.
 *
 * A process is forked for a batch of works. It executes them one by one, writes the result of each
 * to a pipe, and ends. This avoids a process per work, and frees the memory of the works. If the
 * process dies, the work that killed it is reported, and another process continues after it.
 */
#ifndef ROUNDCAST_SWEEP_POOL_H
#define ROUNDCAST_SWEEP_POOL_H

#include "sched/base/err.h"

#include <stddef.h>

#define POOL_MAX_WORKERS 256

/* Returns the number of processors of this machine. */
unsigned pool_processors(void);

struct pool {
    const char *what; /* the kind of works, for messages: "the points of a sweep" */
    size_t count;     /* number of works, 0 … count-1 */
    unsigned workers; /* number of parallel processes, 1 … POOL_MAX_WORKERS */
    void *context;    /* passed to the functions */

    /* Executes a work and writes its result; called in a separate process. */
    void (*work)(void *context, size_t which, FILE *to);

    /* Receives the result of a work; bytes NULL: its process died with this wait status. Returning
     * false ends the pool. */
    bool (*done)(void *context, size_t which, const char *bytes, size_t size, int status,
                 struct err *err);

    /* Called several times a second while works remain; may be NULL. Returning false ends the
     * pool. */
    bool (*rest)(void *context, struct err *err);
};

/* Reports a work whose process died with this wait status without a result: E901. Returns the exit
 * status that a shell would see. `work` is its name: "the point". */
int pool_report_death(const char *work, int status, struct err *err);

/* Executes all works, each once, in any order. A signal that ends the program ends the processes,
 * and takes effect when the caller releases it. E501 if no process can be started, E104, and the
 * errors that done and rest set. Precondition: the caller holds signals (interrupt.h). */
bool pool_run(const struct pool *pool, struct err *err);

#endif
