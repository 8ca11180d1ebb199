/* SPDX-License-Identifier: Apache-2.0 */
/* libroundcast: images, schedules and files that a function does not support.
 *
 * By hand: machines of routers and networks that combine, tables without a schedule, rounds before
 * the first and after the last, endpoints that share a memory, nodes with two ports, reductions,
 * files that cannot be written. Each is rejected with the code of its header file, and the message
 * names the value. Counter-case: the same call without the fault succeeds.
 */
#include "lib/roundcast.h"
#include "lib/roundcast/json.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/library_lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Node 0 shares its memory with node 1, and node 2 with node 3. */
static const char shared_text[] =
    "roundcast-schedule 1\nalgorithm hand\ntopology complete 4 shared 2\nmodel send-receive\n"
    "demand 1 0 0,2\nround 1\n1 3 1\nend 1\n";

static bool stop_level(void *with, const struct roundcast_level *level)
{
    assert_int_equal(level->level, 1);
    ++*(unsigned *)with;
    return false;
}

/* --- images and schedules -------------------------------------------------------------------- */

static bool see_circuit(void *with, const struct roundcast_circuit *circuit)
{
    assert_true(circuit->held);
    ++*(unsigned *)with;
    return true;
}

static bool see_class(void *with, const char *name, uint32_t count)
{
    (void)with, (void)name, (void)count;
    return true;
}

static void images_have_what_their_machine_has(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct roundcast_request request = ASK("algorithm", "tree-broadcast", "tree", "2,2");
    uint32_t rows;
    uint64_t end = 0;
    unsigned seen = 0;
    char path[100];
    struct roundcast_image *image = library_compile(&request);
    library_rejects(roundcast_round_circuits(image, 1, see_circuit, &seen, &error), &error, 208,
                    "a machine of routers");
    library_rejects(roundcast_unpack_write(image, 0, "-", &error), &error, 208,
                    "a machine of routers");
    library_rejects(roundcast_each_setting(image, library_keep, NULL, &error), &error, 208,
                    "a machine of routers");
    roundcast_image_free(image);

    struct roundcast_schedule *schedule =
        library_build(ASK("algorithm", "reduce", "n", "4", "m", "1"));
    image = library_route(schedule, ASK("network", "combine:4"));
    library_rejects(roundcast_each_class(image, &rows, see_class, NULL, &error), &error, 208,
                    "a network that copies or combines");
    library_rejects(roundcast_unpack(image, &error) != NULL, &error, 208,
                    "the image combines packets");
    roundcast_image_free(image);
    roundcast_schedule_free(schedule);

    request = ASK("algorithm", "circulant", "n", "8", "m", "9");
    image = library_compile(&request);
    library_rejects(roundcast_round_circuits(image, 0, see_circuit, &seen, &error), &error, 102,
                    "round: 0 is out of range; expected 1 … 11");
    library_rejects(roundcast_round_circuits(image, 12, see_circuit, &seen, &error), &error, 102,
                    "round: 12 is out of range; expected 1 … 11");
    library_rejects(roundcast_unpack_write(image, 1, "/nowhere/at all", &error), &error, 202,
                    "/nowhere/at all");
    assert_true(roundcast_image_bound(image, &end));
    assert_int_equal(end, 9 - 1 + 3);
    assert_int_equal(seen, 0);
    assert_true(roundcast_image_write(image, library_path("image", path), &error));
    roundcast_image_free(image);
    image = roundcast_image_read_tables(library_path("image/image.hex", path), &error);
    assert_non_null(image);
    assert_false(roundcast_image_bound(image, &end));
    library_rejects(roundcast_each_level(image, stop_level, &seen, &error), &error, 208,
                    "only its tables were read");
    roundcast_image_free(image);
}

/* Packet 1 is in the memory of node 0, so that node 1 sends it, and arrives in that of node 2. */
static void shared_memories_are_followed(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct roundcast_routing routing = {.passing = NULL};
    const struct roundcast_request request = ASK("network", "omega:4");
    struct roundcast_mpi_options options;
    unsigned seen = 0;
    struct roundcast_schedule *schedule = library_read(shared_text);
    struct roundcast_image *image = roundcast_route_reported(schedule, &request, &routing, &error);
    assert_non_null(image);
    assert_true(roundcast_each_circuit(image, see_circuit, &seen, &error));
    assert_true(roundcast_round_circuits(image, 1, see_circuit, &seen, &error));
    assert_int_equal(seen, 2);
    roundcast_image_free(image);
    roundcast_mpi_init(&options);
    library_rejects(roundcast_json_mpi(schedule, &options, &error) != NULL, &error, 208,
                    "2 adjacent endpoints share the memory of a node");
    struct roundcast_request found = ASK("n", "77");
    assert_false(roundcast_request_of(schedule, &found));
    roundcast_schedule_free(schedule);
    schedule = library_build(ASK("algorithm", "all-gather", "n", "3", "m", "1", "ports", "2"));
    library_rejects(roundcast_json_mpi(schedule, &options, &error) != NULL, &error, 103,
                    "a node has 2 ports; expected 1");
    roundcast_schedule_free(schedule);
}

static void files_of_other_schedules_are_rejected(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    char path[100];
    struct roundcast_schedule *schedule =
        library_build(ASK("algorithm", "reduce", "n", "4", "m", "1"));
    size_t size;
    char *text = roundcast_write_text(schedule, &size, &error);
    assert_non_null(text);
    assert_true(roundcast_write(schedule, library_path("reduce.sched", path), &error));
    library_rejects(roundcast_read(path, &error) != NULL, &error, 208,
                    "reductions are not supported here");
    library_rejects(roundcast_read_text("text", text, size, &error) != NULL, &error, 208,
                    "text: reductions are not supported here");
    struct roundcast_schedule *again = roundcast_read_any(path, &error);
    assert_non_null(again);
    roundcast_schedule_free(again);
    library_rejects(roundcast_write(schedule, "/nowhere/at all", &error), &error, 202,
                    "/nowhere/at all");
    free(text);
    roundcast_schedule_free(schedule);

    FILE *file = fopen(library_path("broken.sched", path), "w");
    assert_non_null(file);
    fputs("roundcast-schedule 1\nalgorithm any\ntopology complete 3\nmodel send-receive\n"
          "demand 1 0 *\nround 1\n0 1 1\n0 2 1\nend 1\n",
          file);
    assert_int_equal(fclose(file), 0);
    library_rejects(roundcast_import(path, NULL, NULL, &error) != NULL, &error, 301, "node 0");
}

/* A full disk is found when a file is committed. */
static void full_disks_are_found(void **unused)
{
    (void)unused;
    struct roundcast_error error = {0};
    struct roundcast_output *output = roundcast_output_open("/dev/full", &error);
    assert_non_null(output);
    fputs("text", roundcast_output_file(output));
    library_rejects(roundcast_output_commit(output, &error), &error, 202, "/dev/full");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_have_what_their_machine_has),
        cmocka_unit_test(shared_memories_are_followed),
        cmocka_unit_test(files_of_other_schedules_are_rejected),
        cmocka_unit_test(full_disks_are_found),
    };
    return cmocka_run_group_tests(tests, library_folder_make, library_folder_remove);
}
