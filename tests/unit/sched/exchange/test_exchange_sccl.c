/* SPDX-License-Identifier: Apache-2.0 */
/* test_exchange_sccl: algorithms of SCCL: round trips, files by hand, and faulty files.
 *
 * Round trips give the same transfers in as many rounds or fewer. An algorithm written by hand, in
 * whose steps a node sends twice, gets the number of rounds counted by hand; chunks that an
 * instance divides have the addresses of msccl-tools, addr · chunks + part; sends of chunks that no
 * other node wants are omitted, but still checked. Counter-cases: files with one change, each
 * rejected with its place and code.
 */
#include "sched/exchange/recognise.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* -- there and back -----------------------------------------------------------------------------*/

static const struct exchange_lab_asked round_trips[] = {
    {"matching", 22, 8, 3, MODEL_SEND_RECEIVE, 0, NULL},
    {"all-gather", 9, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"scatter", 7, 1, 2, MODEL_SEND_RECEIVE, 0, NULL},
    {"gather", 6, 2, 1, MODEL_SEND_RECEIVE, 0, NULL},
    {"total-exchange", 7, 1, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"traffic", 8, 1, 0, MODEL_SEND_RECEIVE, 0, "moe:6,2"},
    {"matching", 9, 4, 0, MODEL_TELEPHONE, 0, NULL},
    {"binomial", 255, 1, 0, MODEL_SEND_RECEIVE, 0, NULL}, /* arrivals that share an entry */
};

static void same_collective(const struct schedule *schedule, const struct schedule *again)
{
    char text[RECOGNISE_TEXT], again_text[RECOGNISE_TEXT];
    assert_string_equal(recognise_text(schedule, text), recognise_text(again, again_text));
}

static void test_there_and_back(void **state)
{
    (void)state;
    for (unsigned which = 0; which < sizeof round_trips / sizeof *round_trips; which++) {
        struct schedule schedule, again;
        exchange_lab_build(&round_trips[which], &schedule);
        char *text = exchange_lab_write("sccl", &schedule, NULL);
        exchange_lab_import("sccl", text, MODEL_SEND_RECEIVE, &again);
        exchange_lab_same(&schedule, &again);
        same_collective(&schedule, &again);
        free(text);
        schedule_free(&schedule);
        schedule_free(&again);
    }
}

static void test_most_nodes(void **state)
{
    (void)state;
    struct schedule schedule;
    exchange_lab_build(&(struct exchange_lab_asked){"path", 513, 1, 0, MODEL_SEND_RECEIVE, 0, NULL},
                       &schedule);
    exchange_lab_no_write("sccl", &schedule, NULL, ERR_RANGE, "sccl: 513 nodes; expected 1 … 512");
    schedule_free(&schedule);
}

/* -- by hand ------------------------------------------------------------------------------------*/

#define TWO_CHUNKS                                                                     \
    "{\"pre\": [0], \"post\": [0, 1, 2], \"addr\": 7}, {\"pre\": [1], \"post\": [2], " \
    "\"addr\": 3}"
#define FIRST "{\"rounds\": 2, \"sends\": [[7, 0, 1], [7, 0, 2], [3, 1, 0]]}"
#define SECOND "{\"rounds\": 1, \"sends\": [[3, 0, 2]]}"
#define ONE(pre, post, address) "{\"pre\": [" pre "], \"post\": [" post "], \"addr\": " address "}"

/* Returns the text of an algorithm of 3 nodes. */
static char *hand(const char *steps, const char *chunks, const char *more)
{
    return exchange_lab_format("{\"msccl_type\": \"algorithm\", \"steps\": [%s],\n \"collective\": "
                               "{\"nodes\": 3, \"chunks\": [%s]}%s}\n",
                               steps, chunks, more);
}

/* Returns the transfers of each round as text: "1: 0>1:1 1>0:2 | 2: …". */
static char *rounds_of(const struct schedule *schedule)
{
    char *made = strdup("");
    for (size_t step = 0; step < schedule->step_count; step++) {
        char *more = exchange_lab_format("%s%s%llu:", made, step > 0 ? " | " : "",
                                         (unsigned long long)schedule->step[step].time);
        free(made);
        made = more;
        for (size_t k = schedule->step[step].first; k < schedule_step_end(schedule, step); k++) {
            more = exchange_lab_format("%s %u>%u:%u", made, schedule->transfer[k].source,
                                       schedule->transfer[k].destination,
                                       schedule->transfer[k].packet);
            free(made);
            made = more;
        }
    }
    return made;
}

