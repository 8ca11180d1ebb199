/* SPDX-License-Identifier: Apache-2.0 */
/* test_cube_refused: values that the hypercube algorithms and the lists of their nodes reject, each
 * with the valid range; random sources, compared with the rule of the golden rows; the lower bound,
 * compared with values computed by hand.
 */
#include "sched/algorithms/cube/cube_sources.h"
#include "sched/bound/bound.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/support.h"

#include <stdlib.h>

/* --- Sources and errors
 * ------------------------------------------------------------------------------- */

static void test_sources(void **state)
{
    (void)state;
    uint32_t *sources, count, expected[256];
    struct err err = {0};
    support_true(cube_sources_parse("5,0,31,5", 32, &sources, &count, &err), &err);
    assert_int_equal(count, 4);
    assert_memory_equal(sources, ((uint32_t[]){0, 5, 5, 31}), 4 * sizeof *sources);
    free(sources);
    for (uint32_t drawn = 0; drawn <= 256; drawn += 32) {
        support_true(cube_sources_random(256, drawn, drawn, &sources, &err), &err);
        cube_lab_tuple(256, drawn, drawn, expected);
        assert_memory_equal(sources, expected, drawn * sizeof *sources);
        free(sources);
    }
    assert_false(cube_sources_random(256, 257, 1, &sources, &err));
    support_error(&err, ERR_RANGE, "random: 257 is out of range; expected 0 … 256");
    static const struct {
        const char *text;
        enum err_code code;
        const char *part;
    } refused[] = {
        {"", ERR_OPTION, "sources: ''; expected nodes such as 5,0,5"},
        {"1,", ERR_OPTION, "sources: '1,'"},
        {",1", ERR_OPTION, "sources: ',1'"},
        {"1 2", ERR_OPTION, "sources: '1 2'"},
        {"-1", ERR_OPTION, "sources: '-1'"},
        {"1,32", ERR_RANGE, "sources: node 32 is out of range; expected 0 … 31"},
        {"99999999999999999999999", ERR_RANGE, "is out of range; expected 0 … 31"},
    };
    for (size_t which = 0; which < sizeof refused / sizeof *refused; which++) {
        err = (struct err){0};
        assert_false(cube_sources_parse(refused[which].text, 32, &sources, &count, &err));
        support_error(&err, refused[which].code, refused[which].part);
    }
}

static void test_refused(void **state)
{
    (void)state;
    const struct topology cube = cube_lab_make(3);
    const uint32_t falling[] = {5, 4}, outside[] = {3, 8}, legal[] = {3, 4, 4, 7};
#define ASK(...)                                                        \
    {                                                                   \
        .n = 8, .model = MODEL_ALL_PORT, .topology = &cube, __VA_ARGS__ \
    }
    const struct {
        const char *name;
        struct collective asked;
        enum err_code code;
        const char *part;
    } refused[] = {
        {"cube-single", ASK(.m = 4), ERR_ALGORITHM, "cube-single of 4 packets; expected 1 … 3"},
        {"cube-single", ASK(.m = 0), ERR_ALGORITHM, "cube-single of 0 packets; expected 1 … 3"},
        {"cube-single", ASK(.m = 2, .sources = legal), ERR_ALGORITHM,
         "sources: cube-single has one source; expected source instead"},
        {"cube-trees", ASK(.m = 2, .sources = legal), ERR_ALGORITHM,
         "sources: cube-trees has one source; expected source instead"},
        {"cube-doubling-all-reduce", ASK(.m = 2, .sources = legal), ERR_ALGORITHM,
         "sources: cube-doubling-all-reduce combines packets of all nodes; expected packets "
         "instead"},
        {"cube-blocks-all-reduce", ASK(.m = 2, .sources = legal), ERR_ALGORITHM,
         "sources: cube-blocks-all-reduce combines packets of all nodes; expected packets instead"},
        {"cube-single", ASK(.m = 2, .source = 8), ERR_RANGE, "source 8; expected 0 … 7"},
        {"cube-ranked", ASK(.m = 4, .sources = legal), ERR_ALGORITHM,
         "of 4 packets; expected 1 … 3"},
        {"cube-ranked", ASK(.m = 0), ERR_ALGORITHM, "cube-ranked of 0 packets; expected 1 … 3"},
        {"cube-ranked", ASK(.m = 2), ERR_ALGORITHM,
         "the nodes that have packets are unknown; expected sources"},
        {"cube-ranked", ASK(.m = 2, .source = 1), ERR_ALGORITHM, "expected source 0"},
        {"cube-all-gather", ASK(.m = 2), ERR_ALGORITHM, "expected no packets, sources or random"},
        {"cube-all-gather", ASK(.m = 1, .sources = legal), ERR_ALGORITHM,
         "expected no packets, sources or"},
        {"cube-all-gather", ASK(.m = 1, .source = 1), ERR_ALGORITHM, "expected source 0"},
        {"cube-all-gather", ASK(.m = 1, .method = 3), ERR_ALGORITHM, "expected method 0 … 2"},
        {"cube-unbalanced", ASK(.m = 0), ERR_ALGORITHM,
         "cube-unbalanced of 0 packets; expected 1 …"},
        {"cube-unbalanced", ASK(.m = 3), ERR_ALGORITHM, "expected sources or random"},
        {"cube-reserved", ASK(.m = 0), ERR_ALGORITHM, "cube-reserved of 0 packets; expected 1 …"},
        {"cube-reserved", ASK(.m = 3), ERR_ALGORITHM, "expected sources or random"},
        {"cube-reserved", ASK(.m = 2, .source = 1), ERR_ALGORITHM, "expected source 0"},
        {"cube-broadcast", ASK(.m = 3), ERR_ALGORITHM, "expected sources or random"},
        {"cube-broadcast", ASK(.m = 3, .method = 9), ERR_ALGORITHM, "expected method 0 … 8"},
        {"cube-ranked", ASK(.m = 3, .method = 3), ERR_ALGORITHM, "expected method 0 … 2"},
        {"cube-broadcast", ASK(.m = 3, .method = 6), ERR_ALGORITHM, "expected sources or random"},
        {"cube-broadcast", ASK(.m = 0, .method = 6), ERR_ALGORITHM,
         "randomised cube-broadcast of 0 packets; expected 1 …"},
        {"cube-broadcast", ASK(.m = 0, .method = 7), ERR_ALGORITHM,
         "randomised cube-broadcast of 0 packets"},
        {"cube-broadcast", ASK(.m = 2, .sources = falling), ERR_RANGE,
         "source 4 of packet 2; expected 5 … 7"},
        {"cube-broadcast", ASK(.m = 2, .sources = outside), ERR_RANGE,
         "source 8 of packet 2; expected 3 … 7"},
        {"cube-broadcast",
         {.n = 8, .m = 1, .model = MODEL_ALL_PORT},
         ERR_ALGORITHM,
         "expected dim"},
        {"cube-broadcast",
         {.n = 8, .m = 1, .model = MODEL_TELEPHONE},
         ERR_ALGORITHM,
         "expected one of all-port"},
        {"cube-broadcast",
         {.n = 4, .m = 1, .model = MODEL_ALL_PORT, .topology = &cube},
         ERR_ALGORITHM,
         "4 nodes; expected 8"},
        {"tree-broadcast",
         {.n = 8, .m = 1, .model = MODEL_MULTIPORT, .topology = &cube},
         ERR_ALGORITHM,
         "expected tree"},
        {"matching",
         {.n = 8, .m = 1, .model = MODEL_TELEPHONE, .topology = &cube},
         ERR_ALGORITHM,
         "expected no dim"},
    };
    for (size_t which = 0; which < sizeof refused / sizeof *refused; which++) {
        struct schedule schedule = {0};
        struct err err = {0};
        assert_false(algorithm_build(support_algorithm(refused[which].name), &refused[which].asked,
                                     &schedule, &err));
        support_error(&err, refused[which].code, refused[which].part);
    }
}

