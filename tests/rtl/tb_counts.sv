// SPDX-License-Identifier: Apache-2.0
// tb_counts: what Verilator has counted beside the bench BENCH, written to bench.dat when it
// ends. Engines have dut_coverage.h.
module tb_counts;
  final $c("Verilated::threadContextp()->coveragep()->write(\"bench.dat\");");
endmodule

bind `BENCH tb_counts u_counts ();
