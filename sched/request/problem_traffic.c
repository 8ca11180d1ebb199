/* SPDX-License-Identifier: Apache-2.0 */
/* problem_traffic: traffic, the price of a change of settings, and the demands of a schedule. */
#include "sched/request/problem.h"
#include "sched/schedule/schedule.h"
#include "sched/traffic/traffic.h"
#include "sched/traffic/traffic_read.h"

#include <inttypes.h>

const char *problem_traffic_name(const struct problem *problem)
{
    if (problem->matrix != NULL || problem->entries != NULL)
        return problem->matrix != NULL ? "matrix" : "entries";
    return problem->pattern != NULL ? "pattern" : NULL;
}

const char *problem_traffic_source(const struct problem *problem)
{
    if (problem->matrix != NULL || problem->entries != NULL)
        return problem->matrix != NULL ? problem->matrix : problem->entries;
    return problem->pattern;
}

#define ANY_TRAFFIC "{matrix}, {entries} or {pattern}"

/* Checks that at most one of the fields for traffic is given, and the fields that require or
 * exclude traffic. */
static bool check_fields(const struct problem *problem, const struct collective *asked,
                         struct err *err)
{
    int given = (problem->matrix != NULL) + (problem->entries != NULL) + (problem->pattern != NULL);
    if (given > 1)
        return err_set(err, ERR_OPTION,
                       "{matrix}, {entries}, {pattern}: %d are given; expected one", given);
    if (problem->packet_bytes != 0 && given == 0)
        return err_set(err, ERR_OPTION, "{packet-bytes} requires " ANY_TRAFFIC);
    if (problem->total != 0 && problem->matrix == NULL && problem->entries == NULL)
        return err_set(err, ERR_OPTION, "{total} requires {matrix} or {entries}");
    if (problem->packet_bytes != 0 && problem->total != 0)
        return err_conflict(err, "total", "packet-bytes");
    if (given == 1 && asked->topology != NULL)
        return err_set(err, ERR_OPTION,
                       TOPOLOGY_FIELDS ": traffic is for a complete graph; expected none");
    if (given == 1 && asked->m != 0)
        return err_set(err, ERR_OPTION,
                       "{packets}: the traffic determines the packets; expected none");
    if (given == 1 && asked->source != 0)
        return err_set(err, ERR_OPTION,
                       "{source}: the traffic determines the senders; expected none");
    if (problem->pattern != NULL && asked->n < 2)
        return err_set(err, ERR_OPTION, "{pattern} requires {nodes}, 2 or more");
    return true;
}

static bool load(const struct problem *problem, uint32_t nodes, struct traffic *traffic,
                 struct err *err)
{
    const struct traffic_scale scale = {problem->packet_bytes, problem->total};
    if (problem->matrix != NULL)
        return traffic_read_matrix(problem->matrix, scale, traffic, err);
    if (problem->entries != NULL)
        return traffic_read_entries(problem->entries, scale, nodes, traffic, err);
    if (!traffic_make(problem->pattern, nodes, problem->seed, traffic, err))
        return false;
    if (scale.packet_bytes != 0)
        traffic_cut(traffic, (uint32_t)scale.packet_bytes, traffic);
    return true;
}

static bool check_price(const struct problem *problem, struct instance *instance, struct err *err)
{
    struct collective *asked = &instance->collective;
    uint32_t cycles;
    bool given = problem->reconfigure != NULL, traffic = problem_traffic_name(problem) != NULL;
    if (given && !traffic && !instance->priced_machine)
        return err_set(err, ERR_OPTION, "{reconfigure} requires " ANY_TRAFFIC);
    asked->priced = given && traffic && !instance->unweighed;
    bool read = machine_request_change(problem, &cycles, err);
    asked->cost.change = cycles;
    return read;
}

bool problem_traffic(const struct request *request, struct instance *instance, struct err *err)
{
    const struct problem *problem = &request->problem;
    struct collective *asked = &instance->collective;
    struct traffic *traffic = &instance->traffic;
    if (!check_fields(problem, asked, err) || !check_price(problem, instance, err))
        return false;
    if (problem_traffic_name(problem) == NULL)
        return true;
    if (!load(problem, asked->n, traffic, err))
        return false;
    if (asked->n != 0 && asked->n != traffic->nodes)
        return err_set(err, ERR_RANGE,
                       "{nodes}: %" PRIu32 "; expected %" PRIu32 ", the nodes of the traffic",
                       asked->n, traffic->nodes);
    asked->n = traffic->nodes;
    asked->m = 1;
    asked->kind = COLLECTIVE_TRAFFIC;
    asked->traffic = traffic;
    return traffic_load(traffic, &asked->load, err) &&
           (!asked->priced || traffic_load_settings(traffic, &asked->load, err));
}

/* Checks that no other field gives what the file of demands determines. */
static bool check_demands(const struct collective *asked, struct err *err)
{
    if (asked->traffic != NULL)
        return err_set(err, ERR_OPTION, "{demands} cannot be used together with " ANY_TRAFFIC);
    if (asked->topology != NULL)
        return err_set(err, ERR_OPTION,
                       TOPOLOGY_FIELDS ": {demands} determines the topology; expected none");
    return (asked->m == 0 && asked->source == 0) ||
           err_set(err, ERR_OPTION,
                   "{packets}, {source}: {demands} determines the packets and their sources; "
                   "expected neither");
}

static void take_demands(struct instance *instance)
{
    const struct schedule *schedule = &instance->demands;
    struct collective *asked = &instance->collective;
    asked->n = schedule->nodes;
    asked->m = 1;
    asked->kind = COLLECTIVE_DEMANDS;
    asked->demands = schedule;
    asked->topology = !topology_joins_all(&schedule->topology) ? &schedule->topology : NULL;
    asked->load.packets = schedule->packets;
}

bool problem_demands_of_traffic(struct instance *instance, struct err *err)
{
    const struct traffic *traffic = instance->collective.traffic;
    const struct topology complete = topology_complete(traffic->nodes);
    bool made = schedule_init_empty(&instance->demands, "traffic", &complete,
                                    instance->collective.model, err);
    for (size_t k = 0; made && k < traffic->count; k++) {
        const struct traffic_entry *entry = &traffic->entry[k];
        made = schedule_add_demand(&instance->demands, entry->packets, entry->source,
                                   &entry->destination, 1, err);
    }
    if (made)
        take_demands(instance);
    return made;
}

bool problem_demands(const struct request *request, struct instance *instance, struct err *err)
{
    const char *file = request->problem.demands;
    struct schedule *schedule = &instance->demands;
    struct collective *asked = &instance->collective;
    if (file == NULL)
        return true;
    if (!check_demands(asked, err) || !schedule_file_read(file, schedule, err))
        return false;
    if (asked->n != 0 && asked->n != schedule->nodes)
        return err_set(err, ERR_RANGE,
                       "{nodes}: %" PRIu32 "; expected %" PRIu32 ", the nodes of the demands",
                       asked->n, schedule->nodes);
    take_demands(instance);
    if (!instance->has_model && asked->lambda.denominator == 0) {
        asked->model = schedule->model;
        if (model_has_times(schedule->model))
            asked->lambda = schedule->lambda;
    }
    return true;
}
