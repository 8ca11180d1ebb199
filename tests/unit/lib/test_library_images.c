/* SPDX-License-Identifier: Apache-2.0 */
/* libroundcast: images on their own, and the reports of routing on networks that block.
 *
 * Schedules are written here by hand, so that the expectations follow from their texts: which round
 * is a shift or a complement, which round an omega network blocks and at which switch, which
 * packets a round has. The contents of the tables are compared with the transfers that were routed.
 * Each check has its counter-case: a round that does not exist, a machine of another kind, tables
 * without a schedule.
 */
#include "lib/roundcast.h"
#include "lib/roundcast/json.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/library_lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Four nodes; round 1 sends from i to i + 1, round 3 from i to i xor 1. */
#define HEAD "roundcast-schedule 1\nalgorithm none\ntopology complete 4\nmodel send-receive\n"
static const char two_rounds[] =
    HEAD "demand 1 0 1\ndemand 2 1 2\ndemand 3 2 3\ndemand 4 3 0\n"
         "demand 5 0 1\ndemand 6 1 0\ndemand 7 2 3\ndemand 8 3 2\n"
         "round 1\n0 1 1\n1 2 2\n2 3 3\n3 0 4\nround 3\n0 1 5\n1 0 6\n2 3 7\n3 2 8\nend 3\n";

/* The perfect shuffle moves lane (b1 b0) to (b0 b1), then a switch sets the last bit to the highest
 * bit of the destination. 0 = 00 and 2 = 10 both reach the first switch, and both destinations,
 * 1 = 01 and 0 = 00, require its output 0. */
static const char blocked[] =
    HEAD "demand 1 0 1\ndemand 2 2 0\ndemand 3 0 1\nround 1\n0 1 1\n2 0 2\nround 2\n0 1 3\nend 2\n";

static struct roundcast_request on(const char *network)
{
    struct roundcast_request request;
    assert_true(roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, NULL));
    request.network = network;
    request.engine = "csim";
    return request;
}

static struct roundcast_image *route(const char *text, const char *network)
{
    struct roundcast_error error = {0};
    struct roundcast_schedule *schedule = library_read(text);
    const struct roundcast_request request = on(network);
    struct roundcast_image *image = roundcast_route(schedule, &request, &error);
    if (image == NULL)
        fail_msg("%s", error.text);
    roundcast_schedule_free(schedule);
    return image;
}

static struct roundcast_image *compile(const char *algorithm, const char *lambda, const char *tree)
{
    struct roundcast_error error = {0};
    struct roundcast_request request = on(NULL);
    request.algorithm = algorithm;
    request.nodes = tree == NULL ? 8 : 0;
    request.packets = tree == NULL ? 3 : 0;
    request.lambda = lambda;
    request.tree = tree;
    struct roundcast_image *image = roundcast_compile(&request, &error);
    if (image == NULL)
        fail_msg("%s", error.text);
    return image;
}

/* --- reports of routing ---------------------------------------------------------------------- */

struct seen {
    unsigned calls;
    struct roundcast_round round[3];
    size_t count;
    uint32_t ports;
};

static void see_passing(void *with, const struct roundcast_passing *passing)
{
    struct seen *seen = with;
    seen->calls++;
    seen->count = passing->count;
    seen->ports = passing->ports;
    assert_in_range(passing->count, 1, 3);
    memcpy(seen->round, passing->round, passing->count * sizeof *seen->round);
}

static void a_blocked_round_is_reported_and_split(void **unused)
{
    (void)unused;
    struct seen seen = {0};
    struct roundcast_routing routing = {.with = &seen, .passing = see_passing};
    struct roundcast_error error = {0};
    struct roundcast_schedule *schedule = library_read(blocked);
    struct roundcast_request request = on("omega:4");
    assert_null(roundcast_route_reported(schedule, &request, &routing, &error));
    assert_int_equal(error.code, 408);
    assert_int_equal(seen.calls, 1);
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.ports, 4);
    assert_false(seen.round[0].passes);
    assert_int_equal(seen.round[0].round, 1);
    assert_int_equal(seen.round[0].stage, 0);
    assert_int_equal(seen.round[0].sw, 0);
    assert_int_equal(seen.round[0].source[0] + seen.round[0].source[1], 2);
    assert_int_equal(seen.round[0].needed, 2);
    assert_int_equal(seen.round[0].least, 2);
    assert_true(seen.round[1].passes);
    assert_int_equal(seen.round[1].round, 2);

    request.split = true;
    struct roundcast_image *image = roundcast_route_reported(schedule, &request, &routing, &error);
    assert_non_null(image);
    assert_int_equal(seen.calls, 2);
    assert_int_equal(routing.rounds_split, 1);
    assert_int_equal(routing.rounds_added, 1);
    assert_int_equal(routing.rounds_bound, 1);
    assert_int_equal(roundcast_image_describe(image).rows, 3);
    roundcast_image_free(image);

    const struct roundcast_request benes = on("benes:4");
    image = roundcast_route_reported(schedule, &benes, &routing, &error);
    assert_non_null(image);
    assert_int_equal(seen.calls, 2); /* it blocks nothing */
    assert_int_equal(routing.rounds_split, 0);
    roundcast_image_free(image);
    roundcast_schedule_free(schedule);
}

