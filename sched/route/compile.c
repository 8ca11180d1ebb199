/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/compile.h"

#include "sched/base/compare.h"
#include "sched/base/text.h"
#include "sched/image/packet_header.h"
#include "sched/machine/clock.h"
#include "sched/machine/machine.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/partial_results.h"
#include "sched/route/ports_to_nodes.h"
#include "sched/route/rewrite.h"
#include "sched/route/route.h"

#include <inttypes.h>

/* Checks that packets can be combined in the postal model: λ leaves a cycle for it, and a packet
 * has two flits or more. */
static bool check_combined(struct rational lambda, uint32_t flits, struct err *err)
{
    if (lambda.numerator == lambda.denominator)
        return err_set(err, ERR_NETWORK,
                       "{lambda}: 1 leaves no cycle to combine packets; expected more than 1");
    return flits >= MACHINE_COMBINE_FLITS ||
           err_set(err, ERR_NETWORK,
                   "{flits}: %" PRIu32
                   "; expected at least %d, because a reduction without barriers reads a flit one "
                   "cycle before it stores the result",
                   flits, MACHINE_COMBINE_FLITS);
}

/* Makes the flits, the registers and λ of the postal model agree: those that are not given follow
 * from the others. */
static bool fit_lambda(const struct compile_request *request, struct rational *lambda,
                       uint32_t needed, struct machine *machine, uint32_t *flits, struct err *err)
{
    const bool is_free = lambda->denominator == 0;
    *flits = needed;
    if (is_free)
        *lambda = machine_lambda(machine, needed);
    if (machine->combines && !check_combined(*lambda, needed, err))
        return false;
    const struct clock_request asked = {.lambda = *lambda,
                                        .needed = needed,
                                        .given = request->flits,
                                        .shrink = request->payload == NULL};
    if (is_free)
        return true;
    return (request->has_latency ? clock_flits(machine, &asked, flits, err)
                                 : clock_registers(machine, &asked, flits, err)) &&
           (!machine->combines || check_combined(*lambda, *flits, err));
}

/* Indexed by topology: the function that rewrites a schedule as one of a complete graph, so that it
 * runs on a multistage network, too; NULL if there is none. */
static bool (*const lowers[TOPOLOGY_KINDS])(const struct schedule *schedule,
                                            struct schedule *complete, struct err *err) = {
    [TOPOLOGY_HYPERCUBE] = hypercube_to_rounds};

/* Returns whether machines of that kind run schedules of the topology. */
static bool runs_on(enum topology_kind topology, const struct machine_kind_row *row)
{
    return row->topology == topology || (lowers[topology] != NULL && !row->hops);
}

/* Returns the default kind of machine for a topology: the first in the table. Precondition:
 * has_machine. */
static enum machine_kind usual_kind(enum topology_kind topology)
{
    unsigned kind = 0;
    while (machine_kind_rows[kind].topology != topology)
        kind++;
    return (enum machine_kind)kind;
}

/* Returns whether machines of some kind run schedules of the topology. */
static bool has_machine(enum topology_kind topology)
{
    bool runs = false;
    for (unsigned kind = 0; kind < MACHINE_KINDS; kind++)
        runs = runs || runs_on(topology, &machine_kind_rows[kind]);
    return runs;
}

/* Writes the networks that run schedules of a topology: "fat-tree or fat-tree-auto", "cube,
 * cube-auto, or a multistage network". Returns text. */
static const char *expected_networks(enum topology_kind topology, char text[MACHINE_NETWORKS_TEXT])
{
    if (topology_rows[topology]->joins == NULL)
        return machine_networks_text(true, text);
    const char *name[MACHINE_KINDS + 1], *last = " or ";
    size_t count = 0;
    for (unsigned kind = 0; kind < MACHINE_KINDS; kind++)
        if (machine_kind_rows[kind].topology == topology)
            name[count++] = machine_kind_rows[kind].name;
    if (lowers[topology] != NULL) {
        name[count++] = "a multistage network";
        last = ", or ";
    }
    return text_list(name, count, last, text, MACHINE_NETWORKS_TEXT);
}

/* Sets the network that was requested, or the smallest network for the schedule's topology. */
static bool choose_network(const struct compile_request *request,
                           const struct collective *collective, struct machine *machine,
                           struct err *err)
{
    enum topology_kind kind = collective_topology_kind(collective);
    char expected[MACHINE_NETWORKS_TEXT];
    if (!has_machine(kind))
        return err_set(
            err, ERR_UNSUPPORTED,
            "no machine is wired as a %s; expected another topology: 'schedule', 'plan', "
            "'bound' and 'verify' accept it",
            topology_rows[kind]->title);
    if (request->has_network && !runs_on(kind, machine_row(machine)))
        return err_set(err, ERR_NETWORK,
                       "{network}: its topology is not the schedule's; expected %s",
                       expected_networks(kind, expected));
    if (!request->has_network)
        machine->kind = usual_kind(kind);
    if (machine_hops(machine) && machine->reconfigures)
        return machine_check_reconfig(machine, err);
    if (machine->reconfigures && model_has_times(collective->model))
        return err_set(err, ERR_NETWORK,
                       "{reconfigure}: packets of the model %s are under way in several rows; "
                       "expected a model of rounds",
                       model_name(collective->model));
    if (machine_hops(machine) && machine_has_run_packets(machine))
        return err_set(err, ERR_NETWORK,
                       "{settings}, {programs}: apply only to multistage networks");
    if (machine_hops(machine)) {
        machine->topology = *collective->topology;
        if (machine_has_node_memories(machine))
            topology_remove_routers(&machine->topology);
    } else if (!request->has_network) {
        uint32_t ports = UINT32_C(1) << machine_sizing_log2(collective_endpoints(collective));
        machine->network = multistage_supporting(model_copies(collective->model),
                                                 model_combines(collective->model), ports);
        machine->pipe = 1;
    }
    return machine_check_width(machine, err) && machine_check_settings(machine, err) &&
           machine_check_reconfig(machine, err) && machine_check_ranges(machine, err) &&
           machine_check_combines(machine, err);
}

