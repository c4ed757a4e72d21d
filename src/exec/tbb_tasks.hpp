// Tasks on oneTBB's threads: all that halfulp has of oneTBB.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace halfulp {

// Calls task(context) so many times, on the calling thread and oneTBB's, and returns when the calls
// have returned. `task` does not throw. oneTBB is usable. Throws std::bad_alloc.
//
// In the arena the caller is in, so that a host that uses oneTBB says what halfulp gets; an arena
// made for a call would cost more than most calls. Isolated: while this thread waits for the
// others, it must not start a task of the host's, which may want a lock that the caller holds. And
// tasks that are not cancelled when the host's are.
void run_on_tbb(int tasks, void (*task)(void*), void* context);

// False in a process that was forked from one that had called run_on_tbb: the fork copied what
// oneTBB was doing, but none of the threads that do it.
bool tbb_is_usable() noexcept;

}  // namespace halfulp
