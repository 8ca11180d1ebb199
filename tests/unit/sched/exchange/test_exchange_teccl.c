/* SPDX-License-Identifier: Apache-2.0 */
/* test_exchange_teccl: each malformed part of a flow of TE-CCL is rejected at its place.
 *
 * A list of two flows is changed in its second flow, on line 3. The expected column is that of the
 * first byte after the parts that are correct, counted by hand. Counter-case: the list without a
 * change is read.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"

#include <stdlib.h>

/* Returns a file with this second flow. */
static char *flows(const char *second)
{
    return exchange_lab_format("{\"7-Flows\": [\n"
                               "\"Chunk 0 from 1 traveled over 1->2 in epoch 0\",\n%s\n]}\n",
                               second);
}

static void test_read(void **state)
{
    (void)state;
    char *text = flows("\"Chunk 0 from 1 traveled over 2->3 with volume 1 in epoch 1\"");
    exchange_lab_lists("teccl", text, MODEL_SEND_RECEIVE,
                       "round,source,destination,packet\n1,0,1,1\n2,1,2,1\n");
    free(text);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *flow;
        enum err_code code;
        const char *part;
    } cases[] = {
        {"\"Part 0 from 1 traveled over 2->3 in epoch 1\"", ERR_SYNTAX,
         "file:3:1: no chunk; expected \"Chunk C from G traveled over G->G"},
        {"\"Chunk 0 of 1 traveled over 2->3 in epoch 1\"", ERR_SYNTAX,
         "file:3:9: no chunk; expected"},
        {"\"Chunk 0 from 1 went over 2->3 in epoch 1\"", ERR_SYNTAX,
         "file:3:16: no link; expected"},
        {"\"Chunk 0 from 1 traveled over x->3 in epoch 1\"", ERR_SYNTAX,
         "file:3:31: 'x'; expected the number of a node"},
        {"\"Chunk 0 from 1 traveled over 2->3 with volume all in epoch 1\"", ERR_SYNTAX,
         "file:3:48: no volume; expected"},
        {"\"Chunk 0 from 1 traveled over 2->3 at epoch 1\"", ERR_SYNTAX,
         "file:3:35: no epoch; expected"},
        {"\"Chunk 0 from 1 traveled over 2->3 in epoch 1 by\"", ERR_SYNTAX,
         "file:3:46: no end of the flow; expected"},
    };
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        char *text = flows(cases[which].flow);
        running("%s", cases[which].flow);
        exchange_lab_refuses("teccl", text, cases[which].code, cases[which].part);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
