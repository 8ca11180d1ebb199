/* SPDX-License-Identifier: Apache-2.0 */
/* test_direct: direct topologies, their collectives and their bounds.
 *
 * Small grids are rebuilt here from coordinates alone: an adjacency matrix, distances by
 * breadth-first search. Each schedule is executed round by round on them, with its own count of the
 * ports in use, and must end at its stated end, not before any bound. The bounds are compared with
 * sums of these distances. Counter-cases: two packets on one arc, two sends of a node, a transfer
 * between nodes that no link joins, a packet that the sender does not hold.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/compare.h"
#include "sched/bound/bound.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/judge_reduce.h"
#include "tests/support/support.h"

#include <string.h>

#define MOST 32 /* nodes */
#define MOST_PACKETS (MOST * MOST * 3)

struct grid {
    enum topology_kind kind;
    const char *sides;
    unsigned axes;
    uint32_t side[4];
};

static const struct grid grids[] = {
    {TOPOLOGY_TORUS, "2", 1, {2}},
    {TOPOLOGY_TORUS, "5", 1, {5}},
    {TOPOLOGY_TORUS, "2,2", 2, {2, 2}},
    {TOPOLOGY_TORUS, "3,3", 2, {3, 3}},
    {TOPOLOGY_TORUS, "4,2", 2, {4, 2}},
    {TOPOLOGY_TORUS, "4,4", 2, {4, 4}},
    {TOPOLOGY_TORUS, "2,3,4", 3, {2, 3, 4}},
    {TOPOLOGY_TORUS, "2,2,2,2", 4, {2, 2, 2, 2}},
    {TOPOLOGY_MESH, "2", 1, {2}},
    {TOPOLOGY_MESH, "6", 1, {6}},
    {TOPOLOGY_MESH, "2,2", 2, {2, 2}},
    {TOPOLOGY_MESH, "3,3", 2, {3, 3}},
    {TOPOLOGY_MESH, "4,2", 2, {4, 2}},
    {TOPOLOGY_MESH, "5,4", 2, {5, 4}},
    {TOPOLOGY_MESH, "2,3,4", 3, {2, 3, 4}},
};
#define GRIDS (sizeof grids / sizeof *grids)

/* The models of each topology, and whether its sides are rings. */
static const struct {
    enum model single, multi;
    bool rings;
} kinds[TOPOLOGY_KINDS] = {
    [TOPOLOGY_TORUS] = {MODEL_TORUS_SINGLE_PORT, MODEL_TORUS_MULTIPORT, true},
    [TOPOLOGY_MESH] = {MODEL_MESH_SINGLE_PORT, MODEL_MESH_MULTIPORT, false},
};

/* Distances of all pairs; MOST² if there is no path. */
struct graph {
    uint32_t nodes;
    bool joined[MOST][MOST];
    uint32_t distance[MOST][MOST];
};

static bool is_neighbour(const struct grid *grid, uint32_t a, uint32_t b)
{
    unsigned steps = 0;
    for (unsigned axis = 0; axis < grid->axes; axis++) {
        uint32_t k = grid->side[axis], x = a % k, y = b % k;
        bool near = x + 1 == y || y + 1 == x;
        near = near || (kinds[grid->kind].rings && ((x + 1) % k == y || (y + 1) % k == x));
        if (x != y && !near)
            return false;
        steps += x != y;
        a /= k;
        b /= k;
    }
    return steps == 1;
}

static void build_graph(const struct grid *grid, struct graph *graph)
{
    graph->nodes = 1;
    for (unsigned axis = 0; axis < grid->axes; axis++)
        graph->nodes *= grid->side[axis];
    uint32_t n = graph->nodes;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++) {
            graph->joined[a][b] = is_neighbour(grid, a, b);
            graph->distance[a][b] = a == b ? 0 : MOST * MOST;
        }
    for (uint32_t from = 0; from < n; from++)
        for (uint32_t far = 0; far < n; far++)
            for (uint32_t a = 0; a < n; a++)
                for (uint32_t b = 0; b < n && graph->distance[from][a] == far; b++)
                    if (graph->joined[a][b] && graph->distance[from][b] > far + 1)
                        graph->distance[from][b] = far + 1;
}

