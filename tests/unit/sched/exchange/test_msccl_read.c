/* SPDX-License-Identifier: Apache-2.0 */
/* test_msccl_read: valid files for MSCCL, with schedules that were counted by hand.
 *
 * Written by hand from the definition of the format: each type of step, each collective, in place
 * and out of place, GPUs and blocks in any order, unknown elements, byte order marks, declarations
 * and document types, the maximum number of blocks and steps, waits that end at a later signal, and
 * connections that are just deep enough. The valid files of tests/data/exchange are included;
 * test_msccl_refused has the invalid files and the counter-cases.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/msccl_hand.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

static unsigned taken;

/* Imports a text, which is freed, and checks the numbers of packets, rounds and transfers. */
static void takes(char *text, uint32_t packets, uint64_t rounds, size_t transfers,
                  struct schedule *schedule)
{
    exchange_lab_import("msccl", text, MODEL_SEND_RECEIVE, schedule);
    if (schedule->packets != packets || schedule->end != rounds ||
        schedule->transfer_count != transfers)
        fail_msg("%u packets, %llu rounds, %zu transfers; expected %u, %llu, %zu\n%s",
                 schedule->packets, (unsigned long long)schedule->end, schedule->transfer_count,
                 packets, (unsigned long long)rounds, transfers, text);
    taken++;
    free(text);
}

static void takes_all(char *text, uint32_t packets, uint64_t rounds, size_t transfers)
{
    struct schedule schedule;
    takes(text, packets, rounds, transfers, &schedule);
    schedule_free(&schedule);
}

static char *edited(char *text, const struct exchange_lab_edit edits[])
{
    char *made = exchange_lab_edit(text, edits);
    free(text);
    return made;
}

/* -- collectives --------------------------------------------------------------------------------*/

static void test_ring(void **state)
{
    (void)state;
    struct schedule schedule;
    takes(msccl_hand_ring(), 4, 3, 12, &schedule);
    for (size_t k = 0; k < schedule.demand_count; k++)
        assert_int_equal(schedule.demand[k].wanted_count, 0);
    schedule_free(&schedule);
    takes_all(
        edited(msccl_hand_ring(),
               (const struct exchange_lab_edit[]){{0, 0, "i_chunks=\"0\"", "i_chunks=\"1\""}, {0}}),
        4, 3, 12);
    takes_all(edited(msccl_hand_ring(),
                     (const struct exchange_lab_edit[]){
                         {0, 0, " ngpus", " nchunksperloop=\"4\" ngpus"}, {0}}),
              4, 3, 12);
}

static void test_two_chunks(void **state)
{
    (void)state;
    struct msccl_hand hand = msccl_hand_begin("alltoall", 0, 2);
    msccl_hand_gpu(&hand, 0, 4, 4, 0);
    msccl_hand_block(&hand, 0, 1, -1);
    msccl_hand_step(&hand, 0, "s", 'i', 2, 'o', 0, 2);
    msccl_hand_block(&hand, 1, -1, 1);
    msccl_hand_step(&hand, 0, "r", 'i', 0, 'o', 2, 2);
    msccl_hand_gpu(&hand, 1, 4, 4, 0);
    msccl_hand_block(&hand, 0, 0, 0);
    msccl_hand_step(&hand, 0, "s", 'i', 0, 'o', 2, 2);
    msccl_hand_step(&hand, 1, "r", 'i', 2, 'o', 0, 2);
    takes_all(msccl_hand_end(&hand), 4, 2, 4);
    takes_all(msccl_hand_pair(), 2, 2, 2);
}

static void test_custom(void **state)
{
    (void)state;
    struct schedule schedule;
    takes(msccl_hand_custom(), 1, 2, 2, &schedule);
    assert_int_equal(schedule.demand[0].source, 0);
    assert_int_equal(schedule.demand[0].wanted_count, 1);
    assert_int_equal(schedule.demand[0].wanted[0], 2);
    schedule_free(&schedule);
    takes_all(msccl_hand_broadcast(), 1, 2, 2);
    takes_all(msccl_hand_relay(), 1, 2, 2);
    takes_all(edited(msccl_hand_relay(),
                     (const struct exchange_lab_edit[]){
                         {1, 2, "<", NULL}, {0, 0, "name=\"a &lt; b\"", "_Name=\"a\""}, {0}}),
              1, 2, 2);
}

