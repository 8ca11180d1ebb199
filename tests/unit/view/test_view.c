/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a page match the schedule and the circuits of the image.
 *
 * A page is written and its JSON read by jansson. The transfers must be those of the schedule, step
 * by step, and each circuit is followed from its output back to its input by a reader of settings
 * that is implemented here from view/data.h: on networks of switches, including bypassed lanes and
 * switches that copy, and on networks of crossbars of two and three levels. Counter-cases: the same
 * checks reject a page in which the settings, or one receipt, were changed. The cycles of the rows
 * are computed by hand. Texts with tags stay texts. Errors: E102, E104 before anything is written,
 * E204 for a file that is not a page, E201 for one that cannot be read. */
#include "view/view.h"

#include "sched/machine/machine_network.h"
#include "sched/route/compile.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

/* Returns a page as text; the caller frees it. */
static char *written(const struct schedule *schedule, const struct image *image, const char *title)
{
    json_t *report = json_pack("{s:s}", "title", title);
    const struct view_page page = {.schedule = schedule, .image = image, .report = report};
    char *text = NULL;
    size_t size;
    struct err err = {0};
    FILE *file = open_memstream(&text, &size);
    support_true(view_write(file, "page", &page, &err), &err);
    assert_int_equal(fclose(file), 0);
    json_decref(report);
    return text;
}

static json_t *data_of(const char *page)
{
    const char *at = strstr(page, "id=\"data\">");
    assert_non_null(at);
    json_t *data = json_loads(at + strlen("id=\"data\">"), JSON_DISABLE_EOF_CHECK, NULL);
    assert_non_null(data);
    return data;
}

static int64_t number(const json_t *array, size_t index)
{
    const json_t *value = json_array_get(array, index);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}
static int64_t field(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

/* Checks that the steps of the page are those of the schedule. */
static bool same_steps(const json_t *data, const struct schedule *schedule)
{
    const json_t *steps = json_object_get(json_object_get(data, "schedule"), "steps");
    bool same = json_array_size(steps) == schedule->step_count;
    for (size_t k = 0; same && k < schedule->step_count; k++) {
        const json_t *step = json_array_get(steps, k);
        size_t first = schedule->step[k].first, count = schedule_step_end(schedule, k) - first;
        same = json_array_size(step) == 1 + 3 * count &&
               (uint64_t)number(step, 0) == schedule->step[k].time;
        for (size_t t = 0; same && t < count; t++) {
            const struct transfer *transfer = &schedule->transfer[first + t];
            same = number(step, 1 + 3 * t) == transfer->source &&
                   number(step, 2 + 3 * t) == transfer->destination &&
                   number(step, 3 + 3 * t) == transfer->packet;
        }
    }
    return same;
}

/* -- Settings: a reader of base64 and of the stages -------------------------------------------- */

static uint32_t six_bits(char letter)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    return letter == '=' ? 0 : (uint32_t)(strchr(letters, letter) - letters);
}

static uint32_t byte_of(const char *text, size_t at)
{
    const char *group = text + at / 3 * 4;
    uint32_t bits = 0;
    for (unsigned k = 0; k < 4; k++)
        bits = bits << 6 | six_bits(group[k]);
    return bits >> (16 - 8 * (at % 3)) & 255;
}

/* Field `index` of a stage whose words begin with word `first`. */
static uint32_t setting(const char *row, size_t first, uint32_t bits, uint32_t index)
{
    size_t byte = 4 * (first + index / (32 / bits));
    uint32_t word = byte_of(row, byte) | byte_of(row, byte + 1) << 8 |
                    byte_of(row, byte + 2) << 16 | byte_of(row, byte + 3) << 24;
    return word >> index % (32 / bits) * bits & ((1u << bits) - 1);
}

/* Returns the lane before a stage that a lane after it is connected to, or -1. */
static int64_t lane_before(const json_t *network, const json_t *stage, const char *row,
                           size_t first, int64_t lane)
{
    uint32_t bits = (uint32_t)field(stage, "bits");
    if (json_object_get(stage, "inputs") == NULL) {
        int64_t sw = number(json_object_get(stage, "switch"), (size_t)lane);
        bool copies = json_is_true(json_object_get(network, "copies"));
        bool crossed = sw >= 0 && setting(row, first, bits, (uint32_t)(copies ? lane : sw));
        return crossed ? number(json_object_get(stage, "partner"), (size_t)lane) : lane;
    }
    int64_t inputs = field(stage, "inputs"), outputs = field(stage, "outputs"),
            stride = field(stage, "stride");
    int64_t input = (int64_t)setting(row, first, bits, (uint32_t)lane) - 1;
    int64_t group = lane / (stride * outputs), within = lane % stride;
    return input < 0 || input >= inputs ? -1 : (group * inputs + input) * stride + within;
}

