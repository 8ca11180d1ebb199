/* SPDX-License-Identifier: Apache-2.0 */
/* test_msccl_write: files for MSCCL perform the schedule and fit their executor.
 *
 * A separate executor (support/msccl_replay.h) runs the XML of schedules that have the minimum
 * number of rounds: it takes the same number of rounds, sends one packet at a time and the same
 * packets, and leaves in each output what the collective of that name defines, including the
 * packets that a GPU keeps. Counter-case: without their waits the same steps send several packets
 * at a time.
 *
 * Round trips: the written text is read again; the schedule is the same except for the numbers of
 * packets, takes no more rounds, and is tested in each model for which import finds rounds.
 *
 * Executors: for each limit, the largest schedule that fits and the smallest that does not, with
 * the number that the error must report.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/msccl_replay.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

enum executor { ANY, MSCCL, NCCL, RCCL };

static const struct exchange_options options_of[] = {{1, ANY}, {1, MSCCL}, {1, NCCL}, {1, RCCL}};

/* -- collectives --------------------------------------------------------------------------------*/

struct written {
    struct exchange_lab_asked asked;
    long rounds;
    const char *collective;
    int per_loop;
};

static const struct written written[] = {
    {{"matching", 22, 8, 3, MODEL_SEND_RECEIVE, 0, NULL}, 12, "broadcast", 8},
    {{"path", 6, 5, 0, MODEL_SEND_RECEIVE, 0, NULL}, 9, "broadcast", 5},
    {{"binomial", 16, 1, 5, MODEL_SEND_RECEIVE, 0, NULL}, 4, "broadcast", 1},
    {{"all-gather", 9, 1, 0, MODEL_SEND_RECEIVE, 0, NULL}, 8, "allgather", 9},
    {{"all-gather", 5, 3, 0, MODEL_SEND_RECEIVE, 0, NULL}, 12, "allgather", 15},
    {{"total-exchange", 9, 1, 0, MODEL_SEND_RECEIVE, 0, NULL}, 8, "alltoall", 9},
    {{"total-exchange", 4, 2, 0, MODEL_SEND_RECEIVE, 0, NULL}, 6, "alltoall", 8},
    {{"gather", 7, 1, 0, MODEL_SEND_RECEIVE, 0, NULL}, 6, "gather", 1},
    {{"gather", 5, 2, 3, MODEL_SEND_RECEIVE, 0, NULL}, 8, "gather", 2},
    {{"scatter", 7, 1, 0, MODEL_SEND_RECEIVE, 0, NULL}, 6, "scatter", 1},
    {{"scatter", 5, 2, 4, MODEL_SEND_RECEIVE, 0, NULL}, 8, "scatter", 2},
};
enum { WRITTEN = sizeof written / sizeof *written };

/* Stores the required content of output k of a GPU: chunk *chunk, from 1, of the input of GPU
 * *source. By the definitions of MPI: broadcast, allgather, alltoall, gather and scatter. Returns
 * false if the output is unused. */
static bool output_of(const struct written *test, int gpu, int k, int *source, int *chunk)
{
    int m = (int)test->asked.m, root = (int)test->asked.source;
    const char *name = test->collective;
    bool rooted = strcmp(name, "broadcast") == 0 || strcmp(name, "scatter") == 0;
    *source = rooted ? root : k / m;
    *chunk = 1 + (strcmp(name, "broadcast") == 0 ? k : k % m);
    if (strcmp(name, "alltoall") == 0 || strcmp(name, "scatter") == 0)
        *chunk += gpu * m;
    return strcmp(name, "gather") != 0 || gpu == root;
}

static void check_outputs(const struct written *test, const struct msccl_replay *replay)
{
    int n = replay->gpus, m = (int)test->asked.m;
    bool of_one =
        strcmp(test->collective, "broadcast") == 0 || strcmp(test->collective, "scatter") == 0;
    for (int g = 0; g < n; g++)
        for (int k = 0; k < (of_one ? m : n * m); k++) {
            const struct msccl_replay_move *cell = &replay->cell[g][1][k];
            int source, chunk;
            if (!output_of(test, g, k, &source, &chunk)) {
                assert_int_equal(replay->chunks[g][1], 0);
                continue;
            }
            assert_true(k < replay->chunks[g][1]);
            if (cell->gpu != source || cell->chunk != chunk)
                fail_msg("output %d of GPU %d: chunk %d of GPU %d; expected %d of %d", k, g,
                         cell->chunk - 1, cell->gpu, chunk - 1, source);
        }
}

