/* SPDX-License-Identifier: Apache-2.0 */
#include "testbench/engine/path.h"

#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_OPEN_FOLDERS 16

bool path_print(char path[PATH_ROOM], struct err *err, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(path, PATH_ROOM, format, arguments);
    va_end(arguments);
    if ((size_t)length < PATH_ROOM) /* a negative length becomes a larger number */
        return true;
    err_set(err, ERR_WRITE, "%.200s…: a path of %d bytes; expected less than %d", path, length,
            PATH_ROOM);
    path[0] = '\0';
    return false;
}

/* Creates one folder, unless it exists. Returns false with errno. */
static bool make_one(const char *path)
{
    struct stat status;
    if (mkdir(path, 0777) == 0)
        return true;
    int why = errno;
    bool there = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    errno = why == EEXIST ? ENOTDIR : why;
    return there;
}

bool path_make_folder(const char *path)
{
    char part[PATH_ROOM];
    if (!path_print(part, NULL, "%s", path)) {
        errno = ENAMETOOLONG;
        return false;
    }
    for (char *slash = strchr(part + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (!make_one(part))
            return false;
        *slash = '/';
    }
    return make_one(path);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status, (void)type, (void)place;
    remove(path);
    return 0;
}

bool path_remove(const char *path)
{
    nftw(path, remove_one, MAX_OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
    return access(path, F_OK) != 0;
}
