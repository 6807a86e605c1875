# SPDX-License-Identifier: MIT
# What `make install` and `make uninstall` leave, and firmware that is built from an installed tree.
INSTALL_TESTS := $(addprefix tests/install/,projects.sh tree.sh)
INSTALL_SUPPORT := tests/install/support.sh
