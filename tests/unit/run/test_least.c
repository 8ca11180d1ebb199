/* SPDX-License-Identifier: Apache-2.0 */
/* test_least: the smallest valid schedules, images and runs: one node, one or two of everything.
 *
 * State space, exhaustive: every algorithm of complete graphs in every model that it supports, n =
 * 1 … 4, m = 1 and 2, on each of the networks below, including larger networks than required, with
 * all settings and programs, packets of one flit and of two, and on omega networks split or not;
 * every algorithm of trees of one and two levels, in both models, on both kinds of routers; every
 * algorithm of hypercubes of one and two dimensions with any set of at most two packets, on both
 * kinds of routers and on a Beneš network. Of the cases of complete graphs a 5th, all in `make
 * test-all`.
 *
 * Each schedule, after splitting or lowering if applicable, survives its text and is legal; its
 * image survives its own text; csim runs it, and every packet is checked, in its cycle and in
 * memory. A combination that cannot run is rejected with one of the codes below, and no algorithm
 * is rejected everywhere: all algorithms run on each network that must support them.
 *
 * Counter-case: the reader rejects a superfluous demand for a single node, which split once left
 * behind.
 */
#include "sched/image/packet_header.h"
#include "sched/machine/machine.h"
#include "sched/machine/machine_network.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/rewrite.h"
#include "sched/route/route.h"
#include "sched/verify/verify.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/image_lab.h"
#include "tests/support/running.h"
#include "tests/support/support.h"
#include "tests/support/tree_machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const networks[] = {
    "benes:2",    "benes:5,pipe=2",  "omega:2",     "omega:8,pipe=0",    "clos:2,2,2",
    "clos:3,2,3", "benes:9,radix=3", "multicast:2", "multicast:4,pad=1", "waksman:4"};
enum { NETWORKS = sizeof networks / sizeof *networks };
#define SAMPLED 5

/* Counts of the runs on a network. */
struct tally {
    uint64_t ran, refused, checked;
    uint64_t cases; /* every `stride`th of them is tried; 0: all */
    unsigned stride;
};

/* Replaces a schedule by the one that is read from its text. */
static void through_text(struct schedule *schedule)
{
    char *text = NULL;
    size_t size;
    struct err err = {0};
    struct verify_report verified;
    struct schedule again = {0};
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    support_true(schedule_write(file, "t.sched", schedule, &err), &err);
    fclose(file);
    file = fmemopen(text, size, "r");
    assert_non_null(file);
    support_true(schedule_read(file, "t.sched", &again, &err), &err);
    fclose(file);
    free(text);
    assert_true(again.demand_count == schedule->demand_count && again.packets == schedule->packets);
    support_true(verify_schedule("t.sched", &again, &verified, &err), &err);
    schedule_free(schedule);
    *schedule = again;
}

static void run(struct support_job *job, struct tally *tally)
{
    static const struct simulate_options options = {.engine_count = 1, .engine = {ENGINE_CSIM}};
    struct simulate_report report;
    struct err err = {0};
    image_lab_round_trip(&job->image);
    support_true(simulate(&job->image, &job->schedule, &job->payload, &options, &report, &err),
                 &err);
    assert_int_equal(report.checks.seen, report.checks.expected);
    assert_int_equal(report.checks.packets, report.checks.wanted);
    tally->ran++;
    tally->checked += report.checks.packets;
}

/* Makes the payload, routes and runs, if the machine supports it. Frees the schedule. */
static void try(struct schedule *schedule, struct machine machine, uint32_t flits,
                struct tally *tally)
{
    struct support_job job = {.schedule = *schedule};
    struct err err = {0};
    uint32_t all = flits + machine_header_flits(&machine), data = schedule_data_packets(schedule);
    if (machine_sizing_fit(schedule, all, NULL, &machine, &err)) {
        support_true(payload_random(1, (size_t)flits * machine.width / 8 * (data > 0 ? data : 1),
                                    &job.payload, &err),
                     &err);
        job.payload.header_flits = machine_header_flits(&machine);
        support_true(payload_cut(&job.payload, data > 0 ? data : 1, all, all, machine.width, &err),
                     &err);
    }
    if (err.code == ERR_NONE && packet_header_write(schedule, &machine, &job.payload, &err) &&
        route_schedule(schedule, &machine, &job.payload, &job.image, &err)) {
        run(&job, tally);
    } else {
        const enum err_code known[] = {ERR_NETWORK, ERR_TOO_SMALL, ERR_BLOCKED, ERR_IRREGULAR,
                                       ERR_UNSUPPORTED};
        bool is_known = false;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            is_known = is_known || err.code == known[k];
        support_true(is_known, &err);
        tally->refused++;
    }
    support_job_free(&job);
}

