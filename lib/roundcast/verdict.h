/* SPDX-License-Identifier: Apache-2.0 */
/* verdict: the result of the checks of a schedule. */
#ifndef ROUNDCAST_LIB_VERDICT_H
#define ROUNDCAST_LIB_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

struct roundcast_verdict {
    bool holds;
    bool has_bound;      /* the bound of the collective is known */
    uint64_t bound;      /* lower bound of the end of that collective, in ticks; 0 if unknown */
    uint64_t end;        /* in ticks */
    uint64_t transfers;  /* number of transfers checked */
    uint64_t arrivals;   /* first receipts of a packet by a node */
    uint64_t redundant;  /* receipts of a packet by a node that already has it */
    uint64_t violations; /* number of violated rules; the error is the first */
};

#endif
