/* SPDX-License-Identifier: Apache-2.0 */
/* bench_batch: nanoseconds per port to route rounds into the tables of a network, with 1 … T
 * threads.
 *
 * It measures the routing of rounds in `roundcast route` (sched/route/route_tables.h), including
 * writing the settings to their rows: seeded random permutations; for omega networks random cyclic
 * shifts. Wall-clock time, medians of several runs; starting and ending the threads is included.
 * The tables of all thread counts are compared.
 *
 *     bench_batch [THREADS]       maximum (default: one per core, or OMP_NUM_THREADS)
 */
#include "bench/measure.h"
#include "sched/route/route_tables.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define RUNS 9

struct work {
    struct machine machine;
    struct route_table table;
    uint32_t *to; /* to[rows][ports] */
};

static size_t table_words(const struct route_table *table)
{
    return (size_t)table->stages * table->rows * table->columns;
}

static struct work work_new(struct multistage net, uint32_t rows)
{
    struct work work = {.machine = {.network = net},
                        .table = {.stages = multistage_stages(&net),
                                  .rows = rows,
                                  .columns = multistage_row_words(&net)}};
    struct rng rng = {7};
    work.table.word = measure_allocate(table_words(&work.table), sizeof *work.table.word);
    work.to = measure_allocate((size_t)net.ports * rows, sizeof *work.to);
    enum measure_rounds kind = multistage_blocks(&net) ? MEASURE_SHIFTS : MEASURE_PERMUTATIONS;
    for (uint32_t row = 0; row < rows; row++)
        measure_draw(&rng, kind, net.ports, work.to + (size_t)row * net.ports);
    return work;
}

static bool route(const struct work *work, struct err *err)
{
    struct route_batch batch;
    size_t ports = work->machine.network.ports;
    bool routed = route_batch_open(&batch, &work->machine, &work->table, err);
    for (uint32_t row = 0; routed && row < work->table.rows; row++) {
        memcpy(route_batch_next(&batch), work->to + row * ports, ports * sizeof *work->to);
        routed = route_batch_add(&batch, row, "round", err);
    }
    routed = routed && route_batch_flush(&batch, err);
    route_batch_close(&batch);
    return routed;
}

static double median(const struct work *work)
{
    double taken[RUNS];
    struct err err = {0};
    for (unsigned run = 0; run < RUNS; run++) {
        double start = measure_now_ns();
        if (!route(work, &err)) {
            err_print(stderr, &err, NULL);
            exit(err_exit_status(err.code));
        }
        taken[run] =
            (measure_now_ns() - start) / ((double)work->machine.network.ports * work->table.rows);
    }
    return measure_median(taken, RUNS);
}

static void measure(const char *name, struct multistage net, uint32_t rows, int most)
{
    struct work work = work_new(net, rows);
    size_t words = table_words(&work.table);
    uint32_t *first = measure_allocate(words, sizeof *first);
    printf("%-21s %9u %6u", name, net.ports, rows);
    for (int threads = 1; threads <= most; threads *= 2) {
        omp_set_num_threads(threads);
        printf(" %8.2f", median(&work));
        fflush(stdout);
        if (threads == 1)
            memcpy(first, work.table.word, words * sizeof *first);
        if (memcmp(first, work.table.word, words * sizeof *first) != 0) {
            fprintf(stderr, "bench_batch: %s: %d threads make other tables than 1\n", name,
                    threads);
            exit(1);
        }
        memset(work.table.word, 0, words * sizeof *first);
    }
    putchar('\n');
    free(first);
    free(work.to);
    free(work.table.word);
}

int main(int argc, char **argv)
{
    int most = argc > 1 ? atoi(argv[1]) : omp_get_max_threads();
    printf("%-21s %9s %6s   ns per port with 1, 2, 4 … %d threads\n", "network", "ports", "rows",
           most);
    measure("benes:64", multistage_benes(64), 64, most);
    measure("benes:64", multistage_benes(64), 8192, most);
    measure("benes:1024", multistage_benes(1024), 64, most);
    measure("benes:1024", multistage_benes(1024), 1024, most);
    measure("benes:65536", multistage_benes(65536), 31, most);
    measure("benes:1048576", multistage_benes(1048576), 8, most);
    measure("benes:1048576", multistage_benes(1048576), 1, most);
    measure("benes:1000", multistage_benes(1000), 1024, most);
    measure("benes:1000000", multistage_benes(1000000), 8, most);
    measure("benes:1000000", multistage_benes(1000000), 1, most);
    measure("clos:24,24,24", multistage_clos(24, 24, 24), 1024, most);
    measure("clos:256,256,256", multistage_clos(256, 256, 256), 31, most);
    measure("benes:65536,radix=4", multistage_radix_benes(4, 8), 31, most);
    measure("benes:1048576,radix=4", multistage_radix_benes(4, 10), 1, most);
    measure("omega:65536", multistage_omega(65536), 31, most);
    return 0;
}