/* -- Complete graphs --------------------------------------------------------------------------- */

static void try_split(const struct algorithm *algorithm, const struct collective *asked,
                      struct machine machine, bool split, uint32_t flits, struct tally *tally)
{
    struct schedule schedule = {0}, parts = {0};
    struct split_report report;
    struct err err = {0};
    support_schedule(algorithm, asked, &schedule);
    if (split && split_schedule(&schedule, &machine.network, &parts, &report, &err)) {
        assert_true(parts.packets == schedule.packets &&
                    parts.demand_count == schedule.demand_count);
        schedule_free(&schedule);
        schedule = parts;
    } else if (split) {
        assert_true(err.code == ERR_UNSUPPORTED || err.code == ERR_TOO_SMALL);
    }
    through_text(&schedule);
    try(&schedule, machine, flits, tally);
}

static void try_machine(const struct algorithm *algorithm, struct collective asked,
                        const char *network, struct tally *tally)
{
    for (unsigned how = 0; how < 2 * 2 * 4 * 2; how++) {
        uint32_t flits = 1 + how % 2;
        bool split = how / 2 % 2;
        struct machine machine = {.width = 16,
                                  .settings = (enum machine_settings)(how / 4 % 4),
                                  .computed = how / 16 % 2};
        struct err err = {0};
        support_true(machine_parse_network(network, &machine, &err), &err);
        if ((split && !multistage_blocks(&machine.network)) ||
            !machine_check_settings(&machine, NULL))
            continue;
        asked.lambda = machine_lambda(&machine, flits);
        if (algorithm_check(algorithm, &asked, NULL) &&
            (tally->stride == 0 || tally->cases++ % tally->stride == 0))
            try_split(algorithm, &asked, machine, split, flits, tally);
    }
}

static void complete_graphs(void **state)
{
    (void)state;
    struct tally tally[NETWORKS];
    for (unsigned network = 0; network < NETWORKS; network++)
        tally[network] = (struct tally){.stride = running_stride(SAMPLED)};
    for (const struct algorithm *const *at = support_routable(); *at != NULL; at++)
        for (unsigned which = 0; which < MODEL_COUNT * 4 * 2; which++) {
            enum model model = (enum model)(which / 8);
            const struct collective asked = {
                .n = 1 + which / 2 % 4, .m = 1 + which % 2, .model = model, .lambda = {1, 1}};
            if ((*at)->topology != TOPOLOGY_COMPLETE || !((*at)->models & 1u << model))
                continue;
            for (unsigned network = 0; network < NETWORKS; network++)
                try_machine(*at, asked, networks[network], &tally[network]);
        }
    for (unsigned network = 0; network < NETWORKS; network++) {
        print_message("%s: %" PRIu64 " runs, %" PRIu64 " refused, %" PRIu64 " packets in memory\n",
                      networks[network], tally[network].ran, tally[network].refused,
                      tally[network].checked);
        assert_true(tally[network].ran > 20 && tally[network].checked > tally[network].ran);
        assert_int_equal(tally[network].ran + tally[network].refused,
                         running_met(tally[network].cases, SAMPLED));
    }
}

/* A schedule without transfers runs on any network, with any settings. */
static void a_single_node(void **state)
{
    (void)state;
    for (unsigned network = 0; network < NETWORKS; network++) {
        struct tally tally = {0};
        const struct collective asked = {.n = 1, .m = 2, .model = MODEL_SEND_RECEIVE};
        try_machine(support_algorithm("circulant"), asked, networks[network], &tally);
        assert_true(tally.ran >= 2 * 2 * 2 && tally.refused == 0);
        assert_int_equal(tally.checked, 2 * tally.ran);
    }
}

/* -- Trees and hypercubes ---------------------------------------------------------------------- */

static void try_routers(const struct schedule *schedule, enum machine_kind kind,
                        struct tally *tally)
{
    for (unsigned how = 0; how < 2 * 2; how++) {
        struct schedule copy = {0};
        struct err err = {0};
        support_true(schedule_init_empty(&copy, schedule->algorithm, &schedule->topology,
                                         schedule->model, &err) &&
                         schedule_copy_demands(schedule, &copy, &err),
                     &err);
        for (size_t k = 0; k < schedule->step_count; k++) {
            size_t first = schedule->step[k].first, end = schedule_step_end(schedule, k);
            assert_non_null(schedule_open_step(&copy, schedule->step[k].time, end - first, &err));
            for (size_t t = first; t < end; t++)
                support_true(schedule->lane != NULL
                                 ? schedule_append_lane(&copy, schedule->transfer[t],
                                                        schedule->lane[t], &err)
                                 : schedule_append(&copy, schedule->transfer[t], &err),
                             &err);
            schedule_close_step(&copy, 0);
        }
        through_text(&copy);
        try(&copy, tree_machine_of(kind, &schedule->topology, how / 2), 1 + how % 2, tally);
    }
}

