/* SPDX-License-Identifier: Apache-2.0 */
/* test_exchange_chips: files for simulators of networks on chips list the transfers and the links
 * of a schedule.
 *
 * Readers in this file follow the rules of the tools' readers. Noxim: a line of two numbers injects
 * a packet in the current cycle, a line of -1 ends the cycle, % begins a comment. BookSim's traces:
 * four numbers each, the first of them the cycles since the previous packet; a reader that expects
 * another packet after white space repeats the last one. BookSim's anynet: what is listed after a
 * router is linked to it, in both directions. The cycles of a round are written by hand: of 1 port,
 * the flits of a packet; of a hypercube of 4 dimensions, 4 times as many. Counter-cases: a packet
 * in another cycle, a line feed at the end of a trace, a link that is missing.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

enum { CYCLES = 1024, NODES = 32, PACKETS = 1024 };

static const struct {
    struct exchange_lab_asked asked;
    unsigned ports; /* packets that a node can send in a round */
} cases[] = {
    {{"binomial", 4, 1, 0, MODEL_SEND_RECEIVE, 0, NULL}, 1},
    {{"matching", 22, 8, 3, MODEL_SEND_RECEIVE, 0, NULL}, 1},
    {{"matching", 10, 4, 0, MODEL_TELEPHONE, 0, NULL}, 1},
    {{"total-exchange", 8, 2, 0, MODEL_SEND_RECEIVE, 0, NULL}, 1},
    {{"reduce", 8, 3, 0, MODEL_SEND_RECEIVE, 0, NULL}, 1},
    {{"traffic", 8, 1, 0, MODEL_SEND_RECEIVE, 0, "moe:6,2"}, 1},
    {{"cube-single", 0, 4, 0, MODEL_ALL_PORT, 4, NULL}, 4},
};
#define CASES (sizeof cases / sizeof *cases)

/* --- packets and their cycles ---------------------------------------------------------------- */

struct injected {
    unsigned cycle, source, destination;
};

struct injections {
    struct injected packet[PACKETS];
    unsigned count, cycles;
};

static void add_packet(struct injections *traffic, unsigned cycle, unsigned source,
                       unsigned destination)
{
    assert_true(traffic->count < PACKETS && source < NODES && destination < NODES);
    traffic->packet[traffic->count++] = (struct injected){cycle, source, destination};
}

static void read_noxim(const char *text, struct injections *traffic)
{
    *traffic = (struct injections){.count = 0};
    for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
        int source = 0, destination = 0, read = sscanf(line, "%d%*[ ]%d", &source, &destination);
        if (*line == '%')
            continue;
        assert_true(read == 2 || (read == 1 && source == -1));
        if (source == -1)
            traffic->cycles++;
        else
            add_packet(traffic, traffic->cycles, (unsigned)source, (unsigned)destination);
    }
}

static void read_trace(const char *text, struct injections *traffic)
{
    unsigned cycle = 0, delay = 0, source = 0, destination = 0, type = 0;
    int length = 0;
    *traffic = (struct injections){.count = 0};
    do {
        if (sscanf(text, "%u %u %u %u%n", &delay, &source, &destination, &type, &length) == 4)
            text += length;
        else
            text += strlen(text);
        assert_int_equal(type, 0);
        cycle += delay;
        add_packet(traffic, cycle, source, destination);
    } while (*text != '\0');
}

/* Returns whether the packets are the transfers, in the first cycles of their rounds. */
static bool is_traffic_of(const struct injections *traffic, const struct schedule *schedule,
                          unsigned cycles)
{
    bool same = traffic->count == schedule->transfer_count;
    for (size_t t = 0; same && t < schedule->transfer_count; t++) {
        uint64_t round = schedule->step[schedule_step_of(schedule, t)].time;
        same = traffic->packet[t].cycle == (round - 1) * cycles &&
               traffic->packet[t].source == schedule->transfer[t].source &&
               traffic->packet[t].destination == schedule->transfer[t].destination;
    }
    return same;
}

