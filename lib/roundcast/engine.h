/* SPDX-License-Identifier: Apache-2.0 */
/* engine: the engines that execute images: csim, which is part of the library, and compiled
 * engines, which the library compiles on first use and keeps in the user's cache.
 */
#ifndef ROUNDCAST_LIB_ENGINE_H
#define ROUNDCAST_LIB_ENGINE_H

#include "roundcast/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A kind of engine. Texts are statically allocated. */
struct roundcast_engine_kind {
    const char *name; /* "csim", "rtl", "netlist" */
    const char *what; /* description, such as "the cycle model in C" */
    bool compiled;    /* compiled for each shape of machine; false: supports any shape without
                       * compilation */
};

/* Gets kind `index`, from 0; false after the last. */
bool roundcast_engine_kind_at(unsigned index, struct roundcast_engine_kind *kind);

/* Returns the name of compiled kind `index`, "rtl" or "netlist"; NULL after the last. Statically
 * allocated. */
const char *roundcast_engine_compiled(unsigned index);

/* Checks that a compiled kind has this name: E101. */
bool roundcast_engine_check(const char *name, struct roundcast_error *error);

#define ROUNDCAST_ENGINE_VERSION 1
#define ROUNDCAST_ENGINE_MAX_JOBS 256

/* Selects engines of machines. Every member except `version` may be zero. */
struct roundcast_engine_options {
    unsigned version; /* ROUNDCAST_ENGINE_VERSION */
    const char *kind; /* "rtl" or "netlist"; NULL: rtl */
    bool traced;      /* the engine can write waves */
    uint32_t jobs;    /* engines compiled in parallel, 1 … ROUNDCAST_ENGINE_MAX_JOBS; 0: 1 */
};

#define ROUNDCAST_ENGINE_NAME 2048 /* bytes of a name, with its terminating 0 */

/* Writes the name of the engine of an image: the machine and all of its parameters. `folder` was
 * written by roundcast_image_write. E101, E102 for the options; E201, E203 … E207, E401, E406 for
 * the image. O(words). */
bool roundcast_engine_name(const char *folder, const struct roundcast_engine_options *options,
                           char name[ROUNDCAST_ENGINE_NAME], struct roundcast_error *error);

/* Compiles the engines of the images in folder[count] that are not in the cache, each in its own
 * process. Prints the output of `make` on standard error. The error is that of the first folder
 * that failed; error->further counts the others. E202 for the cache, E501 for a missing tool, and
 * the errors of roundcast_engine_name. Takes up to minutes for an engine. */
bool roundcast_engine_build(const char *const folder[], size_t count,
                            const struct roundcast_engine_options *options,
                            struct roundcast_error *error);

/* An engine in the cache, or the runtime that engines share. Texts are valid in `visit`. */
struct roundcast_engine {
    const char *name, *folder;
    uint64_t bytes;
    const char
        *state; /* "ready"; "old": compiled from other sources or by other tools, no longer used;
                 * "unfinished" */
};

/* Calls visit(with, engine) for all engines in the cache, by name, until it returns false. The
 * return value does not reflect the result of visit(). E104, E501. */
bool roundcast_engine_each(bool (*visit)(void *with, const struct roundcast_engine *engine),
                           void *with, struct roundcast_error *error);

/* Removes the engines of name[count] from the cache; all engines if count is 0. E101 for an unknown
 * name, without removing anything; E202 for an engine that is being compiled; E104, E501. */
bool roundcast_engine_remove(const char *const name[], size_t count, struct roundcast_error *error);

#ifdef __cplusplus
}
#endif

#endif
