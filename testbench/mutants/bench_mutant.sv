// SPDX-License-Identifier: Apache-2.0
// bench_mutant: chooses one of the faults of the netlist MUTANT, `+mutant=N` on the command line of
// its bench; none if nothing is said. Engines have dut_mutants (testbench/mutants/README.md).
module bench_mutant (
  output logic [15:0] mutant_o
);
  initial if ($value$plusargs("mutant=%d", mutant_o) == 0) mutant_o = '0;
endmodule

bind `MUTANT bench_mutant u_mutant (.mutant_o(mutant_i));
