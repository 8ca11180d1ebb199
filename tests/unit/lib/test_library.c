/* SPDX-License-Identifier: Apache-2.0 */
/* libroundcast: handles produce the program's results, reject the same requests, and share no
 * state.
 *
 * Transfers are compared with the lines of the schedule's text. Settings are followed through the
 * drawing of a Beneš network, a copy of which is in this file: every circuit of every round must
 * lead to the destination of its transfer; the same is checked for the circuits that the library
 * follows itself. A simulation must report each transfer's arrival in its cycle, which follows from
 * the rows alone, and a damaged image must fail with its code. Compiling changes a copy. Requests
 * are set by members and by texts, with the same result, and each field has its counter-case. Two
 * threads get the same results as one. tests/cli/library.sh tests the installed library.
 */
#include "lib/roundcast.h"
#include "lib/roundcast/json.h"
#include "tests/support/cmocka_all.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A request of alternating names and values. */
#define ASK(...) ask((const char *const[]){__VA_ARGS__, NULL})
#define PORTS 8
#define STAGES 5
#define ROUNDS 16

static struct roundcast_request ask(const char *const words[])
{
    struct roundcast_request request;
    struct roundcast_error error = {0};
    assert_true(roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, &error));
    for (size_t which = 0; words[which] != NULL; which += 2)
        if (!roundcast_set(&request, words[which], words[which + 1], &error))
            fail_msg("%s", error.text);
    return request;
}

static struct roundcast_schedule *build(struct roundcast_request request)
{
    struct roundcast_error error = {0};
    struct roundcast_schedule *schedule = roundcast_build(&request, &error);
    if (schedule == NULL)
        fail_msg("%s", error.text);
    return schedule;
}

static struct roundcast_image *route(const struct roundcast_schedule *schedule,
                                     struct roundcast_request request)
{
    struct roundcast_error error = {0};
    struct roundcast_image *image = roundcast_route(schedule, &request, &error);
    if (image == NULL)
        fail_msg("%s", error.text);
    return image;
}

static char *text_of(const struct roundcast_schedule *schedule)
{
    size_t size;
    char *text = roundcast_write_text(schedule, &size, NULL);
    assert_non_null(text);
    assert_int_equal(strlen(text), size);
    return text;
}

static void transfers_are_those_of_the_text(void **unused)
{
    (void)unused;
    struct roundcast_schedule *schedule = build(ASK("algorithm", "circulant", "n", "22", "m", "8"));
    const struct roundcast_schedule_info info = roundcast_schedule_describe(schedule);
    struct roundcast_transfer transfer;
    struct roundcast_error error = {0};
    char *text = text_of(schedule), *rest = text;
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
    const struct roundcast_request usual = ask((const char *const[]){NULL});
    assert_null(roundcast_route(schedule, &usual, &error));
    assert_int_equal(error.code, 302);
    roundcast_schedule_free(schedule);

    schedule = build(ASK("algorithm", "matching", "n", "22", "m", "8"));
    assert_true(roundcast_verify(schedule, &verdict, NULL));
    assert_true(verdict.holds && verdict.has_bound);
    assert_int_equal(verdict.bound, 12);
    assert_int_equal(verdict.violations, 0);
    assert_int_equal(verdict.arrivals + verdict.redundant, verdict.transfers);
    roundcast_schedule_free(schedule);
}

struct settings {
    uint8_t crossed[ROUNDS][STAGES][PORTS / 2];
    uint32_t seen, most;
};

static bool keep(void *with, const struct roundcast_setting *setting)
{
    struct settings *settings = with;
    settings->crossed[setting->row][setting->stage][setting->field] = (uint8_t)setting->value;
    return ++settings->seen < settings->most;
}

/* Returns the lane after a Beneš network of 8 ports: stages pair lanes that are 4, 2, 1, 2, 4
 * apart, and the switches of a block of lanes begin at half its first lane. */
static uint32_t follow(const uint8_t crossed[STAGES][PORTS / 2], uint32_t lane)
{
    static const uint32_t apart[STAGES] = {4, 2, 1, 2, 4};
    for (unsigned stage = 0; stage < STAGES; stage++) {
        const uint32_t half = apart[stage], block = lane / (2 * half) * 2 * half;
        if (crossed[stage][block / 2 + (lane - block) % half])
            lane ^= half;
    }
    return lane;
}

