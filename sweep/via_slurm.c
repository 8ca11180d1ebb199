/* SPDX-License-Identifier: Apache-2.0 */
/* via_slurm: jobs of Slurm, an array with a task for each part.
 *
 * FOLDER/job contains the number of the array while it runs, so that a sweep that was interrupted
 * can wait for it. A task whose host fails is queued again, and continues with the rows that the
 * part already has.
 */
#include "sched/base/files.h"
#include "sweep/lines.h"
#include "sweep/via.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TEXT_ROOM 4096

/* Writes a text to FOLDER/NAME. */
static bool put(const struct via_options *options, const char *name, const char *text,
                struct err *err)
{
    char *path;
    struct files_output output;
    if (asprintf(&path, "%s/%s", options->folder, name) < 0)
        return err_no_memory(err, "a job");
    bool opened = files_open_output(path, &output, err);
    free(path);
    if (!opened)
        return false;
    fputs(text, output.file);
    return files_commit(&output, err);
}

/* Writes the script of each task, which runs in the folder of the sweep. */
static bool put_script(const struct via_options *options, struct err *err)
{
    char *text = NULL, prefix[TEXT_ROOM];
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL)
        return err_no_memory(err, "a job");
    snprintf(prefix, sizeof prefix, "%s/", options->folder);
    fputs("#!/bin/sh\nexec ", to);
    via_command(to, options, prefix, "\"$SLURM_ARRAY_TASK_ID\"", "\"${SLURM_CPUS_PER_TASK:-1}\"");
    putc('\n', to);
    bool whole = !ferror(to);
    whole =
        fclose(to) == 0 && whole ? put(options, "job.sh", text, err) : err_no_memory(err, "a job");
    free(text);
    return whole;
}

/* Returns the command line that queues the tasks. The caller frees it. NULL without memory. */
static char *submission(const struct via_round *round)
{
    const struct via_options *options = round->options;
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL)
        return NULL;
    fprintf(to, "sbatch --parsable --requeue --open-mode=append --job-name=roundcast --array=1-%u",
            round->count);
    if (options->jobs > 0)
        fprintf(to, "%%%u", options->jobs);
    fputs(" --output=", to);
    shell_quote(to, options->folder);
    fputs("/slurm-%a.log ", to);
    shell_quote(to, options->folder);
    fputs("/job.sh 2>&1", to);
    fclose(to);
    return text;
}

/* Returns the number at the beginning of a text; 0: none. */
static unsigned long number_of(const char *text)
{
    return *text >= '0' && *text <= '9' ? strtoul(text, NULL, 10) : 0;
}

/* Returns the array that runs for the folder; 0: none. */
static unsigned long read_job(const struct via_options *options)
{
    char path[TEXT_ROOM], text[40] = "";
    snprintf(path, sizeof path, "%s/job", options->folder);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    size_t got = fread(text, 1, sizeof text - 1, file);
    text[got] = '\0';
    fclose(file);
    return number_of(text);
}

static void forget_job(const struct via_options *options)
{
    char path[TEXT_ROOM];
    snprintf(path, sizeof path, "%s/job", options->folder);
    unlink(path);
}

/* Returns whether the array has waiting or running tasks. Returns true also if the controller does
 * not answer, because it may answer later. */
static bool is_at_work(unsigned long job)
{
    char line[100], printed[TEXT_ROOM];
    snprintf(line, sizeof line, "squeue --noheader --jobs=%lu --format=%%T 2>&1", job);
    int status = shell_run(line, printed, sizeof printed);
    return status == 0 ? printed[0] != '\0' : strstr(printed, "Invalid job id") == NULL;
}

static bool await(const struct via_round *round, unsigned long job, struct err *err)
{
    const struct timespec pause = {.tv_sec = 1};
    while (is_at_work(job)) {
        if (!round->look(round->context, err))
            return false;
        nanosleep(&pause, NULL);
    }
    forget_job(round->options);
    return true;
}

static bool resume(const struct via_round *round, struct err *err)
{
    unsigned long job = read_job(round->options);
    return job == 0 || await(round, job, err);
}

static bool run(const struct via_round *round, struct err *err)
{
    char printed[TEXT_ROOM], *line = put_script(round->options, err) ? submission(round) : NULL;
    if (line == NULL)
        return err->code == ERR_NONE ? err_no_memory(err, "a job") : false;
    int status = shell_run(line, printed, sizeof printed);
    free(line);
    unsigned long job = status == 0 ? number_of(printed) : 0;
    printed[strcspn(printed, "\n")] = '\0';
    if (job == 0)
        return err_set(err, ERR_TOOL, "sbatch: %.200s; expected the number of a job", printed);
    return put(round->options, "job", printed, err) && await(round, job, err);
}

const struct via via_slurm = {
    .name = "slurm",
    .package = "slurm-client",
    .programs = {"sbatch", "squeue"},
    .resume = resume,
    .run = run,
};
