/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/permutation_lab.h"

#include "sched/base/rng.h"
#include "sched/machine/machine_address.h"
#include "sched/network/network_router.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/route.h"
#include "sched/verify/verify.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"

#include <stdlib.h>

struct permutation_lab permutation_lab_open(struct multistage net, uint32_t nodes)
{
    struct permutation_lab lab = {.net = net, .nodes = nodes, .pipe = 1};
    struct err err = {0};
    const struct topology topology = topology_complete(nodes);
    assert_true(nodes <= PERMUTATION_LAB_MOST && net.ports <= PERMUTATION_LAB_MOST);
    enum model model = multistage_copies(&net) ? MODEL_FABRIC_MULTICAST : MODEL_SEND_RECEIVE;
    support_true(schedule_init_empty(&lab.schedule, "permutations", &topology, model, &err), &err);
    lab.router = network_router_new(&net, &err);
    support_true(lab.router != NULL, &err);
    lab.row = malloc(multistage_stages(&net) * multistage_row_words(&net) * sizeof *lab.row);
    assert_non_null(lab.row);
    return lab;
}

void permutation_lab_add(struct permutation_lab *lab)
{
    struct err err = {0};
    uint32_t count = 0, ports[PERMUTATION_LAB_MOST];
    for (uint32_t port = 0; port < lab->net.ports; port++) {
        bool sends = port < lab->nodes && lab->to[port] != MULTISTAGE_IDLE && lab->to[port] != port;
        ports[port] = sends ? lab->to[port] : MULTISTAGE_IDLE;
        count += sends;
    }
    bool full = multistage_blocks(&lab->net); /* fixed points are circuits as well */
    if (full && !network_route(lab->router, lab->to, lab->row, &err)) {
        assert_int_equal(err.code, ERR_BLOCKED);
        lab->blocked++;
        return;
    }
    if (count == 0)
        return;
    struct transfer *transfer = schedule_open_step(&lab->schedule, ++lab->rounds, count, &err);
    support_true(transfer != NULL, &err);
    for (uint32_t port = 0; port < lab->nodes; port++)
        if (ports[port] != MULTISTAGE_IDLE) {
            *transfer++ =
                (struct transfer){.source = port, .destination = ports[port], .packet = port + 1};
            lab->reached[port][ports[port]] = true;
        }
    schedule_close_step(&lab->schedule, count);
}

void permutation_lab_map(struct permutation_lab *lab, const uint32_t from[])
{
    struct err err = {0};
    uint32_t count = 0;
    for (uint32_t node = 0; node < lab->nodes; node++)
        count += from[node] < lab->nodes && from[node] != node;
    if (count == 0)
        return;
    struct transfer *transfer = schedule_open_step(&lab->schedule, ++lab->rounds, count, &err);
    support_true(transfer != NULL, &err);
    for (uint32_t source = 0; source < lab->nodes; source++)
        for (uint32_t node = 0; node < lab->nodes; node++)
            if (from[node] == source && node != source) {
                *transfer++ =
                    (struct transfer){.source = source, .destination = node, .packet = source + 1};
                lab->reached[source][node] = true;
            }
    schedule_close_step(&lab->schedule, count);
}

static void permutation_lab_rest(struct permutation_lab *lab, uint32_t port, uint32_t taken,
                                 bool partial)
{
    if (port == lab->nodes) {
        permutation_lab_add(lab);
        return;
    }
    for (uint32_t output = 0; output < lab->nodes; output++)
        if (!(taken >> output & 1) && !(partial && output == port)) {
            lab->to[port] = output;
            permutation_lab_rest(lab, port + 1, taken | 1u << output, partial);
        }
    lab->to[port] = MULTISTAGE_IDLE;
    if (partial)
        permutation_lab_rest(lab, port + 1, taken, partial);
}

void permutation_lab_all(struct permutation_lab *lab, bool partial)
{
    permutation_lab_rest(lab, 0, 0, partial);
}

uint32_t permutation_lab_count(uint32_t things)
{
    int64_t choose[9][9] = {{0}}, sum = 0;
    for (uint32_t n = 0; n <= 8; n++)
        for (uint32_t k = 0; k <= n; k++)
            choose[n][k] = k == 0 || k == n ? 1 : choose[n - 1][k - 1] + choose[n - 1][k];
    for (uint32_t k = 0; k <= things; k++) {
        int64_t partial = 0, factorial = 1;
        for (uint32_t i = 0; i <= things - k; factorial *= ++i)
            partial += choose[things - k][i] * choose[things - k][i] * factorial;
        sum += (k % 2 == 0 ? 1 : -1) * choose[things][k] * partial;
    }
    return (uint32_t)sum;
}

