# SPDX-License-Identifier: Apache-2.0
# scan.awk: generates, from the ports of a module as printed by portlist of Yosys, a module `scan`
# of three pins around it: a shift register drives its inputs, another one captures its outputs.

$1 == "input" || $1 == "output" {
  split(substr($2, 2), range, ":")
  width = range[1] + 1
  if ($3 == "clk_i") { clock = ", .clk_i(clk)"; next }
  if ($1 == "input") { from = inputs; inputs += width } else { from = outputs; outputs += width }
  bind = bind sprintf(", .%s(%s[%d:%d])", $3, $1 == "input" ? "in_q" : "out", from + width - 1, from)
}

$1 == "module" { module = $2 }

END {
  printf "module scan(input clk, input scan_i, output scan_o);\n"
  printf "  reg [%d:0] in_q;\n  reg [%d:0] out_q, chain_q;\n  wire [%d:0] out;\n", inputs-1, outputs-1, outputs-1
  printf "  %s dut (%s);\n", module, substr(clock bind, 3)
  printf "  always @(posedge clk) begin\n    in_q <= {in_q, scan_i};\n"
  printf "    out_q <= out;\n    chain_q <= {chain_q, 1'b0} ^ out_q;\n  end\n"
  printf "  assign scan_o = chain_q[%d];\nendmodule\n", outputs-1
}
