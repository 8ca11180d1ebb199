/* SPDX-License-Identifier: Apache-2.0 */
/* taccl: algorithms as TACCL writes them (Shah and others 2023; its serialization.py): JSON like
 * that of SCCL (sccl.h), with these differences.
 *
 *     sccl_type     the key of the type of an object
 *     sends         [addr, source, destination, time, link], or with an operation after the link:
 *                   "rrc" combines, null copies
 *     instance      chunks: the chunks of the collective are already divided
 *
 * The sends of a step are independent, so that the order of the steps is that of the algorithm.
 * Times and links are those of GPUs with several ports and are not kept; rounds are found under the
 * model. */
#include "sched/exchange/sccl.h"

#include <string.h>

static bool read_taccl(FILE *from, const char *name, enum model model, struct schedule *schedule,
                       struct err *err)
{
    return sccl_read_typed(from, name, SCCL_TACCL_TYPE, model, schedule, err);
}

static bool is_taccl(const char *head)
{
    return *head == '{' && strstr(head, "\"" SCCL_TACCL_TYPE "\"") != NULL;
}

const struct exchange_format exchange_taccl = {
    .name = "taccl",
    .what = "JSON, of TACCL",
    .suffix = "json",
    .most = SCCL_NODES,
    .read = read_taccl,
    .is_like = is_taccl,
};
