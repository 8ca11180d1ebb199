/* SPDX-License-Identifier: Apache-2.0 */
/* options_keys: the keys of all options that have no letter. A command's parsers see the options of
 * one another's, so one key means one option everywhere. */
#ifndef ROUNDCAST_OPTIONS_KEYS_H
#define ROUNDCAST_OPTIONS_KEYS_H

enum options_key {
    KEY_FIRST = 0xff, /* behind all letters */
    KEY_BUILD,
    KEY_BYTES,
    KEY_CAPACITY,
    KEY_CLOCK,
    KEY_COLLECTIVE,
    KEY_DATA,
    KEY_DEMANDS,
    KEY_DIM,
    KEY_ENGINE,
    KEY_ENTRIES,
    KEY_EXPORT_BYTES,
    KEY_EXPORT_TO,
    KEY_FLITS,
    KEY_FORMAT,
    KEY_FROM,
    KEY_IMAGE,
    KEY_IMPORT_FROM,
    KEY_INDEX,
    KEY_JOBS,
    KEY_JSON,
    KEY_LAMBDA,
    KEY_MANUAL,
    KEY_MATRIX,
    KEY_MEMORY,
    KEY_METHOD,
    KEY_MODEL,
    KEY_NAMES,
    KEY_NETWORK,
    KEY_OVERLAP,
    KEY_PACKET_BYTES,
    KEY_PATTERN,
    KEY_PAYLOAD,
    KEY_PORTS,
    KEY_PREFIX,
    KEY_PROGRAMS,
    KEY_RANDOM,
    KEY_RANDOMISED,
    KEY_RECONFIGURE,
    KEY_REMOVE,
    KEY_ROUNDS,
    KEY_SEED,
    KEY_SETTINGS,
    KEY_SOURCES,
    KEY_SPLIT,
    KEY_TARGET,
    KEY_TO,
    KEY_TOP,
    KEY_TOTAL,
    KEY_TRACED,
    KEY_TREE,
    KEY_VIEW,
    KEY_WAVES,
    KEY_WIDTH
};

#endif
