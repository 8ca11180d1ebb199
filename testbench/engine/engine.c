/* SPDX-License-Identifier: Apache-2.0 */
#include "testbench/engine/engine.h"

#include "sched/base/text.h"
#include "sched/machine/machine_address.h"
#include "testbench/engine/cache.h"
#include "testbench/engine/dut_csim.h"
#include "testbench/engine/source.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *engine_name(enum engine_kind kind)
{
    static const char *const names[] = {
#define ENGINE_NAME(name, text, what) text,
        ENGINE_TABLE(ENGINE_NAME)
#undef ENGINE_NAME
    };
    return names[kind];
}

const char *engine_description(enum engine_kind kind)
{
    static const char *const descriptions[] = {
#define ENGINE_DESCRIPTION(name, text, what) what,
        ENGINE_TABLE(ENGINE_DESCRIPTION)
#undef ENGINE_DESCRIPTION
    };
    return descriptions[kind];
}

#define KEPT_PATHS 8

struct engine_store {
    /* The csim model that was opened last. */
    struct machine machine;
    void *model; /* NULL: none */
    bool in_use;

    /* The paths of the libraries that were looked up last. */
    char name[KEPT_PATHS][ENGINE_NAME_ROOM], path[KEPT_PATHS][PATH_ROOM];
    unsigned paths; /* number of paths kept so far */
};

struct engine_store *engine_store_new(struct err *err)
{
    struct engine_store *store = calloc(1, sizeof *store);
    if (store == NULL)
        err_no_memory(err, "the engines of a process");
    return store;
}

void engine_store_free(struct engine_store *store)
{
    if (store->model != NULL)
        dut_csim_ops.destroy(store->model);
    free(store);
}

/* Finds the library, in $ROUNDCAST_ENGINES or in the cache. */
static bool find_library(const char *name, char path[PATH_ROOM], struct err *err)
{
    const char *ready = getenv("ROUNDCAST_ENGINES");
    if (ready == NULL || *ready == '\0')
        return cache_library(name, path, err);
    if (!path_print(path, err, "%s/%s/" CACHE_LIBRARY, ready, name))
        return false;
    return access(path, R_OK) == 0 ||
           err_set(err, ERR_TOOL,
                   "%.300s: not in ROUNDCAST_ENGINES; expected an engine that stands ready there",
                   name);
}

/* Finds a library that was found before, without reading its sources again. */
static bool find_kept(struct engine_store *store, const char *name, char path[PATH_ROOM],
                      struct err *err)
{
    if (store == NULL)
        return find_library(name, path, err);
    for (unsigned which = 0; which < KEPT_PATHS && which < store->paths; which++)
        if (strcmp(store->name[which], name) == 0) {
            strcpy(path, store->path[which]);
            return true;
        }
    if (!find_library(name, path, err))
        return false;
    unsigned which = store->paths++ % KEPT_PATHS;
    strcpy(store->name[which], name);
    strcpy(store->path[which], path);
    return true;
}

/* Writes the name of the engine. E401 if the kind has no engine of that size. */
static bool name_engine(enum engine_kind kind, const struct machine *machine, bool traced,
                        char name[ENGINE_NAME_ROOM], struct err *err)
{
    uint32_t most = machine_hops(machine) ? MACHINE_MAX_RTL_ENDPOINTS : MACHINE_MAX_RTL_PORTS;
    if (machine_ports(machine) > most)
        return err_set(err, ERR_NETWORK,
                       "{engine}: %s: %" PRIu32 " port%s; expected at most %u (csim takes more)",
                       engine_name(kind), machine_ports(machine), text_s(machine_ports(machine)),
                       most);
    engine_name_of(kind, machine, traced, name);
    return true;
}

