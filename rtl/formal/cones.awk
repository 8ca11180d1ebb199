# SPDX-License-Identifier: Apache-2.0
# cones.awk: the registers of each module that some assertion depends on, as a table of Markdown.
#
#     awk -f cones.awk outside.txt NAME.cone...
#
# outside.txt has a line "MODULE REGISTER REASON" for each register that is in the cone of none, a
# REGISTER of * being all of the module. Exit status 1 if there is another one, or one of these is
# none.

FILENAME ~ /\.txt$/ {
  if (!/^#/ && NF) reason[$1 " " $2]
  next
}

{
  register = $1 " " $2
  if (!(register in inside)) of[$1] = of[$1] " " $2
  inside[register] += $3
}

function complain(text) {
  print "cones: " text > "/dev/stderr"
  failed = 1
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
    for (k = 1; k <= registers; k++) {
      register = module " " each[k]
      if (inside[register] > 0) {
        into++
        continue
      }
      left = left (left == "" ? "" : ", ") "`" each[k] "`"
      if (register in reason) used[register]
      else if (module " *" in reason) used[module " *"]
      else complain(register " is in no cone, and has no reason in the list")
    }
    printf "| `%s` | %d | %d | %s |\n", module, registers, into, left
    total += registers
    covered += into
  }
  for (register in reason)
    if (!(register in used)) complain(register " is in the list, but not outside")
  if (!total) complain("there are no registers")
  else printf "\nOf %d registers, %d are in the cone of an assertion: %.1f %%.\n", total, covered,
              100 * covered / total
  exit failed
}
