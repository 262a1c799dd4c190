// SPDX-License-Identifier: MIT
// The program that process_windows_test.cpp starts: its first argument says what it does.
#include <windows.h>
// after what it needs
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <string>
#include <string_view>
#include <vector>

namespace {

std::string narrow(std::wstring_view text) {
    if (text.empty()) return "";
    const int units = static_cast<int>(text.size());
    const int size = ::WideCharToMultiByte(CP_UTF8, 0, text.data(), units, nullptr, 0, nullptr, nullptr);
    std::string out(static_cast<std::size_t>(size), '\0');
    ::WideCharToMultiByte(CP_UTF8, 0, text.data(), units, out.data(), size, nullptr, nullptr);
    return out;
}

void say(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

void say_words(int count, wchar_t** words) {
    for (int i = 2; i < count; ++i) say(narrow(words[i]) + "|");
}

void say_variables(int count, wchar_t** names) {
    for (int i = 2; i < count; ++i) {
        std::vector<wchar_t> value(40'000);
        const ::DWORD size = ::GetEnvironmentVariableW(names[i], value.data(), static_cast<::DWORD>(value.size()));
        say((size == 0 ? "none" : narrow({value.data(), size})) + "|");
    }
}

/// Starts this program once more, with the same streams or none. Says its number.
void start(bool has_streams) {
    std::vector<wchar_t> file(1000);
    ::GetModuleFileNameW(nullptr, file.data(), static_cast<::DWORD>(file.size()));
    std::wstring line = L"child sleep";
    ::STARTUPINFOW startup{};
    startup.cb = sizeof startup;
    ::PROCESS_INFORMATION made{};
    if (!::CreateProcessW(file.data(), line.data(), nullptr, nullptr, has_streams, has_streams ? 0 : DETACHED_PROCESS,
                          nullptr, nullptr, &startup, &made))
        std::exit(100);
    say(std::to_string(made.dwProcessId) + " started;");
}

int read_all() {
    std::vector<char> buffer(64 * 1024);
    for (;;) {
        const int size = ::_read(0, buffer.data(), static_cast<unsigned>(buffer.size()));
        if (size <= 0) return 0;
        say({buffer.data(), static_cast<std::size_t>(size)});
    }
}

BOOL WINAPI end_by_break(::DWORD event) {
    if (event == CTRL_BREAK_EVENT) ::ExitProcess(5);
    return FALSE;
}
BOOL WINAPI ignore_break(::DWORD) { return TRUE; }

[[noreturn]] void sleep() {
    for (;;) ::Sleep(1000);
}

}  // namespace

#if defined(__MINGW32__)
extern "C" int wmain(int count, wchar_t** words);  // g++ warns that it is not declared
#endif
int wmain(int count, wchar_t** words) {
    ::_setmode(0, _O_BINARY);
    ::_setmode(1, _O_BINARY);
    ::_setmode(2, _O_BINARY);
    const std::wstring_view task = count > 1 ? words[1] : L"";
    const wchar_t* const value = count > 2 ? words[2] : L"";
    if (task == L"arguments") {
        say_words(count, words);
    } else if (task == L"system arguments") {
        words = ::CommandLineToArgvW(::GetCommandLineW(), &count);
        say_words(count, words);
    } else if (task == L"variables") {
        say_variables(count, words);
    } else if (task == L"folder") {
        std::vector<wchar_t> folder(1000);
        say(narrow({folder.data(), ::GetCurrentDirectoryW(static_cast<::DWORD>(folder.size()), folder.data())}));
    } else if (task == L"echo") {
        return read_all();
    } else if (task == L"exit") {
        return static_cast<int>(std::wcstol(value, nullptr, 0));
    } else if (task == L"crash") {
        ::TerminateProcess(::GetCurrentProcess(), 0xC0000005);
    } else if (task == L"errors") {
        std::string text;
        for (int i = 1; i <= 200'000; ++i) text += std::to_string(i) + "\n";
        text += "last\n";
        std::fwrite(text.data(), 1, text.size(), stderr);
    } else if (task == L"set") {  // an event, if the number of the handle is one here
        ::SetEvent(reinterpret_cast<::HANDLE>(std::wcstoull(value, nullptr, 10)));
    } else if (task == L"closed") {
        ::CloseHandle(::GetStdHandle(STD_INPUT_HANDLE));
        say("closed");
        sleep();
    } else if (task == L"started") {  // another process, and itself ends in some way
        const std::wstring_view way = value;
        ::SetConsoleCtrlHandler(nullptr, FALSE);
        ::SetConsoleCtrlHandler(way == L"break" ? end_by_break : ignore_break, TRUE);
        start(way == L"held");
        if (way == L"held") return 0;
        if (way == L"read") {
            read_all();
            return 4;
        }
        sleep();
    } else if (task == L"sleep") {
        sleep();
    } else {
        return 99;
    }
    return 0;
}
