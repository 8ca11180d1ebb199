/* SPDX-License-Identifier: Apache-2.0 */
/* network_rows: the table of multistage networks: the syntax of each network, its sizes, and what
 * its stages can compute. A network is a row of MULTISTAGE_TABLE (multistage.h) and its entry in
 * network_rows.c.
 */
#ifndef ROUNDCAST_NETWORK_ROWS_H
#define ROUNDCAST_NETWORK_ROWS_H

#include "sched/base/err.h"
#include "sched/shape/multistage.h"

/* The specification of a network: name, syntax and description. */
struct network_form {
    const char *name, *written, *what;
};

#define NETWORK_ROW_FORMS 2
#define NETWORK_ROW_TEXT 64

struct network_row {
    struct network_form form[NETWORK_ROW_FORMS]; /* unused forms have no name */

    /* Returns the shape of a network of that many ports, for networks with the syntax "NAME:N",
     * where NAME is the name of the first form. NULL: parse is used instead. */
    struct multistage (*shape)(uint32_t ports);

    /* Reads the network at *text up to its registers: fills net and moves *text past it. Returns
     * false if the text has none of the forms. */
    bool (*parse)(const char **text, struct multistage *net);

    bool power_of_two; /* the number of ports must be a power of two */

    /* Checks a network of 2 … MACHINE_MAX_PORTS ports. E401. NULL: every number of ports is
     * valid. */
    bool (*check)(const struct multistage *net, struct err *err);

    /* Writes the network without its registers. NULL: its syntax is "NAME:N". */
    void (*print)(const struct multistage *net, char text[NETWORK_ROW_TEXT]);

    /* the stages can compute settings from a tag and, if N is a power of two, from masks */
    bool computes;
};

/* Number of rows; and row `which`, in the order of MULTISTAGE_TABLE, which is the order of lists.
 */
#define NETWORK_ROWS_ONE(name, file, number) +1
#define NETWORK_ROWS (0 MULTISTAGE_TABLE(NETWORK_ROWS_ONE))
const struct network_row *network_row_at(unsigned which);

/* Returns the row of a network's kind. */
const struct network_row *network_row_of(const struct multistage *net);

/* Checks that the network is one of those described in multistage.h, of a size that can be
 * simulated. E401. */
bool network_row_check(const struct multistage *net, struct err *err);

/* Returns the text after `word` if the text begins with it, else NULL. */
const char *network_row_after(const char *text, const char *word);

/* Reads the number 0 … maximum that follows `prefix` at *text, and moves *text past it. */
bool network_row_number(const char **text, const char *prefix, uint32_t maximum, uint32_t *number);

#endif
