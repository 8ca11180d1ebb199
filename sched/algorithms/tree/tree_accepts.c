/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/tree/tree_accepts.h"

#include "sched/base/text.h"

#include <inttypes.h>

bool tree_accepts(const struct collective *collective, struct err *err)
{
    if (collective->m != 1)
        return err_set(err, ERR_ALGORITHM, "%" PRIu32 " packet%s in a tree; expected 1 packet",
                       collective->m, text_s(collective->m));
    if (collective->topology->any && collective->method != 0)
        return err_set(err, ERR_ALGORITHM,
                       "{method}: a tree of {parents} has one method for each collective; expected "
                       "none");
    if (collective->n != collective->topology->nodes)
        return err_set(err, ERR_ALGORITHM,
                       "%" PRIu32 " node%s; expected %" PRIu32 ", the leaves of the tree",
                       collective->n, text_s(collective->n), collective->topology->nodes);
    return true;
}

bool tree_accepts_leaf(const struct collective *collective, struct err *err)
{
    if (collective->source >= collective->n)
        return err_set(err, ERR_ALGORITHM,
                       "{source}: a gather ends at a processor, and routers are none; expected a "
                       "leaf");
    return tree_accepts(collective, err);
}

bool tree_accepts_no_source(const char *name, const char *const methods[],
                            const struct collective *collective, struct err *err)
{
    if (collective->source != 0)
        return err_set(err, ERR_ALGORITHM,
                       "%s has no source, %" PRIu32 " is given; expected source 0", name,
                       collective->source);
    if (model_row(collective->model)->one_link && collective->method != 0)
        return err_set(
            err, ERR_ALGORITHM,
            "{method}: %s of %s requires the model multiport; expected no method in single-port",
            methods[collective->method], name);
    return tree_accepts(collective, err);
}