static void takes(char *text, uint32_t packets, const char *rounds)
{
    struct schedule schedule;
    exchange_lab_import("sccl", text, MODEL_SEND_RECEIVE, &schedule);
    char *found = rounds_of(&schedule);
    assert_int_equal(schedule.packets, packets);
    assert_string_equal(found, rounds);
    free(found);
    free(text);
    schedule_free(&schedule);
}

static void test_by_hand(void **state)
{
    (void)state;
    takes(hand(FIRST ", " SECOND, TWO_CHUNKS, ""), 2, "1: 0>1:1 1>0:2 | 2: 0>2:1 | 3: 0>2:2");
    /* the same chunks in another order: packets are numbered by their sources */
    takes(hand(FIRST ", " SECOND, ONE("1", "2", "3") ", " ONE("0", "0, 1, 2", "7"), ""), 2,
          "1: 0>1:1 1>0:2 | 2: 0>2:1 | 3: 0>2:2");
    /* only its source wants the chunk: its sends, and the sends that forward it, are omitted */
    takes(hand("{\"sends\": [[5, 0, 1], [3, 1, 0]]}, {\"sends\": [[5, 1, 2], [3, 0, 2]]}",
               ONE("0", "0", "5") ", " ONE("1", "2", "3"), ""),
          1, "1: 1>0:1 | 2: 0>2:1");
    takes(exchange_lab_file("sccl-own-chunk-sent.json"), 1, "1: 1>0:1");
}

/* The chunks are in any order, as those of SCCL's alltoall, which are ordered by receiver. */
static void test_numbers(void **state)
{
    (void)state;
    struct schedule schedule;
    char text[RECOGNISE_TEXT];
    char *made = hand("{\"sends\": [[4, 1, 0], [0, 0, 1], [2, 2, 1]]}, "
                      "{\"sends\": [[3, 1, 2], [1, 0, 2], [5, 2, 0]]}",
                      ONE("2", "0", "5") ", " ONE("1", "0", "4") ", " ONE("0", "1", "0") ", " ONE(
                          "2", "1", "2") ", " ONE("0", "2", "1") ", " ONE("1", "2", "3"),
                      "");
    exchange_lab_import("sccl", made, MODEL_SEND_RECEIVE, &schedule);
    assert_string_equal(recognise_text(&schedule, text),
                        "total-exchange of 1 packet for each pair of nodes");
    free(made);
    schedule_free(&schedule);
}

static void test_parts(void **state)
{
    (void)state;
    takes(exchange_lab_file("sccl-chunks-2.json"), 2, "1: 0>1:1 | 2: 0>1:2");
    /* addresses 7 and 3 in 3 parts: 21 … 23 and 9 … 11; each part moves separately */
    takes(hand("{\"sends\": [[21, 0, 1], [9, 1, 0], [22, 0, 2]]}, "
               "{\"sends\": [[23, 0, 1], [21, 1, 2], [9, 0, 2], [10, 1, 2]]}, "
               "{\"sends\": [[22, 2, 1], [23, 1, 2], [11, 1, 2]]}",
               TWO_CHUNKS, ", \"instance\": {\"chunks\": 3}"),
          6,
          "1: 0>1:1 1>0:4 | 2: 0>2:2 | 3: 0>1:3 1>2:1 | 4: 0>2:4 2>1:2 | 5: 1>2:5 | 6: 1>2:3 "
          "| 7: 1>2:6");
    takes(hand(FIRST ", " SECOND, TWO_CHUNKS, ", \"instance\": {\"chunks\": 1}"), 2,
          "1: 0>1:1 1>0:2 | 2: 0>2:1 | 3: 0>2:2");
}

/* A step may contain 70 packets. */
static void test_long_step(void **state)
{
    (void)state;
    struct schedule schedule;
    char *sends = strdup(""), *chunks = strdup("");
    for (int k = 1; k <= 70; k++) {
        char *more = exchange_lab_format("%s%s[%d, 0, 1]", sends, k > 1 ? ", " : "", k);
        free(sends);
        sends = more;
        more = exchange_lab_format("%s%s" ONE("0", "1", "%d"), chunks, k > 1 ? ", " : "", k);
        free(chunks);
        chunks = more;
    }
    char *step = exchange_lab_format("{\"sends\": [%s]}", sends), *text = hand(step, chunks, "");
    exchange_lab_import("sccl", text, MODEL_SEND_RECEIVE, &schedule);
    assert_int_equal(schedule.packets, 70);
    assert_int_equal(schedule.end, 70);
    assert_int_equal(schedule.transfer_count, 70);
    schedule_free(&schedule);
    free(sends);
    free(chunks);
    free(step);
    free(text);
}