/* A chunk that arrives late, a chunk that is sent before it, and a chunk that is copied twice. */
static void test_times(void **state)
{
    (void)state;
    struct schedule schedule;
    struct msccl_hand hand = msccl_hand_begin("custom", 0, 3);
    msccl_hand_gpu(&hand, 0, 2, 1, 0);
    msccl_hand_block(&hand, 0, 1, -1);
    msccl_hand_step(&hand, 0, "s", 'i', 0, 'o', 0, 1);
    msccl_hand_step(&hand, 1, "s", 'i', 1, 'o', 0, 1);
    msccl_hand_gpu(&hand, 1, 2, 2, 0);
    msccl_hand_block(&hand, 0, -1, 0);
    msccl_hand_wait(&hand, 0, "r", 'i', 0, 'i', 0, 1, -1, -1, true);
    msccl_hand_step(&hand, 1, "r", 'i', 0, 'o', 1, 1);
    msccl_hand_step(&hand, 2, "cpy", 'i', 0, 'o', 0, 1);
    msccl_hand_block(&hand, 1, 2, -1);
    msccl_hand_wait(&hand, 0, "s", 'i', 0, 'o', 0, 2, 0, 0, false);
    msccl_hand_gpu(&hand, 2, 1, 3, 0);
    msccl_hand_block(&hand, 0, -1, 1);
    msccl_hand_step(&hand, 0, "nop", 'i', -1, 'o', -1, 0);
    msccl_hand_step(&hand, 1, "r", 'i', 0, 'o', 0, 2);
    msccl_hand_step(&hand, 2, "cpy", 'o', 0, 'o', 2, 1);
    msccl_hand_step(&hand, 3, "cpy", 'o', 0, 'o', 2, 1);
    takes(msccl_hand_end(&hand), 3, 3, 4, &schedule);
    assert_int_equal(schedule.demand_count, 3);
    assert_int_equal(schedule.demand[0].wanted_count, 0); /* both want the first */
    assert_int_equal(schedule.demand[1].wanted[0], 1);
    assert_int_equal(schedule.demand[2].source, 1);
    schedule_free(&schedule);
}

/* Sends of chunks that no other GPU has in the end are omitted, and so are rounds without others:
 * GPU 0 sends chunk 0 to the scratch buffer of GPU 1, which returns it, and then chunk 1. */
static void test_omitted(void **state)
{
    (void)state;
    struct schedule schedule;
    struct msccl_hand hand = msccl_hand_begin("custom", 0, 2);
    msccl_hand_gpu(&hand, 0, 2, 1, 0);
    msccl_hand_block(&hand, 0, 1, -1);
    msccl_hand_step(&hand, 0, "s", 'i', 0, 's', 0, 1);
    msccl_hand_step(&hand, 1, "s", 'i', 1, 'o', 0, 1);
    msccl_hand_block(&hand, 1, -1, 1);
    msccl_hand_step(&hand, 0, "r", 's', 0, 'o', 0, 1);
    msccl_hand_gpu(&hand, 1, 0, 1, 1);
    msccl_hand_block(&hand, 0, -1, 0);
    msccl_hand_wait(&hand, 0, "r", 'i', 0, 's', 0, 1, -1, -1, true);
    msccl_hand_step(&hand, 1, "r", 'i', 1, 'o', 0, 1);
    msccl_hand_block(&hand, 1, 0, -1);
    msccl_hand_wait(&hand, 0, "s", 's', 0, 'o', 0, 1, 0, 0, false);
    takes(msccl_hand_end(&hand), 1, 1, 1, &schedule);
    assert_int_equal(schedule.step[0].time, 1);
    assert_int_equal(schedule.transfer[0].source, 0);
    schedule_free(&schedule);
    /* an exchange of two chunks, of which only that of GPU 1 is kept */
    takes(edited(msccl_hand_pair(),
                 (const struct exchange_lab_edit[]){{3, 3, "alltoall", "custom"},
                                                    {10, 10, "s_chunks=\"0\"", "s_chunks=\"1\""},
                                                    {12, 12, "dstbuf=\"o\"", "dstbuf=\"s\""},
                                                    {0}}),
          1, 1, 1, &schedule);
    assert_int_equal(schedule.transfer[0].source, 1);
    schedule_free(&schedule);
}

