/* SPDX-License-Identifier: Apache-2.0 */
/* test_msccl_refused: faulty files for MSCCL, each rejected with its place and code.
 *
 * Each is a file of test_msccl_read with a change of a line or two; test_msccl_text has files that
 * are not XML. This test includes the invalid files of tests/data/exchange, and programs whose
 * blocks race or deadlock, one for each kind of use and of wait; if a wait removes the race, the
 * program with that wait is accepted.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/msccl_hand.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

/* -- numbers and names --------------------------------------------------------------------------*/

static const struct msccl_hand_refused wrong_field[] = {
    {HAND_CUSTOM,
     {{6, 6, "srcoff=\"1\"", "srcoff=\"2\""}},
     205,
     "srcoff=\"2\" and 1 chunks; expected to end within the 2 of buffer i"},
    {HAND_CUSTOM, {{0, 0, "ngpus=\"3\"", "ngpus=\"4\""}}, 207, "3 GPUs; expected 4"},
    {HAND_CUSTOM,
     {{0, 0, "ngpus=\"3\"", "ngpus=\"2\""}},
     205,
     "file:14:1: send=\"2\"; expected -1 … 1"},
    {HAND_CUSTOM,
     {{0, 0, "ngpus=\"3\"", "ngpus=\"9999\""}},
     205,
     "ngpus=\"9999\"; expected 2 … 1024"},
    {HAND_CUSTOM,
     {{0, 0, "<gpu id=\"2\"", "<gpu id=\"1\""}},
     206,
     "id=\"1\": a second GPU of this number"},
    {HAND_CUSTOM,
     {{0, 0, "coll=\"custom\"", "coll=\"allreduce\""}},
     303,
     "GPU 0: chunk 0 of its output has nothing of chunk 0 of the inputs; expected the result of "
     "all GPUs, as coll=\"allreduce\" requires"},
    {HAND_CUSTOM,
     {{0, 0, "coll=\"custom\"", "coll=\"reduce\""}},
     303,
     "0 GPUs have all results of the reduce; expected one, the root"},
    {HAND_CUSTOM,
     {{0, 0, "coll=\"custom\"", "coll=\"reduce_scatter\""}},
     303,
     "chunk 0 of its output has nothing"},
    {HAND_CUSTOM,
     {{0, 0, "coll=\"custom\"", "coll=\"reducescatter\""}},
     303,
     "as coll=\"reduce_scatter\" requires"},
    {HAND_PAIR,
     {{0, 0, "coll=\"alltoall\"", "coll=\"allreduce\""}},
     303,
     "coll=\"allreduce\", but the outputs are those of coll=\"alltoall\""},
    {HAND_CUSTOM,
     {{0, 0, "coll=\"custom\"", "coll=\"sendrecv\""}},
     208,
     "expected allgather, alltoall, allreduce, broadcast, gather, reduce, reduce_scatter, scatter "
     "or custom"},
    {HAND_CUSTOM,
     {{0, 0, "type=\"cpy\"", "type=\"re\""}},
     206,
     "combines with chunk 0 of its destination, which has nothing yet"},
    {HAND_CUSTOM, {{0, 0, "type=\"cpy\"", "type=\"rrcs\""}}, 205, "its block has no such peer"},
    {HAND_RING,
     {{0, 0, "type=\"rcs\"", "type=\"rrcs\""}},
     206,
     "chunk 0 of the step has nothing yet"},
    {HAND_CUSTOM,
     {{0, 0, "type=\"cpy\"", "type=\"x\""}},
     208,
     "type=\"x\"; expected s, r, rcs, cpy, re, rrc, rrs, rrcs or nop"},
    {HAND_CUSTOM, {{0, 0, "send='2'", "send='-1'"}}, 205, "its block has no such peer"},
    {HAND_CUSTOM, {{0, 0, "send='2'", "send='1'"}}, 210, "GPU 1 is its own peer"},
    {HAND_CUSTOM,
     {{15, 15, "depid=\"0\" deps=\"0\"", "depid=\"0\" deps=\"7\""}},
     205,
     "waits for step 7 of block 0"},
    {HAND_CUSTOM, {{16, 16, "cnt=\"1\"", "cnt=\"0\""}}, 205, "cnt=\"0\"; expected 1 … 71"},
    {HAND_CUSTOM, {{16, 16, "cnt=\"1\"", "cnt=\"72\""}}, 205, "cnt=\"72\"; expected 1 … 71"},
    {HAND_CUSTOM,
     {{6, 6, "dstoff=\"0\"", "dstoff=\"1\""}},
     205,
     "dstoff=\"1\" and 1 chunks; expected to end within"},
    {HAND_CUSTOM, {{3, 3, "coll", "proto=\"Fast\" coll"}}, 204, "expected Simple, LL or LL128"},
    {HAND_CUSTOM,
     {{3, 3, "coll", "nchunksperloop=\"1\" coll"}},
     205,
     "i_chunks=\"2\"; expected at most 1, as nchunksperloop=\"1\" and coll=\"custom\" say"},
    {HAND_PAIR,
     {{3, 3, "coll", "nchunksperloop=\"4\" coll"}},
     205,
     "i_chunks=\"2\"; expected 0 or 4, as nchunksperloop=\"4\" and coll=\"alltoall\" say"},
    {HAND_RING,
     {{3, 3, "coll", "nchunksperloop=\"8\" coll"}},
     205,
     "o_chunks=\"4\"; expected 0 or 8, as nchunksperloop=\"8\" and coll=\"allgather\" say"},
    {HAND_RING,
     {{3, 3, "coll", "nchunksperloop=\"0\" coll"}},
     205,
     "nchunksperloop=\"0\"; expected 1"},
    {HAND_RELAY, {{6, 6, " depid=\"1\"", " depid=\"2\""}}, 205, "waits for step 0 of block 2"},
    {HAND_RELAY,
     {{19, 19, "depid=\"-1\" deps=\"-1\"", "depid=\"1\" deps=\"0\""}},
     205,
     "waits for step 0 of block 1"},
    {HAND_RELAY,
     {{17, 17, "o_chunks=\"1\"", "o_chunks=\"2\""}, {19, 19, "cnt=\"1\"", "cnt=\"2\""}},
     205,
     "2 chunks; expected 1, which are sent"},
    {HAND_RELAY,
     {{21, 21, "<tb id='1'", "<tb id='2'"}},
     206,
     "id=\"2\": a smaller number has no block; expected the numbers 0 … 1"},
    {HAND_RELAY,
     {{21, 21, "<tb id='1'", "<tb id='0'"}},
     206,
     "id=\"0\": a second block of this number"},
    {HAND_RELAY, {{21, 21, "<tb id='1'", "<tb id='1024'"}}, 205, "id=\"1024\"; expected 0 … 1023"},
    {HAND_RING, {{3, 3, " inplace=\"1\"", ""}}, 204, "<algo> has no 'inplace'"},
    {HAND_RING, {{3, 3, " coll=\"allgather\"", ""}}, 208, "coll=\"\"; expected allgather"},
    {HAND_RING, {{0, 0, "</algo>", "<gpu id=\"4\"/></algo>"}}, 205, "id=\"4\"; expected 0 … 3"},
    {HAND_RING, {{4, 4, " i_chunks=\"0\"", ""}}, 204, "<gpu> has no 'i_chunks'"},
    {HAND_RING, {{5, 5, " id='0'", ""}}, 204, "<tb> has no 'id'"},
    {HAND_RING, {{5, 5, " recv='3'", ""}}, 204, "<tb> has no 'recv'"},
    {HAND_RING, {{5, 5, " chan='0'", ""}}, 204, "<tb> has no 'chan'"},
    {HAND_RING, {{5, 5, "recv='3'", "recv='0'"}}, 210, "GPU 0 is its own peer"},
    {HAND_RING, {{5, 5, "recv='3'", "recv='-1'"}}, 205, "its block has no such peer"},
    {HAND_RING, {{6, 6, "s=\"0\"", "s=\"1\""}}, 206, "s=\"1\"; expected 0"},
    {HAND_RING, {{6, 6, " depid=\"-1\"", ""}}, 204, "<step> has no 'depid'"},
    {HAND_RING, {{6, 6, " deps=\"-1\"", ""}}, 204, "<step> has no 'deps'"},
    {HAND_RING, {{6, 6, " hasdep=\"0\"", ""}}, 204, "<step> has no 'hasdep'"},
    {HAND_RING, {{6, 6, " hasdep=\"0\"", " hasdep=\"2\""}}, 205, "hasdep=\"2\"; expected 0 … 1"},
    {HAND_RING, {{6, 6, " type=\"s\"", ""}}, 208, "type=\"\"; expected s, r, rcs, cpy, re"},
    {HAND_RING,
     {{6, 6, "srcbuf=\"o\"", "srcbuf=\"x\""}},
     204,
     "srcbuf: no buffer; expected i, o or s"},
    {HAND_RING, {{7, 7, "dstbuf=\"o\"", ""}}, 204, "dstbuf: no buffer; expected i, o or s"},
    {HAND_RING,
     {{4, 4, "s_chunks=\"0\"", "s_chunks=\"16777216\""}},
     104,
     "more than 16777216 chunks of all GPUs"},
};

