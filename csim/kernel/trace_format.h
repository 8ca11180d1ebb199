/* SPDX-License-Identifier: Apache-2.0 */
/* trace_format: the interface of a wave format. trace.c handles the design, a format handles the
 * file.
 *
 * Calls come in this order: open; scopes and variables, nested; then times that never decrease,
 * each followed by its changes; close. Variables are numbered 1, 2, … in order of declaration,
 * where an alias takes no number.
 */
#ifndef ROUNDCAST_TRACE_FORMAT_H
#define ROUNDCAST_TRACE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

struct trace_format {
    const char *suffix; /* ".vcd" */

    /* Creates the file; returns NULL if it cannot be written or without memory. The pointer itself
     * is NULL if the format was not compiled in. */
    void *(*open)(const char *path);
    void (*scope)(void *file, const char *name);
    void (*end_scope)(void *file);

    /* Declares a variable of `width` bits in the scope. `alias` is the number of the variable for
     * which it is another name, or 0 for a new variable. */
    void (*variable)(void *file, const char *name, unsigned width, uint32_t alias);

    void (*time)(void *file, uint64_t ns);
    void (*change)(void *file, uint32_t variable, unsigned width, uint32_t value);

    /* From the present time on, all values are unknown (false) or will be written again (true). */
    void (*active)(void *file, bool active);

    /* Completes and frees the file; returns false if a write failed. */
    bool (*close)(void *file);
};

extern const struct trace_format trace_vcd, trace_fst;

#endif
