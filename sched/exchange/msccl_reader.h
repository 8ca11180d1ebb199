/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_reader: the state of the reader of a program of MSCCL, and its part that reads a step. */
#ifndef ROUNDCAST_MSCCL_READER_H
#define ROUNDCAST_MSCCL_READER_H

#include "sched/exchange/msccl_program.h"
#include "sched/exchange/xml.h"

/* Chunks of a block for what it receives and sends without writing it to a buffer; the place is
 * known when all buffers are. */
#define MSCCL_PASSED SIZE_MAX

struct reader {
    struct xml xml;
    struct msccl *msccl;
};

/* Returns the index of an attribute in name[count]; count if it is not listed. */
unsigned msccl_reader_which(const struct xml *xml, const char *name, const char *const names[],
                            unsigned count);

/* Reads a number minimum … maximum; a negative one is MSCCL_NONE. E204, E205. */
bool msccl_reader_get(const struct xml *xml, const char *name, int64_t minimum, int64_t maximum,
                      uint32_t *number, struct err *err);

/* Reads the tag of step `number` of the last block. E104, E204, E205, E206, E208. */
bool msccl_reader_step(struct reader *reader, uint32_t number, struct err *err);

#endif
