/* SPDX-License-Identifier: Apache-2.0 */
/* test_exchange_lists: values of lists of transfers: nodes and lanes of topologies, times with many
 * digits, ticks, names of packets, reductions, and packets of given demands.
 *
 * Lists by hand are read under the rules that are asked for; the demands, the rounds and the times
 * of each schedule are written by hand. Names of packets with the same hash are two packets.
 * Counter-cases: one invalid value in each list, rejected with its place and code. A value that is
 * too long for a message is cut after 40 characters.
 */
#include "sched/exchange/exchange.h"
#include "sched/schedule/schedule.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

static bool load(const char *name, const char *text, const struct exchange_reading *how,
                 struct schedule *schedule, struct err *err)
{
    const struct exchange_format *format = exchange_find(name, false, err);
    assert_non_null(format);
    FILE *file = tmpfile();
    assert_non_null(file);
    fputs(text, file);
    rewind(file);
    *schedule = (struct schedule){0};
    bool read = exchange_load_from(file, "file", how, &format, schedule, err);
    fclose(file);
    return read;
}

/* The topologies of the cases. */
enum where { NOWHERE, COMPLETE, TREE, CUBE, WHERES };

static void make_topologies(struct topology topology[WHERES])
{
    struct err err = {0};
    topology[COMPLETE] = topology_complete(3);
    support_true(topology_parse_tree("2,2", "const", &topology[TREE], &err), &err);
    support_true(topology_hypercube(1, &topology[CUBE], &err), &err);
}

#define POSTAL .model = MODEL_POSTAL, .has_model = true, .lambda = {5, 2}
#define ROUNDS .model = MODEL_SEND_RECEIVE
#define PATH "round 1\n0 1:0 1\nround 2\n1:0 1 1\n"

static const struct accepted {
    const char *text;
    enum where where;
    struct exchange_reading how;
    const char *lines; /* of the schedule, from the demands to the end */
} accepted[] = {
    /* a packet that returns is for the node that it visits */
    {"1,0,1,9\n2,1,0,9\n",
     NOWHERE,
     {ROUNDS, .nodes = 3},
     "demand 1 0 1\nround 1\n0 1 1\nround 2\n1 0 1\nend 2\n"},
    /* packets of one node, one for all and one for node 1 */
    {"1,0,1,b\n2,0,2,b\n3,0,1,a\n",
     NOWHERE,
     {ROUNDS},
     "demand 1 0 *\ndemand 2 0 1\nround 1\n0 1 1\nround 2\n0 2 1\nround 3\n0 1 2\nend 3\n"},
    /* the name a has the hash 97 · (2^40 + 435), which is also the number of a packet */
    {"1,0,1,a\n2,0,1,106652627936467\n3,0,1,b\n",
     NOWHERE,
     {ROUNDS},
     "demand 1-3 0 *\nround 1\n0 1 2\nround 2\n0 1 1\nround 3\n0 1 3\nend 3\n"},
    /* no processor receives the packet, which stays that of its source */
    {"round,src,dst,packet\n1,0,1:0,a\n",
     TREE,
     {.model = MODEL_MULTIPORT, .nodes = 4},
     "demand 1 0 0\nround 1\n0 1:0 1\nend 1\n"},
    /* routers do not want what they pass on to two of the leaves */
    {"round,src,dst,packet,lane\n1,0,1:0,a,0\n2,1:0,1,a,\n2,1:0,2:0,a,0\n3,2:0,1:1,a,0\n"
     "4,1:1,2,a,0\n",
     TREE,
     {.model = MODEL_MULTIPORT},
     "demand 1 0 1,2\n" PATH "1:0 2:0 1\nround 3\n2:0 1:1 1\nround 4\n1:1 2 1\nend 4\n"},
    {"1,0,1,a\n2,1,2,a\n",
     COMPLETE,
     {ROUNDS},
     "demand 1 0 *\nround 1\n0 1 1\nround 2\n1 2 1\nend 2\n"},
    /* a column of this name means anything where links have no lanes */
    {"round,src,dst,packet,lane\n1,0,1,a,left\n",
     CUBE,
     {.model = MODEL_ALL_PORT},
     "demand 1 0 *\nround 1\n0 1 1\nend 1\n"},
    /* an order without times: node 1 sends when the packet has arrived */
    {"src,dst,packet\n0,1,a\n1,2,a\n",
     NOWHERE,
     {POSTAL, .compact = true},
     "demand 1 0 *\ntime 0\n0 1 1\ntime 5/2\n1 2 1\nend 5\n"},
    /* digits after the 18th do not count, so that these times are equal and keep their order */
    {"0.1234567890123456789,0,1,a\n0.1234567890123456781,2,0,b\n",
     NOWHERE,
     {ROUNDS, .compact = true},
     "demand 1 0 1\ndemand 2 2 0\nround 1\n0 1 1\n2 0 2\nend 1\n"},
    {"0.123456789012345678,0,1,a\n0.123456789012345677,2,0,b\n",
     NOWHERE,
     {ROUNDS, .compact = true},
     "demand 1 0 1\ndemand 2 2 0\nround 1\n2 0 2\n0 1 1\nend 1\n"},
    /* all nodes, listed, are all nodes */
    {"round,src,dst,packet,reduction\n1,1,0,1,0 of 0+1+2\n2,2,0,1,\n",
     NOWHERE,
     {ROUNDS},
     "reduce 1 0 *\nround 1\n1 0 1\nround 2\n2 0 1\nend 2\n"},
};