/* -- refused ------------------------------------------------------------------------------------*/

struct refused {
    const char *steps, *chunks, *more;
    enum err_code code;
    const char *part;
};

static const struct refused refused[] = {
    {SECOND ", " FIRST, TWO_CHUNKS, "", 206,
     "file: steps[0].sends[0]: node 0 does not have the chunk; expected it to come in an earlier"},
    {"{\"sends\": [[7, 0, 1], [7, 1, 2]]}", TWO_CHUNKS, "", 206,
     "steps[0].sends[1]: node 1 does not have"},
    {"{\"sends\": [[5, 2, 1]]}", ONE("0", "0", "5") ", " ONE("1", "2", "3"), "", 206,
     "steps[0].sends[0]: node 2 does not have"}, /* also of a chunk that only its source wants */
    {"{\"sends\": [[7, 0, 1]]}", TWO_CHUNKS, "", 303, "node 2 has not received"},
    {FIRST, ONE("0", "1", "7") ", " ONE("0", "1", "7"), "", 208,
     "chunks 0 and 1 have one address and start at one node"},
    {FIRST, ONE("0", "1, 2", "7") ", " ONE("1", "1, 2", "7"), "", 208,
     "collective.chunks[0]: 2 nodes want it; expected one, all, or those of a scan"},
    {FIRST, ONE("0", "1", "7") ", " ONE("1", "1", "7"), "", 205, "steps[0].sends[2]: address 3"},
    {"{\"sends\": [[7, 2, 1]]}", ONE("0", "1", "7") ", " ONE("1", "1", "7"), "", 206,
     "steps[0].sends[0]: node 2 has no contribution to the chunk"},
    {"{\"sends\": []}", ONE("0", "1", "7") ", " ONE("1", "1", "7"), "", 310,
     "lacks the contribution of node 0"},
    {"{\"sends\": [[7, 0, 1], [7, 0, 2]]}, {\"sends\": [[7, 1, 2]]}",
     ONE("0", "2", "7") ", " ONE("1", "2", "7") ", " ONE("2", "2", "7"), "", 208,
     "node 2 receives from node 1 a result of address 7 that has some of the contributions"},
    {"{\"sends\": [[7, 0, 1]]}", ONE("0", "", "7") ", " ONE("1", "", "7"), "", 209,
     "no node wants a result"},
    {FIRST, ONE("0, 1", "2", "7"), "", 208, "collective.chunks[0]: starts at 2 nodes"},
    {FIRST, TWO_CHUNKS, ", \"instance\": {\"pipeline\": 2}", 208, "instance.pipeline"},
    {FIRST, TWO_CHUNKS, ", \"instance\": {\"chunks\": 0}", 205,
     "instance.chunks: expected a number"},
    {FIRST, TWO_CHUNKS, ", \"instance\": {\"chunks\": -2}", 205, "instance.chunks"},
    {FIRST, TWO_CHUNKS, ", \"instance\": {\"chunks\": 65537}", 205,
     "instance.chunks: expected a number, 1 … 65536"},
    {FIRST, TWO_CHUNKS, ", \"instance\": {\"chunks\": \"2\"}", 205, "instance.chunks"},
    {FIRST, TWO_CHUNKS, ", \"instance\": {\"chunks\": 2}", 206,
     "steps[0].sends[0]: node 0 does not have"}, /* address 7 is part 1 of chunk 3, of node 1 */
    {"{\"sends\": [[13, 0, 1]]}", TWO_CHUNKS, ", \"instance\": {\"chunks\": 2}", 205,
     "address 13; expected addr · 2 + part of a chunk, as instance.chunks is 2"},
    {"{\"sends\": [[16, 0, 1]]}", TWO_CHUNKS, ", \"instance\": {\"chunks\": 2}", 205,
     "address 16; expected"},
    {"{\"sends\": [[7, 0, 3]]}", TWO_CHUNKS, "", 205, "steps[0].sends[0]: node 3; expected 0 … 2"},
    {"{\"sends\": [[8, 0, 1]]}", TWO_CHUNKS, "", 205, "address 8; expected that of a chunk"},
    {"{\"sends\": [[-7, 0, 1]]}", TWO_CHUNKS, "", 205, "address -7; expected that of a chunk"},
    {"{\"sends\": [[7, 0, 0]]}", TWO_CHUNKS, "", 210, "node 0 sends to itself"},
    {"{\"sends\": [[7, 0]]}", TWO_CHUNKS, "", 204, "steps[0].sends[0]: no send"},
    {"{\"sends\": 5}", TWO_CHUNKS, "", 204, "steps[0]: no array 'sends'"},
    {FIRST, ONE("1", "1", "7"), "", 209, "no node wants a chunk of another"},
    {FIRST, ONE("0", "\"a\"", "7"), "", 204, "collective.chunks[0]: no number"},
    {FIRST, "{\"pre\": [0], \"post\": [1]}", "", 204, "no number 'addr'"},
    {FIRST, ONE("0", "1", "-7"), "", 205, "collective.chunks[0]: addr -7; expected 0 or more"},
    {FIRST, ONE("-1", "1", "7"), "", 205, "collective.chunks[0]"},
    {FIRST, "{\"pre\": 0, \"post\": [1], \"addr\": 7}", "", 204, "no array 'pre'"},
    {FIRST, ONE("5", "1", "7"), "", 205, "collective.chunks[0]"},
    {"{\"sends\": [[7, \"a\", 1]]}", TWO_CHUNKS, "", 204, "steps[0].sends[0]"},
    {"", TWO_CHUNKS, "", 303, "has not received"},
};

