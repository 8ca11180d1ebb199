/* SPDX-License-Identifier: Apache-2.0 */
/* general: a schedule for any demands.
 *
 * On a complete graph each group of nodes that have no packet in common (demand_groups.h) is
 * scheduled separately, as the best of
 *
 *     a collective's own algorithms    if the demands of the group are those of a collective
 *     edge colouring                   if each packet goes to one node
 *     list schedules                   by several rules, then by randomly drawn rules (list.h)
 *
 * The first schedule that meets the group's lower bound ends the search. So no schedule takes
 * longer than the algorithm of the collective. If the groups together are then above their bound,
 * list schedules are tried in which nodes also forward packets that they do not want. If the fewest
 * rounds are requested, a solver then searches for a shorter schedule, in which nodes may do so too
 * (best.h).
 *
 * On another topology it is the best of the algorithms with the same demands and of
 * schedules in which packets take shortest routes, the packet with the most remaining work first
 * (network.c).
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/general/best.h"
#include "sched/algorithms/general/list.h"
#include "sched/base/compare.h"
#include "sched/bound/bound.h"
#include "sched/schedule/demand_groups.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Rules that are always tried. */
static const struct list_rule rules[] = {
    {64, 64, 64, 0, 4}, {64, 128, 16, 64, 4}, {128, 64, 8, 64, 4}, {16, 64, 128, 64, 4}};
#define RULES (sizeof rules / sizeof *rules)

/* Largest product of packets and nodes for which any node may forward packets it does not want. */
#define MOST_HELPED (UINT64_C(1) << 20)

static bool general_accepts(const struct collective *collective, struct err *err)
{
    const struct schedule *demands = collective->demands;
    if (demands == NULL)
        return err_set(err, ERR_ALGORITHM,
                       "{demands}: general requires a file of demands; expected its name");
    char titles[TOPOLOGY_TITLES];
    const struct topology complete = topology_complete(collective->n);
    const struct topology *topology =
        collective->topology != NULL ? collective->topology : &complete;
    if (!topology_equal(topology, &demands->topology))
        return err_set(err, ERR_ALGORITHM,
                       "general: demands of another topology; expected that of the schedule");
    if (schedule_data_packets(demands) != demands->packets)
        return err_set(err, ERR_ALGORITHM, "general: packets of control; expected demands of data");
    if (collective->exact && !topology_joins_all(topology))
        return err_set(err, ERR_ALGORITHM,
                       "{exact}: cannot solve for a %s; expected a complete graph",
                       topology_titles(titles));
    return !collective->exact || !model_has_times(collective->model) ||
           err_set(err, ERR_ALGORITHM,
                   "{exact}: cannot solve in the postal model; expected a model with rounds");
}

static uint64_t general_end(const struct collective *collective)
{
    (void)collective;
    return ALGORITHM_UNKNOWN;
}

static bool general_draws(unsigned method)
{
    (void)method;
    return true;
}

static struct list_rule draw_rule(bool help, struct rng *rng)
{
    return (struct list_rule){.receive = 1u << rng_below(rng, 8),
                              .send = 1u << rng_below(rng, 8),
                              .spread = 1u << rng_below(rng, 8),
                              .noise = 1u << rng_below(rng, 13),
                              .help = help ? 1u << rng_below(rng, 4) : 1};
}

/* The time that list schedules may take (0: unlimited) and have taken, by the estimate of
 * list.h. */
struct effort {
    uint64_t most, nanoseconds;
};

static bool spend(struct effort *effort, uint64_t nanoseconds, struct err *err)
{
    effort->nanoseconds += nanoseconds;
    return effort->most == 0 || effort->nanoseconds <= effort->most ||
           err_set(err, ERR_TOO_BIG, "general: a search of more than %" PRIu64 " ns; expected less",
                   effort->most);
}

/* Tries list schedules until one ends at the bound. E104, also if they exceed the effort. */
static bool search(const struct schedule *demands, bool help, struct rng *rng,
                   struct effort *effort, struct best *best, struct err *err)
{
    struct list *list = list_new(demands, help, err);
    bool kept = list != NULL;
    uint64_t drawn = kept ? BEST_WORK / list_work(list) : 0;
    uint64_t tries = RULES + MIN(drawn, BEST_DRAWN);
    for (uint64_t k = 0; kept && best->end > best->bound && k < tries; k++) {
        size_t count;
        if (!spend(effort, list_nanoseconds(list), err)) {
            kept = false;
            break;
        }
        uint64_t end = list_find(list, k < RULES ? rules[k] : draw_rule(help, rng), rng, best->end);
        const struct list_send *send = list_sends(list, &count);
        if (end < best->end)
            kept = best_keep(best, end, send, count, err);
    }
    list_free(list);
    return kept;
}

static bool schedule_group(const struct schedule *demands, uint64_t seed, struct effort *effort,
                           struct best *best, struct err *err)
{
    struct schedule known = {0};
    struct collective collective;
    struct rng rng = {seed};
    *best = (struct best){.end = UINT64_MAX};
    if (!schedule_collective(demands, &collective))
        return err_no_memory(err, "the collective of %zu demands", demands->demand_count);
    bool made = known_schedule(demands, &collective, &known, err) &&
                (known.transfer_count == 0 || best_take(best, &known, err));
    schedule_free(&known);
    best->bound = made ? bound_end(&collective) : 0;
    return made && search(demands, false, &rng, effort, best, err);
}

