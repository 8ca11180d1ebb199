/* SPDX-License-Identifier: Apache-2.0 */
#include "testbench/engine/cache.h"

#include "sched/base/interrupt.h"
#include "testbench/engine/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs make TARGET in the folder, with its output on standard error. */
static bool make_target(const char *folder, const char *target, struct err *err)
{
    pid_t child = interrupt_fork();
    if (child == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        /* Environment variables that make must not inherit: flags, job server and sanitisers of an
         * outer make, and variables that name other makefiles and folders of sources. Variables
         * that select tools are kept. */
        static const char *const read_by_make[] = {
            "MAKEFLAGS",     "GNUMAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKE_RESTARTS",
            "MAKEOVERRIDES", "MAKEFILES",    "VPATH",  "GPATH",     "SANITIZE"};
        for (size_t which = 0; which < sizeof read_by_make / sizeof *read_by_make; which++)
            unsetenv(read_by_make[which]);
        source_name_tools();
        execlp("make", "make", "--silent", "--no-print-directory", "-C", folder, "-f",
               SOURCE_MAKEFILE, target, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || interrupt_wait(&status) != child)
        return err_set(err, ERR_TOOL, "make %.200s: %s; expected to run it", target,
                       strerror(errno));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return err_set(err, ERR_TOOL,
                       "make %.300s: failed; expected the engine to build (the failure is printed "
                       "above)",
                       target);
    return true;
}

/* Prepares the folder in which make runs: links to the sources and to the files that engines share.
 * The links have names without spaces and quotes, which make does not support. */
static bool lay_out(const char *root, const char *work, const char *runtime, struct err *err)
{
    static const char *const folders[] = {"rtl", "synth", "testbench"};
    char from[PATH_ROOM], to[PATH_ROOM];
    path_remove(work);
    if (!path_print(to, err, "%s/build/engine", work))
        return false;
    bool made = path_make_folder(to);
    for (size_t which = 0; made && which < sizeof folders / sizeof *folders; which++) {
        if (!path_print(from, err, "%s/%s", root, folders[which]) ||
            !path_print(to, err, "%s/%s", work, folders[which]))
            return false;
        made = symlink(from, to) == 0;
    }
    if (made && runtime != NULL)
        made = path_print(to, err, "%s/build/engine/" SOURCE_RUNTIME, work) &&
               symlink(runtime, to) == 0;
    return made || err_set(err, ERR_WRITE, "%.200s: %s; expected a folder to build in", work,
                           strerror(errno));
}

/* Builds `target` in the temporary folder `work`, and moves it to a path. */
static bool make_file(const char *root, const char *work, const char *runtime, const char *target,
                      const char *path, struct err *err)
{
    char made[PATH_ROOM];
    if (!path_print(made, err, "%s/%s", work, target))
        return false;
    bool held = lay_out(root, work, runtime, err) && make_target(work, target, err) &&
                (rename(made, path) == 0 ||
                 err_set(err, ERR_WRITE, "%.200s: %s; expected a file", path, strerror(errno)));
    path_remove(work);
    return held;
}

/* Returns whether the open file still exists under a name. */
static bool is_there(int descriptor)
{
    struct stat status;
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0;
}

/* Opens the file FOLDER/NAME/lock. make inherits it, so that the lock is free when all processes
 * that might write there have ended. Returns -1 with an error. */
static int open_lock(const char *folder, const char *name, char path[PATH_ROOM], struct err *err)
{
    if (!path_print(path, err, "%s/%s", folder, name))
        return -1;
    bool made = path_make_folder(path) && path_print(path, err, "%s/%s/lock", folder, name);
    int descriptor = made ? open(path, O_CREAT | O_RDWR, 0666) : -1;
    if (descriptor < 0)
        err_set(err, ERR_WRITE, "%.200s: %s; expected a folder to build in", path, strerror(errno));
    return descriptor;
}

/* Waits for the lock and takes it; if the file was removed meanwhile, opens a new one. Returns -1
 * with an error. */
static int lock(const char *folder, const char *name, struct err *err)
{
    char path[PATH_ROOM];
    for (;;) {
        int descriptor = open_lock(folder, name, path, err);
        if (descriptor < 0)
            return -1;
        if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
            fprintf(stderr, "roundcast: another process builds %s; waiting for it\n", name);
            while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR)
                ;
        }
        if (is_there(descriptor))
            return descriptor;
        close(descriptor);
    }
}

bool build_file(const char *root, const char *folder, const char *name, const char *file,
                const char *runtime, struct err *err)
{
    char path[PATH_ROOM], work[PATH_ROOM], target[PATH_ROOM];
    if (!path_print(path, err, "%s/%s/%s", folder, name, file) ||
        !path_print(work, err, "%s/%s/work", folder, name) ||
        !path_print(target, err, "build/engine/%s/%s", name, file))
        return false;
    if (access(path, R_OK) == 0)
        return true;
    int held = lock(folder, name, err);
    if (held < 0)
        return false;
    interrupt_hold(); /* unfinished files are removed before a signal ends the program */
    bool made = access(path, R_OK) == 0 || make_file(root, work, runtime, target, path, err);
    if (!made && path_print(path, NULL, "%s/%s", folder, name))
        path_remove(path);
    close(held);
    interrupt_release();
    return made;
}

bool build_remove(const char *folder, const char *name, struct err *err)
{
    char path[PATH_ROOM];
    int held = open_lock(folder, name, path, err);
    if (held < 0)
        return false;
    bool removed = flock(held, LOCK_EX | LOCK_NB) == 0;
    if (!removed)
        err_set(err, ERR_WRITE, "%.200s: is being built; expected one that is finished", name);
    else if (path_print(path, err, "%s/%s", folder, name))
        removed = path_remove(path) || err_set(err, ERR_WRITE, "%.200s: cannot be removed", path);
    close(held);
    return removed;
}
