/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/plan/tune.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/base/memory.h"
#include "sched/base/text.h"
#include "sched/bound/bound.h"
#include "sched/machine/machine.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/partial_results.h"
#include "sched/schedule/payload.h"

#include <inttypes.h>
#include <stdlib.h>

/* A cut of the message, and its lower bound in cycles for any algorithm. */
struct candidate {
    uint32_t packets, flits; /* as in tune_row */
    uint64_t least;
};

struct candidates {
    size_t count, room;
    struct candidate *candidate;
};

/* The input of the search for the best cut of one method of an algorithm in one model. */
struct search {
    const struct tune_request *request;
    struct candidates rounds, times; /* all cuts, sorted by `least` */
};

void tune_usual_network(struct tune_request *request)
{
    uint32_t log2_ports = machine_sizing_log2(tune_endpoints(request));
    request->machine.network = multistage_benes(UINT32_C(1) << log2_ports);
    request->machine.pipe = 1;
}

uint64_t tune_cycles(const struct machine *machine, const struct tune_row *row)
{
    if (model_has_times(row->model))
        return row->end * (row->flits / row->lambda.denominator);
    return row->end * machine_row_cycles(machine, row->flits);
}

static struct collective collective_of(const struct tune_request *request, enum model model,
                                       uint32_t packets, struct rational lambda)
{
    return (struct collective){.n = request->nodes,
                               .m = packets,
                               .model = model,
                               .kind = request->kind,
                               .lambda = lambda,
                               .ports = request->ports,
                               .topology = request->topology};
}

/* Returns the collective of a row. */
static struct collective collective_of_row(const struct tune_request *request,
                                           const struct tune_row *row)
{
    struct collective asked = collective_of(request, row->model, row->packets, row->lambda);
    asked.method = row->variant;
    return asked;
}

/* Returns whether a machine on the network holds the packets of all demands, and `rows` rows of
 * tables. */
static bool holds(const struct tune_request *request, uint32_t packets, uint32_t flits,
                  uint64_t rows)
{
    const struct collective all = {.n = request->nodes, .m = packets, .kind = request->kind};
    struct machine machine = request->machine;
    const struct schedule asked = {.packets = (uint32_t)collective_packets(&all),
                                   .end = rows,
                                   .nodes = request->nodes,
                                   .topology = machine.topology};
    return flits <= MACHINE_SIZING_MAX_FLITS &&
           machine_sizing_fit(&asked, flits, NULL, &machine, NULL);
}

/* Returns a lower bound of the cycles: the last packet leaves the source after m - 1 others, and
 * then must reach all nodes. */
static uint64_t least_cycles(const struct tune_request *request, enum model model, uint32_t packets,
                             uint32_t flits)
{
    struct tune_row row = {.model = model, .packets = packets, .flits = flits};
    row.lambda =
        model_has_times(model) ? machine_lambda(&request->machine, flits) : (struct rational){1, 1};
    bool broadcast = collective_rows[request->kind].counted && request->ports <= 1;
    if (broadcast && model_has_times(model) &&
        !model_copies(model)) /* avoids computing the table of the postal bound */
        row.end = (uint64_t)(packets - 1) * row.lambda.denominator +
                  bound_of_index(row.lambda, request->nodes);
    else {
        struct collective asked = collective_of(request, model, packets, row.lambda);
        row.end = bound_end(&asked);
    }
    return tune_cycles(&request->machine, &row);
}

static bool append(struct candidates *candidates, struct candidate candidate, struct err *err)
{
    struct candidate *larger = memory_grow(candidates->candidate, candidates->count + 1,
                                           &candidates->room, sizeof *larger);
    if (larger == NULL)
        return err_no_memory(err, "the cuts of a message");
    candidates->candidate = larger;
    candidates->candidate[candidates->count++] = candidate;
    return true;
}

static int by_least(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    return compare_then(COMPARE(a->least, b->least),
                        compare_then(COMPARE(a->packets, b->packets), COMPARE(a->flits, b->flits)));
}

