/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

const char *files_input_name(const char *path)
{
    return is_standard(path) ? "standard input" : path;
}

const char *files_output_name(const char *path)
{
    return is_standard(path) ? "standard output" : path;
}

FILE *files_open_input(const char *path, struct err *err)
{
    FILE *file = is_standard(path) ? stdin : fopen(path, "rb");
    if (file == NULL)
        err_set(err, ERR_READ, "%s: cannot open: %s; expected a file to read", path,
                strerror(errno));
    return file;
}

void files_close_input(FILE *file)
{
    if (file != stdin)
        fclose(file);
}

static bool refuse_output(const char *name, int error, struct err *err)
{
    return err_set(err, ERR_WRITE, "%s: cannot write: %s; expected a file that can be written",
                   name, strerror(error));
}

/* Open a file of its own beside `target`. Permissions are those that a new file gets. */
static bool open_beside(struct files_output *output, struct err *err)
{
    if (asprintf(&output->temporary, "%s.%ld.tmp", output->target, (long)getpid()) < 0) {
        output->temporary = NULL;
        return refuse_output(output->name, ENOMEM, err);
    }
    int descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    output->file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    return output->file != NULL || refuse_output(output->name, errno, err);
}

bool files_open_output(const char *path, struct files_output *output, struct err *err)
{
    *output = (struct files_output){.name = files_output_name(path)};
    if (is_standard(path)) {
        output->file = stdout;
        return true;
    }
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) {
        output->file = fopen(path, "wb");
        return output->file != NULL || refuse_output(path, errno, err);
    }
    /* A link stays a link: what it names is replaced. */
    output->target = exists ? realpath(path, NULL) : strdup(path);
    if (output->target == NULL)
        return refuse_output(path, errno, err);
    if (exists && access(path, W_OK) != 0)
        refuse_output(path, errno, err);
    else if (open_beside(output, err))
        return true;
    free(output->target);
    free(output->temporary);
    return false;
}

bool files_commit(struct files_output *output, struct err *err)
{
    if (output->file == stdout)
        return fflush(stdout) == 0 || refuse_output(output->name, errno, err);
    bool failed = ferror(output->file) != 0;
    failed = fclose(output->file) != 0 || failed;
    if (!failed && output->temporary != NULL)
        failed = rename(output->temporary, output->target) != 0;
    int error = errno;
    if (failed && output->temporary != NULL)
        unlink(output->temporary);
    free(output->temporary);
    free(output->target);
    return !failed || refuse_output(output->name, error, err);
}

void files_discard(struct files_output *output)
{
    if (output->file != stdout)
        fclose(output->file);
    if (output->temporary != NULL)
        unlink(output->temporary);
    free(output->temporary);
    free(output->target);
}
