/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/via.h"

#include "sched/base/files.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_ROOM 4096

static bool path_of(const struct parts *parts, unsigned part, const char *extension,
                    char path[PATH_ROOM], struct err *err)
{
    int length = snprintf(path, PATH_ROOM, "%s/%u.%s", parts->folder, part, extension);
    return length < PATH_ROOM ||
           err_set(err, ERR_WRITE, "%.60s…: the name is too long; expected less than %d bytes",
                   parts->folder, PATH_ROOM);
}

/* Appends the study itself. It ends with a line feed, because the reader rejects a file without
 * one. */
static bool copy(const char *from, FILE *to, struct err *err)
{
    char block[4096];
    FILE *file = files_open_input(from, err);
    if (file == NULL)
        return false;
    for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;)
        fwrite(block, 1, got, to);
    bool whole =
        ferror(file) == 0 || err_set(err, ERR_READ, "%.200s: cannot read; expected a study", from);
    files_close_input(file);
    return whole;
}

/* Prints the numbers of points; consecutive numbers become a range. */
static void print_points(FILE *to, const uint64_t *number, size_t points)
{
    fputs("points", to);
    for (size_t first = 0, next; first < points; first = next) {
        for (next = first + 1; next < points && number[next] == number[next - 1] + 1;)
            next++;
        fprintf(to, " %" PRIu64, number[first]);
        if (next > first + 1)
            fprintf(to, "..%" PRIu64, number[next - 1]);
    }
    putc('\n', to);
}

static bool write_part(const struct parts *parts, unsigned part, const uint64_t *number,
                       size_t points, struct err *err)
{
    char path[PATH_ROOM];
    struct files_output output;
    if (!path_of(parts, part, "study", path, err) || !files_open_output(path, &output, err))
        return false;
    bool written = copy(parts->study, output.file, err);
    if (!written) {
        files_discard(&output);
        return false;
    }
    print_points(output.file, number, points);
    return files_commit(&output, err);
}

bool parts_write(struct parts *parts, const uint64_t *number, size_t points, struct err *err)
{
    if (mkdir(parts->folder, 0777) != 0 && errno != EEXIST)
        return err_set(err, ERR_WRITE, "%.200s: %s; expected a folder that can be made",
                       parts->folder, strerror(errno));
    if (parts->count > points)
        parts->count = (unsigned)points;
    memset(parts->merged, 0, sizeof parts->merged);
    for (unsigned part = 1; part <= parts->count; part++) {
        size_t from = points * (part - 1) / parts->count, to = points * part / parts->count;
        if (!write_part(parts, part, number + from, to - from, err))
            return false;
    }
    return true;
}

/* Returns whether the file exists and is not empty. */
static bool has(const struct parts *parts, unsigned part, const char *extension)
{
    char path[PATH_ROOM];
    struct stat status;
    return path_of(parts, part, extension, path, NULL) && stat(path, &status) == 0 &&
           status.st_size > 0;
}

bool parts_merge(struct parts *parts, bool all, struct results *results, struct err *err)
{
    char path[PATH_ROOM];
    for (unsigned part = 1; part <= PARTS_MAX; part++) {
        bool wanted = has(parts, part, "sqlite") &&
                      (all || (!parts->merged[part] && has(parts, part, "json")));
        if (wanted &&
            (!path_of(parts, part, "sqlite", path, err) || !results_merge(results, path, err)))
            return false;
        parts->merged[part] = parts->merged[part] || wanted;
    }
    return true;
}

void parts_remove(const struct parts *parts)
{
    static const char *const extension[] = {"study", "json", "sqlite-journal", "sqlite"};
    char path[PATH_ROOM];
    for (unsigned part = 1; part <= PARTS_MAX; part++)
        for (size_t which = 0; which < sizeof extension / sizeof *extension; which++)
            if (path_of(parts, part, extension[which], path, NULL))
                unlink(path);
}