/* -- what steps do ------------------------------------------------------------------------------*/

static const struct msccl_hand_refused wrong_steps[] = {
    {HAND_CUSTOM,
     {{14, 14, "send='2'", "send='0'"}},
     206,
     "file:16:1: GPU 1, block 1, step 1: sends to GPU 0 on channel 0, which does not receive it"},
    {HAND_CUSTOM,
     {{21, 21, "type=\"r\"", "type=\"nop\""}},
     206,
     "GPU 1, block 1, step 1: sends to GPU 2 on channel 0, which does not receive it"},
    {HAND_CUSTOM,
     {{7, 7, "type=\"s\"", "type=\"nop\""}},
     206,
     "GPU 1, block 0, step 0: waits for ever to receive from GPU 0 on channel 0"},
    {HAND_CUSTOM,
     {{15, 15, "depid=\"0\" deps=\"0\"", "depid=\"1\" deps=\"1\""},
      {16, 16, "hasdep=\"0\"", "hasdep=\"1\""}},
     206,
     "file:15:1: GPU 1, block 1, step 0: waits for ever: for GPU 1, block 1, step 0"},
    {HAND_CUSTOM,
     {{12, 12, "hasdep=\"1\"", "hasdep=\"0\""}},
     206,
     "waits for ever for step 0 of block 0, which never signals; expected hasdep=\"1\" there"},
    {HAND_CUSTOM,
     {{15, 15, "depid=\"0\" deps=\"0\"", "depid=\"-1\" deps=\"-1\""}},
     206,
     "reads chunk 0 of buffer s, and block 0, step 0 writes it: they race"},
    {HAND_CUSTOM,
     {{6, 6, "cpy", "nop"}},
     206,
     "file:7:1: GPU 0, block 0, step 1: chunk 0 of the step has nothing yet"},
    {HAND_CUSTOM,
     {{6, 6, "srcbuf=\"i\" srcoff=\"1\"", "srcbuf=\"s\" srcoff=\"0\""}},
     206,
     "file:6:1: GPU 0, block 0, step 0: chunk 0 of the step has nothing yet"},
    {HAND_CUSTOM,
     {{19, 19, "s_chunks=\"0\"", "s_chunks=\"1\""}, {21, 21, "dstbuf=\"o\"", "dstbuf=\"s\""}},
     209,
     "no output has a chunk of another GPU"},
    {HAND_PAIR,
     {{6, 6, "srcoff=\"1\"", "srcoff=\"0\""}},
     303,
     "GPU 1: chunk 0 of its output is not"},
    {HAND_PAIR, {{0, 0, "alltoall", "allgather"}}, 303, "GPU 1: chunk 0 of its output is not"},
    {HAND_PAIR,
     {{0, 0, "alltoall", "allgather"},
      {0, 0, "o_chunks=\"2\"", "o_chunks=\"1\""},
      {0, 0, "dstoff=\"1\"", "dstoff=\"0\""}},
     303,
     "GPU 0: chunk 0 of its output"},
    {HAND_RING,
     {{7, 7, "dstoff=\"3\"", "dstoff=\"2\""}, {8, 8, "dstoff=\"2\"", "dstoff=\"3\""}},
     303,
     "GPU 0: chunk 2 of its output is not"},
    {HAND_RING,
     {{8, 8, "dstoff=\"2\"", "dstoff=\"1\""}},
     303,
     "GPU 0: chunk 2 of its output is not what the collective says"},
    {HAND_BROADCAST,
     {{8, 10, "", NULL}, {16, 16, "type=\"r\"", "type=\"nop\""}},
     303,
     "1 chunks of outputs are those of GPU 0; expected all 2 of the others in a broadcast"},
    {HAND_BROADCAST,
     {{4, 4, "o_chunks=\"1\"", "o_chunks=\"2\""}, {5, 9, "srcoff=\"0\"", "srcoff=\"1\""}},
     303,
     "chunk 0 of its output is not"},
    {HAND_BROADCAST,
     {{3, 3, "broadcast", "gather"}},
     303,
     "of its output is not what the collective says"},
    {HAND_BROADCAST,
     {{3, 3, "broadcast", "scatter"}},
     303,
     "of its output is not what the collective says"},
    {HAND_PAIR,
     {{7, 7, "type=\"r\"", "type=\"nop\""}},
     206,
     "file:13:1: GPU 1, block 0, step 1: sends to GPU 0"},
    {HAND_RELAY,
     {{21, 21, "recv='-1'", "recv='0'"}},
     208,
     "file:21:1: GPU 2, block 1: receives from GPU 0 on channel 0, as block 0 does"},
    {HAND_RELAY,
     {{9, 9, "dstoff=\"0\"", "dstoff=\"1\""},
      {4, 4, "i_chunks=\"1\"", "i_chunks=\"3\""},
      {9, 9, "cnt=\"1\"", "cnt=\"2\""}},
     206,
     "copies 2 chunks to 1 chunks from there: its reads and writes race"},
};

