# SPDX-License-Identifier: Apache-2.0
# tap.awk: numbers the lines of the proofs; exit status 1 if any is "not ok", or there are none.

/^(not )?ok - / {
  count++
  if ($1 == "not") failed++
  sub(/ok - /, "ok " count " - ")
  print
}

END {
  print "1.." count + 0
  exit !count || failed
}
