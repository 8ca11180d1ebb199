/* SPDX-License-Identifier: Apache-2.0 */
/* test_compile: the network and the payload of requests, and the errors of requests that do not
 * fit.
 *
 * By hand: files and packets on networks of 4 and 1024 nodes, on trees of routers with tables,
 * including a wide one, and of self-timed routers, with given and with chosen sizes of memories. A
 * machine has 28 bits of address: 1024 nodes leave 18 for packets and flits. Messages are compared
 * exactly, with the longer packets or the larger number of packets that they suggest.
 *
 * Counter-cases. The request with one flit, packet or byte less fits; suggested values are
 * accepted.
 */
#include "sched/machine/machine_address.h"
#include "sched/route/compile.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/cube_runs.h"
#include "tests/support/support.h"
#include "tests/support/tree_lab.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/compile-XXXXXX";

static int set_up(void **state)
{
    (void)state;
    int file = mkstemp(path);
    return file < 0 || close(file) != 0;
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(path);
}

enum { FOUR, MANY, TABLES, SELF_TIMED, WIDE };

/* A request, and the expected end of its message; NULL: the request fits. */
struct asked {
    int network;
    uint32_t m, flits;
    long bytes;           /* of the file; -1: there is none */
    unsigned log2_flits;  /* of a memory that is given; 0: none is */
    const char *expected; /* its end */
};

static struct collective collective_of(int network, const struct topology *tree, uint32_t m)
{
    const bool routers = network >= TABLES;
    return (struct collective){.n = routers           ? tree->nodes
                                    : network == MANY ? 1024
                                                      : 4,
                               .m = m,
                               .model = routers ? MODEL_MULTIPORT : MODEL_SEND_RECEIVE,
                               .topology = routers ? tree : NULL};
}

static bool compile(const struct asked *asked, unsigned width, struct payload *payload,
                    struct err *err)
{
    const bool wide = asked->network == WIDE;
    const struct topology tree = tree_lab_parse(wide ? "20000" : "2,2", wide ? "1" : "1,1");
    struct collective collective = collective_of(asked->network, &tree, asked->m);
    struct compile_request request = {.flits = asked->flits, .machine.width = width};
    struct machine machine;
    if (asked->network == SELF_TIMED) {
        request.has_network = true;
        request.machine.kind = MACHINE_FAT_TREE_AUTO;
        request.machine.topology = tree;
    }
    if (asked->bytes >= 0) {
        assert_int_equal(truncate(path, asked->bytes), 0);
        request.payload = path;
    }
    if (asked->log2_flits > 0) {
        request.has_memory = true;
        request.machine.log2_packets = request.machine.log2_rows = 5;
        request.machine.log2_flits = asked->log2_flits;
    }
    return compile_machine(&request, &collective, &machine, payload, err);
}

/* Returns whether a machine can be built. */
static bool fits(const struct compile_request *request, struct collective *collective,
                 struct machine *machine, struct err *err)
{
    struct payload payload;
    const bool built = compile_machine(request, collective, machine, &payload, err);
    if (built)
        payload_free(&payload);
    return built;
}

static const struct asked all[] = {
    /* 16 bits are 2 bytes; half of 13 bytes is 7 bytes, which need 4 flits. */
    {FOUR, 2, 4, 13, 0, NULL},
    {FOUR, 4, 2, 13, 0, NULL},
    {FOUR, 2, 2, 8, 0, NULL},
    {FOUR, 2, 2, 13, 0, "expected at most 8, or flits 4, or packets 4"},
    {FOUR, 2, 2, 9, 0, "expected at most 8, or flits 3, or packets 3"},
    {FOUR, 2, 2, 0, 0, "expected at least 1 byte"},
    /* A given memory determines the number and the length of packets. */
    {FOUR, 2, 2, 13, 2, "expected at most 8, or flits 4"},
    {FOUR, 2, 2, 17, 2, "expected at most 8"},
    {FOUR, 2, 5, -1, 2, "expected at most 4 on this machine"},
    {FOUR, 2, 4, -1, 2, NULL},
    /* The header takes 2 flits: 2 of 4 flits remain for 4 bytes, 1 of 3 flits. */
    {SELF_TIMED, 2, 4, 8, 0, NULL},
    {SELF_TIMED, 2, 4, 13, 0,
     "expected at most 4, so a smaller payload or more packets, or flits 6, or packets 4"},
    {SELF_TIMED, 2, 3, 5, 0,
     "expected at most 3, so a smaller payload or more packets, or flits 4, or packets 3"},
    {SELF_TIMED, 2, 3, -1, 0, NULL},
    {SELF_TIMED, 2, 2, -1, 0, "expected at least 3, because the first 2 are the header"},
    {SELF_TIMED, 2, 0, -1, 1, "expected at most 2, so a smaller payload or more packets"},
    {SELF_TIMED, 2, 0, 8, 1, "expected at most 2, so a smaller payload or more packets"},
    {TABLES, 2, 2, 8, 0, NULL},
    /* A router's table can name 32768 sources; two of each of 20000 inputs would exceed that. */
    {WIDE, 1, 2, -1, 0, NULL},
    /* The longest packets. */
    {FOUR, 1, 32768, -1, 0, NULL},
    {FOUR, 1, 32769, -1, 0, "expected at most 32768 on this machine"},
    {MANY, 64, 4096, -1, 0, NULL},
    {MANY, 64, 4097, -1, 0, "expected at most 4096 on this machine"},
    {MANY, 65, 4096, -1, 0, "expected at most 2048 on this machine"},
    {MANY, 1 << 17, 3, -1, 0, "expected at most 2 on this machine"},
    {MANY, 1 << 17, 2, -1, 0, NULL},
    /* A larger number of packets is suggested only if these packets fit. */
    {MANY, 1, 4096, 64 * 8192, 0, "expected at most 8192, or packets 64"},
    {MANY, 1, 4096, 64 * 8192 + 1, 0, "expected at most 8192"},
    {MANY, 64, 4096, 64 * 8192, 0, NULL},
};

