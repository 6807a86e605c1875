/* SPDX-License-Identifier: MIT */
/* See what_if.h. */
#include "command/what_if.h"

#include "base/array.h"
#include "base/text/demangle.h"

#include <stdlib.h>
#include <string.h>

/* A larger factor is surely a typing error. */
#define FACTOR_MAX 1000

struct what_if_factor {
	const char *value;
	size_t name_length;
	double factor;
};

/* The last "=" is the separator, because names of C++ operators may contain "=". Only decimal digits are accepted, not
 * 1e3, 0x1 or nan. */
static bool parse(const char *value, struct what_if_factor *parsed)
{
	const char *equals = strrchr(value, '='), *digits = equals != NULL ? equals + 1 : "";
	char *end;

	if (equals == NULL || equals == value || digits[0] == '\0' || strspn(digits, "0123456789.") != strlen(digits))
		return false;
	parsed->value = value;
	parsed->name_length = (size_t)(equals - value);
	parsed->factor = strtod(digits, &end);
	return *end == '\0' && parsed->factor <= FACTOR_MAX;
}

static enum status take_factor(const struct given_option *given, struct error *error)
{
	struct what_if_options *options = given->target;
	struct what_if_factor parsed;

	if (!parse(given->value, &parsed))
		return option_refuse(given, given->value, "F=FACTOR, such as main=0.5, with a factor from 0 to 1000",
		                     error);
	if (!array_append(&options->given, &options->count, &parsed, sizeof parsed))
		return status_fail(error, "out of memory for --%s", given->row->name);
	return STATUS_OK;
}

const struct command_option what_if_options[] = {
        {'\0', "what-if", "F=FACTOR", "predict the time if the self time of F were multiplied by FACTOR",
         .take = take_factor},
        {0},
};

void what_if_free(struct what_if_options *options)
{
	free(options->given);
}

/* --- Names. */

struct search {
	struct opened_profile *opened;
	struct demangler *demangler;
	double *factors; /* by function of the image; negative: not named yet */
};

static enum status set_factor(const struct search *search, size_t function, const struct what_if_factor *given,
                              struct error *error)
{
	const struct image *image = search->opened->image;
	int length = (int)given->name_length;

	if (search->opened->profile->nodes[function].kind == PROFILE_BAREPROF)
		return status_fail(error, "%s: '%.*s' is part of the recorder, whose time predictions leave out",
		                   image->path, length, given->value);
	if (search->factors[function] >= 0)
		return status_fail(error, "%s: '%.*s' has two factors: give only one", image->path, length,
		                   given->value);
	search->factors[function] = given->factor;
	return STATUS_OK;
}

/* Sets the factor of all functions of this name. */
static enum status find_functions(const struct search *search, const struct what_if_factor *given, struct error *error)
{
	const struct image *image = search->opened->image;
	char *name = strndup(given->value, given->name_length);
	enum status status = name != NULL ? STATUS_OK : status_no_memory(error, image->path);
	bool is_found = false;

	for (size_t i = 0; status == STATUS_OK && i < image->function_count; i++) {
		if (!demangler_is_called(search->demangler, image->functions[i].name, name))
			continue;
		is_found = true;
		status = set_factor(search, i, given, error);
	}
	if (status == STATUS_OK && !is_found)
		status = status_fail(error,
		                     "%s: '%.80s' matches no function; inlined code counts in the function that "
		                     "contains it",
		                     image->path, name);
	free(name);
	return status;
}

static enum status find_all(const struct search *search, const struct what_if_options *options, struct error *error)
{
	size_t count = search->opened->image->function_count;
	enum status status = STATUS_OK;

	for (size_t i = 0; i < count; i++)
		search->factors[i] = -1;
	for (size_t i = 0; status == STATUS_OK && i < options->count; i++)
		status = find_functions(search, &options->given[i], error);
	for (size_t i = 0; i < count; i++)
		if (search->factors[i] < 0)
			search->factors[i] = 1;
	return status;
}

enum status what_if_add(const struct what_if_options *options, struct opened_profile *opened, struct error *error)
{
	struct demangle_style style = {0};

	if (options->count == 0)
		return STATUS_OK;
	const struct search search = {
	        .opened = opened,
	        .demangler = demangle_find_style("auto", &style) ? demangler_create(style) : NULL,
	        .factors = calloc(opened->image->function_count + 1, sizeof *search.factors),
	};
	enum status status = search.demangler != NULL && search.factors != NULL
	                             ? find_all(&search, options, error)
	                             : status_no_memory(error, opened->image->path);
	if (status == STATUS_OK)
		status = analysis_what_if(opened->profile, search.factors, &opened->analysis, error);
	free(search.factors);
	demangler_free(search.demangler);
	return status;
}
