/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

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

bool files_refuse_output(const char *name, int error, struct err *err)
{
    return err_set(err, ERR_WRITE, "%s: cannot write: %s; expected a file that can be written",
                   name, strerror(error));
}

/* Returns "DIR/.roundcast-PROCESS-NUMBER.EXTENSION", which is short however long the name of the
 * target is; NULL without memory. */
static char *name_beside(const char *target, unsigned number)
{
    const char *slash = strrchr(target, '/'), *dot = strrchr(target, '.');
    int folder = slash == NULL ? 0 : (int)(slash + 1 - target);
    bool extended = dot != NULL && dot > target + folder && strlen(dot) < 16;
    char *name;
    return asprintf(&name, "%.*s.roundcast-%ld-%u%s", folder, target, (long)getpid(), number,
                    extended ? dot : "") < 0
               ? NULL
               : name;
}

/* number of names to try: processes with the same number on other machines may use some of them */
#define NAMES 1000

/* Creates a temporary file in the folder of the target. Returns its descriptor, or -1 with errno.
 * The file has the permissions of any new file. */
static int make_beside(struct files_output *output)
{
    int descriptor = -1;
    interrupt_hold();
    for (unsigned number = 0; descriptor < 0 && number < NAMES; number++) {
        output->temporary = name_beside(output->target, number);
        if (output->temporary == NULL)
            break;
        descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0)
            break;
        free(output->temporary);
        output->temporary = NULL;
        if (errno != EEXIST)
            break;
    }
    if (descriptor >= 0) {
        output->noted.name = output->temporary;
        interrupt_note(&output->noted);
    }
    interrupt_release();
    return descriptor;
}

/* Frees the names of an output that no longer needs them. */
static void release(struct files_output *output)
{
    if (output->temporary != NULL)
        interrupt_forget(&output->noted);
    free(output->temporary);
    free(output->target);
    output->temporary = output->target = NULL;
}

char *files_place(const char *path)
{
    char *place = realpath(path, NULL);
    if (place != NULL || errno != ENOENT)
        return place;
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    char *above = strndup(path, (size_t)(name - path));
    char *folder = above != NULL ? realpath(*above != '\0' ? above : ".", NULL) : NULL;
    if (folder != NULL && asprintf(&place, "%s/%s", folder[1] != '\0' ? folder : "", name) < 0)
        place = NULL;
    free(above);
    free(folder);
    return place;
}

/* Finds the file that a path names, following symbolic links, so that a link stays a link. */
static bool find_target(const char *path, struct files_output *output, struct err *err)
{
    bool exists = access(path, F_OK) == 0;
    output->target = exists ? realpath(path, NULL) : strdup(path);
    if (output->target != NULL && (!exists || access(path, W_OK) == 0))
        return true;
    files_refuse_output(path, errno, err);
    release(output);
    return false;
}

bool files_reserve_output(const char *path, struct files_output *output, struct err *err)
{
    *output = (struct files_output){.name = path};
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return err_set(err, ERR_WRITE, "%s: no regular file; expected one, or a new name", path);
    if (!find_target(path, output, err))
        return false;
    int descriptor = make_beside(output);
    if (descriptor >= 0)
        return close(descriptor) == 0;
    files_refuse_output(path, errno, err);
    release(output);
    return false;
}

bool files_open_output(const char *path, struct files_output *output, struct err *err)
{
    *output = (struct files_output){.name = files_output_name(path)};
    if (is_standard(path)) {
        output->file = stdout;
        return true;
    }
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        output->file = fopen(path, "wb");
        return output->file != NULL || files_refuse_output(path, errno, err);
    }
    if (!find_target(path, output, err))
        return false;
    int descriptor = make_beside(output);
    output->file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (output->file != NULL)
        return true;
    files_refuse_output(path, errno, err);
    if (descriptor >= 0)
        close(descriptor);
    files_discard(output);
    return false;
}

/* Writes the rest of the buffer. */
static bool finish(struct files_output *output, struct err *err)
{
    FILE *file = output->file;
    if (file == NULL)
        return true;
    if (file == stdout)
        return fflush(stdout) == 0 || files_refuse_output(output->name, errno, err);
    output->file = NULL;
    bool failed = ferror(file) != 0;
    failed = fclose(file) != 0 || failed;
    return !failed || files_refuse_output(output->name, errno, err);
}

int files_lock_folder(const char *folder, bool exclusive)
{
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0)
        flock(descriptor, exclusive ? LOCK_EX : LOCK_SH);
    return descriptor;
}

static int lock_folder_of(const char *target)
{
    const char *slash = strrchr(target, '/');
    char *folder = slash == NULL     ? strdup(".")
                   : slash == target ? strdup("/")
                                     : strndup(target, (size_t)(slash - target));
    int lock = folder == NULL ? -1 : files_lock_folder(folder, true);
    free(folder);
    return lock;
}

bool files_commit_all(struct files_output *const output[], size_t count, struct err *err)
{
    bool written = true;
    for (size_t which = 0; written && which < count; which++)
        written = finish(output[which], err);
    int lock =
        written && count > 1 && output[0]->target != NULL ? lock_folder_of(output[0]->target) : -1;
    /* a signal must not interrupt the moves, so that all files or none are replaced */
    interrupt_hold();
    for (size_t which = 0; written && which < count; which++) {
        struct files_output *made = output[which];
        if (made->temporary != NULL && rename(made->temporary, made->target) != 0)
            written = files_refuse_output(made->name, errno, err);
        else
            release(made);
    }
    for (size_t which = 0; which < count; which++)
        files_discard(output[which]);
    if (lock >= 0)
        close(lock);
    interrupt_release();
    return written;
}

bool files_commit(struct files_output *output, struct err *err)
{
    struct files_output *const alone[] = {output};
    return files_commit_all(alone, 1, err);
}

void files_discard(struct files_output *output)
{
    if (output->file != NULL && output->file != stdout)
        fclose(output->file);
    output->file = NULL;
    if (output->temporary != NULL)
        unlink(output->temporary);
    release(output);
}

/* -- Compressed files -------------------------------------------------------------------------- */

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
