/* SPDX-License-Identifier: MIT */
/* See memory.h. */
#include "memory.h"

#include "core.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STRETCHES = 16, CORES = 2 };

struct stretch {
	uint64_t address;
	uint64_t size;
	uint8_t *bytes;
	uint8_t *behind_cache; /* what the memory held a while ago; NULL = there is no cache */
	bool is_writable;
	bool is_mapped;
};

struct memory {
	const struct setup *setup;
	struct swd_counts *counts;
	struct qemu *qemu;
	struct core cores[CORES];
	struct stretch stretches[STRETCHES];
	size_t stretch_count;
	uint64_t copied_at; /* clocks */
	uint64_t accesses;
};

static bool is_inside(uint64_t address, uint64_t size, uint64_t first, uint64_t extent)
{
	return address >= first && size <= extent && address - first <= extent - size;
}

static bool fail(const char *path, const char *what)
{
	fprintf(stderr, "swd: %s %s\n", path, what);
	return false;
}

/* A stretch without bytes, or NULL if that is one too many. */
static struct stretch *add(struct memory *memory, uint64_t address, uint64_t size)
{
	if (memory->stretch_count == STRETCHES)
		return NULL;
	struct stretch *stretch = &memory->stretches[memory->stretch_count++];

	*stretch = (struct stretch){.address = address, .size = size};
	return stretch;
}

static bool add_ram(struct memory *memory, uint64_t address, uint64_t size)
{
	struct stretch *stretch = add(memory, address, size);

	stretch->bytes = calloc(1, size);
	stretch->is_writable = true;
	return true;
}

/* Maps all of a file. NULL, after a message, if that fails. */
static uint8_t *map(const char *path, bool is_writable, uint64_t *size)
{
	struct stat status;
	int descriptor = open(path, is_writable ? O_RDWR : O_RDONLY);
	uint8_t *bytes = MAP_FAILED;

	if (descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_size > 0) {
		*size = (uint64_t)status.st_size;
		bytes = mmap(NULL, *size, is_writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, descriptor, 0);
	}
	if (descriptor >= 0)
		close(descriptor);
	if (bytes != MAP_FAILED)
		return bytes;
	fail(path, "cannot be mapped");
	return NULL;
}

static bool add_file(struct memory *memory, uint64_t address, const char *path)
{
	uint64_t size;
	uint8_t *bytes = map(path, true, &size);

	if (bytes == NULL)
		return false;
	struct stretch *stretch = add(memory, address, size);

	stretch->bytes = bytes;
	stretch->is_writable = true;
	stretch->is_mapped = true;
	return true;
}

/* What of an ELF is loaded, at the addresses where it is stored. */
static bool add_segments(struct memory *memory, const uint8_t *elf, uint64_t size)
{
	Elf32_Ehdr header;

	if (size < sizeof header)
		return false;
	memcpy(&header, elf, sizeof header);
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS32)
		return false;
	for (uint64_t i = 0; i < header.e_phnum; i++) {
		Elf32_Phdr segment;
		uint64_t at = header.e_phoff + i * sizeof segment;

		if (!is_inside(at, sizeof segment, 0, size))
			return false;
		memcpy(&segment, elf + at, sizeof segment);
		if (segment.p_type != PT_LOAD || segment.p_filesz == 0)
			continue;
		if (!is_inside(segment.p_offset, segment.p_filesz, 0, size))
			return false;
		struct stretch *stretch = add(memory, segment.p_paddr, segment.p_filesz);
		if (stretch == NULL)
			return false;
		stretch->bytes = malloc(segment.p_filesz);
		memcpy(stretch->bytes, elf + segment.p_offset, segment.p_filesz);
	}
	return true;
}

static bool add_elf(struct memory *memory, const char *path)
{
	uint64_t size;
	uint8_t *elf = map(path, false, &size);

	if (elf == NULL)
		return false;
	bool is_added = add_segments(memory, elf, size);

	munmap(elf, size);
	return is_added || fail(path, "is no ELF of 32 bits that a target here can hold");
}

/* RAM and files first: find() prefers them to segments of an ELF at the same place. */
static bool add_stretches(struct memory *memory)
{
	const struct setup *setup = memory->setup;

	for (size_t i = 0; i < setup->stretch_count; i++) {
		bool is_ram = setup->stretches[i].kind == STRETCH_RAM;
		bool is_file = setup->stretches[i].kind == STRETCH_FILE;

		if (is_ram && !add_ram(memory, setup->stretches[i].address, setup->stretches[i].size))
			return false;
		if (is_file && !add_file(memory, setup->stretches[i].address, setup->stretches[i].path))
			return false;
	}
	for (size_t i = 0; i < setup->stretch_count; i++)
		if (setup->stretches[i].kind == STRETCH_ELF && !add_elf(memory, setup->stretches[i].path))
			return false;
	return true;
}

