/* SPDX-License-Identifier: Apache-2.0 */
/* bench_schedule: transfers per second to generate, verify, write and read a large broadcast, by
 * every algorithm that can do it, in its first model; the postal ones with λ = 5/2.
 *
 *     bench_schedule [N [M]]     default: 1048576 nodes, 16 packets, 16.7 million transfers
 *
 * One core, in seconds of CPU. Each figure is the best of five runs, as the others measure what
 * else the machine does; generating includes the pages that the kernel hands out. The file is
 * written and read by tmpfile (under /tmp).
 */
#include "sched/algorithms/algorithm.h"
#include "sched/verify/verify.h"

#include <stdlib.h>
#include <time.h>

#define RUNS 5

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct figures {
    double generate, verify, write, read; /* seconds, the best */
    double bytes;
    size_t transfers;
    uint64_t end; /* rounds, or ticks */
};

static void keep_best(double *best, double start)
{
    double took = seconds() - start;
    if (*best <= 0 || took < *best)
        *best = took;
}

static bool measure(const struct algorithm *algorithm, const struct collective *collective,
                    struct figures *figures, struct err *err)
{
    struct schedule schedule = {0}, again = {0};
    struct verify_report report;
    double start = seconds();
    bool held = algorithm_build(algorithm, collective, &schedule, err);
    keep_best(&figures->generate, start);

    start = seconds();
    held = held && verify_schedule(algorithm->name, &schedule, &report, err);
    keep_best(&figures->verify, start);

    FILE *file = tmpfile();
    if (file == NULL)
        held = err_set(err, ERR_WRITE, "no temporary file");
    start = seconds();
    held = held && schedule_write(file, "temporary file", &schedule, err);
    keep_best(&figures->write, start);

    if (held) {
        figures->bytes = (double)ftell(file);
        rewind(file);
    }
    start = seconds();
    held = held && schedule_read(file, "temporary file", &again, err);
    keep_best(&figures->read, start);

    figures->transfers = again.transfer_count;
    figures->end = again.end;
    if (file != NULL)
        fclose(file);
    schedule_free(&schedule);
    schedule_free(&again);
    return held;
}

static bool bench(const struct algorithm *algorithm, struct collective collective, struct err *err)
{
    struct figures best = {0};
    char end[RATIONAL_TEXT];
    collective.model = algorithm_model(algorithm);
    if (!algorithm_check(algorithm, &collective, err)) {
        printf("%-15s  %s\n", algorithm->name, err->text);
        return true;
    }
    for (unsigned run = 0; run < RUNS; run++)
        if (!measure(algorithm, &collective, &best, err))
            return false;
    double million = 1e-6 * (double)best.transfers;
    rational_text(best.end, collective.model == MODEL_POSTAL ? collective.lambda.denominator : 1,
                  end);
    printf("%-15s  %9zu  %9s  %7.2f  %8.0f  %6.0f  %5.0f  %5.0f  %9.0f\n", algorithm->name,
           best.transfers, end, best.generate, million / best.generate, million / best.verify,
           million / best.write, million / best.read, 1e-6 * best.bytes);
    return true;
}

int main(int argc, char **argv)
{
    const struct collective collective = {.n = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10)
                                                        : 1u << 20,
                                          .m = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 16,
                                          .lambda = {5, 2}};
    struct err err = {0};
    printf("broadcast of %u packets to %u nodes, million transfers per second\n\n", collective.m,
           collective.n);
    printf("%-15s  %9s  %9s  %7s  %8s  %6s  %5s  %5s  %9s\n", "algorithm", "transfers", "end", "s",
           "generate", "verify", "write", "read", "file, MB");
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++)
        if ((*entry)->kind == collective.kind && !bench(*entry, collective, &err)) {
            err_print(stderr, &err);
            return err_exit_status(err.code);
        }
    return 0;
}
