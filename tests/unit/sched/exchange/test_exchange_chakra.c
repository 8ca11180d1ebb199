/* SPDX-License-Identifier: Apache-2.0 */
/* test_exchange_chakra: execution traces of Chakra as JSON.
 *
 * Traces of 3 ranks, written by hand in the JSON of protobuf (numbers of 64 bits are texts, and
 * members that are 0 are left out), have the transfers that their dependencies allow, counted by
 * hand. The same traces are read with ranks in another order, with the names of the .proto file and
 * with numbers in place of names. Counter-cases change one place each.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"

#include <stdlib.h>

#define META "{\n  \"version\": \"0.0.4\"\n}"
#define INT(name, value) "{\"name\": \"" name "\", \"int32Val\": " value "}"
#define SIZE(value) "{\"name\": \"comm_size\", \"int64Val\": \"" value "\"}"
#define NODE(id, type, deps, attr)                                                           \
    "{\n  \"id\": \"" id "\",\n  \"name\": \"n\",\n  \"type\": \"" type                      \
    "\",\n  \"dataDeps\": [" deps "],\n  \"attr\": [{\"name\": \"is_cpu_op\", \"boolVal\": " \
    "false}, " attr "]\n}"
#define SEND(id, deps, src, dst, tag) \
    NODE(id, "COMM_SEND_NODE", deps,  \
         INT("comm_src", src) ", " INT("comm_dst", dst) ", " SIZE("64") ", " INT("comm_tag", tag))
#define RECV(id, deps, src, dst, tag) \
    NODE(id, "COMM_RECV_NODE", deps,  \
         INT("comm_src", src) ", " INT("comm_dst", dst) ", " SIZE("64") ", " INT("comm_tag", tag))
#define COMP(id, deps) NODE(id, "COMP_NODE", deps, INT("num_ops", "5"))

/* Rank 0 sends packet 7 to rank 1, which sends it to rank 2 after a calculation. */
#define RANK0 META SEND("1", "", "0", "1", "7")
#define RANK1 META RECV("1", "", "0", "1", "7") COMP("2", "\"1\"") SEND("3", "\"2\"", "1", "2", "7")
#define RANK2 META RECV("9", "", "1", "2", "7")
#define CHAIN "round,source,destination,packet\n1,0,1,1\n2,1,2,1\n"

static void lists(const char *text, const char *table)
{
    exchange_lab_lists("chakra", text, MODEL_SEND_RECEIVE, table);
}