static bool open_library(enum engine_kind kind, const struct machine *machine, bool traced,
                         struct engine *engine, struct err *err)
{
    char name[ENGINE_NAME_ROOM], path[PATH_ROOM];
    if (!name_engine(kind, machine, traced, name, err) ||
        !find_kept(engine->store, name, path, err))
        return false;
    engine->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    struct dut_library *entry = engine->library ? dlsym(engine->library, "dut_entry") : NULL;
    if (entry == NULL) {
        err_set(err, ERR_TOOL, "%.300s: %.100s; expected an engine", name, dlerror());
        engine_close(engine);
        return false;
    }
    engine->ops = &entry->ops;
    engine->self = entry->create();
    if (engine->self != NULL)
        return true;
    engine_close(engine);
    return err_set(err, ERR_TOO_BIG, "engine %s: no memory; expected a smaller machine",
                   engine_name(kind));
}

/* Keeps a new model and discards the previous one. */
static void keep_model(struct engine_store *store, const struct machine *machine, void *model)
{
    if (!dut_csim_mark(model))
        return;
    if (store->model != NULL)
        dut_csim_ops.destroy(store->model);
    store->model = model;
    store->machine = *machine;
    store->in_use = true;
}

/* Returns the kept model if it is a model of this machine, otherwise a new one. */
static void *open_model(struct engine_store *store, const struct machine *machine, bool traced,
                        struct err *err)
{
    bool keeps = store != NULL && !store->in_use && !traced;
    if (keeps && store->model != NULL && memcmp(machine, &store->machine, sizeof *machine) == 0) {
        dut_csim_rewind(store->model);
        store->in_use = true;
        return store->model;
    }
    void *model = dut_csim_create(machine, err);
    if (keeps && model != NULL)
        keep_model(store, machine, model);
    return model;
}

bool engine_open_kept(struct engine_store *store, enum engine_kind kind,
                      const struct machine *machine, bool traced, struct engine *engine,
                      struct err *err)
{
    *engine = (struct engine){.kind = kind, .store = store};
    if (kind != ENGINE_CSIM)
        return open_library(kind, machine, traced, engine, err);
    engine->self = open_model(store, machine, traced, err);
    engine->ops = &dut_csim_ops;
    return engine->self != NULL;
}

bool engine_open(enum engine_kind kind, const struct machine *machine, bool traced,
                 struct engine *engine, struct err *err)
{
    return engine_open_kept(NULL, kind, machine, traced, engine, err);
}

bool engine_build(enum engine_kind kind, const struct machine *machine, bool traced,
                  struct err *err)
{
    char name[ENGINE_NAME_ROOM], path[PATH_ROOM];
    return name_engine(kind, machine, traced, name, err) && find_library(name, path, err);
}

uint64_t engine_leap(const struct engine *engine, uint64_t most, struct dut_outputs *outputs)
{
    return engine->ops == &dut_csim_ops ? dut_csim_leap(engine->self, most, outputs) : 0;
}

bool engine_check(const struct engine *engine, struct err *err)
{
    return engine->ops != &dut_csim_ops || dut_csim_check(engine->self, err);
}

void engine_close(struct engine *engine)
{
    struct engine_store *store = engine->store;
    if (store != NULL && engine->self != NULL && engine->self == store->model)
        store->in_use = false;
    else if (engine->self != NULL)
        engine->ops->destroy(engine->self);
    if (engine->library != NULL && store == NULL)
        dlclose(engine->library);
    *engine = (struct engine){0};
}

/* -- The name of a compiled engine ------------------------------------------------------------- */

/* Appends a parameter that has a value for each level, "-name1_2_3", level 1 first. */
static void append_levels(const char *name, const uint32_t value[], unsigned height, char *text)
{
    text_append(text, ENGINE_NAME_ROOM, "-%s%" PRIu32, name, value[1]);
    for (unsigned level = 2; level <= height; level++)
        text_append(text, ENGINE_NAME_ROOM, "_%" PRIu32, value[level]);
}

/* Appends the parameters of a multistage network. For a Beneš network of 2×2 switches the number of
 * ports determines the others. */