static void test_refused(void **state)
{
    (void)state;
    for (unsigned which = 0; which < sizeof refused / sizeof *refused; which++) {
        char *text = hand(refused[which].steps, refused[which].chunks, refused[which].more);
        running("case %u: %s", which, refused[which].part);
        exchange_lab_refuses("sccl", text, refused[which].code, refused[which].part);
        free(text);
    }
}

struct changed {
    struct exchange_lab_edit edit[2];
    enum err_code code;
    const char *part;
};

static const struct changed changed[] = {
    {{{0, 0, "\"steps\": [", "\"step\": ["}}, 204, "no array 'steps'"},
    {{{0, 0, "\"chunks\": [", "\"chunk\": ["}}, 204, "no array 'chunks'"},
    {{{0, 0, "\"nodes\": 3", "\"nodes\": 1"}}, 205, "collective.nodes: 1; expected"},
    {{{0, 0, "\"nodes\": 3", "\"nodes\": 513"}}, 205, "collective.nodes: 513; expected"},
    {{{0, 0, "\"nodes\": 3", "\"nodes\": 99999999999"}}, 205, "collective.nodes: 99999999999"},
    {{{0, 0, "\"algorithm\"", "5"}}, 203, "no algorithm"},
    {{{0, 0, "\"algorithm\"", "\"collective\""}}, 203, "no algorithm"},
    {{{2, 2, "\"", NULL}}, 204, "file:2"},
    {{{0, 0, "\"steps\"", "\"steps\": 1, \"steps\""}}, 204, "file:1: duplicate object key"},
};

static void test_changed(void **state)
{
    (void)state;
    char *text = hand(FIRST ", " SECOND, TWO_CHUNKS, "");
    for (unsigned which = 0; which < sizeof changed / sizeof *changed; which++) {
        char *made = exchange_lab_edit(text, changed[which].edit);
        running("case %u: %s", which, changed[which].part);
        exchange_lab_refuses("sccl", made, changed[which].code, changed[which].part);
        free(made);
    }
    free(text);
}

/* Executes the steps of an algorithm as msccl-tools does: a send adds all chunks of an address that
 * its source has to its destination. Returns whether all nodes get the chunks that they want. */
