/* SPDX-License-Identifier: Apache-2.0 */
/* model: the rules for how many packets a node may send and receive in one round. */
#ifndef ROUNDCAST_MODEL_H
#define ROUNDCAST_MODEL_H

#include "sched/shape/topology.h"

#include <stdbool.h>

/* Enumerator, name in files and on the command line, topology, what one round allows, and the
 * fields of struct model_row that are set. */
#define MODEL_TABLE(X)                                                                           \
    X(SEND_RECEIVE, "send-receive", COMPLETE,                                                    \
      "each node sends at most 1 and receives at most 1 packet", .ports = true, .priced = true)  \
    X(TELEPHONE, "telephone", COMPLETE, "a matching; the two of a pair exchange packets",        \
      .pairs = true, .ports = true)                                                              \
    X(TELEGRAPH, "telegraph", COMPLETE, "a matching; one of a pair sends to the other",          \
      .pairs = true, .half_duplex = true)                                                        \
    X(POSTAL, "postal", COMPLETE,                                                                \
      "sender busy [t, t+1], receiver busy [t+λ-1, t+λ], one packet each at a time",             \
      .times = true, .ports = true)                                                              \
    X(SINGLE_PORT, "single-port", TREE,                                                          \
      "tree: a node sends at most 1 packet on 1 link, and receives on all at once",              \
      .one_link = true, .by_ports = true)                                                        \
    X(MULTIPORT, "multiport", TREE, "tree: each lane carries at most 1 packet each way",         \
      .by_ports = true)                                                                          \
    X(ALL_PORT, "all-port", HYPERCUBE, "hypercube: each arc carries at most 1 packet", )         \
    X(FABRIC_MULTICAST, "fabric-multicast", COMPLETE,                                            \
      "each node sends at most 1 packet, to any nodes: the network copies it; and receives at "  \
      "most 1",                                                                                  \
      .copies = true)                                                                            \
    X(FABRIC_POSTAL, "fabric-postal", COMPLETE,                                                  \
      "as postal, but a node sends its packet to any nodes at once: the network copies it",      \
      .times = true, .copies = true)                                                             \
    X(FABRIC_REDUCTION, "fabric-reduction", COMPLETE,                                            \
      "each node sends at most 1 packet, to 1 node, and receives at most 1, of any nodes: the "  \
      "network combines it",                                                                     \
      .combines = true)                                                                          \
    X(FABRIC_ALL_REDUCE, "fabric-all-reduce", COMPLETE,                                          \
      "each node sends at most 1 packet and receives at most 1: the network copies a packet to " \
      "any nodes, or combines it of any nodes for one",                                          \
      .copies = true, .combines = true)                                                          \
    TOPOLOGY_DIRECT_TABLE(MODEL_DIRECT_ROWS, X)

/* The two models of a direct topology. */
#define MODEL_DIRECT_ROWS(enumerator, name, argument, help, routing, source, X)       \
    X(enumerator##_SINGLE_PORT, #name "-single-port", enumerator,                     \
      #name ": a node sends at most 1 packet on 1 link, and receives on all at once", \
      .one_link = true, .by_ports = true)                                             \
    X(enumerator##_MULTIPORT, #name "-multiport", enumerator,                         \
      #name ": each arc carries at most 1 packet", .by_ports = true)

enum model {
#define MODEL_ENUM(name, ...) MODEL_##name,
    MODEL_TABLE(MODEL_ENUM)
#undef MODEL_ENUM
        MODEL_COUNT
};

/* The set of the models of a direct topology, as bits. */
#define MODELS_OF_DIRECT(enumerator) \
    (1u << MODEL_##enumerator##_SINGLE_PORT | 1u << MODEL_##enumerator##_MULTIPORT)

/* The properties of a model, which other code tests instead of comparing models. A new model needs
 * a row above, and its rules in sched/verify/verify_steps.c. */
struct model_row {
    const char *name, *rule;
    enum topology_kind topology;
    bool times;       /* schedules have times instead of rounds; a packet takes λ units of time */
    bool copies;      /* the network copies packets */
    bool combines;    /* the network combines packets */
    bool pairs;       /* a round is a matching of the nodes */
    bool half_duplex; /* in a pair, one node sends and the other receives */
    bool ports;       /* a node may have several ports: "send-receive 4", "postal 5/2 4" */
    /* settings can be held from round to round, and changes of settings can have a price */
    bool priced;
    bool one_link; /* a node sends over one of its links at a time */
    bool by_ports; /* the field `ports` selects it: single if it has one_link, else multi */
};

extern const struct model_row model_rows[MODEL_COUNT];

static inline const struct model_row *model_row(enum model model)
{
    return &model_rows[model];
}

/* All names, each after a blank, for messages that list the expected names. */
#define MODEL_TEXT(name, text, ...) " " text
#define MODEL_NAMES MODEL_TABLE(MODEL_TEXT)

/* The set of the models on complete graphs in which any packets move, as bits: all except
 * those of networks that combine, which are for packets that are combined. */
#define MODELS_OF_COMPLETE_GRAPHS                                               \
    (1u << MODEL_SEND_RECEIVE | 1u << MODEL_TELEPHONE | 1u << MODEL_TELEGRAPH | \
     1u << MODEL_POSTAL | 1u << MODEL_FABRIC_MULTICAST | 1u << MODEL_FABRIC_POSTAL)

/* The set of the models whose networks neither copy nor combine packets, as bits. */
#define MODELS_OF_PLAIN_NETWORKS                                                                \
    ((1u << MODEL_COUNT) - 1 -                                                                  \
     (1u << MODEL_FABRIC_MULTICAST | 1u << MODEL_FABRIC_POSTAL | 1u << MODEL_FABRIC_REDUCTION | \
      1u << MODEL_FABRIC_ALL_REDUCE))

/* The set of the models whose nodes may have several ports, as bits. */
#define MODELS_OF_SEVERAL_PORTS \
    (1u << MODEL_SEND_RECEIVE | 1u << MODEL_TELEPHONE | 1u << MODEL_POSTAL)

const char *model_name(enum model model);
const char *model_rule(enum model model);

/* Returns the kind of topology that the model requires. */
static inline enum topology_kind model_topology(enum model model)
{
    return model_rows[model].topology;
}

/* Returns whether packets are sent at times and take λ, instead of in rounds. */
static inline bool model_has_times(enum model model)
{
    return model_rows[model].times;
}

/* Returns whether the network copies packets. */
static inline bool model_copies(enum model model)
{
    return model_rows[model].copies;
}

/* Returns whether the network combines packets. */
static inline bool model_combines(enum model model)
{
    return model_rows[model].combines;
}

/* Returns the model of a topology that the field `ports` selects: single, in which a node sends
 * over one link at a time, or multi. Returns `none` if the topology has no such models.
 * O(models). */
enum model model_by_ports(enum topology_kind topology, bool one_link, enum model none);

/* Returns the model of a topology that is meant by a model: if the field `ports` selects it, the
 * one of this topology with as many links at a time, if there is one; else the model itself.
 * O(models). */
enum model model_on(enum topology_kind topology, enum model model);

/* Checks that the model is one of the topology. E103 names the member `model`. */
bool model_check_topology(enum model model, enum topology_kind topology, struct err *err);

/* Finds a model by its name. Returns false if there is none. */
bool model_parse(const char *name, enum model *model);

#endif
