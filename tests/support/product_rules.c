/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/product_rules.h"

#include "sched/base/compare.h"

#include <string.h>

#define IDLE UINT32_MAX
#define MAX_PORTS PRODUCT_MAX_PORTS

/* -- The circuits of a row, from the schedule -------------------------------------------------- */

static bool timed(const struct product_point *point)
{
    return point->schedule.model == MODEL_POSTAL || point->schedule.model == MODEL_FABRIC_POSTAL;
}

/* The row in which step k begins, and how many rows its packets take. */
static uint64_t row_of(const struct product_point *point, size_t k)
{
    return timed(point) ? point->schedule.step[k].time : point->schedule.step[k].time - 1;
}

static uint64_t rows_of_packet(const struct product_point *point)
{
    return timed(point) ? point->schedule.lambda.denominator : 1;
}

/* Returns whether step k is active in a row. */
bool product_is_active(const struct product_point *point, size_t k, uint64_t row)
{
    return row_of(point, k) <= row && row < row_of(point, k) + rows_of_packet(point);
}

bool product_continues(const struct product_point *point, size_t k, uint64_t row)
{
    return row_of(point, k) < row;
}

/* to[ports] of a row, by sender; the last of several. */
static void circuits_of(const struct product_point *point, uint64_t row, uint32_t to[MAX_PORTS])
{
    for (uint32_t port = 0; port < MAX_PORTS; port++)
        to[port] = IDLE;
    for (size_t k = 0; k < point->schedule.step_count; k++)
        for (size_t t = point->schedule.step[k].first;
             product_is_active(point, k, row) && t < schedule_step_end(&point->schedule, k); t++)
            to[point->schedule.transfer[t].source] = point->schedule.transfer[t].destination;
}

/* Returns whether the circuits of all rows satisfy a rule. */
static bool all_rows(const struct product_point *point,
                     bool (*rule)(uint32_t ports, const uint32_t to[MAX_PORTS]))
{
    bool keep = true;
    for (uint64_t row = 0; keep && row < point->schedule.end; row++) {
        uint32_t to[MAX_PORTS];
        circuits_of(point, row, to);
        keep = rule(point->ports, to);
    }
    return keep;
}

/* Returns whether all settings satisfy a rule. A setting lasts until a row has another circuit for
 * a port. */
static bool all_settings(const struct product_point *point,
                         bool (*rule)(uint32_t ports, const uint32_t to[MAX_PORTS]))
{
    uint32_t all[MAX_PORTS], to[MAX_PORTS];
    bool keep = true;
    memset(all, 0xff, sizeof all);
    if (!point->request.machine.reconfigures)
        return all_rows(point, rule);
    for (uint64_t row = 0; keep && row < point->schedule.end; row++) {
        bool differ = false;
        circuits_of(point, row, to);
        for (uint32_t a = 0; a < MAX_PORTS; a++)
            for (uint32_t b = 0; b < MAX_PORTS && all[a] != IDLE; b++)
                differ = differ || (to[b] != IDLE && (a == b) != (all[a] == to[b]));
        if (differ)
            memset(all, 0xff, sizeof all);
        for (uint32_t port = 0; port < MAX_PORTS; port++)
            all[port] = to[port] != IDLE ? to[port] : all[port];
        keep = rule(point->ports, all);
    }
    return keep;
}

static bool is_power(uint32_t ports)
{
    return (ports & (ports - 1)) == 0;
}

static bool agrees(uint32_t ports, const uint32_t to[MAX_PORTS], const uint32_t map[MAX_PORTS])
{
    for (uint32_t port = 0; port < ports; port++)
        if (to[port] != IDLE && to[port] != map[port])
            return false;
    return true;
}

/* Returns whether a round is part of a cyclic shift, or of a complement of 2^k ports. */
static bool has_tag(uint32_t ports, const uint32_t to[MAX_PORTS])
{
    for (uint32_t by = 0; by < ports; by++) {
        uint32_t shift[MAX_PORTS], complement[MAX_PORTS];
        for (uint32_t port = 0; port < ports; port++) {
            shift[port] = (port + by) % ports;
            complement[port] = port ^ by;
        }
        if (agrees(ports, to, shift) || (is_power(ports) && agrees(ports, to, complement)))
            return true;
    }
    return false;
}

/* A part of a permutation x → Ax + c of the bits of 2, 4 or 8 ports: all images of 1, 2, 4 and 0
 * are tried. */
static bool has_mask(uint32_t ports, const uint32_t to[MAX_PORTS])
{
    for (uint32_t choice = 0; choice < ports * ports * ports * ports; choice++) {
        uint32_t constant = choice % ports, seen = 0, map[MAX_PORTS];
        const uint32_t image[] = {choice / ports % ports, choice / ports / ports % ports,
                                  choice / ports / ports / ports};
        for (uint32_t port = 0; port < ports; port++) {
            map[port] = constant ^ (port & 1 ? image[0] : 0) ^ (port & 2 ? image[1] : 0) ^
                        (port & 4 ? image[2] : 0);
            seen |= 1u << map[port];
        }
        if (seen == (1u << ports) - 1 && agrees(ports, to, map))
            return true;
    }
    return false;
}

