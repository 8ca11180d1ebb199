/* SPDX-License-Identifier: Apache-2.0 */
/* libroundcast: handles do what the command line does, refuse what it refuses, and share nothing.
 *
 * Transfers are held against the lines of the schedule's text. Settings are followed through the
 * drawing of a Beneš network, of which this file has its own copy: every circuit of every round has
 * to lead where its transfer says. What compiling changes is a copy. Each error is an object with
 * its code; two threads get the same as one. tests/cli/library.sh tries the library as it is
 * installed.
 */
#include "lib/roundcast.h"
#include "tests/support/cmocka_all.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define PORTS 8
#define STAGES 5
#define ROUNDS 16

static struct roundcast_schedule *build(const char *algorithm, const char *const words[])
{
    struct roundcast_error error = {0};
    struct roundcast_schedule *schedule = roundcast_build(algorithm, words, &error);
    if (schedule == NULL)
        fail_msg("%s", error.text);
    return schedule;
}

static struct roundcast_image *route(const struct roundcast_schedule *schedule,
                                     const char *const words[])
{
    struct roundcast_error error = {0};
    struct roundcast_image *image = roundcast_route(schedule, words, &error);
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
    struct roundcast_schedule *schedule = build("circulant", WORDS("-n", "22", "-m", "8"));
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

/* m - 1 + ⌈log2 n⌉ (send-receive), and m - 1 + f_λ(n) with f_2(n) the index of Fibonacci numbers:
 * 1 1 2 3 5 8 13 reach 8 after 5 units. */
static void the_bound_is_the_papers(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    uint64_t end;
    assert_true(roundcast_bound("path", WORDS("-n", "22", "-m", "8"), &end, NULL));
    assert_int_equal(end, 8 - 1 + 5);
    assert_true(roundcast_bound("postal-bcast", WORDS("-n8", "-m1", "--lambda=2"), &end, NULL));
    assert_int_equal(end, 5);
    assert_false(roundcast_bound("path", WORDS("-n", "22", "-m", "8", "-d", "2"), &end, &error));
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
    /* Packet 1 is missing at 2 and 3, packet 2 at 1 and 2, as node 3 has received it. */
    assert_int_equal(verdict.violations, 1 + 2 + 2);
    error = (struct roundcast_error){0};
    assert_null(roundcast_route(schedule, NULL, &error));
    assert_int_equal(error.code, 302);
    roundcast_schedule_free(schedule);

    schedule = build("matching", WORDS("-n", "22", "-m", "8"));
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

/* The lane behind a Beneš network of 8 ports: stages pair lanes that are 4, 2, 1, 2, 4 apart, and
 * the switches of a block of lanes stand from half its first lane on. */
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

static void settings_lead_where_transfers_go(void **unused)
{
    (void)unused;
    struct roundcast_schedule *schedule =
        build("circulant", WORDS("-n", "8", "-m", "9", "--source", "3"));
    struct roundcast_image *image = route(schedule, WORDS("--network", "benes:8,pad=1"));
    const struct roundcast_image_info info = roundcast_image_describe(image);
    assert_string_equal(info.network, "benes:8,pipe=1,pad=1");
    assert_int_equal(info.ports, PORTS);
    assert_int_equal(info.stages, STAGES);
    assert_int_equal(info.rows, roundcast_schedule_describe(schedule).end);
    check_circuits(schedule, image);
    roundcast_image_free(image);

    image = route(schedule, WORDS("--network", "benes:8", "--settings", "tags"));
    check_circuits(schedule, image);
    struct settings settings = {.most = 7};
    assert_true(roundcast_each_setting(image, keep, &settings, NULL));
    assert_int_equal(settings.seen, 7);
    roundcast_image_free(image);
    roundcast_schedule_free(schedule);
}

/* Is the text in the header of the image's file? */
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
    struct roundcast_schedule *schedule =
        build("traffic", WORDS("--pattern", "permutation:9", "-n", "8", "--reconfigure", "5"));
    struct roundcast_image *held = route(schedule, WORDS("--reconfigure", "1us", "--clock", "5")),
                           *other = route(schedule, WORDS("--network", "benes:8"));
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
 * network blocks rounds. */
static void what_compiling_changes_is_a_copy(void **unused)
{
    (void)unused;
    struct roundcast_schedule *cube = build("cube-broadcast", WORDS("--dim", "3", "--random", "3"));
    struct roundcast_schedule *matching = build("matching", WORDS("-n", "8", "-m", "5"));
    char *cube_text = text_of(cube), *matching_text = text_of(matching);
    struct roundcast_image *lowered = route(cube, WORDS("--network", "benes:8"));
    struct roundcast_image *split = route(matching, WORDS("--network", "omega:8", "--split"));
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
    struct roundcast_schedule *schedule = build("fibonacci", WORDS("-n", "8", "-m", "3"));
    struct roundcast_image *image = route(schedule, WORDS("--network", "benes:8"));
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

static void refuses(const char *algorithm, const char *const words[], int code, const char *part)
{
    struct roundcast_error error = {0};
    assert_null(roundcast_build(algorithm, words, &error));
    assert_int_equal(error.code, code);
    if (strstr(error.text, part) == NULL)
        fail_msg("'%s' in: %s", part, error.text);
    assert_null(roundcast_build(algorithm, words, NULL));
}

static void what_is_wrong_is_an_object(void **unused)
{
    (void)unused;
    refuses("no-such", WORDS("-n", "4", "-m", "2"), 103, "'no-such' does not exist");
    refuses("path", NULL, 101, "-n: not given");
    refuses("path", WORDS("-n", "0", "-m", "2"), 102, "expected 1 …");
    refuses("path", WORDS("-n", "four"), 101, "-n: 'four' is not a number");
    refuses("path", WORDS("-n"), 101, "-n: no value");
    refuses("path", WORDS("-n", "4", "-m", "2", "--seeds", "1"), 101, "expected --seed");
    refuses("path", WORDS("-n", "4", "-m", "2", "matching"), 101, "expected only path");
    refuses("path", WORDS("-n", "4", "-m", "2", "-o", "x"), 101, "-o: no such option");
    refuses("path", WORDS("--help"), 101, "--help: no such option");
    refuses("path", WORDS("-n", "4", "-m", "2", "--json"), 101, "--json: no such option");
    refuses("path", WORDS("-n", "4", "-m", "2", "--model", "telegraph"), 103, "telegraph");

    struct roundcast_error error = {0};
    struct roundcast_schedule *schedule = build("path", WORDS("-n", "4", "-m", "2"));
    assert_null(roundcast_route(schedule, WORDS("--network", "benes:2"), &error));
    assert_int_equal(error.code, 402);
    assert_null(roundcast_route(schedule, WORDS("--network", "none:4"), &error));
    assert_int_equal(error.code, 401);
    assert_null(roundcast_route(schedule, WORDS("benes:4"), &error));
    assert_int_equal(error.code, 101);
    assert_string_equal(error.text, "benes:4: no option; expected options only");
    assert_null(roundcast_route(schedule, WORDS("-o", "x"), &error));
    assert_int_equal(error.code, 101);
    assert_null(roundcast_route(schedule, WORDS("--reconfigure", "x"), &error));
    assert_int_equal(error.code, 101);
    assert_null(
        roundcast_route(schedule, WORDS("--reconfigure", "3", "--programs", "computed"), &error));
    assert_int_equal(error.code, 401);
    roundcast_schedule_free(schedule);

    schedule = build("tree-broadcast", WORDS("--tree", "2,2"));
    struct roundcast_image *image = route(schedule, NULL);
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

/* The text and the settings of one schedule, and an error in between. */
static void *work(void *with)
{
    const struct roundcast_schedule *shared = with;
    struct roundcast_error error = {0};
    struct roundcast_schedule *own = build("circulant", WORDS("-n", "8", "-m", "9"));
    char *text = text_of(own), *other = text_of(shared);
    assert_string_equal(text, other);
    assert_null(roundcast_build("path", WORDS("-n", "x"), &error));
    struct roundcast_image *image = route(shared, WORDS("--network", "benes:8"));
    check_circuits(own, image);
    free(text), free(other);
    roundcast_image_free(image);
    roundcast_schedule_free(own);
    return NULL;
}

static void threads_share_a_handle(void **unused)
{
    (void)unused;
    struct roundcast_schedule *shared = build("circulant", WORDS("-n", "8", "-m", "9"));
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
        cmocka_unit_test(settings_lead_where_transfers_go),
        cmocka_unit_test(what_compiling_changes_is_a_copy),
        cmocka_unit_test(settings_are_reconfigured),
        cmocka_unit_test(files_come_back),
        cmocka_unit_test(what_is_wrong_is_an_object),
        cmocka_unit_test(threads_share_a_handle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