static bool append_cut(const struct tune_request *request, enum model model, uint32_t packets,
                       uint32_t flits, struct candidates *cuts, struct err *err)
{
    const bool barriers = !model_has_times(model);
    if (!holds(request, packets, flits, 0) ||
        (request->machine.combines && !barriers && flits < MACHINE_COMBINE_FLITS))
        return true;
    uint64_t least = least_cycles(request, model, packets, flits);
    return append(cuts, (struct candidate){packets, flits, least}, err);
}

/* The postal model has a row for each tick, which lasts gcd(F, L) cycles. A packet that is padded
 * to a multiple of a divisor of L has longer ticks, so that the tables can hold its rows. */
static bool append_padded(const struct tune_request *request, enum model model, uint32_t packets,
                          uint32_t flits, struct candidates *cuts, struct err *err)
{
    unsigned latency = machine_latency(&request->machine);
    for (unsigned tick = 2; tick <= latency; tick++) {
        uint32_t padded = (uint32_t)bits_divide_up(flits, tick) * tick;
        if (latency % tick == 0 && padded != flits &&
            !append_cut(request, model, packets, padded, cuts, err))
            return false;
    }
    return true;
}

/* Lists every F of a cut with its smallest m, from the largest F down. `limit` is the maximum of
 * the next F. */
static bool list_cuts(const struct tune_request *request, enum model model, struct candidates *cuts,
                      struct err *err)
{
    unsigned width = request->machine.width;
    uint64_t demands = collective_demands(request->kind, request->nodes);
    for (uint32_t limit = MACHINE_SIZING_MAX_FLITS; (uint64_t)limit * width >= 8;) {
        uint64_t bytes = (uint64_t)limit * width / 8;
        uint64_t packets = bits_divide_up(bits_divide_up(request->bytes, bytes), demands);
        struct payload cut = {.size = request->bytes};
        if (packets * demands > SCHEDULE_MAX_PACKETS)
            break;
        if (!payload_cut(&cut, (uint32_t)(packets * demands), 0, limit, width, err))
            return false;
        uint32_t each = (uint32_t)packets;
        if (!append_cut(request, model, each, cut.flits, cuts, err) ||
            (model_has_times(model) && !append_padded(request, model, each, cut.flits, cuts, err)))
            return false;
        limit = cut.flits - 1;
    }
    if (cuts->count > 0)
        qsort(cuts->candidate, cuts->count, sizeof *cuts->candidate, by_least);
    return true;
}

/* Sets the end and the cycles of a row whose cut is chosen. Returns false if the algorithm does not
 * support the cut, or if no machine holds it. */
static bool evaluate(const struct tune_request *request, struct tune_row *row)
{
    struct collective asked = collective_of_row(request, row);
    struct collective chosen = algorithm_choose(row->algorithm, &asked);
    if (!algorithm_check(row->algorithm, &chosen, NULL) ||
        !algorithm_keeps_ports(row->algorithm, &chosen))
        return false;
    row->degree = chosen.degree;
    row->end = algorithm_end(row->algorithm, &chosen);
    if (row->end == ALGORITHM_UNKNOWN)
        return true;
    row->cycles = tune_cycles(&request->machine, row);
    return holds(request, row->packets, row->flits, row->end);
}

/* Returns whether endpoints can execute the reductions of a row's schedule. O(1), except for
 * algorithms with mixes in models with times, whose schedule is built. */
static bool is_executable(const struct tune_request *request, const struct tune_row *row)
{
    if (!row->algorithm->mixes || !model_has_times(row->model))
        return true;
    struct schedule schedule = {0};
    const struct collective asked = collective_of_row(request, row);
    const struct collective chosen = algorithm_choose(row->algorithm, &asked);
    bool right = algorithm_build(row->algorithm, &chosen, &schedule, NULL) &&
                 partial_results_check("", &schedule, NULL);
    schedule_free(&schedule);
    return right;
}