static unsigned refused;

#define CHECK(cases) (refused += msccl_hand_refuse((cases), sizeof(cases) / sizeof *(cases)))

static void test_fields(void **state)
{
    (void)state;
    CHECK(wrong_field);
}

static void test_steps(void **state)
{
    (void)state;
    CHECK(wrong_steps);
}

/* A gather in which three GPUs have an output, and a scatter in which each root sends to only one
 * of the others. */
static void test_roots(void **state)
{
    (void)state;
    for (unsigned scatters = 0; scatters < 2; scatters++) {
        struct msccl_hand hand = msccl_hand_begin(scatters ? "scatter" : "gather", 0, 3);
        for (int id = 0; id < 3; id++) {
            msccl_hand_gpu(&hand, id, scatters ? 3 : 1, scatters ? 1 : 3, 0);
            for (int to = 0, block = 0; to < 3; to++)
                if (to != id) {
                    msccl_hand_block(&hand, block++, to, to);
                    if (!scatters || (id + 1) % 3 == to)
                        msccl_hand_step(&hand, 0, "s", 'i', scatters ? to : 0, 'o', 0, 1);
                    if (!scatters || (to + 1) % 3 == id)
                        msccl_hand_step(&hand, !scatters, "r", 'i', 0, 'o', scatters ? 0 : to, 1);
                }
        }
        char *text = msccl_hand_end(&hand);
        exchange_lab_refuses("msccl", text, ERR_UNMET,
                             scatters ? "expected all 2 of the others in a scatter"
                                      : "3 GPUs have an output; expected one in a gather");
        free(text);
        refused++;
    }
}

