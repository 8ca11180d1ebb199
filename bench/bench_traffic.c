/* SPDX-License-Identifier: Apache-2.0 */
/* bench_traffic: seconds to find the rounds of a traffic matrix, to build a schedule of them, and
 * to verify it, without a reconfiguration cost.
 *
 *     bench_traffic [RUNS [PART]]     default: 5 runs; PART: only patterns that begin with it
 *
 * Values are CPU times on one core, because other programs may run on the machine, and medians of
 * the runs.
 */
#include "bench/measure.h"
#include "sched/algorithms/algorithm.h"
#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"
#include "sched/decompose/decompose.h"
#include "sched/traffic/traffic.h"
#include "sched/verify/verify.h"

#include <inttypes.h>
#include <string.h>

#define MAX_RUNS 100

struct pattern {
    const char *pattern;
    uint32_t nodes;
};

static const struct pattern demands[] = {
    {"blocks:1,1024", 1024}, {"uniform:1024", 1024}, {"blocks:1,4096", 4096},
    {"uniform:4096", 4096},  {"uniform:152", 65536}, {"moe:76,2", 65536},
};

struct figures {
    double rounds[MAX_RUNS], build[MAX_RUNS], verify[MAX_RUNS]; /* seconds of CPU */
};

static bool measure(const struct collective *asked, unsigned run, struct figures *figures,
                    struct err *err)
{
    struct schedule schedule = {0};
    struct verify_report report;
    uint32_t *round_of = NULL;
    double start = measure_cpu_seconds();
    bool held = traffic_rounds(asked->traffic, asked->load.degree, &round_of, err);
    figures->rounds[run] = measure_cpu_seconds() - start;
    free(round_of);
    start = measure_cpu_seconds();
    held = held && algorithm_build(algorithm_find("traffic", err), asked, &schedule, err);
    figures->build[run] = measure_cpu_seconds() - start;
    start = measure_cpu_seconds();
    held = held && verify_schedule("traffic", &schedule, &report, err);
    figures->verify[run] = measure_cpu_seconds() - start;
    if (held && schedule.end != asked->load.degree)
        held = err_set(err, ERR_BUG, "%" PRIu64 " round%s; expected %" PRIu64, schedule.end,
                       text_s(schedule.end), asked->load.degree);
    schedule_free(&schedule);
    return held;
}

static bool bench(const struct pattern *demand, unsigned runs, struct err *err)
{
    struct traffic traffic = {0};
    struct figures figures;
    struct collective asked = {.n = demand->nodes,
                               .m = 1,
                               .kind = COLLECTIVE_TRAFFIC,
                               .model = MODEL_SEND_RECEIVE,
                               .lambda = {1, 1},
                               .traffic = &traffic};
    bool held = traffic_make(demand->pattern, demand->nodes, 1, &traffic, err) &&
                traffic_load(&traffic, &asked.load, err);
    for (unsigned run = 0; held && run < runs; run++)
        held = measure(&asked, run, &figures, err);
    if (held)
        printf("%-13s  %6" PRIu32 "  %9" PRIu64 "  %7" PRIu64 "  %7.3f  %7.3f  %7.3f\n",
               demand->pattern, demand->nodes, traffic.packets, asked.load.degree,
               measure_median(figures.rounds, runs), measure_median(figures.build, runs),
               measure_median(figures.verify, runs));
    fflush(stdout);
    traffic_free(&traffic);
    return held;
}

int main(int argc, char **argv)
{
    unsigned runs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 5;
    const char *part = argc > 2 ? argv[2] : "";
    struct err err = {0};
    runs = runs < 1 ? 1 : MIN(runs, MAX_RUNS);
    printf("seconds of CPU, median of %u\n\n%-13s  %6s  %9s  %7s  %7s  %7s  %7s\n", runs, "traffic",
           "nodes", "packets", "rounds", "colour", "build", "verify");
    for (size_t k = 0; k < sizeof demands / sizeof *demands; k++)
        if (strncmp(demands[k].pattern, part, strlen(part)) == 0 &&
            !bench(&demands[k], runs, &err)) {
            err_print(stderr, &err, NULL);
            return err_exit_status(err.code);
        }
    return 0;
}
