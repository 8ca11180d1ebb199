/* SPDX-License-Identifier: Apache-2.0 */
/* test_msccl_text: files for MSCCL that are not XML of the supported form, each rejected with its
 * line, its column and its code; and files that exceed the limits.
 *
 * Each is a file of test_msccl_read with one change.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/msccl_hand.h"

#include <stdlib.h>
#include <string.h>

/* -- XML ----------------------------------------------------------------------------------------*/

#define LONG_NAME "g89012345678901234567890123456789012345678901234567890123456789"

static const struct msccl_hand_refused wrong_text[] = {
    {HAND_CUSTOM, {{24, 24, "</algo>", NULL}}, 204, "file:24:1: the file ends; expected </algo>"},
    {HAND_CUSTOM, {{14, 14, "'>", "'>x"}}, 204, "file:14:40: another character; expected '<'"},
    {HAND_CUSTOM, {{6, 6, "s=\"0\"", "s=\"0\" s=\"0\""}}, 204, "file:6:14: 's' twice"},
    {HAND_CUSTOM, {{6, 6, " srcoff=\"1\"", ""}}, 204, "file:6:1: <step> has no 'srcoff'"},
    {HAND_CUSTOM, {{6, 6, "\"1\"", "\"one\""}}, 204, "srcoff=\"one\"; expected a number"},
    {HAND_CUSTOM, {{0, 0, "&lt;", "&uml;"}}, 204, "file:3:19: entity 'uml'"},
    {HAND_CUSTOM,
     {{1, 1, "<?xml version=\"1.0\"?>", "<!DOCTYPEalgo"}},
     204,
     "the file ends in a document type; expected '>'"},
    {HAND_CUSTOM, {{1, 1, "<?xml version=\"1.0\"?>", "<!DOC algo>"}}, 204, "expected 'DOCTYPE'"},
    {HAND_CUSTOM, {{1, 1, "?>", "?><!DOCTYPE a \"b"}}, 204, "the file ends; expected '\"'"},
    {HAND_CUSTOM,
     {{1, 1, "?>", "?><!DOCTYPE a [<!-- "}, {2, 2, "--->", ""}},
     204,
     "the file ends; expected '-->'"},
    {HAND_CUSTOM,
     {{4, 4, "<gpu", "<!DOCTYPE algo><gpu"}},
     204,
     "a document type; expected it before the first tag"},
    {HAND_CUSTOM, {{1, 1, "<?xml version=\"1.0\"?>", "<!ELEMENT a>"}}, 204, "expected '--'"},
    {HAND_CUSTOM, {{1, 1, "<?xml", "\xef\xbb<?xml"}}, 204, "another character; expected '<'"},
    {HAND_CUSTOM, {{1, 1, "<?xml", "\xef<?xml"}}, 204, "another character; expected '<'"},
    {HAND_CUSTOM, {{1, 1, "?>", "?><!DOCTYPE a [<!-x"}}, 204, "expected '--'"},
    {HAND_CUSTOM, {{0, 0, "algo", "plan"}}, 203, "file:3:1: no algorithm"},
    {HAND_RING, {{0, 0, "<gpu id=\"1\"", "<^ id=\"1\""}}, 204, "no name; expected one of letters"},
    {HAND_RING, {{0, 0, "<gpu id=\"1\"", "<{ id=\"1\""}}, 204, "no name; expected one of letters"},
    {HAND_RING, {{1, 1, "?>", ""}}, 204, "the file ends; expected '?>'"},
    {HAND_RING, {{2, 2, " --->", ""}}, 204, "the file ends; expected '-->'"},
    {HAND_RING, {{0, 0, "<gpu id=\"1\"", "<" LONG_NAME " id=\"1\""}}, 204, "a name of more than"},
    {HAND_RING, {{0, 0, "</tb>", "</gpu>"}}, 204, "</gpu>; expected </tb>"},
    {HAND_RING, {{0, 0, "</tb>", "</3>"}}, 204, "no name; expected one of letters"},
    {HAND_RING, {{1, 1, "<?xml version=\"1.0\"?>", "</algo>"}}, 204, "</algo>; expected </>"},
    {HAND_RING, {{0, 0, " i_chunks=", "i_chunks="}}, 204, "another character; expected a blank"},
    {HAND_RING, {{0, 0, " i_chunks=", " 3="}}, 204, "no name; expected one of letters"},
    {HAND_RING, {{0, 0, "i_chunks=\"0\"", "i_chunks=0"}}, 204, "no value; expected one in quotes"},
    {HAND_RING,
     {{4, 4, "\"0\" i_chunks=\"0\" o_chunks=\"4\" s_chunks=\"0\">", ""}},
     204,
     "no value; expected one in quotes"},
    {HAND_RING, {{4, 4, "0\">", ""}}, 204, "a value without its end; expected a quote"},
    {HAND_RING, {{4, 4, "\">", "<"}}, 204, "a value without its end; expected a quote"},
    {HAND_RING, {{3, 3, "&lt;", "&;"}}, 204, "no name; expected one of letters"},
    {HAND_RING,
     {{4, 4, "i_chunks=\"0\"", "i_chunks=\"0000000000000000000\""}},
     204,
     "expected a number"},
    {HAND_RING, {{4, 4, "i_chunks=\"0\"", "i_chunks=\"0x\""}}, 204, "expected a number"},
    {HAND_RING,
     {{0, 0, "</algo>", "</algo><algo>"}},
     204,
     "another tag; expected the end of the file"},
    {HAND_RING, {{0, 0, "</algo>", "</algo>algo"}}, 204, "another character; expected '<'"},
    {HAND_RING, {{3, 99, "", NULL}}, 203, "no algorithm"},
    {HAND_RING, {{0, 0, "<tb ", "<block "}}, 204, "</tb>; expected </block>"},
    {HAND_RING, {{6, 6, "/>", "><a>text</a></step>"}}, 204, "another character; expected '<'"},
};

