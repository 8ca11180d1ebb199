/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/gzip.h"

#include "sched/base/files.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static ssize_t read_some(void *file, char *bytes, size_t size)
{
    int got = gzread(file, bytes, size > 1u << 20 ? 1u << 20 : (unsigned)size);
    int status = Z_OK;
    if (got <= 0)
        gzerror(file, &status);
    if (got >= 0 && status == Z_OK)
        return got;
    if (status != Z_ERRNO)
        errno = EBADMSG; /* prints "Bad message"; zlib sets no errno of its own */
    return -1;
}

static int close_file(void *file)
{
    return gzclose(file) == Z_OK ? 0 : EOF;
}

static FILE *refuse(const char *path, struct err *err)
{
    err_set(err, ERR_READ, "%s: cannot open: %s; expected a file to read", files_input_name(path),
            strerror(errno));
    return NULL;
}

FILE *gzip_open(const char *path, struct err *err)
{
    bool standard = strcmp(path, "-") == 0;
    int descriptor = standard ? dup(STDIN_FILENO) : -1;
    gzFile file = standard ? gzdopen(descriptor, "rb") : gzopen(path, "rb");
    if (file == NULL)
        return refuse(path, err);
    FILE *stream =
        fopencookie(file, "rb", (cookie_io_functions_t){.read = read_some, .close = close_file});
    if (stream == NULL) {
        gzclose(file);
        return refuse(path, err);
    }
    return stream;
}
