/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/self_timed.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/shape/wiring.h"

#include <inttypes.h>
#include <stdlib.h>

#define AUTO "{network} fat-tree-auto: "
#define ALL UINT32_MAX

struct hop {
    uint32_t source, destination, lane, packet;
};

/* An entry of the pool; entry 0 marks the end of a queue. */
struct waiting {
    uint32_t packet, next;
};

struct queue {
    uint32_t first, last, count;
};

/* A server sends one packet on each lane in a step. Each branch is a server, with the number of its
 * queue; in the single-port model each router is one, with one lane. */
struct server {
    uint32_t waiting; /* packets in its queues */
    bool listed;      /* the server is in active[] */
};

struct rule {
    const struct schedule *asked;
    const struct topology *tree;
    bool single_port;
    void *memory;    /* of all arrays (arena.h) */
    uint32_t *leaf;  /* [packets + 1]: the leaf that each packet is for, or ALL */
    bool *sent;      /* [packets + 1]: a leaf has sent the packet */
    uint32_t *given; /* [endpoints]: the packet that arrives in this step; 0: none */
    /* [2 · all]: queue v is up from router v, queue all + v is down to node v */
    struct queue *queue;
    struct server *server; /* [2 · all] */
    uint32_t *next_child;  /* [all]: single-port: the child that a router tries first */
    uint32_t *active;      /* [2 · all]: servers with packets to send */
    struct waiting *pool;  /* [room + 1] */
    struct hop *hop;       /* [transfers + 1]: the hops of a step */
    uint32_t used, room;   /* entries of the pool; one for each transfer that routers make */
    size_t active_count, hop_count;
    uint64_t round;
    size_t first, end;     /* the schedule's transfers in the round */
    struct schedule *kept; /* the transfers that routers and leaves make; NULL: not recorded */
};

/* -- Messages ---------------------------------------------------------------------------------- */

#define PACKET_TEXT 24

static const char *packet_text(uint32_t packet, char text[PACKET_TEXT])
{
    snprintf(text, PACKET_TEXT, packet != 0 ? "packet %" PRIu32 : "nothing", packet);
    return text;
}

/* Reports that a leaf would receive `kept` from self-timed routers, but receives `packet` in the
 * schedule; 0: nothing. */
static bool refuse_receipt(const struct rule *rule, uint32_t leaf, uint32_t packet, uint32_t kept,
                           struct err *err)
{
    char router[TOPOLOGY_NODE_TEXT], sent[PACKET_TEXT], expected[PACKET_TEXT];
    topology_node_text(rule->tree, topology_parent(rule->tree, 0, leaf), router);
    return err_set(err, ERR_UNSUPPORTED,
                   AUTO "round %" PRIu64 ": router %s sends %s to %" PRIu32
                        "; expected %s by the rules of self-timed routers",
                   rule->round, router, packet_text(packet, sent), leaf,
                   packet_text(kept, expected));
}

static bool refuse_queued(const struct rule *rule, const struct hop *hop, struct err *err)
{
    char router[TOPOLOGY_NODE_TEXT];
    return err_set(err, ERR_UNSUPPORTED,
                   AUTO "round %" PRIu64 ": router %s gets packet %" PRIu32
                        "; expected a schedule in which it forwards it to all destinations",
                   rule->round, topology_node_text(rule->tree, hop->destination, router),
                   hop->packet);
}

static bool refuse_end(const struct rule *rule, uint64_t round, struct err *err)
{
    return err_set(err, ERR_UNSUPPORTED,
                   AUTO "round %" PRIu64 " is the last; expected round %" PRIu64
                        ", the last in which its routers send a packet",
                   rule->asked->end, round);
}

/* -- Queueing ---------------------------------------------------------------------------------- */

static uint32_t parent_of(const struct topology *tree, uint32_t node)
{
    return topology_parent(tree, topology_level(tree, node), node);
}

/* Appends a packet to a queue. Returns false if the pool is full: the packet would never be sent.
 */