/* Main memory catches up with the cache. */
static void write_back(struct memory *memory)
{
	memory->copied_at = memory->counts->clocks;
	for (size_t i = 0; i < memory->stretch_count; i++)
		if (memory->stretches[i].is_writable)
			memcpy(memory->stretches[i].behind_cache, memory->stretches[i].bytes,
			       memory->stretches[i].size);
}

static void add_cache(struct memory *memory)
{
	for (size_t i = 0; i < memory->stretch_count; i++)
		if (memory->stretches[i].is_writable)
			memory->stretches[i].behind_cache = malloc(memory->stretches[i].size);
	write_back(memory);
}

struct memory *memory_create(const struct setup *setup, struct swd_counts *counts)
{
	struct memory *memory = calloc(1, sizeof *memory);

	memory->setup = setup;
	memory->counts = counts;
	bool is_complete = add_stretches(memory);
	if (is_complete && setup->qmp != NULL)
		is_complete = (memory->qemu = qemu_connect(setup->qmp)) != NULL;
	if (!is_complete) {
		memory_free(memory);
		return NULL;
	}
	for (size_t i = 0; i < CORES; i++)
		core_init(&memory->cores[i], setup, counts, memory->qemu);
	if (setup->numbers[NUMBER_CACHE] != 0)
		add_cache(memory);
	return memory;
}

static const struct stretch *find(const struct memory *memory, uint64_t address, size_t size)
{
	for (size_t i = 0; i < memory->stretch_count; i++)
		if (is_inside(address, size, memory->stretches[i].address, memory->stretches[i].size))
			return &memory->stretches[i];
	return NULL;
}

/* Registers are words: of a narrower access the word is read that it lies in. */
static void access_core(struct core *core, struct memory_access *access)
{
	uint32_t lane = (uint32_t)access->address & 3;
	uint32_t address = (uint32_t)access->address - lane;
	uint8_t bytes[4];

	if (access->is_write && access->size == sizeof bytes) {
		const uint8_t *from = access->bytes;
		core_write(core, address,
		           from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24);
	} else if (!access->is_write) {
		uint32_t word = core_read(core, address);
		for (size_t i = 0; i < sizeof bytes; i++)
			bytes[i] = (uint8_t)(word >> 8 * i);
		memcpy(access->bytes, bytes + lane, access->size);
	}
}

static bool is_asleep(const struct memory *memory)
{
	uint64_t first = memory->setup->numbers[NUMBER_ZEROS];

	return first != 0 && memory->accesses >= first && !core_is_kept_awake(&memory->cores[0]) &&
	       !core_is_kept_awake(&memory->cores[1]);
}

static void read_stretch(struct memory *memory, const struct stretch *stretch, struct memory_access *access)
{
	const uint8_t *bytes = stretch->bytes;

	if (stretch->behind_cache != NULL && !access->is_cacheable) {
		if (memory->counts->clocks - memory->copied_at >= memory->setup->numbers[NUMBER_CACHE])
			write_back(memory);
		bytes = stretch->behind_cache;
	}
	memcpy(access->bytes, bytes + (access->address - stretch->address), access->size);
}

static bool access_stretch(struct memory *memory, struct memory_access *access)
{
	const struct stretch *stretch = find(memory, access->address, access->size);

	if (stretch == NULL || (access->is_write && !stretch->is_writable))
		return false;
	if (access->is_write)
		memcpy(stretch->bytes + (access->address - stretch->address), access->bytes, access->size);
	else
		read_stretch(memory, stretch, access);
	return true;
}

bool memory_access(struct memory *memory, struct memory_access *access)
{
	*(access->is_write ? &memory->counts->writes : &memory->counts->words) += 1;
	memory->accesses++;
	if (setup_strikes(memory->setup, NUMBER_FAULT, memory->accesses))
		return false;
	if (is_inside(access->address, access->size, CORE_REGISTERS, CORE_SIZE)) {
		access_core(&memory->cores[access->core], access);
		return true;
	}
	if (!is_asleep(memory))
		return access_stretch(memory, access);
	if (!access->is_write)
		memset(access->bytes, 0, access->size);
	return true;
}

void memory_reset(struct memory *memory)
{
	core_reset(&memory->cores[0]);
}

void *memory_at(struct memory *memory, uint64_t address, size_t size)
{
	const struct stretch *stretch = find(memory, address, size);

	return stretch == NULL ? NULL : stretch->bytes + (address - stretch->address);
}

void memory_free(struct memory *memory)
{
	for (size_t i = 0; i < memory->stretch_count; i++) {
		if (memory->stretches[i].is_mapped)
			munmap(memory->stretches[i].bytes, memory->stretches[i].size);
		else
			free(memory->stretches[i].bytes);
		free(memory->stretches[i].behind_cache);
	}
	qemu_disconnect(memory->qemu);
	free(memory);
}
