/* SPDX-License-Identifier: Apache-2.0 */
/* via_parallel: jobs of GNU parallel.
 *
 * Jobs on this machine use the files of the parts directly. Jobs on other hosts run in their own
 * folder: parallel copies the study there, and copies the rows and the report back.
 */
#include "sched/base/files.h"
#include "sched/base/interrupt.h"
#include "sweep/lines.h"
#include "sweep/via.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ARGUMENTS 40
#define LOOK_NANOSECONDS 250000000

/* The arguments of parallel, and the buffers of their texts. */
struct arguments {
    char *word[ARGUMENTS];
    size_t count;
    char jobs[16];
};

static void append(struct arguments *arguments, const char *word)
{
    arguments->word[arguments->count++] = (char *)word;
}

/* Passes these variables to hosts; a host uses its own value for a variable that is not set
 * here. */
static void append_environment(struct arguments *arguments)
{
    static const char *const variable[] = {"XDG_CACHE_HOME", "ROUNDCAST_ENGINES", "ROUNDCAST_ROOT"};
    for (size_t which = 0; which < sizeof variable / sizeof *variable; which++)
        if (getenv(variable[which]) != NULL) {
            append(arguments, "--env");
            append(arguments, variable[which]);
        }
}

static void append_hosts(struct arguments *arguments, const char *sshlogin)
{
    static const char *const transfer[] = {"--transferfile", "{}.study",  "--return",
                                           "{}.sqlite",      "--return",  "{}.json",
                                           "--cleanup",      "--workdir", "..."};
    append(arguments, "--sshlogin");
    append(arguments, sshlogin);
    for (size_t which = 0; which < sizeof transfer / sizeof *transfer; which++)
        append(arguments, transfer[which]);
    append_environment(arguments);
}

static void fill(struct arguments *arguments, const struct via_options *options, char *command)
{
    static const char *const first[] = {"parallel", "--arg-file", "list", "--joblog",
                                        "joblog",   "--retries",  "3"};
    for (size_t which = 0; which < sizeof first / sizeof *first; which++)
        append(arguments, first[which]);
    if (options->jobs > 0) {
        snprintf(arguments->jobs, sizeof arguments->jobs, "%u", options->jobs);
        append(arguments, "--jobs");
        append(arguments, arguments->jobs);
    }
    if (options->sshlogin != NULL)
        append_hosts(arguments, options->sshlogin);
    append(arguments, command);
    append(arguments, NULL);
}

/* Returns the command of a job. On this machine it runs in the folder `here`, so that relative
 * paths are valid; on other hosts in the folder that parallel creates. The caller frees it. NULL
 * without memory. */
static char *make_command(const struct via_options *options, const char *here)
{
    char *text = NULL, *prefix = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL || asprintf(&prefix, "%s/", options->folder) < 0)
        prefix = NULL;
    if (prefix != NULL && options->sshlogin == NULL) {
        fputs("cd ", to);
        shell_quote(to, here);
        fputs(" && ", to);
    }
    if (prefix != NULL)
        via_command(to, options, options->sshlogin == NULL ? prefix : "", "{}", "1");
    bool whole = to != NULL && fclose(to) == 0 && prefix != NULL;
    free(prefix);
    if (whole)
        return text;
    free(text);
    return NULL;
}

/* Writes the numbers of the parts to a file in the folder. */
static bool write_list(const struct via_round *round, struct err *err)
{
    char *path;
    struct files_output output;
    if (asprintf(&path, "%s/list", round->options->folder) < 0)
        return err_no_memory(err, "a list of jobs");
    bool opened = files_open_output(path, &output, err);
    free(path);
    if (!opened)
        return false;
    for (unsigned part = 1; part <= round->count; part++)
        fprintf(output.file, "%u\n", part);
    return files_commit(&output, err);
}

/* Executes parallel, in the new process. */
static void start(const struct via_options *options, char *command)
{
    struct arguments arguments = {.count = 0};
    fill(&arguments, options, command);
    int log = chdir(options->folder) == 0
                  ? open("parallel.log", O_WRONLY | O_CREAT | O_APPEND, 0666)
                  : -1;
    if (log < 0)
        _exit(126);
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    execvp(arguments.word[0], arguments.word);
    _exit(127);
}

/* Waits until the process ends, and merges rows meanwhile. */
static bool await(const struct via_round *round, pid_t process, struct err *err)
{
    const struct timespec pause = {.tv_nsec = LOOK_NANOSECONDS};
    siginfo_t state;
    bool looked = true;
    do {
        nanosleep(&pause, NULL);
        looked = looked && (interrupt_came() || round->look(round->context, err));
        state.si_pid = 0;
    } while (waitid(P_PID, (id_t)process, &state, WEXITED | WNOHANG | WNOWAIT) == 0 &&
             state.si_pid == 0);
    int status;
    interrupt_wait(&status);
    return looked;
}

static bool run(const struct via_round *round, struct err *err)
{
    char *here = getcwd(NULL, 0);
    if (here == NULL)
        return err_set(err, ERR_READ, "the current folder: %s; expected one that exists",
                       strerror(errno));
    char *command = make_command(round->options, here);
    free(here);
    if (command == NULL)
        return err_no_memory(err, "a job");
    bool ran = write_list(round, err);
    interrupt_hold();
    pid_t process = ran ? interrupt_fork() : -1;
    if (process == 0)
        start(round->options, command);
    if (ran && process < 0)
        err_set(err, ERR_TOOL, "parallel: %s; expected to start it", strerror(errno));
    ran = process > 0 && await(round, process, err);
    interrupt_release();
    free(command);
    return ran;
}

const struct via via_parallel = {
    .name = "parallel", .package = "parallel", .programs = {"parallel"}, .run = run};
