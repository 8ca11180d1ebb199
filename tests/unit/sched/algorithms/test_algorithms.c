/* SPDX-License-Identifier: Apache-2.0 */
/* test_algorithms: every broadcast that can be built is legal, has the predicted length, and has no
 * redundant transfers.
 *
 * State space: algorithm × model × n × m × source. Exhaustive: n = 1 … 40 with m in {1, 2, 3, 5, 8,
 * 21}, every algorithm, every model that it supports (postal: seven λ), the sources 0, 1, n/2 and
 * n-1; for the two optimal algorithms also n ≤ 34 with all m ≤ 70. Sampled: sizes next to powers of
 * two and halfway between them up to n = 1537, n = 65537 and 2^20 (every 5th of the latter, the
 * others with 2^16 instead; `make test-all` runs all), and the rows of golden/complete-graph.csv,
 * which another implementation generated.
 *
 * This file has a second judge of a few lines, which shares no code with verify.c. verify checks
 * each schedule as well, and both must agree. There are no redundant transfers: the number of
 * transfers is exactly m·(n-1).
 */
#include "sched/algorithms/algorithm.h"
#include "sched/bound/bound.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/postal_reference.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define GOLDEN "tests/golden/complete-graph.csv"

/* Executes the schedule round by round with a table of the packets that each node holds and since
 * when. Fails at any breach. */
static void judge(const struct schedule *s, uint32_t source)
{
    size_t row = s->packets + 1;
    uint64_t *since = calloc(s->nodes * row, sizeof *since); /* round of the receipt, 0: not yet */
    uint64_t *sends = calloc(s->nodes, sizeof *sends),
             *receives = calloc(s->nodes, sizeof *receives);
    uint32_t *partner = calloc(s->nodes, sizeof *partner), *sent = calloc(s->nodes, sizeof *sent);
    assert_true(sent != NULL && since != NULL && sends != NULL && receives != NULL &&
                partner != NULL);
    uint64_t last = 0;
    for (size_t k = 0; k < s->step_count; k++) {
        uint64_t round = s->step[k].time;
        assert_true(round > last);
        last = round;
        for (size_t index = s->step[k].first; index < schedule_step_end(s, k); index++) {
            const struct transfer *t = &s->transfer[index];
            assert_true(t->source < s->nodes && t->destination < s->nodes &&
                        t->source != t->destination);
            assert_true(t->packet >= 1 && t->packet <= s->packets);
            uint64_t arrived = since[t->source * row + t->packet];
            assert_true(t->source == source || (arrived > 0 && arrived < round));
            assert_true(t->destination != source && since[t->destination * row + t->packet] == 0);
            since[t->destination * row + t->packet] = round;
            bool copy = s->model == MODEL_FABRIC_MULTICAST && sent[t->source] == t->packet;
            assert_true((sends[t->source] != round || copy) && receives[t->destination] != round);
            sent[t->source] = t->packet;
            if (s->model == MODEL_TELEGRAPH)
                assert_true(receives[t->source] != round && sends[t->destination] != round);
            if (s->model == MODEL_TELEPHONE) {
                assert_true(receives[t->source] != round || partner[t->source] == t->destination);
                assert_true(sends[t->destination] != round || partner[t->destination] == t->source);
                partner[t->source] = t->destination;
                partner[t->destination] = t->source;
            }
            sends[t->source] = round;
            receives[t->destination] = round;
        }
    }
    /* Every receipt was the first of its kind; there can be no more than this number. */
    assert_int_equal(s->transfer_count, (size_t)(s->nodes - 1) * s->packets);
    assert_int_equal(s->end, last);
    free(since);
    free(sends);
    free(receives);
    free(partner);
    free(sent);
}

/* Returns whether packets arrive in order in the postal model. */
static bool keeps_order(const struct algorithm *algorithm)
{
    return strcmp(algorithm->name, "postal-block") != 0 &&
           strcmp(algorithm->name, "postal-swarm") != 0;
}