static void test_links_and_distances(void **state)
{
    (void)state;
    for (size_t which = 0; which < GRIDS; which++) {
        struct graph graph;
        struct topology topology;
        struct err err = {0};
        build_graph(&grids[which], &graph);
        support_true(topology_parse_direct(grids[which].kind, grids[which].sides, &topology, &err),
                     &err);
        assert_int_equal(topology.nodes, graph.nodes);
        const struct topology_row *row = topology_row(&topology);
        for (uint32_t a = 0; a < graph.nodes; a++) {
            uint32_t arcs = 0, seen = 0;
            for (uint32_t b = 0; b < graph.nodes; b++) {
                assert_int_equal(row->joins(&topology, a, b), graph.joined[a][b]);
                assert_int_equal(row->distance(&topology, a, b), graph.distance[a][b]);
                if (!graph.joined[a][b])
                    continue;
                assert_true(row->arc(&topology, a, b) < topology.arcs);
                seen |= 1u << row->arc(&topology, a, b);
                arcs++;
            }
            assert_int_equal(arcs, row->degree(&topology, a));
            assert_int_equal(__builtin_popcount(seen), arcs); /* each link has its own index */
            if (row->move == NULL)
                continue;
            for (uint32_t b = 0; b < graph.nodes; b++)
                for (uint32_t by = 0; by < graph.nodes; by++)
                    assert_int_equal(
                        graph.joined[row->move(&topology, a, by)][row->move(&topology, b, by)],
                        graph.joined[a][b]);
            assert_int_equal(row->move(&topology, 0, a), a);
        }
    }
}

/* Executes a schedule; fails at the first illegal transfer. */
static void execute(const struct schedule *schedule, const struct graph *graph, bool single)
{
    static bool has[MOST][MOST_PACKETS + 1], next[MOST][MOST_PACKETS + 1];
    memset(has, 0, sizeof has);
    for (size_t d = 0; d < schedule->demand_count; d++)
        for (uint32_t p = schedule->demand[d].first_packet; p <= schedule->demand[d].last_packet;
             p++)
            has[schedule->demand[d].source][p] = true;
    for (size_t k = 0; k < schedule->step_count; k++) {
        uint32_t arc[MOST][MOST] = {{0}}, sent[MOST] = {0};
        size_t end =
            k + 1 < schedule->step_count ? schedule->step[k + 1].first : schedule->transfer_count;
        memcpy(next, has, sizeof has);
        for (size_t t = schedule->step[k].first; t < end; t++) {
            const struct transfer *now = &schedule->transfer[t];
            assert_true(graph->joined[now->source][now->destination]);
            assert_true(has[now->source][now->packet]);
            assert_int_equal(arc[now->source][now->destination]++, 0);
            assert_true(sent[now->source]++ == 0 || !single);
            next[now->destination][now->packet] = true;
        }
        memcpy(has, next, sizeof has);
    }
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        uint32_t all = demand->wanted_count ? demand->wanted_count : schedule->nodes;
        for (uint32_t p = demand->first_packet; p <= demand->last_packet; p++)
            for (uint32_t w = 0; w < all; w++)
                assert_true(has[demand->wanted_count ? demand->wanted[w] : w][p]);
    }
}

/* Returns the number of packets of a collective, counted by hand: m packets, or m for each source
 * or pair. */
static uint32_t packets_of(enum collective_kind kind, uint32_t n, uint32_t m)
{
    return kind == COLLECTIVE_BROADCAST        ? m
           : kind == COLLECTIVE_ALL_GATHER     ? m * n
           : kind == COLLECTIVE_TOTAL_EXCHANGE ? m * n * (n - 1)
                                               : m * (n - 1);
}

static void check(const struct grid *grid, const char *collective, bool single, uint32_t m,
                  uint32_t source)
{
    const enum model model = single ? kinds[grid->kind].single : kinds[grid->kind].multi;
    char name[60];
    snprintf(name, sizeof name, "%s-%s", topology_rows[grid->kind]->name, collective);
    struct graph graph;
    struct topology topology;
    struct schedule schedule = {0};
    struct verify_report report;
    struct err err = {0};
    build_graph(grid, &graph);
    support_true(topology_parse_direct(grid->kind, grid->sides, &topology, &err), &err);
    const struct algorithm *algorithm = support_algorithm(name);
    const struct collective asked = {.n = graph.nodes,
                                     .m = m,
                                     .source = source,
                                     .model = model,
                                     .kind = algorithm->kind,
                                     .lambda = {1, 1},
                                     .topology = &topology,
                                     .seed = 1};
    support_true(algorithm_build(algorithm, &asked, &schedule, &err), &err);
    support_true(verify_schedule(name, &schedule, &report, &err), &err);
    assert_int_equal(schedule.packets, packets_of(algorithm->kind, graph.nodes, m));
    assert_int_equal(report.redundant, 0);
    execute(&schedule, &graph, single);
    assert_true(schedule.end >= bound_end(&asked));
    if (algorithm->kind == COLLECTIVE_BROADCAST && m == 1 && !single)
        assert_int_equal(schedule.end, bound_end(&asked)); /* the distance of the furthest */
    schedule_free(&schedule);
}