static void test_text(void **state)
{
    (void)state;
    assert_int_equal(msccl_hand_refuse(wrong_text, sizeof wrong_text / sizeof *wrong_text), 38);
}

/* -- too much -----------------------------------------------------------------------------------*/

static void test_too_much(void **state)
{
    (void)state;
    char *ring = msccl_hand_ring(), *many;
    struct exchange_lab_edit edits[2] = {{0}};
    many = exchange_lab_format("i_chunks=\"%0200d\"", 0);
    edits[0] = (struct exchange_lab_edit){4, 4, "i_chunks=\"0\"", many};
    char *text = exchange_lab_edit(ring, edits);
    exchange_lab_refuses("msccl", text, ERR_SYNTAX, "a value of more than 199 bytes");
    free(many);
    free(text);
    char attributes[33 * 8 + 1] = "", deep[33 * 4 + 1] = "", names[40];
    for (unsigned k = 0; k < 33; k++) {
        snprintf(names, sizeof names, " a%02u=\"0\"", k);
        strcat(attributes, names);
        strcat(deep, "<a>");
    }
    edits[0] = (struct exchange_lab_edit){4, 4, " s_chunks", attributes};
    text = exchange_lab_edit(ring, edits);
    exchange_lab_refuses("msccl", text, ERR_SYNTAX, "more than 32 attributes");
    free(text);
    edits[0] = (struct exchange_lab_edit){4, 4, "<gpu", deep};
    text = exchange_lab_edit(ring, edits);
    exchange_lab_refuses("msccl", text, ERR_SYNTAX, "tags in more than 32 others");
    free(text);
    free(ring);
    struct msccl_hand hand = msccl_hand_begin("custom", 0, 2);
    msccl_hand_gpu(&hand, 0, 1, 1, 0);
    msccl_hand_block(&hand, 0, -1, -1);
    for (int step = 0; step < 4097; step++)
        msccl_hand_step(&hand, step, "nop", 'i', 0, 'o', 0, 1);
    text = msccl_hand_end(&hand);
    exchange_lab_refuses("msccl", text, ERR_FIELD_RANGE, "more than 4096 steps");
    free(text);
    hand = msccl_hand_begin("custom", 0, 2);
    msccl_hand_gpu(&hand, 0, 1, 1, 0);
    for (int block = 0; block < 1025; block++)
        msccl_hand_block(&hand, block % 1024, -1, -1), fputs("</tb>", hand.to),
            hand.in_block = false;
    text = msccl_hand_end(&hand);
    exchange_lab_refuses("msccl", text, ERR_FIELD_RANGE, "more than 1024 blocks");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