static bool is_better(const struct tune_row *row, const struct tune_row *than)
{
    int cut = compare_then(COMPARE(row->packets, than->packets), COMPARE(row->flits, than->flits));
    return compare_then(COMPARE(row->cycles, than->cycles), cut) < 0;
}

/* Finds the best cut for a method of an algorithm in a model: fewest cycles, then fewest packets.
 * Returns false if the algorithm supports no cut. The end of *row is ALGORITHM_UNKNOWN if no
 * formula predicts it. */
static bool best_cut(const struct search *search, const struct algorithm *algorithm,
                     enum model model, unsigned variant, struct tune_row *row)
{
    const struct candidates *cuts = model_has_times(model) ? &search->times : &search->rounds;
    *row = (struct tune_row){.packets = UINT32_MAX, .cycles = UINT64_MAX};
    for (size_t which = 0; which < cuts->count && cuts->candidate[which].least <= row->cycles;
         which++) {
        const struct candidate *cut = &cuts->candidate[which];
        struct tune_row tried = {.algorithm = algorithm,
                                 .model = model,
                                 .variant = variant,
                                 .packets = cut->packets,
                                 .flits = cut->flits,
                                 .lambda = {1, 1},
                                 .cycles = UINT64_MAX};
        if (model_has_times(model))
            tried.lambda = machine_lambda(&search->request->machine, cut->flits);
        if (evaluate(search->request, &tried) && is_better(&tried, row) &&
            is_executable(search->request, &tried))
            *row = tried;
    }
    return row->algorithm != NULL;
}

void tune_insert(struct tune *tune, const struct tune_row *row)
{
    size_t place = tune->count + tune->unknown;
    for (; place > 0 && tune->row[place - 1].cycles > row->cycles; place--)
        tune->row[place] = tune->row[place - 1];
    tune->row[place] = *row;
    if (row->end == ALGORITHM_UNKNOWN)
        tune->unknown++;
    else
        tune->count++;
}

static bool copies(const struct tune_request *request)
{
    return multistage_copies(&request->machine.network);
}

/* Returns the model of rounds in which the network combines packets for an algorithm of the
 * collective; MODEL_COUNT if there is none. */
static enum model combining_model(const struct tune_request *request)
{
    enum model found = MODEL_COUNT;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++)
        for (unsigned model = 0; model < MODEL_COUNT; model++)
            if ((*entry)->kind == request->kind && (*entry)->models >> model & 1 &&
                model_combines((enum model)model) &&
                (!model_copies((enum model)model) || copies(request)))
                found = (enum model)model;
    return multistage_combines(&request->machine.network) ? found : MODEL_COUNT;
}

bool tune_asks(const struct tune_request *request, const struct algorithm *algorithm,
               enum model model)
{
    if (algorithm->kind != request->kind || (algorithm->models & 1u << model) == 0 ||
        (model_copies(model) && !copies(request)) ||
        (model_combines(model) && !multistage_combines(&request->machine.network)))
        return false;
    if (request->model != NULL)
        return *request->model == model;
    return model == algorithm_model(algorithm) || model_has_times(model);
}

/* Number of methods that are tried. */
static unsigned variants(const struct tune_request *request, const struct algorithm *algorithm)
{
    return request->topology != NULL ? algorithm_methods(algorithm) : 1;
}

/* Tries all algorithms. Precondition: `tune` has room for their rows. */
static void try_all(const struct search *search, struct tune *tune)
{
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++)
        for (unsigned model = 0; model < MODEL_COUNT; model++) {
            struct tune_row row;
            if (!tune_asks(search->request, *entry, (enum model)model))
                continue;
            for (unsigned variant = 0; variant < variants(search->request, *entry); variant++)
                if (best_cut(search, *entry, (enum model)model, variant, &row))
                    tune_insert(tune, &row);
        }
}