static void check_circuits(const struct roundcast_schedule *schedule,
                           const struct roundcast_image *image)
{
    struct settings settings = {.most = UINT32_MAX};
    struct roundcast_transfer transfer;
    assert_true(roundcast_each_setting(image, keep, &settings, NULL));
    assert_int_equal(settings.seen, roundcast_schedule_describe(schedule).end * STAGES * PORTS / 2);
    for (size_t which = 0; roundcast_transfer_at(schedule, which, &transfer, NULL); which++)
        assert_int_equal(follow(settings.crossed[transfer.time - 1], transfer.source),
                         transfer.destination);
}

/* A schedule with `order` has one certificate for every number of packets; a broadcast has none. */
static void reductions_have_a_certificate(void **unused)
{
    (void)unused;
    static const char *const packets[] = {"1", "7"};
    struct roundcast_combination trees[2];
    struct roundcast_error error = {0};
    for (unsigned which = 0; which < 2; which++) {
        struct roundcast_schedule *schedule =
            build(ASK("algorithm", "all-reduce", "n", "9", "m", packets[which], "order", ""));
        assert_true(roundcast_certify(schedule, &trees[which], &error));
        assert_int_equal(strspn(trees[which].certificate, "0123456789abcdef"), 16);
        assert_true(trees[which].packets_alike && trees[which].nodes_alike);
        roundcast_schedule_free(schedule);
    }
    assert_string_equal(trees[0].certificate, trees[1].certificate);
    struct roundcast_schedule *broadcast = build(ASK("algorithm", "path", "n", "9", "m", "2"));
    assert_false(roundcast_certify(broadcast, &trees[0], &error));
    assert_int_equal(error.code, 208);
    roundcast_schedule_free(broadcast);
}

static void settings_lead_where_transfers_go(void **unused)
{
    (void)unused;
    struct roundcast_schedule *schedule =
        build(ASK("algorithm", "circulant", "n", "8", "m", "9", "source", "3"));
    struct roundcast_image *image = route(schedule, ASK("network", "benes:8,pad=1"));
    const struct roundcast_image_info info = roundcast_image_describe(image);
    assert_string_equal(info.network, "benes:8,pipe=1,pad=1");
    assert_int_equal(info.ports, PORTS);
    assert_int_equal(info.stages, STAGES);
    assert_int_equal(info.rows, roundcast_schedule_describe(schedule).end);
    check_circuits(schedule, image);
    roundcast_image_free(image);

    image = route(schedule, ASK("network", "benes:8", "settings", "tags"));
    check_circuits(schedule, image);
    struct settings settings = {.most = 7};
    assert_true(roundcast_each_setting(image, keep, &settings, NULL));
    assert_int_equal(settings.seen, 7);
    roundcast_image_free(image);
    roundcast_schedule_free(schedule);
}

/* Returns whether the header of the image file contains the text. */
static bool header_has(const struct roundcast_image *image, const char *text)
{
    static const char *const files[] = {"image.hex", "schedule.sched", "payload.bin"};
    char folder[] = "/tmp/library-XXXXXX", path[64], header[1000] = "";
    assert_non_null(mkdtemp(folder));
    assert_true(roundcast_image_write(image, folder, NULL));
    for (unsigned file = 0; file < 3; file++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[file]);
        FILE *from = fopen(path, "r");
        assert_non_null(from);
        if (file == 0)
            assert_true(fread(header, 1, sizeof header - 1, from) > 0);
        fclose(from);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
    return strstr(header, text) != NULL;
}

static void settings_are_reconfigured(void **unused)
{
    (void)unused;
    struct roundcast_schedule *schedule = build(
        ASK("algorithm", "traffic", "pattern", "permutation:9", "n", "8", "reconfigure", "5"));
    struct roundcast_image *held = route(schedule, ASK("reconfigure", "1us", "clock", "5")),
                           *other = route(schedule, ASK("network", "benes:8"));
    check_circuits(schedule, held);
    assert_true(header_has(held, " order=held"));
    assert_true(header_has(held, " reconfigure=5"));
    assert_false(header_has(other, "held") || header_has(other, "reconfigure"));
    assert_int_equal(roundcast_image_describe(held).rows, roundcast_image_describe(other).rows);
    assert_true(roundcast_image_describe(held).words < roundcast_image_describe(other).words);
    roundcast_image_free(held), roundcast_image_free(other);
    roundcast_schedule_free(schedule);
}

