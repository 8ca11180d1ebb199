/* SPDX-License-Identifier: Apache-2.0 */
/* test_tune: the best cut of a message for each algorithm, in cycles.
 *
 * State space: bytes × nodes × network (ports, pipe, pad, width) × algorithm × cut. Exhaustive: for
 * each message below every m is tried in `make test-all`, otherwise every 11th, those up to 16 and
 * those next to the row's m; in the postal model packets are padded by every number of flits up to
 * L. Cuts, memory, λ and cycles are computed from their definitions (telegraph, postal-block and
 * postal-swarm for short messages only; without `make test-all` so is the telegraph model). The
 * search must find the same row for every algorithm, including the postal algorithms. By hand:
 * known winners. Sampled: more bytes or more latency never end earlier, no row beats the bound,
 * rows are in order. Counter-cases: each range, networks and memories that are too small.
 *
 * tags: long
 */
#include "sched/plan/tune.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"

#include <string.h>

#define FEW_BYTES 400 /* for messages up to this size every padding is tried */
/* Up to this m, and within this distance of the search result, every m is tried. */
#define FEW_PACKETS 16
#define SAMPLED 11

struct message {
    uint64_t bytes;
    uint32_t nodes;
    unsigned log2_ports, pipe, pad, width;
    bool copies;               /* whether the network copies */
    enum collective_kind kind; /* 0: a broadcast */
};

/* Returns the number of pairs of sender and receiver, or of nodes that send to all. */
static uint32_t demands_of(const struct message *message)
{
    uint32_t others = message->nodes - 1;
    switch (message->kind) {
    case COLLECTIVE_SCATTER:
    case COLLECTIVE_GATHER:
        return others;
    case COLLECTIVE_ALL_GATHER:
    case COLLECTIVE_REDUCE_SCATTER:
        return others + 1;
    case COLLECTIVE_TOTAL_EXCHANGE:
        return (others + 1) * others;
    default:
        return 1;
    }
}

static bool combines(const struct message *message)
{
    return message->kind == COLLECTIVE_REDUCE || message->kind == COLLECTIVE_REDUCE_SCATTER;
}

static unsigned stages_of(const struct message *message)
{
    return message->copies ? 4 * message->log2_ports - 3 : 2 * message->log2_ports - 1;
}

static struct tune_request request_of(const struct message *message)
{
    uint32_t ports = UINT32_C(1) << message->log2_ports;
    return (struct tune_request){.bytes = message->bytes,
                                 .nodes = message->nodes,
                                 .kind = message->kind,
                                 .machine = {.network = message->copies
                                                            ? multistage_multicast(ports)
                                                            : multistage_benes(ports),
                                             .pipe = message->pipe,
                                             .pad = message->pad,
                                             .combines = combines(message),
                                             .width = message->width}};
}

static struct tune search(const struct tune_request *request)
{
    struct tune tune;
    struct err err = {0};
    if (!tune_search(request, &tune, &err))
        fail_msg("%llu bytes, %u nodes: %s", (unsigned long long)request->bytes, request->nodes,
                 err.text);
    return tune;
}

static unsigned log2_up(uint64_t value)
{
    unsigned log2 = 1;
    while (UINT64_C(1) << log2 < value)
        log2++;
    return log2;
}

/* Endpoints that combine have a register more. */
static unsigned latency_of(const struct message *message)
{
    return (message->pipe ? stages_of(message) / message->pipe : 0) + message->pad +
           combines(message);
}

/* Returns whether the memories fit in the address map of machine.h: packets, programs and tables in
 * 28 bits each. */
static bool fits(const struct message *message, uint64_t packets, uint64_t flits, uint64_t rows)
{
    unsigned ports = message->log2_ports, stages = stages_of(message),
             fields = ports - !message->copies;
    unsigned column_bits = fields > 5 ? fields - 5 : 0;
    return flits <= 32768 && ports + log2_up(packets) + log2_up(flits) <= 28 &&
           ports + log2_up(rows) <= 28 && log2_up(stages) + log2_up(rows) + column_bits <= 28;
}

