/* SPDX-License-Identifier: Apache-2.0 */
/* transfers_combined: the columns `combine` and `reduction` of packets that are combined.
 *
 *     0 of *               contributions of all nodes, combined, to node 0
 *     * of 0+2+5           contributions of nodes 0, 2 and 5, combined, to all nodes
 *     prefix of * ordered  to each contributor those of lower nodes and its own, in order
 */
#include "sched/exchange/transfers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const combine_text[COMBINING_ALL + 1] = {"combine", "received", "replace",
                                                            "received+replace"};

const char *transfers_combine_text(unsigned combining)
{
    return combine_text[combining];
}

bool transfers_read_combine(const char *at, size_t length, unsigned *combining)
{
    *combining = 0;
    for (unsigned which = 0; which <= COMBINING_ALL; which++)
        if (strlen(combine_text[which]) == length && memcmp(combine_text[which], at, length) == 0) {
            *combining = which;
            return true;
        }
    return length == 0;
}

void transfers_write_reduction(FILE *to, const struct demand *demand)
{
    const struct reduction *reduction = demand->reduction;
    if (reduction->prefix)
        fputs(reduction->exclusive ? "exclusive" : "prefix", to);
    else if (demand->wanted_count == 0)
        fputc('*', to);
    else
        fprintf(to, "%" PRIu32, *demand->wanted);
    fputs(reduction->contributor_count == 0 ? " of *" : " of ", to);
    for (uint32_t k = 0; k < reduction->contributor_count; k++)
        fprintf(to, "%s%" PRIu32, k > 0 ? "+" : "", reduction->contributor[k]);
    fputs(reduction->ordered ? " ordered" : "", to);
}

/* The rest of a text that is read. */
struct rest {
    const char *at, *end;
};

static bool take(struct rest *rest, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(rest->end - rest->at) < length || memcmp(rest->at, word, length) != 0)
        return false;
    rest->at += length;
    return true;
}

/* Reads a number below `nodes`. Returns false if there is none. */
static bool take_node(struct rest *rest, uint32_t nodes, uint32_t *node)
{
    uint64_t number = 0;
    const char *begin = rest->at;
    for (; rest->at < rest->end && *rest->at >= '0' && *rest->at <= '9' && number < nodes;
         rest->at++)
        number = 10 * number + (uint64_t)(*rest->at - '0');
    *node = (uint32_t)number;
    return rest->at > begin && number < nodes;
}

/* Reads ascending contributors, separated by `+`. */
static bool take_contributors(struct rest *rest, uint32_t nodes, struct reduction *reduction)
{
    if (take(rest, "*"))
        return true;
    uint32_t least = 0;
    do {
        uint32_t node = 0;
        if (!take_node(rest, nodes, &node) || node < least)
            return false;
        least = node + 1;
        reduction->contributor[reduction->contributor_count++] = node;
    } while (take(rest, "+"));
    return true;
}

/* Reads a reduction whose result `*single` wants if it is set. */
static bool read(struct rest *rest, uint32_t nodes, struct reduction *reduction, uint32_t *wanted,
                 bool *single)
{
    reduction->exclusive = take(rest, "exclusive");
    reduction->prefix = reduction->exclusive || take(rest, "prefix");
    *single = !reduction->prefix && !take(rest, "*");
    bool right = (!*single || take_node(rest, nodes, wanted)) && take(rest, " of ") &&
                 take_contributors(rest, nodes, reduction);
    if (reduction->contributor_count == nodes)
        reduction->contributor_count = 0;
    reduction->ordered = right && take(rest, " ordered");
    return right && rest->at == rest->end;
}

bool transfers_add_reduction(const struct transfers *transfers, const struct label *label,
                             uint32_t nodes, uint32_t count, struct schedule *schedule,
                             struct err *err)
{
    /* a contributor has at least a digit and a separator */
    struct reduction reduction = {
        .contributor = malloc((label->reduction_length / 2 + 1) * sizeof *reduction.contributor)};
    struct rest rest = {label->reduction, label->reduction + label->reduction_length};
    uint32_t wanted = 0;
    bool single = false, added = false;
    if (reduction.contributor == NULL)
        err_no_memory(err, "the contributors of a packet");
    else if (read(&rest, nodes, &reduction, &wanted, &single))
        added = schedule_add_reduction(schedule, count, &reduction, single ? &wanted : NULL, err);
    else
        document_wrong(transfers->document, label->reduction, err, ERR_SYNTAX,
                       "'%.*s'; expected RESULT of CONTRIBUTORS such as '0 of *', '* of 0+2' or "
                       "'prefix of * ordered', with nodes 0 … %" PRIu32,
                       (int)(label->reduction_length < 40 ? label->reduction_length : 40),
                       label->reduction, nodes - 1);
    free(reduction.contributor);
    return added;
}