/* A hypercube's schedule on a multistage network has a row for each dimension of a slot; an omega
 * network blocks rounds, which are split. Both change only a copy of the schedule. */
static void what_compiling_changes_is_a_copy(void **unused)
{
    (void)unused;
    struct roundcast_schedule *cube =
        build(ASK("algorithm", "cube-broadcast", "dim", "3", "random", "3"));
    struct roundcast_schedule *matching = build(ASK("algorithm", "matching", "n", "8", "m", "5"));
    char *cube_text = text_of(cube), *matching_text = text_of(matching);
    struct roundcast_image *lowered = route(cube, ASK("network", "benes:8"));
    struct roundcast_image *split = route(matching, ASK("network", "omega:8", "split", ""));
    assert_int_equal(roundcast_image_describe(lowered).rows,
                     3 * roundcast_schedule_describe(cube).end);
    assert_true(roundcast_image_describe(split).rows >= roundcast_schedule_describe(matching).end);
    char *cube_after = text_of(cube), *matching_after = text_of(matching);
    assert_string_equal(cube_after, cube_text);
    assert_string_equal(matching_after, matching_text);
    free(cube_text), free(matching_text), free(cube_after), free(matching_after);
    roundcast_image_free(lowered), roundcast_image_free(split);
    roundcast_schedule_free(cube), roundcast_schedule_free(matching);
}

static void files_come_back(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/library-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    struct roundcast_error error = {0};
    struct roundcast_schedule *schedule = build(ASK("algorithm", "fibonacci", "n", "8", "m", "3"));
    struct roundcast_image *image = route(schedule, ASK("network", "benes:8"));
    assert_true(roundcast_image_write(image, folder, &error));
    snprintf(path, sizeof path, "%s/schedule.sched", folder);
    struct roundcast_schedule *read = roundcast_read(path, &error);
    struct roundcast_image *again = roundcast_image_read(folder, &error);
    assert_non_null(read);
    assert_non_null(again);
    check_circuits(read, again);
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
    struct roundcast_request request = ask((const char *const[]){NULL}), before = request;
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
        {"waves", "a.fst"},        {"combine", "max"}};
    const struct roundcast_request usual = ask((const char *const[]){NULL});
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
    assert_int_equal(count, 57);
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
    struct roundcast_schedule *schedule = build(ASK("algorithm", "path", "n", "4", "m", "2"));
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

    schedule = build(ASK("algorithm", "tree-broadcast", "tree", "2,2"));
    struct roundcast_image *image = route(schedule, ask((const char *const[]){NULL}));
    assert_int_equal(roundcast_image_describe(image).stages, 0);
    assert_false(roundcast_each_setting(image, keep, NULL, &error));
    assert_int_equal(error.code, 208);
    roundcast_image_free(image);
    roundcast_schedule_free(schedule);
    roundcast_image_free(NULL);
    roundcast_schedule_free(NULL);
    assert_string_equal(roundcast_error_name(101), "option");
    assert_string_equal(roundcast_error_name(1), "?");
}

struct plan_seen {
    unsigned rows, most, guaranteed;
    uint64_t least;
    bool within; /* ends are within bound and guarantee, and ascend within a model */
    struct roundcast_plan_row last;
};

static bool see_row(void *with, const struct roundcast_plan_row *row)
{
    struct plan_seen *seen = with;
    if (row->has_end && row->end < row->bound)
        seen->within = false;
    if (row->guarantee_source != NULL && row->has_end && row->end > row->guarantee)
        seen->within = false;
    seen->guaranteed += row->guarantee_source != NULL;
    if (seen->rows > 0 && strcmp(row->model, seen->last.model) == 0 && row->has_end &&
        row->end < seen->last.end)
        seen->within = false;
    seen->least = seen->rows == 0 ? row->end : seen->least;
    seen->last = *row;
    return ++seen->rows < seen->most;
}

