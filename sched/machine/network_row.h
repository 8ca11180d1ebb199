/* SPDX-License-Identifier: Apache-2.0 */
/* network_row: what a kind of multistage network says of itself. A file each, network_FILE.c of
 * MULTISTAGE_TABLE (multistage.h), has one; machine_network.c asks them all. */
#ifndef ROUNDCAST_NETWORK_ROW_H
#define ROUNDCAST_NETWORK_ROW_H

#include "sched/machine/machine.h"
#include "sched/machine/machine_network.h"

#define NETWORK_ROW_FORMS 2

struct network_row {
    /* what a person can ask for; those that are not there have no name */
    struct network_form form[NETWORK_ROW_FORMS];

    /* The shape of so many ports, of a kind that is only written "NAME:N", NAME being that of its
     * first form: in place of parse. */
    struct multistage (*shape)(uint32_t ports);

    /* Its part of what a person wrote, up to registers: fills net, and moves *text behind it. False
     * if it is none of the forms. */
    bool (*parse)(const char **text, struct multistage *net);

    bool power_of_two; /* it must have so many ports */

    /* Can one of so many ports, 2 … MACHINE_MAX_PORTS, be? E401. NULL: of any number. */
    bool (*check)(const struct multistage *net, struct err *err);

    /* How it is written, without registers. NULL: "NAME:N". */
    void (*print)(const struct multistage *net, char text[MACHINE_NETWORK_TEXT]);

    /* its stages can compute settings from a tag, and, of a power of two, from masks */
    bool computes;
};

#define NETWORK_ROW_DECLARE(name, file, number) extern const struct network_row network_row_##file;
MULTISTAGE_TABLE(NETWORK_ROW_DECLARE)
#undef NETWORK_ROW_DECLARE

/* The rest of a text behind a word that it begins with; NULL if it does not. */
const char *network_row_behind(const char *text, const char *word);

/* The number after `prefix` at *text, in 0 … maximum; moves *text behind it. */
bool network_row_number(const char **text, const char *prefix, uint32_t maximum, uint32_t *number);

#endif