/* --- contents of a machine ------------------------------------------------------------------- */

struct classes {
    uint32_t shifts, complements, others;
};

static bool see_class(void *with, const char *name, uint32_t count)
{
    struct classes *classes = with;
    uint32_t *place = strcmp(name, "shifts") == 0        ? &classes->shifts
                      : strcmp(name, "complements") == 0 ? &classes->complements
                                                         : &classes->others;
    *place += count;
    return true;
}

static bool stop_class(void *with, const char *name, uint32_t count)
{
    (void)name, (void)count;
    ++*(unsigned *)with;
    return false;
}

static void classes_are_counted(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct classes classes = {0};
    uint32_t rows = 0;
    unsigned calls = 0;
    struct roundcast_image *image = route(two_rounds, "benes:4");
    assert_true(roundcast_each_class(image, &rows, see_class, &classes, &error));
    assert_int_equal(rows, 2); /* round 2 is idle */
    assert_int_equal(classes.shifts, 1);
    assert_int_equal(classes.complements, 1);
    assert_true(roundcast_each_class(image, &rows, stop_class, &calls, &error));
    assert_int_equal(calls, 1);
    roundcast_image_free(image);
    image = route(two_rounds, "multicast:4");
    assert_true(roundcast_image_describe(image).copies);
    assert_false(roundcast_each_class(image, &rows, see_class, &classes, &error));
    assert_int_equal(error.code, 208);
    roundcast_image_free(image);
}

static bool see_level(void *with, const struct roundcast_level *level)
{
    uint32_t *routers = with;
    routers[level->level] = level->routers;
    assert_true(level->has_wait && !level->has_queue);
    assert_true(level->buffer_needs >= 1 && level->buffer_holds >= level->buffer_needs);
    assert_true(level->buffer_needs >= level->wait);
    return true;
}

/* A tree of 2 · 3 leaves has 3 routers, each above a pair of leaves, and a root. */
static void levels_are_measured(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    uint32_t routers[4] = {0}, rows;
    struct classes classes = {0};
    struct roundcast_image *image = compile("tree-scatter", NULL, "2,3");
    assert_true(roundcast_each_level(image, see_level, routers, &error));
    assert_int_equal(routers[1], 3);
    assert_int_equal(routers[2], 1);
    assert_int_equal(routers[3], 0);
    assert_int_equal(roundcast_image_describe(image).routers, 4);
    assert_false(roundcast_each_class(image, &rows, see_class, &classes, &error));
    assert_int_equal(error.code, 208);
    roundcast_image_free(image);
    image = route(two_rounds, "benes:4");
    assert_false(roundcast_each_level(image, see_level, routers, &error));
    assert_int_equal(error.code, 208);
    roundcast_image_free(image);
}

static void machines_have_words(void **unused)
{
    (void)unused;
    char text[ROUNDCAST_MACHINE_TEXT];
    uint64_t bound;
    struct roundcast_image *image = compile("circulant", NULL, NULL);
    /* 2 log2 8 - 1 stages, with a register after each */
    assert_string_equal(roundcast_image_machine(image, text),
                        "benes:8, 5 stages, latency 5 cycles");
    assert_true(roundcast_image_bound(image, &bound));
    assert_int_equal(bound, 3 - 1 + 3);
    /* docs/machine.md lists the registers */
    struct roundcast_register found;
    assert_true(roundcast_image_register(image, 1, &found));
    assert_string_equal(found.name, "Ports");
    assert_int_equal(found.word, 8);
    assert_true(roundcast_image_register(image, 15, &found));
    assert_string_equal(found.name, "FieldBits");
    assert_int_equal(found.number, 39);
    assert_int_equal(found.word, roundcast_image_describe(image).field_bits);
    assert_true(roundcast_image_register(image, 16, &found));
    assert_string_equal(found.name, "Splits");
    assert_int_equal(found.word, 0); /* stored programs */
    assert_true(roundcast_image_register(image, 17, &found));
    assert_string_equal(found.name, "Shared");
    assert_int_equal(found.number, 41);
    assert_int_equal(found.word, 1); /* a port for each node */
    assert_true(roundcast_image_register(image, 18, &found));
    assert_string_equal(found.name, "BuiltOperators");
    assert_int_equal(found.number, 42);
    assert_int_equal(found.word, 0); /* it combines nothing */
    assert_false(roundcast_image_register(image, 19, &found));
    const struct roundcast_schedule_info info = roundcast_image_schedule_info(image);
    assert_int_equal(info.nodes, 8);
    assert_int_equal(info.packets, 3);
    assert_int_equal(info.transfers, 7 * 3);
    assert_false(info.times || roundcast_image_describe(image).times);
    roundcast_image_free(image);
    image = compile("postal-pipeline", "5/2", NULL);
    assert_true(roundcast_image_describe(image).times);
    assert_int_equal(roundcast_image_describe(image).ticks, 2);
    assert_int_equal(roundcast_image_schedule_info(image).lambda, 5);
    roundcast_image_free(image);
}