/* A plan reaches m - 1 + ⌈log2 n⌉ rounds (Bar-Noy and Kipnis), and each of its rows has a bound. */
static void a_plan_has_a_row_for_each_algorithm(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct roundcast_request request = ASK("n", "22", "m", "8", "model", "send-receive");
    struct plan_seen seen = {.most = UINT32_MAX, .within = true};
    assert_true(roundcast_plan(&request, see_row, &seen, &error));
    assert_true(seen.rows > 5 && seen.within);
    assert_int_equal(seen.guaranteed, 3); /* matching, circulant, fibonacci */
    assert_int_equal(seen.least, 8 - 1 + 5);
    const unsigned of_model = seen.rows;
    request.model = NULL;
    seen = (struct plan_seen){.most = UINT32_MAX, .within = true};
    assert_true(roundcast_plan(&request, see_row, &seen, &error));
    assert_true(seen.rows > of_model && seen.within);
    seen = (struct plan_seen){.most = 2};
    assert_true(roundcast_plan(&request, see_row, &seen, &error));
    assert_int_equal(seen.rows, 2);
    request.nodes = 0;
    assert_false(roundcast_plan(&request, see_row, &seen, &error));
    assert_int_equal(error.code, 101);
    assert_string_equal(error.field, "nodes");
}

/* A permutation of 3 packets a pair takes 3 rounds of 9 cycles in one setting, whose
 * reconfiguration takes 20 cycles. */
static void a_plan_counts_the_price_of_settings(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct roundcast_request request =
        ASK("n", "8", "pattern", "permutation:3", "reconfigure", "20", "round-cycles", "9");
    struct plan_seen seen = {.most = UINT32_MAX, .within = true};
    assert_true(roundcast_plan(&request, see_row, &seen, &error));
    assert_true(seen.rows > 2);
    assert_string_equal(seen.last.algorithm, "traffic");
    assert_non_null(seen.last.method);
    assert_int_equal(seen.least, 3 * 9 + 20);
    assert_int_equal(seen.last.bound, 3 * 9 + 20);
    request.planes = 2;
    seen = (struct plan_seen){.most = 1};
    assert_true(roundcast_plan(&request, see_row, &seen, &error));
    assert_true(seen.least <= 3 * 9 + 20);
    assert_int_equal(seen.last.bound, (3 * 9 + 20 + 1) / 2);
    request.reconfigure = NULL;
    request.round_cycles = 0;
    assert_false(roundcast_plan(&request, see_row, &seen, &error));
    assert_int_equal(error.code, 101);
    assert_string_equal(error.field, "planes");
}

struct tune_seen {
    unsigned rows;
    uint64_t cycles; /* of the previous row */
    bool ascends;
    struct roundcast_tune_row matching; /* its best cut */
};

static bool see_cut(void *with, const struct roundcast_tune_row *row)
{
    struct tune_seen *seen = with;
    seen->ascends = seen->ascends && row->cycles >= seen->cycles && row->cycles >= row->bound;
    seen->cycles = row->cycles;
    seen->rows++;
    if (strcmp(row->algorithm, "matching") == 0 && strcmp(row->model, "send-receive") == 0)
        seen->matching = *row;
    return true;
}

/* 9286 bytes are 4643 flits of 16 bits; m packets of F flits take m - 1 + 5 rounds of F + 9
 * cycles. */
static void tuning_finds_the_best_cut(void **unused)
{
    (void)unused;
    const uint64_t flits = 4643, latency = 9, log2_nodes = 5;
    uint64_t best = UINT64_MAX;
    for (uint64_t m = 1; m <= flits; m++) {
        const uint64_t cycles = (m - 1 + log2_nodes) * ((flits + m - 1) / m + latency);
        best = cycles < best ? cycles : best;
    }
    struct roundcast_error error = {0};
    struct roundcast_request request = ASK("n", "22", "network", "benes:32");
    struct tune_seen seen = {.ascends = true};
    assert_true(roundcast_tune(&request, 2 * flits, see_cut, &seen, &error));
    assert_true(seen.rows > 5 && seen.ascends);
    assert_int_equal(seen.matching.cycles, best);
    assert_int_equal(seen.matching.end, seen.matching.packets - 1 + log2_nodes);
    assert_int_equal(seen.matching.cycles, seen.matching.end * (seen.matching.flits + latency));
    assert_false(roundcast_tune(&request, 0, see_cut, &seen, &error));
    assert_int_equal(error.code, 101);
    assert_string_equal(error.field, "bytes");

    request = ASK("n", "8", "pattern", "permutation:3", "reconfigure", "20");
    seen = (struct tune_seen){.ascends = true};
    assert_true(roundcast_tune(&request, 0, see_cut, &seen, &error));
    assert_true(seen.rows > 1 && seen.ascends);
    assert_false(roundcast_tune(&request, 100, see_cut, &seen, &error));
    assert_int_equal(error.code, 101);
}