static void test_accepted(void **state)
{
    (void)state;
    struct topology topology[WHERES];
    make_topologies(topology);
    for (unsigned which = 0; which < sizeof accepted / sizeof *accepted; which++) {
        const struct accepted *it = &accepted[which];
        struct exchange_reading how = it->how;
        struct schedule schedule;
        struct err err = {0};
        running("list %u", which);
        if (it->where != NOWHERE)
            how.topology = &topology[it->where];
        support_true(load("csv", it->text, &how, &schedule, &err), &err);
        assert_string_equal(schedule.algorithm, "csv");
        char *text = support_text(&schedule);
        const char *lines = strstr(text, "\ndemand ");
        lines = lines != NULL ? lines : strstr(text, "\nreduce ");
        assert_non_null(lines);
        assert_string_equal(lines + 1, it->lines);
        free(text);
        schedule_free(&schedule);
    }
}

/* -- invalid values -----------------------------------------------------------------------------*/

#define ZEROS "0000000000000000000000000000000000000000"
#define LONG "qwertyuiopqwertyuiopqwertyuiopqwertyuiop"
#define NAMES "round,src,dst,packet\n"
#define LANES "round,src,dst,packet,lane\n"
#define REDUCED "round,src,dst,packet,combine,reduction\n"
#define NO_TIME "; expected a round or a time, 0 or more"
#define NO_TICK "; expected a time P/Q, P or P.Q, a multiple of 1/2"
#define NO_ROUTER "; expected the number of a node, from 0, or a router level:index"
#define NO_LANE "; expected the number of a lane, from 0"
#define NO_REDUCTION "; expected RESULT of CONTRIBUTORS such as '0 of *'"