/* The root's input and output overlap as the attribute for in place states. */
static void test_rooted(void **state)
{
    (void)state;
    for (int in_place = 0; in_place < 2; in_place++)
        for (int root = 0; root < 3; root++) {
            struct msccl_hand hand = msccl_hand_begin("gather", in_place, 3);
            for (int id = 0, block = 0; id < 3; id++, block = 0) {
                msccl_hand_gpu(&hand, id, 2, id == root ? 6 : 0, 0);
                for (int from = 0; id == root && from < 3; from++)
                    if (from != root) {
                        msccl_hand_block(&hand, block++, -1, from);
                        msccl_hand_step(&hand, 0, "r", 'i', 0, 'o', 2 * from, 2);
                    }
                if (id != root) {
                    msccl_hand_block(&hand, 0, root, -1);
                    msccl_hand_step(&hand, 0, "s", 'i', 0, 'o', 2 * id, 2);
                }
            }
            takes_all(msccl_hand_end(&hand), 4, 4, 4);
            hand = msccl_hand_begin("scatter", in_place, 3);
            for (int id = 0, block = 0; id < 3; id++, block = 0) {
                msccl_hand_gpu(&hand, id, id == root ? 6 : 0, 2, 0);
                for (int to = 0; id == root && to < 3; to++)
                    if (to != root) {
                        msccl_hand_block(&hand, block++, to, -1);
                        msccl_hand_step(&hand, 0, "s", 'i', 2 * to, 'o', 0, 2);
                    }
                if (id != root) {
                    msccl_hand_block(&hand, 0, -1, root);
                    msccl_hand_step(&hand, 0, "r", 'i', 0, 'o', 0, 2);
                }
            }
            takes_all(msccl_hand_end(&hand), 4, 4, 4);
        }
}

/* -- order and signals --------------------------------------------------------------------------*/

/* GPUs and blocks in descending order give the same schedule. */
static void test_any_order(void **state)
{
    (void)state;
    struct msccl_hand hand = msccl_hand_begin("custom", 0, 3);
    msccl_hand_gpu(&hand, 2, 1, 1, 0);
    msccl_hand_block(&hand, 0, -1, 1);
    msccl_hand_step(&hand, 0, "r", 's', 0, 'o', 0, 1);
    msccl_hand_gpu(&hand, 1, 1, 1, 1);
    msccl_hand_block(&hand, 1, 2, -1);
    msccl_hand_wait(&hand, 0, "s", 's', 0, 'o', 0, 1, 0, 0, false);
    msccl_hand_block(&hand, 0, -1, 0);
    msccl_hand_wait(&hand, 0, "r", 's', 0, 's', 0, 1, -1, -1, true);
    msccl_hand_gpu(&hand, 0, 2, 1, 1);
    msccl_hand_block(&hand, 0, 1, -1);
    msccl_hand_step(&hand, 0, "s", 'i', 1, 's', 0, 1);
    takes_all(msccl_hand_end(&hand), 1, 2, 2);
}

