#include "algorithm.h"

#include <string.h>

extern const struct algorithm algorithm_binomial, algorithm_path, algorithm_binary_tree, algorithm_matching,
    algorithm_circulant;

const struct algorithm *const algorithm_table[] = {
    &algorithm_binomial, &algorithm_path,      &algorithm_binary_tree,
    &algorithm_matching, &algorithm_circulant, NULL,
};

const struct algorithm *algorithm_find(const char *name, struct err *err)
{
    char names[200] = "";
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        if (strcmp((*entry)->name, name) == 0)
            return *entry;
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, " %s", (*entry)->name);
    }
    err_set(err, ERR_ALGORITHM, "algorithm '%.40s' does not exist; expected one of%s", name, names);
    return NULL;
}

unsigned algorithm_ceil_log2(uint32_t n)
{
    return n <= 1 ? 0 : 32 - (unsigned)__builtin_clz(n - 1);
}

bool algorithm_check(const struct algorithm *algorithm, const struct collective *collective, struct err *err)
{
    if (!schedule_check_range(collective->n, collective->m, collective->source, err))
        return false;
    if ((algorithm->models & 1u << collective->model) == 0) {
        char kept[100] = "";
        for (unsigned model = 0; model < MODEL_COUNT; model++) {
            size_t used = strlen(kept);
            if ((algorithm->models & 1u << model) != 0)
                snprintf(kept + used, sizeof kept - used, " %s", model_name((enum model)model));
        }
        return err_set(err, ERR_ALGORITHM, "%s does not keep the model %s; expected one of%s",
                       algorithm->name, model_name(collective->model), kept);
    }
    return collective->n == 1 || algorithm->accepts == NULL || algorithm->accepts(collective, err);
}

uint64_t algorithm_rounds(const struct algorithm *algorithm, const struct collective *collective)
{
    return collective->n == 1 ? 0 : algorithm->rounds(collective);
}

/* Algorithms broadcast from node 0; move the source where it is wanted. */
static void rename_source(struct schedule *schedule, uint32_t source)
{
    if (source == 0)
        return;
    uint32_t nodes = schedule->nodes, wrap = nodes - source;
    for (size_t index = 0; index < schedule->transfer_count; index++) {
        struct transfer *transfer = &schedule->transfer[index];
        transfer->source = transfer->source < wrap ? transfer->source + source : transfer->source - wrap;
        transfer->destination =
            transfer->destination < wrap ? transfer->destination + source : transfer->destination - wrap;
    }
    schedule->demand[0].source = source;
}

bool algorithm_build(const struct algorithm *algorithm, const struct collective *collective,
                     struct schedule *schedule, struct err *err)
{
    if (!algorithm_check(algorithm, collective, err) ||
        !schedule_init_broadcast(schedule, algorithm->name, collective->n, collective->m, 0,
                                 collective->model, err))
        return false;
    if (collective->n > 1 && !algorithm->build(collective, schedule, err)) {
        schedule_free(schedule);
        return false;
    }
    rename_source(schedule, collective->source);
    return true;
}