static const struct rejected {
    const char *text;
    enum where where;
    struct exchange_reading how;
    enum err_code code;
    const char *part;
} rejected[] = {
    {NAMES LONG "x,0,1,a\n", NOWHERE, {ROUNDS}, ERR_SYNTAX, "file:2:1: '" LONG "'" NO_TIME},
    {NAMES "1.-5,0,1,a\n", NOWHERE, {ROUNDS}, ERR_SYNTAX, "file:2:1: '1.-5'" NO_TIME},
    {NAMES "0.5-,0,1,a\n", NOWHERE, {ROUNDS}, ERR_SYNTAX, "file:2:1: '0.5-'" NO_TIME},
    {NAMES "1e999,0,1,a\n", NOWHERE, {ROUNDS}, ERR_SYNTAX, "file:2:1: '1e999'" NO_TIME},
    {NAMES "1e" ZEROS ",0,1,a\n", NOWHERE, {ROUNDS}, ERR_SYNTAX, "file:2:1: '1e0000"},
    {NAMES LONG "x,0,1,a\n", NOWHERE, {POSTAL}, ERR_SYNTAX, "file:2:1: '" LONG "'" NO_TICK},
    /* 3689348814741910323 · 5 = 2^64 - 1, and 0.4 = 2/5 */
    {NAMES "3689348814741910323.4,0,1,a\n",
     NOWHERE,
     {POSTAL},
     ERR_SYNTAX,
     "file:2:1: '3689348814741910323.4'" NO_TICK},
    {NAMES "9999999999999999999.5,0,1,a\n",
     NOWHERE,
     {POSTAL},
     ERR_SYNTAX,
     "file:2:1: '9999999999999999999.5'" NO_TICK},
    {NAMES "18446744073709551615,0,1,a\n",
     NOWHERE,
     {POSTAL},
     ERR_SYNTAX,
     "file:2:1: '18446744073709551615'" NO_TICK},
    {NAMES "1," LONG "x,1,a\n",
     NOWHERE,
     {ROUNDS},
     ERR_SYNTAX,
     "file:2:3: '" LONG "'; expected the number of a node, from 0"},
    {NAMES "1,0," LONG "x,a\n",
     TREE,
     {.model = MODEL_MULTIPORT},
     ERR_SYNTAX,
     "file:2:5: '" LONG "'" NO_ROUTER},
    {NAMES "1,x,1:0,a\n", TREE, {.model = MODEL_MULTIPORT}, ERR_SYNTAX, "file:2:3: 'x'" NO_ROUTER},
    {NAMES "1,0,1x,a\n", TREE, {.model = MODEL_MULTIPORT}, ERR_SYNTAX, "file:2:5: '1x'" NO_ROUTER},
    {NAMES "1,0,1:x,a\n",
     TREE,
     {.model = MODEL_MULTIPORT},
     ERR_SYNTAX,
     "file:2:5: '1:x'" NO_ROUTER},
    {NAMES "1,0,x,a\n",
     CUBE,
     {.model = MODEL_ALL_PORT},
     ERR_SYNTAX,
     "file:2:5: 'x'; expected the number of a node, from 0"},
    {NAMES "1,0,3:0,a\n",
     TREE,
     {.model = MODEL_MULTIPORT},
     ERR_FIELD_RANGE,
     "file:2:5: node 3:0; expected one of the 4 nodes, or a router"},
    {NAMES "1,0," ZEROS "9,a\n",
     TREE,
     {.model = MODEL_MULTIPORT},
     ERR_FIELD_RANGE,
     "file:2:5: node " ZEROS "; expected one of the 4 nodes, or a router"},
    {NAMES "1,0,2,a\n",
     CUBE,
     {.model = MODEL_ALL_PORT},
     ERR_FIELD_RANGE,
     "file:2:5: node 2; expected one of the 2 nodes"},
    {NAMES "1,0,1:1,a\n",
     TREE,
     {.model = MODEL_MULTIPORT},
     ERR_NO_LINK,
     "file:2: no branch joins 0 and 1:1"},
    {NAMES "1,0,1:0,a\n",
     TREE,
     {.model = MODEL_MULTIPORT, .nodes = 5},
     ERR_RANGE,
     "nodes: 5; expected 4, the processors of the tree"},
    {LANES "1,0,1:0,a," LONG "x\n",
     TREE,
     {.model = MODEL_MULTIPORT},
     ERR_SYNTAX,
     "file:2:11: '" LONG "'" NO_LANE},
    {LANES "1,0,1:0,a,0x\n",
     TREE,
     {.model = MODEL_MULTIPORT},
     ERR_SYNTAX,
     "file:2:11: '0x'" NO_LANE},
    {LANES "1,0,1:0,a,65537\n",
     TREE,
     {.model = MODEL_MULTIPORT},
     ERR_SYNTAX,
     "file:2:11: '65537'" NO_LANE},
    {LANES "1,0,1:0,a,1\n",
     TREE,
     {.model = MODEL_MULTIPORT},
     ERR_FIELD_RANGE,
     "file:2: lane 1; expected 0 … 0"},
    {REDUCED "1,1,0,1," LONG "x,0 of *\n",
     NOWHERE,
     {ROUNDS},
     ERR_SYNTAX,
     "file:2:9: '" LONG "'; expected combine, received, replace or received+replace"},
    {REDUCED "1,1,0,1,," LONG "x\n",
     NOWHERE,
     {ROUNDS},
     ERR_SYNTAX,
     "file:2:10: '" LONG "'" NO_REDUCTION},
    {REDUCED "1,1,0,1,,0 of 1a\n", NOWHERE, {ROUNDS}, ERR_SYNTAX, "'0 of 1a'" NO_REDUCTION},
    {REDUCED "1,1,0,1,,0 of 12\n", NOWHERE, {ROUNDS}, ERR_SYNTAX, "'0 of 12'" NO_REDUCTION},
    {REDUCED "1,1,0,1,,0 of 123\n", NOWHERE, {ROUNDS}, ERR_SYNTAX, "'0 of 123'" NO_REDUCTION},
    {REDUCED "1,1,0,1,,0 of 0+\n", NOWHERE, {ROUNDS}, ERR_SYNTAX, "'0 of 0+'" NO_REDUCTION},
    {REDUCED "1,1,0,1,,x of *\n", NOWHERE, {ROUNDS}, ERR_SYNTAX, "'x of *'" NO_REDUCTION},
    {REDUCED "1,1,0,1,,0 of *\n2,2,0,1,,0 of 0+1\n",
     NOWHERE,
     {ROUNDS},
     ERR_SYNTAX,
     "file:3:10: '0 of 0+1'; expected '0 of *', as before for this packet"},
};

