/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/routers/router_level.h"

#include "sched/base/compare.h"
#include "sched/machine/machine_address.h"

#include <string.h>

/* -- Queueing ---------------------------------------------------------------------------------- */

static void rules_push(struct router_level *l, uint32_t router, uint32_t queue,
                       struct router_packet packet)
{
    struct router_rules *rules = l->rules;
    size_t at = (size_t)router * rules->branches + queue;
    if (rules->count[at] == rules->room) {
        router_level_raise(l, router, MACHINE_ROUTER_OVERFLOW);
        return;
    }
    uint32_t place = rules->head[at] + rules->count[at]++;
    rules->queue[at * rules->room + place % rules->room] = packet;
}

/* Returns the branch towards a leaf; a leaf below no other branch is below the last one. */
static uint32_t rules_branch(const struct router_level *l, uint32_t router, uint32_t leaf)
{
    const struct router_rules *rules = l->rules;
    uint32_t first = router * rules->below * rules->children;
    uint32_t branch = ports_low(leaf - first, machine_node_bits(&l->machine)) / rules->below;
    return branch < rules->branches ? branch : rules->branches - 1;
}

static void rules_queue(struct router_level *l, uint32_t router, uint32_t port, uint32_t lane)
{
    struct router_rules *rules = l->rules;
    uint32_t arrival = rules->arrived[lane]++;
    uint32_t header = rules->header[lane];
    bool multicast = header & l->valid >> 1;
    uint32_t from =
        port < l->child_ports ? port / l->machine.topology.capacity[l->level] : rules->children;
    uint32_t to = rules_branch(l, router, ports_low(header, machine_node_bits(&l->machine)));
    bool together = csim_get(&l->single_port_i) && !multicast && to < rules->children;
    for (uint32_t branch = 0; branch < rules->branches; branch++)
        if (branch != from && (multicast || branch == to))
            rules_push(l, router, together ? 0 : branch,
                       (struct router_packet){port, arrival, branch});
}

/* -- Serving ----------------------------------------------------------------------------------- */

static bool rules_waiting(const struct router_level *l, uint32_t router, uint32_t branch)
{
    return l->rules->count[(size_t)router * l->rules->branches + branch] != 0;
}

static struct router_packet rules_pop(struct router_level *l, uint32_t router, uint32_t branch)
{
    struct router_rules *rules = l->rules;
    size_t at = (size_t)router * rules->branches + branch;
    struct router_packet packet = rules->queue[at * rules->room + rules->head[at]];
    rules->head[at] = rules->head[at] + 1 == rules->room ? 0 : rules->head[at] + 1;
    rules->count[at]--;
    return packet;
}

/* Returns whether one of the first `count` read ports of an input supplies the slot. */
static bool rules_gives(const struct router_level *l, uint32_t input, uint32_t count, uint32_t slot)
{
    const uint32_t *given = l->rules->given + input * l->machine.reads;
    bool gives = false;
    for (uint32_t read = 0; read < count; read++)
        gives |= given[read] == slot;
    return gives;
}

/* Returns the slot that the last read port reads, if packet `which` is the first that needs it. The
 * port does not choose among the packets that no other port supplies, but ORs their slots
 * (rtl/routers/rc_read_ports.sv). */
static uint32_t rules_last_port(const struct router_level *l, uint32_t which)
{
    const struct router_rules *rules = l->rules;
    uint32_t input = rules->taken[which].input, slot = 0;
    for (uint32_t k = which; k < rules->taken_count; k++)
        if (rules->taken[k].input == input &&
            !rules_gives(l, input, l->machine.reads - 1, rules->taken[k].slot))
            slot |= rules->taken[k].slot;
    return slot;
}

/* Returns the slot that is sent for a packet: its own, if a read port serves it; else that of the
 * first read port of its input. */
static uint32_t rules_read(struct router_level *l, uint32_t router, uint32_t which)
{
    const struct router_taken *taken = &l->rules->taken[which];
    uint32_t *given = l->rules->given + taken->input * l->machine.reads;
    uint32_t *count = &l->rules->given_count[taken->input], ports = l->machine.reads;
    if (*count < ports && !rules_gives(l, taken->input, *count, taken->slot)) {
        given[*count] = *count + 1 == ports ? rules_last_port(l, which) : taken->slot;
        ++*count;
    }
    if (rules_gives(l, taken->input, *count, taken->slot))
        return taken->slot;
    router_level_raise(l, router, MACHINE_ROUTER_OVERFLOW);
    return given[0];
}

/* Takes the oldest packet of a queue for one lane of its branch. wiring.h puts the parent's lanes
 * after the children's, as if it were one more child. */
static void rules_take(struct router_level *l, uint32_t router, uint32_t queue, uint32_t lane)
{
    struct router_rules *rules = l->rules;
    struct router_packet packet = rules_pop(l, router, queue);
    if (rules->arrived[router_level_lane(l, router, packet.input)] - packet.arrival > l->depth)
        router_level_raise(l, router, MACHINE_ROUTER_OVERFLOW);
    rules->taken[rules->taken_count++] = (struct router_taken){
        packet.input, packet.arrival % l->depth,
        wiring_child_port(&l->machine.topology, l->level, packet.branch, lane)};
}

/* Sends the packets taken from the queues. */
static void rules_send(struct router_level *l, uint32_t *setting, uint32_t router)
{
    struct router_rules *rules = l->rules;
    for (uint32_t which = 0; which < rules->taken_count; which++) {
        const struct router_taken *taken = &rules->taken[which];
        uint32_t from = router_level_lane(l, router, taken->input),
                 slot = rules_read(l, router, which);
        bool held = slot < l->filled[from];
        l->tx_at[router_level_lane(l, router, taken->output)] =
            held ? router_level_address(l, from, slot) : l->none;
        setting[router * l->ports + taken->output] = MACHINE_VALID | taken->input << 16 | slot;
        rules->sends |= held;
        rules->lacks |= !held;
    }
    rules->taken_count = 0;
}