/* In place, the input of GPU 1 is a part of its output, or, in a scatter, its output is a part of
 * its input: a copy to that part races with the send that reads it. */
static void test_overlap(void **state)
{
    (void)state;
    static const struct {
        const char *collective;
        int inputs, outputs;
        char from_buffer, to_buffer;
        int from, to;
        const char *part;
    } cases[] = {
        {"allgather", 1, 2, 'i', 'o', 0, 1, "chunk 1 of buffer o"},
        {"gather", 1, 2, 'i', 'o', 0, 1, "chunk 1 of buffer o"},
        {"scatter", 2, 1, 'i', 'o', 1, 0, "chunk 0 of buffer o"},
    };
    for (unsigned which = 0; which < 3; which++, refused++) {
        struct msccl_hand hand = msccl_hand_begin(cases[which].collective, 1, 2);
        msccl_hand_gpu(&hand, 0, cases[which].inputs, cases[which].outputs, 1);
        msccl_hand_block(&hand, 0, -1, 1);
        msccl_hand_step(&hand, 0, "r", 'i', 0, 's', 0, 1);
        msccl_hand_gpu(&hand, 1, cases[which].inputs, cases[which].outputs, 1);
        msccl_hand_block(&hand, 0, 0, -1);
        msccl_hand_step(&hand, 0, "s", cases[which].from_buffer, cases[which].from, 'o', 0, 1);
        msccl_hand_block(&hand, 1, -1, -1);
        msccl_hand_step(&hand, 0, "cpy", 'i', 0, cases[which].to_buffer, cases[which].to, 1);
        char *text = msccl_hand_end(&hand);
        running("%s", cases[which].collective);
        exchange_lab_refuses("msccl", text, ERR_ORDER, cases[which].part);
        free(text);
    }
}

