/* SPDX-License-Identifier: Apache-2.0 */
/* libroundcast: single simulations on csim.
 *
 * A simulation must report each transfer's arrival in its cycle, which follows from the rows alone.
 * Counter-case: a damaged image must fail with its code.
 */
#include "lib/roundcast/json.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/library_lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static void a_simulation_shows_every_arrival(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct roundcast_request request = ASK("algorithm", "circulant", "n", "8", "m", "9", "seed",
                                           "7", "network", "benes:8", "engine", "csim");
    struct roundcast_image *image = library_compile(&request);
    struct roundcast_schedule *schedule = roundcast_image_schedule(image, &error);
    const struct roundcast_image_info info = roundcast_image_describe(image);
    struct arrivals arrivals = {.schedule = schedule, .row_cycles = info.row_cycles};
    const struct roundcast_watch watch = {&arrivals, see_arrival, see_progress};
    struct roundcast_report report;
    assert_non_null(schedule);
    library_check_circuits(schedule, image);
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
    struct roundcast_image *image = library_compile(&request), *damaged;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_simulation_shows_every_arrival),
        cmocka_unit_test(a_damaged_image_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
