/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/filter.h"

#include "sched/base/files.h"
#include "sched/base/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>

FILE *filter_input(struct err *err)
{
    FILE *file = tmpfile();
    if (file == NULL)
        files_refuse_output("a temporary file", errno, err);
    return file;
}

bool filter_rewind(FILE *file, struct err *err)
{
    if (fflush(file) != 0 || ferror(file))
        return files_refuse_output("a temporary file", errno, err);
    rewind(file);
    return true;
}

/* bytes; with less free disk space, a failure of a filter is attributed to the full disk */
#define ROOM (1 << 20)

bool filter_run(const struct filter *filter, FILE *from, FILE *to, struct err *err)
{
    int status = 0;
    if (!filter_rewind(from, err) ||
        !tool_run(filter->arguments, fileno(from), fileno(to), filter->expected, &status, err))
        return false;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    int error = posix_fallocate(fileno(to), 0, ROOM);
    return error == ENOSPC || error == EFBIG
               ? files_refuse_output("the picture", error, err)
               : err_set(err, ERR_TOOL, "%s: failed; expected a picture", filter->what);
}