static void combine_words(const struct machine *machine, char *text)
{
    if (machine->combines)
        text_append(text, ENGINE_NAME_ROOM, "-combine%d", machine->keeps_own ? 2 : 1);
    if (machine->operators > 0)
        text_append(text, ENGINE_NAME_ROOM, "-operators%" PRIu32, machine->operators);
}

static void multistage_words(const struct machine *machine, char *text)
{
    const struct multistage *net = &machine->network;
    text_append(text, ENGINE_NAME_ROOM, "-ports%" PRIu32, net->ports);
    if (net->kind != 0)
        text_append(text, ENGINE_NAME_ROOM, "-kind%d", (int)net->kind);
    if (multistage_has_crossbars(net))
        text_append(text, ENGINE_NAME_ROOM, "-middle%" PRIu32 "-radix%" PRIu32 "-levels%u",
                    net->middle, net->radix, net->levels);
    if (machine_has_setting_index(machine))
        text_append(text, ENGINE_NAME_ROOM, "-settings%d-tables%u", (int)machine->settings,
                    1u << machine_log2_table_rows(machine));
    if (machine_has_setting_period(machine))
        text_append(text, ENGINE_NAME_ROOM, "-setting_period%u-computed%d",
                    1u << machine->log2_period, machine->computed);
    if (machine->reconfigures)
        text_append(text, ENGINE_NAME_ROOM, "-reconfig1");
    combine_words(machine, text);
    if (machine->shared > 0)
        text_append(text, ENGINE_NAME_ROOM, "-shared%" PRIu32, machine->shared);
    if (machine->ranges)
        text_append(text, ENGINE_NAME_ROOM, "-ranges1-splits%u", 1u << machine->log2_splits);
    text_append(text, ENGINE_NAME_ROOM, "-pipe%u", machine->pipe);
}

static void cube_words(const struct machine *machine, char *text)
{
    text_append(text, ENGINE_NAME_ROOM, "-dimensions%u-depth%" PRIu32 "-reads%" PRIu32,
                machine->topology.dimensions, machine->depth[1], machine->reads);
    combine_words(machine, text);
}

static void cube_auto_words(const struct machine *machine, char *text)
{
    text_append(text, ENGINE_NAME_ROOM, "-dimensions%u-depth%" PRIu32 "-queue%" PRIu32,
                machine->topology.dimensions, machine->depth[1], machine->queue[1]);
}

static void tree_words(const struct machine *machine, char *text)
{
    const struct topology *tree = &machine->topology;
    text_append(text, ENGINE_NAME_ROOM, "-height%u", tree->height);
    append_levels("children", tree->children, tree->height, text);
    append_levels("capacity", tree->capacity, tree->height, text);
    append_levels("depth", machine->depth, tree->height, text);
    if (machine_is_self_timed(machine)) {
        text_append(text, ENGINE_NAME_ROOM, "-auto1");
        append_levels("queue", machine->queue, tree->height, text);
    }
    text_append(text, ENGINE_NAME_ROOM, "-reads%" PRIu32, machine->reads);
    combine_words(machine, text);
}

/* Appends the parameters of the network of a machine of that kind. */
static void (*const append_words[MACHINE_KINDS])(const struct machine *machine, char *text) = {
    [MACHINE_MULTISTAGE] = multistage_words,
    [MACHINE_FAT_TREE] = tree_words,
    [MACHINE_FAT_TREE_AUTO] = tree_words,
    [MACHINE_CUBE] = cube_words,
    [MACHINE_CUBE_AUTO] = cube_auto_words};

void engine_name_of(enum engine_kind kind, const struct machine *machine, bool traced,
                    char name[ENGINE_NAME_ROOM])
{
    snprintf(name, ENGINE_NAME_ROOM, "%s-rc_%s", engine_name(kind), machine_row(machine)->top);
    append_words[machine->kind](machine, name);
    text_append(name, ENGINE_NAME_ROOM, "-pad%u-width%u-packets%u-flits%u-rows%u%s", machine->pad,
                machine->width, 1u << machine->log2_packets, 1u << machine->log2_flits,
                1u << machine->log2_rows, traced ? "-traced" : "");
}
