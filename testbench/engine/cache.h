/* SPDX-License-Identifier: Apache-2.0 */
/* cache: the folder of compiled engines.
 *
 *     ${XDG_CACHE_HOME:-~/.cache}/roundcast/KEY/ENGINE/dut.so
 *
 * KEY is a hash of the sources and the tools (source.h), ENGINE is the name of the machine
 * (engine.h): a file found there equals what would be compiled now, and no two programs write
 * the same file. If that folder cannot be written, engines are in ${TMPDIR:-/tmp}/roundcast-USER
 * instead, which must belong to the user.
 */
#ifndef ROUNDCAST_CACHE_H
#define ROUNDCAST_CACHE_H

#include "testbench/engine/source.h"

#include <stddef.h>

/* The file of an engine. */
#define CACHE_LIBRARY "dut.so"

/* Finds the folder in which engines are compiled, and creates it if it does not exist. If it is not
 * the default folder, prints it to standard error, once. E202 if no folder can be written. */
bool cache_folder(char folder[PATH_ROOM], struct err *err);

/* Finds the path of an engine's library, and compiles it if it does not exist. Errors: those of
 * cache_folder; E501 if a tool is missing or fails. */
bool cache_library(const char *name, char path[PATH_ROOM], struct err *err);

/* An engine in the cache, or the runtime shared by engines. */
struct cache_entry {
    char *name, *folder; /* the folder ends with the name */
    uint64_t bytes;      /* 0: its compilation was not completed */
    bool current;        /* compiled from the current sources by the current tools; other entries
                          * are no longer used */
};

struct cache_list {
    struct cache_entry *entry;
    size_t count;
};

/* Lists all engines in the cache, by name. The caller frees the list with cache_list_free. E104,
 * E501. */
bool cache_list(struct cache_list *list, struct err *err);
void cache_list_free(struct cache_list *list);

/* Removes the entry. E202 if it is being built. */
bool cache_remove(const struct cache_entry *entry, struct err *err);

/* -- Compiling a file of the cache ------------------------------------------------------------- */

/* Compiles a file of the cache once, even if several processes request it at the same time. */

/* Builds FOLDER/NAME/FILE, unless it exists, with the target build/engine/NAME/FILE of
 * SOURCE_MAKEFILE from the sources at `root`; files shared by engines come from `runtime`, unless
 * that is NULL. All paths are absolute. The file is created atomically. A process that needs it
 * while another builds it waits and reports that on standard error; builds of other files do not
 * wait. E202 if the folder cannot be written, E501 if make fails. */
bool build_file(const char *root, const char *folder, const char *name, const char *file,
                const char *runtime, struct err *err);

/* Removes FOLDER/NAME. E202 if a build is under way there. */
bool build_remove(const char *folder, const char *name, struct err *err);

#endif