/* Flits of Noxim have 4 bytes, those of BookSim 16; a packet of Noxim has at least 2. */
static void test_cycles(void **state)
{
    (void)state;
    static const struct {
        unsigned bytes, noxim, booksim;
    } sizes[] = {{1, 2, 1}, {8, 2, 1}, {9, 3, 1}, {17, 5, 2}, {64, 16, 4}};
    static struct injections traffic;
    for (unsigned which = 0; which < CASES; which++)
        for (unsigned size = 0; size < sizeof sizes / sizeof *sizes; size++) {
            struct schedule schedule;
            const struct exchange_options options = {.bytes = sizes[size].bytes};
            exchange_lab_build(&cases[which].asked, &schedule);
            char *text = exchange_lab_write("noxim", &schedule, &options);
            read_noxim(text, &traffic);
            assert_true(is_traffic_of(&traffic, &schedule, sizes[size].noxim * cases[which].ports));
            assert_int_equal(traffic.cycles, schedule.end * sizes[size].noxim * cases[which].ports);
            free(text);
            text = exchange_lab_write("booksim-trace", &schedule, &options);
            read_trace(text, &traffic);
            assert_true(
                is_traffic_of(&traffic, &schedule, sizes[size].booksim * cases[which].ports));
            free(text);
            schedule_free(&schedule);
        }
}

/* A round without transfers lasts as long as the others. */
static void test_by_hand(void **state)
{
    (void)state;
    static struct injections traffic;
    struct schedule schedule;
    exchange_lab_schedule("roundcast-schedule 1\nalgorithm a\ntopology complete 3\n"
                          "model send-receive\ndemand 1 2 *\nround 1\n2 0 1\nround 3\n0 1 1\n"
                          "end 3\n",
                          &schedule);
    char *text = exchange_lab_write("noxim", &schedule, NULL);
    assert_string_equal(text, "% -traffic hardcoded FILE -size 2 2\n% round 1\n2 0\n-1\n-1\n"
                              "-1\n-1\n% round 3\n0 1\n-1\n-1\n");
    char *other = exchange_lab_edit(
        text, (const struct exchange_lab_edit[]){{4, 4, "-1", NULL}, {0, 0, NULL, NULL}});
    read_noxim(other, &traffic);
    assert_false(is_traffic_of(&traffic, &schedule, 2));
    free(other);
    free(text);
    text = exchange_lab_write("booksim-trace", &schedule, NULL);
    assert_string_equal(text, "0 2 0 0\n2 0 1 0");
    read_trace("0 2 0 0\n2 0 1 0\n", &traffic);
    assert_false(is_traffic_of(&traffic, &schedule, 1));
    read_trace("0 2 0 0\n1 0 1 0", &traffic);
    assert_false(is_traffic_of(&traffic, &schedule, 1));
    free(text);
    schedule_free(&schedule);
}

static void test_too_long(void **state)
{
    (void)state;
    const struct exchange_options options = {.bytes = UINT32_MAX};
    struct schedule schedule;
    exchange_lab_build(&cases[0].asked, &schedule);
    exchange_lab_no_write("noxim", &schedule, &options, ERR_TOO_BIG,
                          "noxim: 2 rounds of 1 packet of 1073741824 flits of a node; expected at "
                          "most 16777216 cycles in all");
    schedule_free(&schedule);
    exchange_lab_build(&cases[CASES - 1].asked, &schedule);
    exchange_lab_no_write("booksim-trace", &schedule, &options, ERR_TOO_BIG,
                          "of 4 packets of 268435456 flits of a node; expected at most 2147483647");
    schedule_free(&schedule);
}

/* --- links ----------------------------------------------------------------------------------- */

/* The links of routers, and the router of each processor. */
struct network {
    bool linked[NODES][NODES];
    unsigned router_of[NODES], processors, routers;
};

static void read_anynet(const char *text, struct network *network)
{
    memset(network, 0, sizeof *network);
    for (; *text != '\0'; text = strchr(text, '\n') + 1, network->routers++) {
        unsigned router, other;
        char kind[8];
        int length = 0;
        assert_int_equal(sscanf(text, "router %u%n", &router, &length), 1);
        assert_int_equal(router, network->routers);
        for (text += length; *text != '\n'; text += length) {
            assert_int_equal(sscanf(text, " %7s %u%n", kind, &other, &length), 2);
            assert_true(other < NODES);
            if (strcmp(kind, "router") == 0)
                network->linked[router][other] = network->linked[other][router] = true;
            else
                network->router_of[other] = router;
            network->processors += strcmp(kind, "node") == 0;
        }
    }
}