/* An omega network passes a round if all its circuits are on different lanes after each stage. A
 * lane's number has the first bits of the destination and the other bits of the source. */
static bool passes_omega(uint32_t ports, const uint32_t to[MAX_PORTS])
{
    for (uint32_t weight = ports / 2; weight > 0; weight /= 2) {
        uint32_t used = 0;
        for (uint32_t port = 0; port < ports; port++) {
            uint32_t lane = to[port] / weight * weight + port % weight;
            if (to[port] == IDLE)
                continue;
            if (used >> lane & 1)
                return false;
            used |= 1u << lane;
        }
    }
    return true;
}

/* -- Computed programs ------------------------------------------------------------------------- */

/* The packet that a node sends (receives) in a row, 0: none. */
static uint32_t packet_of(const struct product_point *point, uint64_t row, uint32_t node,
                          bool sends)
{
    for (size_t k = 0; k < point->schedule.step_count; k++)
        for (size_t t = point->schedule.step[k].first;
             row_of(point, k) == row && t < schedule_step_end(&point->schedule, k); t++) {
            const struct transfer *transfer = &point->schedule.transfer[t];
            if ((sends ? transfer->source : transfer->destination) == node)
                return transfer->packet;
        }
    return 0;
}

/* Is there an entry from which a node knows its packet in every row of a setting phase: a number
 * that grows by the period from turn to turn, no packet below 1, the last packet after it? */
static bool has_entry(const struct product_point *point, uint32_t period, uint32_t first,
                      uint32_t setting_phase, uint32_t node, bool sends)
{
    int64_t packets = point->schedule.packets, rows = (int64_t)point->schedule.end;
    bool never = true;
    for (int64_t entry = -rows - period; entry <= packets; entry++) {
        bool fits = true;
        for (int64_t row = 0; row < rows; row++) {
            int64_t at = first + row, packet = entry + at / period * period;
            if (at % period != setting_phase)
                continue;
            int64_t seen = packet_of(point, (uint64_t)row, node, sends);
            never = never && seen == 0;
            fits = fits && seen == (packet < 1 ? 0 : MIN(packet, packets));
        }
        if (fits)
            return true;
    }
    return never;
}

static uint32_t period_of(const struct product_point *point)
{
    uint32_t period = 0;
    while (1u << period < point->schedule.nodes)
        period++;
    return period > 0 ? period : 1;
}

static bool can_compute(const struct product_point *point)
{
    uint32_t period = period_of(point), n = point->schedule.nodes, m = point->schedule.packets;
    uint32_t first = (period - (m - 1) % period) % period;
    for (uint32_t setting_phase = 0; setting_phase < period; setting_phase++)
        for (uint32_t node = 0; node < n; node++)
            if (!has_entry(point, period, first, setting_phase, node, true) ||
                !has_entry(point, period, first, setting_phase, node, false))
                return false;
    return true;
}

/* -- Ranges ------------------------------------------------------------------------------------ */

/* A node that knows only the range that it received: it serves the nodes after it up to `last`. */
struct splitter {
    uint32_t last, has, next, to;
    uint64_t arrival[3], ready; /* of packets 1 and 2; when it may send again */
};

/* Makes a transfer of a node, if it is what the node would send; kept[size]: how the ranges of that
 * size were split before. */
static bool splits(const struct product_point *point, const struct transfer *transfer, uint64_t row,
                   struct splitter node[MAX_PORTS], uint32_t kept[MAX_PORTS + 1])
{
    const struct schedule *schedule = &point->schedule;
    struct splitter *from = &node[transfer->source], *to = &node[transfer->destination];
    const uint32_t given = transfer->destination - transfer->source;
    if (from->next == 1) {
        const uint32_t size = from->last - transfer->source + 1;
        if (transfer->destination <= transfer->source || transfer->destination > from->last ||
            (kept[size] != 0 && kept[size] != given))
            return false;
        kept[size] = given;
        from->to = transfer->destination;
        to->last = from->last;
    }
    if (transfer->destination != from->to || transfer->packet != from->next ||
        to->has != transfer->packet - 1)
        return false;
    to->has = transfer->packet;
    to->arrival[to->has] = row + (timed(point) ? schedule->lambda.numerator : 1);
    from->ready = row + rows_of_packet(point);
    if (from->next++ == schedule->packets) {
        from->next = 1;
        from->last = from->to - 1;
    }
    return true;
}

