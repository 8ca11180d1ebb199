/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_image: images of trees of routers, written, read and written again, and the images that
 * a reader rejects.
 *
 * Round trip: every algorithm of trees on three trees, for both kinds of routers. Every proper
 * prefix of such a text is rejected. Each rejected text differs by one edit from a valid text:
 * every field of the tree's line missing, out of order, with the wrong number of levels, in another
 * notation, out of its range, with the code, the file's name and the line.
 */
#include "sched/route/route.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/image_lab.h"
#include "tests/support/support.h"
#include "tests/support/tree_lab.h"
#include "tests/support/tree_machine.h"

#include <stdlib.h>
#include <string.h>

static const char good[] = "// roundcast-image 1\n"
                           "// machine fat-tree-auto,pad=1 width=16 packets=16 flits=8 rows=64\n"
                           "// run rows=5 flits=4 row-cycles=17\n"
                           "// tree 2,3 capacity=1,2 depth=4,5 queue=6,7 reads=2 ports=multi\n"
                           "@00000008\n"
                           "00000005 00000004 00000011\n"
                           "@0000000c\n"
                           "00000000\n"
                           "@20000000\n"
                           "80000001\n"
                           "// end 5\n";

/* Makes the image of a collective on routers of one kind; returns false if they do not support it,
 * or if the method requires other capacities. */
static bool make_image(const struct algorithm *algorithm, enum machine_kind kind,
                       const struct topology *tree, unsigned method, struct image *image)
{
    struct collective collective = tree_lab_ask(tree, MODEL_SINGLE_PORT, method);
    struct schedule schedule = {0};
    struct support_job job;
    struct err err = {0};
    if (!algorithm_check(algorithm, &collective, NULL))
        collective.model = MODEL_MULTIPORT;
    if (!algorithm_check(algorithm, &collective, NULL))
        return false;
    support_true(algorithm_build(algorithm, &collective, &schedule, &err), &err);
    struct machine machine = tree_machine_of(kind, tree, method);
    if (!route_check_self_timed(&schedule, &machine, &err)) {
        schedule_free(&schedule);
        return false;
    }
    tree_machine_fit(&schedule, 3, &machine);
    tree_machine_job(&schedule, &machine, 3, &job);
    *image = job.image;
    job.image = (struct image){0};
    support_job_free(&job);
    return true;
}

static void routed_images_survive(void **state)
{
    (void)state;
    static const char *const shapes[][2] = {{"5", "1"}, {"2,3", "1,2"}, {"3,2,2", "1,2,4"}};
    unsigned images = 0, single_port = 0;
    for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++)
        for (const struct algorithm *const *a = support_routable(); *a != NULL; a++)
            for (unsigned method = 0; method < algorithm_methods(*a); method++)
                for (int kind = MACHINE_FAT_TREE; kind <= MACHINE_FAT_TREE_AUTO; kind++) {
                    const struct topology tree = tree_lab_parse(shapes[shape][0], shapes[shape][1]);
                    struct image image;
                    if ((*a)->topology != TOPOLOGY_TREE ||
                        !make_image(*a, (enum machine_kind)kind, &tree, method, &image))
                        continue;
                    image_lab_round_trip(&image);
                    images++;
                    single_port += image.run.single_port;
                    image_free(&image);
                }
    print_message("%u images, %u of single-port runs\n", images, single_port);
    assert_true(images > 40 && single_port > 10 && single_port < images);
}

static void every_prefix_is_refused(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("2,2", "1,1");
    struct image image;
    size_t size;
    assert_true(
        make_image(support_algorithm("tree-broadcast"), MACHINE_FAT_TREE_AUTO, &tree, 0, &image));
    char *text = image_lab_write(&image, IMAGE_HEX, &size);
    image_lab_prefixes(text, size);
    image_lab_prefixes(good, strlen(good));
    free(text);
    image_free(&image);
}

static void the_good_text_reads(void **state)
{
    (void)state;
    struct image image;
    struct err err = {0};
    support_true(image_lab_read(good, strlen(good), &image, &err), &err);
    assert_int_equal(image.machine.kind, MACHINE_FAT_TREE_AUTO);
    assert_int_equal(image.machine.topology.nodes, 6);
    assert_int_equal(machine_node_bits(&image.machine), 3);
    assert_int_equal(image.machine.topology.capacity[2], 2);
    assert_int_equal(image.machine.depth[1], 4);
    assert_int_equal(image.machine.depth[2], 5);
    assert_int_equal(image.machine.queue[1], 6);
    assert_int_equal(image.machine.queue[2], 7);
    assert_int_equal(image.machine.reads, 2);
    assert_int_equal(image.run.single_port, 0);
    assert_int_equal(image.count, 5);
    image_free(&image);
}

