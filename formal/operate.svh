// SPDX-License-Identifier: Apache-2.0
// operate: the operators, each by its definition, for words of Width bits: sums in one more bit,
// comparisons by <. Included in the body of the modules that state what combining delivers.

localparam bit [Width:0] Most = (1 << Width) - 1;

function automatic bit [Width-1:0] operate(input bit [2:0] which, input bit [Width-1:0] a,
                                           input bit [Width-1:0] b);
  bit [Width:0] total;
  total = (Width+1)'(a) + (Width+1)'(b);
  operate = a ^ b;
  if (which == 3'd0) operate = total[Width-1:0];
  if (which == 3'd1) operate = total > Most ? Most[Width-1:0] : total[Width-1:0];
  if (which == 3'd2) operate = a < b ? a : b;
  if (which == 3'd3) operate = a < b ? b : a;
  if (which == 3'd4) operate = a & b;
  if (which == 3'd5) operate = a | b;
endfunction
