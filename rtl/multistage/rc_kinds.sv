// SPDX-License-Identifier: Apache-2.0
// rc_kinds: the values of the parameters Kind and Settings of multistage machines; the registers
// Kind and Settings have the same (registers.txt). They are in a package of their own, because
// Icarus 11 and Yosys 0.23 do not resolve the names of an enum inside its package.
`default_nettype none

package rc_kinds;

  typedef enum int {
    Benes = 0, Omega = 1, Clos = 2, Multicast = 3, Waksman = 4, Combine = 5, AllReduce = 6
  } kind_e;

  // storages of settings: a row of the tables for each row of a run; a setting index that selects
  // one; tags, from which the settings are computed; masks
  typedef enum int {Full = 0, Indexed = 1, Tagged = 2, Masked = 3} settings_e;

endpackage

`default_nettype wire