static void what_does_not_fit_is_reported(void **state)
{
    (void)state;
    for (size_t which = 0; which < sizeof all / sizeof *all; which++) {
        const struct asked *asked = &all[which];
        struct payload payload;
        struct err err = {0};
        bool built = compile(asked, 16, &payload, &err);
        if (asked->expected != NULL) {
            assert_false(built);
            const char *expected = strstr(err.text, "expected");
            assert_non_null(expected);
            assert_string_equal(expected, asked->expected);
            continue;
        }
        support_true(built, &err);
        assert_int_equal(payload.flits, asked->flits);
        assert_int_equal(payload.node_packets, 0);
        payload_free(&payload);
    }
}

/* A header names one of 2 packets, and one of 4 leaves or all. */
static void routers_that_cannot_be_built(void **state)
{
    (void)state;
    static const struct asked asked = {SELF_TIMED, 2, 8, -1, 0, NULL};
    struct payload payload;
    struct err err = {0};
    support_true(compile(&asked, 3, &payload, &err), &err);
    payload_free(&payload);
    assert_false(compile(&asked, 2, &payload, &err));
    support_error(&err, ERR_NETWORK, "which a header needs");
    assert_null(payload.bytes);
}

/* If no number of flits is given it is the number that the file needs, otherwise 4, or the maximum
 * if that is less. */
static void usual_lengths(void **state)
{
    (void)state;
    static const struct {
        struct asked asked;
        uint32_t flits;
    } usual[] = {
        {{FOUR, 2, 0, -1, 0, NULL}, 4},       {{FOUR, 2, 0, -1, 1, NULL}, 2},
        {{FOUR, 2, 0, 13, 0, NULL}, 4},       {{FOUR, 2, 0, 21, 0, NULL}, 6},
        {{SELF_TIMED, 2, 0, 13, 0, NULL}, 6},
    };
    for (size_t which = 0; which < sizeof usual / sizeof *usual; which++) {
        struct payload payload;
        struct err err = {0};
        support_true(compile(&usual[which].asked, 16, &payload, &err), &err);
        assert_int_equal(payload.flits, usual[which].flits);
        payload_free(&payload);
    }
}

/* Packets of one flit of 8 bits contain a byte each. */
static void a_byte_a_packet(void **state)
{
    (void)state;
    static const struct asked asked = {FOUR, 2, 1, 5, 0, NULL};
    struct payload payload;
    struct err err = {0};
    assert_false(compile(&asked, 8, &payload, &err));
    support_error(&err, ERR_PAYLOAD, "expected at most 2, or flits 3, or packets 5");
}

static struct image image_of(const struct compile_request *request, struct schedule *schedule)
{
    struct machine machine;
    struct payload payload;
    struct image image;
    struct err err = {0};
    support_true(compile_machine_of(request, schedule, &machine, &payload, &err), &err);
    support_true(compile_rewrite(request, &machine, schedule, NULL, &err) &&
                     compile_schedule(request, schedule, &payload, &machine, &image, &err),
                 &err);
    payload_free(&payload);
    return image;
}

/* A cube's schedule stays unchanged on a hypercube, and becomes a schedule of a complete graph on a
 * multistage network. */