/* Returns the words of a row of settings, and in *first the word after those of all stages. */
static const char *words_of(const json_t *network, size_t row, size_t *first)
{
    const json_t *stages = json_object_get(network, "stages");
    *first = 0;
    for (size_t s = 0; s < json_array_size(stages); s++)
        *first += (size_t)field(json_array_get(stages, s), "columns");
    const char *words =
        json_string_value(json_array_get(json_object_get(network, "settings"), row));
    assert_non_null(words);
    return words;
}

/* Returns the lane from which an output gets its word, before the stages that copy or route. */
static int64_t origin_of(const json_t *network, size_t row, int64_t output)
{
    const json_t *stages = json_object_get(network, "stages");
    size_t first;
    const char *words = words_of(network, row, &first);
    for (size_t s = json_array_size(stages);
         s-- > (size_t)field(network, "combining") && output >= 0;) {
        const json_t *stage = json_array_get(stages, s);
        first -= (size_t)field(stage, "columns");
        output = lane_before(network, stage, words, first, output);
    }
    return output;
}

/* Returns the lane after the stages that combine to which the word of an input leads: a bit of a
 * lane sends its word to the other lane of the switch. */
static int64_t goal_of(const json_t *network, size_t row, int64_t lane)
{
    const json_t *stages = json_object_get(network, "stages");
    size_t all, first = 0;
    const char *words = words_of(network, row, &all);
    for (size_t s = 0; s < (size_t)field(network, "combining"); s++) {
        const json_t *stage = json_array_get(stages, s);
        if (setting(words, first, (uint32_t)field(stage, "bits"), (uint32_t)lane))
            lane = number(json_object_get(stage, "partner"), (size_t)lane);
        first += (size_t)field(stage, "columns");
    }
    return lane;
}

/* Checks that the settings lead each packet from its source to its destination. */
static bool circuits_lead(const json_t *data, const struct schedule *schedule)
{
    const json_t *network = json_object_get(data, "network");
    bool lead = true;
    for (size_t k = 0; lead && k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first; lead && t < schedule_step_end(schedule, k); t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            const size_t row = (size_t)schedule_row(schedule, k);
            lead = goal_of(network, row, transfer->source) ==
                   origin_of(network, row, transfer->destination);
        }
    return lead;
}

/* -- Tests ------------------------------------------------------------------------------------- */

/* Clears the first row of settings, under which every switch passes its words straight on. */
static void spoil_settings(char *page)
{
    char *at = strstr(page, "\"settings\":[");
    assert_non_null(at);
    at = strchr(at + strlen("\"settings\":["), '"');
    assert_non_null(at);
    for (at++; *at != '"'; at++)
        if (*at != '=')
            *at = 'A';
}

static void network_job(const char *name, const char *algorithm, enum model model, uint32_t n,
                        struct support_job *job)
{
    const struct collective asked = {.n = n, .m = 3, .source = 1, .model = model};
    struct err err = {0};
    struct machine machine = support_machine(2, 1, 0);
    support_true(machine_parse_network(name, &machine, &err), &err);
    support_job(support_algorithm(algorithm), &asked, &machine, 4, 7, job);
}

