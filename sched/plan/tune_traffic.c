/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/plan/tune.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"
#include "sched/route/machine_sizing.h"

#include <inttypes.h>
#include <stdlib.h>

#define TRIED 3 /* number of cuts for each method */

struct cut {
    uint32_t packet_bytes, flits;
    struct traffic_load load;
    uint64_t least; /* lower bound in cycles for any model and method */
};

struct search {
    const struct tune_request *request;
    const struct tune_demand *demand;
    struct machine machine; /* a machine that supports reconfiguration if that has a price */
    struct traffic traffic; /* traffic of the current cut */
    size_t count;
    struct cut *cut; /* cut[MACHINE_SIZING_MAX_FLITS] */
};

/* Returns whether a machine on the network holds `packets` packets and `rows` rows. */
static bool holds(const struct search *search, uint64_t packets, uint32_t flits, uint64_t rows)
{
    if (packets > SCHEDULE_MAX_PACKETS || flits > MACHINE_SIZING_MAX_FLITS)
        return false;
    const struct schedule asked = {.packets = (uint32_t)packets, .end = rows};
    struct machine machine = search->request->machine;
    return machine_sizing_fit(&asked, flits, NULL, &machine, NULL);
}

/* -- Cuts -------------------------------------------------------------------------------------- */

/* Returns the cost of traffic with a cut, in cycles. */
static struct traffic_cost cost_of(const struct search *search, const struct cut *cut)
{
    return (struct traffic_cost){machine_row_cycles(&search->machine, cut->flits),
                                 search->demand->price};
}

/* The postal model pays the latency L once; a barrier pays it in every round. */
static uint64_t least_cycles(const struct search *search, const struct cut *cut)
{
    if (!search->demand->priced)
        return cut->load.degree * cut->flits + machine_latency(&search->machine);
    return traffic_makespan(&cut->load, cost_of(search, cut));
}

static bool append_cut(struct search *search, uint32_t packet_bytes, uint32_t flits,
                       struct err *err)
{
    struct cut *cut = &search->cut[search->count];
    *cut = (struct cut){.packet_bytes = packet_bytes, .flits = flits};
    traffic_cut(search->demand->bytes, packet_bytes, &search->traffic);
    if (!traffic_load(&search->traffic, &cut->load, err))
        return false;
    if (!holds(search, cut->load.packets, flits, cut->load.degree))
        return true;
    if (search->demand->priced && !traffic_load_settings(&search->traffic, &cut->load, err))
        return false;
    cut->least = least_cycles(search, cut);
    search->count++;
    return true;
}

static int by_least(const void *left, const void *right)
{
    const struct cut *a = left, *b = right;
    return compare_then(COMPARE(a->least, b->least), COMPARE(a->flits, b->flits));
}

/* Lists every F whose packets have more bytes than those of F - 1, up to the first F that holds
 * each entry in one packet, as far as machines hold as many packets as there are entries. */
static bool list_cuts(struct search *search, struct err *err)
{
    const struct traffic *bytes = search->demand->bytes;
    const unsigned width = search->request->machine.width;
    const uint32_t given = search->demand->packet_bytes;
    uint32_t largest = 0, before = 0;
    for (size_t k = 0; k < bytes->count; k++)
        largest = MAX(largest, bytes->entry[k].packets);
    if (given > 0)
        return append_cut(search, given, (uint32_t)bits_divide_up(given * UINT64_C(8), width), err);
    for (uint32_t flits = 1; before < largest && holds(search, bytes->count, flits, 1); flits++) {
        uint32_t now = flits * width / 8;
        if (now > before && !append_cut(search, now, flits, err))
            return false;
        before = now;
    }
    if (search->count > 0)
        qsort(search->cut, search->count, sizeof *search->cut, by_least);
    return true;
}

/* -- Rows -------------------------------------------------------------------------------------- */

static struct tune_row row_of(const struct cut *cut, const struct algorithm *algorithm,
                              enum model model)
{
    return (struct tune_row){.algorithm = algorithm,
                             .model = model,
                             .packets = (uint32_t)cut->load.packets,
                             .flits = cut->flits,
                             .packet_bytes = cut->packet_bytes,
                             .lambda = {1, 1},
                             .cycles = UINT64_MAX};
}

static void keep_best(const struct search *search, const struct tune_row *tried,
                      struct tune_row *best)
{
    if (tried->cycles < best->cycles && holds(search, tried->packets, tried->flits, tried->end))
        *best = *tried;
}

static void try_model(const struct search *search, const struct algorithm *algorithm,
                      enum model model, struct tune *tune)
{
    const struct machine *machine = &search->machine;
    struct tune_row best = {.cycles = UINT64_MAX};
    for (size_t k = 0; k < search->count && search->cut[k].least < best.cycles; k++) {
        const struct cut *cut = &search->cut[k];
        struct tune_row row = row_of(cut, algorithm, model);
        if (model_has_times(model))
            row.lambda = machine_lambda(machine, cut->flits);
        const struct collective asked = {.n = search->request->nodes,
                                         .m = 1,
                                         .kind = algorithm->kind,
                                         .model = model,
                                         .lambda = row.lambda,
                                         .load = cut->load};
        row.end = algorithm_end(algorithm, &asked);
        row.cycles = tune_cycles(machine, &row);
        keep_best(search, &row, &best);
    }
    if (best.algorithm != NULL)
        tune_insert(tune, &best);
}