#define BAD_TREE \
    ERR_SYNTAX, "t.hex:4: ", "not a tree; expected '// tree K1,…,KH capacity=C1,…,CH depth="
#define BAD_RANGE(what) ERR_NETWORK, "t.hex:4: ", what

static const struct image_lab_bad bad_texts[] = {
    {"// tree 2,3 capacity=1,2 depth=4,5 queue=6,7 reads=2 ports=multi\n", "", BAD_TREE},
    {"// tree ", "// star ", BAD_TREE},
    {"// tree 2,3 ", "// tree ", BAD_TREE},
    {" 2,3 ", " 2,+3 ", ERR_OPTION, "t.hex:4: ", "'2,+3'; expected the children"},
    {" 2,3 ", " 2,03 ", BAD_TREE},
    {"capacity=1,2 ", "", BAD_TREE},
    {"capacity=1,2", "capacity=const", BAD_TREE},
    {"capacity=1,2", "capacity=1,02", BAD_TREE},
    {"depth=4,5 ", "", BAD_TREE},
    {"depth=4,5", "depth=4", BAD_TREE},
    {"depth=4,5", "depth=4,5,6", BAD_TREE},
    {"depth=4,5", "depth=4,,5", BAD_TREE},
    {"depth=4,5", "depth=4,5,", BAD_TREE},
    {"depth=4,5", "depth=04,5", BAD_TREE},
    {"depth=4,5", "depth=4,100000", BAD_TREE},
    {"queue=6,7 ", "", BAD_TREE},
    {"queue=6,7", "queue=6", BAD_TREE},
    {"queue=6,7", "queue=6,7,8", BAD_TREE},
    {"queue=6,7", "queue=6;7", BAD_TREE},
    {"depth=4,5 queue=6,7", "queue=6,7 depth=4,5", BAD_TREE},
    {"reads=2 ", "", BAD_TREE},
    {"reads=2", "reads=two", BAD_TREE},
    {"reads=2", "reads=02", BAD_TREE},
    {"ports=multi", "ports=many", BAD_TREE},
    {"ports=multi", "ports=", BAD_TREE},
    {" ports=multi", "", BAD_TREE},
    {"ports=multi", "ports=multi ", BAD_TREE},
    {"ports=multi", "ports=multi lanes=1", BAD_TREE},
    {" 2,3 ", " 1,3 ", ERR_RANGE, "t.hex:4: ", "expected 2 "},
    {" 2,3 ", " 2 ", ERR_OPTION,
     "t.hex:4: ", "'1,2'; expected the links of a branch at level 1 … 1"},
    {" 2,3 ", " 2,3,4 ", ERR_OPTION,
     "t.hex:4: ", "'1,2'; expected the links of a branch at level 1 … 3"},
    {"capacity=1,2", "capacity=0,2", ERR_RANGE, "t.hex:4: ", "expected"},
    {"capacity=1,2", "capacity=1,0", ERR_RANGE, "t.hex:4: ", "expected"},
    {"depth=4,5", "depth=0,5", BAD_RANGE("buffers of 0 packets at level 1; expected 1 … 65535")},
    {"depth=4,5", "depth=4,65536",
     BAD_RANGE("buffers of 65536 packets at level 2; expected 1 … 65535")},
    {"queue=6,7", "queue=6,0", BAD_RANGE("queues of 0 packets at level 2; expected 1 … 65535")},
    {"queue=6,7", "queue=65536,7",
     BAD_RANGE("queues of 65536 packets at level 1; expected 1 … 65535")},
    {"reads=2", "reads=0", BAD_RANGE("0 packets read from a buffer at once; expected 1 … 12")},
    {"reads=2", "reads=13", BAD_RANGE("13 packets read from a buffer at once; expected 1 … 12")},
    {"width=16", "width=3", BAD_RANGE("width: 3 bits; expected at least 4, which a header needs")},
    {"row-cycles=17", "row-cycles=16", ERR_FIELD_RANGE, "t.hex:3: ", "expected"},
    {"fat-tree-auto", "benes:8,pipe=1", ERR_IMAGE, "t.hex:", "expected"},
    {"@20000000", "@30000000", ERR_IMAGE,
     "t.hex:10: ", "address 30000000; expected one that the machine has"},
    {"@20000000", "@10000000", ERR_IMAGE,
     "t.hex:10: ", "address 10000000; expected one that the machine has"},
    {"@20000000", "@20000180", ERR_IMAGE,
     "t.hex:10: ", "address 20000180; expected one that the machine has"},
};

static void bad_texts_are_refused(void **state)
{
    (void)state;
    image_lab_refused(good, bad_texts, sizeof bad_texts / sizeof *bad_texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routed_images_survive),
        cmocka_unit_test(every_prefix_is_refused),
        cmocka_unit_test(the_good_text_reads),
        cmocka_unit_test(bad_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
