# SPDX-License-Identifier: Apache-2.0
# pins.awk: converts the output of icebox_vlog for a bitstream to Verilog for Verilator, and wraps
# it in a module `pins` with the ports of hx8k.sv and 64-bit words of observation.
#
# icebox_vlog declares a port in the module header and again in the body, which only the old header
# form of Verilog allows, and has one port per bit.

{ while (match($0, /\\[a-z_]+\[[0-9]+\] /)) {
    name = substr($0, RSTART + 1, RLENGTH - 3)
    sub(/\[/, "_", name)
    $0 = substr($0, 1, RSTART - 1) name substr($0, RSTART + RLENGTH)
  } }

/^module / {
  ports = $0
  sub(/^[^(]*\(/, "", ports)
  sub(/\);.*/, "", ports)
  count = split(ports, port, /, */)
  for (p = 1; p <= count; p++) {
    split(port[p], word, " ")
    names = names (p > 1 ? ", " : "") word[2]
    declared = declared word[1] " " word[2] ";\n"
    bind = bind (p > 1 ? ", " : "") "." word[2] "(" place(word[2]) ")"
  }
  printf "module chip (%s);\n%s", names, declared
  next
}

{ print }

# The outside of the wrapper: a bit of obs_o, or the port of the same name.
function place(name) {
  if (!match(name, /^obs_o_/)) return name
  bits++
  return "obs_o[" substr(name, 7) "]"
}

END {
  printf "\nmodule pins(input clk_i, input rx_i, output tx_o, output run_o, output done_o, "
  most = int((bits + 63) / 64) * 64
  printf "output strobe_o,\n    output [%d:0] obs_o);\n  chip u_chip (%s);\n", most - 1, bind
  if (most > bits) printf "  assign obs_o[%d:%d] = 0;\n", most - 1, bits
  print "endmodule"
}