static void test_schedules(void **state)
{
    (void)state;
    static const char *const names[] = {"broadcast", "scatter", "gather", "all-gather",
                                        "total-exchange"};
    for (size_t which = 0; which < GRIDS; which++)
        for (size_t k = 0; k < 5; k++)
            for (uint32_t m = 1; m <= 3; m += 2) {
                check(&grids[which], names[k], true, m, 0);
                check(&grids[which], names[k], false, m, k < 3);
            }
}

/* Compares the bounds with distances of the breadth-first search. */
static void test_bounds_of_tori(void **state)
{
    (void)state;
    for (size_t which = 0; which < GRIDS; which++) {
        if (grids[which].kind != TOPOLOGY_TORUS)
            continue;
        struct graph graph;
        struct topology topology;
        struct err err = {0};
        build_graph(&grids[which], &graph);
        support_true(topology_parse_direct(grids[which].kind, grids[which].sides, &topology, &err),
                     &err);
        uint64_t far = 0, sum = 0, arcs = 0, n = graph.nodes;
        for (uint32_t b = 0; b < n; b++) {
            far = graph.distance[0][b] > far ? graph.distance[0][b] : far;
            sum += graph.distance[0][b];
            arcs += graph.joined[0][b];
        }
        for (uint32_t m = 1; m <= 4; m++) {
            struct collective asked = {.n = graph.nodes,
                                       .m = m,
                                       .model = MODEL_TORUS_MULTIPORT,
                                       .kind = COLLECTIVE_BROADCAST,
                                       .topology = &topology};
            assert_int_equal(bound_end(&asked), (m + arcs - 1) / arcs - 1 + far);
            asked.kind = COLLECTIVE_TOTAL_EXCHANGE;
            assert_true(bound_end(&asked) >= (m * sum + arcs - 1) / arcs);
            asked.model = MODEL_TORUS_SINGLE_PORT;
            assert_true(bound_end(&asked) >= m * sum);
            asked.kind = COLLECTIVE_SCATTER;
            assert_int_equal(bound_end(&asked), m * (n - 1) > far ? m * (n - 1) : far);
        }
    }
    /* By hand: 8 nodes of a ring exchange 16 packets in each direction over 2 arcs. */
    struct topology ring;
    struct err err = {0};
    support_true(topology_parse_direct(TOPOLOGY_TORUS, "8", &ring, &err), &err);
    assert_int_equal(bound_end(&(struct collective){.n = 8,
                                                    .m = 1,
                                                    .model = MODEL_TORUS_MULTIPORT,
                                                    .kind = COLLECTIVE_TOTAL_EXCHANGE,
                                                    .topology = &ring}),
                     8);
}

/* Returns the most rounds that the packets across a cut between two planes of the mesh need, over
 * the links that join them. The packets are m for each ordered pair of nodes, or m of the source
 * for each other node if a source is given (below n). */
static uint64_t most_cut(const struct grid *grid, const struct graph *graph, uint32_t source,
                         uint64_t m)
{
    uint64_t most = 0;
    uint32_t below = 1;
    for (unsigned axis = 0; axis < grid->axes; below *= grid->side[axis++])
        for (uint32_t place = 1; place < grid->side[axis]; place++) {
            uint64_t pairs = 0, links = 0;
            for (uint32_t a = 0; a < graph->nodes; a++)
                for (uint32_t b = 0; b < graph->nodes; b++) {
                    bool left = a / below % grid->side[axis] < place;
                    if (left == (b / below % grid->side[axis] < place))
                        continue;
                    links += left && graph->joined[a][b];
                    pairs += source < graph->nodes ? a == source : left;
                }
            uint64_t rounds = (m * pairs + links - 1) / links;
            most = rounds > most ? rounds : most;
        }
    return most;
}

