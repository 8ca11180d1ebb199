/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/schedule_file.h"

#include "sched/base/files.h"

#include <sys/stat.h>

bool schedule_file_read_any(const char *path, struct schedule *schedule, struct err *err)
{
    FILE *file = files_open_input(path, err);
    if (file == NULL)
        return false;
    struct stat status;
    if (fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode)) {
        files_close_input(file);
        return err_set(err, ERR_READ,
                       "%.60s: is a folder; expected a schedule, such as %.60s/schedule.sched in a "
                       "folder that 'roundcast route' wrote",
                       path, path);
    }
    bool read = schedule_read(file, files_input_name(path), schedule, err);
    files_close_input(file);
    return read;
}

bool schedule_file_read(const char *path, struct schedule *schedule, struct err *err)
{
    if (!schedule_file_read_any(path, schedule, err))
        return false;
    bool uncombined = schedule_check_uncombined(files_input_name(path), schedule, err);
    if (!uncombined)
        schedule_free(schedule);
    return uncombined;
}

bool schedule_file_write(const char *path, const struct schedule *schedule, struct err *err)
{
    struct files_output output;
    if (!files_open_output(path, &output, err))
        return false;
    if (!schedule_write(output.file, output.name, schedule, err)) {
        files_discard(&output);
        return false;
    }
    return files_commit(&output, err);
}
