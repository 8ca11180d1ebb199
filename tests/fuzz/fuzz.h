/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz: functions shared by the fuzz targets.
 *
 * A target is one function of bytes, LLVMFuzzerTestOneInput, which libFuzzer or replay.c calls. It
 * ends the program with fuzz_fail if it finds an error, and returns if the bytes describe no test
 * case. Built with FUZZ_FAULT=1 it contains a fault, which its corpus must reveal.
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

/* Prints a message and aborts. */
_Noreturn void fuzz_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Checks that an input was rejected with an error of the input, E1xx … E6xx; any other code is a
 * bug. */
void fuzz_refused(const struct err *err);

/* Checks that an operation that must succeed has succeeded; any error is a bug. */
void fuzz_holds(bool held, const struct err *err, const char *what);

/* -- Bytes that decide ------------------------------------------------------------------------- */

struct fuzz_bytes {
    const uint8_t *at, *end;
};

/* Returns a number in 0 … bound-1 from the next byte, or from two bytes if bound > 256; 0 after the
 * last byte. */
uint32_t fuzz_take(struct fuzz_bytes *bytes, uint32_t bound);

static inline bool fuzz_more(const struct fuzz_bytes *bytes)
{
    return bytes->at < bytes->end;
}

/* -- Files in memory --------------------------------------------------------------------------- */

/* Opens bytes as a file for reading. */
FILE *fuzz_open(const void *data, size_t size);

/* Returns the text of a schedule; the caller frees it. */
char *fuzz_schedule_text(const struct schedule *schedule, size_t *size);

#endif
