/* SPDX-License-Identifier: Apache-2.0 */
/* bench_schedule: transfers per second to generate, verify, write and read a large schedule: a
 * broadcast, by every algorithm that supports it, or that of a given algorithm of any collective, in
 * its first model; postal models with λ = 5/2.
 *
 *     bench_schedule [N [M [ALGORITHM]]]     default: 1048576 nodes, 16 packets, 16.7 million
 *                                            transfers; all broadcasts
 *
 * Each value is the median of three runs, in CPU time and in wall-clock time, which other programs
 * on the machine increase. Generating includes the pages that the kernel allocates. Verifying,
 * writing and reading are measured alternately with one thread and with two (or OMP_NUM_THREADS, if
 * less). The file is temporary (tmpfile, in /tmp).
 */
#include "bench/measure.h"
#include "sched/algorithms/algorithm.h"
#include "sched/base/compare.h"
#include "sched/verify/verify.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RUNS 3
#define MOST_THREADS 2

enum work { GENERATE, VERIFY, WRITE, READ, WORKS };
static const char *const names[WORKS] = {"generate", "verify", "write", "read"};

/* Seconds of CPU time and of wall-clock time. */
struct seconds {
    double cpu, clock;
};

struct figures {
    struct seconds run[WORKS][MOST_THREADS][RUNS];
    double bytes;
    size_t transfers;
    uint64_t end; /* rounds, or ticks */
};

static double read_clock(clockid_t which)
{
    struct timespec now;
    clock_gettime(which, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct seconds now(void)
{
    return (struct seconds){read_clock(CLOCK_PROCESS_CPUTIME_ID), read_clock(CLOCK_MONOTONIC)};
}

static struct seconds since(struct seconds start)
{
    struct seconds end = now();
    return (struct seconds){end.cpu - start.cpu, end.clock - start.clock};
}

/* Measures the steps that use threads. */
static bool measure_by(unsigned threads, unsigned run, const struct schedule *schedule,
                       struct figures *figures, struct err *err)
{
    struct schedule again = {0};
    struct verify_report report;
    omp_set_num_threads((int)threads);
    struct seconds start = now();
    bool held = verify_schedule("schedule", schedule, &report, err);
    figures->run[VERIFY][threads - 1][run] = since(start);

    FILE *file = tmpfile();
    if (file == NULL)
        return err_set(err, ERR_WRITE, "no temporary file");
    start = now();
    held = held && schedule_write(file, "temporary file", schedule, err);
    figures->run[WRITE][threads - 1][run] = since(start);

    figures->bytes = (double)ftell(file);
    rewind(file);
    start = now();
    held = held && schedule_read(file, "temporary file", &again, err);
    figures->run[READ][threads - 1][run] = since(start);
    fclose(file);
    figures->transfers = again.transfer_count;
    figures->end = again.end;
    schedule_free(&again);
    return held;
}

static bool measure(const struct algorithm *algorithm, const struct collective *collective,
                    unsigned threads, unsigned run, struct figures *figures, struct err *err)
{
    struct schedule schedule = {0};
    struct seconds start = now();
    bool held = algorithm_build(algorithm, collective, &schedule, err);
    figures->run[GENERATE][0][run] = since(start);
    for (unsigned count = 1; held && count <= threads; count++)
        held = measure_by(count, run, &schedule, figures, err);
    schedule_free(&schedule);
    return held;
}

/* Returns the median in million transfers per second. */
static double speed(const struct figures *figures, enum work work, unsigned threads, bool clock)
{
    double took[RUNS];
    for (unsigned run = 0; run < RUNS; run++) {
        const struct seconds *seconds = &figures->run[work][threads - 1][run];
        took[run] = clock ? seconds->clock : seconds->cpu;
    }
    return 1e-6 * (double)figures->transfers / measure_median(took, RUNS);
}

static bool bench(const struct algorithm *algorithm, struct collective collective, unsigned threads,
                  struct err *err)
{
    struct figures figures = {.transfers = 0};
    char end[RATIONAL_TEXT];
    collective.model = algorithm_model(algorithm);
    if (!algorithm_check(algorithm, &collective, err)) {
        printf("%-15s  %s\n", algorithm->name, err->text);
        return true;
    }
    for (unsigned run = 0; run < RUNS; run++)
        if (!measure(algorithm, &collective, threads, run, &figures, err))
            return false;
    rational_text(figures.end,
                  model_has_times(collective.model) ? collective.lambda.denominator : 1, end);
    printf("%-15s  %9zu  %9s  %8.0f  %8.0f", algorithm->name, figures.transfers, end,
           1e-6 * figures.bytes, speed(&figures, GENERATE, 1, false));
    for (enum work work = VERIFY; work < WORKS; work++)
        for (unsigned count = 1; count <= threads; count++)
            printf("  %6.0f %6.0f", speed(&figures, work, count, false),
                   speed(&figures, work, count, true));
    printf("\n");
    fflush(stdout);
    return true;
}

static void print_heads(unsigned threads)
{
    printf("%-15s  %9s  %9s  %8s  %8s", "algorithm", "transfers", "end", "file, MB",
           names[GENERATE]);
    for (enum work work = VERIFY; work < WORKS; work++)
        for (unsigned count = 1; count <= threads; count++)
            printf("  %11s %u", names[work], count);
    printf("\n");
}

int main(int argc, char **argv)
{
    const struct collective collective = {.n = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10)
                                                        : 1u << 20,
                                          .m = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 16,
                                          .lambda = {5, 2}};
    const char *only = argc > 3 ? argv[3] : NULL;
    unsigned most = (unsigned)omp_get_max_threads();
    unsigned threads = MIN(most, MOST_THREADS);
    struct err err = {0};
    printf("%u packets, %u nodes, million transfers per second: of CPU, and what 1 "
           "thread,\nor 2, do by CPU and by the clock; medians of %d\n\n",
           collective.m, collective.n, RUNS);
    print_heads(threads);
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++)
        if ((only != NULL ? strcmp(only, (*entry)->name) == 0
                          : (*entry)->kind == collective.kind) &&
            !bench(*entry, collective, threads, &err)) {
            err_print(stderr, &err, NULL);
            return err_exit_status(err.code);
        }
    return 0;
}
