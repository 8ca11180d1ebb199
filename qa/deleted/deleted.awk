# SPDX-License-Identifier: Apache-2.0
# deleted.awk: determines why flip-flops disappeared, from the dumps of Yosys after each step.
#
#     awk -f deleted.awk -v name=NAME 100-written 101-REASON 102-REASON ...
#
# Prints a line for each reason and register; all instances of a loop are one register: x[*].y_q.
# Flip-flops that Yosys creates for a write to a memory, or for a loop variable, are not registers.
# A flip-flop is identified by its cell or, if it gets an enable and thus another cell, by its
# output. No flip-flop may disappear in a step whose reason is `kept`, and none may be new.

function fail(what) {
  print "deleted.awk: " name ": " what > "/dev/stderr"
  failed = 1
  exit 1
}

# Flip-flops of the previous file that are not in this one have disappeared.
function compare(    cell, from) {
  for (cell in now) {
    if (cell in before) from = cell
    else if (now[cell] in driver) from = driver[now[cell]]
    else fail(now[cell] " is new: " reason)
    register[cell] = register[from]
    delete before[from]
  }
  for (cell in before) {
    if (register[cell] == "") continue
    if (reason == "kept") fail(register[cell] " was deleted for an unknown reason")
    bits[reason " " register[cell]]++
  }
  turn()
}

function turn(    cell) {
  delete before
  delete driver
  for (cell in now) {
    before[cell] = now[cell]
    driver[now[cell]] = cell
  }
  delete now
}

function line(reason, bits, register) {
  printf "%-20s %-8s %4d %s\n", name, reason, bits, register
}

# begin FILE: the previous file is complete.
function begin(file) {
  if (files > 1) compare()
  else turn()
  files++
  reason = file
  sub(/.*-/, "", reason)
}

FNR == 1 { begin(FILENAME) }

$1 == "cell" { cell = $3 }

$1 == "connect" && $2 == "\\Q" {
  text = $0
  sub(/.*\\Q /, "", text)
  now[cell] = text
  if (files > 1) next
  gsub(/ ?\[[0-9]+\]/, "[*]", text)
  gsub(/genblk[0-9]+\./, "", text)                 # Yosys' number of a block without a name
  register[cell] = text ~ /^\\[^$]*$/ ? substr(text, 2) : ""
}

END {
  if (failed) exit 1
  begin("")
  for (cell in before) {
    if (register[cell] == "") fail(before[cell] " is kept, and no register")
    kept++
  }
  for (what in bits) {
    split(what, part, " ")
    line(part[1], bits[what], part[2])
  }
  line("kept", kept + 0, "-")
}
