/* SPDX-License-Identifier: Apache-2.0 */
/* test_cube_auto_images: a self-timed hypercube has no tables. Images of different sets of sources,
 * on one machine that is never reset, differ only in packets and lists.
 */
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_network.h"
#include "testbench/run/testbench.h"
#include "testbench/scoreboard/scoreboard.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_auto_lab.h"
#include "tests/support/cube_lab.h"
#include "tests/support/image_lab.h"

#include <stdlib.h>

#define FLITS 3

/* -- One machine ------------------------------------------------------------------------------- */

static bool observe(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)err;
    scoreboard_observe(self, cycle, obs);
    return true;
}

static void read_back(struct testbench *testbench, const struct support_job *job,
                      struct scoreboard *board)
{
    struct err err = {0};
    uint32_t word[FLITS];
    uint32_t data = schedule_data_packets(&job->schedule);
    for (uint32_t endpoint = 0; endpoint < machine_ports(&testbench->machine); endpoint++)
        for (uint32_t packet = 1; packet <= job->schedule.packets; packet++) {
            if (!scoreboard_wants(board, endpoint, packet))
                continue;
            uint32_t slot = machine_slot(&testbench->machine, data, packet);
            support_true(
                testbench_read_block(testbench,
                                     machine_packet_address(&testbench->machine, endpoint, slot, 0),
                                     FLITS, word, &err),
                &err);
            scoreboard_memory(board, endpoint, packet, word);
        }
}

/* Loads the image into the machine in the state that the last run left, and runs it. */
static void run_next(struct testbench *testbench, const struct cube_runs_set *set)
{
    struct err err = {0};
    struct support_job job;
    struct scoreboard_report report;
    uint64_t cycles;
    cube_auto_lab_job(&testbench->machine, set, FLITS, &job);
    struct scoreboard *board =
        scoreboard_new(&job.schedule, &job.payload, &testbench->machine, &job.image.run, &err);
    assert_non_null(board);
    const struct testbench_observer observer = {board, observe};
    support_true(testbench_load(testbench, &job.image, &err), &err);
    support_true(testbench_run(testbench, &job.image.run, &observer, &cycles, &err), &err);
    assert_int_equal(cycles, cube_auto_lab_rounds(&testbench->machine.topology, set->count) *
                                 job.image.run.row_cycles);
    read_back(testbench, &job, board);
    support_true(scoreboard_verdict(board, &report, &err), &err);
    assert_true(report.seen > 0 && report.packets == report.wanted);
    scoreboard_free(board);
    support_job_free(&job);
}

static void test_one_machine(void **state)
{
    (void)state;
    const struct topology cube = cube_lab_make(3);
    const struct machine machine = cube_auto_lab_machine(&cube, 1, 2 * cube.nodes, FLITS);
    struct err err = {0};
    struct testbench testbench;
    support_true(
        testbench_open((enum engine_kind[]){ENGINE_CSIM}, 1, &machine, false, &testbench, &err),
        &err);
    run_next(&testbench,
             &(struct cube_runs_set){16, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7}});
    run_next(&testbench, &(struct cube_runs_set){2, {2, 5}});
    run_next(&testbench, &(struct cube_runs_set){0});
    run_next(&testbench, &(struct cube_runs_set){9, {6, 6, 6, 6, 6, 6, 6, 6, 7}});
    run_next(&testbench, &(struct cube_runs_set){2, {2, 5}});
    testbench_close(&testbench);
}

/* Copies the words that do not depend on where packets are. Returns their number. */
static size_t other_words(const struct image *image, struct image_word *to)
{
    size_t count = 0;
    for (size_t k = 0; k < image->count; k++) {
        enum machine_region region = machine_region_of(image->word[k].address);
        bool cleared = image->word[k].address & MACHINE_ALL_NODES;
        if (cleared || (region != MACHINE_SEND && region != MACHINE_PACKET))
            to[count++] = image->word[k];
    }
    return count;
}

static void test_images(void **state)
{
    (void)state;
    const struct topology cube = cube_lab_make(3);
    const struct machine machine = cube_auto_lab_machine(&cube, 0, 16, FLITS);
    const struct cube_runs_set sets[] = {{2, {2, 5}}, {3, {0, 0, 7}}, {0}, {16, {0}}};
    struct support_job first;
    cube_auto_lab_job(&machine, &sets[0], FLITS, &first);
    struct image_word *words = malloc(first.image.count * sizeof *words);
    size_t count = other_words(&first.image, words);
    /* Four registers of the run, all slots cleared, and the lists. */
    assert_int_equal(count, 4 + FLITS * (1u << machine.log2_packets) + 1);
    for (size_t k = 1; k < sizeof sets / sizeof *sets; k++) {
        struct support_job job;
        cube_auto_lab_job(&machine, &sets[k], FLITS, &job);
        struct image_word *other = malloc(job.image.count * sizeof *other);
        assert_int_equal(other_words(&job.image, other), count);
        assert_memory_equal(words, other, count * sizeof *words);
        /* The remaining words: each packet, and its row of the list, at the three endpoints of its
         * node. */
        assert_int_equal(job.image.count - count, sets[k].count * 3 * (FLITS + 1));
        free(other);
        support_job_free(&job);
    }
    free(words);
    support_job_free(&first);
}

/* An image that is written, read and written again describes cube-auto with its queues. */
static void test_image_file(void **state)
{
    (void)state;
    struct err err = {0};
    for (unsigned d = 1; d <= 4; d++) {
        const struct topology cube = cube_lab_make(d);
        const struct machine machine = cube_auto_lab_machine(&cube, d % 3, 16, FLITS);
        struct support_job job;
        cube_auto_lab_job(&machine, &(struct cube_runs_set){2, {0, 1}}, FLITS, &job);
        image_lab_round_trip(&job.image);
        support_job_free(&job);
    }
    struct machine parsed = {0};
    support_true(machine_parse_network("cube-auto,pad=3", &parsed, &err), &err);
    assert_true(parsed.kind == MACHINE_CUBE_AUTO && parsed.pad == 3);
    assert_false(machine_parse_network("cube-auto3", &parsed, &err));
    support_error(&err, ERR_NETWORK, "does not exist, but 'cube-auto' does; expected benes:N, ",
                  "cube or cube-auto");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_machine),
                                       cmocka_unit_test(test_images),
                                       cmocka_unit_test(test_image_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
