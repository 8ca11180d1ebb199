/* SPDX-License-Identifier: Apache-2.0 */
/* machine_network: the names of networks and of their settings, as --network, --settings and images
 * write them. */
#ifndef ROUNDCAST_MACHINE_NETWORK_H
#define ROUNDCAST_MACHINE_NETWORK_H

#include "sched/machine/machine.h"
#include "sched/machine/network_rows.h"

/* Form k of all networks, multistage ones first. False behind the last. */
bool machine_network_form(unsigned k, struct network_form *form);

#define MACHINE_NETWORKS_TEXT 200

/* All of them as "benes:N, omega:N, … or cube-auto", or those of multistage networks alone. Returns
 * text. */
const char *machine_networks_text(bool multistage_only, char text[MACHINE_NETWORKS_TEXT]);

/* Parse a network as machine_network_form writes it into kind, network (zero for routers), pipe (1
 * unless given, 0 for routers) and pad (0). E401; then nothing has changed. */
bool machine_parse_network(const char *text, struct machine *machine, struct err *err);

/* The names of settings: "full", "indexed", "tags", "masks". False, and nothing has changed, if it
 * is none of them. */
const char *machine_settings_text(enum machine_settings settings);
bool machine_parse_settings(const char *text, enum machine_settings *settings);

#define MACHINE_NETWORK_TEXT NETWORK_ROW_TEXT

/* What machine_parse_network reads: "benes:32,pipe=1,pad=0", "fat-tree,pad=0". Returns text. */
const char *machine_network_text(const struct machine *machine, char text[MACHINE_NETWORK_TEXT]);

/* The same without registers: "benes:32", "fat-tree". Returns text. */
const char *machine_network_name(const struct machine *machine, char text[MACHINE_NETWORK_TEXT]);

#endif