static unsigned links(const struct network *network)
{
    unsigned count = 0;
    for (unsigned router = 0; router < NODES; router++)
        for (unsigned other = 0; other < router; other++)
            count += network->linked[router][other];
    return count;
}

/* Returns whether each transfer crosses a link of the file. */
static bool has_links(const struct network *network, const struct schedule *schedule)
{
    for (size_t t = 0; t < schedule->transfer_count; t++)
        if (!network->linked[network->router_of[schedule->transfer[t].source]]
                            [network->router_of[schedule->transfer[t].destination]])
            return false;
    return true;
}

/* The numbers of links are n (n - 1) / 2 of a complete graph, and d 2^d / 2 of a hypercube. */
static void test_links(void **state)
{
    (void)state;
    static struct network network;
    for (unsigned which = 0; which < CASES; which++) {
        struct schedule schedule;
        exchange_lab_build(&cases[which].asked, &schedule);
        unsigned n = schedule.nodes, dim = cases[which].asked.dim;
        char *text = exchange_lab_write("booksim-anynet", &schedule, NULL);
        read_anynet(text, &network);
        assert_int_equal(network.processors, n);
        assert_int_equal(network.routers, n);
        assert_int_equal(links(&network), dim > 0 ? dim * n / 2 : n * (n - 1) / 2);
        assert_true(has_links(&network, &schedule));
        uint32_t from = network.router_of[schedule.transfer[0].source];
        uint32_t to = network.router_of[schedule.transfer[0].destination];
        network.linked[from][to] = network.linked[to][from] = false;
        assert_false(has_links(&network, &schedule));
        free(text);
        schedule_free(&schedule);
    }
}

#define TREE(topology)                                                                          \
    "roundcast-schedule 1\nalgorithm a\ntopology " topology "\nmodel single-port\ndemand 1 0 1" \
    "\nround 1\n0 1:0 1\nround 2\n1:0 1 1\nend 2\n"

static void test_trees(void **state)
{
    (void)state;
    struct schedule schedule;
    exchange_lab_schedule(TREE("tree 2 3 capacity 1 1"), &schedule);
    char *text = exchange_lab_write("booksim-anynet", &schedule, NULL);
    assert_string_equal(text, "router 0 node 0 node 1\nrouter 1 node 2 node 3\n"
                              "router 2 node 4 node 5\nrouter 3 router 0 router 1 router 2\n");
    free(text);
    schedule_free(&schedule);
    exchange_lab_schedule(TREE("tree parents 3 3 4 4 capacity 1"), &schedule);
    text = exchange_lab_write("booksim-anynet", &schedule, NULL);
    assert_string_equal(text, "router 0 node 0 node 1\nrouter 1 node 2 router 0\n");
    free(text);
    schedule_free(&schedule);
    exchange_lab_schedule(TREE("tree 2 3 capacity 1 2"), &schedule);
    exchange_lab_no_write("booksim-anynet", &schedule, NULL, ERR_UNSUPPORTED,
                          "the branches at level 2 of the tree have 2 lanes");
    exchange_lab_no_write("booksim-trace", &schedule, NULL, ERR_UNSUPPORTED, "a tree with routers");
    schedule_free(&schedule);
    exchange_lab_schedule(TREE("tree 2 3 capacity 1 1 half-duplex"), &schedule);
    exchange_lab_no_write("booksim-anynet", &schedule, NULL, ERR_UNSUPPORTED, "half-duplex");
    schedule_free(&schedule);
}

static void test_times(void **state)
{
    (void)state;
    static const char *const formats[] = {"noxim", "booksim-trace", "booksim-anynet"};
    for (unsigned which = 0; which < sizeof formats / sizeof *formats; which++)
        exchange_lab_no_times(formats[which]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cycles),   cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_too_long), cmocka_unit_test(test_links),
        cmocka_unit_test(test_trees),    cmocka_unit_test(test_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