/* -- All groups, at the same time -------------------------------------------------------------- */

/* All sends, with the numbers of nodes and packets outside of their groups. */
struct merged {
    struct list_send *send;
    size_t count;
    uint64_t end;
    char by[BEST_BY]; /* name of the algorithm, if there is one group */
};

static void add_group(const struct demand_group *group, const struct best *best,
                      struct merged *merged)
{
    merged->end = MAX(merged->end, best->end);
    for (size_t k = 0; k < best->count; k++) {
        const struct transfer *inside = &best->send[k].transfer;
        merged->send[merged->count++] =
            (struct list_send){best->send[k].time,
                               {group->node[inside->source], group->node[inside->destination],
                                group->packet[inside->packet - 1]}};
    }
}

static bool add_groups(const struct demand_groups *groups, uint64_t seed, struct effort *effort,
                       struct merged *merged, struct err *err)
{
    size_t receipts = 0;
    for (size_t g = 0; g < groups->count; g++)
        receipts += groups->group[g].receipts;
    merged->send = malloc((receipts + 1) * sizeof *merged->send);
    bool made = merged->send != NULL || err_no_memory(err, "%zu packets to send", receipts);
    for (size_t g = 0; made && g < groups->count; g++) {
        struct best best;
        const struct demand_group *group = &groups->group[g];
        made = schedule_group(&group->demands, seed, effort, &best, err);
        if (made)
            add_group(group, &best, merged);
        if (made && groups->count == 1)
            memcpy(merged->by, best.by, sizeof best.by);
        free(best.send);
    }
    return made;
}

/* Schedules all groups together, so that nodes may forward packets that they do not want, and keeps
 * the result if it is shorter. */
static bool try_helpers(const struct collective *collective, const struct schedule *demands,
                        struct effort *effort, struct merged *merged, struct err *err)
{
    struct best best = {.end = merged->end, .bound = bound_end(collective)};
    struct rng rng = {collective->seed};
    if (merged->end <= best.bound || demands->nodes > PAIRS_MATCHED ||
        (uint64_t)demands->packets * demands->nodes > MOST_HELPED)
        return true;
    if (!search(demands, true, &rng, effort, &best, err)) {
        free(best.send);
        return false;
    }
    if (best.send != NULL) {
        free(merged->send);
        *merged = (struct merged){best.send, best.count, best.end, ""};
    }
    return true;
}

/* Replaces the schedule by one of the fewest possible rounds, if it is shorter. */
static bool make_fewest(const struct collective *collective, const struct schedule *demands,
                        struct merged *merged, struct err *err)
{
    struct list_send *send;
    size_t count;
    if (!exact_find(demands, bound_end(collective), &merged->end, &send, &count, err))
        return false;
    if (send == NULL)
        return true;
    free(merged->send);
    *merged = (struct merged){send, count, merged->end, ""};
    return true;
}

/* Adds the algorithm that built the schedule to the schedule's name. E104. */
static bool name_it(const char *by, struct schedule *schedule, struct err *err)
{
    char text[BEST_BY + 20];
    if (by[0] == '\0')
        return true;
    snprintf(text, sizeof text, "%s by %s", schedule->algorithm, by);
    char *named = strdup(text);
    if (named == NULL)
        return err_no_memory(err, "the name of an algorithm");
    free(schedule->algorithm);
    schedule->algorithm = named;
    return true;
}

static bool build_network(const struct collective *collective, struct schedule *schedule,
                          struct err *err)
{
    struct best best = {.end = UINT64_MAX};
    bool built = network_schedule(collective, schedule, &best, err) &&
                 best_append(best.send, best.count, schedule, err) &&
                 name_it(best.by, schedule, err);
    free(best.send);
    return built;
}

static bool general_build(const struct collective *collective, struct schedule *schedule,
                          struct err *err)
{
    if (!topology_joins_all(&schedule->topology))
        return build_network(collective, schedule, err);
    struct demand_groups groups = {0};
    struct merged merged = {0};
    struct effort effort = {.most = collective->most_nanoseconds};
    bool built = demand_groups_new(schedule, &groups, err) &&
                 add_groups(&groups, collective->seed, &effort, &merged, err) &&
                 try_helpers(collective, schedule, &effort, &merged, err) &&
                 (!collective->exact || make_fewest(collective, schedule, &merged, err)) &&
                 best_append(merged.send, merged.count, schedule, err) &&
                 name_it(merged.by, schedule, err);
    demand_groups_free(&groups);
    free(merged.send);
    return built;
}

const struct algorithm algorithm_general = {
    .name = "general",
    .summary =
        "any demands: by an algorithm that is made for them, or the most urgent packet first",
    .source = "list scheduling: Graham 1966",
    .models = MODELS_OF_PLAIN_NETWORKS,
    .kind = COLLECTIVE_DEMANDS,
    .draws = general_draws,
    .accepts = general_accepts,
    .end = general_end,
    .build = general_build,
};
