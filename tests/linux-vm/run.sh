#!/bin/bash
# SPDX-License-Identifier: MIT
# run.sh FOLDER COMMAND [ARGUMENT]...: runs COMMAND as root under Debian's Linux kernel in QEMU, with the modules that let
# programs act as USB devices. COMMAND sees this machine's files, read-only, and starts in the same folder; its /run is
# empty and writable. Prints the output of COMMAND and ends with its exit status, or with 125 on failure. FOLDER keeps the
# kernel, which apt downloads but does not install. KVM is not used: nested virtual machines often lack it.
set -u
folder=$1
shift

fail() {
	echo "not ok virtual machine: $*"
	exit 125
}

modules="virtio_ring virtio virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci netfs fscache 9pnet 9p 9pnet_virtio
	usb-common usbcore usbip-core vhci-hcd cdc-acm usbserial ftdi_sio hid hid-generic usbhid"

# The kernel image that linux-image-amd64 currently depends on.
download() {
	local package
	package=$(apt-cache depends linux-image-amd64 2>&1 | sed -n 's/ *Depends: \(linux-image-.*\)/\1/p' | head -n 1)
	[[ -n $package ]] || fail "apt knows no package linux-image-amd64: apt-get update may help"
	rm -rf "$folder/download" && mkdir -p "$folder/download" || fail "$folder cannot be written"
	(cd "$folder/download" && apt-get download -q "$package") >"$folder/apt.log" 2>&1 ||
		fail "the package $package cannot be downloaded: $(tail -n 1 "$folder/apt.log")"
	dpkg -x "$folder"/download/*.deb "$folder/kernel" || fail "the package $package cannot be unpacked"
	rm -rf "$folder/download"
	cp "$folder"/kernel/boot/vmlinuz-* "$folder/vmlinuz.part" && mv "$folder/vmlinuz.part" "$folder/vmlinuz" ||
		fail "$folder cannot be written"
}

# The init of the virtual machine: loads the modules, then runs the script "command" on this machine's files.
write_init() {
	cat <<-'EOF'
		#!/bin/busybox sh
		b=/bin/busybox
		$b mount -t proc none /proc
		$b mount -t sysfs none /sys
		$b mount -t devtmpfs none /dev
		while read -r module; do $b insmod "/modules/$module"; done </modules/order
		$b mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144 root /host
		$b mount -o bind /dev /host/dev
		$b mount -t proc none /host/proc
		$b mount -t sysfs none /host/sys
		$b mount -t tmpfs none /host/run
		$b cp /command /host/run/command
		$b chroot /host /bin/bash /run/command </dev/null
		echo "guest: exit status $?"
		$b poweroff -f
	EOF
}

# The list has each module after those it depends on. A module without a file is built into the kernel.
write_initrd() {
	local root=$folder/initrd module file
	rm -rf "$root" && mkdir -p "$root"/{bin,proc,sys,dev,host,modules} || fail "$folder cannot be written"
	cp "$(command -v busybox)" "$root/bin/busybox" || fail "busybox-static is not installed"
	for module in $modules; do
		file=$(find "$folder/kernel/lib/modules" -name "$module.ko")
		[[ -z $file ]] || { cp "$file" "$root/modules/" && echo "$module.ko"; }
	done >"$root/modules/order"
	write_init >"$root/init"
	printf 'export TMPDIR=/run; cd %q && %s\n' "$PWD" "$(printf '%q ' "$@")" >"$root/command"
	chmod +x "$root/init"
	(cd "$root" && find . | cpio -o -H newc --quiet) | gzip -1 >"$folder/initrd.gz"
}

[[ $(uname -m) == x86_64 ]] || fail "the virtual machine runs programs of this machine on a kernel for x86_64; this is $(uname -m)"
mkdir -p "$folder"
[[ -s $folder/vmlinuz ]] || download
write_initrd "$@"
timeout --kill-after=5 "${LINUX_VM_TIMEOUT:-580}" qemu-system-x86_64 -accel tcg -smp 2 -m 512 -no-reboot \
	-display none -vga none -monitor none -serial stdio -nic none \
	-kernel "$folder/vmlinuz" -initrd "$folder/initrd.gz" -append "console=ttyS0 quiet loglevel=0 panic=-1" \
	-virtfs local,path=/,mount_tag=root,security_model=none,readonly=on,multidevs=remap </dev/null |
	tr -d '\r' >"$folder/log"
sed '/^guest: exit status /d' "$folder/log"
status=$(sed -n 's/^guest: exit status //p' "$folder/log")
[[ -n $status ]] || fail "it did not shut down by itself; see its console in $folder/log"
exit "$status"
