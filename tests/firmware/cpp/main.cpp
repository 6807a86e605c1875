/* SPDX-License-Identifier: MIT */
/*
 * Calls in C++: constructors before main(), virtual functions, a thunk, templates, lambdas, pointers to
 * members, a tail call, a handler. The firmware counts them itself.
 */
#include "board.h"
#include "count.h"

#include <bareprof/bareprof.h>

BAREPROF_DEFINE(BOARD_ARCS, BOARD_SAMPLES, .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = BOARD_SAMPLING_PERIOD, .set_period = board_sampling_start,
                .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS, BOARD_STACKS);

namespace
{

constexpr uint32_t rounds = 500;
constexpr unsigned window = 8;

/* Records from its construction on, which is the first one. */
struct Recording {
	__attribute__((no_instrument_function)) Recording()
	{
		board_init();
		bareprof_init();
		board_sampling_start(BOARD_SAMPLING_PERIOD);
		const unsigned long state = core_interrupts_save();
		bareprof_start();
		call_counts_begin();
		core_interrupts_restore(state);
	}

	__attribute__((no_instrument_function)) void end() const
	{
		const unsigned long state = core_interrupts_save();
		bareprof_stop();
		call_counts_end();
		core_interrupts_restore(state);
	}
};

__attribute__((init_priority(101))) Recording recording;

class Stage
{
      public:
	virtual int32_t process(int32_t value)
	{
		COUNT(Stage::process);
		return value;
	}
};

class Listener
{
      public:
	virtual void notify(uint32_t time)
	{
		COUNT(Listener::notify);
		last_time = time;
	}
	volatile uint32_t last_time = 0;
};

class Gain : public Stage
{
      public:
	explicit Gain(int32_t numerator) : numerator_(numerator)
	{
		COUNT(Gain::Gain);
	}

	int32_t process(int32_t value) override
	{
		COUNT(Gain::process);
		return Stage::process(value * numerator_ / 16);
	}

      private:
	int32_t numerator_;
};

/* Called through Listener, notify() is reached by a thunk that moves `this`. */
class Drift : public Stage, public Listener
{
      public:
	Drift()
	{
		COUNT(Drift::Drift);
	}

	int32_t process(int32_t value) override
	{
		COUNT(Drift::process);
		return value + static_cast<int32_t>(offset_);
	}

	void notify(uint32_t time) override
	{
		COUNT(Drift::notify);
		Listener::notify(time);
		offset_ = time % 7u;
	}

      private:
	volatile uint32_t offset_ = 0;
};

template <typename Number> Number largest(const Number *numbers, unsigned count)
{
	COUNT(largest);
	Number result = numbers[0];

	for (unsigned i = 1; i < count; i++)
		result = numbers[i] > result ? numbers[i] : result;
	return result;
}

template <typename Visitor> void for_each_window(const int32_t *numbers, unsigned count, Visitor visitor)
{
	COUNT(for_each_window);
	for (unsigned i = 0; i < count; i++)
		visitor(numbers[i]);
}

class Statistics
{
      public:
	void add(int32_t number)
	{
		COUNT(Statistics::add);
		sum_ = sum_ + number;
	}

	void clear(int32_t start)
	{
		COUNT(Statistics::clear);
		sum_ = start;
	}

	/* If the compiler generates a jump for it, the caller of `add` is this function's caller. */
	void add_twice_as_much(int32_t number)
	{
		COUNT(Statistics::add_twice_as_much);
		add(2 * number);
	}

      private:
	volatile int32_t sum_ = 0;
};

Gain gains[] = {Gain(17), Gain(15), Gain(16)};
Drift drift;
Listener listener;
Listener *const listeners[] = {&listener, &drift};
Stage *const stages[] = {&gains[0], &drift, &gains[1], &gains[2]};
Statistics statistics;
volatile uint32_t handler_runs;
int32_t numbers[window];
int16_t halves[window];

/* Called by the startup code, after the recording has begun. */
__attribute__((constructor, used)) void prepare()
{
	COUNT(prepare);
	for (unsigned i = 0; i < window; i++)
		numbers[i] = static_cast<int32_t>(i * i * 100u);
}

int32_t process_all(int32_t value)
{
	COUNT(process_all);
	for (Stage *stage : stages)
		value = stage->process(value);
	return value;
}

void work(uint32_t round)
{
	void (Statistics::*const action)(int32_t) = round % 16u == 0 ? &Statistics::clear : &Statistics::add;
	int32_t (*const absolute)(int32_t) = [](int32_t number) {
		COUNT(operator());
		return number < 0 ? -number : number;
	};

	COUNT(work);
	for (unsigned i = 0; i < window; i++) {
		numbers[i] = process_all(numbers[i]) % 20000;
		halves[i] = static_cast<int16_t>(absolute(numbers[i]) / 2);
	}
	(statistics.*action)(largest(numbers, window));
	statistics.add_twice_as_much(largest(halves, window));
	for_each_window(numbers, window, [round](int32_t number) {
		COUNT(operator());
		statistics.add(number + static_cast<int32_t>(round));
	});
}

} // namespace

extern "C" void work_interrupt()
{
	board_work_acknowledge();
	COUNT(work_interrupt);
	handler_runs = handler_runs + 1;
	for (Listener *each : listeners)
		each->notify(handler_runs);
}

extern "C" int main()
{
	board_work_start(997);
	for (uint32_t round = 0; round < rounds; round++)
		work(round);
	recording.end();

	call_counts_write();
	board_console_write("demo: done\n");
	board_idle();
}