static void test_rejected(void **state)
{
    (void)state;
    struct topology topology[WHERES];
    make_topologies(topology);
    for (unsigned which = 0; which < sizeof rejected / sizeof *rejected; which++) {
        const struct rejected *it = &rejected[which];
        struct exchange_reading how = it->how;
        struct schedule schedule;
        struct err err = {0};
        running("list %u", which);
        if (it->where != NOWHERE)
            how.topology = &topology[it->where];
        assert_false(load("csv", it->text, &how, &schedule, &err));
        support_error(&err, it->code, it->part);
    }
}

/* -- given demands, labels ----------------------------------------------------------------------*/

#define OWN "roundcast-schedule 1\nalgorithm a\n"
#define DATA OWN "topology complete 3\nmodel send-receive\ndemand 1-2 0 *\nend 0\n"
#define CONTROL \
    OWN "topology hypercube 1\nmodel all-port\ndemand 1 0 *\ncontrol 2 0 1 1 nodes 0\nend 0\n"

static void test_demands(void **state)
{
    (void)state;
    static const struct {
        const char *demands, *text;
        enum err_code code;
        const char *part; /* NULL: accepted */
    } cases[] = {
        {DATA, "1,0,1,2\n2,1,2,2\n", 0, NULL},
        {DATA, "1,0,1,2\n2,1,2,a\n", ERR_FIELD_RANGE,
         "file:2: a packet that the demands do not have; expected its number, 1 … 2"},
        {DATA, "1,0,1,0\n", ERR_FIELD_RANGE, "file:1: a packet that the demands do not have"},
        {DATA, "1,0,1,3\n", ERR_FIELD_RANGE, "file:1: a packet that the demands do not have"},
        {DATA, "1,0,3,1\n", ERR_OTHER_DEMANDS, "file: node 3; expected 0 … 2, as in the demands"},
        {CONTROL, "1,0,1,1\n", ERR_UNSUPPORTED,
         "demands: file is a list of transfers; expected demands of data packets"},
    };
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule demands, schedule;
        struct err err = {0};
        running("demands %u", which);
        exchange_lab_schedule(cases[which].demands, &demands);
        const struct exchange_reading how = {.demands = &demands};
        const bool read = load("csv", cases[which].text, &how, &schedule, &err);
        if (cases[which].part != NULL) {
            assert_false(read);
            support_error(&err, cases[which].code, cases[which].part);
        } else {
            support_true(read, &err);
            char *text = support_text(&schedule);
            assert_non_null(strstr(text, "\ndemand 1-2 0 *\nround 1\n0 1 2\nround 2\n1 2 2\nend"));
            free(text);
        }
        schedule_free(&schedule);
        schedule_free(&demands);
    }
}