/* The arrivals of a run, which are compared with the transfers. */
struct arrivals {
    const struct roundcast_schedule *schedule;
    uint32_t row_cycles;
    size_t seen;
    uint64_t progress, all;
};

/* A packet arrives in the row of its round. The transfer is searched for, because transfers within
 * a round ascend by receiver only in the run. */
static void see_arrival(void *with, uint64_t cycle, uint32_t port, uint32_t packet)
{
    struct arrivals *arrivals = with;
    struct roundcast_transfer transfer;
    bool found = false;
    for (size_t which = 0; roundcast_transfer_at(arrivals->schedule, which, &transfer, NULL);
         which++)
        found = found || (transfer.destination == port && transfer.packet == packet &&
                          transfer.time - 1 == cycle / arrivals->row_cycles);
    assert_true(found);
    arrivals->seen++;
}

static void see_progress(void *with, uint64_t done, uint64_t all)
{
    struct arrivals *arrivals = with;
    assert_true(done < all && (arrivals->progress == 0 || done > arrivals->progress));
    arrivals->progress = done;
    arrivals->all = all;
}

static struct roundcast_image *compile(const struct roundcast_request *request)
{
    struct roundcast_error error = {0};
    struct roundcast_image *image = roundcast_compile(request, &error);
    if (image == NULL)
        fail_msg("%s", error.text);
    return image;
}

static void a_simulation_shows_every_arrival(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct roundcast_request request = ASK("algorithm", "circulant", "n", "8", "m", "9", "seed",
                                           "7", "network", "benes:8", "engine", "csim");
    struct roundcast_image *image = compile(&request);
    struct roundcast_schedule *schedule = roundcast_image_schedule(image, &error);
    const struct roundcast_image_info info = roundcast_image_describe(image);
    struct arrivals arrivals = {.schedule = schedule, .row_cycles = info.row_cycles};
    const struct roundcast_watch watch = {&arrivals, see_arrival, see_progress};
    struct roundcast_report report;
    assert_non_null(schedule);
    check_circuits(schedule, image);
    assert_true(roundcast_simulate(image, &request, &watch, &report, &error));
    assert_true(report.holds);
    assert_int_equal(report.run_cycles, info.rows * info.row_cycles);
    assert_int_equal(report.expected_cycles, report.run_cycles);
    assert_int_equal(arrivals.all, report.run_cycles);
    assert_int_equal(arrivals.seen, roundcast_schedule_describe(schedule).transfers);
    assert_int_equal(report.seen, arrivals.seen);
    assert_int_equal(report.expected, arrivals.seen);
    assert_int_equal(report.packets_checked, 8 * 9);
    assert_int_equal(report.packets_wanted, 8 * 9);
    assert_int_equal(report.wrong + report.flags + report.packets_corrupt + report.changes, 0);
    assert_true(roundcast_simulate(image, &request, NULL, &report, NULL));

    request.engine = "verilog";
    assert_false(roundcast_simulate(image, &request, NULL, &report, &error));
    assert_int_equal(error.code, 101);
    request.engine = "csim";
    request.waves_from = 2;
    assert_false(roundcast_simulate(image, &request, NULL, &report, &error));
    assert_int_equal(error.code, 101);
    assert_string_equal(error.field, "waves-from");
    roundcast_schedule_free(schedule);
    roundcast_image_free(image);
}

/* Flips switch 0 of stage 0 in row 0, through which node 0 sends, in the image's file. */
static void damage(const char *path)
{
    char text[4096], *at;
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    assert_non_null(at = strstr(text, "@10000000\n"));
    at += strlen("@10000000\n") + 7;
    assert_int_equal(fseek(file, at - text, SEEK_SET), 0);
    fputc(*at ^ 1, file);
    assert_int_equal(fclose(file), 0);
}

