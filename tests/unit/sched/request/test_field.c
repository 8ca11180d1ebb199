/* SPDX-License-Identifier: Apache-2.0 */
/* test_field: texts of fields, type by type, and the string form of a request.
 *
 * Each type is tested at its limits and one beyond, with counter-cases that are rejected by code:
 * not a number, out of range, an unknown name. Exhaustive: every row of the table of request
 * fields. A numeric row accepts its minimum and its maximum and rejects the values beyond them;
 * rows with the same name share their storage; a choice accepts each of its names and rejects a
 * misspelt name with the nearest name. Only the fields that were given are marked as given.
 */
#include "sched/request/request.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <string.h>

static void set_fails(const char *name, const char *text, enum err_code code, const char *part)
{
    struct request request = request_default();
    struct err err = {0};
    if (field_set(&request, name, text, &err))
        fail_msg("%s %s is accepted", name, text);
    support_error(&err, code, part);
    assert_int_equal(request.given, 0);
}

static struct request set(const char *name, const char *text)
{
    struct request request = request_default();
    struct err err = {0};
    support_true(field_set(&request, name, text, &err), &err);
    return request;
}

static void defaults(void **state)
{
    (void)state;
    const struct request request = request_default();
    assert_int_equal(request.given, 0);
    assert_int_equal(request.problem.seed, 1);
    assert_int_equal(request.machine.machine.width, 16);
    assert_int_equal(request.run.engine, RUN_BOTH);
    assert_null(request.problem.algorithm);
    assert_int_equal(request.problem.lambda.denominator, 0);
    assert_false(request_has(&request, problem.model));
}

static void numbers(void **state)
{
    (void)state;
    uint64_t value = 7;
    struct err err = {0};
    assert_true(field_number("x", "18446744073709551615", 0, UINT64_MAX, &value, &err));
    assert_true(value == UINT64_MAX);
    assert_true(field_number("x", "007", 7, 7, &value, &err));
    assert_int_equal(value, 7);
    static const char *const none[] = {"", "-", "x", "1x", " 1", "+1", "0x1", "1.0", "--1"};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
        assert_false(field_number("x", none[k], 0, 9, &value, &err));
        support_error(&err, ERR_OPTION, "x: '", "' is not a number; expected 0 … 9");
        assert_string_equal(err.field, "x");
    }
    static const char *const beyond[] = {"0", "10", "-1", "18446744073709551616"};
    for (size_t k = 0; k < sizeof beyond / sizeof *beyond; k++) {
        assert_false(field_number("x", beyond[k], 1, 9, &value, &err));
        support_error(&err, ERR_RANGE, beyond[k], "is out of range; expected 1 … 9");
    }
    assert_int_equal(value, 7);
}

static void bytes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t bytes;
    } cases[] = {{"1", 1}, {"4096", 4096}, {"4K", 4000}, {"4Ki", 4096}, {"1e6", 1000000}};
    uint64_t value = 0;
    struct err err = {0};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_true(field_bytes("x", cases[k].text, 1, 1000000, &value, &err));
        assert_int_equal(value, cases[k].bytes);
    }
    assert_false(field_bytes("x", "4Q", 1, 9, &value, &err));
    support_error(&err, ERR_OPTION, "is not a number of bytes");
    assert_false(field_bytes("x", "0.5", 1, 9, &value, &err));
    support_error(&err, ERR_RANGE, "a whole number");
    assert_false(field_bytes("x", "1e30", 1, UINT64_MAX, &value, &err));
    support_error(&err, ERR_RANGE, "1e30 is out of range; expected 1 … 18446744073709551615");
    assert_false(field_bytes("x", "-1", 1, 9, &value, &err));
    support_error(&err, ERR_RANGE, "-1 is out of range");
}

/* Checks that a numeric row accepts both ends of its range and rejects the values beyond them. */
static void check_limits(const struct field *field)
{
    char text[24];
    struct request request = request_default();
    struct err err = {0};
    const uint64_t ends[] = {field->minimum, field->maximum};
    for (size_t k = 0; k < 2; k++) {
        snprintf(text, sizeof text, "%" PRIu64, ends[k]);
        support_true(request_set(&request, field, text, &err), &err);
        const void *place = (const char *)&request + field->offset;
        uint64_t stored =
            field->type == FIELD_NUMBER ? *(const uint32_t *)place : *(const uint64_t *)place;
        assert_true(stored == ends[k]);
        assert_true(request_has_at(&request, field->offset));
    }
    if (field->minimum > 0) {
        snprintf(text, sizeof text, "%" PRIu64, field->minimum - 1);
        assert_false(request_set(&request, field, text, &err));
        support_error(&err, ERR_RANGE, field->name, "is out of range");
    }
    if (field->maximum < UINT64_MAX) {
        snprintf(text, sizeof text, "%" PRIu64, field->maximum + 1);
        assert_false(request_set(&request, field, text, &err));
        support_error(&err, ERR_RANGE, field->name, "is out of range");
    }
}

/* Checks that each name is accepted, and that a name with an additional letter is rejected and the
 * name suggested. */
