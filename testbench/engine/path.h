/* SPDX-License-Identifier: Apache-2.0 */
/* path: file names, and creating and removing folders recursively. */
#ifndef ROUNDCAST_PATH_H
#define ROUNDCAST_PATH_H

#include "sched/base/err.h"

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

#endif