/* Builds the schedule, judges it twice and compares the rounds with the closed form. Returns the
 * rounds. */
static uint64_t check_collective(const struct algorithm *algorithm, struct collective collective)
{
    uint32_t n = collective.n, m = collective.m, source = collective.source;
    struct schedule schedule = {0};
    struct verify_report report;
    struct err err = {0};
    running("%s -n %u -m %u --source %u --model %s", algorithm->name, n, m, source,
            model_name(collective.model));
    if (!algorithm_build(algorithm, &collective, &schedule, &err))
        fail_msg("%s n=%u m=%u: %s", algorithm->name, n, m, err.text);
    if (model_has_times(collective.model))
        postal_reference_judge(&schedule, source, keeps_order(algorithm));
    else
        judge(&schedule, source);
    if (!verify_schedule(algorithm->name, &schedule, &report, &err))
        fail_msg("n=%u m=%u source=%u: %s", n, m, source, err.text);
    assert_int_equal(report.redundant, 0);
    assert_int_equal(report.arrivals, schedule.transfer_count);
    uint64_t end = algorithm_end(algorithm, &collective);
    bool is_simulated = strcmp(algorithm->name, "postal-swarm") == 0;
    assert_true(schedule.end == end || (is_simulated && end == ALGORITHM_UNKNOWN));
    assert_true(schedule.end >= bound_end(&collective));
    assert_int_equal(schedule.demand[0].source, source);
    uint64_t rounds = schedule.end;
    schedule_free(&schedule);
    return rounds;
}

static uint64_t check(const struct algorithm *algorithm, enum model model, uint32_t n, uint32_t m,
                      uint32_t source)
{
    return check_collective(algorithm,
                            (struct collective){.n = n, .m = m, .source = source, .model = model});
}

static bool is_optimal(const struct algorithm *algorithm)
{
    return strcmp(algorithm->name, "matching") == 0 || strcmp(algorithm->name, "circulant") == 0;
}

static uint64_t optimum(uint32_t n, uint32_t m)
{
    uint64_t rounds = m - 1;
    for (uint32_t reached = 1; reached < n; reached *= 2)
        rounds++;
    return n == 1 ? 0 : rounds;
}

static void check_sources(const struct algorithm *algorithm, enum model model, uint32_t n,
                          uint32_t m, struct rational lambda)
{
    const uint32_t sources[] = {0, 1, n / 2, n - 1};
    for (unsigned which = 0; which < 4; which++) {
        struct collective collective = {
            .n = n, .m = m, .source = sources[which], .model = model, .lambda = lambda};
        if (algorithm->kind != COLLECTIVE_BROADCAST ||
            !algorithm_check(algorithm, &collective, NULL))
            continue;
        uint64_t rounds = check_collective(algorithm, collective);
        if (is_optimal(algorithm) && !(model == MODEL_TELEPHONE && n % 2 != 0))
            assert_int_equal(rounds, optimum(n, m));
    }
}

static void test_small(void **state)
{
    (void)state;
    static const uint32_t packets[] = {1, 2, 3, 5, 8, 21};
    static const struct rational lambdas[] = {{1, 1}, {3, 2}, {2, 1}, {5, 2},
                                              {3, 1}, {4, 1}, {7, 3}};
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++)
        for (unsigned model = 0; model < MODEL_COUNT; model++)
            for (unsigned latency = 0; latency < (model_has_times((enum model)model) ? 7 : 1);
                 latency++)
                for (uint32_t n = 1; n <= 40; n++)
                    for (unsigned which = 0; which < 6; which++)
                        check_sources(*entry, (enum model)model, n, packets[which],
                                      lambdas[latency]);
}