/* These requests are legal, but memory does not suffice, which is reported at once. */
static void test_huge(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned method;
    } cases[] = {{"cube-all-gather", 0}, {"cube-all-gather", 2}, {"cube-unbalanced", 0},
                 {"cube-reserved", 0},   {"cube-broadcast", 0},  {"cube-broadcast", 1},
                 {"cube-broadcast", 4},  {"cube-broadcast", 7}};
    const struct topology cube = cube_lab_make(24);
    uint32_t count = 1u << 20, *source = calloc(count, sizeof *source);
    assert_non_null(source);
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct collective asked = {.n = cube.nodes,
                                   .m = 1,
                                   .model = MODEL_ALL_PORT,
                                   .topology = &cube,
                                   .method = cases[which].method};
        if (which > 1) {
            asked.m = count;
            asked.sources = source;
        }
        struct schedule schedule = {0};
        struct err err = {0};
        assert_false(
            algorithm_build(support_algorithm(cases[which].name), &asked, &schedule, &err));
        assert_int_equal(err.code, ERR_TOO_BIG);
    }
    free(source);
}

/* The bound is max(d, ⌈(2^d - 1)K / (d 2^d)⌉), which no schedule beats; 0 packets have no bound. */
static void test_bound(void **state)
{
    (void)state;
    static const struct {
        unsigned d;
        uint32_t packets;
        uint64_t bound;
    } known[] = {{1, 1, 1}, {1, 2, 1},  {1, 3, 2},  {2, 8, 3},  {3, 10, 3},   {3, 11, 4},
                 {4, 0, 0}, {4, 17, 4}, {4, 18, 5}, {5, 32, 7}, {7, 128, 19}, {10, 1024, 103}};
    for (size_t which = 0; which < sizeof known / sizeof *known; which++) {
        const struct topology cube = cube_lab_make(known[which].d);
        struct collective asked = {.n = cube.nodes,
                                   .m = known[which].packets,
                                   .model = MODEL_ALL_PORT,
                                   .topology = &cube,
                                   .kind = COLLECTIVE_SIMULTANEOUS};
        assert_int_equal(bound_end(&asked), known[which].bound);
        asked.kind = COLLECTIVE_TOTAL_EXCHANGE;
        assert_int_equal(bound_end(&asked), 0);
        asked.kind = COLLECTIVE_ALL_GATHER;
        asked.m = 1;
        if (known[which].packets == cube.nodes)
            assert_int_equal(bound_end(&asked), known[which].bound);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_huge),
        cmocka_unit_test(test_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
