/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/running.h"

#include "tests/support/cmocka_all.h"

#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The text that tell() prints: written by the program, read by the handler of its own signal. */
static char current[512] = "under way: no test yet\n";
static const struct CMUnitTest *tests; /* of the group that runs */
static size_t next;

static void note(const char *separator, const char *text)
{
    snprintf(current, sizeof current, "under way: %s%s%s\n",
             next > 0 ? tests[next - 1].name : "no test yet", separator, text);
}

void running(const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    note(": ", text);
}

bool running_exhaustive(void)
{
    return getenv("ROUNDCAST_EXHAUSTIVE") != NULL;
}

unsigned running_stride(unsigned sampled)
{
    return running_exhaustive() ? 1 : sampled;
}

#if defined __SANITIZE_ADDRESS__
#define SLOWER 3
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SLOWER 3
#endif
#endif
#ifndef SLOWER
#define SLOWER 1
#endif

unsigned running_stride_long(unsigned sampled)
{
    return running_exhaustive() ? 1 : SLOWER * sampled;
}

uint64_t running_met(uint64_t cases, unsigned sampled)
{
    unsigned stride = running_stride(sampled);
    return (cases + stride - 1) / stride;
}

static void print_result(int number)
{
    ssize_t written = write(STDERR_FILENO, current, strlen(current));
    (void)written;
    raise(number); /* SA_RESETHAND: this time it ends the program */
}

/* Lines that were printed before the end are not lost in a buffer: seeds among them. */
__attribute__((constructor)) static void listen_for_the_end(void)
{
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    const struct sigaction action = {.sa_handler = print_result,
                                     .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
    sigaction(SIGTERM, &action, NULL);
}

/* The set-up of every test of a wrapped group: they run in order. */
static int begin(void **state)
{
    const struct CMUnitTest *test = &tests[next++];
    note("", "");
    return test->setup_func != NULL ? test->setup_func(state) : 0;
}

/* The names are the linker's. */
int __real__cmocka_run_group_tests(const char *group, const struct CMUnitTest *test, size_t count,
                                   CMFixtureFunction setup, CMFixtureFunction teardown);
int __wrap__cmocka_run_group_tests(const char *group, const struct CMUnitTest *test, size_t count,
                                   CMFixtureFunction setup, CMFixtureFunction teardown);

/* Returns whether TEST_CASE, a shell pattern, matches a part of the test's name; if it begins with
 * an exclamation mark, whether it does not. */
static bool is_wanted(const char *name)
{
    const char *part = getenv("TEST_CASE");
    char pattern[256];
    if (part == NULL)
        return true;
    const bool others = *part == '!';
    int length = snprintf(pattern, sizeof pattern, "*%s*", part + others);
    return length < (int)sizeof pattern && (fnmatch(pattern, name, 0) == 0) != others;
}

int __wrap__cmocka_run_group_tests(const char *group, const struct CMUnitTest *test, size_t count,
                                   CMFixtureFunction setup, CMFixtureFunction teardown)
{
    struct CMUnitTest *wanted = calloc(count + 1, sizeof *wanted);
    struct CMUnitTest *watched = calloc(count + 1, sizeof *watched);
    size_t number = 0;
    int failed = -1;
    if (wanted == NULL || watched == NULL)
        goto end;
    for (size_t k = 0; k < count; k++)
        if (is_wanted(test[k].name))
            wanted[number++] = test[k];
    memcpy(watched, wanted, number * sizeof *watched);
    for (size_t k = 0; k < number; k++)
        watched[k].setup_func = begin;
    tests = wanted;
    next = 0;
    /* A group without tests prints no plan. */
    failed =
        number == 0 ? 0 : __real__cmocka_run_group_tests(group, watched, number, setup, teardown);
    tests = NULL;
    next = 0;
end:
    free(wanted);
    free(watched);
    return failed;
}