static void test_networks(void **state)
{
    (void)state;
    static const struct {
        const char *network, *algorithm;
        enum model model;
        uint32_t n;
    } cases[] = {
        {"benes:16", "matching", MODEL_SEND_RECEIVE, 16},
        {"benes:11", "circulant", MODEL_SEND_RECEIVE, 11},
        {"waksman:13", "circulant", MODEL_SEND_RECEIVE, 13},
        {"omega:8", "circulant", MODEL_SEND_RECEIVE, 8},
        {"clos:5,4,3", "circulant", MODEL_SEND_RECEIVE, 12},
        {"benes:27,radix=3", "circulant", MODEL_SEND_RECEIVE, 25},
        {"multicast:8", "fabric-broadcast", MODEL_FABRIC_MULTICAST, 8},
        {"combine:8", "matching", MODEL_SEND_RECEIVE, 8},
        {"all-reduce:8", "matching", MODEL_SEND_RECEIVE, 8},
        {"all-reduce:8", "fabric-all-reduce", MODEL_FABRIC_ALL_REDUCE, 8},
    };
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct support_job job = {0};
        network_job(cases[which].network, cases[which].algorithm, cases[which].model,
                    cases[which].n, &job);
        char *page = written(&job.schedule, &job.image, cases[which].network);
        json_t *data = data_of(page);
        assert_true(same_steps(data, &job.schedule));
        assert_true(circuits_lead(data, &job.schedule));
        json_decref(data);
        spoil_settings(page);
        data = data_of(page);
        assert_false(circuits_lead(data, &job.schedule));
        json_decref(data);
        free(page);
        support_job_free(&job);
    }
}

/* -- The clock --------------------------------------------------------------------------------- */

/* Two rounds of one circuit, an idle round, and a round of another circuit. */
static const char held_text[] = "roundcast-schedule 1\nalgorithm by hand\ntopology complete 3\n"
                                "model send-receive\ndemand 1-2 0 1\ndemand 3 0 2\nround 1\n"
                                "0 1 1\nround 2\n0 1 2\nround 4\n0 2 3\nend 4\n";

/* Compares the "clock" of a page of that schedule on a Beneš network of 4 ports with 3 registers
 * and 4 flits a packet, so that a row is 7 cycles. */
static void clock_is(bool held, uint32_t reconfigure, const char *expected)
{
    struct compile_request request = {
        .has_network = true, .flits = 4, .seed = 1, .reconfigure = reconfigure};
    struct support_job job = {0};
    struct machine machine = {0};
    struct split_report splitted;
    struct err err = {0};
    support_true(support_read(held_text, "held", &job.schedule, &err), &err);
    support_true(machine_parse_network("benes:4,pipe=1,pad=0", &request.machine, &err), &err);
    request.machine.width = 16;
    request.machine.reconfigures = held;
    support_true(
        compile_machine_of(&request, &job.schedule, &machine, &job.payload, &err) &&
            compile_rewrite(&request, &machine, &job.schedule, &splitted, &err) &&
            compile_schedule(&request, &job.schedule, &job.payload, &machine, &job.image, &err),
        &err);
    char *page = written(&job.schedule, &job.image, "held");
    json_t *data = data_of(page);
    char *text = json_dumps(json_object_get(data, "clock"), JSON_COMPACT);
    assert_string_equal(text, expected);
    free(text);
    json_decref(data);
    free(page);
    support_job_free(&job);
}

/* 4 rows of 7 cycles; 5 cycles before row 0 and before row 3, which requires another setting. */
static void test_clock(void **state)
{
    (void)state;
    clock_is(false, 0, "{\"end\":28,\"rows\":[[4,0,27]]}");
    clock_is(true, 0, "{\"end\":28,\"rows\":[[4,0,27]]}");
    clock_is(true, 5, "{\"end\":38,\"rows\":[[3,5,25],[1,31,37]]}");
}

static const char tree_text[] = "roundcast-schedule 1\nalgorithm by hand\n"
                                "topology tree 2 2 capacity 1 2\nmodel multiport\ndemand 1 0 1,2\n"
                                "demand 2 1 *\nround 1\n0 1:0 1\n1 1:0 2\nround 3\n1:0 2:0 1 1\n"
                                "1:0 2:0 2 0\nend 3\n";

static void test_trees_have_lanes(void **state)
{
    (void)state;
    struct schedule schedule = {0};
    struct err err = {0};
    support_true(support_read(tree_text, "tree", &schedule, &err), &err);
    char *page = written(&schedule, NULL, "tree");
    json_t *data = data_of(page), *part = json_object_get(data, "schedule");
    assert_true(same_steps(data, &schedule));
    assert_true(json_is_null(json_object_get(data, "network")));
    assert_true(json_is_null(json_object_get(data, "clock")));
    const json_t *lanes = json_array_get(json_object_get(part, "lanes"), 1);
    assert_int_equal(number(lanes, 0), 1);
    assert_int_equal(number(lanes, 1), 0);
    const json_t *topology = json_object_get(part, "topology");
    assert_string_equal(json_string_value(json_object_get(topology, "kind")), "tree");
    assert_int_equal(number(json_object_get(topology, "capacity"), 1), 2);
    const json_t *demands = json_object_get(part, "demands");
    assert_int_equal(number(json_array_get(json_array_get(demands, 0), 3), 1), 2);
    assert_int_equal(json_array_size(json_array_get(json_array_get(demands, 1), 3)), 0);
    schedule.transfer[1].packet = 1; /* the page no longer matches the schedule */
    assert_false(same_steps(data, &schedule));
    json_decref(data);
    free(page);
    schedule_free(&schedule);
}