static bool is_due(const struct splitter *node, uint32_t number, uint64_t row)
{
    return node->last > number && node->has >= node->next && node->arrival[node->next] <= row &&
           node->ready <= row;
}

/* Returns whether each node sends exactly when it has something to send. */
static bool splits_row(const struct product_point *point, uint64_t row,
                       struct splitter node[MAX_PORTS], uint32_t kept[MAX_PORTS + 1])
{
    bool due[MAX_PORTS];
    for (uint32_t v = 0; v < point->schedule.nodes; v++)
        due[v] = is_due(&node[v], v, row);
    for (size_t k = 0; k < point->schedule.step_count; k++)
        for (size_t t = point->schedule.step[k].first;
             row_of(point, k) == row && t < schedule_step_end(&point->schedule, k); t++) {
            const struct transfer *transfer = &point->schedule.transfer[t];
            if (!due[transfer->source] || !splits(point, transfer, row, node, kept))
                return false;
            due[transfer->source] = false;
        }
    for (uint32_t v = 0; v < point->schedule.nodes; v++)
        if (due[v])
            return false;
    return true;
}

static bool can_split(const struct product_point *point)
{
    const struct schedule *schedule = &point->schedule;
    struct splitter node[MAX_PORTS] = {{0}};
    uint32_t kept[MAX_PORTS + 1] = {0};
    if (schedule->demand_count != 1 || schedule->demand[0].wanted_count != 0 ||
        schedule->demand[0].source != 0 || schedule->packets > 2 ||
        schedule->model == MODEL_FABRIC_POSTAL || schedule->model == MODEL_FABRIC_MULTICAST)
        return false;
    for (uint32_t v = 0; v < schedule->nodes; v++)
        node[v] = (struct splitter){.last = v, .next = 1};
    node[0].last = schedule->nodes - 1;
    node[0].has = schedule->packets;
    for (uint64_t row = 0; row < schedule->end; row++)
        if (!splits_row(point, row, node, kept))
            return false;
    for (uint32_t v = 0; v < schedule->nodes; v++)
        if (node[v].has != schedule->packets || node[v].last != v)
            return false;
    return true;
}

/* -- The rules --------------------------------------------------------------------------------- */

bool product_begins(const struct product_point *point, const char *word)
{
    return strncmp(point->network, word, strlen(word)) == 0;
}

static bool is_tags(const struct product_point *point)
{
    return point->request.machine.settings == MACHINE_TAGS;
}

static bool is_masks(const struct product_point *point)
{
    return point->request.machine.settings == MACHINE_MASKS;
}

static bool is_plain_benes(const struct product_point *point)
{
    return product_begins(point, "benes:") &&
           (strstr(point->network, "radix=") == NULL || strstr(point->network, "radix=2") != NULL);
}

static bool of_another_topology(const struct product_point *point)
{
    switch (point->algorithm->topology) {
    case TOPOLOGY_COMPLETE:
        return point->is_hops;
    case TOPOLOGY_TREE:
        return !product_begins(point, "fat-tree");
    default:
        return product_begins(point, "fat-tree");
    }
}

static bool routers_with_settings(const struct product_point *point)
{
    return point->is_hops && (point->request.machine.settings != MACHINE_FULL ||
                              point->request.machine.computed || point->request.machine.ranges);
}

static bool tags_elsewhere(const struct product_point *point)
{
    return is_tags(point) && !is_plain_benes(point);
}

static bool masks_elsewhere(const struct product_point *point)
{
    return is_masks(point) && !(is_plain_benes(point) && is_power(point->ports));
}

static bool split_of_what_passes(const struct product_point *point)
{
    return point->request.split && !point->blocks;
}

static bool split_of_a_model(const struct product_point *point)
{
    enum model model = point->collective.model;
    return point->request.split && point->blocks &&
           (model == MODEL_POSTAL || model == MODEL_FABRIC_POSTAL ||
            model == MODEL_FABRIC_MULTICAST);
}

static bool copies_elsewhere(const struct product_point *point)
{
    enum model model = point->collective.model;
    return (model == MODEL_FABRIC_POSTAL || model == MODEL_FABRIC_MULTICAST) && !point->copies;
}

static bool too_few_ports(const struct product_point *point)
{
    return !point->is_hops && point->collective.n > point->ports;
}

static bool is_blocked(const struct product_point *point)
{
    return point->blocks && !too_few_ports(point) && !all_rows(point, passes_omega);
}

static bool without_tag(const struct product_point *point)
{
    return is_tags(point) && is_plain_benes(point) && !too_few_ports(point) &&
           !all_settings(point, has_tag);
}

static bool without_mask(const struct product_point *point)
{
    return is_masks(point) && is_plain_benes(point) && is_power(point->ports) &&
           !too_few_ports(point) && !all_settings(point, has_mask);
}

