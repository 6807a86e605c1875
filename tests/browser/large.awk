# SPDX-License-Identifier: MIT
# large.awk: a comparison for build/tests/print_comparison, of 20,000 functions and 60,000 arcs.
BEGIN {
	rows = 20000
	print "case large"
	for (i = 0; i < rows; i++) {
		name = sprintf("module_%d_step_%d", i % 97, i)
		time = 1e-3 / (i + 1)
		printf "row %s %s\n", name, name
		if (i < 1500)
			printf "times %.17g %.17g\n", time, time * 1.5
		else
			printf "times %.17g %.17g noise\ncalls 12 12\n", time, time * 1.01
	}
	for (i = 0; i < rows; i++)
		for (j = 0; j < 3; j++)
			printf "arc %d %d\ntimes %.17g %.17g\ncalls 100 100\n", i, \
				j == 0 ? 0 : 1 + (i + j * 211) % (rows - 1), (j == 0 ? 1 : j) * 1e-6, (j == 0 ? 1 : j) * 1e-6
}
