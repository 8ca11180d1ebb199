/* SPDX-License-Identifier: Apache-2.0 */
/* field_values: the names of the values of fields, and the readers of texts that have no plain
 * type. Only fields.c needs them. */
#ifndef ROUNDCAST_FIELD_VALUES_H
#define ROUNDCAST_FIELD_VALUES_H

#include <stdbool.h>

struct err;

/* Return the name of value `which` of a field, from 0, or NULL after the last; constant, or valid
 * until the next call in the thread (networks). */
const char *field_model_choice(unsigned which);
const char *field_collective_choice(unsigned which);
const char *field_pattern_choice(unsigned which);
const char *field_network_choice(unsigned which);
const char *field_settings_choice(unsigned which);
const char *field_programs_choice(unsigned which);
const char *field_ports_choice(unsigned which);
const char *field_capacity_choice(unsigned which);
const char *field_prefix_choice(unsigned which);
const char *field_overlap_choice(unsigned which);

/* Read a text into the member of a struct request, `base`. E101, and E103 for an unknown model or
 * collective, name the field. */
bool field_set_model(void *base, const char *text, struct err *err);
bool field_set_collective(void *base, const char *text, struct err *err);
bool field_set_lambda(void *base, const char *text, struct err *err);
bool field_set_source(void *base, const char *text, struct err *err);
bool field_set_ports(void *base, const char *text, struct err *err);
bool field_set_network(void *base, const char *text, struct err *err);
bool field_set_programs(void *base, const char *text, struct err *err);
bool field_set_memory(void *base, const char *text, struct err *err);
bool field_set_waves(void *base, const char *text, struct err *err);

#endif
