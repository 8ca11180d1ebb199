/* SPDX-License-Identifier: Apache-2.0 */
/* formats: the rows of the table, each in the file of its name. */
#ifndef ROUNDCAST_FORMATS_H
#define ROUNDCAST_FORMATS_H

#include "sched/exchange/exchange.h"

extern const struct exchange_format exchange_goal;
extern const struct exchange_format exchange_mpi_c;
extern const struct exchange_format exchange_msccl;
extern const struct exchange_format exchange_mscclpp;
extern const struct exchange_format exchange_openoptics;
extern const struct exchange_format exchange_sccl;

#endif