static void what_runs_on_a_network(void **state)
{
    (void)state;
    const struct topology cube = cube_lab_make(2);
    for (int network = 0; network < 2; network++) {
        struct compile_request request = {.machine.width = 16, .has_network = network};
        struct schedule schedule;
        if (network) {
            request.machine.network = multistage_benes(4);
            request.machine.pipe = 1;
        }
        cube_runs_schedule("cube-broadcast", NULL, &cube, &(struct cube_runs_set){2, {1, 2}},
                           &schedule);
        struct image image = image_of(&request, &schedule);
        assert_int_equal(schedule.topology.kind, network ? TOPOLOGY_COMPLETE : TOPOLOGY_HYPERCUBE);
        assert_int_equal(image.machine.kind, network ? MACHINE_MULTISTAGE : MACHINE_CUBE);
        image_free(&image);
        schedule_free(&schedule);
    }
}

/* Schedules of trees and of hypercubes do not run on the machines of the other ones, nor those of
 * trees on a multistage network. */
static void what_runs_on_no_network(void **state)
{
    (void)state;
    static const struct {
        bool hypercube, on_router;
        const char *expected;
    } cases[] = {{false, false, "expected fat-tree or fat-tree-auto"},
                 {false, true, "expected fat-tree or fat-tree-auto"},
                 {true, true, "expected cube, cube-auto, or a multistage network"}};
    const struct topology tree = tree_lab_parse("2,2", "1,1"), cube = cube_lab_make(2);
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        const bool hypercube = cases[which].hypercube;
        struct compile_request request = {.machine.width = 16, .has_network = true};
        struct collective collective = collective_of(TABLES, hypercube ? &cube : &tree, 1);
        struct machine machine;
        struct err err = {0};
        collective.model = hypercube ? MODEL_ALL_PORT : MODEL_MULTIPORT;
        request.machine.kind = !cases[which].on_router ? MACHINE_MULTISTAGE
                               : hypercube             ? MACHINE_FAT_TREE
                                                       : MACHINE_CUBE;
        request.machine.network = multistage_benes(4);
        request.machine.pipe = 1;
        assert_false(fits(&request, &collective, &machine, &err));
        support_error(&err, ERR_NETWORK, "network: its topology is not the schedule's; ",
                      cases[which].expected);
        request = (struct compile_request){.machine.width = 16};
        support_true(fits(&request, &collective, &machine, &err), &err);
        assert_int_equal(machine.kind, hypercube ? MACHINE_CUBE : MACHINE_FAT_TREE);
    }
}

/* No machine combines packets whose programs are ranges. */
static void ranges_combine_nothing(void **state)
{
    (void)state;
    for (int combines = 0; combines < 2; combines++) {
        const struct compile_request request = {.machine.width = 16, .machine.ranges = true};
        struct collective collective = collective_of(FOUR, NULL, 1);
        struct machine machine;
        struct err err = {0};
        collective.kind = combines ? COLLECTIVE_REDUCE : COLLECTIVE_BROADCAST;
        const bool built = fits(&request, &collective, &machine, &err);
        support_true(built || combines, &err);
        assert_int_equal(built, !combines);
        if (combines)
            support_error(&err, ERR_UNSUPPORTED, "programs: ", "ranges split broadcasts");
    }
}

/* The run reports the cycles of a reconfiguration. */
static void changes_take_what_is_asked(void **state)
{
    (void)state;
    for (int reconfig = 0; reconfig < 2; reconfig++) {
        const struct collective asked = {.n = 4, .m = 3, .model = MODEL_SEND_RECEIVE};
        const struct compile_request request = {
            .machine.width = 16, .machine.reconfigures = reconfig, .reconfigure = 7};
        struct schedule schedule;
        support_schedule(support_algorithm("circulant"), &asked, &schedule);
        struct image image = image_of(&request, &schedule);
        uint32_t words = 0;
        assert_int_equal(image.run.reconfigure, reconfig ? 7 : 0);
        assert_int_equal(image.machine.pipe, 1);
        for (size_t k = 0; k < image.count; k++)
            if (image.word[k].address == MACHINE_RUN_RECONFIGURE && ++words)
                assert_int_equal(image.word[k].word, 7);
        assert_int_equal(words, reconfig);
        image_free(&image);
        schedule_free(&schedule);
    }
}

