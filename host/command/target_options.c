/* SPDX-License-Identifier: MIT */
/* See target_options.h. */
#include "command/target_options.h"

#include "command/values.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* At the lowest clock, a long packet takes half a second; a probe must answer within one second. */
static const struct value_range speeds = {"hertz, such as 500k, 1.8M or 4MHz", 25000, 100000000};

/* An access port has a number or, with ADIv6, an address. */
static enum status take_port(const struct given_option *given, struct error *error)
{
	char *end;
	const unsigned long long port = strtoull(given->value, &end, 0);

	if (given->value[0] < '0' || given->value[0] > '9' || *end || port > INT64_MAX || (port > 255 && port % 4096))
		return option_refuse(given, given->value, "a number from 0 to 255, or an address such as 0x2000",
		                     error);
	*(int64_t *)option_member(given) = (int64_t)port;
	return STATUS_OK;
}

static enum status take_index(const struct given_option *given, struct error *error)
{
	uint32_t index;

	if (!value_parse_number(given->value, 255, &index))
		return option_refuse(given, given->value, "a number from 0 to 255", error);
	*(int *)option_member(given) = (int)index;
	return STATUS_OK;
}

static enum status take_transport(const struct given_option *given, struct error *error)
{
	static const enum target_transport transports[] = {TARGET_SWD, TARGET_JTAG};
	size_t choice;
	enum status status = option_find_choice(given, &choice, error);

	if (status == STATUS_OK)
		*(enum target_transport *)option_member(given) = transports[choice];
	return status;
}

#define MEMBER(name) offsetof(struct target_options, name)
const struct command_option probe_options[] = {
        {'\0', "speed", "HZ", "clock of the probe, such as 500k or 4M (default 1M)", .take = option_take_frequency,
         .member = MEMBER(setup.speed), .detail = &speeds},
        {'\0', "transport", "WIRES", "swd or jtag (default: swd if the probe has it)",
         .choices = (const char *const[]){"swd", "jtag", NULL}, .take = take_transport,
         .member = MEMBER(setup.transport)},
        {'\0', "ap", "N", "access port, or its address (default: the first with memory)", .take = take_port,
         .member = MEMBER(setup.access_port)},
        {'\0', "core", "N", "number of the core, from 0", .take = take_index, .member = MEMBER(setup.core)},
        {'\0', "reset-target", NULL, "reset the target first", .take = option_take_switch,
         .member = MEMBER(setup.reset_target)},
        {'\0', "connect-under-reset", NULL, "hold the target's reset pin low while connecting",
         .take = option_take_switch, .member = MEMBER(setup.under_reset)},
        {'\0', "keep-awake", NULL, "keep the debug part of an STM32 on while its core sleeps (WFI)",
         .take = option_take_switch, .member = MEMBER(setup.keep_awake)},
        {'\0', "verbose", NULL, "print each transfer on a line of standard error", .take = option_take_switch,
         .member = MEMBER(is_verbose)},
        {0},
};

static enum status check_capabilities(const struct target_options *target, bool wants_console, struct error *error)
{
	const struct target_setup *setup = &target->setup;
	const struct {
		bool is_asked;
		unsigned capability;
		const char *option;
	} all[] = {
	        {setup->transport != TARGET_DEFAULT_TRANSPORT, TARGET_CAN_CHOOSE_TRANSPORT, "--transport"},
	        {setup->speed > 0, TARGET_CAN_SET_SPEED, "--speed"},
	        {setup->access_port >= 0, TARGET_CAN_CHOOSE_PORT, "--ap"},
	        {setup->core >= 0, TARGET_CAN_CHOOSE_CORE, "--core"},
	        {setup->halt, TARGET_CAN_HALT, "--halt"},
	        {setup->reset_target, TARGET_CAN_RESET, "--reset-target"},
	        {setup->under_reset, TARGET_CAN_CONNECT_UNDER_RESET, "--connect-under-reset"},
	        {setup->keep_awake, TARGET_CAN_KEEP_AWAKE, "--keep-awake"},
	        {target->is_verbose, TARGET_CAN_TRACE, "--verbose"},
	        {wants_console, TARGET_HAS_TEXT, "--console"},
	};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (all[i].is_asked && !(target->source.backend->capabilities & all[i].capability))
			return status_usage(error, "%s: %s does not apply to this kind of source", target->source.text,
			                    all[i].option);
	return STATUS_OK;
}

enum status target_options_source(const struct command *command, int argc, char *const *argv, bool wants_console,
                                  struct target_options *target, struct error *error)
{
	if (argc - optind != 1)
		return command_usage(command, error, "expected one SOURCE, got %d", argc - optind);
	enum status status = backends_resolve(argv[optind], &target->source, error);
	target->setup.reset_target |= target->setup.under_reset;
	return status != STATUS_OK ? status : check_capabilities(target, wants_console, error);
}

void target_list_source(const struct source_syntax *syntax, command_word_found found, void *context)
{
	char word[64];

	snprintf(word, sizeof word, "%s%s", syntax->scheme, syntax->synopsis[0] == '[' ? "" : ":");
	found(context, word, syntax->summary);
}

void target_list_sources(command_word_found found, void *context)
{
	for (const struct source_kind *kind = source_kinds; kind->scheme != NULL; kind++)
		if (kind->syntax != NULL)
			target_list_source(kind->syntax, found, context);
}

void target_print_source(const struct source_syntax *syntax)
{
	printf("  %s%s\n          %s\n", syntax->scheme, syntax->synopsis, syntax->summary);
}
