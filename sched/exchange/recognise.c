/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/recognise.h"

#include "sched/base/compare.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>

#define ALL_NODES UINT32_MAX /* the receiver of a packet that all nodes want */

const char *recognise_text(const struct schedule *schedule, char text[RECOGNISE_TEXT])
{
    struct collective found;
    text[0] = '\0';
    /* The kind of traffic is known even without memory to count it. */
    if (!schedule_find_collective(schedule, &found) && !collective_rows[found.kind].weighed) {
        text_append(text, RECOGNISE_TEXT, "demands of %" PRIu32 " packet%s", schedule->packets,
                    text_s(schedule->packets));
        return text;
    }
    const struct collective_row *row = &collective_rows[found.kind];
    uint32_t packets = row->weighed ? schedule->packets : found.m;
    text_append(text, RECOGNISE_TEXT, "%s of %" PRIu32 " packet%s", row->name, packets,
                text_s(packets));
    if (row->rooted && !row->counted)
        text_append(text, RECOGNISE_TEXT, " %s each other node", row->inward ? "of" : "for");
    else if (!row->counted && !row->weighed)
        text_append(text, RECOGNISE_TEXT,
                    row->to_all     ? " of each node"
                    : row->combined ? " for each node"
                                    : " for each pair of nodes");
    if (row->rooted)
        text_append(text, RECOGNISE_TEXT, ", %s node %" PRIu32, row->inward ? "at" : "from",
                    found.source);
    if (schedule->in_place)
        text_append(text, RECOGNISE_TEXT, ", in place");
    return text;
}

/* Packets from a node to another, or to all nodes. */
struct flow {
    uint32_t from, to;
    uint64_t packets;
};

static int by_nodes(const void *left, const void *right)
{
    const struct flow *a = left, *b = right;
    return compare_then(COMPARE(a->from, b->from), COMPARE(a->to, b->to));
}

/* Sorts flows and adds up those between the same nodes. Returns their number. */
static size_t merge(struct flow flow[], size_t count)
{
    size_t kept = 0;
    qsort(flow, count, sizeof *flow, by_nodes);
    for (size_t k = 0; k < count; k++)
        if (kept > 0 && by_nodes(&flow[kept - 1], &flow[k]) == 0)
            flow[kept - 1].packets += flow[k].packets;
        else
            flow[kept++] = flow[k];
    return kept;
}

/* Lists the flows of a schedule in flow[]; returns their number, SIZE_MAX if a packet is for
 * several nodes but not for all of them. */
static size_t flows_of(const struct schedule *schedule, struct flow flow[])
{
    for (size_t which = 0; which < schedule->demand_count; which++) {
        const struct demand *demand = &schedule->demand[which];
        if (demand->wanted_count > 1)
            return SIZE_MAX;
        flow[which] =
            (struct flow){demand->source, demand->wanted_count == 0 ? ALL_NODES : demand->wanted[0],
                          demand->last_packet - demand->first_packet + UINT64_C(1)};
    }
    return merge(flow, schedule->demand_count);
}

/* Lists the flows of a collective with a root. Returns their number. */
static size_t flows_expected(const struct collective_row *row, uint32_t nodes, uint32_t root,
                             struct flow flow[])
{
    size_t count = row->demands(nodes);
    for (uint32_t which = 0; which < count; which++) {
        uint32_t from, to;
        row->demand(nodes, which, &from, &to);
        flow[which] =
            (struct flow){(from + root) % nodes, row->to_all ? ALL_NODES : (to + root) % nodes, 1};
    }
    return merge(flow, count);
}

static const char *receiver_text(uint32_t node, char text[24])
{
    text[0] = '\0';
    if (node == ALL_NODES)
        text_append(text, 24, "all nodes");
    else
        text_append(text, 24, "node %" PRIu32, node);
    return text;
}