void permutation_lab_sample(struct permutation_lab *lab, uint32_t rounds, uint64_t seed)
{
    struct rng rng = {seed};
    while (lab->rounds < rounds) {
        rng_permutation(&rng, lab->nodes, lab->to);
        uint32_t idle = lab->rounds % 3 == 0 ? 0 : rng_below(&rng, 100);
        for (uint32_t port = 0; port < lab->nodes; port++)
            if (rng_below(&rng, 100) < idle)
                lab->to[port] = MULTISTAGE_IDLE;
        permutation_lab_add(lab);
    }
}

/* Every node that receives a packet in a round demands it. */
static void permutation_lab_demand(struct permutation_lab *lab)
{
    struct err err = {0};
    for (uint32_t node = 0; node < lab->nodes; node++) {
        uint32_t wanted[PERMUTATION_LAB_MOST], count = 0;
        for (uint32_t to = 0; to < lab->nodes; to++)
            if (lab->reached[node][to] || (to == node && lab->schedule.transfer_count > 0))
                wanted[count++] = to;
        support_true(schedule_add_demand(&lab->schedule, 1, node, wanted, count, &err), &err);
    }
}

/* With few ports and full settings, one machine holds all rounds that exist, so that one model
 * serves all tests. */
static const struct machine *permutation_lab_least(const struct permutation_lab *lab)
{
    static const struct machine all = {.log2_packets = 3, .log2_flits = 1, .log2_rows = 13};
    return lab->net.ports <= 8 && lab->settings == MACHINE_FULL ? &all : NULL;
}

void permutation_lab_job(struct permutation_lab *lab, uint32_t flits, struct support_job *job)
{
    struct err err = {0};
    struct verify_report verified;
    permutation_lab_demand(lab);
    *job = (struct support_job){.schedule = lab->schedule};
    support_true(verify_schedule("permutations", &job->schedule, &verified, &err), &err);
    struct machine machine = {.network = lab->net,
                              .settings = lab->settings,
                              .pipe = lab->pipe,
                              .pad = lab->pad,
                              .width = 16};
    support_true(
        machine_sizing_fit(&job->schedule, flits, permutation_lab_least(lab), &machine, &err),
        &err);
    support_payload(&job->schedule, &machine, flits, 1, &job->payload);
    support_true(route_schedule(&job->schedule, &machine, &job->payload, &job->image, &err), &err);
    network_router_free(lab->router);
    free(lab->row);
}

uint64_t permutation_lab_run(struct permutation_lab *lab, uint32_t flits)
{
    const struct simulate_options options = {.engine_count = 2,
                                             .engine = {ENGINE_CSIM, ENGINE_RTL}};
    struct simulate_report report;
    struct support_job job;
    struct err err = {0};
    permutation_lab_job(lab, flits > 0 ? flits : 1, &job);
    support_true(simulate(&job.image, &job.schedule, &job.payload, &options, &report, &err), &err);
    assert_true(report.checks.seen == report.checks.expected && report.checks.seen > 0);
    assert_int_equal(report.checks.seen, job.schedule.transfer_count);
    support_job_free(&job);
    return report.checks.seen;
}

void permutation_lab_broken(struct multistage net, uint32_t nodes, uint64_t seed)
{
    const struct simulate_options options = {.engine_count = 2,
                                             .engine = {ENGINE_CSIM, ENGINE_RTL}};
    struct permutation_lab lab = permutation_lab_open(net, nodes);
    struct simulate_report report;
    struct support_job job;
    struct err err = {0};
    for (uint32_t port = 0; port < nodes; port++)
        lab.to[port] = (port + 1 + (uint32_t)(seed % (nodes - 1))) % nodes;
    permutation_lab_add(&lab);
    permutation_lab_job(&lab, 1, &job);
    for (size_t k = 0; k < job.image.count; k++)
        if (job.image.word[k].address == machine_table_address(&job.image.machine, 0, 0, 0))
            job.image.word[k].word ^= 1;
    assert_false(simulate(&job.image, &job.schedule, &job.payload, &options, &report, &err));
    assert_int_equal(err_exit_status(err.code), 1);
    support_job_free(&job);
}