static void check_choices(const struct field *field)
{
    char all[1000];
    field_choices(field->choice, all, sizeof all);
    for (unsigned which = 0; field->choice(which) != NULL; which++) {
        char slip[40];
        const char *name = field->choice(which);
        struct request request = request_default();
        struct err err = {0};
        assert_non_null(strstr(all, name)); /* the list has room for all */
        support_true(request_set(&request, field, name, &err), &err);
        snprintf(slip, sizeof slip, "%sx", name);
        assert_false(request_set(&request, field, slip, &err));
        assert_string_equal(err.field, field->name);
        assert_true(err.code == ERR_OPTION || err.code == ERR_ALGORITHM);
        if (strlen(name) > 2)
            assert_non_null(strstr(err.text, "does not exist, but '"));
    }
}

static void rows(void **state)
{
    (void)state;
    size_t ranges = 0, choices = 0;
    for (size_t k = 0; k < request_field_count; k++) {
        const struct field *field = &request_fields[k];
        bool plain = field->set == NULL;
        bool number = field->type == FIELD_NUMBER || field->type == FIELD_NUMBER64 ||
                      field->type == FIELD_BYTES;
        assert_true(field->commands != 0 && (field->commands & field->rejected) == 0);
        assert_true(field->offset < offsetof(struct request, given));
        /* rules by which schedules are read are those of topologies and models */
        unsigned commands = 0;
        for (size_t other = 0; other < request_field_count; other++)
            if (request_fields[other].offset == field->offset)
                commands |= request_fields[other].commands;
        assert_int_equal((commands & FIELD_FOR_READING) != 0, field->group == FIELD_TOPOLOGY);
        if (plain && number)
            check_limits(field);
        if (field->type == FIELD_CHOICE)
            check_choices(field);
        ranges += plain && number;
        choices += field->type == FIELD_CHOICE;
        for (size_t other = 0; other < k; other++) {
            bool same = strcmp(request_fields[other].name, field->name) == 0;
            assert_int_equal(same, request_fields[other].offset == field->offset);
            if (same)
                assert_int_equal(request_fields[other].commands & field->commands, 0);
        }
    }
    assert_in_range(ranges, 15, 30); /* the loop found rows of both kinds */
    assert_in_range(choices, 8, 20);
}

static void string_form(void **state)
{
    (void)state;
    struct request request = set("nodes", "12");
    assert_int_equal(request.problem.nodes, 12);
    assert_true(request_has(&request, problem.nodes));
    assert_false(request_has(&request, problem.packets));
    assert_true(set("exact", "").problem.exact && set("exact", "yes").problem.exact);
    assert_string_equal(set("matrix", "m.csv").problem.matrix, "m.csv");
    assert_int_equal(set("lambda", "5/2").problem.lambda.numerator, 5);
    assert_int_equal(set("engine", "netlist").run.engine, RUN_NETLIST);
    assert_int_equal(set("settings", "masks").machine.machine.settings, MACHINE_MASKS);
    assert_true(set("programs", "computed").machine.machine.computed);
    assert_int_equal(set("collective", "gather").problem.collective, COLLECTIVE_GATHER);

    request = set("network", "benes:8,pipe=2");
    assert_true(request.machine.has_latency);
    assert_int_equal(request.machine.machine.pipe, 2);
    assert_false(set("network", "benes:8").machine.has_latency);

    request = set("memory", "packets=8,flits=4,rows=16,depth=3");
    assert_int_equal(request.machine.machine.log2_packets, 3);
    assert_int_equal(request.machine.machine.log2_rows, 4);
    assert_int_equal(request.machine.machine.depth[1], 3);

    /* a number of ports is not a model; a name is, and counts as given */
    request = set("ports", "4");
    assert_int_equal(request.problem.ports, 4);
    assert_false(request_has(&request, problem.model));
    request = set("ports", "multi");
    assert_int_equal(request.problem.model, MODEL_MULTIPORT);
    assert_true(request_has(&request, problem.model));

    set_fails("exact", "no", ERR_OPTION, "exact: 'no' is not a value of a flag; expected yes");
    set_fails("lambda", "1/2", ERR_RANGE, "lambda: '1/2'");
    set_fails("lambda", "2. 5", ERR_RANGE, "lambda: '2. 5'");
    set_fails("lambda", "2.00001", ERR_RANGE, "lambda: '2.00001'");
    set_fails("source", "12345678:1", ERR_OPTION, "source: '12345678:1' is not a number");
    set_fails("memory", "packets=3,flits=4,rows=4", ERR_OPTION, "powers of two");
    set_fails("waves", "x.vcd", ERR_OPTION, "ends in .fst");
    set_fails("model", "telefone", ERR_ALGORITHM, "but 'telephone' does");
    set_fails("collective", "simultaneous", ERR_ALGORITHM, "'simultaneous' does not exist");
    set_fails("collective", "traffic", ERR_ALGORITHM, "collective: 'traffic' does not exist");
    set_fails("ports", "0", ERR_RANGE, "ports: 0 is out of range; expected 1 … 65535");
    set_fails("nods", "4", ERR_OPTION, "'nods' is not a field of a request, but 'nodes' does");
    /* without an error to fill */
    assert_false(field_set(&request, "model", "telefone", NULL));
    assert_int_equal(request.problem.model, MODEL_MULTIPORT);
    set_fails("json", "", ERR_OPTION, "'json' is not a field of a request");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(defaults), cmocka_unit_test(numbers),
                                       cmocka_unit_test(bytes), cmocka_unit_test(rows),
                                       cmocka_unit_test(string_form)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