/* Reports the first flow that differs. */
static bool compare(const char *name, const char *collective, const struct flow found[],
                    size_t found_count, const struct flow expected[], size_t expected_count,
                    struct err *err)
{
    char to[24], first[24];
    for (size_t k = 0; k < found_count || k < expected_count; k++) {
        int order = k >= found_count      ? 1
                    : k >= expected_count ? -1
                                          : by_nodes(&found[k], &expected[k]);
        if (order > 0)
            return err_set(err, ERR_OTHER_DEMANDS,
                           "%s: no packet from node %" PRIu32 " is for %s; expected some in %s",
                           name, expected[k].from, receiver_text(expected[k].to, to), collective);
        if (order < 0)
            return err_set(
                err, ERR_OTHER_DEMANDS,
                "%s: %" PRIu64 " packet%s from node %" PRIu32 " %s for %s; expected none "
                "in %s",
                name, found[k].packets, text_s(found[k].packets), found[k].from,
                found[k].packets == 1 ? "is" : "are", receiver_text(found[k].to, to), collective);
        if (found[k].packets != found[0].packets)
            return err_set(err, ERR_OTHER_DEMANDS,
                           "%s: %" PRIu64 " packet%s from node %" PRIu32 " for %s, but %" PRIu64
                           " from node %" PRIu32 " for %s; expected equal numbers in %s",
                           name, found[k].packets, text_s(found[k].packets), found[k].from,
                           receiver_text(found[k].to, to), found[0].packets, found[0].from,
                           receiver_text(found[0].to, first), collective);
    }
    return true;
}

static bool expect_moves(const char *name, const struct schedule *schedule,
                         const struct collective_row *row, struct err *err)
{
    uint32_t nodes = schedule->nodes;
    size_t most = row->demands(nodes);
    struct flow *found = calloc(schedule->demand_count + 1, sizeof *found);
    struct flow *expected = calloc(most + 1, sizeof *expected);
    bool right = found != NULL && expected != NULL;
    if (!right)
        err_no_memory(err, "the demands of %" PRIu32 " nodes", nodes);
    size_t count = right ? flows_of(schedule, found) : 0;
    if (right && count == SIZE_MAX)
        right = err_set(err, ERR_OTHER_DEMANDS,
                        "%s: a packet is for several nodes, but not for all; expected none in %s",
                        name, row->name);
    if (right) {
        uint32_t root = !row->rooted ? 0 : row->inward ? found[0].to : found[0].from;
        right = compare(name, row->name, found, count, expected,
                        flows_expected(row, nodes, root, expected), err);
    }
    free(found);
    free(expected);
    return right;
}

bool recognise_expected(const char *name, const struct schedule *schedule,
                        enum collective_kind expected, struct err *err)
{
    const struct collective_row *row = &collective_rows[expected];
    struct collective found;
    char text[RECOGNISE_TEXT];
    if (!row->combined && !schedule->has_reductions)
        return expect_moves(name, schedule, row, err);
    return (schedule_collective(schedule, &found) && found.kind == expected) ||
           err_set(err, ERR_OTHER_DEMANDS, "%s: %s; expected %s", name,
                   recognise_text(schedule, text), row->name);
}

/* --- the demands of another schedule -------------------------------------------------------- */

static int by_reduction(const struct reduction *a, const struct reduction *b)
{
    if (a == NULL || b == NULL)
        return COMPARE(a != NULL, b != NULL);
    unsigned left = a->ordered + 2u * a->prefix + 4u * a->exclusive;
    unsigned right = b->ordered + 2u * b->prefix + 4u * b->exclusive;
    int order =
        compare_then(COMPARE(left, right), COMPARE(a->contributor_count, b->contributor_count));
    for (uint32_t k = 0; order == 0 && k < a->contributor_count; k++)
        order = COMPARE(a->contributor[k], b->contributor[k]);
    return order;
}

int recognise_order(const struct demand *a, const struct demand *b)
{
    int order =
        compare_then(COMPARE(a->source, b->source), COMPARE(a->wanted_count, b->wanted_count));
    for (uint32_t k = 0; order == 0 && k < a->wanted_count; k++)
        order = COMPARE(a->wanted[k], b->wanted[k]);
    return order != 0 ? order : by_reduction(a->reduction, b->reduction);
}

static int by_demand(const void *left, const void *right)
{
    return recognise_order(*(const struct demand *const *)left,
                           *(const struct demand *const *)right);
}

