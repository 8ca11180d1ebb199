/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/setting_period_lab.h"

#include "sched/machine/machine_network.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/route.h"

const struct setting_period_lab_how setting_period_lab_hows[SETTING_PERIOD_LAB_HOWS] = {
    {MACHINE_FULL, false}, {MACHINE_INDEXED, false}, {MACHINE_TAGS, false},
    {MACHINE_FULL, true},  {MACHINE_INDEXED, true},  {MACHINE_TAGS, true}};

struct machine setting_period_lab_machine(const char *network, struct setting_period_lab_how how)
{
    struct machine machine = {.width = 16, .settings = how.settings, .computed = how.computed};
    struct err err = {0};
    support_true(machine_parse_network(network, &machine, &err), &err);
    return machine;
}

bool setting_period_lab_job(const struct schedule *schedule, struct machine machine,
                            unsigned log2_rows, uint32_t flits, struct support_job *job,
                            struct err *err)
{
    const struct machine least = {.log2_packets = 1, .log2_flits = 1, .log2_rows = log2_rows};
    *job = (struct support_job){0};
    if (!machine_sizing_fit(schedule, flits, &least, &machine, err))
        return false;
    support_payload(schedule, &machine, flits, SETTING_PERIOD_LAB_SEED, &job->payload);
    if (route_schedule(schedule, &machine, &job->payload, &job->image, err)) {
        job->schedule = *schedule;
        return true;
    }
    payload_free(&job->payload);
    return false;
}

bool setting_period_lab_holds(const struct support_job *job, const struct image *image,
                              struct simulate_report *report, struct err *err)
{
    static const struct simulate_options options = {.engine_count = 1, .engine = {ENGINE_CSIM}};
    return simulate(image, &job->schedule, &job->payload, &options, report, err);
}

void setting_period_lab_schedule(const char *algorithm, uint32_t n, uint32_t m,
                                 struct schedule *schedule)
{
    const struct algorithm *found = support_algorithm(algorithm);
    const struct collective asked = {
        .n = n, .m = m, .source = n * 2 / 3, .model = algorithm_model(found)};
    support_schedule(found, &asked, schedule);
}

void setting_period_lab_far(uint32_t nodes, uint64_t end, enum model model,
                            struct schedule *schedule)
{
    struct err err = {0};
    *schedule = (struct schedule){0};
    support_true(support_broadcast(schedule, "far",
                                   &(struct collective){.n = nodes, .m = 1, .model = model}, &err),
                 &err);
    struct transfer *transfer = schedule_open_step(schedule, end, 1, &err);
    support_true(transfer != NULL, &err);
    *transfer = (struct transfer){0, nodes - 1, 1};
    schedule_close_step(schedule, 1);
}