/* Returns the number of packets for which a machine is sized: at least one, also for an empty
 * schedule. */
static uint32_t machine_packets(uint64_t packets)
{
    return packets == 0 ? 1 : (uint32_t)packets;
}

/* Checks that operators are requested for a reduction only, and that its operator is built. */
static bool check_operators(const struct compile_request *request,
                            const struct collective *collective, struct err *err)
{
    const struct machine *machine = &request->machine;
    char built[MACHINE_OPERATORS_TEXT];
    const char *name = collective_name(collective->kind);
    if (collective_rows[collective->kind].combined)
        return machine->operators == 0 || machine->operators >> request->operation & 1 ||
               err_set(err, ERR_OPTION,
                       "{combine}: %s is not built; expected %s, as in {operators}, or {operators} "
                       "with it",
                       machine_operator_name(request->operation),
                       machine_operators_text(machine->operators, built));
#define REFUSE ": %s combines no packets; expected a reduction, such as all-reduce"
    if (request->has_operator)
        return err_set(err, ERR_OPTION, "{combine}" REFUSE, name);
    return !request->has_operators || err_set(err, ERR_OPTION, "{operators}" REFUSE, name);
#undef REFUSE
}

bool compile_machine(const struct compile_request *request, struct collective *collective,
                     struct machine *machine, struct payload *payload, struct err *err)
{
    *machine = request->machine;
    *payload = (struct payload){0};
    machine->combines = collective_rows[collective->kind].combined;
    if (!check_operators(request, collective, err))
        return false;
    if (collective_endpoints(collective) > SCHEDULE_MAX_NODES)
        return err_set(err, ERR_RANGE, "{ports}: %" PRIu64 " in all; expected at most %" PRIu32,
                       collective_endpoints(collective), SCHEDULE_MAX_NODES);
    if (collective->topology != NULL && collective->topology->any)
        return err_set(
            err, ERR_UNSUPPORTED,
            "{parents}: no machine has routers of different sizes at one level; expected "
            "{tree}: 'schedule' and 'verify' accept {parents}");
    if (collective->source >= collective->n)
        return err_set(err, ERR_UNSUPPORTED,
                       "{source}: a router has no endpoint to load packets into; expected a "
                       "processor: 'schedule' and 'verify' accept it");
    if (!choose_network(request, collective, machine, err))
        return false;
    uint64_t packets = collective_packets(collective);
    if (packets > SCHEDULE_MAX_PACKETS)
        return err_set(err, ERR_RANGE, "%" PRIu64 " packet%s; expected 1 … %" PRIu32, packets,
                       text_s(packets), SCHEDULE_MAX_PACKETS);
    uint32_t count = machine_packets(packets), shares = machine->combines ? collective->n : 1;
    if ((uint64_t)count * shares > SCHEDULE_MAX_PACKETS)
        return err_set(err, ERR_RANGE,
                       "%" PRIu32 " packet%s of %" PRIu32 " nodes; expected at most %" PRIu32
                       " in all",
                       count, text_s(count), shares, SCHEDULE_MAX_PACKETS);
    const struct payload_cut cut = {request, machine, count * shares, shares,
                                    payload_cut_most(request, machine, count, err)};
    uint32_t flits;
    bool loaded = cut.most > 0 && payload_cut_read(&cut, payload, &flits, err) &&
                  (!model_has_times(collective->model) ||
                   fit_lambda(request, &collective->lambda, flits, machine, &flits, err)) &&
                  payload_cut_pack(&cut, flits, payload, err);
    if (!loaded)
        payload_free(payload);
    return loaded;
}

bool compile_round_cycles(const struct compile_request *request,
                          const struct collective *collective, uint32_t *cycles, struct err *err)
{
    struct machine machine = request->machine;
    struct payload none = {0};
    uint32_t count = machine_packets(MIN(collective_packets(collective), SCHEDULE_MAX_PACKETS));
    uint32_t flits;
    if (!choose_network(request, collective, &machine, err) ||
        (request->has_network &&
         !machine_sizing_check_ports((uint32_t)collective_endpoints(collective), &machine, err)))
        return false;
    /* A machine has at most MACHINE_MAX_PORTS ports; with more nodes the flits default as usual. */
    bool is_built = collective->n <= MACHINE_MAX_PORTS;
    uint32_t most =
        is_built ? payload_cut_most(request, &machine, count, err) : MACHINE_SIZING_MAX_FLITS;
    const struct payload_cut cut = {request, &machine, count, 1, most};
    if (!payload_cut_read(&cut, &none, &flits, err))
        return false;
    *cycles = machine_row_cycles(&machine, flits);
    return true;
}

