/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/shape/topology.h"

#include "sched/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct topology_row *const topology_rows[TOPOLOGY_KINDS] = {
#define TOPOLOGY_ROW(enumerator, name) [TOPOLOGY_##enumerator] = &topology_##name##_row,
    TOPOLOGY_TABLE(TOPOLOGY_ROW)
#undef TOPOLOGY_ROW
};

bool topology_find(const char *name, enum topology_kind *kind)
{
    for (unsigned candidate = 0; candidate < TOPOLOGY_KINDS; candidate++)
        if (strcmp(name, topology_rows[candidate]->name) == 0) {
            *kind = (enum topology_kind)candidate;
            return true;
        }
    return false;
}

const char *topology_titles(char text[TOPOLOGY_TITLES])
{
    const char *title[TOPOLOGY_KINDS];
    size_t count = 0;
    for (unsigned kind = 0; kind < TOPOLOGY_KINDS; kind++)
        if (topology_rows[kind]->joins != NULL)
            title[count++] = topology_rows[kind]->title;
    return text_list(title, count, " or ", text, TOPOLOGY_TITLES);
}

bool topology_parse_direct(enum topology_kind kind, const char *text, struct topology *topology,
                           struct err *err)
{
    const struct topology_row *row = topology_rows[kind];
    uint32_t number[TOPOLOGY_MAX_HEIGHT + 1];
    unsigned count = topology_parse_list(text, TOPOLOGY_MAX_HEIGHT + 1, number);
    if (count > 0)
        return row->make(count, number, topology, err);
    char format[ERR_FIELD + 40]; /* a format, because marks are not read in arguments */
    snprintf(format, sizeof format, "{%.31s}: '%%.60s'; expected %%s", row->field);
    return err_set(err, ERR_OPTION, format, text, row->numbers);
}

bool topology_equal(const struct topology *a, const struct topology *b)
{
    return a->half_duplex == b->half_duplex && topology_same_links(a, b);
}

bool topology_same_links(const struct topology *a, const struct topology *b)
{
    bool same = a->kind == b->kind && a->nodes == b->nodes && a->height == b->height;
    for (unsigned level = 1; same && level <= a->height; level++)
        same = a->children[level] == b->children[level] && a->capacity[level] == b->capacity[level];
    same = same && a->axes == b->axes;
    for (unsigned axis = 1; same && axis <= a->axes; axis++)
        same = a->side[axis] == b->side[axis];
    return same && a->any == b->any &&
           (!a->any || (a->all == b->all &&
                        memcmp(a->parent, b->parent, (a->all - 1) * sizeof *a->parent) == 0));
}

const char *topology_node_text(const struct topology *topology, uint32_t node,
                               char text[TOPOLOGY_NODE_TEXT])
{
    if (node < topology->nodes) {
        snprintf(text, TOPOLOGY_NODE_TEXT, "%" PRIu32, node);
    } else {
        unsigned level = topology_level(topology, node);
        snprintf(text, TOPOLOGY_NODE_TEXT, "%u:%" PRIu32, level,
                 topology_index(topology, level, node));
    }
    return text;
}
