/* SPDX-License-Identifier: Apache-2.0 */
/* source: the inputs from which an engine is compiled: the RTL, the makefiles and the tools. */
#ifndef ROUNDCAST_SOURCE_H
#define ROUNDCAST_SOURCE_H

#include "sched/base/err.h"

/* -- Paths ------------------------------------------------------------------------------------- */

/* File names, and creating and removing folders recursively. */

#define PATH_ROOM 4096

/* Prints a path. E202 if it is too long; the path is then empty. */
bool path_print(char path[PATH_ROOM], struct err *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Creates the folder and its missing parents. Returns false with errno if a folder cannot be
 * created. */
bool path_make_folder(const char *path);

/* Removes a file, or a folder and its contents, without following links. Returns true if nothing is
 * left. */
bool path_remove(const char *path);

/* 16 digits and the terminating 0. */
#define SOURCE_KEY_ROOM 17

/* The makefile that compiles an engine, below the root. */
#define SOURCE_MAKEFILE "testbench/engine/build.mk"

/* Verilator's runtime, shared by all engines, is stored in the cache like an engine. */
#define SOURCE_RUNTIME "runtime"

/* Finds the root of the sources, as an absolute path: $ROUNDCAST_ROOT, or the first folder above
 * the program, or above the shared library, that contains SOURCE_MAKEFILE, itself or in its
 * share/roundcast. E501 if there is none. */
bool source_root(char root[PATH_ROOM], struct err *err);

/* Computes a hash of everything that an engine of that name, or the runtime, depends on besides its
 * name: its sources (name and bytes), the tools that it needs (file, size, time), and the host CPU,
 * for which it is compiled. O(bytes of the sources). E201 if a source cannot be read, E104 if there
 * is no memory. */
bool source_key(const char *root, const char *name, char key[SOURCE_KEY_ROOM], struct err *err);

/* Checks that the tools that compile an engine of that name are installed. E501 names the first
 * missing tool and its package. */
bool source_has_tools(const char *name, struct err *err);

/* Sets the environment variables of tools that are not set to the default names of the tools. */
void source_name_tools(void);

#endif
