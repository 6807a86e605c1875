# SPDX-License-Identifier: MIT
# Model of a board with an FTDI chip, and its tests in the suite probe-model.

PROBE_MODEL_ftdi := ftdi.c ftdi_chip.c
