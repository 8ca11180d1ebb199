/* SPDX-License-Identifier: Apache-2.0 */
/* libroundcast: schedules and requests. Handles produce the program's results and reject the same
 * requests.
 *
 * Transfers are compared with the lines of the schedule's text. Requests are set by members and by
 * texts, with the same result, and each field has its counter-case. tests/cli/library.sh tests the
 * installed library.
 */
#include "lib/roundcast.h"
#include "lib/roundcast/json.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/library_lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void transfers_are_those_of_the_text(void **unused)
{
    (void)unused;
    struct roundcast_schedule *schedule =
        library_build(ASK("algorithm", "circulant", "n", "22", "m", "8"));
    const struct roundcast_schedule_info info = roundcast_schedule_describe(schedule);
    struct roundcast_transfer transfer;
    struct roundcast_error error = {0};
    char *text = library_text(schedule), *rest = text;
    unsigned long round = 0, source, destination, packet;
    size_t seen = 0;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        sscanf(line, "round %lu", &round);
        if (sscanf(line, "%lu %lu %lu", &source, &destination, &packet) != 3)
            continue;
        assert_true(roundcast_transfer_at(schedule, seen++, &transfer, NULL));
        assert_int_equal(transfer.time, round);
        assert_int_equal(transfer.source, source);
        assert_int_equal(transfer.destination, destination);
        assert_int_equal(transfer.packet, packet);
    }
    assert_int_equal(info.transfers, seen);
    assert_int_equal(seen, 21 * 8);
    assert_int_equal(info.end, round);
    assert_int_equal(info.ticks, 1);
    assert_string_equal(info.model, "send-receive");
    assert_false(roundcast_transfer_at(schedule, seen, &transfer, &error));
    assert_int_equal(error.code, 102);
    free(text);
    roundcast_schedule_free(schedule);
}

/* m - 1 + ⌈log2 n⌉ (send-receive), and m - 1 + f_λ(n), where f_2(n) is the index of Fibonacci
 * numbers: 1 1 2 3 5 8 13 reach 8 after 5 units. */
static void the_bound_is_the_papers(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    uint64_t end;
    struct roundcast_request path = ASK("algorithm", "path", "n", "22", "m", "8");
    assert_true(roundcast_bound(&path, &end, NULL));
    assert_int_equal(end, 8 - 1 + 5);
    struct roundcast_request postal =
        ASK("algorithm", "postal-bcast", "n", "8", "m", "1", "lambda", "2");
    assert_true(roundcast_bound(&postal, &end, NULL));
    assert_int_equal(end, 5);
    path.degree = 2;
    assert_false(roundcast_bound(&path, &end, &error));
    assert_int_equal(error.code, 103);
}

static const char faulty[] = "roundcast-schedule 1\nalgorithm none\ntopology complete 4\n"
                             "model send-receive\ndemand 1-2 0 *\nround 1\n0 1 1\n2 3 2\nend 1\n";

static void a_fault_is_reported_by_line_and_code(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct roundcast_verdict verdict;
    struct roundcast_schedule *schedule =
        roundcast_read_text("mine", faulty, sizeof faulty - 1, &error);
    assert_non_null(schedule);
    assert_false(roundcast_verify(schedule, &verdict, &error));
    assert_int_equal(error.code, 302);
    assert_string_equal(roundcast_error_name(error.code), "not-held");
    assert_memory_equal(error.text, "mine:8: round 1: node 2 ", 24);
    assert_false(verdict.holds);
    assert_int_equal(verdict.transfers, 2);
    /* Packet 1 is missing at nodes 2 and 3, packet 2 at 1 and 2, because node 3 has received it. */
    assert_int_equal(verdict.violations, 1 + 2 + 2);
    error = (struct roundcast_error){0};
    const struct roundcast_request usual = library_ask((const char *const[]){NULL});
    assert_null(roundcast_route(schedule, &usual, &error));
    assert_int_equal(error.code, 302);
    roundcast_schedule_free(schedule);

    schedule = library_build(ASK("algorithm", "matching", "n", "22", "m", "8"));
    assert_true(roundcast_verify(schedule, &verdict, NULL));
    assert_true(verdict.holds && verdict.has_bound);
    assert_int_equal(verdict.bound, 12);
    uint64_t bound = 0;
    assert_true(roundcast_schedule_bound(schedule, &bound));
    assert_int_equal(bound, 12);
    assert_int_equal(verdict.violations, 0);
    assert_int_equal(verdict.arrivals + verdict.redundant, verdict.transfers);
    roundcast_schedule_free(schedule);
}

