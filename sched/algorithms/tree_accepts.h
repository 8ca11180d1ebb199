/* tree_accepts: what all algorithms of trees with one packet for each leaf, or one for all, ask for. */
#ifndef ROUNDCAST_TREE_ACCEPTS_H
#define ROUNDCAST_TREE_ACCEPTS_H

#include "algorithm.h"

/* One packet, and as many processors as the tree has leaves. E103. Precondition: a tree. */
static inline bool tree_accepts(const struct collective *collective, struct err *err)
{
    if (collective->m != 1)
        return err_set(err, ERR_ALGORITHM, "%u packets in a tree; expected 1 packet", collective->m);
    if (collective->n != collective->topology->nodes)
        return err_set(err, ERR_ALGORITHM, "%u nodes; expected %u, the leaves of the tree", collective->n,
                       collective->topology->nodes);
    return true;
}

#endif
