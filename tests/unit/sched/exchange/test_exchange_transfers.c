/* SPDX-License-Identifier: Apache-2.0 */
/* test_exchange_transfers: lists of transfers, as CSV, as JSON and of TE-CCL: round trips, files by
 * hand, and faulty files.
 *
 * Round trips of schedules of each collective give the same transfers, and the same collective,
 * although the list does not contain the demands. Files by hand have the forms that scripts print:
 * separators, headers, brackets, quotes, rounds from 0, rows in any order. The demands that follow
 * are counted by hand. Compaction of a list by hand gives the number of rounds counted by hand, and
 * that of schedules at the lower bound gives no round less or more. Reductions keep every line of
 * the schedule, except the name of the algorithm. Counter-cases: files with one
 * fault, each rejected with its line, column and code; each collective expected of each other one.
 */
#include "sched/exchange/compact.h"
#include "sched/exchange/recognise.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

static const char *const formats[] = {"csv", "jsonl"};

/* -- there and back -----------------------------------------------------------------------------*/

static const struct round_trip {
    struct exchange_lab_asked asked;
    const char *collective;
} round_trips[] = {
    {{"matching", 22, 8, 3, MODEL_SEND_RECEIVE, 0, NULL}, "broadcast of 8 packets, from node 3"},
    {{"all-gather", 9, 2, 0, MODEL_SEND_RECEIVE, 0, NULL}, "all-gather of 2 packets of each node"},
    {{"scatter", 7, 3, 2, MODEL_SEND_RECEIVE, 0, NULL},
     "scatter of 3 packets for each other node, from node 2"},
    {{"gather", 6, 2, 1, MODEL_SEND_RECEIVE, 0, NULL},
     "gather of 2 packets of each other node, at node 1"},
    {{"total-exchange", 7, 1, 0, MODEL_SEND_RECEIVE, 0, NULL},
     "total-exchange of 1 packet for each pair of nodes"},
    {{"matching", 9, 4, 0, MODEL_TELEPHONE, 0, NULL}, "broadcast of 4 packets, from node 0"},
    {{"telegraph", 9, 4, 0, MODEL_TELEGRAPH, 0, NULL}, "broadcast of 4 packets, from node 0"},
};

static void test_there_and_back(void **state)
{
    (void)state;
    for (unsigned which = 0; which < 2 * sizeof round_trips / sizeof *round_trips; which++) {
        const struct round_trip *trip = &round_trips[which / 2];
        struct schedule schedule, again;
        char found[RECOGNISE_TEXT];
        exchange_lab_build(&trip->asked, &schedule);
        char *text = exchange_lab_write(formats[which % 2], &schedule, NULL);
        exchange_lab_import(formats[which % 2], text, trip->asked.model, &again);
        exchange_lab_same(&schedule, &again);
        assert_int_equal(again.end, schedule.end);
        assert_string_equal(recognise_text(&again, found), trip->collective);
        free(text);
        schedule_free(&schedule);
        schedule_free(&again);
    }
}

