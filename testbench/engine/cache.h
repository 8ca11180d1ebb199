/* SPDX-License-Identifier: Apache-2.0 */
/* cache: where engines stand that were compiled.
 *
 *     ${XDG_CACHE_HOME:-~/.cache}/roundcast/KEY/ENGINE/dut.so
 *
 * KEY is a number of the sources and the tools (source.h), ENGINE is the machine in words
 * (engine_name.h): what is found there is what would be compiled now, and no two programs write the
 * same file. Where that folder cannot be written, engines stand in ${TMPDIR:-/tmp}/roundcast-USER
 * in place of it, which must be the user's own.
 */
#ifndef ROUNDCAST_CACHE_H
#define ROUNDCAST_CACHE_H

#include "testbench/engine/path.h"

#include <stddef.h>

/* The file of an engine. */
#define CACHE_LIBRARY "dut.so"

/* The folder in which engines are compiled, which is made if it is not there. One that stands in
 * for the usual one is told on standard error, once. E202 if there is none that can be written. */
bool cache_folder(char folder[PATH_ROOM], struct err *err);

/* The path of an engine's library, which is compiled if it is not there. Errors: those of
 * cache_folder; E501 if a tool is missing or fails. */
bool cache_library(const char *name, char path[PATH_ROOM], struct err *err);

/* An engine that stands in the cache, or the runtime that they share. */
struct cache_entry {
    char *name, *folder; /* the folder ends with the name */
    uint64_t bytes;      /* 0: it was never finished */
    bool current;        /* of today's sources and tools; others are not used any more */
};

struct cache_list {
    struct cache_entry *entry;
    size_t count;
};

/* All engines that stand in the cache, by name. Free it. E104, E501. */
bool cache_list(struct cache_list *list, struct err *err);
void cache_list_free(struct cache_list *list);

/* Remove it. E202 if it is being built. */
bool cache_remove(const struct cache_entry *entry, struct err *err);

#endif
