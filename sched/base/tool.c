/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/tool.h"

#include "sched/base/files.h"
#include "sched/base/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Starts the program. Returns 0 or an errno. */
static int start(char *const argument[], int from, int to, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t group;
    posix_spawnattr_init(&group);
    posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    error = posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawnp(child, argument[0], &actions, &group, argument, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&group);
    if (error == 0)
        interrupt_child(*child);
    return error;
}

bool tool_found(const char *name)
{
    const char *path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        char file[4096];
        int length = (int)strcspn(path, ":");
        bool whole = snprintf(file, sizeof file, "%.*s/%s", length, path, name) < (int)sizeof file;
        if (whole && access(file, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

bool tool_run(char *const argument[], int from, int to, const char *expected, int *status,
              struct err *err)
{
    pid_t child;
    interrupt_hold(); /* signals are held until the program has ended */
    int error = start(argument, from, to, &child);
    if (error == 0 && interrupt_wait(status) != child)
        error = errno;
    interrupt_release();
    return error == 0 || err_set(err, ERR_TOOL, "%s: cannot run: %s; expected %s", argument[0],
                                 strerror(error), expected);
}

/* -- Filters ----------------------------------------------------------------------------------- */

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