/* The image of a reduction has its operator, and no other image has one. */
static void reductions_have_an_operator(void **state)
{
    (void)state;
    for (int combines = 0; combines < 2; combines++) {
        const struct collective asked = {
            .n = 4, .m = 3, .model = MODEL_SEND_RECEIVE, .lambda = {1, 1}};
        const struct compile_request request = {.machine.width = 16, .operation = 3};
        struct schedule schedule;
        support_schedule(support_algorithm(combines ? "reduce" : "circulant"), &asked, &schedule);
        struct image image = image_of(&request, &schedule);
        int words = 0;
        for (size_t k = 0; k < image.count; k++)
            if (image.word[k].address == MACHINE_RUN_OPERATOR && ++words)
                assert_int_equal(image.word[k].word, 3);
        assert_int_equal(words, combines);
        assert_int_equal(image.run.operation, combines ? 3 : 0);
        image_free(&image);
        schedule_free(&schedule);
    }
}

/* A folder has no size that could give a suggestion, and neither has a missing file; nor is one
 * given for an empty file, also if a packet has less than a byte. */
static void no_file_has_no_cuts(void **state)
{
    (void)state;
    assert_int_equal(truncate(path, 0), 0);
    const struct {
        const char *name, *expected;
        enum err_code code;
    } cases[] = {{"/tmp", "expected a file", ERR_READ},
                 {"/tmp/compile-not-there", "expected a readable file", ERR_READ},
                 {path, "expected at least 1 byte", ERR_PAYLOAD}};
    for (size_t which = 0; which < 2 * (sizeof cases / sizeof *cases); which++) {
        const bool narrow = which % 2;
        struct collective collective = collective_of(FOUR, NULL, narrow ? 1 : 2);
        const struct compile_request request = {.flits = narrow ? 1 : 2,
                                                .machine.width = narrow ? 4 : 16,
                                                .payload = cases[which / 2].name};
        struct machine machine;
        struct err err = {0};
        assert_false(fits(&request, &collective, &machine, &err));
        support_error(&err, cases[which / 2].code, cases[which / 2].name,
                      cases[which / 2].expected);
        assert_null(strstr(err.text, ", or "));
    }
}

/* λ stays as it is asked for, or follows from the machine. A reduction needs more than λ = 1, and
 * two flits. */
static void lambdas(void **state)
{
    (void)state;
    static const struct {
        enum collective_kind kind;
        struct rational lambda; /* 0/0: none is asked for */
        uint32_t flits;
        const char *expected; /* its end; NULL: the request fits */
    } cases[] = {
        {COLLECTIVE_BROADCAST, {0, 0}, 4, NULL},
        {COLLECTIVE_BROADCAST, {1, 1}, 4, NULL},
        {COLLECTIVE_BROADCAST, {3, 1}, 4, NULL},
        {COLLECTIVE_BROADCAST, {5, 2}, 4, NULL},
        {COLLECTIVE_BROADCAST, {3, 1}, 1, NULL},
        {COLLECTIVE_REDUCE, {0, 0}, 4, NULL},
        {COLLECTIVE_REDUCE, {3, 1}, 4, NULL},
        {COLLECTIVE_REDUCE, {5, 2}, 4, NULL},
        {COLLECTIVE_REDUCE, {1, 1}, 4, "expected more than 1"},
        {COLLECTIVE_REDUCE,
         {3, 1},
         1,
         "expected at least 2, because a reduction without barriers reads a flit one cycle "
         "before it stores the result"}};
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        const struct rational asked = cases[which].lambda;
        const struct compile_request request = {.flits = cases[which].flits, .machine.width = 16};
        struct collective collective = {
            .n = 4, .m = 2, .kind = cases[which].kind, .model = MODEL_POSTAL, .lambda = asked};
        struct machine machine;
        struct err err = {0};
        const bool built = fits(&request, &collective, &machine, &err);
        if (cases[which].expected != NULL) {
            assert_false(built);
            assert_string_equal(strstr(err.text, "expected"), cases[which].expected);
            continue;
        }
        support_true(built, &err);
        if (asked.denominator != 0) {
            assert_int_equal(collective.lambda.numerator, asked.numerator);
            assert_int_equal(collective.lambda.denominator, asked.denominator);
        }
        assert_true(collective.lambda.numerator >= collective.lambda.denominator &&
                    collective.lambda.denominator > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_fit_is_reported),
        cmocka_unit_test(routers_that_cannot_be_built),
        cmocka_unit_test(usual_lengths),
        cmocka_unit_test(a_byte_a_packet),
        cmocka_unit_test(what_runs_on_a_network),
        cmocka_unit_test(what_runs_on_no_network),
        cmocka_unit_test(ranges_combine_nothing),
        cmocka_unit_test(lambdas),
        cmocka_unit_test(changes_take_what_is_asked),
        cmocka_unit_test(reductions_have_an_operator),
        cmocka_unit_test(no_file_has_no_cuts),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