static uint32_t divisor(uint32_t a, uint32_t b)
{
    return b == 0 ? a : divisor(b, a % b);
}

/* Returns the cycles of a message cut into m packets of a multiple of `tick` flits; UINT64_MAX if
 * that is not possible. */
static uint64_t cycles_of(const struct message *message, const struct algorithm *algorithm,
                          enum model model, uint32_t m, uint64_t tick)
{
    uint64_t packets = (uint64_t)m * demands_of(message);
    uint64_t bytes = (message->bytes + packets - 1) / packets, bits = bytes * 8,
             latency = latency_of(message);
    uint64_t flits = (bits + message->width - 1) / message->width, end;
    flits = (flits + tick - 1) / tick * tick;
    struct collective asked = {.n = message->nodes, .m = m, .model = model};
    uint32_t common = divisor((uint32_t)flits, (uint32_t)latency);
    if (!fits(message, packets, flits, 1) ||
        (combines(message) && model_has_times(model) && flits < 2))
        return UINT64_MAX;
    asked.lambda =
        (struct rational){(uint32_t)(flits + latency) / common, (uint32_t)flits / common};
    if (combines(message)) {
        asked.kind = message->kind;
        asked = algorithm_choose(algorithm, &asked); /* what it reverses */
    }
    if (!algorithm_check(algorithm, &asked, NULL))
        return UINT64_MAX;
    end = algorithm_end(algorithm, &asked);
    if (end == ALGORITHM_UNKNOWN || !fits(message, packets, flits, end))
        return UINT64_MAX;
    return model_has_times((enum model)model) ? end * common : end * (flits + latency);
}

static const struct tune_row *row_in_model(const struct tune *tune,
                                           const struct algorithm *algorithm, enum model model)
{
    for (size_t which = 0; which < tune->count; which++)
        if (tune->row[which].algorithm == algorithm && tune->row[which].model == model)
            return &tune->row[which];
    return NULL;
}

/* Returns whether m is tried. A sample also includes the m that the search found, and its
 * neighbours, so that the row's own m is compared. */
static bool is_tried(uint32_t m, const struct tune_row *row)
{
    bool near = row != NULL && m <= row->packets + FEW_PACKETS && row->packets <= m + FEW_PACKETS;
    return m <= FEW_PACKETS || near || m % running_stride_long(SAMPLED) == 0;
}

/* Tries every m for one algorithm and compares the best with the row of the search. */
static void check_algorithm(const struct message *message, const struct tune *tune,
                            const struct algorithm *algorithm, enum model model)
{
    const struct tune_row *row = row_in_model(tune, algorithm, model);
    uint64_t best = UINT64_MAX;
    uint32_t best_m = 0;
    for (uint32_t m = 1; m <= message->bytes; m++) {
        if (!is_tried(m, row))
            continue;
        uint64_t ticks = model_has_times((enum model)model) ? latency_of(message) : 1;
        for (uint64_t tick = 1; tick <= (ticks ? ticks : 1); tick++) {
            if (message->bytes > FEW_BYTES && ticks % tick != 0)
                continue; /* its λ has the denominator F, and the smallest F is at least as fast */
            uint64_t cycles = cycles_of(message, algorithm, model, m, tick);
            if (cycles < best) {
                best = cycles;
                best_m = m;
            }
        }
    }
    if (row != NULL && (row->cycles != best || row->packets != best_m))
        fail_msg("%s, %llu bytes to %u nodes: %u packets, %llu cycles; expected %u, %llu",
                 algorithm->name, (unsigned long long)message->bytes, message->nodes, row->packets,
                 (unsigned long long)row->cycles, best_m, (unsigned long long)best);
    if (row == NULL && best != UINT64_MAX)
        fail_msg("%s, %llu bytes to %u nodes: no row", algorithm->name,
                 (unsigned long long)message->bytes, message->nodes);
}

/* Checks the requested model or, if none is requested, the algorithm's own model and the models
 * with times. */
