# SPDX-License-Identifier: Apache-2.0
# one.awk: prints the lines of synth.sh for one design as a table: the targets, then the library.

BEGIN {
  FS = ","
  format = "%-10s %-8s %5s %6s %6s %6s %5s %6s %7s\n"
}

FNR == 1 && NR == 1 { what = $2 " " $3 }

$4 != "liberty" {
  if (!targets++) printf format, "design", "target", "ports", "stages", "LUTs", "FFs", "RAMs", "levels", "MHz"
  printf format, $1, $4, $5, $6 ? $6 : "-", $8, $9, $10, $11, $12 == "" ? "-" : $12
}

$4 == "liberty" {
  printf format, "design", "target", "ports", "stages", "cells", "FFs", "RAMs", "area", "ps"
  printf format, $1, $4, $5, $6 ? $6 : "-", $8, $9, $10, $11, $12
}

END { print what }
