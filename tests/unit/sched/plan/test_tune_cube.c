/* SPDX-License-Identifier: Apache-2.0 */
/* test_tune_cube: the best cut of a message for each reduction of a hypercube, in cycles.
 *
 * State space: d = 1 … 5, registers in the arcs, width, bytes, and every number of packets for each
 * message, exhaustive. Cuts and cycles are computed from their definitions and the closed forms of
 * the algorithms, typed anew: m packets of F flits, of which a row takes F + L cycles, and at least
 * L + 2. The search must find the same cycles for every algorithm and method, with the fewest
 * packets of these cycles, and no row beats the bound. Counter-cases: collectives that hypercubes
 * do not reduce, several ports, other machines, and a message that no machine holds.
 * tests/cli/cube_reduce.sh runs the commands of the rows.
 */
#include "sched/plan/tune.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <string.h>

struct message {
    uint32_t bytes;
    unsigned d, pad, width;
};

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

static struct tune_request request_of(const struct message *message, const struct topology *cube,
                                      enum collective_kind kind)
{
    struct tune_request request = {.bytes = message->bytes,
                                   .nodes = cube->nodes,
                                   .kind = kind,
                                   .topology = cube,
                                   .machine = {.kind = MACHINE_CUBE,
                                               .topology = *cube,
                                               .combines = true,
                                               .reads = 1,
                                               .pad = message->pad,
                                               .width = message->width}};
    topology_remove_routers(&request.machine.topology);
    return request;
}

/* Rounds of m packets; 0 if the algorithm does not accept them. */
static uint64_t rounds_of(const char *name, unsigned variant, unsigned d, uint64_t m)
{
    const uint64_t groups = divide_up(m, d), once = m <= d ? d : groups + (d > 1 ? d : 0);
    unsigned log2 = 0;
    while (groups >> (log2 + 1) > 0)
        log2++;
    if (strcmp(name, "cube-reduce") == 0)
        return once;
    if (strcmp(name, "cube-all-reduce") == 0)
        return 2 * once;
    if (strcmp(name, "cube-doubling-all-reduce") == 0)
        return d * groups;
    if (strcmp(name, "cube-blocks-all-reduce") == 0)
        return groups >> (d - 1) > 0 ? 2 * groups - (groups >> (d - 1)) : 2 * groups - 2 + d - log2;
    assert_string_equal(name, "cube-reduce-scatter");
    if (m != 1)
        return 0;
    return variant == 1 ? divide_up((1u << d) - 1, d) : 2 * divide_up(1u << d, d) + 2 * d - 2;
}

/* Finds the fewest cycles of a row's algorithm, and the fewest packets of these. */
static uint64_t least(const struct message *message, const struct tune_row *row, uint64_t *packets)
{
    uint64_t best = UINT64_MAX;
    const uint64_t shares =
        row->algorithm->kind == COLLECTIVE_REDUCE_SCATTER ? 1u << message->d : 1;
    for (uint64_t m = 1; m <= message->bytes; m++) {
        const uint64_t bytes = divide_up(message->bytes, m * shares),
                       flits = divide_up(8 * bytes, message->width),
                       rounds = rounds_of(row->algorithm->name, row->variant, message->d, m);
        const uint64_t cycles = rounds * ((flits < 2 ? 2 : flits) + message->pad);
        if (rounds == 0 || cycles >= best)
            continue;
        best = cycles;
        *packets = m;
    }
    return best;
}

static void test_each(void **state)
{
    (void)state;
    static const uint32_t bytes[] = {1, 2, 9, 100, 333, 1000};
    static const struct {
        enum collective_kind kind;
        size_t rows;
    } kinds[] = {
        {COLLECTIVE_REDUCE, 1}, {COLLECTIVE_ALL_REDUCE, 3}, {COLLECTIVE_REDUCE_SCATTER, 2}};
    for (unsigned d = 1; d <= 5; d++)
        for (unsigned k = 0; k < 3; k++)
            for (unsigned b = 0; b < sizeof bytes / sizeof *bytes; b++)
                for (unsigned pad = 0; pad <= 3; pad += 3) {
                    const struct topology cube = cube_lab_make(d);
                    const struct message message = {bytes[b], d, pad, pad ? 16 : 8};
                    const struct tune_request request = request_of(&message, &cube, kinds[k].kind);
                    struct tune tune;
                    struct err err = {0};
                    running("d=%u, %u bytes, pad=%u, kind %u", d, bytes[b], pad, k);
                    support_true(tune_search(&request, &tune, &err), &err);
                    assert_int_equal(tune.count, kinds[k].rows);
                    for (size_t which = 0; which < tune.count; which++) {
                        const struct tune_row *row = &tune.row[which];
                        uint64_t packets = 0;
                        assert_int_equal(row->cycles, least(&message, row, &packets));
                        assert_int_equal(row->packets, packets);
                        assert_true(row->cycles >= tune.bound);
                        assert_true(which == 0 || row->cycles >= row[-1].cycles);
                    }
                    tune_free(&tune);
                }
}

static void refused(const struct tune_request *request, enum err_code code, const char *part)
{
    struct tune tune;
    struct err err = {0};
    assert_false(tune_search(request, &tune, &err));
    assert_int_equal(err.code, code);
    assert_non_null(strstr(err.text, part));
}

static void test_refused(void **state)
{
    (void)state;
    const struct topology cube = cube_lab_make(3);
    const struct message message = {100, 3, 0, 16};
    struct tune_request request = request_of(&message, &cube, COLLECTIVE_BROADCAST);
    refused(&request, ERR_UNSUPPORTED, "broadcast in a hypercube; expected");
    request.kind = COLLECTIVE_SCAN;
    refused(&request, ERR_UNSUPPORTED, "scan in a hypercube; expected");
    request.kind = COLLECTIVE_EXCLUSIVE_SCAN;
    refused(&request, ERR_UNSUPPORTED,
            "nodes of hypercubes keep one partial result of a packet; expected scan");
    request.kind = COLLECTIVE_REDUCE;
    request.ports = 2;
    refused(&request, ERR_OPTION, "2 in a hypercube; expected none");
    request.ports = 0;
    request.machine.kind = MACHINE_CUBE_AUTO;
    refused(&request, ERR_NETWORK, "expected cube");
    request.machine.kind = MACHINE_CUBE;
    request.bytes = TUNE_MAX_BYTES;
    refused(&request, ERR_TOO_SMALL, "do not fit");
    request.topology = NULL;
    refused(&request, ERR_NETWORK, "cube is no network of a complete graph");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