static void check_models(const struct message *message, const struct tune *tune,
                         const struct algorithm *algorithm, const enum model *wanted)
{
    for (unsigned model = 0; model < MODEL_COUNT; model++) {
        bool own = model == algorithm_model(algorithm) || model_has_times((enum model)model);
        if (message->bytes > FEW_BYTES && (strcmp(algorithm->name, "telegraph") == 0 ||
                                           strcmp(algorithm->name, "postal-block") == 0 ||
                                           strcmp(algorithm->name, "postal-swarm") == 0))
            continue; /* their ends are simulated or searched for */
        if ((model_copies((enum model)model) && !message->copies) ||
            model_combines((enum model)model))
            continue;
        if ((algorithm->models & 1u << model) != 0 && (wanted == NULL ? own : *wanted == model))
            check_algorithm(message, tune, algorithm, (enum model)model);
    }
}

static void test_all_cuts(void **state)
{
    (void)state;
    static const struct message messages[] = {
        {1, 2, 1, 1, 0, 16, false, 0},
        {1, 2, 1, 0, 0, 1, false, 0},
        {7, 3, 2, 1, 0, 31, false, 0},
        {100, 5, 3, 1, 0, 8, false, 0},
        {333, 9, 4, 1, 3, 5, false, 0},
        {1000, 16, 4, 0, 0, 16, false, 0},
        {1000, 17, 5, 2, 0, 3, false, 0},
        {2999, 22, 5, 1, 0, 16, false, 0},
        {2048, 31, 5, 1, 7, 8, false, 0},
        {500, 64, 6, 1, 0, 16, false, 0},
        {4000, 6, 10, 1, 0, 1, false, 0},
        {300, 40, 16, 1, 0, 7, false, 0},
        {20000, 6, 10, 1, 0, 1, false, 0},
        {2000, 4000, 16, 1, 0, 8, false, 0},
        {1, 2, 1, 1, 0, 16, true, 0},
        {100, 5, 3, 1, 0, 8, true, 0},
        {2048, 31, 5, 1, 7, 8, true, 0},
        {4000, 6, 10, 1, 0, 1, true, 0},
        {1, 2, 1, 1, 0, 16, false, COLLECTIVE_SCATTER},
        {333, 9, 4, 1, 3, 5, false, COLLECTIVE_GATHER},
        {1000, 16, 4, 1, 0, 16, false, COLLECTIVE_SCATTER},
        {2999, 22, 5, 1, 0, 16, false, COLLECTIVE_ALL_GATHER},
        {333, 7, 3, 1, 3, 5, false, COLLECTIVE_TOTAL_EXCHANGE},
        {2048, 8, 3, 0, 0, 8, false, COLLECTIVE_TOTAL_EXCHANGE},
        {2048, 5, 3, 1, 0, 8, true, COLLECTIVE_TOTAL_EXCHANGE},
        {100, 9, 4, 1, 3, 5, false, COLLECTIVE_REDUCE},
        {333, 16, 4, 1, 0, 16, false, COLLECTIVE_REDUCE},
        {333, 7, 3, 1, 0, 8, false, COLLECTIVE_REDUCE_SCATTER},
    };
    for (unsigned which = 0; which < sizeof messages / sizeof *messages; which++) {
        const struct message *message = &messages[which];
        struct tune_request request = request_of(message);
        for (int model = -1; model < MODEL_COUNT; model++) {
            if (model >= 0 && (model_topology((enum model)model) != TOPOLOGY_COMPLETE ||
                               (model_copies((enum model)model) && !message->copies) ||
                               model_combines((enum model)model)))
                continue;
            if (model == MODEL_TELEGRAPH && message->bytes > FEW_BYTES && !running_exhaustive())
                continue; /* simulating ends takes most of the time */
            enum model wanted = (enum model)model;
            bool some = false;
            request.model = model < 0 ? NULL : &wanted;
            for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++)
                some = some || model < 0 ||
                       ((*entry)->topology == TOPOLOGY_COMPLETE &&
                        (*entry)->kind == message->kind && ((*entry)->models & 1u << model) != 0);
            if (!some)
                continue;
            struct tune tune = search(&request);
            for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++)
                if ((*entry)->topology == TOPOLOGY_COMPLETE && (*entry)->kind == message->kind)
                    check_models(message, &tune, *entry, request.model);
            tune_free(&tune);
        }
    }
}