/* Reports that no machine holds the message, or that no algorithm applies. Returns false. */
static bool refuse(const struct search *search, struct err *err)
{
    const struct tune_request *request = search->request;
    const struct machine *machine = &request->machine;
    char network[MACHINE_NETWORK_TEXT];
    uint64_t flits = UINT64_C(1) << (28 - machine_node_bits(machine) - machine_part_bits(machine));
    if (search->rounds.count == 0)
        return err_set(err, ERR_TOO_SMALL,
                       "{bytes}: %" PRIu64 " do not fit in the %" PRIu64
                       " flit%s of %u bit%s that a node of "
                       "%s can hold; expected at most %" PRIu64,
                       request->bytes, flits, text_s(flits), machine->width, text_s(machine->width),
                       machine_network_name(machine, network), flits * machine->width / 8);
    return err_set(err, ERR_ALGORITHM,
                   "no algorithm for a %s of %" PRIu64 " byte%s among %" PRIu32
                   " node%s%s%s; expected other "
                   "models, or fewer bytes",
                   collective_name(request->kind), request->bytes, text_s(request->bytes),
                   request->nodes, text_s(request->nodes), request->model ? " in the model " : "",
                   request->model ? model_name(*request->model) : "");
}

/* Returns the lower bound with one flit per packet, for broadcasts by Lemma 8: one flit leaves per
 * cycle and arrives 1 + L cycles later. In a hypercube it is the least bound of all cuts, because
 * all runs have barriers. If the network combines, the last of as many flits as there
 * are rounds arrives L cycles after its cycle. */
static uint64_t bound_of_message(const struct search *search)
{
    const struct tune_request *request = search->request;
    if (request->topology != NULL)
        return search->rounds.count > 0 ? search->rounds.candidate[0].least : 0;
    uint64_t flits = bits_divide_up(request->bytes * 8, request->machine.width);
    uint64_t each = bits_divide_up(flits, collective_demands(request->kind, request->nodes));
    const struct rational lambda = {1 + machine_latency(&request->machine), 1};
    const enum model combining = combining_model(request);
    if (combining != MODEL_COUNT) {
        const struct collective rounds =
            collective_of(request, combining, (uint32_t)each, (struct rational){1, 1});
        return bound_end(&rounds) + machine_latency(&request->machine);
    }
    enum model model = copies(request) ? MODEL_FABRIC_POSTAL : MODEL_POSTAL;
    const struct collective asked = collective_of(request, model, (uint32_t)each, lambda);
    return bound_end(&asked);
}

static bool search_all(struct search *search, struct tune *tune, struct err *err)
{
    const struct tune_request *request = search->request;
    /* the models with the lowest bounds, without and with times */
    enum model rounds = combining_model(request);
    if (rounds == MODEL_COUNT)
        rounds = copies(request) ? MODEL_FABRIC_MULTICAST : MODEL_SEND_RECEIVE;
    if (request->topology != NULL)
        rounds = MODEL_ALL_PORT;
    enum model times = copies(request) ? MODEL_FABRIC_POSTAL : MODEL_POSTAL;
    if (!list_cuts(request, rounds, &search->rounds, err) ||
        (request->topology == NULL && !list_cuts(request, times, &search->times, err)))
        return false;
    size_t rows = 0;
    for (size_t which = 0; algorithm_table[which] != NULL; which++)
        rows += MODEL_COUNT * variants(request, algorithm_table[which]);
    tune->row = calloc(rows, sizeof *tune->row);
    if (tune->row == NULL)
        return err_no_memory(err, "the table of algorithms");
    tune->bound = bound_of_message(search);
    try_all(search, tune);
    return tune->count > 0 || refuse(search, err);
}

bool tune_search(const struct tune_request *request, struct tune *tune, struct err *err)
{
    *tune = (struct tune){0};
    if (!tune_check(request, NULL, err))
        return false;
    struct search search = {.request = request};
    bool found = search_all(&search, tune, err);
    free(search.rounds.candidate);
    free(search.times.candidate);
    if (!found)
        tune_free(tune);
    return found;
}

void tune_free(struct tune *tune)
{
    free(tune->row);
    *tune = (struct tune){0};
}