static bool implements(const json_t *root)
{
    const json_t *collective = json_object_get(root, "collective"), *steps, *step, *send;
    const json_t *chunks = json_object_get(collective, "chunks"), *chunk, *node;
    size_t nodes = (size_t)json_integer_value(json_object_get(collective, "nodes"));
    size_t count = json_array_size(chunks), s, k, j;
    bool *has = calloc(nodes * count, 1), *next = calloc(nodes * count, 1), right = true;
    assert_true(has != NULL && next != NULL);
    json_array_foreach(chunks, k, chunk) json_array_foreach(json_object_get(chunk, "pre"), j, node)
        next[(size_t)json_integer_value(node) * count + k] = true;
    steps = json_object_get(root, "steps");
    json_array_foreach(steps, s, step)
    {
        memcpy(has, next, nodes * count);
        json_array_foreach(json_object_get(step, "sends"), j, send)
        {
            json_int_t address = json_integer_value(json_array_get(send, 0));
            size_t from = (size_t)json_integer_value(json_array_get(send, 1)) * count;
            size_t to = (size_t)json_integer_value(json_array_get(send, 2)) * count;
            json_array_foreach(
                chunks, k, chunk) if (json_integer_value(json_object_get(chunk, "addr")) == address)
                next[to + k] |= has[from + k];
        }
    }
    json_array_foreach(chunks, k, chunk) json_array_foreach(json_object_get(chunk, "post"), j, node)
        right = right && next[(size_t)json_integer_value(node) * count + k];
    free(has);
    free(next);
    return right;
}

/* Checks that a schedule is read again, with its demands and with at most as many rounds. */
static void check_again(const char *text, const struct schedule *schedule)
{
    struct schedule again;
    exchange_lab_import("sccl", text, MODEL_SEND_RECEIVE, &again);
    assert_int_equal(again.packets, schedule->packets);
    assert_int_equal(again.transfer_count, schedule->transfer_count);
    assert_true(again.end <= schedule->end);
    same_collective(schedule, &again);
    for (uint32_t packet = 1; packet <= schedule->packets; packet++) {
        const struct demand *a = schedule_demand_of(schedule, packet);
        const struct demand *b = schedule_demand_of(&again, packet);
        assert_non_null(b->reduction);
        assert_int_equal(a->wanted_count, b->wanted_count);
        assert_true(a->wanted_count == 0 || a->wanted[0] == b->wanted[0]);
        assert_int_equal(a->reduction->prefix, b->reduction->prefix);
        assert_int_equal(a->reduction->exclusive, b->reduction->exclusive);
        assert_int_equal(a->reduction->contributor_count, b->reduction->contributor_count);
    }
    schedule_free(&again);
}

/* A packet that is combined is a chunk of each contributor with one address. */
static void test_reductions(void **state)
{
    (void)state;
    static const struct {
        const char *algorithm;
        uint32_t n, m, chunks;
    } cases[] = {{"reduce", 7, 3, 21},
                 {"reduce-scatter", 5, 2, 50},
                 {"reduce-broadcast", 6, 2, 12},
                 {"halving-all-reduce", 8, 4, 32},
                 {"scan", 6, 2, 12},
                 {"exclusive-scan", 6, 2, 12},
                 {"circulant-all-reduce", 5, 5, 25}};
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule;
        exchange_lab_build(&(struct exchange_lab_asked){cases[which].algorithm, cases[which].n,
                                                        cases[which].m, 0, MODEL_SEND_RECEIVE, 0,
                                                        NULL},
                           &schedule);
        char *text = exchange_lab_write("sccl", &schedule, NULL);
        json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        assert_non_null(root);
        const json_t *chunks = json_object_get(json_object_get(root, "collective"), "chunks");
        assert_int_equal(json_array_size(chunks), cases[which].chunks);
        assert_true(implements(root));
        check_again(text, &schedule);
        json_array_remove(json_object_get(root, "steps"), 0);
        assert_false(implements(root));
        json_decref(root);
        free(text);
        schedule_free(&schedule);
    }
    struct schedule schedule;
    exchange_lab_build(
        &(struct exchange_lab_asked){"window-all-reduce", 3, 1, 0, MODEL_SEND_RECEIVE, 0, NULL},
        &schedule);
    exchange_lab_no_write("sccl", &schedule, NULL, ERR_UNSUPPORTED,
                          "node 0 sends packet 1 to node 2, without its own contribution");
    schedule_free(&schedule);
    exchange_lab_schedule("roundcast-schedule 1\nalgorithm x\ntopology complete 4\n"
                          "model send-receive\nreduce 1 0 0,1,2\nround 1\n2 1 1\nround 2\n"
                          "1 0 1\n0 3 1\nround 3\n3 2 1\nround 4\n2 1 1 replace\nend 4\n",
                          &schedule);
    exchange_lab_no_write("sccl", &schedule, NULL, ERR_UNSUPPORTED,
                          "which replaces contributions that it does not contain");
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reductions), cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_most_nodes), cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_numbers),    cmocka_unit_test(test_parts),
        cmocka_unit_test(test_long_step),  cmocka_unit_test(test_refused),
        cmocka_unit_test(test_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
