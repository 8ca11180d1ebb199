// SPDX-License-Identifier: Apache-2.0
// bench_counts: what Verilator has counted beside the bench BENCH, written to bench.dat when it
// ends. Engines have dut_coverage.h.
module bench_counts;
  final $c("Verilated::threadContextp()->coveragep()->write(\"bench.dat\");");
endmodule

bind `BENCH bench_counts u_counts ();