/* Transfers have a round, or none has: both orders are rejected. */
static void test_some_timed(void **state)
{
    (void)state;
    exchange_lab_refuses(
        "jsonl", "{\"src\":0,\"dst\":1,\"p\":1}\n{\"r\":1,\"src\":0,\"dst\":2,\"p\":1}", ERR_SYNTAX,
        "file:2:1: a round; expected all transfers to have a round, or none");
}

/* Names of one length with the same hash, which transfers_label is given, are two packets, as are
 * their repetitions. */
static void test_same_hash(void **state)
{
    (void)state;
    static const struct label labels[] = {{.number = 5, .text = "one", .length = 3},
                                          {.number = 5, .text = "two", .length = 3},
                                          {.number = 5, .text = "three", .length = 5},
                                          {.number = 5},
                                          {.number = 5, .text = ""}};
    struct transfers transfers = {0};
    struct err err = {0};
    for (uint32_t k = 0; k < 10; k++) {
        uint32_t index;
        support_true(transfers_label(&transfers, NULL, &labels[k % 5], &index, &err), &err);
        assert_int_equal(index, k % 5);
    }
    assert_int_equal(transfers.label_count, 5);
    transfers_free(&transfers);
}

/* A list that has the most packets accepts no other one. */
static void test_most_packets(void **state)
{
    (void)state;
    char text[] = "0,0,1,7\n";
    const struct document document = {.name = "file", .text = text, .size = sizeof text - 1};
    uint32_t bucket = 0, index;
    struct transfers transfers = {.document = &document,
                                  .label_count = SCHEDULE_MAX_PACKETS,
                                  .label_room = SCHEDULE_MAX_PACKETS + 1,
                                  .bucket = &bucket,
                                  .buckets = 1};
    struct label none = {0};
    struct err err = {0};
    transfers.label = &none;
    assert_false(transfers_number(&transfers, text + 6, 7, &index, &err));
    support_error(&err, ERR_TOO_BIG, "file:1:7: another packet; expected at most 134217728");
}

/* A schedule of a list without the name of an algorithm is called `list`. */
static void test_list(void **state)
{
    (void)state;
    char nothing[] = "";
    const struct document document = {.name = "file", .text = nothing};
    struct transfers transfers = {.document = &document, .timed = true};
    struct listed entry = {.time = 1, .source = 0, .destination = 1, .line = 1};
    const struct exchange_reading how = {.model = MODEL_SEND_RECEIVE};
    struct schedule schedule = {0};
    struct err err = {0};
    support_true(transfers_number(&transfers, nothing, 7, &entry.label, &err), &err);
    support_true(transfers_add(&transfers, nothing, &entry, &err), &err);
    support_true(transfers_schedule(&transfers, &how, &schedule, &err), &err);
    char *text = support_text(&schedule);
    assert_string_equal(text, "roundcast-schedule 1\nalgorithm list\ntopology complete 2\n"
                              "model send-receive\ndemand 1 0 *\nround 1\n0 1 1\nend 1\n");
    free(text);
    schedule_free(&schedule);
    transfers_free(&transfers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted),  cmocka_unit_test(test_rejected),
        cmocka_unit_test(test_demands),   cmocka_unit_test(test_some_timed),
        cmocka_unit_test(test_same_hash), cmocka_unit_test(test_most_packets),
        cmocka_unit_test(test_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