/* A schedule with `order` has one certificate for every number of packets; a broadcast has none. */
static void reductions_have_a_certificate(void **unused)
{
    (void)unused;
    static const char *const packets[] = {"1", "7"};
    struct roundcast_combination trees[2];
    struct roundcast_error error = {0};
    for (unsigned which = 0; which < 2; which++) {
        struct roundcast_schedule *schedule = library_build(
            ASK("algorithm", "all-reduce", "n", "9", "m", packets[which], "order", ""));
        assert_true(roundcast_certify(schedule, &trees[which], &error));
        assert_int_equal(strspn(trees[which].certificate, "0123456789abcdef"), 16);
        assert_true(trees[which].packets_alike && trees[which].nodes_alike);
        roundcast_schedule_free(schedule);
    }
    assert_string_equal(trees[0].certificate, trees[1].certificate);
    struct roundcast_schedule *broadcast =
        library_build(ASK("algorithm", "path", "n", "9", "m", "2"));
    assert_false(roundcast_certify(broadcast, &trees[0], &error));
    assert_int_equal(error.code, 208);
    roundcast_schedule_free(broadcast);
}

static void files_come_back(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/library-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    struct roundcast_error error = {0};
    struct roundcast_schedule *schedule =
        library_build(ASK("algorithm", "fibonacci", "n", "8", "m", "3"));
    struct roundcast_image *image = library_route(schedule, ASK("network", "benes:8"));
    assert_true(roundcast_image_write(image, folder, &error));
    snprintf(path, sizeof path, "%s/schedule.sched", folder);
    struct roundcast_schedule *read = roundcast_read(path, &error);
    struct roundcast_image *again = roundcast_image_read(folder, &error);
    assert_non_null(read);
    assert_non_null(again);
    library_check_circuits(read, again);
    assert_int_equal(roundcast_image_describe(again).words, roundcast_image_describe(image).words);
    assert_true(roundcast_write(schedule, path, NULL));

    assert_null(roundcast_read("/nowhere/at all", &error));
    assert_int_equal(error.code, 201);
    assert_false(roundcast_write(schedule, "/nowhere/at all", &error));
    assert_int_equal(error.code, 202);
    assert_null(roundcast_image_read("/nowhere/at all", &error));
    assert_int_equal(error.code, 201);
    assert_null(roundcast_read_text("mine", faulty, 30, &error));
    assert_int_equal(error.code, 207);
    assert_memory_equal(error.text, "mine:", 5);

    static const char *const files[] = {"schedule.sched", "image.hex", "payload.bin"};
    for (unsigned file = 0; file < 3; file++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[file]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
    roundcast_schedule_free(schedule), roundcast_schedule_free(read);
    roundcast_image_free(image), roundcast_image_free(again);
}

static void rejects(struct roundcast_request request, int code, const char *field)
{
    struct roundcast_error error = {0};
    assert_null(roundcast_build(&request, &error));
    assert_int_equal(error.code, code);
    assert_string_equal(error.field, field);
    assert_null(roundcast_build(&request, NULL));
}

static void rejects_text(const char *name, const char *value, int code, const char *part)
{
    struct roundcast_request request = library_ask((const char *const[]){NULL}), before = request;
    struct roundcast_error error = {0};
    assert_false(roundcast_set(&request, name, value, &error));
    assert_int_equal(error.code, code);
    if (strstr(error.text, part) == NULL)
        fail_msg("'%s' in: %s", part, error.text);
    assert_memory_equal(&request, &before, sizeof request);
    assert_false(roundcast_set(&request, name, value, NULL));
}

static void wrong_texts_change_nothing(void **unused)
{
    (void)unused;
    rejects_text("nodes", "0", 102, "expected 1 …");
    rejects_text("n", "four", 101, "nodes: 'four'");
    rejects_text("n", "", 101, "nodes: ''");
    rejects_text("seeds", "1", 101, "seed");
    rejects_text("o", "x", 101, "'o'");
    rejects_text("help", "", 101, "'help'");
    rejects_text("views", "F.html", 101, "'views'");
    rejects_text("model", "telegram", 103, "telegraph");
    rejects_text("network", "none:4", 401, "none");
    rejects_text("split", "8", 101, "split");
    rejects_text("engine", "verilog", 101, "netlist");
}

/* Each field that the library lists can be set by its name, to a value other than the default. */
static void texts_set_the_members(void **unused)
{
    (void)unused;
    static const struct {
        const char *name, *value;
    } other[] = {
        {"collective", "scatter"}, {"lambda", "5/2"},  {"model", "telegraph"},
        {"capacity", "exp"},       {"ports", "multi"}, {"network", "benes:8"},
        {"settings", "tags"},      {"engine", "csim"}, {"memory", "packets=2,flits=2,rows=2"},
        {"programs", "computed"},  {"prefix", "tree"}, {"overlap", "gather"},
        {"waves", "a.fst"},        {"combine", "max"}, {"operators", "sum,max"}};
    const struct roundcast_request usual = library_ask((const char *const[]){NULL});
    struct roundcast_field field;
    struct roundcast_error error;
    size_t count = 0;
    for (; roundcast_field_at(count, &field); count++) {
        struct roundcast_request request = usual;
        const char *value = field.type == ROUNDCAST_FIELD_FLAG ? "" : "2";
        for (size_t which = 0; which < sizeof other / sizeof *other; which++)
            if (strcmp(other[which].name, field.name) == 0)
                value = other[which].value;
        if (!roundcast_set(&request, field.name, value, &error))
            fail_msg("%s: %s", field.name, error.text);
        request.given = 0;
        if (memcmp(&request, &usual, sizeof request) == 0)
            fail_msg("%s has no member", field.name);
    }
    assert_int_equal(count, 60);
    const struct roundcast_request router = ASK("source", "2:1"), leaf = ASK("source", "3");
    assert_int_equal(router.source, 1);
    assert_int_equal(router.source_level, 2);
    assert_int_equal(leaf.source, 3);
    assert_int_equal(leaf.source_level, 0);

    struct roundcast_request named = ASK("n", "22", "packets", "8", "packet_bytes", "4K");
    struct roundcast_request members = usual;
    members.nodes = 22, members.packets = 8, members.packet_bytes = 4000;
    named.given = 0;
    assert_memory_equal(&named, &members, sizeof named);
    assert_false(roundcast_request_init(&named, 99, &error));
    assert_int_equal(error.code, 102);
}

static void what_is_wrong_is_an_object(void **unused)
{
    (void)unused;
    rejects(ASK("algorithm", "no-such", "n", "4", "m", "2"), 103, "");
    rejects(ASK("n", "4", "m", "2"), 101, "algorithm");
    rejects(ASK("algorithm", "path"), 101, "nodes");
    rejects(ASK("algorithm", "path", "n", "4"), 101, "packets");
    rejects(ASK("algorithm", "path", "n", "4", "m", "2", "source", "4"), 102, "source");
    rejects(ASK("algorithm", "path", "n", "4", "m", "2", "capacity", "2"), 101, "capacity");
    rejects(ASK("algorithm", "path", "n", "4", "m", "2", "model", "telegraph"), 103, "");
    struct roundcast_request request = ASK("algorithm", "path", "m", "2");
    request.nodes = UINT32_MAX;
    rejects(request, 102, "nodes");
    request.nodes = 4;
    request.version++;
    rejects(request, 102, "");

    struct roundcast_error error = {0};
    struct roundcast_schedule *schedule =
        library_build(ASK("algorithm", "path", "n", "4", "m", "2"));
    request = ASK("network", "benes:2");
    assert_null(roundcast_route(schedule, &request, &error));
    assert_int_equal(error.code, 402);
    request.network = "none:4";
    assert_null(roundcast_route(schedule, &request, &error));
    assert_int_equal(error.code, 401);
    request = ASK("reconfigure", "x");
    assert_null(roundcast_route(schedule, &request, &error));
    assert_int_equal(error.code, 101);
    assert_string_equal(error.field, "reconfigure");
    request = ASK("reconfigure", "3", "programs", "computed");
    assert_null(roundcast_route(schedule, &request, &error));
    assert_int_equal(error.code, 401);
    roundcast_schedule_free(schedule);

    schedule = library_build(ASK("algorithm", "tree-broadcast", "tree", "2,2"));
    struct roundcast_image *image =
        library_route(schedule, library_ask((const char *const[]){NULL}));
    assert_int_equal(roundcast_image_describe(image).stages, 0);
    assert_false(roundcast_each_setting(image, library_keep, NULL, &error));
    assert_int_equal(error.code, 208);
    roundcast_image_free(image);
    roundcast_schedule_free(schedule);
    roundcast_image_free(NULL);
    roundcast_schedule_free(NULL);
    assert_string_equal(roundcast_error_name(101), "option");
    assert_string_equal(roundcast_error_name(1), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transfers_are_those_of_the_text),
        cmocka_unit_test(the_bound_is_the_papers),
        cmocka_unit_test(a_fault_is_reported_by_line_and_code),
        cmocka_unit_test(reductions_have_a_certificate),
        cmocka_unit_test(files_come_back),
        cmocka_unit_test(wrong_texts_change_nothing),
        cmocka_unit_test(texts_set_the_members),
        cmocka_unit_test(what_is_wrong_is_an_object),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
