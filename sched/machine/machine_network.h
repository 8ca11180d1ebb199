/* SPDX-License-Identifier: Apache-2.0 */
/* machine_network: the names of networks and settings in requests and images. */
#ifndef ROUNDCAST_MACHINE_NETWORK_H
#define ROUNDCAST_MACHINE_NETWORK_H

#include "sched/machine/machine.h"
#include "sched/machine/network_rows.h"

/* Writes form k of all networks, multistage networks first. Returns false after the last form. */
bool machine_network_form(unsigned k, struct network_form *form);

#define MACHINE_NETWORKS_TEXT 200

/* Writes the syntax of all networks as "benes:N, omega:N, … or cube-auto", or only of the
 * multistage networks. Returns text. */
const char *machine_networks_text(bool multistage_only, char text[MACHINE_NETWORKS_TEXT]);

/* Parses a network in a syntax of machine_network_form into kind, network (zero for routers), pipe
 * (default 1; 0 for routers) and pad (default 0). On an error, E401, nothing changes. */
bool machine_parse_network(const char *text, struct machine *machine, struct err *err);

/* machine_settings_text: returns the name of settings: "full", "indexed", "tags" or "masks".
 * machine_parse_settings: parses such a name; returns false, and changes nothing, if there is no
 * such name. */
const char *machine_settings_text(enum machine_settings settings);
bool machine_parse_settings(const char *text, enum machine_settings *settings);

#define MACHINE_NETWORK_TEXT NETWORK_ROW_TEXT

/* Writes the text that machine_parse_network reads: "benes:32,pipe=1,pad=0", "fat-tree,pad=0".
 * Returns text. */
const char *machine_network_text(const struct machine *machine, char text[MACHINE_NETWORK_TEXT]);

/* Writes the network without its registers: "benes:32", "fat-tree". Returns text. */
const char *machine_network_name(const struct machine *machine, char text[MACHINE_NETWORK_TEXT]);

#endif