bool compile_machine_of(const struct compile_request *request, const struct schedule *schedule,
                        struct machine *machine, struct payload *payload, struct err *err)
{
    struct collective collective = {.n = schedule->nodes,
                                    .m = schedule_data_packets(schedule),
                                    .kind = schedule->has_reductions ? COLLECTIVE_REDUCE
                                                                     : COLLECTIVE_BROADCAST,
                                    .model = schedule->model,
                                    .lambda = schedule->lambda,
                                    .ports = schedule->ports,
                                    .topology = &schedule->topology};
    return machine_sizing_check_sources(schedule, err) &&
           compile_machine(request, &collective, machine, payload, err);
}

/* Rewrites the schedule if the chosen machine requires it. */
static bool lower_if_needed(const struct machine *machine, struct schedule *schedule,
                            struct err *err)
{
    bool (*lower)(const struct schedule *, struct schedule *, struct err *) =
        schedule->ports > 1 ? ports_to_nodes : lowers[schedule->topology.kind];
    if (lower == NULL || machine_hops(machine))
        return true;
    if (schedule->has_reductions && schedule->ports > 1)
        return err_set(err, ERR_UNSUPPORTED,
                       "network: each port of a node becomes an endpoint, and endpoints do not "
                       "combine into the partial results of other endpoints; expected a reduction "
                       "with one port");
    struct schedule lowered = {0};
    if (!lower(schedule, &lowered, err))
        return false;
    schedule_free(schedule);
    *schedule = lowered;
    return true;
}

/* Splits the rounds that an omega network blocks, if the request asks for it. */
static bool split_if_asked(const struct compile_request *request, const struct machine *machine,
                           struct schedule *schedule, struct split_report *splitted,
                           struct err *err)
{
    if (!request->split)
        return true;
    if (!multistage_blocks(&machine->network))
        return err_set(err, ERR_NETWORK, "{split}: applies only to omega networks");
    if (!machine_sizing_check_ports(schedule->nodes, machine, err))
        return false;
    struct schedule split = {0};
    if (!split_schedule(schedule, &machine->network, &split, splitted, err))
        return false;
    schedule_free(schedule);
    *schedule = split;
    return true;
}

/* Sets the memory sizes that were requested, or those that the schedule needs. */
static bool fit(const struct compile_request *request, const struct schedule *schedule,
                uint32_t flits, struct machine *machine, struct err *err)
{
    static const struct machine common = {.log2_packets = MACHINE_SIZING_MIN_LOG2_PACKETS,
                                          .log2_flits = MACHINE_SIZING_MIN_LOG2_FLITS,
                                          .log2_rows = MACHINE_SIZING_MIN_LOG2_ROWS};
    struct err too_large = {0};
    if (!request->has_memory && machine_sizing_fit(schedule, flits, &common, machine, &too_large))
        return true;
    if (!request->has_memory && too_large.code != ERR_TOO_BIG)
        return machine_sizing_fit(schedule, flits, NULL, machine, err);
    if (!request->has_memory)
        return err_copy(err, &too_large);
    return (!machine_hops(machine) || machine_sizing_fit_routers(schedule, false, machine, err)) &&
           (!machine->ranges || machine_sizing_fit_splits(schedule, false, machine, err)) &&
           (!machine_has_setting_period(machine) ||
            machine_sizing_fit_settings(schedule, false, machine, err));
}

bool compile_rewrite(const struct compile_request *request, const struct machine *machine,
                     struct schedule *schedule, struct split_report *splitted, struct err *err)
{
    return partial_results_check("the schedule", schedule, err) &&
           (!machine_hops(machine) ||
            partial_results_check_kept("the schedule", schedule, machine, err)) &&
           (machine_has_node_memories(machine)
                ? partial_results_check_arcs("the schedule", schedule, err)
                : partial_results_check_links("the schedule", schedule, err)) &&
           lower_if_needed(machine, schedule, err) &&
           split_if_asked(request, machine, schedule, splitted, err);
}

bool compile_schedule(const struct compile_request *request, const struct schedule *schedule,
                      struct payload *payload, struct machine *machine, struct image *image,
                      struct err *err)
{
    machine->shared = schedule->topology.shared;
    machine->keeps_own = machine->combines && partial_results_two(schedule);
    if (!fit(request, schedule, payload->flits, machine, err) || !machine_check(machine, err) ||
        !packet_header_write(schedule, machine, payload, err) ||
        !route_schedule(schedule, machine, payload, image, err))
        return false;
    if (machine->reconfigures)
        route_reconfigure(image, request->reconfigure);
    if (machine->combines)
        route_operator(image, request->operation);
    return true;
}
