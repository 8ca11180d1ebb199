/* SPDX-License-Identifier: Apache-2.0 */
/* list: the available algorithms, models and networks, and the limits of schedules. All texts are
 * statically allocated. */
#ifndef ROUNDCAST_LIB_LIST_H
#define ROUNDCAST_LIB_LIST_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROUNDCAST_MAX_NODES (UINT32_C(1) << 24)   /* of a schedule */
#define ROUNDCAST_MAX_PACKETS (UINT32_C(1) << 27) /* of a schedule */
#define ROUNDCAST_MAX_DIMENSIONS 24               /* of a hypercube */

struct roundcast_model {
    const char *name;
    const char *rule; /* the transfers that a round allows */
};

/* Gets model `index`, from 0; false after the last. */
bool roundcast_model_at(unsigned index, struct roundcast_model *model);

struct roundcast_algorithm {
    const char *name, *summary;
    const char *source;         /* the paper and its section */
    unsigned models;            /* bit 1 << index of each supported model */
    const char *const *methods; /* names, the default first, ending with NULL; NULL: a single
                                 * method */
};

/* Gets algorithm `index`, from 0; false after the last. */
bool roundcast_algorithm_at(unsigned index, struct roundcast_algorithm *algorithm);

struct roundcast_network {
    const char *name;
    const char *syntax; /* its syntax in a request, such as "benes:N" */
    const char *what;
};

/* Gets network `index`, from 0; false after the last. */
bool roundcast_network_at(unsigned index, struct roundcast_network *network);

#ifdef __cplusplus
}
#endif

#endif