static const struct tune_row *row_of(const struct tune *tune, const char *algorithm)
{
    for (size_t which = 0; which < tune->count; which++)
        if (strcmp(tune->row[which].algorithm->name, algorithm) == 0)
            return &tune->row[which];
    fail_msg("no row of %s", algorithm);
    return NULL;
}

static void test_by_hand(void **state)
{
    (void)state;
    static const struct {
        struct message message;
        const char *algorithm;
        uint32_t packets, flits;
        uint64_t end, cycles;
    } known[] = {
        /* (m + 4)·(F + 9), F = ⌈⌈9286/m⌉/2⌉ */
        {{9286, 22, 5, 1, 0, 16, false, 0}, "matching", 43, 108, 47, 5499},
        /* (m + 20)·(F + 9) */
        {{9286, 22, 5, 1, 0, 16, false, 0}, "path", 101, 46, 121, 6655},
        /* 5m·(F + 9): each packet pays the latency five times */
        {{9286, 22, 5, 1, 0, 16, false, 0}, "binomial", 1, 4643, 5, 23260},
        /* no latency: packets of one byte, (500 + 3)·1 */
        {{500, 16, 4, 0, 0, 8, false, 0}, "circulant", 500, 1, 503, 503},
        /* two nodes: every packet pays the latency, so one packet is best */
        {{100, 2, 1, 1, 0, 16, false, 0}, "matching", 1, 50, 1, 51},
        /* 65536 ports: a node holds 4096 flits of 1 bit, the message and as much again */
        {{256, 2, 16, 1, 0, 1, false, 0}, "matching", 1, 2048, 1, 2079},
        /* … and 4096 rows: 100 packets of 20 flits would take 4098 rounds, and 2000 packets of 1
         * flit would be the fastest */
        {{2000, 4000, 16, 1, 0, 8, false, 0}, "path", 96, 21, 4094, 212888},
    };
    for (unsigned which = 0; which < sizeof known / sizeof *known; which++) {
        struct tune_request request = request_of(&known[which].message);
        struct tune tune = search(&request);
        const struct tune_row *row = row_of(&tune, known[which].algorithm);
        assert_int_equal(row->packets, known[which].packets);
        assert_int_equal(row->flits, known[which].flits);
        assert_int_equal(row->end, known[which].end);
        assert_int_equal(row->cycles, known[which].cycles);
        tune_free(&tune);
    }
}

/* Returns f_λ(n) for an integer λ, from the definition. */
static uint64_t flit_index(uint64_t lambda, uint32_t nodes)
{
    uint64_t reached[4000];
    for (uint64_t t = 0;; t++) {
        assert_true(t < sizeof reached / sizeof *reached);
        reached[t] = t < lambda ? 1 : reached[t - 1] + reached[t - lambda];
        if (reached[t] >= nodes)
            return t;
    }
}

/* Returns the bound for packets of one flit: the last packet, and all packets counted unit by unit,
 * permit no earlier end. */
static uint64_t flit_bound(uint64_t lambda, uint32_t nodes, uint64_t packets)
{
    uint64_t reached[40000], sent = 0, last = packets - 1 + flit_index(lambda, nodes);
    for (uint64_t t = 0;; t++) {
        assert_true(t < sizeof reached / sizeof *reached);
        reached[t] = t < lambda ? 1 : reached[t - 1] + reached[t - lambda];
        reached[t] = reached[t] < nodes ? reached[t] : nodes;
        sent += reached[t] < nodes ? reached[t] : nodes - 1;
        if (sent >= packets * (nodes - 1))
            return MAX(last, t + lambda);
    }
}

