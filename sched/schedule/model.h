/* SPDX-License-Identifier: Apache-2.0 */
/* model: the rules of who may send and receive how much in one round. */
#ifndef ROUNDCAST_MODEL_H
#define ROUNDCAST_MODEL_H

#include "sched/shape/topology.h"

#include <stdbool.h>

/* enumerator, name in files and on the command line, what one round allows */
#define MODEL_TABLE(X)                                                                          \
    X(SEND_RECEIVE, "send-receive", "each node sends at most 1 and receives at most 1 packet")  \
    X(TELEPHONE, "telephone", "a matching; the two of a pair exchange packets")                 \
    X(TELEGRAPH, "telegraph", "a matching; one of a pair sends to the other")                   \
    X(POSTAL, "postal",                                                                         \
      "sender busy [t, t+1], receiver busy [t+λ-1, t+λ], one packet each at a time")            \
    X(SINGLE_PORT, "single-port",                                                               \
      "tree: a node sends at most 1 packet on 1 link, and receives on all at once")             \
    X(MULTIPORT, "multiport", "tree: each lane carries at most 1 packet each way")              \
    X(ALL_PORT, "all-port", "hypercube: each arc carries at most 1 packet")                     \
    X(FABRIC_MULTICAST, "fabric-multicast",                                                     \
      "each node sends at most 1 packet, to any nodes: the network copies it; and receives at " \
      "most 1")                                                                                 \
    X(FABRIC_POSTAL, "fabric-postal",                                                           \
      "as postal, but a node sends its packet to any nodes at once: the network copies it")

enum model {
#define MODEL_ENUM(name, text, rule) MODEL_##name,
    MODEL_TABLE(MODEL_ENUM)
#undef MODEL_ENUM
        MODEL_COUNT
};

/* All names, each after a blank, for messages that say what was expected. */
#define MODEL_TEXT(name, text, rule) " " text
#define MODEL_NAMES MODEL_TABLE(MODEL_TEXT)

/* Bits of all models on complete graphs. */
#define MODELS_OF_COMPLETE_GRAPHS                                               \
    (1u << MODEL_SEND_RECEIVE | 1u << MODEL_TELEPHONE | 1u << MODEL_TELEGRAPH | \
     1u << MODEL_POSTAL | 1u << MODEL_FABRIC_MULTICAST | 1u << MODEL_FABRIC_POSTAL)

const char *model_name(enum model model);
const char *model_rule(enum model model);

/* On which kind of topology is it? */
enum topology_kind model_topology(enum model model);

/* Has it times, in units of which a packet takes λ, instead of rounds? */
static inline bool model_has_times(enum model model)
{
    return model == MODEL_POSTAL || model == MODEL_FABRIC_POSTAL;
}

/* Does the network copy packets? */
static inline bool model_copies(enum model model)
{
    return model == MODEL_FABRIC_MULTICAST || model == MODEL_FABRIC_POSTAL;
}

/* Find a model by its name; false if there is none. */
bool model_parse(const char *name, enum model *model);

#endif
