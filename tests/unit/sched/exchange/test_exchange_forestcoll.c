/* SPDX-License-Identifier: Apache-2.0 */
/* test_exchange_forestcoll: spanning trees of ForestColl.
 *
 * Files of 3 GPUs are written by hand in the form of its spanning_trees_to_xml, and their rounds
 * counted by hand: a chain, whose chunks form a pipeline, and trees of two roots, which are
 * numbered in the order of the roots. Counter-cases change one line each.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"

#include <stdlib.h>

#define GPU(x) "(0, 'GPU', " #x ")"
#define SEND(a, b)                                                                             \
    "    <send src=\"" GPU(a) "\" dst=\"" GPU(b) "\" path=\"" GPU(a) ",(0, 'Switch', 0)," GPU( \
        b) "\"/>\n"
#define TREE(root, index, chunks, sends)                                     \
    "  <tree root=\"" GPU(root) "\" index=\"" #index "\" nchunks=\"" #chunks \
                                "\" height=\"2\">\n" sends "  </tree>\n"
#define ALGO(chunks, trees) "<Algo nchunkspernode=\"" #chunks "\">\n" trees "</Algo>\n"

#define CHAIN ALGO(2, TREE(5, 0, 2, SEND(5, 1) SEND(1, 3)))
#define FOREST                                                                        \
    ALGO(2, TREE(7, 0, 1, SEND(7, 2) SEND(7, 4)) TREE(7, 1, 1, SEND(7, 4) SEND(4, 2)) \
                TREE(2, 0, 2, SEND(2, 7) SEND(7, 4)))

static void test_by_hand(void **state)
{
    (void)state;
    /* GPU 5 becomes node 0, then 1 and 3: nodes 1 and 2. */
    exchange_lab_lists("forestcoll", CHAIN, MODEL_SEND_RECEIVE,
                       "round,source,destination,packet\n1,0,1,1\n2,1,2,1\n2,0,1,2\n3,1,2,2\n");
    exchange_lab_lists("forestcoll", CHAIN, MODEL_TELEGRAPH,
                       "round,source,destination,packet\n1,0,1,1\n2,1,2,1\n3,0,1,2\n4,1,2,2\n");
    /* GPUs 7, 2 and 4 become nodes 0, 1 and 2. First the sends of first chunks at depth 1 (tree
     * 7.0: 7 → 2, 7 → 4; tree 7.1: 7 → 4; tree 2: 2 → 7), then chunk 0 at depth 2 and chunk 1 at
     * depth 1 (4 → 2 of packet 2; 7 → 4 of packet 3; 2 → 7 of packet 4), then 7 → 4 of packet 4. */
    exchange_lab_lists(
        "forestcoll", FOREST, MODEL_SEND_RECEIVE,
        "round,source,destination,packet\n1,0,1,1\n1,1,0,3\n2,0,2,1\n2,1,0,4\n3,0,2,2\n"
        "4,2,1,2\n4,0,2,3\n5,0,2,4\n");
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum err_code code;
        const char *part;
    } cases[] = {
        {"<algo/>", 203, "file:1:1: no trees; expected <Algo"},
        {"<!-- no tag -->\n", 203, "no trees; expected <Algo"},
        {"<Algo/>", 204, "file:1:1: "},
        {ALGO(0, TREE(5, 0, 1, SEND(5, 1))), 205, "file:1:1: nchunkspernode=\"0\""},
        {ALGO(1, ""), 209, "no tree; expected at least one"},
        {ALGO(1, TREE(5, 0, 1, "")), 209, "one GPU; expected at least 2"},
        {ALGO(1, SEND(5, 1)), 204, "file:2:5: <send>; expected <tree"},
        {ALGO(1, TREE(5, 0, 1, TREE(5, 0, 1, ""))), 204, "file:3:3: <tree>; expected <send"},
        {ALGO(1, TREE(5, 0, 1, SEND(1, 5))), 206, "file:3:5: GPU '(0, 'GPU', 1)' sends before it"},
        {ALGO(1, TREE(5, 0, 1, SEND(5, 1) SEND(1, 5))), 206,
         "file:4:5: GPU '(0, 'GPU', 5)' receives"},
        {ALGO(1, TREE(5, 0, 1, SEND(5, 1) SEND(5, 1))), 206, "although it has the chunks"},
        {ALGO(1, TREE(5, 0, 1, SEND(5, 5))), 206, "although it has the chunks"},
        {ALGO(1, TREE(5, 0, 1, SEND(5, 1)) TREE(1, 0, 1, SEND(1, 2))), 303,
         "file:2: the tree reaches 2 of the GPUs; expected all 3"},
        {ALGO(2, TREE(5, 0, 1, SEND(5, 1))), 303,
         "the trees of GPU '(0, 'GPU', 5)' have 1 chunk; expected 2, as nchunkspernode"},
        {ALGO(1, TREE(5, 0, 0, SEND(5, 1))), 205, "nchunks"},
        {ALGO(65537, TREE(5, 0, 65537, SEND(5, 1))), 205, "nchunkspernode"},
        {ALGO(1, "<tree root=\"1\"></tree>"), 204, "nchunks"},
        {ALGO(1, "<tree nchunks=\"1\"></tree>"), 204, "file:2:1: no root; expected a GPU"},
        {ALGO(1, TREE(5, 0, 1, "<send src=\"" GPU(5) "\"/>")), 204, "no dst; expected a GPU"},
        {ALGO(1, TREE(5, 0, 1, "<send dst=\"" GPU(5) "\"/>")), 204, "no src; expected a GPU"},
        {"<Algo nchunkspernode=\"1\"><tree root=\"1\" nchunks=\"1\">", 204, "file:1:"},
        {"<Algo nchunkspernode=\"1\"><tree root=\"1\" nchunks=\"1\"><send src=\"1\" dst=\"2\">",
         204, "file:1:"},
        {"<Algo nchunkspernode=\"1\">", 204, "file:1:"},
    };
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        running("case %u: %s", which, cases[which].part);
        exchange_lab_refuses("forestcoll", cases[which].text, cases[which].code, cases[which].part);
    }
}

