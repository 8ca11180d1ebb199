/* SPDX-License-Identifier: Apache-2.0 */
/* test_problem: a request is checked as a whole.
 *
 * For each rule of a problem and of a machine request, a request that breaks only this rule is
 * rejected with its code and the fields that the message names; next to it is a request that keeps
 * the rule. For each form of request, the resulting nodes, packets, kind and model are compared
 * with the formulas of the topologies (a tree has the product of its children, a hypercube 2^d
 * nodes, a matrix one node a line). The test writes the files that it needs.
 */
#include "sched/request/problem.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char matrix[] = "/tmp/roundcast-problem-XXXXXX";

/* Sets fields from "name=text name=text …"; the texts are stored in `text`. */
static struct request ask(const char *fields, char text[300])
{
    struct request request = request_default();
    struct err err = {0};
    snprintf(text, 300, "%s", fields);
    for (char *at = strtok(text, " "); at != NULL; at = strtok(NULL, " ")) {
        char *value = strchr(at, '=');
        if (value != NULL)
            *value++ = '\0';
        if (strcmp(at, "algorithm") == 0)
            request.problem.algorithm = value;
        else if (value != NULL && strcmp(value, "MATRIX") == 0)
            support_true(field_set(&request, at, matrix, &err), &err);
        else
            support_true(field_set(&request, at, value != NULL ? value : "", &err), &err);
    }
    return request;
}

enum purpose { FOR_SCHEDULE, FOR_PLAN, FOR_MACHINE };

static bool pose(enum purpose purpose, const char *fields, struct collective *collective,
                 struct err *err)
{
    char text[300];
    const struct request request = ask(fields, text);
    struct instance instance = {0};
    struct compile_request compile;
    struct machine machine;
    struct payload payload = {0};
    *err = (struct err){0};
    bool posed = purpose == FOR_SCHEDULE ? problem_for_schedule(&request, &instance, err)
                 : purpose == FOR_PLAN
                     ? problem_for_models(&request, &instance, err)
                     : problem_for_machine(&request, &instance, &compile, &machine, &payload, err);
    *collective = instance.collective;
    collective->topology = NULL; /* it ends with the instance */
    payload_free(&payload);
    instance_free(&instance);
    return posed;
}

