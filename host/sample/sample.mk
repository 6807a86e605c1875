HOST_SOURCES += $(addprefix host/sample/, batches.c filing.c pcsr.c rhythm.c sample.c sampling.c stopwatch.c)