/* Counts of a graph: links out of each node, the distance of the furthest node. */
struct counts {
    uint64_t n, log2, sum, all_arcs, least_arcs, diameter, arcs[MOST], far[MOST];
};

static void count(const struct graph *graph, struct counts *of)
{
    *of = (struct counts){.n = graph->nodes, .least_arcs = graph->nodes};
    for (uint32_t a = 0; a < graph->nodes; a++) {
        for (uint32_t b = 0; b < graph->nodes; b++) {
            of->arcs[a] += graph->joined[a][b];
            of->sum += graph->distance[a][b];
            of->far[a] = MAX(of->far[a], graph->distance[a][b]);
        }
        of->all_arcs += of->arcs[a];
        of->least_arcs = MIN(of->least_arcs, of->arcs[a]);
        of->diameter = MAX(of->diameter, of->far[a]);
    }
    while (UINT64_C(1) << of->log2 < of->n)
        of->log2++;
}

static uint64_t bound_of(const struct topology *mesh, enum model model, enum collective_kind kind,
                         uint32_t source, uint32_t m)
{
    return bound_end(&(struct collective){.n = mesh->nodes,
                                          .m = m,
                                          .source = source,
                                          .model = model,
                                          .kind = kind,
                                          .topology = mesh});
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

/* Checks the bounds of the collectives of one source, and of the total exchange, of m packets. */
static void check_bounds(const struct topology *mesh, const struct counts *of, uint32_t source,
                         uint64_t cut, uint64_t all_cut, uint32_t m)
{
    const enum model single = MODEL_MESH_SINGLE_PORT, multi = MODEL_MESH_MULTIPORT;
    uint64_t far = of->far[source], others = m * (of->n - 1);
    uint64_t links = MAX(MAX(far, cut), divide_up(others, of->arcs[source]));
    uint64_t least = MAX(MAX(of->diameter, all_cut), divide_up(others, of->least_arcs));
    assert_int_equal(bound_of(mesh, multi, COLLECTIVE_REDUCE, source, m),
                     far - 1 + divide_up(m, of->least_arcs));
    /* the furthest node is a corner, which has the fewest links */
    assert_int_equal(bound_of(mesh, multi, COLLECTIVE_BROADCAST, source, m),
                     far - 1 + divide_up(m, of->least_arcs));
    assert_int_equal(bound_of(mesh, single, COLLECTIVE_BROADCAST, source, m),
                     m - 1 + MAX(far, of->log2));
    assert_int_equal(bound_of(mesh, multi, COLLECTIVE_SCATTER, source, m), links);
    assert_int_equal(bound_of(mesh, single, COLLECTIVE_SCATTER, source, m), MAX(far, others));
    assert_int_equal(bound_of(mesh, multi, COLLECTIVE_GATHER, source, m), links);
    assert_int_equal(bound_of(mesh, single, COLLECTIVE_GATHER, source, m), links);
    assert_int_equal(bound_of(mesh, multi, COLLECTIVE_TOTAL_EXCHANGE, 0, m),
                     MAX(least, divide_up(m * of->sum, of->all_arcs)));
    least = MAX(least, others);
    assert_int_equal(bound_of(mesh, single, COLLECTIVE_TOTAL_EXCHANGE, 0, m),
                     MAX(least, divide_up(m * of->sum, of->n)));
}

/* Compares the bounds of meshes with distances, links and cuts of the graph, for each source. */
static void test_bounds_of_meshes(void **state)
{
    (void)state;
    struct topology mesh;
    struct err err = {0};
    for (size_t which = 0; which < GRIDS; which++) {
        struct graph graph;
        struct counts counts;
        if (grids[which].kind != TOPOLOGY_MESH)
            continue;
        build_graph(&grids[which], &graph);
        count(&graph, &counts);
        support_true(topology_parse_direct(TOPOLOGY_MESH, grids[which].sides, &mesh, &err), &err);
        for (uint32_t source = 0; source < graph.nodes; source++)
            for (uint32_t m = 1; m <= 4; m++)
                check_bounds(&mesh, &counts, source, most_cut(&grids[which], &graph, source, m),
                             most_cut(&grids[which], &graph, MOST, m), m);
    }
    /* By hand: in a line of 6 the end receives 5 packets over its only link. */
    support_true(topology_parse_direct(TOPOLOGY_MESH, "6", &mesh, &err), &err);
    assert_int_equal(bound_of(&mesh, MODEL_MESH_MULTIPORT, COLLECTIVE_ALL_GATHER, 0, 1), 5);
}

/* Over one port a reduction of m packets ends m - 1 rounds after the distance of the furthest node,
 * which is also its bound; two separate verifiers accept it. */
static void test_reductions(void **state)
{
    (void)state;
    for (size_t which = 0; which < 4 * GRIDS; which++) {
        const struct grid *grid = &grids[which / 4];
        const uint32_t m = (uint32_t)which % 4 + 1;
        struct graph graph;
        struct topology topology;
        struct schedule schedule = {0};
        struct verify_report report;
        struct err err = {0};
        char forward[60], name[60];
        snprintf(forward, sizeof forward, "%s-broadcast", topology_rows[grid->kind]->name);
        snprintf(name, sizeof name, "%s-reduce", topology_rows[grid->kind]->name);
        build_graph(grid, &graph);
        support_true(topology_parse_direct(grid->kind, grid->sides, &topology, &err), &err);
        const struct collective asked = {.n = graph.nodes,
                                         .m = m,
                                         .source = graph.nodes - 1 - m % 2,
                                         .model = kinds[grid->kind].single,
                                         .kind = COLLECTIVE_REDUCE,
                                         .lambda = {1, 1},
                                         .topology = &topology,
                                         .by = support_algorithm(forward),
                                         .seed = 1};
        support_true(algorithm_build(support_algorithm(name), &asked, &schedule, &err), &err);
        support_true(verify_schedule(name, &schedule, &report, &err), &err);
        uint64_t far = 0;
        for (uint32_t b = 0; b < graph.nodes; b++)
            far = MAX(far, graph.distance[asked.source][b]);
        assert_int_equal(schedule.end, m - 1 + far);
        assert_int_equal(bound_end(&asked), m - 1 + far);
        const struct judge_reduce judged = judge_reduce(&schedule, false);
        assert_int_equal(judged.not_held + judged.uncounted + judged.twice, 0);
        schedule_free(&schedule);
    }
}

static void test_rejected(void **state)
{
    (void)state;
    static const struct {
        const char *topology, *model, *rounds, *part;
        enum err_code code;
        bool reads;
    } cases[] = {
        {"torus 4 4", "torus-multiport", "round 1\n0 1 1\n0 1 2\n", "carries packets 1 and 2",
         ERR_LANE, true},
        {"torus 4 4", "torus-multiport", "round 1\n0 2 1\n", "no link joins 0 and 2", ERR_NO_LINK,
         false},
        {"torus 4 4", "torus-multiport", "round 1\n1 2 1\n", "does not hold", ERR_NOT_HELD, true},
        {"torus 4 4", "torus-single-port", "round 1\n0 1 1\n0 4 2\n", "sends packets 1 and 2",
         ERR_ONE_PORT, true},
        {"mesh 4 4", "mesh-multiport", "round 1\n0 1 1\n0 1 2\n", "carries packets 1 and 2",
         ERR_LANE, true},
        {"mesh 4 4", "mesh-multiport", "round 1\n0 3 1\n", "no link joins 0 and 3", ERR_NO_LINK,
         false},
        {"mesh 4 4", "mesh-multiport", "round 1\n0 12 1\n", "no link joins 0 and 12", ERR_NO_LINK,
         false},
        {"mesh 4 4", "mesh-multiport", "round 1\n1 2 1\n", "does not hold", ERR_NOT_HELD, true},
        {"mesh 4 4", "mesh-single-port", "round 1\n0 1 1\n0 4 2\n", "sends packets 1 and 2",
         ERR_ONE_PORT, true},
    };
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        char text[300];
        struct schedule schedule = {0};
        struct verify_report report;
        struct err err = {0};
        snprintf(text, sizeof text,
                 "roundcast-schedule 1\nalgorithm by hand\ntopology %s\nmodel %s\n"
                 "demand 1-2 0 1\n%send 1\n",
                 cases[which].topology, cases[which].model, cases[which].rounds);
        bool read = support_read(text, "hand", &schedule, &err);
        assert_int_equal(read, cases[which].reads);
        if (read)
            assert_false(verify_schedule("hand", &schedule, &report, &err));
        support_error(&err, cases[which].code, cases[which].part);
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_links_and_distances), cmocka_unit_test(test_schedules),
        cmocka_unit_test(test_bounds_of_tori),      cmocka_unit_test(test_bounds_of_meshes),
        cmocka_unit_test(test_reductions),          cmocka_unit_test(test_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
