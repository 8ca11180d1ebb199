/* SPDX-License-Identifier: Apache-2.0 */
/* build: compiles a file of the cache once, even if several processes request it at the same
 * time. */
#ifndef ROUNDCAST_BUILD_H
#define ROUNDCAST_BUILD_H

#include "testbench/engine/path.h"

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