/* Lists the demands of a schedule in order. Returns NULL without memory. */
static const struct demand **sorted_demands(const struct schedule *schedule)
{
    const struct demand **list = calloc(schedule->demand_count + 1, sizeof *list);
    for (size_t which = 0; list != NULL && which < schedule->demand_count; which++)
        list[which] = &schedule->demand[which];
    if (list != NULL)
        qsort(list, schedule->demand_count, sizeof *list, by_demand);
    return list;
}

/* Counts the packets of the demands from *k on that are alike, and advances *k past them. */
static uint64_t count_alike(const struct demand *const list[], size_t count, size_t *k)
{
    uint64_t packets = 0;
    for (size_t first = *k; *k < count && by_demand(&list[first], &list[*k]) == 0; ++*k)
        packets += list[*k]->last_packet - list[*k]->first_packet + UINT64_C(1);
    return packets;
}

/* Writes the receivers of a demand: "all nodes", "node 5" or "3 nodes". Returns text. */
static const char *wanted_text(const struct demand *demand, char text[24])
{
    if (demand->wanted_count <= 1)
        return receiver_text(demand->wanted_count == 0 ? ALL_NODES : *demand->wanted, text);
    text[0] = '\0';
    text_append(text, 24, "%" PRIu32 " nodes", demand->wanted_count);
    return text;
}

/* Reports the first demand of which one schedule has more packets. */
static bool compare_demands(const char *name, const struct demand *const found[],
                            size_t found_count, const struct demand *const expected[],
                            size_t expected_count, struct err *err)
{
    char wanted[24];
    for (size_t k = 0, j = 0; k < found_count || j < expected_count;) {
        int order = k == found_count      ? 1
                    : j == expected_count ? -1
                                          : by_demand(&found[k], &expected[j]);
        const struct demand *at = order > 0 ? expected[j] : found[k];
        uint64_t has = order <= 0 ? count_alike(found, found_count, &k) : 0;
        uint64_t wants = order >= 0 ? count_alike(expected, expected_count, &j) : 0;
        if (has != wants)
            return err_set(err, ERR_OTHER_DEMANDS,
                           "%s: %" PRIu64 " packet%s from node %" PRIu32
                           " for %s; expected %" PRIu64 ", as in the demands",
                           name, has, text_s(has), at->source, wanted_text(at, wanted), wants);
    }
    return true;
}

static bool check_same_rules(const char *name, const struct schedule *schedule,
                             const struct schedule *demands, struct err *err)
{
    if (!topology_equal(&schedule->topology, &demands->topology))
        return err_set(err, ERR_OTHER_DEMANDS,
                       "%s: %" PRIu32 " node%s of another topology than the demands, which have "
                       "%" PRIu32 "; expected the same topology",
                       name, schedule->nodes, text_s(schedule->nodes), demands->nodes);
    if (schedule->model != demands->model)
        return err_set(err, ERR_OTHER_DEMANDS, "%s: model %s; expected %s, as in the demands", name,
                       model_name(schedule->model), model_name(demands->model));
    if (schedule->ports != demands->ports ||
        schedule->lambda.numerator != demands->lambda.numerator ||
        schedule->lambda.denominator != demands->lambda.denominator)
        return err_set(err, ERR_OTHER_DEMANDS,
                       "%s: another latency, or another number of ports; expected those of the "
                       "demands",
                       name);
    return (schedule_data_packets(schedule) == schedule->packets &&
            schedule_data_packets(demands) == demands->packets) ||
           err_set(err, ERR_UNSUPPORTED,
                   "{demands}: %s: control packets are not compared; expected data packets", name);
}

bool recognise_demands(const char *name, const struct schedule *schedule,
                       const struct schedule *demands, struct err *err)
{
    if (!check_same_rules(name, schedule, demands, err))
        return false;
    const struct demand **found = sorted_demands(schedule), **expected = sorted_demands(demands);
    bool same = found != NULL && expected != NULL;
    if (!same)
        err_no_memory(err, "%zu demands", schedule->demand_count);
    same = same && compare_demands(name, found, schedule->demand_count, expected,
                                   demands->demand_count, err);
    free(found);
    free(expected);
    return same;
}
