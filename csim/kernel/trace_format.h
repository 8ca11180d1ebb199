/* SPDX-License-Identifier: Apache-2.0 */
/* trace_format: what a wave format must do; trace.c knows the design, a format knows the file.
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

    /* Create the file; NULL if it cannot be written or without memory. Itself NULL if the format
     * was left out of the program. */
    void *(*open)(const char *path);
    void (*scope)(void *file, const char *name);
    void (*end_scope)(void *file);

    /* A variable of `width` bits in the scope; `alias` is the number of the variable that it is
     * another name for, or 0 for a new one. */
    void (*variable)(void *file, const char *name, unsigned width, uint32_t alias);

    void (*time)(void *file, uint64_t ns);
    void (*change)(void *file, uint32_t variable, unsigned width, uint32_t value);

    /* From the present time on, all values are unknown (false) or are about to be given anew
     * (true). */
    void (*active)(void *file, bool active);

    /* Finish and free; false if something could not be written. */
    bool (*close)(void *file);
};

extern const struct trace_format trace_vcd, trace_fst;

#endif
