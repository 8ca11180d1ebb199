# SPDX-License-Identifier: Apache-2.0
# cones.awk: prints the registers of each module on which an assertion depends, as a Markdown table.
#
#     awk -f cones.awk NAME.cone...
#
# The files are outputs of cone.sh. Exit status 1 if a register is in the cone of no assertion, or
# there are no registers.

{
  register = $1 " " $2
  if (!(register in inside)) of[$1] = of[$1] " " $2
  inside[register] += $3
}

END {
  count = 0
  for (module in of) names[++count] = module
  for (i = 2; i <= count; i++)
    for (k = i; k > 1 && names[k] < names[k-1]; k--) {
      module = names[k]; names[k] = names[k-1]; names[k-1] = module
    }
  print "| module | registers | in a cone | in none |"
  print "| --- | ---: | ---: | --- |"
  for (i = 1; i <= count; i++) {
    module = names[i]
    registers = split(of[module], each, " ")
    left = ""
    into = 0
    for (k = 1; k <= registers; k++)
      if (inside[module " " each[k]] > 0) into++
      else left = left (left == "" ? "" : ", ") "`" each[k] "`"
    printf "| `%s` | %d | %d | %s |\n", module, registers, into, left
    total += registers
    covered += into
  }
  printf "\nOf %d registers, %d are in the cone of an assertion: %.1f %%.\n", total, covered,
         total ? 100 * covered / total : 0
  exit !total || covered < total
}
