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

enum { REGIONS = 16, CORES = 2 };

struct region {
	uint64_t address;
	uint64_t size;
	uint8_t *bytes;
	uint8_t *main_memory; /* older than bytes, the cache; NULL: no cache */
	bool is_writable;
	bool is_mapped;
};

struct memory {
	const struct setup *setup;
	struct swd_counts *counts;
	struct qemu *qemu;
	struct core cores[CORES];
	struct region regions[REGIONS];
	size_t region_count;
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

/* Adds a region without bytes. Returns NULL if there are too many. */
static struct region *add(struct memory *memory, uint64_t address, uint64_t size)
{
	if (memory->region_count == REGIONS)
		return NULL;
	struct region *region = &memory->regions[memory->region_count++];

	*region = (struct region){.address = address, .size = size};
	return region;
}

static bool add_ram(struct memory *memory, uint64_t address, uint64_t size)
{
	struct region *region = add(memory, address, size);

	region->bytes = calloc(1, size);
	region->is_writable = true;
	return true;
}

/* Maps a whole file. Prints an error and returns NULL if that fails. */
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
	struct region *region = add(memory, address, size);

	region->bytes = bytes;
	region->is_writable = true;
	region->is_mapped = true;
	return true;
}

/* Adds the loaded segments at their physical addresses. */
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
		struct region *region = add(memory, segment.p_paddr, segment.p_filesz);
		if (region == NULL)
			return false;
		region->bytes = malloc(segment.p_filesz);
		memcpy(region->bytes, elf + segment.p_offset, segment.p_filesz);
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
	return is_added || fail(path, "is not a 32-bit ELF that fits into a target of the model");
}

/* Adds RAM and files first: find() prefers them to segments of an ELF at the same address. */
static bool add_regions(struct memory *memory)
{
	const struct setup *setup = memory->setup;

	for (size_t i = 0; i < setup->region_count; i++) {
		bool is_ram = setup->regions[i].kind == REGION_RAM;
		bool is_file = setup->regions[i].kind == REGION_FILE;

		if (is_ram && !add_ram(memory, setup->regions[i].address, setup->regions[i].size))
			return false;
		if (is_file && !add_file(memory, setup->regions[i].address, setup->regions[i].path))
			return false;
	}
	for (size_t i = 0; i < setup->region_count; i++)
		if (setup->regions[i].kind == REGION_ELF && !add_elf(memory, setup->regions[i].path))
			return false;
	return true;
}

/* Copies the cache to main memory. */
static void write_back(struct memory *memory)
{
	memory->copied_at = memory->counts->clocks;
	for (size_t i = 0; i < memory->region_count; i++)
		if (memory->regions[i].is_writable)
			memcpy(memory->regions[i].main_memory, memory->regions[i].bytes, memory->regions[i].size);
}

static void add_cache(struct memory *memory)
{
	for (size_t i = 0; i < memory->region_count; i++)
		if (memory->regions[i].is_writable)
			memory->regions[i].main_memory = malloc(memory->regions[i].size);
	write_back(memory);
}

struct memory *memory_create(const struct setup *setup, struct swd_counts *counts)
{
	struct memory *memory = calloc(1, sizeof *memory);

	memory->setup = setup;
	memory->counts = counts;
	bool is_complete = add_regions(memory);
	if (is_complete && setup->qmp != NULL)
		is_complete = (memory->qemu = qemu_connect(setup->qmp)) != NULL;
	if (!is_complete) {
		memory_free(memory);
		return NULL;
	}
	for (size_t i = 0; i < CORES; i++)
		core_init(&memory->cores[i], setup, counts, memory->qemu);
	if (setup->cache != 0)
		add_cache(memory);
	return memory;
}

static const struct region *find(const struct memory *memory, uint64_t address, size_t size)
{
	for (size_t i = 0; i < memory->region_count; i++)
		if (is_inside(address, size, memory->regions[i].address, memory->regions[i].size))
			return &memory->regions[i];
	return NULL;
}

/* Registers are words; a narrower read reads part of the word, a narrower write has no effect. */
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

static bool reads_as_zeros(const struct memory *memory)
{
	uint64_t first = memory->setup->zeros;

	return first != 0 && memory->accesses >= first && !core_is_kept_awake(&memory->cores[0]) &&
	       !core_is_kept_awake(&memory->cores[1]);
}

static void read_region(struct memory *memory, const struct region *region, struct memory_access *access)
{
	const uint8_t *bytes = region->bytes;

	if (region->main_memory != NULL && !access->is_cacheable) {
		if (memory->counts->clocks - memory->copied_at >= memory->setup->cache)
			write_back(memory);
		bytes = region->main_memory;
	}
	memcpy(access->bytes, bytes + (access->address - region->address), access->size);
}

static bool access_region(struct memory *memory, struct memory_access *access)
{
	const struct region *region = find(memory, access->address, access->size);

	if (region == NULL || (access->is_write && !region->is_writable))
		return false;
	if (access->is_write)
		memcpy(region->bytes + (access->address - region->address), access->bytes, access->size);
	else
		read_region(memory, region, access);
	return true;
}

bool memory_access(struct memory *memory, struct memory_access *access)
{
	*(access->is_write ? &memory->counts->writes : &memory->counts->words) += 1;
	memory->accesses++;
	if (setup_is_due(memory->setup->fault, memory->accesses))
		return false;
	if (memory->setup->riscv == 0 && is_inside(access->address, access->size, CORE_REGISTERS, CORE_SIZE)) {
		access_core(&memory->cores[access->core], access);
		return true;
	}
	if (!reads_as_zeros(memory))
		return access_region(memory, access);
	if (!access->is_write)
		memset(access->bytes, 0, access->size);
	return true;
}

void memory_reset(struct memory *memory)
{
	core_reset(&memory->cores[0]);
}

void memory_let_run(struct memory *memory, bool runs)
{
	if (memory->qemu != NULL)
		qemu_command(memory->qemu, runs ? "cont" : "stop", "");
}

uint32_t memory_program_counter(struct memory *memory)
{
	return memory->qemu != NULL ? qemu_program_counter(memory->qemu) : 0;
}

void *memory_at(struct memory *memory, uint64_t address, size_t size)
{
	const struct region *region = find(memory, address, size);

	return region == NULL ? NULL : region->bytes + (address - region->address);
}

void memory_free(struct memory *memory)
{
	for (size_t i = 0; i < memory->region_count; i++) {
		if (memory->regions[i].is_mapped)
			munmap(memory->regions[i].bytes, memory->regions[i].size);
		else
			free(memory->regions[i].bytes);
		free(memory->regions[i].main_memory);
	}
	qemu_disconnect(memory->qemu);
	free(memory);
}
