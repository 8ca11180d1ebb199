/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/algorithm_argument.h"

#include <string.h>
#include <unistd.h>

/* Names of algorithms in other tools. */
static const struct {
    const char *name, *answer;
} foreign[] = {
    {"ring", "expected path for a chain of nodes, or all-gather"},
    {"pipeline", "expected path, which sends packet after packet along a chain"},
    {"chain", "expected path"},
    {"tree", "expected binomial, binary-tree or dary-trees, or tree-broadcast on --tree"},
    {"hypercube", "expected hypercube-trees, or cube-broadcast on --dim"}};

bool algorithm_argument(struct options *options, bool schedules, struct roundcast_error *err)
{
    const char **name = &options->request.algorithm;
    if (!options_one_argument(options, "algorithm", name, err))
        return false;
    if (*name == NULL)
        return true;
    for (size_t which = 0; which < sizeof foreign / sizeof *foreign; which++)
        if (strcmp(*name, foreign[which].name) == 0)
            return roundcast_error_set(err, ROUNDCAST_E_ALGORITHM,
                                       "{algorithm}: '%s' does not exist; %s", *name,
                                       foreign[which].answer);
    /* names of algorithms contain neither a dot nor a slash */
    if (!schedules && strpbrk(*name, "./") != NULL && access(*name, F_OK) == 0)
        return roundcast_error_set(
            err, ROUNDCAST_E_ALGORITHM,
            "{algorithm}: %.60s is a file; expected an algorithm; 'roundcast run %.60s' "
            "runs a schedule",
            *name, *name);
    return true;
}
