/* SPDX-License-Identifier: Apache-2.0 */
/* libroundcast: the settings, circuits and tables of images.
 *
 * Settings are followed through a drawing of the Beneš network (library_lab.h): every circuit of
 * every round must lead to the destination of its transfer; the same is checked for the circuits
 * that the library follows itself. Compiling changes a copy. Sizes of tables are
 * counted by hand. Two threads get the same results as one. Counter-cases: a machine of routers,
 * and visitors that stop.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/library_lab.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void settings_lead_where_transfers_go(void **unused)
{
    (void)unused;
    struct roundcast_schedule *schedule =
        library_build(ASK("algorithm", "circulant", "n", "8", "m", "9", "source", "3"));
    struct roundcast_image *image = library_route(schedule, ASK("network", "benes:8,pad=1"));
    const struct roundcast_image_info info = roundcast_image_describe(image);
    assert_string_equal(info.network, "benes:8,pipe=1,pad=1");
    assert_int_equal(info.ports, LIBRARY_PORTS);
    assert_int_equal(info.stages, LIBRARY_STAGES);
    assert_int_equal(info.rows, roundcast_schedule_describe(schedule).end);
    library_check_circuits(schedule, image);
    roundcast_image_free(image);

    image = library_route(schedule, ASK("network", "benes:8", "settings", "tags"));
    library_check_circuits(schedule, image);
    struct library_settings settings = {.most = 7};
    assert_true(roundcast_each_setting(image, library_keep, &settings, NULL));
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
    struct roundcast_schedule *schedule = library_build(
        ASK("algorithm", "traffic", "pattern", "permutation:9", "n", "8", "reconfigure", "5"));
    struct roundcast_image *held = library_route(schedule, ASK("reconfigure", "1us", "clock", "5")),
                           *other = library_route(schedule, ASK("network", "benes:8"));
    library_check_circuits(schedule, held);
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
        library_build(ASK("algorithm", "cube-broadcast", "dim", "3", "random", "3"));
    struct roundcast_schedule *matching =
        library_build(ASK("algorithm", "matching", "n", "8", "m", "5"));
    char *cube_text = library_text(cube), *matching_text = library_text(matching);
    struct roundcast_image *lowered = library_route(cube, ASK("network", "benes:8"));
    struct roundcast_image *split = library_route(matching, ASK("network", "omega:8", "split", ""));
    assert_int_equal(roundcast_image_describe(lowered).rows,
                     3 * roundcast_schedule_describe(cube).end);
    assert_true(roundcast_image_describe(split).rows >= roundcast_schedule_describe(matching).end);
    char *cube_after = library_text(cube), *matching_after = library_text(matching);
    assert_string_equal(cube_after, cube_text);
    assert_string_equal(matching_after, matching_text);
    free(cube_text), free(matching_text), free(cube_after), free(matching_after);
    roundcast_image_free(lowered), roundcast_image_free(split);
    roundcast_schedule_free(cube), roundcast_schedule_free(matching);
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
        const struct roundcast_request request = library_ask(requests[which]);
        struct roundcast_image *image = library_compile(&request);
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
    struct roundcast_image *image = library_compile(&tree);
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
    struct roundcast_image *image = library_compile(&request);
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
    image = library_compile(&request);
    info = roundcast_image_describe(image);
    bits[false] = bits[true] = 0;
    assert_true(roundcast_each_table(image, add_table, bits, &error));
    assert_int_equal(bits[true], info.table_bits);
    assert_true(info.table_bits < info.full_bits);
    roundcast_image_free(image);

    request = ASK("algorithm", "tree-broadcast", "tree", "2,2");
    image = library_compile(&request);
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
    struct roundcast_schedule *own =
        library_build(ASK("algorithm", "circulant", "n", "8", "m", "9"));
    char *text = library_text(own), *other = library_text(shared);
    assert_string_equal(text, other);
    struct roundcast_request wrong = ASK("algorithm", "path", "n", "4");
    assert_null(roundcast_build(&wrong, &error));
    struct roundcast_image *image = library_route(shared, ASK("network", "benes:8"));
    library_check_circuits(own, image);
    free(text), free(other);
    roundcast_image_free(image);
    roundcast_schedule_free(own);
    return NULL;
}

static void threads_share_a_handle(void **unused)
{
    (void)unused;
    struct roundcast_schedule *shared =
        library_build(ASK("algorithm", "circulant", "n", "8", "m", "9"));
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
        cmocka_unit_test(settings_lead_where_transfers_go),
        cmocka_unit_test(settings_are_reconfigured),
        cmocka_unit_test(what_compiling_changes_is_a_copy),
        cmocka_unit_test(images_are_unpacked),
        cmocka_unit_test(tables_are_measured),
        cmocka_unit_test(threads_share_a_handle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
