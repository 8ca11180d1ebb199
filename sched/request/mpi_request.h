/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_request: how ranks of MPI execute a schedule; for `roundcast mpi` and for the program of the
 * ranks. */
#ifndef ROUNDCAST_MPI_REQUEST_H
#define ROUNDCAST_MPI_REQUEST_H

#include "sched/request/field.h"

#define MPI_REQUEST_SIZES 32
#define MPI_REQUEST_BYTES (UINT32_C(1) << 30)

/* The condition of a send: all earlier rounds have ended, or its own packet has arrived. */
enum mpi_order { MPI_ROUNDS, MPI_DEPENDENCY, MPI_ORDERS };

struct mpi_request {
    enum mpi_order order;
    uint32_t repeat;                               /* executions of each size */
    const char *sizes;                             /* as they were given; borrowed */
    uint32_t bytes[MPI_REQUEST_SIZES], byte_count; /* of a packet */
};

/* The fields of a struct mpi_request: order, bytes, repeat. */
#define MPI_FIELDS 3
extern const struct field mpi_fields[MPI_FIELDS];
extern const size_t mpi_field_count;

/* Returns a request in which nothing is given. */
struct mpi_request mpi_request_default(void);

/* Returns "rounds" or "dependency"; NULL for MPI_ORDERS. */
const char *mpi_order_name(unsigned order);

#endif
