/* SPDX-License-Identifier: Apache-2.0 */
/* chakra_trace: a trace of Chakra while it is read, as operations of GOAL. */
#ifndef ROUNDCAST_CHAKRA_TRACE_H
#define ROUNDCAST_CHAKRA_TRACE_H

#include "sched/exchange/goal_program.h"

#include <jansson.h>

#define CHAKRA_RANKS 65536
#define CHAKRA_UNKNOWN UINT32_MAX

/* The identifier of a node of the trace that is read. */
struct chakra_identity {
    uint64_t id;
    size_t operation;
};

/* A dependency of a node of the trace that is read. */
struct chakra_dependency {
    size_t operation; /* which requires the other node */
    uint64_t on;      /* the identifier of the other node */
};

struct chakra {
    const struct document *document;
    struct goal *goal;
    const char *at;      /* the object that is read */
    const char *line_of; /* up to here lines are counted in `line` */
    uint32_t line;
    uint32_t traces;
    uint32_t rank; /* that the messages of the trace name; CHAKRA_UNKNOWN: none has named it */
    size_t begin;  /* the first operation of the trace */
    size_t identities, identity_room, dependencies, dependency_room, owner_room;
    struct chakra_identity *identity;
    struct chakra_dependency *dependency;
    uint32_t *owner; /* [traces]: their ranks */
};

/* Reads a node as an operation, and keeps its identifier and its dependencies. E104; E204; E205;
 * E206 for a message of another rank; E208 for a collective, and for messages from any rank or of
 * any tag; E210. */
bool chakra_read_node(struct chakra *chakra, const json_t *node, struct err *err);

#endif