static void trees(void **state)
{
    (void)state;
    static const uint32_t children[] = {2, 2}, capacity[] = {1, 2};
    struct tally tables = {0}, rules = {0};
    for (unsigned height = 1; height <= 2; height++)
        for (const struct algorithm *const *at = support_routable(); *at != NULL; at++)
            for (unsigned method = 0; method < 2 * algorithm_methods(*at); method++) {
                struct topology tree;
                struct schedule schedule = {0};
                struct err err = {0};
                support_true(topology_tree(height, children, capacity, &tree, &err), &err);
                const struct collective asked = {.n = tree.nodes,
                                                 .m = 1,
                                                 .model = method % 2 ? MODEL_MULTIPORT
                                                                     : MODEL_SINGLE_PORT,
                                                 .topology = &tree,
                                                 .kind = (*at)->kind,
                                                 .method = method / 2};
                if ((*at)->topology != TOPOLOGY_TREE || !algorithm_check(*at, &asked, NULL))
                    continue;
                support_true(algorithm_build(*at, &asked, &schedule, &err), &err);
                try_routers(&schedule, MACHINE_FAT_TREE, &tables);
                try_routers(&schedule, MACHINE_FAT_TREE_AUTO, &rules);
                schedule_free(&schedule);
            }
    print_message("trees: %" PRIu64 " runs with tables, %" PRIu64 " without\n", tables.ran,
                  rules.ran);
    assert_true(tables.ran > 40 && tables.refused == 0 && rules.ran > 40);
}

static void hypercubes(void **state)
{
    (void)state;
    struct tally tables = {0}, rules = {0}, lowered = {0};
    for (unsigned d = 1; d <= 2; d++)
        for (const struct algorithm *const *at = support_routable(); *at != NULL; at++)
            for (unsigned set = 0; set < 3 * 16 * algorithm_methods(*at); set++) {
                const uint32_t nodes = 1u << d, sources[] = {set / 4 % 4, set % 4};
                struct topology cube;
                struct schedule schedule = {0}, complete = {0};
                struct err err = {0};
                support_true(topology_hypercube(d, &cube, &err), &err);
                const struct collective asked = {.n = nodes,
                                                 .m = set / 16 % 3,
                                                 .source = sources[0],
                                                 .model = MODEL_ALL_PORT,
                                                 .topology = &cube,
                                                 .kind = (*at)->kind,
                                                 .method = set / 48,
                                                 .sources = sources};
                if ((*at)->topology != TOPOLOGY_HYPERCUBE || !algorithm_check(*at, &asked, NULL))
                    continue;
                support_true(algorithm_build(*at, &asked, &schedule, &err), &err);
                if (schedule.demand_count > 0) {
                    try_routers(&schedule, MACHINE_CUBE, &tables);
                    try_routers(&schedule, MACHINE_CUBE_AUTO, &rules);
                    support_true(hypercube_to_rounds(&schedule, &complete, &err), &err);
                    through_text(&complete);
                    struct machine machine = {
                        .network = multistage_benes(nodes), .pipe = 1, .width = 16};
                    try(&complete, machine, 2, &lowered);
                }
                schedule_free(&schedule);
            }
    print_message("hypercubes: %" PRIu64 " runs with tables, %" PRIu64 " without, %" PRIu64
                  " on benes\n",
                  tables.ran, rules.ran, lowered.ran);
    assert_true(tables.ran > 40 && tables.refused == 0 && rules.ran > 40 && lowered.ran > 10);
}

/* -- Counter-case ------------------------------------------------------------------------------ */

static void a_demand_too_many_is_refused(void **state)
{
    (void)state;
    static const char text[] = "roundcast-schedule 1\nalgorithm matching\ntopology complete 1\n"
                               "model send-receive\ndemand 1 0 *\ndemand 1 0 *\nend 0\n";
    struct schedule schedule = {0};
    struct err err = {0};
    assert_false(support_read(text, "t.sched", &schedule, &err));
    support_error(&err, ERR_DEMAND, "t.sched:6: packet 1 is in a demand before");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(complete_graphs),
        cmocka_unit_test(a_single_node),
        cmocka_unit_test(trees),
        cmocka_unit_test(hypercubes),
        cmocka_unit_test(a_demand_too_many_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