/* Each algorithm supports exactly the models of its table row, for every n. */
static void test_what_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool keeps[MODEL_COUNT];
    } expected[] = {{"binomial", {true, true, true, false}}, {"path", {true, false, false}},
                    {"binary-tree", {true, false, false}},   {"matching", {true, true, false}},
                    {"circulant", {true, false, false}},     {"telegraph", {false, false, true}}};
    for (unsigned which = 0; which < sizeof expected / sizeof *expected; which++) {
        struct err err = {0};
        const struct algorithm *algorithm = algorithm_find(expected[which].name, &err);
        assert_non_null(algorithm);
        for (unsigned model = 0; model < MODEL_COUNT; model++)
            for (uint32_t n = 1; n <= 9; n++) {
                struct collective collective = {.n = n, .m = 3, .model = (enum model)model};
                struct schedule schedule = {0};
                bool keeps = expected[which].keeps[model];
                err.code = ERR_NONE;
                assert_int_equal(algorithm_build(algorithm, &collective, &schedule, &err), keeps);
                assert_int_equal(err.code, keeps ? ERR_NONE : ERR_ALGORITHM);
                schedule_free(&schedule);
            }
    }
    struct err err = {0};
    assert_null(algorithm_find("binomal", &err));
    assert_int_equal(err.code, ERR_ALGORITHM);
    assert_non_null(strstr(err.text, "'binomial' does; expected one of 'roundcast list'"));
}

/* --- names ---------------------------------------------------------------------------------- */

static const enum topology_kind kinds_of_topology[] = {
    TOPOLOGY_COMPLETE, TOPOLOGY_TREE, TOPOLOGY_HYPERCUBE, TOPOLOGY_TORUS, TOPOLOGY_MESH};

