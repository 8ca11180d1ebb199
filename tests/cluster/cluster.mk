# SPDX-License-Identifier: Apache-2.0
# cluster.mk: tests of sweeps through GNU parallel and Slurm; included by the Makefile, which has Q
# and BUILD.

.PHONY: cluster
cluster: tools-cluster ### test sweeps through GNU parallel, ssh and Slurm, on this machine
	@$(MAKE) --no-print-directory --quiet $(BUILD)/roundcast
	$(Q)ROUNDCAST=$(BUILD)/roundcast tests/run-tests.sh tests/cluster/slurm.sh tests/cluster/parallel.sh
