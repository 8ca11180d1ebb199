/* SPDX-License-Identifier: Apache-2.0 */
/* gzip: files that may be compressed. */
#ifndef ROUNDCAST_GZIP_H
#define ROUNDCAST_GZIP_H

#include "sched/base/err.h"

/* Opens for reading, decompressed if gzip has compressed it; `-` is standard input. E201. Close it
 * with fclose. A damaged file cannot be read to its end: ferror, errno EBADMSG. */
FILE *gzip_open(const char *path, struct err *err);

#endif