/* The algorithms that names of collectives select, by hand. */
static void test_collective_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum topology_kind topology;
        int model; /* -1: not given */
        const char *means;
        bool reverses;
    } expected[] = {
        {"broadcast", TOPOLOGY_COMPLETE, -1, "circulant"},
        {"broadcast", TOPOLOGY_COMPLETE, MODEL_TELEPHONE, "matching"},
        {"broadcast", TOPOLOGY_COMPLETE, MODEL_TELEGRAPH, "telegraph"},
        {"broadcast", TOPOLOGY_COMPLETE, MODEL_POSTAL, "postal-dtree"},
        {"broadcast", TOPOLOGY_COMPLETE, MODEL_FABRIC_MULTICAST, "fabric-broadcast"},
        {"broadcast", TOPOLOGY_COMPLETE, MODEL_FABRIC_POSTAL, "fabric-broadcast"},
        {"broadcast", TOPOLOGY_TREE, MODEL_MULTIPORT, "tree-broadcast"},
        {"broadcast", TOPOLOGY_HYPERCUBE, -1, "cube-single"},
        {"simultaneous", TOPOLOGY_HYPERCUBE, -1, "cube-broadcast"},
        {"scatter", TOPOLOGY_COMPLETE, -1, "scatter"},
        {"scatter", TOPOLOGY_TREE, -1, "tree-scatter"},
        {"broadcast", TOPOLOGY_TORUS, -1, "torus-broadcast"},
        {"scatter", TOPOLOGY_TORUS, MODEL_TORUS_MULTIPORT, "torus-scatter"},
        {"gather", TOPOLOGY_TORUS, -1, "torus-gather"},
        {"allgather", TOPOLOGY_TORUS, -1, "torus-all-gather"},
        {"all-to-all", TOPOLOGY_TORUS, -1, "torus-total-exchange"},
        {"broadcast", TOPOLOGY_MESH, -1, "mesh-broadcast"},
        {"all-to-all", TOPOLOGY_MESH, MODEL_MESH_MULTIPORT, "mesh-total-exchange"},
        {"gather", TOPOLOGY_TREE, MODEL_SINGLE_PORT, "tree-gather"},
        {"all-gather", TOPOLOGY_COMPLETE, MODEL_POSTAL, "all-gather"},
        {"all-gather", TOPOLOGY_TREE, -1, "tree-all-gather"},
        {"multinode", TOPOLOGY_TREE, -1, "tree-all-gather"},
        {"allgather", TOPOLOGY_HYPERCUBE, -1, "cube-all-gather"},
        {"total-exchange", TOPOLOGY_TREE, -1, "tree-total-exchange"},
        {"all-to-all", TOPOLOGY_TREE, -1, "tree-total-exchange"},
        {"exchange", TOPOLOGY_COMPLETE, -1, "total-exchange"},
        {"alltoall", TOPOLOGY_COMPLETE, MODEL_TELEPHONE, "total-exchange"},
        {"traffic", TOPOLOGY_COMPLETE, -1, "traffic"},
        {"demands", TOPOLOGY_COMPLETE, -1, "general"},
        {"all-reduce", TOPOLOGY_HYPERCUBE, -1, "cube-blocks-all-reduce"},
        {"reduce", TOPOLOGY_HYPERCUBE, -1, "cube-reduce", true},
        /* only some algorithms reverse another one */
        {"all-reduce", TOPOLOGY_HYPERCUBE, -1, "cube-all-reduce", true},
        {"all-reduce", TOPOLOGY_COMPLETE, -1, "reduce-broadcast", true},
        {"all-reduce", TOPOLOGY_TREE, -1, "tree-all-reduce", true},
        /* precise names mean the same everywhere, former ones too */
        {"cube-blocks-all-reduce", TOPOLOGY_HYPERCUBE, -1, "cube-blocks-all-reduce", true},
        {"tree-multinode", TOPOLOGY_COMPLETE, -1, "tree-all-gather"},
        {"tree-exchange", TOPOLOGY_HYPERCUBE, -1, "tree-total-exchange"},
        {"cube-multinode", TOPOLOGY_TREE, -1, "cube-all-gather"},
        {"circulant", TOPOLOGY_TREE, -1, "circulant"},
    };
    for (size_t which = 0; which < sizeof expected / sizeof *expected; which++) {
        struct err err = {0};
        const enum model model = (enum model)expected[which].model;
        const struct algorithm *algorithm = algorithm_find_on(
            expected[which].name, expected[which].topology,
            expected[which].model < 0 ? NULL : &model, expected[which].reverses, &err);
        if (algorithm == NULL)
            fail_msg("%s", err.text);
        assert_string_equal(algorithm->name, expected[which].means);
    }
    struct err err = {0};
    assert_null(algorithm_find_on("pony", TOPOLOGY_HYPERCUBE, NULL, false, &err));
    assert_int_equal(err.code, ERR_ALGORITHM);
}

/* Every name is found, and no name or former name belongs to another algorithm; if several
 * algorithms schedule a collective in a model, exactly one is the default. */
static void test_names_are_distinct(void **state)
{
    (void)state;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        assert_ptr_equal(algorithm_find((*entry)->name, NULL), *entry);
        if ((*entry)->alias != NULL)
            assert_ptr_equal(algorithm_find((*entry)->alias, NULL), *entry);
        assert_int_equal((*entry)->usual_models & ~(*entry)->models, 0);
    }
    for (size_t at = 0; at < sizeof kinds_of_topology / sizeof *kinds_of_topology; at++)
        for (unsigned kind = 0; kind < COLLECTIVE_KINDS; kind++)
            for (unsigned model = 0; model < MODEL_COUNT; model++) {
                unsigned all = 0, usual = 0;
                for (const struct algorithm *const *entry = algorithm_table; *entry; entry++)
                    if ((*entry)->kind == kind && (*entry)->topology == kinds_of_topology[at] &&
                        (*entry)->models >> model & 1) {
                        all++;
                        usual += (*entry)->usual_models >> model & 1;
                    }
                assert_true(all > 1 ? usual == 1 : usual <= 1);
            }
}

