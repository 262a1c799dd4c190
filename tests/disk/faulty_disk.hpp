// SPDX-License-Identifier: MIT
#pragma once

// The system calls by which acta writes files, which can be made to fail. The linker puts them before the system's
// (`--wrap`), in a program of its own.
namespace disk {

/// From now on the n-th call fails with `error`, counted from 1; 0 is none.
void fail(int n, int error) noexcept;
/// The n-th call of this process is its end: it is killed before the call is made.
void kill_at(int n) noexcept;
/// Calls that write take one byte at a time, so that there are many more of them.
void write_slowly(bool wanted) noexcept;
/// All is as it was; how many calls there were since.
int stop() noexcept;

}  // namespace disk
