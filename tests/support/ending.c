/* SPDX-License-Identifier: Apache-2.0 */
/* ending: writes the coverage counters of a process that ends without exit.
 *
 * The compiler's runtime writes them at exit. `make coverage-c` links all programs with these
 * functions in place of those that end a process by a signal or immediately, or that execute
 * another program. */
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#define MAX_ARGUMENTS 32

int __llvm_profile_write_file(void);
void __llvm_profile_reset_counters(void);

/* Writing adds the counters of the file to those of the process: a process that wrote them twice
 * would double the file. */
static void write_counters(void)
{
    __llvm_profile_write_file();
    __llvm_profile_reset_counters();
}

/* The names are the linker's. */
#define WRAPPED(type, name, ...)     \
    type __real_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__)

WRAPPED(void, _exit, int status)
{
    write_counters();
    __real__exit(status);
}

/* A signal may have come while memory was allocated, which writing does, too: what it would end by
 * then is not what the program ends by. */
static volatile sig_atomic_t raised;
static sigset_t raised_alone;

static void end_all_the_same(int number)
{
    (void)number;
    signal(raised, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &raised_alone, NULL);
    kill(getpid(), raised);
}

WRAPPED(int, raise, int number)
{
    raised = number;
    sigemptyset(&raised_alone);
    sigaddset(&raised_alone, number);
    signal(SIGABRT, end_all_the_same);
    signal(SIGSEGV, end_all_the_same);
    write_counters();
    return __real_raise(number);
}

WRAPPED(int, execvp, const char *program, char *const arguments[])
{
    write_counters();
    return __real_execvp(program, arguments);
}

int __wrap_execlp(const char *program, const char *argument, ...);
int __wrap_execlp(const char *program, const char *argument, ...)
{
    char *all[MAX_ARGUMENTS + 1] = {(char *)argument};
    va_list arguments;
    va_start(arguments, argument);
    for (size_t k = 1; k < MAX_ARGUMENTS && all[k - 1] != NULL; k++)
        all[k] = va_arg(arguments, char *);
    va_end(arguments);
    return __wrap_execvp(program, all);
}