static void test_ranges(void **state)
{
    (void)state;
    static const struct collective refused[] = {
        {.n = 0, .m = 1, .source = 0}, {.n = SCHEDULE_MAX_NODES + 1, .m = 1, .source = 0},
        {.n = 4, .m = 0, .source = 0}, {.n = 4, .m = SCHEDULE_MAX_PACKETS + 1, .source = 0},
        {.n = 4, .m = 1, .source = 4},
    };
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        for (unsigned which = 0; which < sizeof refused / sizeof *refused; which++) {
            struct schedule schedule = {0};
            struct err err = {0};
            assert_false(algorithm_build(*entry, &refused[which], &schedule, &err));
            assert_int_equal(err.code, ERR_RANGE);
        }
        /* Legal numbers whose schedule exceeds any memory. */
        struct collective huge = {.n = SCHEDULE_MAX_NODES,
                                  .m = SCHEDULE_MAX_PACKETS,
                                  .model = algorithm_model(*entry),
                                  .lambda = {1000, 1}};
        /* postal-bcast has one packet, and a matrix determines its number of packets */
        if (!algorithm_check(*entry, &huge, NULL) || collective_rows[(*entry)->kind].weighed)
            continue;
        struct schedule schedule = {0};
        struct err err = {0};
        assert_false(algorithm_build(*entry, &huge, &schedule, &err));
        assert_int_equal(err.code, ERR_TOO_BIG);
        assert_null(schedule.algorithm);
    }
}

/* Returns the peak memory of this program in bytes. */
static uint64_t peak_memory(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return (uint64_t)usage.ru_maxrss * 1024;
}

/* A schedule that exceeds any memory is rejected before its demands, half a gigabyte, are built. */
static void test_refused_early(void **state)
{
    (void)state;
    struct topology tree, cube;
    struct err err = {0};
    assert_true(topology_parse_tree("4096,4096", "const", &tree, &err));
    assert_true(topology_hypercube(24, &cube, &err));
    uint32_t n = cube.nodes, *source = malloc(n * sizeof *source);
    assert_non_null(source);
    for (uint32_t node = 0; node < n; node++)
        source[node] = node;
    uint64_t before = peak_memory();
    unsigned refused = 0;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        struct collective collective = {.n = n, .m = 1, .model = algorithm_model(*entry)};
        collective.topology = (*entry)->topology == TOPOLOGY_TREE ? &tree : &cube;
        if ((*entry)->kind == COLLECTIVE_SIMULTANEOUS) {
            collective.m = n;
            collective.sources = source;
        } else if ((*entry)->kind != COLLECTIVE_ALL_GATHER &&
                   (*entry)->kind != COLLECTIVE_TOTAL_EXCHANGE) {
            continue;
        }
        if (!algorithm_check(*entry, &collective, NULL))
            continue; /* cube-ranked has fewer packets */
        struct schedule schedule = {0};
        assert_false(algorithm_build(*entry, &collective, &schedule, &err));
        assert_int_equal(err.code, ERR_TOO_BIG);
        refused++;
    }
    assert_true(refused >= 5);
    assert_true(peak_memory() - before < UINT64_C(100) << 20);
    free(source);
}

/* The last progress report. */
struct reported {
    size_t calls, done, all;
};

static void note(void *with, size_t done, size_t all)
{
    struct reported *reported = with;
    assert_true(done >= reported->done && done <= all);
    *reported = (struct reported){reported->calls + 1, done, all};
}

/* Each step is reported, in order, and never a count above the total; nothing is reported after the
 * end. */