/* Reductions of each kind, with each combining, over ports, and of some of the nodes. */
static const struct exchange_lab_asked reductions[] = {
    {"reduce", 7, 3, 2, MODEL_SEND_RECEIVE, 0, NULL},
    {"circulant-reduce-scatter", 8, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"halving-all-reduce", 8, 4, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"window-all-reduce", 7, 1, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"reduce-broadcast", 6, 2, 0, MODEL_TELEPHONE, 0, NULL},
    {"scan", 7, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
    {"exclusive-scan", 7, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
};

#define SOME_OF                                                                                  \
    "roundcast-schedule 1\nalgorithm csv\ntopology complete 4\nmodel send-receive\n"             \
    "reduce 1 3 0,1,3 ordered\nreduce 2-3 * 0,1\ndemand 4 3 0\nround 1\n0 1 1\n3 0 4\nround 2\n" \
    "1 3 1\n0 1 2\nround 3\n1 2 2\n0 1 3\nround 4\n1 0 2 replace\n2 3 2\n"                       \
    "round 5\n1 2 3\nround 6\n1 0 3 replace\n2 3 3\nend 6\n"

static char *canonical(const struct schedule *schedule)
{
    char *text = NULL;
    size_t size;
    struct err err = {0};
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    support_true(schedule_write(to, "s", schedule, &err), &err);
    fclose(to);
    return text;
}

/* Checks that a format keeps all lines after that of the algorithm. */
static void keeps_lines(const char *format, const struct schedule *schedule)
{
    struct schedule again;
    char *text = exchange_lab_write(format, schedule, NULL);
    exchange_lab_import(format, text, schedule->model, &again);
    char *first = canonical(schedule), *second = canonical(&again);
    assert_string_equal(strstr(first, "\ntopology"), strstr(second, "\ntopology"));
    free(first);
    free(second);
    free(text);
    schedule_free(&again);
}

static void test_reductions(void **state)
{
    (void)state;
    struct schedule schedule;
    for (unsigned which = 0; which < 2 * sizeof reductions / sizeof *reductions; which++) {
        running("reduction %u", which);
        exchange_lab_build(&reductions[which / 2], &schedule);
        keeps_lines(formats[which % 2], &schedule);
        schedule_free(&schedule);
    }
    exchange_lab_schedule(SOME_OF, &schedule);
    keeps_lines("csv", &schedule);
    keeps_lines("jsonl", &schedule);
    schedule_free(&schedule);
}

#define REDUCE_TABLE "round,source,destination,packet,combine,reduction\n"

/* A table by hand: the reduction is in one row of its packet, and rows have any order. */
static void test_reduction_by_hand(void **state)
{
    (void)state;
    struct schedule schedule;
    exchange_lab_import("csv",
                        REDUCE_TABLE "2,1,0,5,,\n1,2,1,5,combine,* of 1+2\n4,0,2,5,replace,\n"
                                     "3,0,1,5,received+replace,* of 1+2\n",
                        MODEL_SEND_RECEIVE, &schedule);
    char *text = canonical(&schedule);
    assert_string_equal(text, "roundcast-schedule 1\nalgorithm csv\ntopology complete 3\n"
                              "model send-receive\nreduce 1 * 1,2\nround 1\n2 1 1\nround 2\n1 0 1\n"
                              "round 3\n0 1 1 received replace\nround 4\n0 2 1 replace\nend 4\n");
    free(text);
    schedule_free(&schedule);
}

/* -- by hand ------------------------------------------------------------------------------------*/

/* Returns the demands and the transfers as text: "1x0>1,2 | 1: 0>1:1 | 2: 0>2:1". */
static char *shown(const struct schedule *schedule)
{
    char *made = NULL;
    size_t size;
    FILE *to = open_memstream(&made, &size);
    assert_non_null(to);
    for (size_t which = 0; which < schedule->demand_count; which++) {
        const struct demand *demand = &schedule->demand[which];
        fprintf(to, "%s%ux%u>%s", which > 0 ? " " : "",
                demand->last_packet - demand->first_packet + 1, demand->source,
                demand->wanted_count == 0 ? "*" : "");
        for (uint32_t k = 0; k < demand->wanted_count; k++)
            fprintf(to, "%s%u", k > 0 ? "," : "", demand->wanted[k]);
    }
    for (size_t step = 0; step < schedule->step_count; step++) {
        fprintf(to, " | %llu:", (unsigned long long)schedule->step[step].time);
        for (size_t k = schedule->step[step].first; k < schedule_step_end(schedule, step); k++) {
            const struct transfer *now = &schedule->transfer[k];
            fprintf(to, " %u>%u:%u", now->source, now->destination, now->packet);
        }
    }
    fclose(to);
    return made;
}

static const struct by_hand {
    const char *format, *text, *shown;
} by_hand[] = {
    /* a broadcast: blanks, without a header, rounds from 0 */
    {"csv", "0 0 1 7\n1 0 2 7\n1 1 3 7\n", "1x0>* | 1: 0>1:1 | 2: 0>2:1 1>3:1"},
    /* the same: a header in another order, more columns, CRLF, comments, a byte order mark */
    {"csv",
     "\xef\xbb\xbf# a script\r\n\r\nDst; bytes; \"src\"; chunk; STEP\r\n1;8;0;a;4\r\n"
     "2;8;0;a;5\r\n3;8;1;a;5\r\n",
     "1x0>* | 4: 0>1:1 | 5: 0>2:1 1>3:1"},
    /* the same: tuples, and rows in any order */
    {"csv", "(1, 1, 3, 'a b')\n(0, 0, 1, 'a b')\n(1, 0, 2, 'a b')",
     "1x0>* | 1: 0>1:1 | 2: 1>3:1 0>2:1"},
    /* blanks separate values, so tabs do too */
    {"csv", "0 0 1 7\n1\t0\t 2\t7\n", "1x0>* | 1: 0>1:1 | 2: 0>2:1"},
    {"csv", "round\tsrc\tdst\tpacket\n1\t0\t1\t0\n", "1x0>* | 1: 0>1:1"},
    /* two packets to node 3 on paths, not by node 2: the end of a path wants it */
    {"csv", "1,0,1,5\n2,1,3,5\n2,0,1,6\n3,1,3,6\n", "2x0>3 | 1: 0>1:1 | 2: 1>3:1 0>1:2 | 3: 1>3:2"},
    /* a packet for two of four nodes, because node 0 sends it twice, and one that returns */
    {"csv", "1,0,1,9\n2,0,2,9\n3,3,1,8\n", "1x0>1,2 1x3>1 | 1: 0>1:1 | 2: 0>2:1 | 3: 3>1:2"},
    {"csv", "1,0,1,9\n2,1,0,9\n3,0,2,9\n", "1x0>* | 1: 0>1:1 | 2: 1>0:1 | 3: 0>2:1"},
    /* a packet of node 2 is numbered after that of node 1, whatever their labels */
    {"csv", "1,2,0,1\n1,1,2,2\n1,0,1,3\n", "1x0>1 1x1>2 1x2>0 | 1: 2>0:3 1>2:2 0>1:1"},
    {"jsonl",
     "{\"round\": 0, \"src\": 0, \"dst\": 1, \"chunk\": 7}\n"
     "{'t': 1, 'from': 0, 'to': 2, 'msg': \"7\", 'more': {'a': [1, \"]\", {}], 'b': null}}\n"
     "{\"time\":1,\"sender\":1,\"receiver\":3,\"id\":7}",
     "1x0>* | 1: 0>1:1 | 2: 0>2:1 1>3:1"},
    {"jsonl", "[0, 0, 1, 7]\n[1, 0, 2, 7]\n[1, 1, 3, 7]\n", "1x0>* | 1: 0>1:1 | 2: 0>2:1 1>3:1"},
    {"jsonl", "[(0, 0, 1, 7), (1, 0, 2, 7), (1, 1, 3, 7)]\n", "1x0>* | 1: 0>1:1 | 2: 0>2:1 1>3:1"},
    {"jsonl", "[(0, 0, 1, 'x'), {'r': 1, 'u': 1, 'v': 2, 'p': 'x', 'at': (0, (1, 2))}]\n",
     "1x0>* | 1: 0>1:1 | 2: 1>2:1"},
    {"jsonl", "[\n [0, 0, 1, 7],\n [1, 0, 2, 7], [1, 1, 3, 7]\n]\n",
     "1x0>* | 1: 0>1:1 | 2: 0>2:1 1>3:1"},
    /* a quote after a backslash does not end a text */
    {"jsonl", "[0, 0, 1, \"a\\\"b\"]\n[1, 0, 2, \"a\\\"b\"]", "1x0>* | 1: 0>1:1 | 2: 0>2:1"},
    /* TE-CCL: GPUs 1, 2 and 4 become nodes 0, 1 and 2; chunk 0 of GPU 1 is not that of GPU 4 */
    {"teccl",
     "{\"1-Epoch_Duration\": 2e-09,\n\"7-Flows\": [\n"
     "\"Chunk 0 from 1 traveled over 1->2 in epoch 0\",\n"
     "\"Chunk 0 from 1 traveled over 2->4 with volume 1.0 in epoch 1 via switches 0->3\",\n"
     "\"Chunk 0 from 4 traveled over 4->1 in epoch 5\"], \"8\": []}",
     "1x0>2 1x2>0 | 1: 0>1:1 | 2: 1>2:1 | 6: 2>0:2"},
    {"jsonl", "[{\"s\": 1, \"d\": 0, \"p\": \"x\", \"r\": 3}]", "1x1>* | 3: 1>0:1"},
};

static void test_by_hand(void **state)
{
    (void)state;
    for (unsigned which = 0; which < sizeof by_hand / sizeof *by_hand; which++) {
        struct schedule schedule;
        running("file %u", which);
        exchange_lab_import(by_hand[which].format, by_hand[which].text, MODEL_SEND_RECEIVE,
                            &schedule);
        char *text = shown(&schedule);
        assert_string_equal(text, by_hand[which].shown);
        free(text);
        schedule_free(&schedule);
    }
}

/* -- expected collectives -----------------------------------------------------------------------*/

static bool load(const char *text, const struct exchange_reading *how, struct schedule *schedule,
                 struct err *err)
{
    const struct exchange_format *format = NULL;
    char path[] = "/tmp/roundcast-transfers-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *to = fdopen(file, "w");
    assert_non_null(to);
    fputs(text, to);
    fclose(to);
    *schedule = (struct schedule){0};
    bool read = exchange_load(path, how, &format, schedule, err);
    remove(path);
    return read;
}

#define TWO_EXCHANGE "1,0,1,0\n1,1,0,1\n"
#define THREE_ALL "1,0,1,0\n1,1,2,1\n1,2,0,2\n2,1,2,0\n2,2,0,1\n2,0,1,2\n"

static void test_expected(void **state)
{
    (void)state;
    static const enum collective_kind kinds[] = {COLLECTIVE_BROADCAST, COLLECTIVE_SCATTER,
                                                 COLLECTIVE_GATHER, COLLECTIVE_ALL_GATHER,
                                                 COLLECTIVE_TOTAL_EXCHANGE};
    static const struct exchange_lab_asked asked[] = {
        {"matching", 6, 3, 4, MODEL_SEND_RECEIVE, 0, NULL},
        {"scatter", 6, 2, 4, MODEL_SEND_RECEIVE, 0, NULL},
        {"gather", 6, 2, 5, MODEL_SEND_RECEIVE, 0, NULL},
        {"all-gather", 6, 2, 0, MODEL_SEND_RECEIVE, 0, NULL},
        {"total-exchange", 6, 2, 0, MODEL_SEND_RECEIVE, 0, NULL}};
    for (unsigned which = 0; which < 25; which++) {
        const enum collective_kind kind = kinds[which % 5];
        struct schedule schedule, again;
        struct verify_report report;
        struct err err = {0};
        exchange_lab_build(&asked[which / 5], &schedule);
        char *text = exchange_lab_write("csv", &schedule, NULL);
        bool read = load(text,
                         &(struct exchange_reading){
                             .model = MODEL_SEND_RECEIVE, .expects = true, .expected = kind},
                         &again, &err);
        if (read) /* the demands are those of the collective: they may be unmet */
            read = verify_schedule("again", &again, &report, &err);
        assert_int_equal(read, which / 5 == which % 5);
        if (!read)
            assert_true(err.code == ERR_OTHER_DEMANDS || err.code == ERR_UNMET);
        free(text);
        schedule_free(&schedule);
        schedule_free(&again);
    }
}

static const struct expectation {
    const char *text;
    enum collective_kind kind;
    const char *part; /* of the error; NULL: accepted */
} expectations[] = {
    {TWO_EXCHANGE, COLLECTIVE_TOTAL_EXCHANGE, NULL},
    {TWO_EXCHANGE, COLLECTIVE_ALL_GATHER, NULL},
    {TWO_EXCHANGE, COLLECTIVE_BROADCAST,
     "1 packet from node 1 is for all nodes; expected none in broadcast"},
    {THREE_ALL, COLLECTIVE_ALL_GATHER, NULL},
    {"1,0,1,0\n1,1,2,1\n2,1,2,0\n2,2,0,1\n", COLLECTIVE_ALL_GATHER,
     "no packet from node 2 is for all nodes; expected some in all-gather"},
    {THREE_ALL "3,0,1,7\n3,1,2,7\n", COLLECTIVE_ALL_GATHER,
     "1 packet from node 1 for all nodes, but 2 from node 0 for all nodes; expected equal numbers "
     "in all-gather"},
    {"1,0,1,0\n2,0,2,0\n", COLLECTIVE_SCATTER,
     "a packet is for several nodes, but not for all; expected none in scatter"},
};

static void test_expected_by_hand(void **state)
{
    (void)state;
    for (unsigned which = 0; which < sizeof expectations / sizeof *expectations; which++) {
        const struct expectation *it = &expectations[which];
        struct schedule schedule;
        struct err err = {0};
        running("expectation %u", which);
        bool read = load(it->text,
                         &(struct exchange_reading){.model = MODEL_SEND_RECEIVE,
                                                    .expects = true,
                                                    .expected = it->kind,
                                                    .nodes = which == 6 ? 4 : 0},
                         &schedule, &err);
        if (it->part == NULL)
            support_true(read, &err);
        else
            support_error(&err, ERR_OTHER_DEMANDS, it->part);
        schedule_free(&schedule);
    }
}

/* -- compaction ---------------------------------------------------------------------------------*/

/* Compacts a schedule under send-receive. */
static bool compacted(struct schedule *schedule, struct err *err)
{
    struct rounds_rules rules = compact_rules_of(schedule);
    rules.model = MODEL_SEND_RECEIVE;
    return compact_schedule("s", &rules, schedule, err);
}

static const struct compaction {
    const char *text;
    enum model model;
    const char *shown;
} compactions[] = {
    /* times in any unit are only an order */
    {"0.5 0 1 a\n1.25e-1 2 3 b\n9.75 1 2 a\n", MODEL_SEND_RECEIVE,
     "1x0>2 1x2>3 | 1: 2>3:2 0>1:1 | 2: 1>2:1"},
    /* no times at all: the order of the rows */
    {"src,dst,packet\n0,1,a\n1,2,a\n0,2,b\n3,0,c\n", MODEL_SEND_RECEIVE,
     "2x0>2 1x3>0 | 1: 0>1:1 3>0:3 | 2: 1>2:1 | 3: 0>2:2"},
    /* node 0 sends twice in a round */
    {"1,0,1,a\n1,0,2,a\n", MODEL_SEND_RECEIVE, "1x0>* | 1: 0>1:1 | 2: 0>2:1"},
    /* a node sends and receives: two rounds under telegraph */
    {"1,0,1,a\n1,1,2,b\n", MODEL_TELEGRAPH, "1x0>1 1x1>2 | 1: 0>1:1 | 2: 1>2:2"},
    /* empty rounds go */
    {"5,0,1,a\n9,1,2,a\n", MODEL_SEND_RECEIVE, "1x0>* | 1: 0>1:1 | 2: 1>2:1"},
};

static void test_compact(void **state)
{
    (void)state;
    for (unsigned which = 0; which < sizeof compactions / sizeof *compactions; which++) {
        const struct compaction *it = &compactions[which];
        struct schedule schedule;
        struct err err = {0};
        running("compaction %u", which);
        support_true(load(it->text, &(struct exchange_reading){.model = it->model, .compact = true},
                          &schedule, &err),
                     &err);
        char *text = shown(&schedule);
        assert_string_equal(text, it->shown);
        free(text);
        schedule_free(&schedule);
    }
}

/* A schedule without an idle round, at its lower bound, stays as long as it is. */
static void test_compact_optimal(void **state)
{
    (void)state;
    for (unsigned which = 0; which < 5; which++) {
        struct schedule schedule;
        struct err err = {0};
        exchange_lab_build(&round_trips[which].asked, &schedule);
        uint64_t end = schedule.end;
        support_true(compacted(&schedule, &err), &err);
        assert_int_equal(schedule.end, end);
        schedule_free(&schedule);
    }
}

static void test_not_compact(void **state)
{
    (void)state;
    struct schedule schedule;
    struct err err = {0};
    assert_false(load("1,0,1,a\n1,1,2,a\n",
                      &(struct exchange_reading){.model = MODEL_SEND_RECEIVE, .compact = true},
                      &schedule, &err));
    support_error(&err, ERR_NOT_HELD, ":2: node 1 sends packet 1, which it does not hold");
}

/* -- faulty files -------------------------------------------------------------------------------*/

#define FLOWS(flow) "{\"7-Flows\": [\n" flow "\n]}"

static const struct faulty {
    const char *format, *text;
    enum err_code code;
    const char *part;
} faulty[] = {
    {"csv", "", ERR_DEMAND, "file: no transfers; expected at least one"},
    {"csv", "round,src,dst,packet\n", ERR_DEMAND, "file: no transfers"},
    {"csv", "0,0,1\n", ERR_SYNTAX, "file:1:1: 3 values; expected 4: round, source, destination"},
    {"csv", "round,src,dst,p,x\n0,0,1\n", ERR_SYNTAX,
     "file:2:1: 3 values; expected 5, as many as columns"},
    {"csv", "0,0,1,1\n0,2,3,1,9\n", ERR_SYNTAX, "file:2:9: more than 4 values"},
    {"csv", "0,0,1,1\n0,2,x,1\n", ERR_SYNTAX, "file:2:5: 'x'; expected the number of a node"},
    {"csv", "0,0,1,1\n-1,2,3,1\n", ERR_SYNTAX, "file:2:1: '-1'; expected a round or a time"},
    {"csv", "0,0,1,1\nnan,2,3,1\n", ERR_SYNTAX, "file:2:1: 'nan'"},
    {"csv", "0,0,1,1\n1.5x,2,3,1\n", ERR_SYNTAX, "file:2:1: '1.5x'"},
    {"csv", "0,0,1,1\n0,2,16777216,1\n", ERR_FIELD_RANGE,
     "file:2:5: node 16777216; expected 0 … 16777215"},
    {"csv", "4611686018427387904,0,1,1\n", ERR_FIELD_RANGE, "file:1:1: round 4611686018427387904"},
    {"csv", "99999999999999999999,0,1,1\n", ERR_SYNTAX, "file:1:1: '99999999999999999999'"},
    {"csv", "0,0,1,1\n0,2,2,1\n", ERR_SELF_SEND, "file:2:1: node 2 sends to itself"},
    {"csv", "0,0,1,1\n0,2,3,\n", ERR_SYNTAX, "file:2:7: no packet"},
    {"csv", "round,src,packet\n0,0,1\n", ERR_SYNTAX, "file:1:1: no destination; expected a value"},
    {"csv", "round,src,dst\n0,0,1\n", ERR_SYNTAX, "file:1:1: no packet; expected a value named"},
    {"csv", "round,src,dst,from,p\n", ERR_SYNTAX, "file:1:15: a second column of the same kind"},
    {"csv", "src,dst,packet\n0,1,2\n", ERR_SYNTAX, "file: no rounds; expected a column named"},
    {"csv", "0,0,1,1\n0.5,1,2,1\n", ERR_SYNTAX, "file: a time that is not whole"},
    {"jsonl", "{\"round\": 0, \"src\": 0, \"dst\": 1}", ERR_SYNTAX,
     "file:1:1: no packet; expected a value named"},
    {"jsonl", "[0,0,1,1]\n{\"src\": 0, \"dst\": 1, \"p\": 2}", ERR_SYNTAX,
     "file:2:1: no round; expected all transfers to have a round, or none"},
    {"jsonl", "[0,0,1,1]\n[0,1,2]", ERR_SYNTAX, "file:2:7: ']'; expected ',': round, source"},
    {"jsonl", "[0,0,1,1,1]", ERR_SYNTAX, "file:1:9: ','; expected ']' after four values"},
    {"jsonl", "[(0,0,1,1]]", ERR_SYNTAX, "file:1:10: ']'; expected ')' after four values"},
    {"jsonl", "[[0,0,1,1)]", ERR_SYNTAX, "file:1:10: ')'; expected ']' after four values"},
    {"jsonl", "[(0,0,1,1)", ERR_CUT, "the file ends; expected ']' at the end of the array"},
    {"jsonl", "{\"round\": 0, \"src\": [], \"dst\": 1}", ERR_SYNTAX,
     "file:1:21: '['; expected a value"},
    {"jsonl", "{\"round\": 0, \"round\": 1}", ERR_SYNTAX, "file:1:15: a second value"},
    {"jsonl", "{\"round\" 0}", ERR_SYNTAX, "file:1:10: '0'; expected ':'"},
    {"jsonl", "{\"round\": 0 5}", ERR_SYNTAX, "file:1:13: '5'; expected ',' or '}'"},
    {"jsonl", "{\"round\n\": 0}", ERR_SYNTAX, "; expected the end of a text"},
    {"jsonl", "{}", ERR_SYNTAX, "file:1:1: no source; expected a value named"},
    {"jsonl", "[", ERR_CUT, "file:1:2: the file ends; expected a value"},
    {"jsonl", "{round: 0}", ERR_SYNTAX, "file:1:2: 'r'; expected a key in quotes"},
    {"jsonl", "{\"round", ERR_CUT, "file:1:8: the file ends; expected the end of a text"},
    {"jsonl", "{\"x\": [1, {\"y\": 2}", ERR_CUT, "file:1:19: the file ends; expected a value"},
    {"jsonl", "[[0,0,1,1]", ERR_CUT, "the file ends; expected ']' at the end of the array"},
    {"jsonl", "[[0,0,1,1]] 5", ERR_SYNTAX, "file:1:13: '5'; expected the end of the file"},
    {"jsonl", "5", ERR_SYNTAX, "file:1:1: '5'; expected a transfer: an object or an array"},
    {"teccl", FLOWS("\"Chunk 0 from 1 traveled over 1->2 with volume 0.5 in epoch 0\""),
     ERR_UNSUPPORTED, "file:2:36: a part of a chunk; expected volume 1"},
    {"teccl", FLOWS("\"Chunk 0 from 1 traveled over 1->x in epoch 0\""), ERR_SYNTAX,
     "file:2:34: 'x'; expected the number of a node"},
    {"teccl", FLOWS("\"Chunk 0 from 1 traveled over 1->2 in epoch -1\""), ERR_SYNTAX,
     "file:2:45: '-1'; expected a round"},
    {"teccl", FLOWS("\"Chunk from 1 traveled over 1->2 in epoch 1\""), ERR_SYNTAX,
     "file:2:8: no chunk; expected"},
    {"teccl", FLOWS("\"Chunk 0 from 1 traveled over 1-2 in epoch 1\""), ERR_SYNTAX,
     "file:2:32: no link; expected"},
    {"teccl", FLOWS("\"Chunk 0 from 1 traveled over 1->1 in epoch 1\""), ERR_SELF_SEND,
     "file:2:1: node 1 sends to itself"},
    {"teccl", FLOWS("\"Chunk 0 from 1 traveled over 1->2 in epoch 1"), ERR_SYNTAX,
     "no end of the flow"},
    {"teccl", FLOWS(""), ERR_SYNTAX, "file:3:1: no chunk; expected"},
    {"teccl", "{\"1-Epoch_Duration\": 1}", ERR_SYNTAX, "file:1:1: no \"7-Flows\""},
    {"teccl", "{\"7-Flows\": 5", ERR_SYNTAX, "file:1:13: no list of flows"},
    {"teccl", "{\"7-Flows\": [\"Chunk 0 from 1 traveled over 1->2 in epoch 1\"", ERR_CUT,
     "file:1:60: no ']'"},
    {"csv", REDUCE_TABLE "1,1,0,1,add,0 of *\n", ERR_SYNTAX,
     "file:2:9: 'add'; expected combine, received, replace or received+replace"},
    {"csv", REDUCE_TABLE "1,1,0,1,combine,0 from *\n", ERR_SYNTAX,
     "file:2:17: '0 from *'; expected RESULT of CONTRIBUTORS such as '0 of *'"},
    {"csv", REDUCE_TABLE "1,1,0,1,,2 of *\n", ERR_SYNTAX, "'2 of *'; expected RESULT of"},
    {"csv", REDUCE_TABLE "1,1,0,1,,0 of 1+1\n", ERR_SYNTAX, "'0 of 1+1'; expected RESULT of"},
    {"csv", REDUCE_TABLE "1,1,0,1,,0 of * ordered \"\n", ERR_SYNTAX, "; expected RESULT of"},
    {"csv", REDUCE_TABLE "1,1,0,1,,0 of *\n2,2,0,1,,* of *\n", ERR_SYNTAX,
     "file:3:10: '* of *'; expected '0 of *', as before for this packet"},
    {"csv", REDUCE_TABLE "1,1,0,1,replace,\n", ERR_SYNTAX,
     "file:2: 'replace' of a packet that is not combined; expected a column named reduction"},
    {"jsonl", "{\"r\":1,\"s\":1,\"d\":0,\"p\":1,\"combine\":\"and\"}", ERR_SYNTAX,
     "file:1:37: 'and'; expected combine"},
    /* violations name the lines of the file */
    {"csv", REDUCE_TABLE "1,1,0,1,,0 of *\n2,1,0,1,,0 of *\n", ERR_TWICE,
     ":3: round 2: node 0 combines the contribution of node 1 to packet 1 again"},
    {"csv", REDUCE_TABLE "1,1,2,1,,0 of *\n", ERR_UNCOUNTED, "lacks the contribution of node 1"},
    {"csv", "round,src,dst,packet\n2,1,2,a\n1,0,1,a\n2,1,3,a\n", ERR_ONE_PORT,
     ":4: round 2: node 1 sends packets 1 and 1"},
    {"jsonl", "[1,0,1,1]\n\n[1,2,1,2]", ERR_ONE_PORT,
     ":3: round 1: node 1 receives packets 2 and 1"},
    {"csv", "1,0,1,a\n1,1,2,a\n", ERR_NOT_HELD, ":2: round 1: node 1 sends packet 1"},
};

static void test_faulty(void **state)
{
    (void)state;
    for (unsigned which = 0; which < sizeof faulty / sizeof *faulty; which++) {
        running("file %u", which);
        exchange_lab_refuses(faulty[which].format, faulty[which].text, faulty[which].code,
                             faulty[which].part);
    }
}

/* -- formats ------------------------------------------------------------------------------------*/

/* A file in each format that is read is recognised as what it is. */
static void test_recognised(void **state)
{
    (void)state;
    for (const struct exchange_format *const *row = exchange_table; *row != NULL; row++) {
        struct schedule schedule;
        if (!exchange_is_read(*row) || (*row)->write == NULL)
            continue;
        exchange_lab_build(&round_trips[0].asked, &schedule);
        char *text = exchange_lab_write((*row)->name, &schedule, NULL);
        const struct exchange_format *const *first = exchange_table;
        while ((*first)->is_like == NULL || !(*first)->is_like(text))
            first++;
        assert_string_equal((*first)->name, (*row)->name);
        free(text);
        schedule_free(&schedule);
    }
}

/* The beginnings of files that are, and are not, lists of transfers or traces of Chakra. */
static void test_heads(void **state)
{
    (void)state;
    static const struct {
        const char *format, *head;
        bool is_like;
    } heads[] = {
        {"csv", "\n# a comment\n\n0,0,1,7\n", true},
        {"csv", "src,dst,packet\n", true},
        {"csv", "src,packet\n", false},
        {"csv", "dst,packet\n", false},
        {"chakra", "{ \"version\": \"0.0.4\"}", true},
        {"chakra", "{\"id\": 1, \"type\": \"COMM_SEND_NODE\"}", true},
        {"chakra", "{\"id\": 1, \"name\": \"COMM_SEND_NODE\"}", false},
        {"chakra", "{\"id\": 1, \"type\": \"COMM_SEND\"}", false},
        /* an attribute after its length of two bytes; lengths of 0; other fields */
        {"chakra-et",
         "\x12\x80\x01\x0a\x03"
         "abc",
         true},
        {"chakra-et",
         "\x12\x05\x0a\x03"
         "abc",
         true},
        {"chakra-et",
         "\x12\x05\x0a\x03"
         "a1c",
         false},
        {"chakra-et",
         "\x12\x05\x10\x03"
         "abc",
         false},
        {"chakra-et", "\x12", false},
        {"chakra-et",
         "\x0a\x03"
         "0.1",
         true},
        {"chakra-et",
         "\x0a\x03"
         "0x1",
         false},
        {"chakra-et", "\x0a", false},
        {"chakra-et", "\x0a\x80\x01", false},
    };
    for (unsigned which = 0; which < sizeof heads / sizeof *heads; which++) {
        struct err err = {0};
        running("head %u", which);
        const struct exchange_format *format = exchange_find(heads[which].format, false, &err);
        assert_non_null(format);
        assert_int_equal(format->is_like(heads[which].head), heads[which].is_like);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_heads),
    cmocka_unit_test(test_there_and_back),
    cmocka_unit_test(test_reductions),
    cmocka_unit_test(test_reduction_by_hand),
    cmocka_unit_test(test_by_hand),
    cmocka_unit_test(test_expected),
    cmocka_unit_test(test_expected_by_hand),
    cmocka_unit_test(test_compact),
    cmocka_unit_test(test_compact_optimal),
    cmocka_unit_test(test_not_compact),
    cmocka_unit_test(test_faulty),
    cmocka_unit_test(test_recognised),
};

int main(void)
{
    return cmocka_run_group_tests(tests, NULL, NULL);
}
