# SPDX-License-Identifier: MIT
# Arm M profile. An `f` after the core's name stands for an FPU with the hard-float calling convention. Any other core
# that the compiler knows works too.
TARGET_CPUS_arm_m := cortex-m0 cortex-m0plus cortex-m3 cortex-m4 cortex-m4f cortex-m7 cortex-m7f cortex-m23 \
	cortex-m33 cortex-m33+nodsp cortex-m33f cortex-m55 cortex-m55f
TARGET_PREFIX_arm_m := arm-none-eabi-
# Enumerations must be as small as GCC's for this target; otherwise the linker warns of a mixture.
TARGET_CLANG_arm_m = clang --target=arm-none-eabi -fshort-enums
# The driver of clang 14 silently drops -pg for bare metal. The compiler proper accepts it, and calls __gnu_mcount_nc only
# for the GNU EABI.
TARGET_CLANG_PG_arm_m := -Xclang -pg -meabi gnu
TARGET_SOURCES_arm_m := target/isa/arm_m/entry.S target/link/semihosting.c
TARGET_MACHINE_arm_m = -mthumb -mcpu=$1
TARGET_MACHINE_arm_m-cortex-m4f := -mthumb -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16
TARGET_MACHINE_arm_m-cortex-m7f := -mthumb -mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-sp-d16
TARGET_MACHINE_arm_m-cortex-m33f := -mthumb -mcpu=cortex-m33 -mfloat-abi=hard -mfpu=fpv5-sp-d16
TARGET_MACHINE_arm_m-cortex-m55f := -mthumb -mcpu=cortex-m55 -mfloat-abi=hard
TARGET_CLANG_FLAGS_arm_m := -mno-implicit-float
# On cores whose Thumb has no direct access to r8 to r11, GCC 12 saves these through lr before the hook of -pg reads the
# caller from lr. So they are not used.
TARGET_PG_arm_m = -pg$(if $(filter cortex-m0 cortex-m0.% cortex-m0plus cortex-m0plus.% cortex-m1 cortex-m1.% \
	cortex-m23,$1), -ffixed-r8 -ffixed-r9 -ffixed-r10 -ffixed-r11)
