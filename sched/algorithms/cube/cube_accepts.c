/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/cube/cube_accepts.h"

#include "sched/base/text.h"

#include <inttypes.h>

bool cube_accepts(const struct collective *collective, struct err *err)
{
    return collective->n == collective->topology->nodes ||
           err_set(err, ERR_ALGORITHM,
                   "%" PRIu32 " node%s; expected %" PRIu32 ", those of the hypercube",
                   collective->n, text_s(collective->n), collective->topology->nodes);
}

bool cube_accepts_no_source(const char *name, const struct collective *collective, struct err *err)
{
    if (collective->source != 0)
        return err_set(err, ERR_ALGORITHM,
                       "%s has no one source, %" PRIu32 " is given; expected source 0", name,
                       collective->source);
    return cube_accepts(collective, err);
}

bool cube_accepts_packets(const char *name, const struct collective *collective, uint32_t least,
                          uint32_t most, struct err *err)
{
    return (collective->m >= least && collective->m <= most) ||
           err_set(err, ERR_ALGORITHM,
                   "%s of %" PRIu32 " packet%s; expected %" PRIu32 " … %" PRIu32, name,
                   collective->m, text_s(collective->m), least, most);
}
