# SPDX-License-Identifier: Apache-2.0
# table.awk: prints report.csv (the lines of synth.sh, with a header) as a table.

BEGIN {
  FS = ","
  format = "%-20s %-8s %5s %6s %6s %6s %4s %6s %6s  %s\n"
  printf format, "design", "target", "ports", "stages", "LUT4s", "FFs", "RAMs", "levels", "MHz", "parameters"
}

NR == 1 { next }

{
  printf format, $1, $4, $5, $6 ? $6 : "-", $8, $9, $10, $11, $12 == "" ? "-" : $12, $3
  name = $1 " " $4
  bits[name] = $5 * $7 * $6                           # output bits, times stages
  luts[name] = $8
  ffs[name] = $9
  rams[name] = $10
  if ($2 == "rc_multistage_network" && $3 !~ /Kind=/ && $5 ~ /^(2|4|8|16|32|64)$/) networks[++count] = name   # no lane passes by
  steer[name] = $3 ~ /Tags=1/ ? "what computes the settings, and the wavefront," : "tables, their port and the wavefront"
}

function percent(part, whole) { return sprintf("%.1f %%", 100 * part / whole) }

END {
  print ""
  print "The fabric, in LUT4s per output bit and stage (the floor is 1):"
  for (n = 1; n <= count + 1; n++) {
    name = n == 1 ? "switch2 generic" : networks[n-1]
    printf "  %-22s %.3f", name, luts[name] / bits[name]
    if (n > 1)
      printf "   %s add %d LUT4s (%s) and %d RAMs", steer[name],
        luts[name] - bits[name], percent(luts[name] - bits[name], bits[name]), rams[name]
    print ""
  }
  narrow = "endpoint-15 ice40"
  wide = "endpoint-16 ice40"
  if (narrow in rams && wide in rams)
    printf "\nAn endpoint of 16-bit words takes %d RAM blocks of iCE40, one of 15-bit words %d: a word is stored with\na held bit, and the 17th bit takes a block of its own.\n",
      rams[wide], rams[narrow]
}