static void test_by_hand(void **state)
{
    (void)state;
    lists(RANK0 RANK1 RANK2, CHAIN);
    lists(RANK2 "\n" RANK0 "\n" RANK1, CHAIN);
    /* without the dependency, rank 1 sends a packet of its own, at once */
    lists(RANK0 META RECV("1", "", "0", "1", "7") SEND("3", "", "1", "2", "7") RANK2,
          "round,source,destination,packet\n1,0,1,1\n1,1,2,2\n");
    /* names of the .proto file, types as numbers, ranks by the order of the traces, id 0 */
    lists("{\"version\": \"1\"} {\"type\": 5, \"ctrl_deps\": [\"4\"], \"attr\": "
          "[{\"int64_val\": 1, \"name\": \"comm_dst\", \"doc_string\": \"peer\"}]} {\"id\": 4, "
          "\"type\": 4} {\"version\": \"1\"} {\"type\": 6, \"attr\": [{\"name\": \"comm_src\", "
          "\"uint64_val\": \"0\"}]}",
          "round,source,destination,packet\n1,0,1,1\n");
    /* an attribute without a name, and documentation before the value */
    lists(
        "{\"version\": \"1\"} {\"type\": 5, \"attr\": [{\"int64_val\": 9}, {\"doc_string\": "
        "\"peer\", "
        "\"name\": \"comm_dst\", \"int64_val\": 1}]} {\"version\": \"1\"} {\"type\": 6, \"attr\": "
        "[{\"docString\": \"peer\", \"name\": \"comm_src\", \"uint64_val\": \"0\"}]}",
        "round,source,destination,packet\n1,0,1,1\n");
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum err_code code;
        const char *part;
    } cases[] = {
        {RANK0, 209, "file: 1 trace; expected those of all ranks"},
        {SEND("1", "", "0", "1", "7") RANK0, 206, "file:1:1: a node; expected metadata before it"},
        {RANK0 RANK1 META, 206, "a send to rank 2 by tag 7 has no partner"},
        {RANK0 RANK1, 205, "rank 2; expected 0 … 1, as there are 2 traces"},
        {RANK0 RANK0 RANK2, 206, "file: trace 2 is of rank 0; expected one trace of each rank"},
        {RANK0 RANK2, 206, "file: trace 2 is of rank 2; expected one trace of each rank, 0 … 1"},
        {RANK0 SEND("4", "", "1", "2", "7"), 206, "a message of rank 1 in the trace of rank 0"},
        {META SEND("1", "", "1", "1", "7"), 210, "file:3:2: rank 1 is its own peer"},
        {META SEND("1", "", "0", "1", "7") SEND("1", "", "0", "1", "7") META, 206,
         "a second node with id 1; expected another id"},
        {META SEND("1", "\"2\"", "0", "1", "7") META, 204,
         "a dependency on node 2, which the trace lacks"},
        {META SEND("1", "\"1\"", "0", "1", "7") META RECV("1", "", "0", "1", "7"), 206,
         "requires itself in a circle"},
        {META SEND("1", "\"x\"", "0", "1", "7") META, 204, "a dependency: no number; expected one"},
        {META NODE("1", "COMM_COLL_NODE", "", INT("comm_type", "0")), 208,
         "a collective, of which"},
        {META "{\"type\": 7}", 208, "a collective, of which"},
        {META NODE("1", "COMM_SEND_NODE", "", SIZE("4")), 204, "no attribute comm_dst; expected"},
        {META NODE("1", "COMM_RECV_NODE", "", SIZE("4")), 204, "no attribute comm_src; expected"},
        {META NODE("1", "COMM_RECV_NODE", "", INT("comm_src", "-1")), 208,
         "a negative comm_src; expected one rank and one tag"},
        {META NODE("1", "COMM_RECV_NODE", "", INT("comm_src", "\"-1\"")), 208,
         "a negative comm_src"},
        {META SEND("1", "", "0", "65536", "7"), 205, "comm_dst 65536; expected 0 … 65535"},
        {META SEND("1", "", "0", "1.5", "7"), 204, "comm_dst: no number; expected one"},
        {META SEND("99999999999999999999", "", "0", "1", "7"), 205,
         "id: expected a smaller number"},
        {RANK0 META NODE("1", "COMM_RECV_NODE", "",
                         INT("comm_src", "0") ", " SIZE("65") ", " INT("comm_tag", "7")),
         205, "a receipt of 65 bytes; expected 64, which are sent"},
        {RANK0 " {\"id\": ", 204, "expected JSON"},
        {RANK0 " [", 204, "expected JSON"},
        {META META, 209, "no transfers"},
        {META SEND("5", "\"2\"", "0", "1", "7") META, 204,
         "a dependency on node 2, which the trace lacks"},
        {META SEND("1", "", "65536", "1", "7"), 205, "comm_src 65536; expected 0 … 65535"},
        {META SEND("1", "", "0", "1", "4294967296"), 205,
         "comm_tag 4294967296; expected 0 … 4294967295"},
        {META NODE("1", "COMM_SEND_NODE", "", INT("comm_dst", "1") ", " SIZE("x")), 204,
         "comm_size: no number; expected one"},
        {META SEND("1", "", "0", "\"\"", "7"), 204, "comm_dst: no number; expected one"},
        {META NODE("1", "COMM_SEND_NODE", "", "{\"name\": \"comm_dst\"}"), 204,
         "no attribute comm_dst; expected"},
    };
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        running("case %u: %s", which, cases[which].part);
        exchange_lab_refuses("chakra", cases[which].text, cases[which].code, cases[which].part);
    }
}

/* Two ranks that wait for each other never send. */
static void test_deadlock(void **state)
{
    (void)state;
    exchange_lab_refuses("chakra",
                         META RECV("1", "", "1", "0", "3") SEND("2", "\"1\"", "0", "1", "4")
                             META RECV("1", "", "0", "1", "4") SEND("2", "\"1\"", "1", "0", "3"),
                         206, "waits for ever; expected no circle of requirements");
}

/* A trace more than there can be ranks. */
static void test_too_many(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    for (int rank = 0; rank <= 65536; rank++)
        fputs("{\"version\": \"1\"}\n", to);
    fclose(to);
    exchange_lab_refuses("chakra", text, ERR_TOO_BIG,
                         "file:65537:1: more than 65536 ranks; expected fewer");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