static bool without_ranges(const struct product_point *point)
{
    return point->request.machine.ranges && !point->is_hops && !too_few_ports(point) &&
           !can_split(point);
}

static bool computed_without_rounds(const struct product_point *point)
{
    return point->request.machine.computed && !point->is_hops &&
           (timed(point) || point->schedule.packets == 0);
}

static bool not_computed(const struct product_point *point)
{
    return point->request.machine.computed && !point->is_hops && !computed_without_rounds(point) &&
           !too_few_ports(point) && !can_compute(point);
}

/* Can all rows of a setting phase, `setting_phase`, `setting_phase` + period, …, have one setting?
 * */
static bool setting_phase_has_setting(const struct product_point *point, uint32_t setting_phase,
                                      uint32_t period)
{
    uint32_t all[MAX_PORTS], to[MAX_PORTS], from[MAX_PORTS];
    circuits_of(point, setting_phase, all);
    for (uint64_t row = setting_phase; row < point->schedule.end; row += period) {
        circuits_of(point, row, to);
        for (uint32_t port = 0; port < point->ports; port++) {
            bool both = all[port] != IDLE && to[port] != IDLE;
            if (both && all[port] != to[port])
                return false;
            all[port] = to[port] != IDLE ? to[port] : all[port];
        }
    }
    memset(from, 0xff, sizeof from);
    for (uint32_t port = 0; port < point->ports; port++)
        if (all[port] != IDLE && from[all[port]] != IDLE)
            return false;
        else if (all[port] != IDLE)
            from[all[port]] = port;
    return (!is_tags(point) || has_tag(point->ports, all)) &&
           (!is_masks(point) || has_mask(point->ports, all)) &&
           (!point->blocks || passes_omega(point->ports, all));
}

static bool without_repetition(const struct product_point *point)
{
    uint32_t period = period_of(point);
    if (!point->request.machine.computed || point->request.machine.settings == MACHINE_FULL ||
        point->is_hops || too_few_ports(point) || computed_without_rounds(point))
        return false;
    bool repeats = true;
    for (uint32_t setting_phase = 0; repeats && setting_phase < period; setting_phase++)
        repeats = setting_phase_has_setting(point, setting_phase, period);
    return !repeats;
}

/* A row has the setting that was found for it first, whether or not another one would serve its
 * whole setting phase. */
static bool setting_period_differ(const struct product_point *point)
{
    uint32_t period = period_of(point), to[MAX_PORTS], before[MAX_PORTS];
    bool differ = false;
    for (uint64_t row = period; !differ && row < point->schedule.end; row++) {
        circuits_of(point, row, to);
        circuits_of(point, row - period, before);
        differ = memcmp(to, before, sizeof to) != 0;
    }
    return differ;
}

static bool reconfig_by_routers(const struct product_point *point)
{
    return point->request.machine.reconfigures && point->is_hops;
}

static bool reconfig_without_rounds(const struct product_point *point)
{
    return point->request.machine.reconfigures && timed(point);
}

static bool by_a_rule_of_routers(const struct product_point *point)
{
    return product_begins(point, "fat-tree-auto") || product_begins(point, "cube-auto");
}

const struct product_rule product_rules[PRODUCT_RULES] = {
    {ERR_NETWORK, "network: its topology is not", of_another_topology, NULL},
    {ERR_NETWORK, "settings, programs: apply only to multistage", routers_with_settings, NULL},
    {ERR_NETWORK, "settings: tags require another network", tags_elsewhere, NULL},
    {ERR_NETWORK, "settings: masks require another network", masks_elsewhere, NULL},
    {ERR_NETWORK, "split: applies only to omega", split_of_what_passes, NULL},
    {ERR_UNSUPPORTED, "split: the schedule has the model", split_of_a_model, NULL},
    {ERR_NETWORK, "does not copy packets", copies_elsewhere, NULL},
    {ERR_TOO_SMALL, " ports for ", too_few_ports, NULL},
    {ERR_BLOCKED, "expected a round that passes (split)", is_blocked, NULL},
    {ERR_IRREGULAR, "neither a cyclic shift of the", without_tag, NULL},
    {ERR_IRREGULAR, "no affine map of the bits", without_mask, NULL},
    {ERR_IRREGULAR, "programs: the schedule has no rounds", computed_without_rounds, NULL},
    {ERR_IRREGULAR, "programs: in round", not_computed, NULL},
    {ERR_IRREGULAR, "programs: ranges: ", without_ranges, NULL},
    {ERR_IRREGULAR, "has other settings than round", without_repetition, setting_period_differ},
    {ERR_UNSUPPORTED, "-auto: ", NULL, by_a_rule_of_routers},
    {ERR_NETWORK, "reconfigure: routers have", reconfig_by_routers, NULL},
    {ERR_NETWORK, "reconfigure: packets of the model", reconfig_without_rounds, NULL},
};