static void test_watched(void **state)
{
    (void)state;
    const struct topology complete = topology_complete(16);
    struct topology tree, cube, torus, mesh;
    struct err err = {0};
    assert_true(topology_parse_tree("4,4", "const", &tree, &err));
    assert_true(topology_hypercube(4, &cube, &err));
    assert_true(topology_parse_direct(TOPOLOGY_TORUS, "4,4", &torus, &err));
    assert_true(topology_parse_direct(TOPOLOGY_MESH, "4,4", &mesh, &err));
    const struct topology *const topologies[] = {[TOPOLOGY_COMPLETE] = &complete,
                                                 [TOPOLOGY_TREE] = &tree,
                                                 [TOPOLOGY_HYPERCUBE] = &cube,
                                                 [TOPOLOGY_TORUS] = &torus,
                                                 [TOPOLOGY_MESH] = &mesh};
    static const uint32_t source[] = {3, 5};
    struct traffic_entry pair = {2, 5, 1};
    const struct traffic traffic = {.nodes = 16, .count = 1, .entry = &pair, .packets = 1};
    struct schedule demands = {0};
    assert_true(support_broadcast(
        &demands, "any",
        &(struct collective){.n = 16, .m = 1, .source = 2, .model = MODEL_SEND_RECEIVE}, &err));
    for (size_t which = 0; algorithm_table[which / 2] != NULL; which++) {
        const struct algorithm *algorithm = algorithm_table[which / 2];
        struct reported reported = {0};
        struct collective collective = {.n = 16,
                                        .m = 1 + which % 2,
                                        .model = algorithm_model(algorithm),
                                        .lambda = {5, 2},
                                        .topology = topologies[algorithm->topology],
                                        .watch = {note, &reported}};
        if (algorithm->kind == COLLECTIVE_SIMULTANEOUS)
            collective.sources = source;
        if (collective_rows[algorithm->kind].written) {
            collective.demands = &demands;
            collective.load.packets = demands.packets;
        } else if (collective_rows[algorithm->kind].weighed) {
            collective.traffic = &traffic;
            assert_true(traffic_load(&traffic, &collective.load, &err));
        }
        struct schedule schedule = {0};
        if (collective.m == 2 && !algorithm_check(algorithm, &collective, NULL))
            continue; /* it has one packet for each source */
        if (!algorithm_build(algorithm, &collective, &schedule, &err))
            fail_msg("%s: %s", algorithm->name, err.text);
        assert_true(reported.calls >= schedule.step_count && schedule.step_count > 0);
        if (reported.done >= schedule.transfer_count || reported.all < schedule.transfer_count)
            fail_msg("%s: %zu of %zu reported, %zu transfers", algorithm->name, reported.done,
                     reported.all, schedule.transfer_count);
        assert_null(schedule.watch.report);
        schedule_free(&schedule);
    }
    schedule_free(&demands);
}

static void test_optimal_all_packets(void **state)
{
    (void)state;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++)
        for (uint32_t n = 2; n <= 34 && is_optimal(*entry); n++)
            for (uint32_t m = 1; m <= 70; m++)
                assert_int_equal(check(*entry, MODEL_SEND_RECEIVE, n, m, 0), optimum(n, m));
}

static void test_optimal_all_nodes(void **state)
{
    (void)state;
    static const uint32_t packets[] = {1, 2, 3, 4, 6, 9, 12};
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++)
        for (uint32_t n = 41; n <= 400 && is_optimal(*entry); n++)
            for (unsigned which = 0; which < 7; which++)
                assert_int_equal(check(*entry, MODEL_SEND_RECEIVE, n, packets[which], 0),
                                 optimum(n, packets[which]));
}

static void test_larger(void **state)
{
    (void)state;
    static const uint32_t nodes[] = {63,  64,  65,  95,  96,   97,   127,  128,
                                     129, 191, 192, 193, 255,  257,  383,  385,
                                     511, 513, 767, 769, 1000, 1025, 1535, 1537};
    static const uint32_t packets[] = {1, 3, 16};
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++)
        for (unsigned model = 0; model < MODEL_COUNT; model++)
            for (unsigned which = 0; which < sizeof nodes / sizeof *nodes; which++)
                for (unsigned m = 0; m < 3; m++) {
                    struct collective asked = {.n = nodes[which],
                                               .m = packets[m],
                                               .source = m == 1 ? nodes[which] / 2 : 0,
                                               .model = (enum model)model,
                                               .lambda = {5, 2}};
                    if ((*entry)->kind == COLLECTIVE_BROADCAST &&
                        algorithm_check(*entry, &asked, NULL))
                        check_collective(*entry, asked);
                }
}