/* Returns the packet that is chunk `chunk` of a GPU's input: packets of each demand are
 * consecutive, packets from a node to another are in the block of that node. */
static uint32_t packet_of(const struct written *test, const struct schedule *schedule, int gpu,
                          int chunk)
{
    int m = (int)test->asked.m, part = 0;
    bool by_node =
        strcmp(test->collective, "alltoall") == 0 || strcmp(test->collective, "scatter") == 0;
    for (uint32_t packet = 1; packet <= schedule->packets; packet++) {
        const struct demand *demand = schedule_demand_of(schedule, packet);
        if ((int)demand->source != gpu || (by_node && (int)demand->wanted[0] != chunk / m))
            continue;
        if (part++ == (by_node ? chunk % m : chunk))
            return packet;
    }
    return 0;
}

static void check_moves(const struct written *test, const struct schedule *schedule,
                        const struct msccl_replay *replay)
{
    struct transfer *moved = calloc((size_t)replay->moves + 1, sizeof *moved);
    assert_non_null(moved);
    for (int k = 0; k < replay->moves; k++) {
        const struct msccl_replay_move *move = &replay->move[k];
        moved[k] = (struct transfer){(uint32_t)move->from, (uint32_t)move->to,
                                     packet_of(test, schedule, move->gpu, move->chunk - 1)};
    }
    exchange_lab_moves(schedule, moved, (size_t)replay->moves);
    free(moved);
}

static void check_written(const struct written *test, enum executor executor)
{
    struct schedule schedule;
    exchange_lab_build(&test->asked, &schedule);
    char *text = exchange_lab_write("msccl", &schedule, &options_of[executor]);
    struct msccl_replay *replay = msccl_replay(text, true);
    assert_string_equal(replay->collective, test->collective);
    assert_int_equal(replay->per_loop, test->per_loop);
    assert_false(replay->blocked);
    assert_false(replay->other_operands);
    assert_int_equal(replay->rounds, test->rounds);
    assert_int_equal(replay->most, 1);
    check_moves(test, &schedule, replay);
    check_outputs(test, replay);
    free(replay);
    free(text);
    schedule_free(&schedule);
}

static void test_collectives(void **state)
{
    (void)state;
    for (unsigned which = 0; which < WRITTEN; which++)
        for (enum executor executor = ANY; executor <= RCCL; executor++)
            if (executor != MSCCL || (strcmp(written[which].collective, "gather") != 0 &&
                                      strcmp(written[which].collective, "scatter") != 0))
                check_written(&written[which], executor);
}

/* Without their waits, steps send several packets at a time. */
static void test_without_waits(void **state)
{
    (void)state;
    struct schedule schedule;
    exchange_lab_build(&written[0].asked, &schedule);
    char *text = exchange_lab_write("msccl", &schedule, NULL);
    assert_non_null(strstr(text, "type=\"nop\""));
    struct msccl_replay *replay = msccl_replay(text, false);
    assert_true(replay->most > 1);
    free(replay);
    free(text);
    schedule_free(&schedule);
}

/* -- there and back -----------------------------------------------------------------------------*/

