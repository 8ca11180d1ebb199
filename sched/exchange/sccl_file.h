/* SPDX-License-Identifier: Apache-2.0 */
/* sccl_file: the common parts of the readers of SCCL's JSON: of algorithms that move chunks, and of
 * those that combine chunks with one address. Errors name the place, as `name: steps[2]: …`. */
#ifndef ROUNDCAST_SCCL_FILE_H
#define ROUNDCAST_SCCL_FILE_H

#include "sched/exchange/sccl.h"

#include <jansson.h>

#define SCCL_WHERE 80 /* room for a place in the file */

struct sccl_file {
    const char *name;
    enum model model;
    uint32_t nodes;
    uint32_t parts; /* parts of each chunk: part j of address a is sent as a · parts + j */
};

/* Reports an error, after the name of the file. Returns false. */
bool sccl_wrong(const struct sccl_file *file, struct err *err, enum err_code code,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Reads a member that must be an array. E204. */
bool sccl_array(const struct sccl_file *file, const json_t *object, const char *where,
                const char *key, const json_t **array, struct err *err);

/* Reads a node's number. E204, E205. */
bool sccl_node(const struct sccl_file *file, const json_t *value, const char *where, uint32_t *node,
               struct err *err);

/* Finds whether two chunks of a list have one address, so that they are combined. E104. O(chunks ·
 * log chunks). */
bool sccl_combines(const json_t *chunks, bool *combines, struct err *err);

/* Reads an algorithm that combines: the demands of its chunks, and the transfers of its steps.
 * `schedule` has no demands. E104, E204, E205, E206; E208 for chunks whose nodes a demand cannot
 * describe, and as partials_schedule; E209. */
bool sccl_read_combined(const struct sccl_file *file, const json_t *root, struct schedule *schedule,
                        struct err *err);

#endif
