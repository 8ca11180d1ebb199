/* SPDX-License-Identifier: Apache-2.0 */
/* path: file names, and folders made and removed whole. */
#ifndef ROUNDCAST_PATH_H
#define ROUNDCAST_PATH_H

#include "sched/base/err.h"

#define PATH_ROOM 4096

/* Print a path. E202 if it is too long; the path is empty then. */
bool path_print(char path[PATH_ROOM], struct err *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Make the folder and all those above it that are not there. False with errno if one cannot be
 * made. */
bool path_make_folder(const char *path);

/* Remove a file, or a folder with all that is below it; links are not followed. True if nothing is
 * left. */
bool path_remove(const char *path);

#endif