/* 65 trees of 65536 chunks are more than 2^22 transfers: rejected before any is placed. */
static void test_too_many(void **state)
{
    (void)state;
    char *text = exchange_lab_format("<Algo nchunkspernode=\"65536\">\n");
    for (int root = 0; root < 65; root++) {
        char *more = exchange_lab_format(
            "%s<tree root=\"%d\" nchunks=\"65536\"><send src=\"%d\" dst=\"%d\"/></tree>\n", text,
            root, root, root == 0);
        free(text);
        text = more;
    }
    char *whole = exchange_lab_format("%s</Algo>\n", text);
    exchange_lab_refuses("forestcoll", whole, ERR_TOO_BIG,
                         "file:66: more than 4194304 transfers of chunks");
    free(whole);
    free(text);
}

/* A star of many GPUs, whose names share places of the hash table: each keeps its own number, so
 * the root sends to node k in round k. One GPU more than the limit is rejected. */
static void test_star(void **state)
{
    (void)state;
    enum { LEAVES = 2000, MOST = 65536 };
    for (unsigned which = 0; which < 2; which++) {
        char *text = NULL, *table = NULL;
        size_t size;
        const int leaves = which == 0 ? LEAVES : MOST;
        FILE *to = open_memstream(&text, &size);
        assert_non_null(to);
        fputs("<Algo nchunkspernode=\"1\"><tree root=\"r\" nchunks=\"1\">\n", to);
        for (int leaf = 1; leaf <= leaves; leaf++)
            fprintf(to, "<send src=\"r\" dst=\"leaf %d\"/>\n", leaf);
        fputs("</tree></Algo>\n", to);
        fclose(to);
        if (which == 0) {
            to = open_memstream(&table, &size);
            assert_non_null(to);
            fputs("round,source,destination,packet\n", to);
            for (int leaf = 1; leaf <= leaves; leaf++)
                fprintf(to, "%d,0,%d,1\n", leaf, leaf);
            fclose(to);
            exchange_lab_lists("forestcoll", text, MODEL_SEND_RECEIVE, table);
        } else {
            exchange_lab_refuses("forestcoll", text, ERR_TOO_BIG,
                                 "file:65537:1: more than 65536 GPUs; expected fewer");
        }
        free(text);
        free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_star),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
