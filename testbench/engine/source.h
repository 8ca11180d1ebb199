/* SPDX-License-Identifier: Apache-2.0 */
/* source: what an engine is compiled from: the RTL and makefiles, and the tools. */
#ifndef ROUNDCAST_SOURCE_H
#define ROUNDCAST_SOURCE_H

#include "testbench/engine/path.h"

/* 16 digits and the end. */
#define SOURCE_KEY_ROOM 17

/* The makefile that compiles an engine, below the root. */
#define SOURCE_MAKEFILE "testbench/engine/build.mk"

/* What all engines share is kept as one of them: Verilator's runtime. */
#define SOURCE_RUNTIME "runtime"

/* The root of the sources, as an absolute path: $ROUNDCAST_ROOT, or the first folder above the
 * program, or above the shared library, that has SOURCE_MAKEFILE in it or in its share/roundcast.
 * E501 if there is none. */
bool source_root(char root[PATH_ROOM], struct err *err);

/* A number of all that an engine of that name, or the runtime, depends on besides its name: its
 * sources (name and bytes), the tools that it needs (file, size, time), and the processor, for
 * which it is compiled. O(bytes of the sources). E201 if a source cannot be read,
 * E104 if there is no memory. */
bool source_key(const char *root, const char *name, char key[SOURCE_KEY_ROOM], struct err *err);

/* Are the tools there that compile an engine of that name? E501 names the first that is missing and
 * its package. */
bool source_has_tools(const char *name, struct err *err);

/* Tools are what the environment says, or their usual names: set those that it does not say. */
void source_name_tools(void);

#endif
