/* SPDX-License-Identifier: Apache-2.0 */
/* script: writes a chart as a gnuplot script, and its data. The output is deterministic.
 *
 * The data of a series are a block of lines `x y`; blocks are separated by two empty lines, in the
 * order of the series, so that `index 2` in a script is the third series. The script sets terminal,
 * axes and lines explicitly, so that it can be restyled.
 */
#ifndef ROUNDCAST_SCRIPT_H
#define ROUNDCAST_SCRIPT_H

#include "plot/chart.h"

#include <stdio.h>

enum script_format { SCRIPT_SVG, SCRIPT_PNG, SCRIPT_PDF, SCRIPT_FORMATS };

/* The suffixes of the files: "svg", "png", "pdf". */
extern const char *const script_format_name[SCRIPT_FORMATS];

/* Writes the data. O(points). */
void script_write_data(FILE *to, const struct chart *chart);

/* Writes a script that reads the file `data` and writes the file `picture`; if both are NULL, a
 * script that contains the data and writes to standard output. O(series + points). */
void script_write(FILE *to, const struct chart *chart, enum script_format format, const char *data,
                  const char *picture);

/* -- The files of a chart ---------------------------------------------------------------------- */

/* Writes a chart as files: the picture drawn by gnuplot, the data and the script. */

struct picture {
    enum script_format format;
    const char *path;   /* path of the picture; `-`: standard output; NULL: none */
    const char *prefix; /* write PREFIX.dat and PREFIX.gp, which draws it; NULL: do not */
};

/* Writes all of the files, or none if an error occurs. E101 for a prefix with characters that a
 * script cannot contain, E104, E202, E501 if gnuplot is missing or fails. */
bool picture_write(const struct picture *picture, const struct chart *chart, struct err *err);

#endif
