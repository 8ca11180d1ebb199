/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/request/mpi_request.h"

#include <inttypes.h>
#include <string.h>

#define USUAL_SIZES "1,64,4096,65536"
#define MAX_REPEAT UINT32_C(1000000)

const char *mpi_order_name(unsigned order)
{
    static const char *const names[MPI_ORDERS] = {"rounds", "dependency"};
    return order < MPI_ORDERS ? names[order] : NULL;
}

/* Reads "1,1024": numbers with commas between them. */
static bool set_sizes(void *base, const char *text, struct err *err)
{
    struct mpi_request *request = base;
    request->sizes = text;
    request->byte_count = 0;
    for (const char *from = text, *end; from != NULL; from = *end != '\0' ? end + 1 : NULL) {
        char number[24];
        uint64_t bytes;
        end = from + strcspn(from, ",");
        if (request->byte_count == MPI_REQUEST_SIZES)
            return err_set(err, ERR_RANGE,
                           "{bytes}: '%.40s' has more than %d sizes; expected fewer", text,
                           MPI_REQUEST_SIZES);
        snprintf(number, sizeof number, "%.*s", (int)(end - from), from);
        if (!field_bytes("bytes", number, 1, MPI_REQUEST_BYTES, &bytes, err))
            return false;
        request->bytes[request->byte_count++] = (uint32_t)bytes;
    }
    return true;
}

#define AT(member) .offset = offsetof(struct mpi_request, member)

const struct field mpi_fields[MPI_FIELDS] = {
    {.name = "order",
     .argument = "WHAT",
     .help = "send after all earlier rounds, or as soon as the packet has arrived: {choices} "
             "(default: rounds)",
     .group = FIELD_RUN,
     .type = FIELD_CHOICE,
     AT(order),
     .choice = mpi_order_name},
    {.name = "bytes",
     .argument = "B,B,...",
     .help = "set the bytes of a packet, for one or more sizes (default: " USUAL_SIZES ")",
     .group = FIELD_RUN,
     .type = FIELD_TEXT,
     AT(sizes),
     .set = set_sizes},
    {.name = "repeat",
     .argument = "R",
     .help = "execute each size R times (default: 10)",
     .group = FIELD_RUN,
     .type = FIELD_NUMBER,
     AT(repeat),
     .minimum = 1,
     .maximum = MAX_REPEAT},
};

const size_t mpi_field_count = MPI_FIELDS;

struct mpi_request mpi_request_default(void)
{
    struct mpi_request request = {.repeat = 10};
    set_sizes(&request, USUAL_SIZES, NULL);
    return request;
}
