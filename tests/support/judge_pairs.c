/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/judge_pairs.h"

#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

const char *judge_pairs(const struct schedule *s)
{
    size_t row = (size_t)s->packets + 1, has_size = s->nodes * row;
    char *has = calloc(has_size, 1), *had = calloc(has_size, 1);
    uint32_t *partner = calloc(s->nodes, sizeof *partner);
    const char *wrong = has != NULL && had != NULL && partner != NULL ? NULL : "no memory";
    if (wrong == NULL)
        memset(has, 1, row);
    for (size_t k = 0; k < s->step_count && wrong == NULL; k++) {
        size_t first = s->step[k].first, end = schedule_step_end(s, k);
        memcpy(had, has, has_size);
        for (uint32_t node = 0; node < s->nodes; node++)
            partner[node] = node;
        for (const struct transfer *t = s->transfer + first; t < s->transfer + end && wrong == NULL;
             t++) {
            uint32_t from = t->source, to = t->destination;
            bool met = partner[from] == to && partner[to] == from;
            if (!met && (partner[from] != from || partner[to] != to))
                wrong = "two partners";
            else if (met && s->model == MODEL_TELEGRAPH)
                wrong = "two packets between a pair";
            else if (!had[from * row + t->packet])
                wrong = "not held";
            else if (has[to * row + t->packet])
                wrong = "held before";
            else if (met)
                for (const struct transfer *other = s->transfer + first; other < t; other++)
                    if (other->source == from)
                        wrong = "two packets one way";
            partner[from] = to;
            partner[to] = from;
            has[to * row + t->packet] = 1;
        }
    }
    if (wrong == NULL && s->transfer_count != (size_t)(s->nodes - 1) * s->packets)
        wrong = "not everybody has everything"; /* because no node received a packet twice */
    if (wrong == NULL && s->step_count > 0 && s->end != s->step[s->step_count - 1].time)
        wrong = "another end";
    free(has);
    free(had);
    free(partner);
    return wrong;
}

struct schedule judge_pairs_build(const char *algorithm, enum model model, uint32_t n, uint32_t m)
{
    const struct collective asked = {.n = n, .m = m, .model = model};
    struct schedule schedule = {0};
    struct err err = {0};
    if (!algorithm_build(algorithm_find(algorithm, &err), &asked, &schedule, &err))
        fail_msg("n=%u m=%u: %s", n, m, err.text);
    const char *wrong = judge_pairs(&schedule);
    if (wrong != NULL)
        fail_msg("n=%u m=%u: %s", n, m, wrong);
    return schedule;
}