static void test_shape(void **state)
{
    (void)state;
    const enum model model = MODEL_SEND_RECEIVE;
    const uint64_t part = running_exhaustive() ? 5 : 1; /* growth of messages */
    const uint32_t more = running_exhaustive() ? 3 : 2; /* growth of nodes */
    for (uint32_t nodes = 2; nodes <= 64; nodes += 1 + nodes / more) {
        uint64_t before = 0;
        for (uint64_t bytes = 1; bytes <= 20000; bytes += 1 + bytes / part) {
            const struct message message = {bytes, nodes, 6, 1, 0, 12, false, 0};
            struct tune_request request = request_of(&message);
            struct tune tune = search(&request);
            uint64_t flits = (bytes * 8 + 11) / 12;
            assert_int_equal(tune.bound, flit_bound(12, nodes, flits));
            for (size_t which = 0; which < tune.count; which++) {
                const struct tune_row *row = &tune.row[which];
                assert_true(row->cycles >= tune.bound);
                assert_true(which == 0 || tune.row[which - 1].cycles <= row->cycles);
                assert_int_equal(row->cycles, tune_cycles(&request.machine, row));
                assert_true((uint64_t)row->packets * (row->flits * 12 / 8) >= bytes);
            }
            tune_free(&tune);
            request.model = &model;
            tune = search(&request);
            assert_true(tune.row[0].cycles >= before);
            before = tune.row[0].cycles;
            tune_free(&tune);
            request.machine.pad = 1;
            tune = search(&request);
            assert_true(tune.row[0].cycles > before);
            tune_free(&tune);
        }
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        struct message message;
        enum err_code code;
        const char *part;
    } refused[] = {
        {{0, 4, 2, 1, 0, 16, false, 0},
         ERR_RANGE,
         "bytes: 0 is out of range; expected 1 … 1073741824"},
        {{TUNE_MAX_BYTES + 1, 4, 2, 1, 0, 16, false, 0},
         ERR_RANGE,
         "bytes: 1073741825 is out of range; expected 1"},
        {{1, 0, 2, 1, 0, 16, false, 0},
         ERR_RANGE,
         "nodes: 0 is out of range; expected 2 … 16777216"},
        {{1, 1, 2, 1, 0, 16, false, 0}, ERR_RANGE, "nodes: 1 is out of range"},
        {{1, SCHEDULE_MAX_NODES + 1, 2, 1, 0, 16, false, 0},
         ERR_RANGE,
         "nodes: 16777217 is out of range"},
        {{1, 4, 2, 1, 0, 513, false, 0}, ERR_NETWORK, "width: 513 bits"},
        {{1, 4, 2, 4, 0, 16, false, 0}, ERR_NETWORK, "pipe=4"},
        {{1, 5, 2, 1, 0, 16, false, 0},
         ERR_TOO_SMALL,
         "4 ports for 5 nodes; expected benes:5 or larger"},
        {{524289, 4, 10, 1, 0, 16, false, 0},
         ERR_TOO_SMALL,
         "of benes:1024 can hold; expected at most 524288"},
        {{524289, 4, 10, 1, 0, 64, false, 0}, /* flits of 3 words, with room for 4 */
         ERR_TOO_SMALL,
         "65536 flits of 64 bits that a node of benes:1024 can hold; expected at most 524288"},
    };
    for (unsigned which = 0; which < sizeof refused / sizeof *refused; which++) {
        struct tune_request request = request_of(&refused[which].message);
        struct tune tune;
        struct err err = {0};
        assert_false(tune_search(&request, &tune, &err));
        assert_int_equal(err.code, refused[which].code);
        if (strstr(err.text, refused[which].part) == NULL)
            fail_msg("'%s'; expected '%s'", err.text, refused[which].part);
        assert_null(tune.row);
    }
    /* The size that the last message suggests fits. */
    const struct message largest = {524288, 4, 10, 1, 0, 16, false, 0};
    struct tune_request request = request_of(&largest);
    struct tune tune = search(&request);
    tune_free(&tune);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_cuts),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
