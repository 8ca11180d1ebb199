/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/schedule_reader.h"

#include "sched/base/memory.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Numbers separated by commas. */
struct list {
    uint32_t count, room;
    uint32_t *number;
};

/* The numbers that a field accepts: their name in messages, and their range. */
struct numbers {
    const char *what;
    uint32_t minimum, maximum;
};

/* Reads numbers, which must ascend if `ascending`. The list is filled also after an error. */
static bool read_list(struct scan *scan, struct numbers of, bool ascending, struct list *list,
                      struct err *err)
{
    do {
        uint64_t number;
        if (!scan_number(scan, of.what, of.minimum, of.maximum, &number, err))
            return false;
        if (ascending && list->count > 0 && number <= list->number[list->count - 1])
            return scan_error(scan, err, ERR_ORDER,
                              "%s %" PRIu64 " follows %" PRIu32 "; expected ascending numbers",
                              of.what, number, list->number[list->count - 1]);
        if (list->count == list->room) {
            size_t room = 2 * (size_t)list->room + 8;
            uint32_t *larger =
                room <= UINT32_MAX ? realloc(list->number, room * sizeof *larger) : NULL;
            if (larger == NULL)
                return scan_error(scan, err, ERR_TOO_BIG, "no memory for %zu number%s", room,
                                  text_s(room));
            list->number = larger;
            list->room = (uint32_t)room;
        }
        list->number[list->count++] = (uint32_t)number;
    } while (scan_take(scan, ','));
    return true;
}

/* Reads `*`, which becomes an empty list, or nodes. */
static bool read_nodes(struct scan *scan, const char *what, uint32_t nodes, uint32_t **node,
                       uint32_t *count, struct err *err)
{
    scan_blanks(scan);
    if (scan_take(scan, '*'))
        return true;
    struct list list = {0};
    bool read = read_list(scan, (struct numbers){what, 0, nodes - 1}, true, &list, err);
    *node = list.number;
    *count = list.count;
    return read;
}

/* Reads a range: `4`, or `4-7`. */
static bool read_range(struct scan *scan, struct numbers of, const char *what_last, uint32_t *first,
                       uint32_t *last, struct err *err)
{
    uint64_t from, to;
    if (!scan_number(scan, of.what, of.minimum, of.maximum, &from, err))
        return false;
    to = from;
    if (scan_take(scan, '-') && !scan_number(scan, what_last, from, of.maximum, &to, err))
        return false;
    *first = (uint32_t)from;
    *last = (uint32_t)to;
    return true;
}

/* Reads the packets of a demand, which must begin after those of the previous demand. */
static bool read_packets(struct scan *scan, struct schedule *schedule, struct demand *demand,
                         struct err *err)
{
    uint32_t next = schedule->packets + 1;
    if (!read_range(scan, (struct numbers){"packet", 1, SCHEDULE_MAX_PACKETS}, "last packet",
                    &demand->first_packet, &demand->last_packet, err))
        return false;
    if (demand->first_packet < next)
        return scan_error(scan, err, ERR_DEMAND,
                          "packet %" PRIu32 " is in a demand before; expected packet %" PRIu32,
                          demand->first_packet, next);
    if (demand->first_packet > next)
        return scan_error(scan, err, ERR_DEMAND,
                          "packet %" PRIu32 " is in no demand; expected it before packet %" PRIu32,
                          next, demand->first_packet);
    schedule->packets = demand->last_packet;
    return true;
}

/* Reads the parts of a value: zero or more packets in minimum … maximum. */
static bool read_parts(struct scan *scan, bool data, uint32_t minimum, uint32_t maximum,
                       struct control *control, struct err *err)
{
    if (minimum > maximum)
        return scan_error(scan, err, ERR_FIELD_RANGE,
                          "a value of packets%s; expected packets%s before it",
                          data ? "" : " of control", data ? " in a 'demand'" : " of control");
    struct list list = {0};
    bool read =
        read_list(scan, (struct numbers){data ? "packet" : "packet of control", minimum, maximum},
                  data, &list, err);
    control->part = list.number;
    control->part_count = list.count;
    return read;
}