/* A wait for a step that does not signal ends at the next step that does. */
static void test_later_signal(void **state)
{
    (void)state;
    struct msccl_hand hand = msccl_hand_begin("custom", 0, 3);
    msccl_hand_gpu(&hand, 0, 2, 1, 0);
    msccl_hand_block(&hand, 0, 1, -1);
    msccl_hand_step(&hand, 0, "s", 'i', 0, 's', 0, 1);
    msccl_hand_step(&hand, 1, "s", 'i', 1, 'o', 0, 1);
    msccl_hand_gpu(&hand, 1, 1, 1, 1);
    msccl_hand_block(&hand, 0, -1, 0);
    msccl_hand_step(&hand, 0, "r", 's', 0, 's', 0, 1);
    msccl_hand_wait(&hand, 1, "r", 's', 0, 'o', 0, 1, -1, -1, true);
    msccl_hand_block(&hand, 1, 2, -1);
    msccl_hand_wait(&hand, 0, "s", 's', 0, 'o', 0, 1, 0, 0, false);
    msccl_hand_gpu(&hand, 2, 1, 1, 0);
    msccl_hand_block(&hand, 0, -1, 1);
    msccl_hand_step(&hand, 0, "r", 's', 0, 'o', 0, 1);
    /* rounds 1, 2: to GPU 1; the send of GPU 1 waits for the second receive */
    takes_all(msccl_hand_end(&hand), 2, 3, 3);
}

/* The send of a forwarding step performs the waits of the step: GPU 0 may overwrite what its block
 * 1 has copied after GPU 1 has answered. */
static void test_forwarded_wait(void **state)
{
    (void)state;
    struct msccl_hand hand = msccl_hand_begin("custom", 0, 3);
    msccl_hand_gpu(&hand, 0, 3, 2, 2);
    msccl_hand_block(&hand, 0, 1, 2);
    msccl_hand_step(&hand, 0, "s", 'i', 0, 'o', 0, 1);
    msccl_hand_wait(&hand, 1, "rcs", 'i', 0, 's', 0, 2, 1, 0, false);
    msccl_hand_block(&hand, 1, -1, -1);
    msccl_hand_wait(&hand, 0, "cpy", 'i', 2, 'o', 0, 1, -1, -1, true);
    msccl_hand_block(&hand, 2, -1, 1);
    msccl_hand_step(&hand, 0, "r", 'o', 0, 'i', 2, 1);
    msccl_hand_gpu(&hand, 1, 1, 3, 0);
    msccl_hand_block(&hand, 0, 0, 0);
    msccl_hand_step(&hand, 0, "r", 'i', 0, 'o', 0, 1);
    msccl_hand_step(&hand, 1, "r", 's', 0, 'o', 1, 2);
    msccl_hand_step(&hand, 2, "s", 'o', 0, 'i', 2, 1);
    msccl_hand_gpu(&hand, 2, 2, 1, 0);
    msccl_hand_block(&hand, 0, 0, -1);
    msccl_hand_step(&hand, 0, "s", 'i', 0, 's', 0, 2);
    takes_all(msccl_hand_end(&hand), 3, 5, 6);
}

/* Two GPUs that each send first: connections must buffer the chunks of one send. */
static char *both_first(const char *protocol, int chunks)
{
    struct msccl_hand hand = msccl_hand_begin("custom", 0, 2);
    for (int id = 0; id < 2; id++) {
        msccl_hand_gpu(&hand, id, chunks, chunks, 0);
        msccl_hand_block(&hand, 0, 1 - id, 1 - id);
        msccl_hand_step(&hand, 0, "s", 'i', 0, 'o', 0, chunks);
        msccl_hand_step(&hand, 1, "r", 'i', 0, 'o', 0, chunks);
    }
    char to[40];
    snprintf(to, sizeof to, "proto=\"%s\" coll", protocol);
    return edited(msccl_hand_end(&hand),
                  (const struct exchange_lab_edit[]){{0, 0, "coll", to}, {0}});
}

static void test_depth(void **state)
{
    (void)state;
    takes_all(both_first("Simple", 2), 4, 2, 4);
    takes_all(both_first("LL", 8), 16, 8, 16);
    takes_all(both_first("LL128", 8), 16, 8, 16);
    char *text = both_first("Simple", 3);
    exchange_lab_refuses("msccl", text, ERR_ORDER, "waits for ever");
    free(text);
    text = both_first("LL", 9);
    exchange_lab_refuses("msccl", text, ERR_ORDER,
                         "no circle of waits (a connection holds 8 chunks)");
    free(text);
}

/* -- the text -----------------------------------------------------------------------------------*/

