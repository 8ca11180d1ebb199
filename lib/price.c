/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/price.h"

#include "sched/base/bits.h"
#include "sched/base/tool.h"
#include "sched/bound/bound.h"
#include "sched/decompose/planes.h"

#define SMALL 64 /* number of nodes up to which each method takes a few seconds at most */

bool price_check(const struct collective *asked, struct err *err)
{
    if (!asked->priced)
        return err_set(err, ERR_OPTION,
                       "{planes} requires {reconfigure}; expected the cycles of a change of "
                       "settings, which may be 0");
    return asked->degree == 0 ||
           err_set(err, ERR_OPTION,
                   "{degree}: no algorithm that applies has a degree; expected none");
}

/* Computes the makespan of the method of row[at] and sorts the row in: rows with a makespan come
 * first, in ascending order. */
static bool find_row(const struct collective *asked, struct price_row row[], size_t at,
                     struct err *err)
{
    struct price_row found = row[at];
    found.found = true;
    struct decomposition made = {0};
    struct planes planes = {0};
    if (!decompose(found.method, asked->traffic, asked->cost, asked->seed, &made, err))
        return false;
    found.rounds = decomposition_rounds(&made);
    bool shared = planes_share(&made, asked->cost, found.planes, &planes, err);
    found.settings = planes.count;
    found.makespan = planes.makespan;
    planes_free(&planes);
    decomposition_free(&made);
    if (!shared)
        return false;
    for (; at > 0 && (!row[at - 1].found || row[at - 1].makespan > found.makespan); at--)
        row[at] = row[at - 1];
    row[at] = found;
    return true;
}

bool price_rows(const struct collective *asked, uint32_t planes,
                struct price_row row[PRICE_METHODS], size_t *count, struct err *err)
{
    uint64_t bound = bits_divide_up(bound_end(asked), planes);
    *count = 0;
    for (const struct decompose_method *const *each = decompose_methods; *each != NULL; each++) {
        bool solved = (*each)->solver != NULL;
        if (solved && (!(*each)->fits(asked->traffic) || !tool_found((*each)->solver)))
            continue;
        size_t at = (*count)++;
        row[at] = (struct price_row){
            .method = *each, .bound = bound, .cost = asked->cost, .planes = planes};
        bool met = asked->n > SMALL && row[0].found && row[0].makespan == bound;
        if (!met && (*each)->fits(asked->traffic) && !find_row(asked, row, at, err))
            return false;
    }
    return true;
}
