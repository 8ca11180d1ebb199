/* SPDX-License-Identifier: Apache-2.0 */
/* build: compiles what a cache keeps, once, whoever asks for it at the same time. */
#ifndef ROUNDCAST_BUILD_H
#define ROUNDCAST_BUILD_H

#include "testbench/engine/path.h"

/* Have FOLDER/NAME/FILE, which the target build/engine/NAME/FILE of SOURCE_MAKEFILE compiles from
 * the sources at `root`; what engines share it finds in `runtime`, unless that is NULL. All paths
 * are absolute. The file appears whole. Whoever needs it while another process makes it waits for
 * that one, which is told on standard error; who needs something else does not wait. E202 if the
 * folder cannot be written, E501 if make fails. */
bool build_file(const char *root, const char *folder, const char *name, const char *file,
                const char *runtime, struct err *err);

/* Remove FOLDER/NAME. E202 if something is being built there. */
bool build_remove(const char *folder, const char *name, struct err *err);

#endif