/* --- tables alone ---------------------------------------------------------------------------- */

struct packets {
    uint32_t row, count, sum;
};

static bool see_circuit(void *with, const struct roundcast_circuit *circuit)
{
    struct packets *packets = with;
    assert_int_equal(circuit->sent, circuit->received);
    assert_int_equal(circuit->row, packets->row);
    packets->count++;
    packets->sum += circuit->sent;
    return true;
}

static void expect_lines(const char *path, const char *expected)
{
    char text[500];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static void a_round_is_unpacked(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct packets packets = {.row = 2};
    char path[100], lines[100];
    struct roundcast_image *image = route(two_rounds, "benes:4");
    assert_true(roundcast_round_circuits(image, 3, see_circuit, &packets, &error));
    assert_int_equal(packets.count, 4);
    assert_int_equal(packets.sum, 5 + 6 + 7 + 8);
    assert_true(roundcast_unpack_write(image, 3, library_path("lines", lines), &error));
    expect_lines(lines, "round 3\n0 1 5\n1 0 6\n2 3 7\n3 2 8\n");
    assert_true(roundcast_image_write(image, library_path("two_rounds", path), &error));
    roundcast_image_free(image);

    image = roundcast_image_read_tables(path, &error);
    assert_non_null(image);
    assert_true(roundcast_unpack_write(image, 1, lines, &error));
    expect_lines(lines, "round 1\n0 1 1\n1 2 2\n2 3 3\n3 0 4\n");
    static const uint32_t none[] = {0, 4, UINT32_MAX};
    for (size_t which = 0; which < sizeof none / sizeof *none; which++) {
        assert_false(roundcast_round_circuits(image, none[which], see_circuit, &packets, &error));
        assert_int_equal(error.code, 102);
        assert_string_equal(error.field, "round");
    }
    assert_false(roundcast_unpack_write(image, 4, lines, &error));
    assert_int_equal(error.code, 102);
    roundcast_image_free(image);

    image = compile("postal-pipeline", "2", NULL);
    assert_false(roundcast_round_circuits(image, 1, see_circuit, &packets, &error));
    assert_int_equal(error.code, 101);
    roundcast_image_free(image);
}

static bool see_table(void *with, const struct roundcast_table *table)
{
    (void)with, (void)table;
    return true;
}

static void tables_alone_have_no_schedule(void **unused)
{
    (void)unused;
    char path[100], other[100];
    uint32_t rows;
    struct classes classes;
    struct roundcast_error error[6] = {0};
    struct roundcast_report report;
    const struct roundcast_request request = on(NULL);
    struct roundcast_image *image = route(two_rounds, "benes:4");
    assert_true(roundcast_image_write(image, library_path("two_rounds", path), NULL));
    roundcast_image_free(image);
    snprintf(path + strlen(path), 20, "/image.hex");
    image = roundcast_image_read_tables(path, NULL);
    assert_non_null(image);
    assert_false(roundcast_simulate(image, &request, NULL, &report, &error[0]));
    assert_null(roundcast_image_schedule(image, &error[1]));
    assert_false(roundcast_image_write(image, library_path("none", other), &error[2]));
    assert_false(roundcast_each_table(image, see_table, NULL, &error[3]));
    assert_false(roundcast_each_class(image, &rows, see_class, &classes, &error[4]));
    const struct roundcast_page page = {.image = image};
    assert_false(roundcast_page_write(other, &page, &error[5]));
    for (size_t which = 0; which < 6; which++)
        assert_int_equal(error[which].code, 208);
    assert_int_not_equal(access(other, F_OK), 0);
    roundcast_image_free(image);
    assert_null(
        roundcast_image_read_tables(library_folder, &error[0])); /* a folder without an image */
    assert_int_equal(error[0].code, 201);
}

static void forms_are_files(void **unused)
{
    (void)unused;
    char path[100], file[120];
    struct roundcast_image *image = route(two_rounds, "benes:4");
    assert_string_equal(roundcast_image_form(0), "hex");
    assert_string_equal(roundcast_image_form(2), "c");
    assert_null(roundcast_image_form(4));
    assert_true(roundcast_image_write_forms(image, library_path("forms", path), 1u << 2, NULL));
    snprintf(file, sizeof file, "%s/image.c", path);
    assert_int_equal(access(file, R_OK), 0);
    snprintf(file, sizeof file, "%s/image.writes", path);
    assert_int_not_equal(access(file, R_OK), 0);
    roundcast_image_free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_blocked_round_is_reported_and_split),
        cmocka_unit_test(classes_are_counted),
        cmocka_unit_test(levels_are_measured),
        cmocka_unit_test(machines_have_words),
        cmocka_unit_test(a_round_is_unpacked),
        cmocka_unit_test(tables_alone_have_no_schedule),
        cmocka_unit_test(forms_are_files),
    };
    return cmocka_run_group_tests(tests, library_folder_make, library_folder_remove);
}