static bool push(struct rule *rule, uint32_t router, uint32_t queue, uint32_t packet)
{
    if (rule->used == rule->room)
        return false;
    struct queue *to = &rule->queue[queue];
    uint32_t server = rule->single_port ? router : queue, at = ++rule->used;
    rule->pool[at] = (struct waiting){packet, 0};
    *(to->count++ == 0 ? &to->first : &rule->pool[to->last].next) = at;
    to->last = at;
    if (!rule->server[server].listed)
        rule->active[rule->active_count++] = server;
    rule->server[server].listed = true;
    rule->server[server].waiting++;
    return true;
}

/* Returns the neighbour of a router in the direction of a leaf. */
static uint32_t towards(const struct topology *tree, unsigned level, uint32_t router, uint32_t leaf)
{
    if (leaf / tree->leaves[level] != topology_index(tree, level, router))
        return topology_parent(tree, level, router);
    return topology_node(tree, level - 1, leaf / tree->leaves[level - 1]);
}

static bool queue_for_all(struct rule *rule, const struct hop *hop, unsigned level)
{
    const struct topology *tree = rule->tree;
    uint32_t router = hop->destination, first = topology_child(tree, level, router, 0);
    for (uint32_t child = first; child < first + tree->children[level]; child++)
        if (child != hop->source && !push(rule, router, tree->all + child, hop->packet))
            return false;
    bool from_above = level == tree->height || hop->source > router;
    return from_above || push(rule, router, router, hop->packet);
}

/* Queues a packet that arrived at a router for its branches, except the one that it came from. */
static bool queue_hop(struct rule *rule, const struct hop *hop)
{
    const struct topology *tree = rule->tree;
    uint32_t router = hop->destination, leaf = rule->leaf[hop->packet];
    unsigned level = topology_level(tree, router);
    if (leaf == ALL)
        return queue_for_all(rule, hop, level);
    uint32_t next = towards(tree, level, router, leaf);
    if (next == hop->source)
        return true;
    uint32_t child = rule->single_port ? topology_child(tree, level, router, 0) : next;
    return push(rule, router, next > router ? router : tree->all + child, hop->packet);
}

/* -- Serving ----------------------------------------------------------------------------------- */

static uint32_t lanes_of(const struct rule *rule, uint32_t server)
{
    const struct topology *tree = rule->tree;
    return rule->single_port ? 1 : tree->capacity[topology_level(tree, server % tree->all) + 1];
}

/* Returns the queue from which a server takes its next packet; it may be empty. In the single-port
 * model a router's own queue holds the packets for its parent. Over the whole run, the search
 * through the children takes no longer than sending their packets, because in each turn every child
 * with a packet gets one. */
static uint32_t next_queue(const struct rule *rule, uint32_t server)
{
    const struct topology *tree = rule->tree;
    if (!rule->single_port || rule->queue[server].count > 0)
        return server;
    unsigned level = topology_level(tree, server);
    uint32_t first = tree->all + topology_child(tree, level, server, 0),
             child = rule->next_child[server];
    if (rule->queue[first].count == rule->server[server].waiting)
        return first;
    while (rule->queue[first + child].count == 0)
        child = (child + 1) % tree->children[level];
    return first + child;
}

/* Returns the oldest packet of a queue as a hop on a lane. */
static struct hop oldest(const struct rule *rule, uint32_t queue, uint32_t lane)
{
    const struct topology *tree = rule->tree;
    uint32_t packet = rule->pool[rule->queue[queue].first].packet, leaf = rule->leaf[packet];
    if (queue < tree->all)
        return (struct hop){queue, parent_of(tree, queue), lane, packet};
    uint32_t child = queue - tree->all, router = parent_of(tree, child);
    if (leaf != ALL)
        child = towards(tree, topology_level(tree, router), router, leaf);
    return (struct hop){router, child, lane, packet};
}

static void pop(struct rule *rule, uint32_t server, uint32_t queue)
{
    const struct topology *tree = rule->tree;
    struct queue *from = &rule->queue[queue];
    from->first = rule->pool[from->first].next;
    from->count--;
    rule->server[server].waiting--;
    if (rule->single_port && queue >= tree->all) {
        unsigned level = topology_level(tree, server);
        uint32_t child = queue - tree->all - topology_child(tree, level, server, 0);
        rule->next_child[server] = (child + 1) % tree->children[level];
    }
}