/* Tested without the judge of this file, which is slow. */
static void test_spots(void **state)
{
    (void)state;
    static const uint32_t nodes[] = {65537, 1u << 20};
    const unsigned stride = running_stride(5);
    unsigned large = 0;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++)
        for (unsigned which = 0; which < 4; which++) {
            struct collective asked = {.n = nodes[which % 2],
                                       .m = 1 + which / 2,
                                       .model = algorithm_model(*entry),
                                       .lambda = {5, 2}};
            struct schedule schedule = {0};
            struct verify_report report;
            struct err err = {0};
            if ((*entry)->kind != COLLECTIVE_BROADCAST || !algorithm_check(*entry, &asked, NULL))
                continue;
            if (which % 2 != 0 && large++ % stride != 0)
                asked.n = 1u << 16;
            if (!algorithm_build(*entry, &asked, &schedule, &err) ||
                !verify_schedule((*entry)->name, &schedule, &report, &err))
                fail_msg("%s n=%u m=%u: %s", (*entry)->name, asked.n, asked.m, err.text);
            uint64_t end = algorithm_end(*entry, &asked);
            assert_true(end == ALGORITHM_UNKNOWN || end == schedule.end);
            assert_true(schedule.end >= bound_end(&asked));
            assert_int_equal(report.arrivals, (uint64_t)(asked.n - 1) * asked.m);
            assert_int_equal(report.redundant, 0);
            schedule_free(&schedule);
        }
    assert_true(large > stride); /* two are of 2^20 nodes, or more */
}

/* The golden names of algorithms that are tested here; the other rows belong to other tests. */
static const struct {
    const char *golden, *name;
    enum model model;
} golden_names[] = {
    {"binomial", "binomial", MODEL_SEND_RECEIVE},   {"path", "path", MODEL_SEND_RECEIVE},
    {"binary", "binary-tree", MODEL_SEND_RECEIVE},  {"bnks", "matching", MODEL_SEND_RECEIVE},
    {"circulant", "circulant", MODEL_SEND_RECEIVE}, {"tel-even", "matching", MODEL_TELEPHONE},
    {"ho", "hypercube-trees", MODEL_SEND_RECEIVE}};

static void test_golden(void **state)
{
    (void)state;
    FILE *file = fopen(GOLDEN, "r");
    if (file == NULL)
        fail_msg("cannot open " GOLDEN "; run at the root of the repository");
    char line[200], name[40];
    unsigned rows = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        uint32_t n, m;
        uint64_t rounds;
        /* algorithm,model,n,m,d,lambda,rounds; d and lambda are empty for these algorithms */
        if (sscanf(line, "%39[^,],%*[^,],%u,%u,,,%lu", name, &n, &m, &rounds) != 4)
            continue;
        for (unsigned which = 0; which < sizeof golden_names / sizeof *golden_names; which++) {
            if (strcmp(name, golden_names[which].golden) != 0)
                continue;
            struct err err = {0};
            const struct algorithm *algorithm = algorithm_find(golden_names[which].name, &err);
            assert_non_null(algorithm);
            assert_int_equal(check(algorithm, golden_names[which].model, n, m, 0), rounds);
            rows++;
        }
    }
    fclose(file);
    assert_int_equal(rows, 260);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_collective_names),
        cmocka_unit_test(test_names_are_distinct),
        cmocka_unit_test(test_refused_early),
        cmocka_unit_test(test_watched),
        cmocka_unit_test(test_optimal_all_packets),
        cmocka_unit_test(test_optimal_all_nodes),
        cmocka_unit_test(test_larger),
        cmocka_unit_test(test_spots),
        cmocka_unit_test(test_golden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
