/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz: what the targets share.
 *
 * A target is one function of bytes, LLVMFuzzerTestOneInput, which libFuzzer or replay.c calls. It
 * ends the program with fuzz_fail where something is wrong, and returns where the bytes say
 * nothing. Built with FUZZ_FAULT=1 it has a fault of its own, which its corpus must bring to light.
 */
#ifndef ROUNDCAST_FUZZ_H
#define ROUNDCAST_FUZZ_H

#include "sched/base/err.h"
#include "sched/schedule/schedule.h"

#include <stddef.h>
#include <stdint.h>

#ifndef FUZZ_FAULT
#define FUZZ_FAULT 0
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Say what is wrong, and abort. */
_Noreturn void fuzz_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What an input is refused with is the input's fault, E1xx … E6xx; anything else is ours. */
void fuzz_refused(const struct err *err);

/* The same of what keeps a model or an image from holding, where it must hold: any error at all. */
void fuzz_holds(bool held, const struct err *err, const char *what);

/* -- Bytes that decide ------------------------------------------------------------------------- */

struct fuzz_bytes {
    const uint8_t *at, *end;
};

/* A number in 0 … bound-1 of the next byte, or two if bound > 256; 0 after the last. */
uint32_t fuzz_take(struct fuzz_bytes *bytes, uint32_t bound);

static inline bool fuzz_more(const struct fuzz_bytes *bytes)
{
    return bytes->at < bytes->end;
}

/* -- Files in memory --------------------------------------------------------------------------- */

/* Bytes as a file to read. */
FILE *fuzz_open(const void *data, size_t size);

/* The text that a schedule is written as; the caller's to free. */
char *fuzz_schedule_text(const struct schedule *schedule, size_t *size);

#endif
