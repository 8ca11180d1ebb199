// SPDX-License-Identifier: Apache-2.0
// tb_counts: writes the coverage counts of Verilator for the module TESTBENCH to bench.dat at the
// end of the simulation. Compiled engines use dut_coverage.h instead.
module tb_counts;
  final $c("Verilated::threadContextp()->coveragep()->write(\"bench.dat\");");
endmodule

bind `TESTBENCH tb_counts u_counts ();