/* Reads `nodes 2-3 from 14,17`, `packets 1,9` or `none`: the origin of the value of the last
 * demand. */
static bool read_made(struct scan *scan, const struct schedule *schedule, struct control *control,
                      struct err *err)
{
    char word[SCAN_WORD];
    const char *expected = "'nodes', 'packets' or 'none', what the value is made of";
    uint32_t last, data = schedule_data_packets(schedule);
    uint32_t before = schedule->demand[schedule->demand_count - 1].first_packet - 1;
    if (!scan_word(scan, expected, word, err))
        return false;
    if (strcmp(word, "none") == 0)
        return true;
    if (strcmp(word, "packets") == 0)
        return read_parts(scan, true, 1, data, control, err);
    if (strcmp(word, "nodes") != 0)
        return scan_error(scan, err, ERR_SYNTAX, "'%s'; expected %s", word, expected);
    if (!read_range(scan, (struct numbers){"node", 0, schedule->nodes - 1}, "last node",
                    &control->first_node, &last, err))
        return false;
    control->node_count = last - control->first_node + 1;
    scan_blanks(scan);
    if (scan_peek(scan) < 'a' || scan_peek(scan) > 'z')
        return true;
    if (!scan_word(scan, "'from'", word, err))
        return false;
    if (strcmp(word, "from") != 0)
        return scan_error(scan, err, ERR_SYNTAX, "'%s'; expected 'from'", word);
    return read_parts(scan, false, data + 1, before, control, err);
}

/* Reads the value of a control packet, and its origin. */
static bool read_control(struct scan *scan, const struct schedule *schedule,
                         struct control *control, struct err *err)
{
    uint64_t value;
    if (!scan_number(scan, "value", 0, UINT32_MAX, &value, err))
        return false;
    control->value = (uint32_t)value;
    return read_made(scan, schedule, control, err);
}

/* Adds an empty demand. Returns NULL with E104. */
static struct demand *add_demand(struct scan *scan, bool control, struct schedule *schedule,
                                 struct err *err)
{
    size_t more = schedule->demand_count + 1;
    struct demand *larger =
        memory_grow(schedule->demand, more, &schedule->demand_room, sizeof *larger);
    if (larger == NULL) {
        scan_error(scan, err, ERR_TOO_BIG, "no memory for %zu demand%s", more, text_s(more));
        return NULL;
    }
    schedule->demand = larger;
    struct demand *demand = &schedule->demand[schedule->demand_count];
    *demand = (struct demand){.control = control ? calloc(1, sizeof *demand->control) : NULL};
    if (control && demand->control == NULL) {
        scan_error(scan, err, ERR_TOO_BIG, "no memory for a value");
        return NULL;
    }
    schedule->demand_count++;
    return demand;
}

bool schedule_read_node(struct scan *scan, const struct topology *tree, const char *what,
                        uint32_t *node, struct err *err)
{
    uint64_t number, index;
    if (!scan_number(scan, what, 0, tree->nodes - 1, &number, err))
        return false;
    *node = (uint32_t)number;
    if (!scan_take(scan, ':'))
        return true;
    unsigned level = (unsigned)number;
    if (number > tree->height)
        return scan_error(scan, err, ERR_FIELD_RANGE,
                          "%s of level %" PRIu64 "; expected level 0 … %u", what, number,
                          tree->height);
    if (!scan_number(scan, what, 0, tree->first[level + 1] - tree->first[level] - 1, &index, err))
        return false;
    *node = topology_node(tree, level, (uint32_t)index);
    return true;
}

/* Reads the node where the packets of a demand start: a processor, or a router of a tree. */
static bool read_source(struct scan *scan, const struct topology *topology, struct demand *demand,
                        struct err *err)
{
    uint64_t source;
    if (topology_has_routers(topology))
        return schedule_read_node(scan, topology, "source", &demand->source, err);
    if (!scan_number(scan, "source", 0, topology->nodes - 1, &source, err))
        return false;
    demand->source = (uint32_t)source;
    return true;
}

