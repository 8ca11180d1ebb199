/* SPDX-License-Identifier: Apache-2.0 */
/* libroundcast: the problem that a schedule solves, as a request.
 *
 * The request of a built schedule has the members that the schedule was built from, and the
 * schedule solves it. Counter-cases: another number of packets or another root, which it does not
 * solve; topologies and traffic, which have no such request and leave it unchanged; requests
 * without demands.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/library_lab.h"

#include <string.h>

struct problem_case {
    const char *algorithm, *set[14];
};

static struct roundcast_schedule *build(const struct problem_case *of)
{
    struct roundcast_request request = library_ask(of->set);
    request.algorithm = of->algorithm;
    return library_build(request);
}

static void same_text(const char *seen, const char *expected)
{
    if (expected == NULL)
        assert_null(seen);
    else
        assert_string_equal(seen, expected);
}

static void a_request_describes_the_schedule(void **unused)
{
    (void)unused;
    static const struct {
        struct problem_case of;
        const char *collective, *model, *lambda, *ports;
        uint32_t nodes, packets, source;
        bool rooted;
    } cases[] = {{{"matching", {"nodes", "9", "packets", "3", "source", "2"}},
                  "broadcast",
                  "send-receive",
                  NULL,
                  NULL,
                  9,
                  3,
                  2,
                  true},
                 {{"matching", {"nodes", "8", "packets", "4", "model", "telephone"}},
                  "broadcast",
                  "telephone",
                  NULL,
                  NULL,
                  8,
                  4,
                  0,
                  true},
                 {{"postal-bcast", {"nodes", "7", "packets", "1", "source", "6", "lambda", "5/2"}},
                  "broadcast",
                  "postal",
                  "5/2",
                  NULL,
                  7,
                  1,
                  6,
                  true},
                 {{"scatter", {"nodes", "6", "packets", "2", "source", "5"}},
                  "scatter",
                  "send-receive",
                  NULL,
                  NULL,
                  6,
                  2,
                  5,
                  true},
                 {{"gather", {"nodes", "5", "packets", "2", "source", "1", "ports", "2"}},
                  "gather",
                  "send-receive",
                  NULL,
                  "2",
                  5,
                  2,
                  1,
                  true},
                 {{"all-gather", {"nodes", "5", "packets", "2"}},
                  "all-gather",
                  "send-receive",
                  NULL,
                  NULL,
                  5,
                  2,
                  0,
                  false},
                 {{"total-exchange", {"nodes", "4", "packets", "3"}},
                  "total-exchange",
                  "send-receive",
                  NULL,
                  NULL,
                  4,
                  3,
                  0,
                  false},
                 {{"reduce", {"nodes", "6", "packets", "2", "source", "3"}},
                  "reduce",
                  "send-receive",
                  NULL,
                  NULL,
                  6,
                  2,
                  3,
                  true},
                 {{"all-reduce", {"nodes", "6", "packets", "6"}},
                  "all-reduce",
                  "send-receive",
                  NULL,
                  NULL,
                  6,
                  6,
                  0,
                  false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct roundcast_schedule *schedule = build(&cases[k].of);
        struct roundcast_error error = {0};
        struct roundcast_request request = ASK("width", "5");
        assert_true(roundcast_request_of(schedule, &request));
        assert_string_equal(request.collective, cases[k].collective);
        assert_string_equal(request.model, cases[k].model);
        same_text(request.lambda, cases[k].lambda);
        same_text(request.ports, cases[k].ports);
        assert_int_equal(request.nodes, cases[k].nodes);
        assert_int_equal(request.packets, cases[k].packets);
        assert_int_equal(request.source, cases[k].source);
        assert_int_equal(request.width, 5);
        assert_true(roundcast_solves(schedule, &request, &error));
        request.packets++;
        assert_false(roundcast_solves(schedule, &request, &error));
        request.packets--;
        request.source = (request.source + 1) % request.nodes;
        assert_int_equal(roundcast_solves(schedule, &request, &error), !cases[k].rooted);
        roundcast_schedule_free(schedule);
    }
}

static void other_problems_have_no_request(void **unused)
{
    (void)unused;
    static const struct problem_case cases[] = {
        {"cube-all-gather", {"dim", "3"}},
        {"torus-gather", {"torus", "3,3", "packets", "1"}},
        {"traffic", {"nodes", "4", "pattern", "permutation:2"}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct roundcast_schedule *schedule = build(&cases[k]);
        struct roundcast_request request = ASK("nodes", "77"), before = request;
        assert_false(roundcast_request_of(schedule, &request));
        assert_memory_equal(&request, &before, sizeof request);
        roundcast_schedule_free(schedule);
    }
}

/* Each member alone describes demands, or does not. */
static void members_describe_demands(void **unused)
{
    (void)unused;
    static const struct {
        const char *name, *value;
        bool demands;
    } cases[] = {{"collective", "scatter", true},
                 {"packets", "1", true},
                 {"source", "1", true},
                 {"source", "1:1", true},
                 {"source", "0", true},
                 {"matrix", "m.txt", true},
                 {"entries", "e.txt", true},
                 {"pattern", "permutation:1", true},
                 {"packet-bytes", "64", true},
                 {"total", "9", true},
                 {"demands", "d.sched", true},
                 {"sources", "1,2", true},
                 {"random", "0", true},
                 {"nodes", "4", false},
                 {"model", "telephone", false},
                 {"lambda", "2", false},
                 {"ports", "2", false},
                 {"degree", "2", false},
                 {"tree", "2,2", false},
                 {"torus", "4", false},
                 {"dim", "2", false},
                 {"seed", "5", false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct roundcast_request request;
        assert_true(roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, NULL));
        request.strict = true;
        assert_false(roundcast_has_demands(&request));
        assert_true(roundcast_set(&request, cases[k].name, cases[k].value, NULL));
        if (roundcast_has_demands(&request) != cases[k].demands)
            fail_msg("%s", cases[k].name);
    }
}

static void members_select_a_topology(void **unused)
{
    (void)unused;
    static const char *const topologies[][2] = {
        {"tree", "2,2"}, {"parents", "2,2"}, {"dim", "2"}, {"torus", "4"}, {"mesh", "4"}};
    for (size_t k = 0; k < sizeof topologies / sizeof *topologies; k++) {
        const struct roundcast_request request = ASK(topologies[k][0], topologies[k][1]);
        assert_true(roundcast_has_topology(&request));
    }
    const struct roundcast_request request = ASK("n", "4", "m", "2", "ports", "2", "seed", "3");
    assert_false(roundcast_has_topology(&request));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_request_describes_the_schedule),
                                       cmocka_unit_test(other_problems_have_no_request),
                                       cmocka_unit_test(members_describe_demands),
                                       cmocka_unit_test(members_select_a_topology)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