/* -- files --------------------------------------------------------------------------------------*/

struct file {
    const char *name;
    enum err_code code;
    const char *part;
};

static const struct file files[] = {
    {"race-accepted.xml", ERR_ORDER,
     "file:12:7: GPU 1, block 1, step 0: reads chunk 0 of buffer o, and block 0, step 0 writes it: "
     "they race; expected one to wait for the other"},
    {"race-refused.xml", ERR_ORDER,
     "file:9:7: GPU 1, block 0, step 0: writes chunk 0 of buffer o, and block 1, step 0 reads it: "
     "they race; expected one to wait for the other"},
    {"inplace-race.xml", ERR_ORDER, "GPU 1, block 1, step 0: reads chunk 0 of buffer o"},
    {"hasdep0.xml", ERR_ORDER,
     "file:12:7: GPU 1, block 1, step 0: waits for ever for step 0 of block 0, which never "
     "signals"},
    {"nchunksperloop-7.xml", ERR_FIELD_RANGE,
     "nchunksperloop=\"7\"; expected a multiple of ngpus=\"2\" in an allgather"},
    {"two-sends-one-connection.xml", ERR_UNSUPPORTED,
     "file:6:5: GPU 0, block 1: sends to GPU 1 on channel 0, as block 0 does"},
};

static void test_files(void **state)
{
    (void)state;
    for (unsigned which = 0; which < sizeof files / sizeof *files; which++, refused++) {
        running("%s", files[which].name);
        char *text = exchange_lab_file(files[which].name);
        exchange_lab_refuses("msccl", text, files[which].code, files[which].part);
        free(text);
    }
}

/* A wait, and a signal for it, remove the race. */
static void test_mended(void **state)
{
    (void)state;
    static const struct exchange_lab_edit mend[] = {
        {9, 9, "hasdep=\"0\"", "hasdep=\"1\""},
        {12, 12, "depid=\"-1\" deps=\"-1\"", "depid=\"0\" deps=\"0\""},
        {0}};
    static const char *const names[] = {"race-accepted.xml", "inplace-race.xml"};
    for (unsigned which = 0; which < 2; which++) {
        struct schedule schedule;
        char *text = exchange_lab_file(names[which]);
        char *made = exchange_lab_edit(text, mend);
        exchange_lab_import("msccl", made, MODEL_SEND_RECEIVE, &schedule);
        assert_int_equal(schedule.packets, 1);
        schedule_free(&schedule);
        free(text);
        free(made);
    }
}

static void test_count(void **state)
{
    (void)state;
    print_message("%u files refused\n", refused);
    assert_true(refused >= 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),  cmocka_unit_test(test_steps), cmocka_unit_test(test_roots),
        cmocka_unit_test(test_overlap), cmocka_unit_test(test_files), cmocka_unit_test(test_mended),
        cmocka_unit_test(test_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
