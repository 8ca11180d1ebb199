#include "router_rules.h"

#include <string.h>

/* -- Queueing ------------------------------------------------------------------------------------ */

static void rules_push(struct router_level *l, uint32_t router, uint32_t queue, struct router_packet packet)
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

/* The branch towards a leaf: what is not below one of the others is so the last one's. */
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
    uint32_t header = l->memory[router_level_address(l, lane, l->slot[lane]) + 1];
    bool multicast = header & l->valid >> 1;
    uint32_t from = port < l->child_ports ? port / l->machine.topology.capacity[l->level] : rules->children;
    uint32_t to = rules_branch(l, router, ports_low(header, machine_node_bits(&l->machine)));
    bool together = csim_get(&l->single_port_i) && !multicast && to < rules->children;
    for (uint32_t branch = 0; branch < rules->branches; branch++)
        if (branch != from && (multicast || branch == to))
            rules_push(l, router, together ? 0 : branch, (struct router_packet){port, arrival, branch});
    router_level_advance(l, lane);
}

/* -- Serving ------------------------------------------------------------------------------------- */

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

/* The slot that an input gives to who asks for `slot`. */
static uint32_t rules_read(struct router_level *l, uint32_t router, uint32_t input, uint32_t slot)
{
    uint32_t *given = l->rules->given + input * l->machine.reads;
    uint32_t *count = &l->rules->given_count[input];
    for (uint32_t read = 0; read < *count; read++)
        if (given[read] == slot)
            return slot;
    if (*count == l->machine.reads) {
        router_level_raise(l, router, MACHINE_ROUTER_OVERFLOW);
        return given[0];
    }
    given[(*count)++] = slot;
    return slot;
}

/* The oldest packet of a queue leaves through one lane of its branch; wiring.h has the parent's lanes behind those of
 * the children, as if it were one more. */
static void rules_serve(struct router_level *l, uint32_t *setting, uint32_t router, uint32_t queue,
                        uint32_t lane)
{
    struct router_packet packet = rules_pop(l, router, queue);
    uint32_t from = router_level_lane(l, router, packet.input);
    if (l->rules->arrived[from] - packet.arrival > l->depth)
        router_level_raise(l, router, MACHINE_ROUTER_OVERFLOW);
    uint32_t slot = rules_read(l, router, packet.input, packet.arrival % l->depth);
    uint32_t output = wiring_child_port(&l->machine.topology, l->level, packet.branch, lane);
    l->tx_at[router_level_lane(l, router, output)] = router_level_address(l, from, slot);
    setting[router * l->ports + output] = MACHINE_VALID | packet.input << 16 | slot;
    l->rules->sends = true;
}

static void rules_serve_all(struct router_level *l, uint32_t *setting, uint32_t router)
{
    uint32_t to_child = l->machine.topology.capacity[l->level], to_parent = l->parent_ports;
    uint32_t most = to_child > to_parent ? to_child : to_parent;
    for (uint32_t lane = 0; lane < most; lane++)
        for (uint32_t branch = 0; branch < l->rules->branches; branch++) {
            uint32_t lanes = branch == l->rules->children ? to_parent : to_child;
            if (lane < lanes && rules_waiting(l, router, branch))
                rules_serve(l, setting, router, branch, lane);
        }
}

static void rules_serve_one(struct router_level *l, uint32_t *setting, uint32_t router)
{
    struct router_rules *rules = l->rules;
    if (rules->branches > rules->children && rules_waiting(l, router, rules->children)) {
        rules_serve(l, setting, router, rules->children, 0);
        return;
    }
    for (uint32_t k = 0; k < rules->children; k++) {
        uint32_t child = (rules->turn[router] + k) % rules->children;
        if (!rules_waiting(l, router, child))
            continue;
        rules->turn[router] = (child + 1) % rules->children;
        rules_serve(l, setting, router, child, 0);
        return;
    }
}

void router_rules_apply(struct router_level *l, const uint32_t *last)
{
    bool single_port = csim_get(&l->single_port_i);
    uint32_t *setting = csim_write(&l->setting);
    memset(setting, 0, l->routers * l->ports * sizeof *setting);
    for (uint32_t lane = 0; lane < l->lanes; lane++)
        l->tx_at[lane] = l->none;
    l->rules->sends = false;
    for (uint32_t router = 0; router < l->routers; router++) {
        for (uint32_t port = 0; port < l->ports; port++) {
            uint32_t lane = router_level_lane(l, router, port);
            if (last[lane] & l->valid)
                rules_queue(l, router, port, lane);
        }
        memset(l->rules->given_count, 0, l->ports * sizeof(uint32_t));
        if (single_port)
            rules_serve_one(l, setting, router);
        else
            rules_serve_all(l, setting, router);
    }
}

/* -- Building ------------------------------------------------------------------------------------ */

void router_rules_clear(struct router_level *level)
{
    struct router_rules *rules = level->rules;
    memset(rules->head, 0, rules->queues * sizeof *rules->head);
    memset(rules->count, 0, rules->queues * sizeof *rules->count);
    memset(rules->arrived, 0, level->lanes * sizeof *rules->arrived);
    memset(rules->turn, 0, level->routers * sizeof *rules->turn);
    rules->sends = false;
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
    rules->below = tree->leaves[level->level - 1];
    rules->queues = (size_t)level->routers * rules->branches;
    rules->queue = csim_alloc(module, rules->queues * rules->room * sizeof *rules->queue);
    rules->head = csim_alloc(module, rules->queues * sizeof *rules->head);
    rules->count = csim_alloc(module, rules->queues * sizeof *rules->count);
    rules->arrived = csim_alloc(module, level->lanes * sizeof *rules->arrived);
    rules->turn = csim_alloc(module, level->routers * sizeof *rules->turn);
    rules->given = csim_alloc(module, (size_t)level->columns * sizeof *rules->given);
    rules->given_count = csim_alloc(module, level->ports * sizeof *rules->given_count);
    return rules->queue != NULL && rules->head != NULL && rules->count != NULL && rules->arrived != NULL &&
           rules->turn != NULL && rules->given != NULL && rules->given_count != NULL;
}