bool schedule_read_demand(struct scan *scan, uint64_t line, bool control, struct schedule *schedule,
                          struct err *err)
{
    bool after =
        schedule->demand_count > 0 && schedule->demand[schedule->demand_count - 1].control != NULL;
    if (!control && after)
        return scan_error(scan, err, ERR_ORDER, "'demand' follows 'control'; expected it before");
    if (control && schedule->has_reductions)
        return scan_error(scan, err, ERR_ORDER,
                          "'control' follows 'reduce'; expected only one of both");
    if (!schedule_add_jump(schedule, line, err))
        return false;
    struct demand *demand = add_demand(scan, control, schedule, err);
    if (demand == NULL || !read_packets(scan, schedule, demand, err) ||
        !read_source(scan, &schedule->topology, demand, err))
        return false;
    return read_nodes(scan, "wanting node", schedule->nodes, &demand->wanted, &demand->wanted_count,
                      err) &&
           (!control || read_control(scan, schedule, demand->control, err)) &&
           scan_line_end(scan, err);
}

/* Reads the nodes that want the results: one node, `*`, `prefix` or `exclusive`. */
static bool read_destination(struct scan *scan, uint32_t nodes, struct demand *demand,
                             struct err *err)
{
    char word[SCAN_WORD];
    uint64_t node;
    scan_blanks(scan);
    if (scan_take(scan, '*'))
        return true;
    if (scan_peek(scan) >= 'a' && scan_peek(scan) <= 'z') {
        if (!scan_word(scan, "", word, err))
            return false;
        demand->reduction->exclusive = strcmp(word, "exclusive") == 0;
        demand->reduction->prefix = demand->reduction->exclusive || strcmp(word, "prefix") == 0;
        return demand->reduction->prefix ||
               scan_error(scan, err, ERR_SYNTAX,
                          "'%s'; expected a node, '*', 'prefix' or 'exclusive'", word);
    }
    if (!scan_number(scan, "destination", 0, nodes - 1, &node, err))
        return false;
    demand->wanted = malloc(sizeof *demand->wanted);
    if (demand->wanted == NULL)
        return scan_error(scan, err, ERR_TOO_BIG, "no memory for a destination");
    demand->wanted_count = 1;
    *demand->wanted = (uint32_t)node;
    return true;
}

/* Reads an optional `ordered`. */
static bool read_ordered(struct scan *scan, bool *ordered, struct err *err)
{
    char word[SCAN_WORD];
    scan_blanks(scan);
    if (scan_peek(scan) < 'a' || scan_peek(scan) > 'z')
        return true;
    if (!scan_word(scan, "'ordered'", word, err))
        return false;
    *ordered = strcmp(word, "ordered") == 0;
    return *ordered || scan_error(scan, err, ERR_SYNTAX, "'%s'; expected 'ordered'", word);
}

bool schedule_read_reduce(struct scan *scan, uint64_t line, struct schedule *schedule,
                          struct err *err)
{
    if (schedule_data_packets(schedule) < schedule->packets)
        return scan_error(scan, err, ERR_ORDER,
                          "'reduce' follows 'control'; expected only one of both");
    if (!schedule_add_jump(schedule, line, err))
        return false;
    struct demand *demand = add_demand(scan, false, schedule, err);
    if (demand == NULL)
        return false;
    demand->reduction = calloc(1, sizeof *demand->reduction);
    if (demand->reduction == NULL)
        return scan_error(scan, err, ERR_TOO_BIG, "no memory for a reduction");
    schedule->has_reductions = true;
    return read_packets(scan, schedule, demand, err) &&
           read_destination(scan, schedule->nodes, demand, err) &&
           read_nodes(scan, "contributor", schedule->nodes, &demand->reduction->contributor,
                      &demand->reduction->contributor_count, err) &&
           read_ordered(scan, &demand->reduction->ordered, err) && scan_line_end(scan, err);
}
