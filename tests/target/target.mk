# Tests that run firmware in QEMU. firmware.txt says which test runs which firmware on which board.
TARGET_TESTS += $(addprefix tests/target/,calls.sh cold.sh compilers.sh contexts.sh cores.sh cost.sh dither.sh early.sh exception.sh \
	frames.sh gmon.sh link.sh live.sh masked.sh readme.sh registers.sh repeat.sh self_times.sh scheduler.sh \
	semihosting.sh stress.sh tables.sh trustzone.sh)
TARGET_TEST_SUPPORT += tests/target/support.sh tests/target/landings.sh
TARGET_TEST_NEEDS += build/qemu/count.so build/qemu/first_load.so $(shell \
	awk '!/^(#|$$)/ { print "build/firmware/" $$2 "/" $$3 ".elf" }' \
	tests/target/firmware.txt)