/* Sends the packets that the routers choose in a step. */
static void serve(struct rule *rule)
{
    size_t left = 0;
    for (size_t k = 0; k < rule->active_count; k++) {
        uint32_t server = rule->active[k], lanes = lanes_of(rule, server);
        struct server *s = &rule->server[server];
        for (uint32_t lane = 0; lane < lanes && s->waiting > 0; lane++) {
            uint32_t queue = next_queue(rule, server);
            rule->hop[rule->hop_count++] = oldest(rule, queue, lane);
            pop(rule, server, queue);
        }
        s->listed = s->waiting > 0;
        if (s->listed)
            rule->active[left++] = server;
    }
    rule->active_count = left;
}

static void send_queued(struct rule *rule)
{
    for (size_t t = rule->first; t < rule->end; t++) {
        const struct transfer *now = &rule->asked->transfer[t];
        if (now->source < rule->tree->nodes)
            rule->hop[rule->hop_count++] = (struct hop){now->source, now->destination,
                                                        schedule_lane(rule->asked, t), now->packet};
    }
}

/* -- Rounds ------------------------------------------------------------------------------------ */

/* Compares hops in the order in which routers queue them. */
static int compare(const void *left, const void *right)
{
    const struct hop *a = left, *b = right;
    return compare_then(COMPARE(a->destination, b->destination),
                        compare_then(COMPARE(a->source, b->source), COMPARE(a->lane, b->lane)));
}

/* Returns the entry of given[] for a leaf and a lane: the packet that arrives there in this step.
 */
static uint32_t *given_at(const struct rule *rule, uint32_t leaf, uint32_t lane)
{
    return &rule->given[wiring_first_endpoint(rule->tree, leaf) + lane];
}

/* Checks that the leaves receive exactly the packets that the schedule has for them in this round.
 */
static bool check_receipts(struct rule *rule, struct err *err)
{
    const uint32_t leaves = rule->tree->nodes;
    for (size_t t = 0; t < rule->hop_count && rule->hop[t].destination < leaves; t++)
        *given_at(rule, rule->hop[t].destination, rule->hop[t].lane) = rule->hop[t].packet;
    for (size_t t = rule->first; t < rule->end; t++) {
        const struct transfer *now = &rule->asked->transfer[t];
        if (now->destination >= leaves)
            continue;
        uint32_t *given = given_at(rule, now->destination, schedule_lane(rule->asked, t));
        if (*given != now->packet)
            return refuse_receipt(rule, now->destination, now->packet, *given, err);
        *given = 0;
    }
    for (size_t t = 0; t < rule->hop_count && rule->hop[t].destination < leaves; t++)
        if (*given_at(rule, rule->hop[t].destination, rule->hop[t].lane) != 0)
            return refuse_receipt(rule, rule->hop[t].destination, 0, rule->hop[t].packet, err);
    return true;
}

static bool keep(struct rule *rule, struct err *err)
{
    if (rule->hop_count == 0 || rule->kept == NULL)
        return true;
    bool kept = schedule_open_step(rule->kept, rule->round, rule->hop_count, err) != NULL;
    for (size_t t = 0; kept && t < rule->hop_count; t++) {
        const struct hop *hop = &rule->hop[t];
        const struct transfer transfer = {hop->source, hop->destination, hop->packet};
        kept = schedule_append_lane(rule->kept, transfer, hop->lane, err);
    }
    if (kept)
        schedule_close_step(rule->kept, 0);
    return kept;
}

static bool run_round(struct rule *rule, struct err *err)
{
    rule->hop_count = 0;
    serve(rule);
    send_queued(rule);
    qsort(rule->hop, rule->hop_count, sizeof *rule->hop, compare);
    if (!check_receipts(rule, err) || !keep(rule, err))
        return false;
    for (size_t t = 0; t < rule->hop_count; t++)
        if (rule->hop[t].destination >= rule->tree->nodes && !queue_hop(rule, &rule->hop[t]))
            return refuse_queued(rule, &rule->hop[t], err);
    return true;
}

