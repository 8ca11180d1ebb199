# SPDX-License-Identifier: Apache-2.0
# mpi.mk: the program that roundcast starts as ranks of MPI; included by the Makefile, which has Q,
# BUILD, COMPILE and LIBRARY. Without Open MPI only this program is not built.

MPICC ?= mpicc
MPI_PROGRAM := $(BUILD)/roundcast-mpi
MPI_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard mpi/*.c))
# Warnings are for our own sources: the headers of MPI are system headers.
MPI_INCLUDE = $(patsubst -I%,-isystem %,$(shell $(MPICC) --showme:compile))

$(MPI_OBJECTS): CPPFLAGS += $(MPI_INCLUDE)

$(MPI_PROGRAM): $(MPI_OBJECTS) $(LIBRARY)
	@echo "  link $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(shell $(MPICC) --showme:link) $(LDLIBS)

# Open MPI is installed if its compiler is an executable on PATH.
MPICC_FILES := $(wildcard $(filter /%,$(MPICC)) $(addsuffix /$(MPICC),$(subst :, ,$(PATH))))
all: $(if $(MPICC_FILES),$(MPI_PROGRAM))

.PHONY: mpi
mpi: ### build build/roundcast-mpi, which `roundcast mpi` starts as ranks of MPI
mpi: tools-build tools-mpi
	@$(MAKE) --no-print-directory --quiet $(BUILD)/roundcast $(MPI_PROGRAM)

-include $(MPI_OBJECTS:.o=.d)