static void rules(void **state)
{
    (void)state;
    static const struct {
        enum purpose purpose;
        const char *broken;
        enum err_code code;
        const char *message;
        const char *kept;
    } cases[] = {
        {FOR_SCHEDULE, "nodes=4 packets=1", ERR_OPTION, "algorithm is required",
         "algorithm=path nodes=4 packets=1"},
        {FOR_SCHEDULE, "algorithm=tree-broadcast packets=1", ERR_OPTION,
         "tree is required; tree-broadcast runs on a tree", "algorithm=tree-broadcast tree=2,2"},
        {FOR_SCHEDULE, "algorithm=path packets=1", ERR_OPTION, "nodes is required",
         "algorithm=path nodes=2 packets=1"},
        {FOR_SCHEDULE, "algorithm=path nodes=4", ERR_OPTION, "packets is required",
         "algorithm=path nodes=4 packets=9"},
        {FOR_SCHEDULE, "algorithm=path nodes=4 packets=1 source=4", ERR_RANGE,
         "source: 4 is out of range; expected 0 … 3", "algorithm=path nodes=4 packets=1 source=3"},
        {FOR_SCHEDULE, "algorithm=path nodes=4 packets=1 capacity=2", ERR_OPTION,
         "capacity requires tree", "algorithm=tree-broadcast tree=2,2 capacity=1,2"},
        {FOR_SCHEDULE, "algorithm=tree-broadcast tree=2,2 nodes=5", ERR_RANGE,
         "nodes: 5; expected 4", "algorithm=tree-broadcast tree=2,2 nodes=4"},
        {FOR_SCHEDULE, "algorithm=tree-broadcast parents=3,3,4,4 nodes=4", ERR_RANGE,
         "nodes: 4; expected 3", "algorithm=tree-broadcast parents=3,3,4,4 packets=2"},
        {FOR_SCHEDULE, "algorithm=cube-single dim=3 tree=2,2", ERR_OPTION,
         "dim cannot be used together with tree", "algorithm=cube-single dim=3 packets=3"},
        {FOR_SCHEDULE, "algorithm=cube-single dim=3 nodes=7", ERR_RANGE, "nodes: 7; expected 8",
         "algorithm=cube-single dim=3 nodes=8 packets=3"},
        {FOR_PLAN, "torus=4,4 tree=2,2", ERR_OPTION, "torus cannot be used together with tree",
         "torus=4,4"},
        {FOR_PLAN, "torus=4,4 dim=2", ERR_OPTION, "torus cannot be used together with dim",
         "torus=4,4 packets=3"},
        {FOR_PLAN, "torus=4,4 mesh=4,4", ERR_OPTION, "mesh cannot be used together with torus",
         "mesh=4,4 packets=3"},
        {FOR_PLAN, "parents=3,3,4,4 torus=4", ERR_OPTION,
         "torus cannot be used together with parents", "parents=3,3,4,4"},
        {FOR_PLAN, "parents=3,3,4,4 dim=2", ERR_OPTION, "dim cannot be used together with parents",
         "parents=3,3,4,4 nodes=3"},
        {FOR_PLAN, "mesh=4,4 nodes=15", ERR_RANGE, "expected 16, the nodes of the mesh",
         "mesh=4,4 nodes=16"},
        {FOR_PLAN, "mesh=4,1", ERR_RANGE, "mesh: 1 nodes along dimension 2", "mesh=4,2"},
        {FOR_PLAN, "mesh=4:4", ERR_OPTION, "mesh: '4:4'; expected the nodes along", "mesh=4"},
        {FOR_PLAN, "mesh=4,4 ports=2", ERR_OPTION,
         "for complete graphs; expected single or multi on a mesh", "mesh=4,4 ports=multi"},
        {FOR_PLAN, "dim=2 ports=2", ERR_OPTION, "for complete graphs; expected none on a hypercube",
         "dim=2"},
        {FOR_PLAN, "torus=4,4 nodes=15", ERR_RANGE, "nodes: 15; expected 16", "torus=4,4 nodes=16"},
        {FOR_PLAN, "torus=4,1", ERR_RANGE, "1 nodes along dimension 2", "torus=4,2"},
        {FOR_PLAN, "torus=4:4", ERR_OPTION, "torus: '4:4'", "torus=4"},
        {FOR_PLAN, "nodes=4 packets=1 sources=1", ERR_OPTION, "sources requires dim",
         "dim=2 sources=1"},
        {FOR_PLAN, "nodes=4 packets=1 random=1", ERR_OPTION, "random requires dim",
         "dim=2 random=1"},
        {FOR_PLAN, "dim=2 random=1 sources=1", ERR_OPTION,
         "random cannot be used together with sources", "dim=2 random=1 seed=3"},
        {FOR_PLAN, "dim=2 sources=1 packets=2", ERR_RANGE, "packets: 2", "dim=2 sources=1,3"},
        {FOR_SCHEDULE, "algorithm=cube-broadcast dim=2 random=1 method=tree prefix=tree",
         ERR_OPTION, "prefix cannot be used together with method",
         "algorithm=cube-broadcast dim=2 random=1 prefix=tree"},
        {FOR_SCHEDULE, "algorithm=cube-broadcast dim=2 random=1 randomised prefix=tree", ERR_OPTION,
         "prefix cannot be used together with randomised",
         "algorithm=cube-broadcast dim=2 random=1 randomised"},
        {FOR_SCHEDULE, "algorithm=cube-ranked dim=2 random=1 overlap=gather", ERR_ALGORITHM,
         "overlap: not for cube-ranked", "algorithm=cube-ranked dim=2 random=1"},
        {FOR_PLAN, "dim=2 random=1 randomised", ERR_ALGORITHM, "randomised: not for all algorithms",
         "dim=2 random=1"},
        {FOR_PLAN, "matrix=MATRIX entries=MATRIX", ERR_OPTION, "2 are given; expected one",
         "matrix=MATRIX"},
        {FOR_PLAN, "nodes=4 packets=1 packet-bytes=8", ERR_OPTION, "packet-bytes requires matrix",
         "matrix=MATRIX packet-bytes=8"},
        {FOR_PLAN, "nodes=4 pattern=uniform:2 total=8", ERR_OPTION,
         "total requires matrix or entries", "matrix=MATRIX total=8"},
        {FOR_PLAN, "matrix=MATRIX total=8 packet-bytes=8", ERR_OPTION,
         "total cannot be used together with packet-bytes", "matrix=MATRIX nodes=3"},
        {FOR_PLAN, "matrix=MATRIX nodes=4", ERR_RANGE, "nodes: 4; expected 3", "matrix=MATRIX"},
        {FOR_PLAN, "matrix=MATRIX packets=1", ERR_OPTION, "packets: the traffic determines",
         "matrix=MATRIX"},
        {FOR_PLAN, "matrix=MATRIX source=1", ERR_OPTION, "source: the traffic determines",
         "matrix=MATRIX source=0"},
        {FOR_PLAN, "matrix=MATRIX tree=2,2", ERR_OPTION,
         "tree, dim, torus, mesh: traffic is for a complete", "matrix=MATRIX"},
        {FOR_PLAN, "nodes=1 pattern=uniform:2", ERR_OPTION, "pattern requires nodes, 2 or more",
         "nodes=2 pattern=uniform:2"},
        {FOR_PLAN, "nodes=4 packets=1 reconfigure=5", ERR_OPTION, "reconfigure requires matrix",
         "matrix=MATRIX reconfigure=5"},
        {FOR_PLAN, "matrix=MATRIX clock=5", ERR_OPTION, "clock requires reconfigure",
         "matrix=MATRIX reconfigure=5us clock=5"},
        {FOR_PLAN, "matrix=MATRIX reconfigure=5us", ERR_OPTION, "clock is required",
         "matrix=MATRIX reconfigure=5ns clock=5"},
        {FOR_PLAN, "matrix=MATRIX reconfigure=5 clock=5", ERR_OPTION, "5 are cycles already",
         "matrix=MATRIX reconfigure=0"},
        {FOR_PLAN, "matrix=MATRIX reconfigure=4294967296", ERR_RANGE, "at most 4294967295 cycles",
         "matrix=MATRIX reconfigure=4294967295"},
        {FOR_PLAN, "matrix=MATRIX reconfigure=5 lambda=2", ERR_OPTION,
         "reconfigure: settings are held in the model send-receive only",
         "matrix=MATRIX reconfigure=5 model=send-receive"},
        {FOR_PLAN, "matrix=MATRIX round-cycles=5", ERR_OPTION, "round-cycles requires reconfigure",
         "matrix=MATRIX reconfigure=1 round-cycles=5"},
        {FOR_PLAN, "matrix=MATRIX flits=5", ERR_OPTION, "flits requires reconfigure",
         "matrix=MATRIX reconfigure=1 flits=5"},
        {FOR_PLAN, "matrix=MATRIX network=benes:4", ERR_OPTION, "network requires reconfigure",
         "matrix=MATRIX reconfigure=1 network=benes:4"},
        {FOR_PLAN, "matrix=MATRIX reconfigure=1 flits=5 round-cycles=5", ERR_OPTION,
         "round-cycles: with network or flits", "matrix=MATRIX reconfigure=1 round-cycles=65535"},
        {FOR_PLAN, "matrix=MATRIX reconfigure=1 network=benes:4 round-cycles=5", ERR_OPTION,
         "round-cycles: with network or flits",
         "matrix=MATRIX reconfigure=1 network=benes:4 flits=5"},
        {FOR_PLAN, "matrix=MATRIX reconfigure=1 network=omega:4", ERR_NETWORK,
         "network: an omega network may block", "matrix=MATRIX reconfigure=1 network=waksman:4"},
        {FOR_PLAN, "nodes=4 packets=1 ports=2 model=telegraph", ERR_OPTION,
         "ports: a number is for the models send-receive, telephone and postal",
         "nodes=4 packets=1 ports=2 model=postal lambda=2"},
        {FOR_PLAN, "tree=2,2 ports=2", ERR_OPTION, "ports: a number is for complete graphs",
         "nodes=4 packets=1 ports=2"},
        {FOR_SCHEDULE, "algorithm=matching demands=x ports=2", ERR_OPTION, "demands: not for",
         "algorithm=matching nodes=4 packets=1 ports=2"},
        {FOR_MACHINE, "algorithm=matching nodes=4 packets=1 stop-after=1", ERR_OPTION,
         "stop-after requires stream", "algorithm=matching nodes=4 packets=1 stream=yes"},
        {FOR_MACHINE, "algorithm=matching nodes=4096 packets=1 ports=65535", ERR_RANGE,
         "ports: 268431360 in all", "algorithm=matching nodes=4 packets=1 ports=2"},
        {FOR_PLAN, "matrix=MATRIX ports=2 reconfigure=1", ERR_OPTION,
         "ports: a number cannot be used together with reconfigure", "matrix=MATRIX ports=65535"},
        {FOR_PLAN, "matrix=MATRIX ports=2 model=telephone", ERR_OPTION,
         "ports: traffic over several ports is for the model send-receive",
         "matrix=MATRIX ports=2 model=send-receive"},
        {FOR_MACHINE, "algorithm=traffic matrix=MATRIX ports=2 model=telephone", ERR_OPTION,
         "ports: traffic over several ports", "algorithm=traffic matrix=MATRIX ports=2"},
        {FOR_PLAN, "nodes=4 packets=1 lambda=2 model=telephone", ERR_OPTION,
         "lambda: the model telephone has no λ", "nodes=4 packets=1 lambda=2 model=postal"},
        {FOR_PLAN, "nodes=4 packets=1 model=postal", ERR_OPTION, "lambda is required",
         "nodes=4 packets=1 model=postal lambda=1"},
        {FOR_PLAN, "nodes=4 packets=1 exact", ERR_OPTION, "exact: requires an algorithm",
         "nodes=4 packets=1"},
        {FOR_PLAN, "nodes=4 packets=1 method=tree", ERR_OPTION, "method: requires an algorithm",
         "nodes=4 packets=1"},
        {FOR_PLAN, "tree=2,2 collective=gather", ERR_OPTION, "collective: all collectives of",
         "nodes=4 packets=1 collective=gather"},
        {FOR_PLAN, "matrix=MATRIX collective=gather", ERR_OPTION,
         "collective cannot be used together with matrix", "matrix=MATRIX"},
        {FOR_PLAN, "nodes=4 packets=1 seed=3", ERR_OPTION, "seed: nothing is drawn",
         "nodes=4 pattern=zipf:2 seed=3"},
        {FOR_SCHEDULE, "algorithm=path nodes=4 packets=1 lambda=2", ERR_OPTION,
         "lambda: path does not run in the postal model",
         "algorithm=postal-bcast nodes=4 packets=1 lambda=2"},
        {FOR_SCHEDULE, "algorithm=postal-bcast nodes=4 packets=1", ERR_OPTION, "lambda is required",
         "algorithm=postal-bcast nodes=4 packets=1 lambda=5/2"},
        {FOR_SCHEDULE, "algorithm=path matrix=MATRIX", ERR_OPTION, "path schedules no traffic",
         "algorithm=traffic matrix=MATRIX"},
        {FOR_SCHEDULE, "algorithm=traffic nodes=4", ERR_OPTION, "traffic requires matrix",
         "algorithm=traffic nodes=4 pattern=zipf:2"},
        {FOR_SCHEDULE, "algorithm=path nodes=4 packets=1 exact", ERR_OPTION, "exact: not for path",
         "algorithm=general matrix=MATRIX exact"},
        {FOR_SCHEDULE, "algorithm=general matrix=MATRIX reconfigure=1", ERR_OPTION,
         "reconfigure: general holds no settings", "algorithm=traffic matrix=MATRIX reconfigure=1"},
        {FOR_SCHEDULE, "algorithm=path nodes=4 packets=1 method=x", ERR_ALGORITHM,
         "method: 'x' of path does not exist", "algorithm=path nodes=4 packets=1"},
        {FOR_SCHEDULE, "algorithm=traffic matrix=MATRIX method=peel", ERR_OPTION,
         "method: for traffic requires reconfigure",
         "algorithm=traffic matrix=MATRIX method=fewest reconfigure=1"},
        /* the algorithms of this collective on complete graphs have no methods */
        {FOR_SCHEDULE, "algorithm=all-reduce nodes=4 packets=1 method=x", ERR_ALGORITHM,
         "does not exist; expected none", "algorithm=all-reduce nodes=4 packets=1"},
        {FOR_PLAN, "nodes=4 packets=1 order", ERR_OPTION, "order: a broadcast combines no packets",
         "dim=2 order"},
        /* a machine request pays for reconfigurations, draws its payload, and gives λ */
        {FOR_MACHINE, "algorithm=path packets=1", ERR_OPTION, "nodes is required",
         "algorithm=path nodes=4 packets=1 reconfigure=3 seed=5"},
        {FOR_MACHINE, "algorithm=path nodes=4 packets=1 reconfigure=5us", ERR_OPTION,
         "clock is required with reconfigure in ms, us or ns",
         "algorithm=path nodes=4 packets=1 reconfigure=5us clock=5"},
        {FOR_MACHINE, "algorithm=path nodes=4", ERR_OPTION, "packets is required",
         "algorithm=postal-bcast nodes=4 packets=1"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct collective collective;
        struct err err;
        if (pose(cases[k].purpose, cases[k].broken, &collective, &err))
            fail_msg("accepted: %s", cases[k].broken);
        support_error(&err, cases[k].code, cases[k].message);
        bool kept = pose(cases[k].purpose, cases[k].kept, &collective, &err);
        if (!kept)
            fail_msg("%s: %s", cases[k].kept, err.text);
    }
}

static void collectives(void **state)
{
    (void)state;
    static const struct {
        enum purpose purpose;
        const char *fields;
        uint32_t nodes, packets;
        enum collective_kind kind;
        enum model model;
    } cases[] = {
        {FOR_SCHEDULE, "algorithm=path nodes=4 packets=3", 4, 3, COLLECTIVE_BROADCAST,
         MODEL_SEND_RECEIVE},
        {FOR_SCHEDULE, "algorithm=binomial nodes=4 packets=3 model=telegraph", 4, 3,
         COLLECTIVE_BROADCAST, MODEL_TELEGRAPH},
        {FOR_SCHEDULE, "algorithm=postal-bcast nodes=4 packets=1 lambda=2", 4, 1,
         COLLECTIVE_BROADCAST, MODEL_POSTAL},
        {FOR_SCHEDULE, "algorithm=tree-gather tree=4,3,2 ports=multi", 24, 1, COLLECTIVE_GATHER,
         MODEL_MULTIPORT},
        {FOR_SCHEDULE, "algorithm=cube-single dim=5", 32, 5, COLLECTIVE_BROADCAST, MODEL_ALL_PORT},
        {FOR_SCHEDULE, "algorithm=cube-ranked dim=5 sources=3,1,3", 32, 3, COLLECTIVE_SIMULTANEOUS,
         MODEL_ALL_PORT},
        {FOR_SCHEDULE, "algorithm=traffic matrix=MATRIX", 3, 1, COLLECTIVE_TRAFFIC,
         MODEL_SEND_RECEIVE},
        {FOR_SCHEDULE, "algorithm=general matrix=MATRIX", 3, 1, COLLECTIVE_DEMANDS,
         MODEL_SEND_RECEIVE},
        {FOR_PLAN, "nodes=4 packets=2 collective=scatter", 4, 2, COLLECTIVE_SCATTER,
         MODEL_SEND_RECEIVE},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct collective collective;
        struct err err;
        support_true(pose(cases[k].purpose, cases[k].fields, &collective, &err), &err);
        assert_int_equal(collective.n, cases[k].nodes);
        assert_int_equal(collective.m, cases[k].packets);
        assert_int_equal(collective.kind, cases[k].kind);
        assert_int_equal(collective.model, cases[k].model);
    }
}

/* The cycles of a reconfiguration: given directly, or as a time at a clock, rounded up. */
static void changes(void **state)
{
    (void)state;
    static const struct {
        const char *fields;
        uint32_t cycles;
    } cases[] = {{"", 0},
                 {"reconfigure=7", 7},
                 {"reconfigure=20us clock=100", 2000},
                 {"reconfigure=25ns clock=100", 3},
                 {"reconfigure=1ms clock=100", 100000},
                 {"reconfigure=5000000000ns clock=1", 5000000},
                 {"reconfigure=4294967295 ", UINT32_MAX},
                 {"reconfigure=42ms clock=100000", UINT32_C(4200000000)},
                 {"reconfigure=0ns clock=1", 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[300];
        const struct request request = ask(cases[k].fields, text);
        struct compile_request compile;
        struct err err = {0};
        support_true(machine_request(&request, &compile, &err), &err);
        assert_int_equal(compile.reconfigure, cases[k].cycles);
        assert_int_equal(compile.machine.reconfigures, request.problem.reconfigure != NULL);
    }
    static const char *const large[] = {"5000ms", "43949672951us", "99999999999999999999ns",
                                        "18446744073709551615ns"};
    for (size_t k = 0; k < sizeof large / sizeof *large; k++) {
        struct request request = request_default();
        struct compile_request compile;
        struct err err = {0};
        request.problem.reconfigure = large[k];
        request.problem.clock = 1000;
        assert_false(machine_request(&request, &compile, &err));
        support_error(&err, ERR_RANGE, large[k], "expected at most 4294967295 cycles");
    }
    static const char *const wrong[] = {"1s", "1Ms", "x", "-1", "1.5us", "us"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct request request = request_default();
        struct compile_request compile;
        struct err err = {0};
        request.problem.reconfigure = wrong[k];
        assert_false(machine_request(&request, &compile, &err));
        support_error(&err, ERR_OPTION, "reconfigure: '", "such as 20us");
    }
}

static void machines(void **state)
{
    (void)state;
    char text[300];
    struct compile_request compile;
    struct err err = {0};
    struct request request = ask("network=benes:8,pad=1 flits=5 width=8 split seed=9", text);
    support_true(machine_request(&request, &compile, &err), &err);
    assert_true(compile.has_network && compile.has_latency && compile.split);
    assert_false(compile.has_memory || compile.machine.reconfigures);
    assert_int_equal(compile.flits, 5);
    assert_int_equal(compile.machine.width, 8);
    assert_int_equal(compile.seed, 9);
    request = ask("memory=packets=8,flits=4,rows=16", text);
    support_true(machine_request(&request, &compile, &err), &err);
    assert_true(compile.has_memory && !compile.has_network && !compile.has_latency);
}

static void windows(void **state)
{
    (void)state;
    char text[300];
    struct err err = {0};
    struct request request = ask("waves-from=2", text);
    assert_false(run_request_check(&request, &err));
    support_error(&err, ERR_OPTION, "waves-from requires waves");
    request = ask("waves-to=2", text);
    assert_false(run_request_check(&request, &err));
    support_error(&err, ERR_OPTION, "waves-to requires waves");
    request = ask("waves-from=2 waves-to=3 waves=x.fst", text);
    support_true(run_request_check(&request, &err), &err);
}

static int write_matrix(void **state)
{
    (void)state;
    static const char lines[] = "0 1 2\n1 0 1\n1 1 0\n";
    int file = mkstemp(matrix);
    bool written = file >= 0 && write(file, lines, sizeof lines - 1) == sizeof lines - 1;
    return written && close(file) == 0 ? 0 : -1;
}

static int remove_matrix(void **state)
{
    (void)state;
    return unlink(matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rules), cmocka_unit_test(collectives),
                                       cmocka_unit_test(changes), cmocka_unit_test(machines),
                                       cmocka_unit_test(windows)};
    return cmocka_run_group_tests(tests, write_matrix, remove_matrix);
}