static void test_texts_stay_texts(void **state)
{
    (void)state;
    struct schedule schedule = {0};
    struct err err = {0};
    const char *title = "</script><b id=\"x\">&amp; '\"\\ \xc3\xa9 \xe2\x80\xa8";
    support_true(support_read(tree_text, "tree", &schedule, &err), &err);
    char *page = written(&schedule, NULL, title);
    unsigned ends = 0;
    for (const char *at = page; (at = strstr(at, "</script>")) != NULL; at++)
        ends++;
    assert_int_equal(ends, 3); /* of the report, the data and the scripts */
    FILE *file = fmemopen(page, strlen(page), "r");
    json_t *report = view_read_report(file, "page", &err);
    assert_non_null(report);
    assert_string_equal(json_string_value(json_object_get(report, "title")), title);
    json_decref(report);
    fclose(file);
    free(page);
    schedule_free(&schedule);
}

/* Expects that the page is rejected and nothing is written. */
static void refused(const struct schedule *schedule, const struct image *image, enum err_code code,
                    const char *part)
{
    char *text = NULL;
    size_t size;
    struct err err = {0};
    json_t *report = json_object();
    const struct view_page page = {.schedule = schedule, .image = image, .report = report};
    FILE *file = open_memstream(&text, &size);
    assert_false(view_write(file, "page", &page, &err));
    fclose(file);
    assert_int_equal(size, 0);
    support_error(&err, code, part);
    json_decref(report);
    free(text);
}

static void test_what_is_too_large(void **state)
{
    (void)state;
    struct schedule schedule = {0};
    struct err err = {0};
    support_true(support_read(tree_text, "tree", &schedule, &err), &err);
    struct schedule large = schedule;
    large.transfer_count = VIEW_MAX_TRANSFERS + 1;
    refused(&large, NULL, ERR_TOO_BIG, "524289 transfers; expected at most 524288");
    large = schedule;
    large.end = VIEW_MAX_TIME + 1;
    refused(&large, NULL, ERR_RANGE, "expected at most 9007199254740992");
    /* a row of benes:4 has 3 stages, with a word for each */
    const struct image image = {.machine = support_machine(2, 1, 0),
                                .run = {.rows = VIEW_MAX_SETTING_WORDS / 3 + 1}};
    refused(&schedule, &image, ERR_TOO_BIG, "1048578 words of settings; expected at most 1048576");
    schedule_free(&schedule);
}

static void test_what_is_no_page(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "<!doctype html>\n<script type=\"application/json\" id=\"report\">[1]</script>\n",
        "<script type=\"application/json\" id=\"report\">{\"a\":"};
    for (size_t which = 0; which < sizeof texts / sizeof *texts; which++) {
        struct err err = {0};
        FILE *file = tmpfile();
        fputs(texts[which], file);
        rewind(file);
        assert_null(view_read_report(file, "x.html", &err));
        support_error(&err, ERR_SYNTAX, "x.html: no report; expected a page");
        fclose(file);
    }
}

/* A page that cannot be read is rejected, even if its report has been read. */
static void test_what_cannot_be_read(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "<!doctype html>\n",
        "<script type=\"application/json\" id=\"report\">{\"title\":\"a\"}</script>"};
    for (size_t which = 0; which < sizeof texts / sizeof *texts; which++) {
        struct err err = {0};
        const char *text = texts[which];
        FILE *file = support_unreadable(&text);
        assert_null(view_read_report(file, "x.html", &err));
        support_error(&err, ERR_READ, "x.html: Input/output error; expected a file that can be");
        fclose(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_networks),
        cmocka_unit_test(test_trees_have_lanes),
        cmocka_unit_test(test_texts_stay_texts),
        cmocka_unit_test(test_what_is_too_large),
        cmocka_unit_test(test_what_is_no_page),
        cmocka_unit_test(test_what_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