static bool run_rounds(struct rule *rule, struct err *err)
{
    const struct schedule *asked = rule->asked;
    uint64_t last = 0;
    for (size_t k = 0; rule->active_count > 0 || k < asked->step_count;) {
        rule->round = rule->active_count > 0 ? rule->round + 1 : asked->step[k].time;
        bool step = k < asked->step_count && asked->step[k].time == rule->round;
        rule->first = step ? asked->step[k].first : 0;
        rule->end = step ? schedule_step_end(asked, k++) : 0;
        if (!run_round(rule, err))
            return false;
        last = rule->hop_count > 0 ? rule->round : last;
    }
    return last == asked->end || refuse_end(rule, last, err);
}

/* -- Building ---------------------------------------------------------------------------------- */

/* Checks that leaves send each packet once. A router forwards a packet to all its destinations; it
 * cannot send one copy now and another later. */
static bool check_sent_once(struct rule *rule, struct err *err)
{
    for (size_t t = 0; t < rule->asked->transfer_count; t++) {
        const struct transfer *now = &rule->asked->transfer[t];
        if (now->source < rule->tree->nodes && rule->sent[now->packet])
            return err_set(err, ERR_UNSUPPORTED,
                           AUTO
                           "a leaf sends packet %" PRIu32
                           " more than once; expected a schedule that self-timed routers follow",
                           now->packet);
        rule->sent[now->packet] |= now->source < rule->tree->nodes;
    }
    return true;
}

static bool find_leaves(struct rule *rule, struct err *err)
{
    for (size_t d = 0; d < rule->asked->demand_count; d++) {
        const struct demand *demand = &rule->asked->demand[d];
        if (demand->wanted_count > 1)
            return err_set(err, ERR_UNSUPPORTED,
                           AUTO "packet %" PRIu32 " is for %" PRIu32
                                " leaves; expected packets for one leaf or for all",
                           demand->first_packet, demand->wanted_count);
        for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++)
            rule->leaf[packet] = demand->wanted_count == 1 ? demand->wanted[0] : ALL;
    }
    return true;
}

static bool allocate(struct rule *rule, struct err *err)
{
    const size_t all = rule->tree->all, transfers = rule->asked->transfer_count;
    for (size_t t = 0; t < transfers && transfers < UINT32_MAX; t++)
        rule->room += rule->asked->transfer[t].source >= rule->asked->nodes;
    const size_t packets = rule->asked->packets, endpoints = wiring_endpoints(rule->tree);
    const struct arena_array arrays[] = {
        ARENA(rule->leaf, packets + 1), ARENA(rule->sent, packets + 1),
        ARENA(rule->given, endpoints),  ARENA(rule->queue, 2 * all),
        ARENA(rule->server, 2 * all),   ARENA(rule->next_child, all),
        ARENA(rule->active, 2 * all),   ARENA(rule->pool, (size_t)rule->room + 1),
        ARENA(rule->hop, transfers + 1)};
    rule->memory = transfers < UINT32_MAX ? arena_new(arrays, ARENA_COUNT(arrays)) : NULL;
    return rule->memory != NULL || err_no_memory(err, "the queues of %zu transfers", transfers);
}

static bool run(const struct schedule *asked, struct schedule *kept, struct err *err)
{
    if (!topology_has_routers(&asked->topology))
        return err_set(err, ERR_UNSUPPORTED,
                       AUTO "the schedule has another topology; expected a tree");
    struct rule rule = {.asked = asked, .tree = &asked->topology, .kept = kept};
    rule.single_port = model_row(asked->model)->one_link;
    bool done = allocate(&rule, err) && find_leaves(&rule, err) && check_sent_once(&rule, err) &&
                run_rounds(&rule, err);
    free(rule.memory);
    return done;
}

bool fat_tree_auto_check(const struct schedule *asked, struct err *err)
{
    return run(asked, NULL, err);
}

bool fat_tree_auto_build(const struct schedule *asked, struct schedule *kept, struct err *err)
{
    *kept = (struct schedule){0};
    bool built = schedule_init_empty(kept, asked->algorithm, &asked->topology, asked->model, err) &&
                 schedule_copy_demands(asked, kept, err) && run(asked, kept, err);
    if (!built)
        schedule_free(kept);
    return built;
}
