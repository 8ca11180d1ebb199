/* SPDX-License-Identifier: Apache-2.0 */
/* pool: many short works, in a few processes at once.
 *
 * A process is forked for a batch of works, does one after another, writes what each returns to a
 * pipe, and ends: so a work costs no process, and its memory is given back. If the process dies in
 * the middle, the work that it died of is told, and another process goes on behind it.
 */
#ifndef ROUNDCAST_SWEEP_POOL_H
#define ROUNDCAST_SWEEP_POOL_H

#include "sched/base/err.h"

#include <stddef.h>

#define POOL_MAX_WORKERS 256

/* As many as this machine has processors. */
unsigned pool_processors(void);

struct pool {
    const char *what; /* works are, for messages: "the points of a sweep" */
    size_t count;     /* of works, 0 … count-1 */
    unsigned workers; /* processes at once, 1 … POOL_MAX_WORKERS */
    void *context;    /* of the functions */

    /* In a process of its own: do a work, and write what it returns. */
    void (*work)(void *context, size_t which, FILE *to);

    /* A work returned these bytes, or (NULL) its process died with this status of wait. False ends
     * all. */
    bool (*done)(void *context, size_t which, const char *bytes, size_t size, int status,
                 struct err *err);

    /* Called several times a second while there is work. False ends all. NULL: nothing. */
    bool (*rest)(void *context, struct err *err);
};

/* What is told of a work whose process died with this status of wait, and said nothing itself:
 * E901. Returns the exit status that a shell would see. `work` is its name: "the point". */
int pool_report_death(const char *work, int status, struct err *err);

/* Do all works, each once, in any order. A signal that ends the program ends them, and takes effect
 * when the caller releases it. E501 if no process can be started, E104, and what done and rest
 * set. Precondition: the caller holds signals (interrupt.h). */
bool pool_run(const struct pool *pool, struct err *err);

#endif
