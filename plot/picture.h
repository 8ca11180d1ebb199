/* SPDX-License-Identifier: Apache-2.0 */
/* picture: a chart as files: the picture that gnuplot makes, the numbers and the script. */
#ifndef ROUNDCAST_PICTURE_H
#define ROUNDCAST_PICTURE_H

#include "plot/chart.h"
#include "plot/script.h"

struct picture {
    enum script_format format;
    const char *path;   /* of the picture, `-`: standard output; NULL: none */
    const char *prefix; /* keep PREFIX.dat, and PREFIX.gp, which makes the picture of it; or NULL */
};

/* Write all of it; whatever fails, nothing. E101 for a prefix with letters that no script can have,
 * E104, E202, E501 without gnuplot or if it fails. */
bool picture_write(const struct picture *picture, const struct chart *chart, struct err *err);

#endif
