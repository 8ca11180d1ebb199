/* SPDX-License-Identifier: Apache-2.0 */
/* test_exchange_taccl: algorithms of TACCL.
 *
 * An all-gather and an all-reduce of 2 nodes, written by hand in the form of TACCL's
 * serialization.py, are compared with the transfers that a reader of that form expects: a send
 * names a chunk of the divided collective, whatever `instance.chunks` is. The same file with the
 * key of msccl-tools is rejected. Counter-cases change one place each.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"

#include <stdlib.h>

#define CHUNK(pre, post, addr) \
    "{\"sccl_type\": \"chunk\", \"pre\": [" pre "], \"post\": [" post "], \"addr\": " addr "}"
#define STEP(sends) "{\"sccl_type\": \"step\", \"rounds\": 10, \"sends\": [" sends "]}"

/* Returns the text of an algorithm of 2 nodes, whose collective is divided by 2. */
static char *algorithm(const char *chunks, const char *steps)
{
    return exchange_lab_format(
        "{\"sccl_type\": \"algorithm\", \"name\": \"a\", \"instance\": {\"sccl_type\": "
        "\"instance\", \"chunks\": 2, \"pipeline\": null},\n\"steps\": [%s],\n\"collective\": "
        "{\"sccl_type\": \"collective\", \"nodes\": 2, \"chunks\": [%s]}}\n",
        steps, chunks);
}

#define GATHERED CHUNK("0", "0, 1", "0") ", " CHUNK("0", "0, 1", "1") ", " CHUNK("1", "0, 1", "2")
#define REDUCED CHUNK("0", "0, 1", "0") ", " CHUNK("1", "0, 1", "0")
#define MOVES STEP("[0, 0, 1, 0, 0], [2, 1, 0, 4, 1]") ", " STEP("[1, 0, 1, 20, 0]")
#define COMBINES STEP("[0, 1, 0, 0, 0, \"rrc\"]") ", " STEP("[0, 0, 1, 20, 0, null]")

static void takes(char *text, const char *table)
{
    struct schedule schedule;
    exchange_lab_import("taccl", text, MODEL_SEND_RECEIVE, &schedule);
    char *found = exchange_lab_write("csv", &schedule, NULL);
    assert_string_equal(found, table);
    free(found);
    free(text);
    schedule_free(&schedule);
}

static void test_by_hand(void **state)
{
    (void)state;
    takes(algorithm(GATHERED, MOVES),
          "round,source,destination,packet\n1,0,1,1\n1,1,0,3\n2,0,1,2\n");
    takes(algorithm(REDUCED, COMBINES),
          "round,source,destination,packet,combine,reduction\n1,1,0,1,combine,* of *\n"
          "2,0,1,1,replace,* of *\n");
    /* Sends of three values are those of SCCL: address 1 is part 1 of the chunk with address 0. */
    takes(algorithm(CHUNK("0", "1", "0"), STEP("[0, 0, 1]") ", " STEP("[1, 0, 1]")),
          "round,source,destination,packet\n1,0,1,1\n2,0,1,2\n");
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *chunks, *steps;
        enum err_code code;
        const char *part;
    } cases[] = {
        {GATHERED, STEP("[0, 0, 1, 0, 0], [2, 1, 0, 4]"), 204,
         "file: steps[0].sends[1]: no send; expected [addr, source, destination, time, link]"},
        {REDUCED, STEP("[0, 1, 0, 0, 0, \"rrc\"], [0, 0, 1, 0, 0]"), 204,
         "steps[0].sends[1]: no send; expected [addr, source, destination, time, link, operation]"},
        {GATHERED, STEP("[0, 0, 1, 0, 0, 0, 0]"), 204,
         "steps[0].sends[0]: no send; expected [addr, source, destination]"},
        {GATHERED, STEP("[0, 1, 0, 0, 0]"), 206, "steps[0].sends[0]: node 1 does not have"},
        {GATHERED, STEP("[3, 1, 0, 0, 0]"), 205, "address 3; expected that of a chunk"},
        {REDUCED, STEP("[0, 1, 0, 0, 0, null]"), 208,
         "steps[0].sends[0]: a copy to node 0, which has contributions that the copy lacks"},
        {REDUCED, STEP("[0, 1, 0, 0, 0, \"rrc\"]"), 310, "lacks the contribution"},
    };
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        char *text = algorithm(cases[which].chunks, cases[which].steps);
        running("case %u: %s", which, cases[which].part);
        exchange_lab_refuses("taccl", text, cases[which].code, cases[which].part);
        free(text);
    }
    char *text = algorithm(GATHERED, MOVES);
    exchange_lab_refuses("sccl", text, 203, "expected \"msccl_type\": \"algorithm\"");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
