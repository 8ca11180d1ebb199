# SPDX-License-Identifier: Apache-2.0
# lib.mk: libroundcast and libcsim (the kernel of csim) as C libraries; included by the Makefile,
# which has Q, BUILD, VERSION, LIBRARY and OPENMP.
#
# Each library contains the objects that its own objects need, and exports the names of its map. A
# static library is one object, in which all other names are hidden; PARTIAL is for its linker.

LIBRARIES := roundcast csim
SO_VERSION := $(firstword $(subst ., ,$(VERSION)))
OBJCOPY ?= objcopy

roundcast_MAP := lib/roundcast.map
roundcast_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard lib/*.c)) $(COMMIT)
roundcast_LIBS := $(LDLIBS)
csim_MAP := csim/kernel/csim.map
csim_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard csim/kernel/*.c))
csim_LIBS := $(if $(FST_OBJECTS),-lz)

LIBRARY_FILES := $(foreach name,$(LIBRARIES),$(LIB)/lib$(name).a $(LIB)/lib$(name).so.$(VERSION))

$(LIB)/lib%.so.$(VERSION): $(COMMIT) $(LIBRARY) lib/lib.mk $(foreach name,$(LIBRARIES),$($(name)_MAP))
	@mkdir -p $(@D)
	@echo "  link $@"
	$(Q)$(CC) -shared $(CFLAGS) $(LDFLAGS) -Wl,-soname,lib$*.so.$(SO_VERSION) -Wl,-z,defs \
	    -Wl,--version-script=$($*_MAP) -o $@ $($*_OBJECTS) $(LIBRARY) $($*_LIBS)

$(LIB)/lib%.a: $(COMMIT) $(LIBRARY) lib/lib.mk $(foreach name,$(LIBRARIES),$($(name)_MAP))
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -r -nostdlib $(PARTIAL) -o $(LIB)/$*.o $($*_OBJECTS) $(LIBRARY)
	$(Q)sed -n 's/^    \([a-z_]*\*\?\);$$/\1/p' $($*_MAP) | grep -v '^\*' > $(LIB)/$*.names
	$(Q)$(OBJCOPY) --wildcard --keep-global-symbols=$(LIB)/$*.names $(LIB)/$*.o
	$(Q)rm -f $@ && ar rcs $@ $(LIB)/$*.o

.PHONY: libraries
libraries: $(LIBRARY_FILES) ## build libroundcast and libcsim, shared and static, in build/lib