static void a_damaged_image_fails(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/library-XXXXXX", path[64];
    static const char *const files[] = {"schedule.sched", "payload.bin", "image.hex"};
    struct roundcast_error error = {0};
    const struct roundcast_request request =
        ASK("algorithm", "circulant", "n", "8", "m", "9", "network", "benes:8", "engine", "csim");
    struct roundcast_image *image = compile(&request), *damaged;
    struct roundcast_report report;
    assert_non_null(mkdtemp(folder));
    assert_true(roundcast_image_write(image, folder, &error));
    snprintf(path, sizeof path, "%s/image.hex", folder);
    damage(path);
    assert_non_null(damaged = roundcast_image_read(folder, &error));
    assert_false(roundcast_simulate(damaged, &request, NULL, &report, &error));
    assert_int_equal(error.code / 100, 6);
    assert_false(report.holds);
    assert_true(report.seen < report.expected);
    assert_int_equal(report.breach.code, error.code);
    json_t *json = roundcast_json_report(damaged, &report);
    assert_true(json_is_false(json_object_get(json, "holds")));
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(json, "error"), "message")), error.text);
    json_decref(json);
    struct roundcast_schedule *other = roundcast_unpack(damaged, &error);
    struct roundcast_verdict verdict;
    assert_non_null(other);
    assert_false(roundcast_verify(other, &verdict, &error));
    assert_int_equal(error.code / 100, 3);
    roundcast_schedule_free(other);
    for (unsigned file = 0; file < 3; file++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[file]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
    roundcast_image_free(image), roundcast_image_free(damaged);
}

struct circuits {
    const struct roundcast_schedule *schedule;
    size_t seen, most;
};

/* Transfers of a round ascend by source, and so do the circuits of a row. */
static bool see_circuit(void *with, const struct roundcast_circuit *circuit)
{
    struct circuits *circuits = with;
    struct roundcast_transfer transfer;
    bool found = false;
    for (size_t which = 0; roundcast_transfer_at(circuits->schedule, which, &transfer, NULL);
         which++)
        found = found ||
                (transfer.time - 1 == circuit->row && transfer.source == circuit->source &&
                 transfer.destination == circuit->destination && transfer.packet == circuit->sent);
    assert_true(found);
    assert_int_equal(circuit->sent, circuit->received);
    return ++circuits->seen < circuits->most;
}

/* An image runs a legal schedule, with the transfers of the schedule that it was made from; with a
 * flipped switch it runs another schedule, or none. */
static void images_are_unpacked(void **unused)
{
    (void)unused;
    static const char *const requests[][8] = {
        {"algorithm", "circulant", "n", "8", "m", "9", NULL},
        {"algorithm", "postal-pipeline", "n", "6", "m", "3", NULL}};
    struct roundcast_error error = {0};
    for (size_t which = 0; which < sizeof requests / sizeof *requests; which++) {
        const struct roundcast_request request = ask(requests[which]);
        struct roundcast_image *image = compile(&request);
        struct roundcast_schedule *schedule = roundcast_image_schedule(image, &error);
        struct roundcast_schedule *unpacked = roundcast_unpack(image, &error);
        struct roundcast_verdict verdict;
        struct roundcast_transfer one, other;
        if (unpacked == NULL || !roundcast_verify(unpacked, &verdict, &error))
            fail_msg("%s", error.text);
        size_t count = roundcast_schedule_describe(schedule).transfers;
        assert_int_equal(roundcast_schedule_describe(unpacked).transfers, count);
        assert_int_equal(roundcast_schedule_describe(unpacked).end,
                         roundcast_schedule_describe(schedule).end);
        for (size_t index = 0; index < count; index++) {
            bool found = false;
            assert_true(roundcast_transfer_at(schedule, index, &one, NULL));
            for (size_t k = 0; roundcast_transfer_at(unpacked, k, &other, NULL); k++)
                found =
                    found || (one.time == other.time && one.source == other.source &&
                              one.destination == other.destination && one.packet == other.packet);
            assert_true(found);
        }
        roundcast_schedule_free(schedule), roundcast_schedule_free(unpacked);
        roundcast_image_free(image);
    }
    const struct roundcast_request tree = ASK("algorithm", "tree-broadcast", "tree", "2,2");
    struct roundcast_image *image = compile(&tree);
    assert_null(roundcast_unpack(image, &error));
    assert_int_equal(error.code, 208);
    roundcast_image_free(image);
}

static bool add_table(void *with, const struct roundcast_table *table)
{
    uint64_t *bits = with;
    bits[table->used] += table->words * table->bits;
    return true;
}

/* 5 stages of 4 switches in each of the 12 rounds; programs of 8 nodes have a packet of 4 bits and
 * a valid bit each to send and to receive, and one bit that ends the run: 11 bits. */
