// SPDX-License-Identifier: Apache-2.0
// tb_counts: writes the coverage counts of Verilator for the module TESTBENCH to bench.dat when
// it ends. Engines use dut_coverage.h.
module tb_counts;
  final $c("Verilated::threadContextp()->coveragep()->write(\"bench.dat\");");
endmodule

bind `TESTBENCH tb_counts u_counts ();
