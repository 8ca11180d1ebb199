/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/msccl_run.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct outputs {
    const struct msccl *msccl;
    enum msccl_collective collective; /* that the outputs must be of */
    const struct msccl_content *content;
    const struct msccl_value *value;
    struct msccl_value *numbered; /* the same values, whose packets are found; NULL: none are */
};

/* An output of a GPU that contains a value of another GPU. */
struct kept {
    uint64_t order; /* order of the value */
    size_t value;
    uint32_t gpu;
};

struct msccl_output msccl_output_of(const struct msccl *msccl, uint32_t id)
{
    const struct msccl_gpu *gpu = &msccl->gpu[id];
    bool scatters = msccl->collective == MSCCL_REDUCE_SCATTER;
    size_t outputs = gpu->chunks[MSCCL_OUTPUT], inputs = gpu->chunks[MSCCL_INPUT];
    struct msccl_output of = {gpu->first[MSCCL_OUTPUT], outputs, scatters ? id * outputs : 0};
    if (outputs > 0 || !msccl->in_place)
        return of;
    of.count = scatters ? inputs / msccl->gpus : inputs;
    of.number = scatters ? id * of.count : 0;
    of.first = gpu->first[MSCCL_INPUT] + of.number;
    return of;
}

void msccl_fill(const struct msccl *msccl, struct msccl_content content[],
                struct msccl_value value[])
{
    for (uint32_t id = 0; id < msccl->gpus; id++) {
        const struct msccl_gpu *gpu = &msccl->gpu[id];
        size_t first = gpu->first[MSCCL_INPUT], count = gpu->chunks[MSCCL_INPUT];
        bool gathers = msccl->collective == MSCCL_ALL_GATHER || msccl->collective == MSCCL_GATHER;
        if (msccl->in_place && gathers)
            count = msccl_gathered(msccl, gpu);
        else if (msccl->in_place && msccl->collective != MSCCL_SCATTER &&
                 msccl->collective != MSCCL_REDUCE_SCATTER && count < gpu->chunks[MSCCL_OUTPUT])
            count = gpu->chunks[MSCCL_OUTPUT];
        for (size_t k = 0; k < count; k++) {
            content[first + k].value = first + k + 1;
            value[first + k] = (struct msccl_value){id, (uint32_t)k, 0};
        }
    }
}

/* Returns whether an output has the value that the collective requires. Values of its own GPU are
 * not checked, and the root of a broadcast or a scatter is not known yet. `value` is one more than
 * its number. */
static bool is_right(const struct outputs *outputs, uint32_t id, size_t k, size_t value)
{
    const struct msccl *msccl = outputs->msccl;
    const struct msccl_output of = msccl_output_of(msccl, id);
    size_t block = of.count / msccl->gpus, first = 0;
    bool has_root = outputs->collective == MSCCL_BROADCAST || outputs->collective == MSCCL_SCATTER;
    if (outputs->collective == MSCCL_CUSTOM || (has_root && value == 0))
        return true;
    const struct msccl_value *found = value > 0 ? &outputs->value[value - 1] : NULL;
    if (outputs->collective == MSCCL_SCATTER)
        first = (size_t)id * msccl->gpu[id].chunks[MSCCL_OUTPUT];
    if (has_root)
        return found->gpu == id || found->chunk == first + k;
    if (block == 0 || k / block == id)
        return block > 0;
    if (outputs->collective == MSCCL_ALL_TO_ALL)
        first = id * block;
    return found != NULL && found->gpu == k / block && found->chunk == first + k % block;
}

bool msccl_outputs_are(const struct msccl *msccl, enum msccl_collective collective,
                       const struct msccl_content content[], const struct msccl_value value[])
{
    const struct outputs outputs = {msccl, collective, content, value, NULL};
    bool right = true;
    for (uint32_t id = 0; right && id < msccl->gpus; id++) {
        const struct msccl_output of = msccl_output_of(msccl, id);
        right = of.count > 0;
        for (size_t k = 0; right && k < of.count; k++) {
            size_t found = content[of.first + k].value;
            right = found <= msccl->chunks && is_right(&outputs, id, k, found);
        }
    }
    return right;
}

/* Returns the key by which packets are numbered: GPU, then chunk. Custom collectives only have
 * chunk numbers, so their packets are ordered by chunk first. */
static uint64_t order_of(const struct outputs *outputs, size_t value)
{
    uint64_t gpu = outputs->value[value].gpu, chunk = outputs->value[value].chunk;
    return outputs->msccl->collective == MSCCL_CUSTOM ? chunk << 32 | gpu : gpu << 32 | chunk;
}

/* Writes the values of other GPUs that outputs contain at the end to kept[]. */
static bool look_at_outputs(const struct outputs *outputs, struct kept kept[], size_t *count,
                            struct err *err)
{
    const struct msccl *msccl = outputs->msccl;
    *count = 0;
    for (uint32_t id = 0; id < msccl->gpus; id++)
        for (size_t k = 0; k < msccl->gpu[id].chunks[MSCCL_OUTPUT]; k++) {
            size_t value = outputs->content[msccl->gpu[id].first[MSCCL_OUTPUT] + k].value;
            if (!is_right(outputs, id, k, value))
                return err_set(err, ERR_UNMET,
                               "%s: GPU %" PRIu32 ": chunk %zu of its output is not what the "
                               "collective says; expected it there in the end",
                               outputs->msccl->name, id, k);
            if (value != 0 && outputs->value[value - 1].gpu != id)
                kept[(*count)++] = (struct kept){order_of(outputs, value - 1), value - 1, id};
        }
    return true;
}

