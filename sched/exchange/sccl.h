/* SPDX-License-Identifier: Apache-2.0 */
/* sccl: algorithms as JSON, in the format of SCCL and msccl-tools (Cai and others 2021; its
 * serialization.py). The fields of an `algorithm` that are read and written:
 *
 *     collective    nodes; chunks: pre (nodes that have it), post (nodes that want it), addr
 *     steps         rounds; sends: [addr, source, destination]
 *     topology      links: links[destination][source], a bandwidth; switches
 *     input_map, output_map   the addresses that a node has, and wants
 *     instance      steps, no pipeline; chunks: parts of each chunk; address a has
 *                   a · chunks, a · chunks + 1, … */
#ifndef ROUNDCAST_SCCL_H
#define ROUNDCAST_SCCL_H

#include "sched/exchange/exchange.h"

#include <jansson.h>

#define SCCL_NODES 512 /* limited because a file has matrices of nodes */
#define SCCL_PARTS 65536
#define SCCL_TACCL_TYPE "sccl_type" /* the key of types in files of TACCL */

/* Writes a schedule: a packet becomes a chunk, or a combined packet a chunk of each contributor
 * with one address; a step of the schedule becomes a step of one round, and rounds without packets
 * are omitted. Each pair that may send has a link of bandwidth 1; if a node has one port, switches
 * of bandwidth 1 express it. E104; E208 as sccl_check_combined. O(nodes² + nodes · demands +
 * packets). */
bool sccl_write(FILE *to, const struct schedule *schedule, const struct exchange_options *options,
                struct err *err);

/* Checks that each transfer of a combined packet adds all that its sender has to what its receiver
 * has, as a send of SCCL does: no transfer leaves out the sender's contribution, and one that
 * replaces the receiver's partial result contains it. E104, E208. O(transfers · nodes / 64 +
 * packets · nodes). */
bool sccl_check_combined(const struct schedule *schedule, struct err *err);

/* Reads a schedule. Packets are the parts of the chunks that other nodes want, in their order.
 * Rounds are found under the model, step by step: at most as many as the steps if each step keeps
 * the rules of the model. Sends of chunks that no other node wants are omitted. Errors name the
 * place, as `name: steps[2].sends[5]: …`. E104; E201; E204 for invalid JSON, with its line, or
 * another form; E205; E206 for a send of a chunk that the node does not have; E208 for a pipeline,
 * for a chunk that starts at several nodes, and as sccl_read_combined (below). */
bool sccl_read(FILE *from, const char *name, enum model model, struct schedule *schedule,
               struct err *err);

/* Reads a schedule in which an object has its type under `type_key`: "msccl_type", or
 * SCCL_TACCL_TYPE (taccl.c). The errors of sccl_read. */
bool sccl_read_typed(FILE *from, const char *name, const char *type_key, enum model model,
                     struct schedule *schedule, struct err *err);

/* -- Files ------------------------------------------------------------------------------------- */

/* The common parts of the readers of SCCL's JSON: of algorithms that move chunks, and of those
 * that combine chunks with one address. Errors name the place, as `name: steps[2]: …`. */

#define SCCL_WHERE 80 /* room for a place in the file */

struct sccl_file {
    const char *name;
    enum model model;
    uint32_t nodes;
    uint32_t parts; /* parts of each chunk: part j of address a is sent as a · parts + j */
    const char *type_key;
    size_t send_values; /* values of a send: 3; in TACCL also 5 or 6, which all sends have */
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

/* Checks that a send has the values of the first send of the file, beginning with an address. E204.
 */
bool sccl_check_send(const struct sccl_file *file, const json_t *send, const char *where,
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
