/* SPDX-License-Identifier: Apache-2.0 */
/* script: a chart in the language of gnuplot, and its numbers. Both are text of the same bytes each
 * time.
 *
 * The numbers of a series are a block of lines `x y`; blocks are two empty lines apart, in the
 * order of the series, so that `index 2` in a script is the third. The script sets terminal, axes
 * and lines in the open: it is there to be restyled.
 */
#ifndef ROUNDCAST_SCRIPT_H
#define ROUNDCAST_SCRIPT_H

#include "plot/chart.h"

#include <stdio.h>

enum script_format { SCRIPT_SVG, SCRIPT_PNG, SCRIPT_PDF, SCRIPT_FORMATS };

/* The ends of the files' names: "svg", "png", "pdf". */
extern const char *const script_format_name[SCRIPT_FORMATS];

/* Write the numbers. O(points). */
void script_write_data(FILE *to, const struct chart *chart);

/* Write a script that reads the file `data` and writes the file `picture`; with NULL for both, one
 * that has the numbers in it and writes to standard output. O(series + points). */
void script_write(FILE *to, const struct chart *chart, enum script_format format, const char *data,
                  const char *picture);

#endif
