/* SPDX-License-Identifier: MIT */
/* See target_options.h. */
#include "command/target_options.h"

#include "command/values.h"

/* At the lowest clock a long packet takes half of the second that a probe has to answer. */
static const struct value_range speeds = {"hertz, such as 500k, 1.8M or 4MHz", 25000, 100000000};
/* For access ports and cores. */
static const struct value_range numbers = {"a number", 0, 255};

static enum status take_number(const struct command *command, const char *name, int *number, struct error *error)
{
	uint32_t parsed = 0;

	enum status status = value_number(command, name, optarg, &numbers, &parsed, error);
	if (status == STATUS_OK)
		*number = (int)parsed;
	return status;
}

enum status target_options_take(const struct command *command, int option, const struct option *options,
                                char *const *argv, struct target_options *target, struct error *error)
{
	struct target_setup *setup = &target->setup;

	switch (option) {
	case TARGET_OPTION_SPEED:
		return value_frequency(command, "--speed", optarg, &speeds, &setup->speed, error);
	case TARGET_OPTION_PORT:
		return take_number(command, "--ap", &setup->access_port, error);
	case TARGET_OPTION_CORE:
		return take_number(command, "--core", &setup->core, error);
	case TARGET_OPTION_RESET:
		setup->reset_target = true;
		return STATUS_OK;
	case TARGET_OPTION_AWAKE:
		setup->keep_awake = true;
		return STATUS_OK;
	case TARGET_OPTION_VERBOSE:
		target->is_verbose = true;
		return STATUS_OK;
	default:
		return command_bad_option(command, option, options, argv, error);
	}
}

static enum status check_capabilities(const struct target_options *target, bool text, struct error *error)
{
	const struct target_setup *setup = &target->setup;
	const struct {
		bool is_asked;
		unsigned capability;
		const char *option;
	} all[] = {
	        {setup->speed > 0, TARGET_CAN_SET_SPEED, "--speed"},
	        {setup->access_port >= 0, TARGET_CAN_CHOOSE_PORT, "--ap"},
	        {setup->core >= 0, TARGET_CAN_CHOOSE_CORE, "--core"},
	        {setup->halt, TARGET_CAN_HALT, "--halt"},
	        {setup->reset_target, TARGET_CAN_RESET, "--reset-target"},
	        {setup->keep_awake, TARGET_CAN_KEEP_AWAKE, "--keep-awake"},
	        {target->is_verbose, TARGET_CAN_TRACE, "--verbose"},
	        {text, TARGET_HAS_TEXT, "--console"},
	};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (all[i].is_asked && !(target->source.backend->capabilities & all[i].capability))
			return status_usage(error, "%s: there is no %s for such a source", target->source.text,
			                    all[i].option);
	return STATUS_OK;
}

enum status target_options_source(const struct command *command, int argc, char *const *argv, bool text,
                                  struct target_options *target, struct error *error)
{
	if (argc - optind != 1)
		return command_usage(command, error, "expected one SOURCE, got %d", argc - optind);
	enum status status = backends_resolve(argv[optind], &target->source, error);
	return status != STATUS_OK ? status : check_capabilities(target, text, error);
}
