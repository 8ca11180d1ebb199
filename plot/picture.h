/* SPDX-License-Identifier: Apache-2.0 */
/* picture: writes a chart as files: the picture drawn by gnuplot, the data and the script. */
#ifndef ROUNDCAST_PICTURE_H
#define ROUNDCAST_PICTURE_H

#include "plot/chart.h"
#include "plot/script.h"

struct picture {
    enum script_format format;
    const char *path;   /* path of the picture; `-`: standard output; NULL: none */
    const char *prefix; /* write PREFIX.dat and PREFIX.gp, which draws it; NULL: do not */
};

/* Writes all of the files, or none if an error occurs. E101 for a prefix with characters that a
 * script cannot contain, E104, E202, E501 if gnuplot is missing or fails. */
bool picture_write(const struct picture *picture, const struct chart *chart, struct err *err);

#endif