/* Finds the settings with the same decomposition as `run`. */
static bool hold(struct search *search, const struct cut *cut, struct tune_row *row,
                 struct err *err)
{
    const struct tune_demand *demand = search->demand;
    const struct traffic_cost cost = cost_of(search, cut);
    struct decomposition made = {0};
    traffic_cut(demand->bytes, cut->packet_bytes, &search->traffic);
    if (!row->method->fits(&search->traffic))
        return true;
    if (!decompose(row->method, &search->traffic, cost, demand->seed, &made, err))
        return false;
    row->end = decomposition_rounds(&made);
    row->settings = made.count;
    row->cycles = decomposition_makespan(&made, cost);
    decomposition_free(&made);
    return true;
}

static bool try_method(struct search *search, const struct algorithm *algorithm,
                       const struct decompose_method *method, struct tune *tune, struct err *err)
{
    struct tune_row best = {.cycles = UINT64_MAX};
    for (size_t k = 0; k < search->count && k < TRIED && search->cut[k].least < best.cycles; k++) {
        struct tune_row row = row_of(&search->cut[k], algorithm, MODEL_SEND_RECEIVE);
        row.method = method;
        if (!hold(search, &search->cut[k], &row, err))
            return false;
        keep_best(search, &row, &best);
    }
    if (best.algorithm != NULL)
        tune_insert(tune, &best);
    return true;
}

static bool try_all(struct search *search, struct tune *tune, struct err *err)
{
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        for (unsigned model = 0; model < MODEL_COUNT; model++)
            if (!search->demand->priced && tune_asks(search->request, *entry, (enum model)model))
                try_model(search, *entry, (enum model)model, tune);
        if (!search->demand->priced || (*entry)->kind != search->request->kind)
            continue;
        for (const struct decompose_method *const *each = decompose_methods; *each != NULL; each++)
            if ((*each)->solver == NULL && !try_method(search, *entry, *each, tune, err))
                return false;
    }
    return true;
}

/* Computes a lower bound: a port accepts one flit per cycle, of one entry, and the last flit needs
 * L more cycles. A setting serves only one entry of a node. */
static bool bound(const struct search *search, uint64_t *cycles, struct err *err)
{
    const struct machine *machine = &search->machine;
    struct traffic_load load;
    if (!traffic_load(search->demand->bytes, &load, err))
        return false;
    uint64_t flits = bits_divide_up(load.degree * 8, machine->width);
    *cycles = MAX(flits, load.entries) + machine_latency(machine) +
              (search->demand->priced ? load.entries * search->demand->price : 0);
    return true;
}

static bool refuse(const struct search *search, struct err *err)
{
    const struct tune_request *request = search->request;
    char network[MACHINE_NETWORK_TEXT];
    if (search->count == 0)
        return err_set(err, ERR_TOO_SMALL,
                       "%s: %zu entries of %" PRIu64 " byte%s, which no machine of %s holds%s; "
                       "expected fewer",
                       search->demand->name, search->demand->bytes->count, request->bytes,
                       text_s(request->bytes), machine_network_name(&request->machine, network),
                       search->demand->packet_bytes > 0 ? " in such packets" : "");
    return err_set(err, ERR_ALGORITHM,
                   "no algorithm for traffic in the model %s on %s; expected another model",
                   model_name(*request->model), machine_network_name(&request->machine, network));
}

static bool search_all(struct search *search, struct tune *tune, struct err *err)
{
    size_t methods = 0;
    while (decompose_methods[methods] != NULL)
        methods++;
    search->cut = malloc(MACHINE_SIZING_MAX_FLITS * sizeof *search->cut);
    search->traffic.entry = malloc(search->demand->bytes->count * sizeof *search->traffic.entry);
    tune->row = calloc(MODEL_COUNT + methods, sizeof *tune->row);
    if (search->cut == NULL || search->traffic.entry == NULL || tune->row == NULL)
        return err_no_memory(err, "the cuts of traffic");
    return bound(search, &tune->bound, err) && list_cuts(search, err) &&
           try_all(search, tune, err) && (tune->count > 0 || refuse(search, err));
}

bool tune_traffic(const struct tune_request *request, const struct tune_demand *demand,
                  struct tune *tune, struct err *err)
{
    *tune = (struct tune){0};
    if (!tune_check(request, demand->name, err))
        return false;
    struct search search = {.request = request, .demand = demand, .machine = request->machine};
    search.machine.reconfigures = demand->priced;
    bool found = search_all(&search, tune, err);
    free(search.cut);
    free(search.traffic.entry);
    if (!found)
        tune_free(tune);
    return found;
}
