/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/filter.h"

#include "sched/base/files.h"
#include "sched/base/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

FILE *filter_input(struct err *err)
{
    FILE *file = tmpfile();
    if (file == NULL)
        files_refuse_output("a temporary file", errno, err);
    return file;
}

/* Start it from one descriptor to another; 0 or an errno. */
static int start(const struct filter *filter, int from, int to, pid_t *child)
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
        error =
            posix_spawnp(child, filter->arguments[0], &actions, &group, filter->arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&group);
    if (error == 0)
        interrupt_child(*child);
    return error;
}

#define ROOM (1 << 20) /* a disk that has not even this is the reason why a filter fails */

bool filter_run(const struct filter *filter, FILE *from, FILE *to, struct err *err)
{
    pid_t child;
    int status = 0;
    if (fflush(from) != 0 || ferror(from))
        return files_refuse_output("a temporary file", errno, err);
    rewind(from);
    interrupt_hold(); /* until it has ended */
    int error = start(filter, fileno(from), fileno(to), &child);
    if (error == 0 && interrupt_wait(&status) != child)
        error = errno;
    interrupt_release();
    if (error != 0)
        return err_set(err, ERR_TOOL, "%s: cannot run: %s; expected %s", filter->arguments[0],
                       strerror(error), filter->expected);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    error = posix_fallocate(fileno(to), 0, ROOM);
    return error == ENOSPC || error == EFBIG
               ? files_refuse_output("the picture", error, err)
               : err_set(err, ERR_TOOL, "%s: failed; expected a picture", filter->what);
}
