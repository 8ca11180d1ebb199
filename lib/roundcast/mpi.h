/* SPDX-License-Identifier: Apache-2.0 */
/* mpi: executes a schedule with MPI ranks, one for each node (docs/mpi.md). */
#ifndef ROUNDCAST_LIB_MPI_H
#define ROUNDCAST_LIB_MPI_H

#include "roundcast/field.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROUNDCAST_MPI_SIZES 32
#define ROUNDCAST_MPI_MAX_BYTES (UINT32_C(1) << 30)

/* What a send waits for: the end of all earlier rounds, or only the receipt of its packet. */
enum roundcast_mpi_order { ROUNDCAST_MPI_ROUNDS, ROUNDCAST_MPI_DEPENDENCY, ROUNDCAST_MPI_ORDERS };

/* Options of the execution. Initialise it with roundcast_mpi_init. */
struct roundcast_mpi_options {
    unsigned order;      /* enum roundcast_mpi_order (default: rounds) */
    uint32_t repeat;     /* executions for each packet size (default: 10) */
    const char *program; /* program of the ranks, roundcast-mpi; NULL: found on PATH */

    /* bytes of a packet, as a text "B,B,…" and as numbers; the field "bytes" sets both. The text is
     * borrowed. */
    const char *sizes;
    uint32_t bytes[ROUNDCAST_MPI_SIZES], byte_count;
};

/* Fills in the defaults. */
void roundcast_mpi_init(struct roundcast_mpi_options *options);

/* The fields of a struct roundcast_mpi_options, for roundcast_field_parse: order, bytes, repeat. */
#define ROUNDCAST_MPI_FIELDS 3
extern const struct roundcast_field roundcast_mpi_fields[ROUNDCAST_MPI_FIELDS];

/* Returns "rounds" or "dependency"; NULL after the last. Statically allocated. */
const char *roundcast_mpi_order_name(unsigned order);

#ifdef __cplusplus
}
#endif

#endif
