/* collective: what is asked for. */
#ifndef ROUNDCAST_COLLECTIVE_H
#define ROUNDCAST_COLLECTIVE_H

#include "model.h"
#include "rational.h"

/* Broadcast packets 1 … m from `source` to n nodes. */
struct collective {
    uint32_t n; /* 1 … SCHEDULE_MAX_NODES */
    uint32_t m; /* 1 … SCHEDULE_MAX_PACKETS */
    uint32_t source;
    enum model model;
    struct rational lambda; /* of the postal model, ≥ 1; not looked at in others */
    uint32_t degree;        /* d of the algorithms that have one; 0: the one that finishes first */
};

#endif
