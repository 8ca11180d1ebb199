/* SPDX-License-Identifier: Apache-2.0 */
/* test_cube_image: images of hypercubes of routers, written, read and written again, and the images
 * that a reader rejects.
 *
 * Round trip: every algorithm on the cubes of d = 1 … 4. Every proper prefix of a text is rejected.
 * Each rejected text differs by one edit from a valid text: every field of the cube's line missing,
 * out of order, in another notation, out of its range; addresses that the machine does not have.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/cube_runs.h"
#include "tests/support/image_lab.h"
#include "tests/support/support.h"
#include "tests/support/tree_machine.h"

#include <string.h>

static const char good[] = "// roundcast-image 1\n"
                           "// machine cube,pad=1 width=16 packets=16 flits=8 rows=64\n"
                           "// run rows=5 flits=4 row-cycles=5\n"
                           "// cube 3 depth=4 reads=2\n"
                           "@00000008\n"
                           "00000005 00000004 00000005\n"
                           "@0000000c\n"
                           "00000000\n"
                           "@20000000\n"
                           "80000001\n"
                           "// end 5\n";

static void test_round_trip(void **state)
{
    (void)state;
    unsigned images = 0;
    for (unsigned d = 1; d <= 4; d++)
        for (const struct algorithm *const *a = support_routable(); *a != NULL; a++) {
            if ((*a)->topology != TOPOLOGY_HYPERCUBE)
                continue;
            const struct topology cube = cube_lab_make(d);
            const struct cube_runs_set set = {1, {1}};
            struct schedule schedule;
            struct support_job job;
            cube_runs_schedule((*a)->name, NULL, &cube, &set, &schedule);
            struct machine machine = tree_machine_of(MACHINE_CUBE, &cube, d % 3);
            tree_machine_fit(&schedule, 3, &machine);
            tree_machine_job(&schedule, &machine, 3, &job);
            image_lab_round_trip(&job.image);
            support_job_free(&job);
            images++;
        }
    assert_int_equal(images, 28); /* seven algorithms */
}

static void test_prefixes(void **state)
{
    (void)state;
    image_lab_prefixes(good, strlen(good));
}

static void test_good(void **state)
{
    (void)state;
    struct image image;
    struct err err = {0};
    support_true(image_lab_read(good, strlen(good), &image, &err), &err);
    assert_int_equal(image.machine.kind, MACHINE_CUBE);
    assert_int_equal(image.machine.topology.dimensions, 3);
    assert_int_equal(machine_node_bits(&image.machine), 5); /* 24 endpoints */
    assert_int_equal(image.machine.depth[1], 4);
    assert_int_equal(image.machine.reads, 2);
    assert_int_equal(image.count, 5);
    image_free(&image);
}

#define BAD_CUBE \
    ERR_SYNTAX, "t.hex:4: ", "not a hypercube; expected '// cube DIMENSIONS depth=D reads=R'"
#define BAD_RANGE(what) ERR_NETWORK, "t.hex:4: ", what
#define BAD_ADDRESS(what) ERR_IMAGE, "t.hex:10: ", what

static const struct image_lab_bad bad_texts[] = {
    {"// cube 3 depth=4 reads=2\n", "", BAD_CUBE},
    {"// cube ", "// tree ", BAD_CUBE},
    {"// cube 3 ", "// cube ", BAD_CUBE},
    {"// cube 3 ", "// cube 03 ", BAD_CUBE},
    {"// cube 3 ", "// cube +3 ", BAD_CUBE},
    {"depth=4 ", "", BAD_CUBE},
    {"depth=4", "depth=04", BAD_CUBE},
    {"depth=4 reads=2", "reads=2 depth=4", BAD_CUBE},
    {" reads=2", "", BAD_CUBE},
    {"reads=2", "reads=two", BAD_CUBE},
    {"reads=2", "reads=2 ", BAD_CUBE},
    {"reads=2", "reads=2 ports=multi", BAD_CUBE},
    {"// cube 3 ", "// cube 0 ", ERR_RANGE, "t.hex:4: ", "expected 1 … 24"},
    {"// cube 3 ", "// cube 25 ", ERR_RANGE, "t.hex:4: ", "expected 1 … 24"},
    {"// cube 3 ", "// cube 13 ", BAD_RANGE("106496 endpoints; expected 2 … 65536")},
    {"depth=4", "depth=0", BAD_RANGE("buffers of 0 packets at level 1; expected 1 … 65535")},
    {"depth=4", "depth=65536",
     BAD_RANGE("buffers of 65536 packets at level 1; expected 1 … 65535")},
    {"reads=2", "reads=0", BAD_RANGE("0 packets read from a buffer at once; expected 1 … 12")},
    {"reads=2", "reads=13", BAD_RANGE("13 packets read from a buffer at once; expected 1 … 12")},
    {"row-cycles=5", "row-cycles=4", ERR_FIELD_RANGE, "t.hex:3: ", "expected"},
    {"cube,pad=1", "benes:8,pipe=1,pad=0", ERR_FIELD_RANGE, "t.hex:3: ", "expected"},
    {"cube,pad=1", "cube,pad=65", ERR_NETWORK, "t.hex:2: ", "expected"},
    {"@20000000", "@10000006",
     BAD_ADDRESS("address 10000006; expected one that the machine has")}, /* column 6 */
    {"@20000000", "@10001000",
     BAD_ADDRESS("address 10001000; expected one that the machine has")}, /* router 8 */
    {"@20000000", "@20000600",
     BAD_ADDRESS("address 20000600; expected one that the machine has")}, /* endpoint 24 */
};

static void test_bad(void **state)
{
    (void)state;
    image_lab_refused(good, bad_texts, sizeof bad_texts / sizeof *bad_texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip),
                                       cmocka_unit_test(test_prefixes), cmocka_unit_test(test_good),
                                       cmocka_unit_test(test_bad)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
