/* SPDX-License-Identifier: Apache-2.0 */
/* gzip: reads files that may be compressed. */
#ifndef ROUNDCAST_GZIP_H
#define ROUNDCAST_GZIP_H

#include "sched/base/err.h"

/* Opens a file for reading and decompresses it if gzip compressed it; `-` is standard input. E201.
 * Close it with fclose. Reading a damaged file ends early: ferror is set, errno is EBADMSG. */
FILE *gzip_open(const char *path, struct err *err);

#endif