static const struct exchange_lab_asked round_trips[] = {
    {"matching", 22, 8, 3, MODEL_SEND_RECEIVE, 0, NULL},
    {"gather", 7, 2, 2, MODEL_SEND_RECEIVE, 0, NULL},
    {"scatter", 6, 3, 5, MODEL_SEND_RECEIVE, 0, NULL},
    {"traffic", 8, 1, 0, MODEL_SEND_RECEIVE, 0, "moe:6,2"},
    {"all-gather", 9, 1, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"total-exchange", 6, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"path", 2, 3, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"total-exchange", 2, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
};

static void test_there_and_back(void **state)
{
    (void)state;
    for (unsigned which = 0; which < sizeof round_trips / sizeof *round_trips; which++) {
        struct schedule schedule, again;
        exchange_lab_build(&round_trips[which], &schedule);
        char *text = exchange_lab_write("msccl", &schedule, NULL);
        exchange_lab_import("msccl", text, MODEL_SEND_RECEIVE, &again);
        exchange_lab_same(&schedule, &again);
        free(text);
        schedule_free(&schedule);
        schedule_free(&again);
    }
}

/* A broadcast and a custom collective keep their demands unchanged. */
static void test_same_demands(void **state)
{
    (void)state;
    for (unsigned which = 0; which < 4; which += 3) {
        struct schedule schedule, again;
        exchange_lab_build(&round_trips[which], &schedule);
        char *text = exchange_lab_write("msccl", &schedule, NULL);
        exchange_lab_import("msccl", text, MODEL_SEND_RECEIVE, &again);
        assert_int_equal(again.demand_count, schedule.demand_count);
        for (size_t k = 0; k < schedule.demand_count; k++) {
            assert_int_equal(again.demand[k].first_packet, schedule.demand[k].first_packet);
            assert_int_equal(again.demand[k].source, schedule.demand[k].source);
            assert_int_equal(again.demand[k].wanted_count, schedule.demand[k].wanted_count);
        }
        free(text);
        schedule_free(&schedule);
        schedule_free(&again);
    }
}

static void test_other_models(void **state)
{
    (void)state;
    struct schedule schedule, again;
    struct err err = {0};
    exchange_lab_build(&round_trips[4], &schedule);
    char *text = exchange_lab_write("msccl", &schedule, NULL);
    for (unsigned which = 0; which < 2; which++) {
        exchange_lab_import("msccl", text, which == 0 ? MODEL_TELEPHONE : MODEL_TELEGRAPH, &again);
        assert_int_equal(again.transfer_count, schedule.transfer_count);
        schedule_free(&again);
    }
    assert_false(exchange_lab_read("msccl", text, MODEL_POSTAL, &again, &err));
    support_error(&err, ERR_OPTION, "lambda is required; expected λ of the postal model");
    exchange_lab_import("msccl", text, MODEL_FABRIC_MULTICAST, &again);
    assert_int_equal(again.transfer_count, schedule.transfer_count);
    schedule_free(&again);
    free(text);
    schedule_free(&schedule);
}

/* -- executors ----------------------------------------------------------------------------------*/

struct limit {
    struct exchange_lab_asked asked;
    enum executor executor;
    const char *part; /* NULL: it fits */
    enum err_code code;
};

/* Traffic of m packets from node 0 to node 1, in one block of m steps. */
#define LINE(packets)                                        \
    {                                                        \
        "path", 2, (packets), 0, MODEL_SEND_RECEIVE, 0, NULL \
    }
#define ASKED(name, n, m)                          \
    {                                              \
        name, n, m, 0, MODEL_SEND_RECEIVE, 0, NULL \
    }

static const struct limit limits[] = {
    {LINE(64), RCCL, NULL, ERR_NONE},
    {LINE(65), RCCL,
     "node 0: steps of the block for node 1: 65; expected at most 64, for which rccl", ERR_TOO_BIG},
    {LINE(256), MSCCL, NULL, ERR_NONE},
    {LINE(257), MSCCL, "node 1: 257; expected at most 256, for which msccl", ERR_TOO_BIG},
    {LINE(256), NCCL, NULL, ERR_NONE},
    {LINE(257), NCCL, "257; expected at most 256, for which msccl-executor-nccl", ERR_TOO_BIG},
    {LINE(4096), ANY, NULL, ERR_NONE},
    {LINE(4097), ANY, "node 1: 4097; expected at most 4096, for which the format", ERR_TOO_BIG},
    /* n - 1 blocks that receive, and one block that copies */
    {ASKED("gather", 64, 1), RCCL, NULL, ERR_NONE},
    {ASKED("gather", 65, 1), RCCL, "node 0: blocks, one for each peer: 65; expected at most 64",
     ERR_TOO_BIG},
    {ASKED("gather", 218, 1), MSCCL, "blocks, one for each peer: 217; expected at most 216",
     ERR_TOO_BIG},
    /* the last receive waits for the one before it */
    {ASKED("gather", 130, 1), NCCL, NULL, ERR_NONE},
    {ASKED("gather", 131, 1), NCCL,
     "number of a block that a step waits for: 128; expected at most 127", ERR_TOO_BIG},
    {ASKED("gather", 130, 1), MSCCL, NULL, ERR_NONE},
    {ASKED("gather", 131, 1), MSCCL, "waits for: 128; expected at most 127", ERR_TOO_BIG},
    {ASKED("gather", 1024, 1), ANY, NULL, ERR_NONE},
    /* 1 + n GPUs + blocks + steps: a node of the exchange has 2(n - 1) blocks of as many steps and
       a nop for most, and a block that copies */
    {ASKED("total-exchange", 8, 1), RCCL, NULL, ERR_NONE},
    {ASKED("total-exchange", 33, 1), RCCL, "65; expected at most 64", ERR_TOO_BIG},
    {{"traffic", 8, 1, 0, MODEL_SEND_RECEIVE, 0, "moe:6,2"}, MSCCL, NULL, ERR_NONE},
    {{"traffic", 8, 1, 0, MODEL_SEND_RECEIVE, 0, "moe:6,2"},
     RCCL,
     "rccl does not know coll=\"custom\"",
     ERR_UNSUPPORTED},
    {{"traffic", 8, 1, 0, MODEL_SEND_RECEIVE, 0, "moe:6,2"},
     NCCL,
     "msccl-executor-nccl does not know coll=\"custom\"",
     ERR_UNSUPPORTED},
    {ASKED("all-gather", 65, 64), NCCL, "elements of the file", ERR_TOO_BIG},
    /* 64 · 63 · m packets, whose numbers from 0 must fit 15 bits */
    {ASKED("total-exchange", 64, 8), MSCCL, NULL, ERR_NONE},
    {ASKED("total-exchange", 64, 9), MSCCL, "number of a chunk: 36287; expected at most 32767",
     ERR_TOO_BIG},
    {ASKED("total-exchange", 3, 5462), ANY, "expected at most 4096", ERR_TOO_BIG},
};

static void test_executors(void **state)
{
    (void)state;
    for (unsigned which = 0; which < sizeof limits / sizeof *limits; which++) {
        struct schedule schedule;
        const struct limit *limit = &limits[which];
        exchange_lab_build(&limit->asked, &schedule);
        running("limit %u", which);
        if (limit->part == NULL)
            free(exchange_lab_write("msccl", &schedule, &options_of[limit->executor]));
        else
            exchange_lab_no_write("msccl", &schedule, &options_of[limit->executor], limit->code,
                                  limit->part);
        schedule_free(&schedule);
    }
}

/* Only MSCCL has executors. */
static void test_no_executor(void **state)
{
    (void)state;
    struct schedule schedule;
    exchange_lab_build(&round_trips[0], &schedule);
    for (const struct exchange_format *const *row = exchange_table; *row != NULL; row++)
        if ((*row)->write != NULL && strcmp((*row)->name, "msccl") != 0)
            exchange_lab_no_write((*row)->name, &schedule, &options_of[RCCL], ERR_OPTION,
                                  "has no executors; expected to msccl");
    schedule_free(&schedule);
}

/* More chunks are copied than one step can copy: the 150 chunks that a node keeps take 3 steps. */
static void test_many_copies(void **state)
{
    (void)state;
    struct schedule schedule, again;
    exchange_lab_build(&(struct exchange_lab_asked)LINE(150), &schedule);
    char *text = exchange_lab_write("msccl", &schedule, NULL);
    assert_non_null(strstr(text, "type=\"cpy\" srcbuf=\"i\" srcoff=\"142\" dstbuf=\"o\" "
                                 "dstoff=\"142\" cnt=\"8\""));
    exchange_lab_import("msccl", text, MODEL_SEND_RECEIVE, &again);
    exchange_lab_same(&schedule, &again);
    free(text);
    schedule_free(&schedule);
    schedule_free(&again);
}

/* A channel supports 32 distances: 1 … 16, 32, 64 and 128 are distributed over 4 channels. */
static void test_channels(void **state)
{
    (void)state;
    struct schedule schedule;
    exchange_lab_build(&(struct exchange_lab_asked)ASKED("binomial", 256, 1), &schedule);
    char *text = exchange_lab_write("msccl", &schedule, NULL);
    static const char *const channels[] = {"0", "1", "2", "3", "4", "5", "6", "7"};
    unsigned found = 0;
    for (unsigned which = 0; which < 8; which++) {
        char key[20];
        snprintf(key, sizeof key, "chan=\"%s\"", channels[which]);
        found += strstr(text, key) != NULL;
    }
    assert_int_equal(found, 4);
    free(text);
    schedule_free(&schedule);
}

static void test_all_ports(void **state)
{
    (void)state;
    struct schedule schedule;
    exchange_lab_build(
        &(struct exchange_lab_asked){"cube-single", 0, 3, 0, MODEL_ALL_PORT, 3, NULL}, &schedule);
    exchange_lab_no_write("msccl", &schedule, NULL, ERR_UNSUPPORTED,
                          "several packets from or to a node in a round");
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_collectives),    cmocka_unit_test(test_without_waits),
        cmocka_unit_test(test_there_and_back), cmocka_unit_test(test_same_demands),
        cmocka_unit_test(test_other_models),   cmocka_unit_test(test_executors),
        cmocka_unit_test(test_no_executor),    cmocka_unit_test(test_many_copies),
        cmocka_unit_test(test_channels),       cmocka_unit_test(test_all_ports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
