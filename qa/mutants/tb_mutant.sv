// SPDX-License-Identifier: Apache-2.0
// tb_mutant: chooses one of the faults of the netlist MUTANT, `+mutant=N` on the command line of
// its testbench; none if nothing is said. Engines have dut_mutants (qa/mutants/README.md).
module tb_mutant (
  output logic [15:0] mutant_o
);
  initial if ($value$plusargs("mutant=%d", mutant_o) == 0) mutant_o = '0;
endmodule

bind `MUTANT tb_mutant u_mutant (.mutant_o(mutant_i));