static void rules_serve_all(struct router_level *l, uint32_t *setting, uint32_t router)
{
    uint32_t to_child = l->machine.topology.capacity[l->level], to_parent = l->parent_ports;
    uint32_t most = MAX(to_child, to_parent);
    for (uint32_t lane = 0; lane < most; lane++) {
        for (uint32_t branch = 0; branch < l->rules->branches; branch++) {
            uint32_t lanes = branch == l->rules->children ? to_parent : to_child;
            if (lane < lanes && rules_waiting(l, router, branch))
                rules_take(l, router, branch, lane);
        }
        rules_send(l, setting, router);
    }
}

/* Takes the packet of a single-port row, if there is one. */
static void rules_take_one(struct router_level *l, uint32_t router)
{
    struct router_rules *rules = l->rules;
    if (rules->branches > rules->children && rules_waiting(l, router, rules->children)) {
        rules_take(l, router, rules->children, 0);
        return;
    }
    for (uint32_t k = 0; k < rules->children; k++) {
        uint32_t child = (rules->next_child[router] + k) % rules->children;
        if (!rules_waiting(l, router, child))
            continue;
        rules->next_child[router] = (child + 1) % rules->children;
        rules_take(l, router, child, 0);
        return;
    }
}

static void rules_serve_one(struct router_level *l, uint32_t *setting, uint32_t router)
{
    rules_take_one(l, router);
    rules_send(l, setting, router);
}

void router_rules_headers(struct router_level *l, const uint32_t *lanes)
{
    memcpy(l->rules->header, lanes, l->lanes * sizeof *lanes);
}

void router_rules_apply(struct router_level *l, const uint32_t *last)
{
    bool single_port = csim_get(&l->single_port_i);
    uint32_t *setting = csim_write(&l->setting);
    memset(setting, 0, l->routers * l->ports * sizeof *setting);
    for (uint32_t lane = 0; lane < l->lanes; lane++)
        l->tx_at[lane] = l->none;
    l->rules->sends = l->rules->lacks = false;
    for (uint32_t router = 0; router < l->routers; router++) {
        for (uint32_t port = 0; port < l->ports; port++) {
            uint32_t lane = router_level_lane(l, router, port);
            if (l->rules->header[lane] & l->valid)
                rules_queue(l, router, port, lane);
            if (last[lane] & l->valid)
                router_level_advance(l, lane);
        }
        memset(l->rules->given_count, 0, l->ports * sizeof(uint32_t));
        if (single_port)
            rules_serve_one(l, setting, router);
        else
            rules_serve_all(l, setting, router);
    }
}

bool router_rules_aim(struct router_level *l)
{
    const uint32_t *setting = csim_read(&l->setting);
    for (uint32_t router = 0; l->rules->lacks && router < l->routers; router++)
        for (uint32_t port = 0; port < l->ports; port++)
            if (setting[router * l->ports + port] & MACHINE_VALID &&
                l->tx_at[router_level_lane(l, router, port)] == l->none)
                router_level_raise(l, router, MACHINE_ROUTER_NOT_HELD);
    return l->rules->sends;
}

/* -- Building ---------------------------------------------------------------------------------- */

void router_rules_clear(struct router_level *level)
{
    struct router_rules *rules = level->rules;
    memset(rules->head, 0, rules->queues * sizeof *rules->head);
    memset(rules->count, 0, rules->queues * sizeof *rules->count);
    memset(rules->header, 0, level->lanes * sizeof *rules->header);
    memset(rules->arrived, 0, level->lanes * sizeof *rules->arrived);
    memset(rules->next_child, 0, level->routers * sizeof *rules->next_child);
    rules->sends = rules->lacks = false;
}

bool router_rules_new(struct router_level *level, struct csim_module *module)
{
    const struct topology *tree = &level->machine.topology;
    struct router_rules *rules = csim_alloc(module, sizeof *rules);
    if (rules == NULL)
        return false;
    level->rules = rules;
    rules->children = tree->children[level->level];
    rules->branches = rules->children + (level->parent_ports != 0);
    rules->room = level->machine.queue[level->level];
    rules->below = tree->leaves[level->level - 1] * tree->endpoints;
    rules->queues = (size_t)level->routers * rules->branches;
    rules->queue = csim_alloc(module, rules->queues * rules->room * sizeof *rules->queue);
    rules->head = csim_alloc(module, rules->queues * sizeof *rules->head);
    rules->count = csim_alloc(module, rules->queues * sizeof *rules->count);
    rules->header = csim_alloc(module, level->lanes * sizeof *rules->header);
    rules->arrived = csim_alloc(module, level->lanes * sizeof *rules->arrived);
    rules->next_child = csim_alloc(module, level->routers * sizeof *rules->next_child);
    rules->given = csim_alloc(module, (size_t)level->columns * sizeof *rules->given);
    rules->given_count = csim_alloc(module, level->ports * sizeof *rules->given_count);
    rules->taken = csim_alloc(module, rules->branches * sizeof *rules->taken);
    return rules->queue != NULL && rules->head != NULL && rules->count != NULL &&
           rules->header != NULL && rules->arrived != NULL && rules->next_child != NULL &&
           rules->given != NULL && rules->given_count != NULL && rules->taken != NULL;
}
