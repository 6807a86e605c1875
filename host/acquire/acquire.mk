# SPDX-License-Identifier: MIT
HOST_SOURCES += $(addprefix host/acquire/backend/, \
	backends.c \
	dump.c \
	gdb.c \
	gdb_packet.c \
	gdb_remote.c \
	link.c \
	openocd.c \
	table.c \
	tcl_answer.c \
	text_server.c)
HOST_SOURCES += $(addprefix host/acquire/channel/, \
	answers.c \
	client.c \
	frame.c \
	pace.c \
	recording.c \
	requests.c \
	session.c \
	source.c \
	tcp.c \
	tcp_channel.c \
	timeout_diagnosis.c \
	transmission.c \
	window.c)
HOST_SOURCES += $(addprefix host/acquire/dap/, \
	access.c \
	access_ports.c \
	arm_debug.c \
	debug_port.c \
	jtag.c \
	jtag_dp.c \
	jtag_pipe.c \
	memory_ap.c \
	pause.c \
	rom_table.c \
	stream.c \
	swd.c \
	trace.c)
HOST_SOURCES += $(addprefix host/acquire/probe/, \
	ftdi_layout.c \
	mpsse.c \
	probe_target.c \
	riscv_core.c)
HOST_SOURCES += $(addprefix host/acquire/pull/, \
	control.c \
	follow.c \
	identity.c \
	interrupt.c \
	locate.c \
	pull.c \
	session.c \
	snapshot.c \
	torn.c \
	watch.c)
HOST_SOURCES += $(addprefix host/acquire/riscv/, \
	bus.c \
	dtm.c \
	dtm_trace.c \
	hart.c \
	memory.c \
	requests.c \
	riscv.c)
HOST_SOURCES += $(addprefix host/acquire/sample/, \
	batches.c \
	filing.c \
	halting.c \
	pcsr.c \
	sample.c \
	sampling.c \
	stack_copies.c)
HOST_SOURCES += $(addprefix host/acquire/target/, \
	core_control.c \
	cortex.c \
	keep_awake.c \
	target.c)
HOST_SOURCES_hidapi-libusb += $(addprefix host/acquire/usb/, \
	reports.c)
HOST_SOURCES_jansson += $(addprefix host/acquire/backend/, \
	qemu.c \
	qmp_message.c)
HOST_SOURCES_libserialport += $(addprefix host/acquire/channel/, \
	uart.c \
	uart_ports.c)
HOST_SOURCES_libusb-1.0 += $(addprefix host/acquire/channel/, \
	usb.c)
HOST_SOURCES_libusb-1.0 += $(addprefix host/acquire/usb/, \
	address.c \
	attached.c \
	bulk.c \
	devices.c \
	exchange.c \
	interface.c \
	packets.c \
	transfer.c)
# libusb finds all probes, so a probe needs a line here only if it needs another library as well.
HOST_SOURCES_libftdi1 += $(if $(filter libusb-1.0,$(HOST_FOUND)),host/acquire/probe/ftdi.c)
HOST_SOURCES_libjaylink += $(if $(filter libusb-1.0,$(HOST_FOUND)),host/acquire/probe/jlink.c)
HOST_SOURCES_libusb-1.0 += $(filter-out $(addprefix host/acquire/probe/,ftdi.c ftdi_layout.c jlink.c mpsse.c probe_target.c riscv_core.c), \
	$(wildcard host/acquire/probe/*.c))
