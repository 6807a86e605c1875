/* SPDX-License-Identifier: MIT */
/*
 * A recursive-descent evaluator of arithmetic: expression = term {(+|-) term}, term = factor {(*|/) factor}, factor =
 * number | variable | -factor | (expression) | >(expression, expression), the greater of the two.
 */
#include "parser.h"

#include "count.h"

struct parser {
	const char *cursor;
	const int32_t *values;
	bool failed;
};

static int32_t parse_expression(struct parser *parser);

static inline int32_t saturate(int64_t value)
{
	if (value > INT32_MAX)
		return INT32_MAX;
	if (value < INT32_MIN)
		return INT32_MIN;
	return (int32_t)value;
}

static inline char next_token(struct parser *parser)
{
	while (*parser->cursor == ' ')
		parser->cursor++;

	return *parser->cursor;
}

static inline bool accept(struct parser *parser, char token)
{
	if (next_token(parser) != token)
		return false;
	parser->cursor++;
	return true;
}

static inline void expect(struct parser *parser, char token)
{
	if (!accept(parser, token))
		parser->failed = true;
}

static int32_t parse_number(struct parser *parser)
{
	int32_t number = 0;

	COUNT(parse_number);
	while (*parser->cursor >= '0' && *parser->cursor <= '9')
		number = saturate((int64_t)number * 10 + (*parser->cursor++ - '0'));
	return number;
}

static int32_t parse_variable(struct parser *parser)
{
	unsigned index = (unsigned)(*parser->cursor - 'a');

	COUNT(parse_variable);
	if (index >= EXPRESSION_VARIABLES) {
		parser->failed = true;
		return 0;
	}
	parser->cursor++;
	return parser->values[index];
}

static int32_t parse_greater(struct parser *parser)
{
	int32_t left;
	int32_t right;

	COUNT(parse_greater);
	expect(parser, '(');
	left = parse_expression(parser);
	expect(parser, ',');
	right = parse_expression(parser);
	expect(parser, ')');
	return left > right ? left : right;
}

static int32_t parse_factor(struct parser *parser)
{
	char token = next_token(parser);
	int32_t value;

	COUNT(parse_factor);
	if (token >= '0' && token <= '9')
		return parse_number(parser);
	if (accept(parser, '-'))
		return saturate(-(int64_t)parse_factor(parser));
	if (accept(parser, '>'))
		return parse_greater(parser);
	if (!accept(parser, '('))
		return parse_variable(parser);
	value = parse_expression(parser);
	expect(parser, ')');
	return value;
}

static inline int32_t divide(struct parser *parser, int32_t dividend, int32_t divisor)
{
	if (divisor == 0) {
		parser->failed = true;
		return 0;
	}
	if (divisor == -1)
		return saturate(-(int64_t)dividend);
	return dividend / divisor;
}

static int32_t parse_term(struct parser *parser)
{
	int32_t value = parse_factor(parser);

	COUNT(parse_term);
	while (!parser->failed) {
		if (accept(parser, '*'))
			value = saturate((int64_t)value * parse_factor(parser));
		else if (accept(parser, '/'))
			value = divide(parser, value, parse_factor(parser));
		else
			break;
	}
	return value;
}

static int32_t parse_expression(struct parser *parser)
{
	int32_t value = parse_term(parser);

	COUNT(parse_expression);
	while (!parser->failed) {
		if (accept(parser, '+'))
			value = saturate((int64_t)value + parse_term(parser));
		else if (accept(parser, '-'))
			value = saturate((int64_t)value - parse_term(parser));
		else
			break;
	}
	return value;
}

bool expression_evaluate(const char *text, const int32_t values[EXPRESSION_VARIABLES], int32_t *result)
{
	struct parser parser = {text, values, false};

	COUNT(expression_evaluate);
	*result = parse_expression(&parser);
	return !parser.failed && next_token(&parser) == '\0';
}