static const struct exchange_lab_edit texts[][3] = {
    {{1, 1, "<?xml", "\xef\xbb\xbf<?xml"}, {0}},
    {{1, 1, "<?xml version=\"1.0\"?>", "<!DOCTYPE algo>"}, {0}},
    {{1, 1, "?>", "?>\n<!DOCTYPE algo SYSTEM \"a>b.dtd\">"}, {0}},
    {{1, 1, "?>",
      "?><!DOCTYPE algo [ <!ELEMENT algo (gpu*)> <!-- > --> <!ATTLIST a b CDATA '>'> ]>"},
     {0}},
    {{0, 0, "</gpu>", "<copy i_off=\"0\" o_off=\"0\"/></gpu>"}, {0}},
    {{0, 0, "</tb>", "<note><step s=\"9\"><gpu/></step></note></tb>"}, {0}},
    {{4, 4, "<gpu", "<meta a=\"b\"></meta><tb id=\"7\"/>\n<gpu"}, {0}},
    {{6, 6, "/>", "><step/></step>"}, {0}},
    {{0, 0, "\n", "\r\n"}, {0}},
    {{0, 0, " hasdep=\"0\"", ""}, {0, 0, "<step", "<step hasdep=\"0\""}, {0}}, /* other orders */
    {{0, 0, "ngpus=\"4\"", "ngpus=\"4\" redop=\"nop\" nchannels=\"1\" proto=\"Simple\""}, {0}},
};

static void test_texts(void **state)
{
    (void)state;
    for (unsigned which = 0; which < sizeof texts / sizeof *texts; which++) {
        running("text %u", which);
        if (strcmp(texts[which][0].from, "\n") != 0) {
            takes_all(edited(msccl_hand_ring(), texts[which]), 4, 3, 12);
            continue;
        }
        char *text = msccl_hand_ring(), *made = calloc(2 * strlen(text) + 1, 1), *to = made;
        assert_non_null(made);
        for (const char *at = text; *at != '\0'; at++) {
            if (*at == '\n')
                *to++ = '\r';
            *to++ = *at;
        }
        free(text);
        takes_all(made, 4, 3, 12);
    }
    takes_all(exchange_lab_file("copy-element.xml"), 2, 1, 2);
}

/* 1 024 blocks of a GPU, and 4 096 steps of a block. */
static void test_largest(void **state)
{
    (void)state;
    struct msccl_hand hand = msccl_hand_begin("custom", 0, 2);
    msccl_hand_gpu(&hand, 0, 1, 1, 0);
    for (int block = 1023; block > 0; block--) {
        msccl_hand_block(&hand, block, -1, -1);
        msccl_hand_step(&hand, 0, "nop", 'i', 0, 'o', 0, 1);
    }
    msccl_hand_block(&hand, 0, 1, -1);
    for (int step = 0; step < 4096; step++)
        msccl_hand_step(&hand, step, "s", 'i', 0, 'o', 0, 1);
    msccl_hand_gpu(&hand, 1, 1, 1, 0);
    msccl_hand_block(&hand, 0, -1, 0);
    for (int step = 0; step < 4096; step++)
        msccl_hand_step(&hand, step, "r", 'i', 0, 'o', 0, 1);
    struct schedule schedule;
    struct err err = {0};
    char *text = msccl_hand_end(&hand);
    support_true(exchange_lab_read("msccl", text, MODEL_SEND_RECEIVE, &schedule, &err), &err);
    assert_int_equal(schedule.transfer_count, 4096);
    taken++;
    free(text);
    schedule_free(&schedule);
}

static void test_count(void **state)
{
    (void)state;
    print_message("%u files taken\n", taken);
    assert_true(taken >= 43);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ring),           cmocka_unit_test(test_two_chunks),
        cmocka_unit_test(test_custom),         cmocka_unit_test(test_omitted),
        cmocka_unit_test(test_times),          cmocka_unit_test(test_rooted),
        cmocka_unit_test(test_any_order),      cmocka_unit_test(test_later_signal),
        cmocka_unit_test(test_forwarded_wait), cmocka_unit_test(test_depth),
        cmocka_unit_test(test_texts),          cmocka_unit_test(test_largest),
        cmocka_unit_test(test_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