static void tables_are_measured(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct roundcast_request request =
        ASK("algorithm", "circulant", "n", "8", "m", "9", "network", "benes:8");
    struct roundcast_image *image = compile(&request);
    struct roundcast_schedule *schedule = roundcast_image_schedule(image, &error);
    struct circuits circuits = {.schedule = schedule, .most = UINT32_MAX};
    assert_true(roundcast_each_circuit(image, see_circuit, &circuits, &error));
    assert_int_equal(circuits.seen, roundcast_schedule_describe(schedule).transfers);
    circuits = (struct circuits){.schedule = schedule, .most = 3};
    assert_true(roundcast_each_circuit(image, see_circuit, &circuits, &error));
    assert_int_equal(circuits.seen, 3);

    struct roundcast_image_info info = roundcast_image_describe(image);
    uint64_t bits[2] = {0};
    assert_true(roundcast_each_table(image, add_table, bits, &error));
    assert_int_equal(info.rows, 9 - 1 + 3);
    assert_int_equal(info.table_bits, info.rows * (5 * 4 + 8 * 11));
    assert_int_equal(info.full_bits, info.table_bits);
    assert_int_equal(bits[true], info.table_bits);
    assert_int_equal(bits[false], 0);
    roundcast_schedule_free(schedule);
    roundcast_image_free(image);

    request.settings = "indexed";
    image = compile(&request);
    info = roundcast_image_describe(image);
    bits[false] = bits[true] = 0;
    assert_true(roundcast_each_table(image, add_table, bits, &error));
    assert_int_equal(bits[true], info.table_bits);
    assert_true(info.table_bits < info.full_bits);
    roundcast_image_free(image);

    request = ASK("algorithm", "tree-broadcast", "tree", "2,2");
    image = compile(&request);
    assert_int_equal(roundcast_image_describe(image).routers, 3);
    assert_false(roundcast_each_table(image, add_table, bits, &error));
    assert_int_equal(error.code, 208);
    assert_false(roundcast_each_circuit(image, see_circuit, &circuits, &error));
    assert_int_equal(error.code, 208);
    roundcast_image_free(image);
}

/* Computes the text and the settings of one schedule, with an error in between. */
static void *work(void *with)
{
    const struct roundcast_schedule *shared = with;
    struct roundcast_error error = {0};
    struct roundcast_schedule *own = build(ASK("algorithm", "circulant", "n", "8", "m", "9"));
    char *text = text_of(own), *other = text_of(shared);
    assert_string_equal(text, other);
    struct roundcast_request wrong = ASK("algorithm", "path", "n", "4");
    assert_null(roundcast_build(&wrong, &error));
    struct roundcast_image *image = route(shared, ASK("network", "benes:8"));
    check_circuits(own, image);
    free(text), free(other);
    roundcast_image_free(image);
    roundcast_schedule_free(own);
    return NULL;
}

static void threads_share_a_handle(void **unused)
{
    (void)unused;
    struct roundcast_schedule *shared = build(ASK("algorithm", "circulant", "n", "8", "m", "9"));
    pthread_t thread[4];
    for (unsigned which = 0; which < 4; which++)
        assert_int_equal(pthread_create(&thread[which], NULL, work, shared), 0);
    for (unsigned which = 0; which < 4; which++)
        assert_int_equal(pthread_join(thread[which], NULL), 0);
    roundcast_schedule_free(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transfers_are_those_of_the_text),
        cmocka_unit_test(the_bound_is_the_papers),
        cmocka_unit_test(a_fault_is_reported_by_line_and_code),
        cmocka_unit_test(reductions_have_a_certificate),
        cmocka_unit_test(settings_lead_where_transfers_go),
        cmocka_unit_test(what_compiling_changes_is_a_copy),
        cmocka_unit_test(settings_are_reconfigured),
        cmocka_unit_test(files_come_back),
        cmocka_unit_test(wrong_texts_change_nothing),
        cmocka_unit_test(texts_set_the_members),
        cmocka_unit_test(what_is_wrong_is_an_object),
        cmocka_unit_test(a_plan_has_a_row_for_each_algorithm),
        cmocka_unit_test(a_plan_counts_the_price_of_settings),
        cmocka_unit_test(tuning_finds_the_best_cut),
        cmocka_unit_test(a_simulation_shows_every_arrival),
        cmocka_unit_test(a_damaged_image_fails),
        cmocka_unit_test(images_are_unpacked),
        cmocka_unit_test(tables_are_measured),
        cmocka_unit_test(threads_share_a_handle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
