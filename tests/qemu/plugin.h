/* SPDX-License-Identifier: MIT */
/*
 * The part of version 1 of QEMU's plugin interface that the plugins here use (QEMU docs/devel/tcg-plugins). Debian
 * packages no qemu-plugin.h.
 */
#ifndef TESTS_QEMU_PLUGIN_H
#define TESTS_QEMU_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info_t;
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W, QEMU_PLUGIN_MEM_RW };
typedef void (*tb_translated)(qemu_plugin_id_t id, struct qemu_plugin_tb *block);
typedef void (*instruction_executed)(unsigned cpu, void *context);
typedef void (*memory_accessed)(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *context);
typedef void (*emulator_exits)(qemu_plugin_id_t id, void *context);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, tb_translated callback);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *instruction, enum qemu_plugin_op operation,
                                                void *counter, uint64_t operand);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *instruction, instruction_executed callback,
                                            enum qemu_plugin_cb_flags flags, void *context);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *instruction, memory_accessed callback,
                                      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw kind, void *context);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, emulator_exits callback, void *context);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *instruction);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *instruction);
unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);

__attribute__((visibility("default"))) extern int qemu_plugin_version;
__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info,
                                                               int argc, char **argv);

#endif
