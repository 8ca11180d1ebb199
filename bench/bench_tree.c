/* SPDX-License-Identifier: Apache-2.0 */
/* bench_tree: the speed at which engines simulate a fat tree of routers.
 *
 * The 64 leaves of the 4-ary tree of height 3 with capacities 1, 4, 16 exchange a packet with each
 * other, in 68 steps, with packets of 1 flit, for which a step is 1 cycle, up to 64 flits. A
 * flit-hop is one flit over one link. Runs load nothing: the tables are unchanged, and each leaf
 * receives the same packets again.
 *
 *     bench_tree [SECONDS]               duration of every measurement (default: 2)
 *     bench_tree SECONDS ENGINE [FLITS]  of csim or rtl only, with packets of FLITS flits only
 */
#include "bench/measure.h"
#include "sched/algorithms/algorithm.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/route.h"
#include "testbench/run/testbench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED 20260101
#define WIDTH 16

struct receipts {
    uint32_t nodes;
    uint64_t count;
};

static bool count_receipts(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)cycle;
    (void)err;
    struct receipts *receipts = self;
    for (uint32_t node = 0; obs != NULL && node < receipts->nodes; node++)
        receipts->count += obs[node] >> 31;
    return true;
}

static bool make_image(const struct schedule *schedule, uint32_t flits, struct image *image,
                       struct err *err)
{
    struct machine machine = {.kind = MACHINE_FAT_TREE, .width = WIDTH};
    struct payload payload;
    machine.topology = schedule->topology;
    bool made =
        payload_random(SEED, (size_t)schedule->packets * flits * WIDTH / 8, &payload, err) &&
        payload_cut(&payload, schedule->packets, flits, flits, WIDTH, err) &&
        machine_sizing_fit(schedule, flits, NULL, &machine, err) &&
        route_schedule(schedule, &machine, &payload, image, err);
    payload_free(&payload);
    return made;
}

/* Checks that every leaf has received all its packets; otherwise the measured speed would be that
 * of a wrong run. */
static bool run_once(struct testbench *testbench, const struct image *image, uint64_t *cycles,
                     struct err *err)
{
    struct receipts receipts = {.nodes = machine_ports(&testbench->machine)};
    uint64_t expected = (uint64_t)receipts.nodes * (receipts.nodes - 1), run_cycles;
    const struct testbench_observer observer = {&receipts, count_receipts};
    if (!testbench_run(testbench, &image->run, &observer, &run_cycles, err))
        return false;
    *cycles += run_cycles;
    return receipts.count == expected ||
           err_set(err, ERR_BUG, "%" PRIu64 " receipts; expected %" PRIu64, receipts.count,
                   expected);
}

static bool measure(enum engine_kind kind, const struct schedule *schedule, uint32_t flits,
                    double least, struct err *err)
{
    struct image image;
    struct testbench testbench;
    if (!make_image(schedule, flits, &image, err))
        return false;
    bool ran = testbench_open(&kind, 1, &image.machine, false, &testbench, err);
    if (ran) {
        uint64_t cycles = 0, runs = 0;
        ran = testbench_load(&testbench, &image, err);
        double start = measure_cpu_seconds(), seconds = 0;
        for (; ran && seconds < least; runs++) {
            ran = run_once(&testbench, &image, &cycles, err);
            seconds = measure_cpu_seconds() - start;
        }
        if (ran)
            printf("%5" PRIu32 "  %-6s  %10.0f  %10.0f  %12.1f\n", flits, engine_name(kind),
                   (double)cycles / seconds, (double)(runs * schedule->end) / seconds,
                   (double)(runs * schedule->transfer_count * flits) / seconds * 1e-6);
        fflush(stdout);
        testbench_close(&testbench);
    }
    image_free(&image);
    return ran;
}

static bool build(struct schedule *schedule, struct err *err)
{
    struct topology tree;
    struct collective asked = {.m = 1, .model = MODEL_MULTIPORT, .topology = &tree};
    const struct algorithm *exchange = algorithm_find("tree-total-exchange", err);
    if (exchange == NULL || !topology_parse_tree("4,4,4", "exp", &tree, err))
        return false;
    asked.n = tree.nodes;
    while (strcmp(exchange->methods[asked.method], "pipelined") != 0)
        asked.method++;
    return algorithm_build(exchange, &asked, schedule, err);
}

int main(int argc, char **argv)
{
    static const uint32_t usual[] = {1, 2, 4, 8, 64};
    const char *only = argc > 2 ? argv[2] : NULL;
    uint32_t given = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
    const uint32_t *flits = given != 0 ? &given : usual;
    size_t count = given != 0 ? 1 : sizeof usual / sizeof *usual;
    double seconds = argc > 1 ? strtod(argv[1], NULL) : 2;
    struct err err = {0};
    struct schedule schedule = {0};
    bool measured = build(&schedule, &err);
    if (measured)
        printf("total exchange, 4-ary tree of 64 leaves, capacities 1, 4, 16: %" PRIu64
               " steps, %zu hops; %d bits "
               "a flit, seed %d\nflits  engine    cycles/s     steps/s  M flit-hops/s, per "
               "CPU-second\n",
               schedule.end, schedule.transfer_count, WIDTH, SEED);
    for (size_t k = 0; k < count; k++)
        for (int kind = ENGINE_CSIM; kind <= ENGINE_RTL; kind++)
            if (only == NULL || strcmp(only, engine_name((enum engine_kind)kind)) == 0)
                measured =
                    measured && measure((enum engine_kind)kind, &schedule, flits[k], seconds, &err);
    schedule_free(&schedule);
    if (!measured)
        err_print(stderr, &err, NULL);
    return measured ? 0 : err_exit_status(err.code);
}