/* Checks that, in a broadcast or a scatter, all outputs of the other GPUs have chunks of one
 * GPU. */
static bool check_root(const struct outputs *outputs, const struct kept kept[], size_t count,
                       struct err *err)
{
    const struct msccl *msccl = outputs->msccl;
    uint32_t root = outputs->value[kept[0].value].gpu;
    size_t all = 0, same = 0;
    for (uint32_t id = 0; id < msccl->gpus; id++)
        all += id == root ? 0 : msccl->gpu[id].chunks[MSCCL_OUTPUT];
    for (size_t k = 0; k < count; k++)
        same += outputs->value[kept[k].value].gpu == root;
    return (count == all && same == count) ||
           err_set(err, ERR_UNMET,
                   "%s: %zu chunks of outputs are those of GPU %" PRIu32 "; expected all %zu of "
                   "the others in a %s",
                   outputs->msccl->name, same, root, all,
                   msccl_collective_names[msccl->collective]);
}

/* Checks that only one GPU has an output in a gather. */
static bool check_gather(const struct outputs *outputs, struct err *err)
{
    const struct msccl *msccl = outputs->msccl;
    uint32_t roots = 0;
    for (uint32_t id = 0; id < msccl->gpus; id++)
        roots += msccl->gpu[id].chunks[MSCCL_OUTPUT] > 0;
    return roots == 1 ||
           err_set(err, ERR_UNMET, "%s: %" PRIu32 " GPUs have an output; expected one in a gather",
                   outputs->msccl->name, roots);
}

static int by_order(const void *left, const void *right)
{
    const struct kept *a = left, *b = right;
    return compare_then(COMPARE(a->order, b->order), COMPARE(a->gpu, b->gpu));
}

/* Packets that form one demand: `count` packets of a source, wanted by the same nodes. */
struct group {
    uint32_t count, source, wanted_count;
    uint32_t *wanted; /* [gpus] */
    uint32_t *next;   /* [gpus]: room for the nodes that want the next packet */
};

static bool add_group(struct schedule *schedule, struct group *group, struct err *err)
{
    bool all = group->wanted_count == schedule->nodes - 1;
    return group->count == 0 ||
           schedule_add_demand(schedule, group->count, group->source, group->wanted,
                               all ? 0 : group->wanted_count, err);
}

/* Adds the demands of kept[count], which are sorted. */
static bool add_demands(struct outputs *outputs, const struct kept kept[], size_t count,
                        struct group *group, struct schedule *schedule, struct err *err)
{
    uint32_t packet = 0, *next = group->next;
    for (size_t k = 0, end; k < count; k = end) {
        uint32_t wanted = 0, source = outputs->value[kept[k].value].gpu;
        for (end = k; end < count && kept[end].value == kept[k].value; end++)
            if (wanted == 0 || next[wanted - 1] != kept[end].gpu)
                next[wanted++] = kept[end].gpu;
        outputs->numbered[kept[k].value].packet = ++packet;
        bool same = group->count > 0 && group->source == source && group->wanted_count == wanted &&
                    memcmp(group->wanted, next, wanted * sizeof *next) == 0;
        if (!same && !add_group(schedule, group, err))
            return false;
        memcpy(group->wanted, next, wanted * sizeof *next);
        *group = (struct group){same ? group->count + 1 : 1, source, wanted, group->wanted, next};
    }
    return add_group(schedule, group, err);
}

bool msccl_demand(const struct msccl *msccl, const struct msccl_content content[],
                  struct msccl_value value[], struct schedule *schedule, struct err *err)
{
    struct outputs outputs = {msccl, msccl->collective, content, value, value};
    struct group group = {0};
    struct kept *kept;
    size_t count;
    const struct arena_array arrays[] = {ARENA(kept, msccl->chunks + 1),
                                         ARENA(group.next, msccl->gpus),
                                         ARENA(group.wanted, msccl->gpus)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (memory == NULL)
        return err_no_memory(err, "the outputs of %s", msccl->name);
    bool found = look_at_outputs(&outputs, kept, &count, err);
    if (found && count == 0)
        found = err_set(err, ERR_DEMAND,
                        "%s: no output has a chunk of another GPU; expected chunks to move",
                        msccl->name);
    if (found && (msccl->collective == MSCCL_BROADCAST || msccl->collective == MSCCL_SCATTER))
        found = check_root(&outputs, kept, count, err);
    if (found && msccl->collective == MSCCL_GATHER)
        found = check_gather(&outputs, err);
    if (found) {
        qsort(kept, count, sizeof *kept, by_order);
        found = add_demands(&outputs, kept, count, &group, schedule, err);
    }
    free(memory);
    return found;
}
