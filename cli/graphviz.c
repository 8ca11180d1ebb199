/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/graphviz.h"

#include "sched/base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool graphviz_write_dot(const char *path, const struct drawing *drawing, struct err *err)
{
    struct files_output output;
    if (!files_open_output(path, &output, err))
        return false;
    drawing_write(output.file, drawing);
    return files_commit(&output, err);
}

/* Start `dot -TFORMAT` from one descriptor to another; 0 or an errno. */
static int start_dot(const char *format, int from, int to, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t group;
    posix_spawnattr_init(&group);
    posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    char name[] = "dot", option[16], *arguments[] = {name, option, NULL};
    snprintf(option, sizeof option, "-T%s", format);
    error = posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawnp(child, name, &actions, &group, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&group);
    if (error == 0)
        interrupt_child(*child);
    return error;
}

#define ROOM (1 << 20) /* a disk that has not even this is the reason why dot fails */

static bool run_dot(const char *format, FILE *text, FILE *picture, struct err *err)
{
    pid_t child;
    int status = 0;
    interrupt_hold(); /* until dot has ended */
    int error = start_dot(format, fileno(text), fileno(picture), &child);
    if (error == 0 && interrupt_wait(&status) != child)
        error = errno;
    interrupt_release();
    if (error != 0)
        return err_set(err, ERR_TOOL,
                       "dot: cannot run: %s; expected Graphviz (the package graphviz)",
                       strerror(error));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    error = posix_fallocate(fileno(picture), 0, ROOM);
    return error == ENOSPC || error == EFBIG
               ? files_refuse_output("the picture", error, err)
               : err_set(err, ERR_TOOL, "dot -T%s: failed; expected a picture", format);
}

/* The text goes through a file without a name: dot reads all of it before it writes. */
static bool draw(const char *format, const struct drawing *drawing, FILE *picture, struct err *err)
{
    FILE *text = tmpfile();
    if (text == NULL)
        return files_refuse_output("a temporary file", errno, err);
    drawing_write(text, drawing);
    bool drawn = fflush(text) == 0 && !ferror(text);
    if (!drawn)
        files_refuse_output("a temporary file", errno, err);
    rewind(text);
    drawn = drawn && run_dot(format, text, picture, err);
    fclose(text);
    return drawn;
}

bool graphviz_write_picture(const char *path, const char *format, const struct drawing *drawing,
                            struct err *err)
{
    if (drawing->count > GRAPHVIZ_MAX_NODES)
        return err_set(err, ERR_TOO_BIG,
                       "--format %s: %zu nodes; expected at most %d (--format dot takes more)",
                       format, drawing->count, GRAPHVIZ_MAX_NODES);
    struct files_output output;
    if (!files_open_output(path, &output, err))
        return false;
    if (!draw(format, drawing, output.file, err)) {
        files_discard(&output);
        return false;
    }
    return files_commit(&output, err);
}
