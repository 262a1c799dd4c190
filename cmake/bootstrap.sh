#!/bin/sh
# SPDX-License-Identifier: MIT
# sh cmake/bootstrap.sh demo|test|bench|docs|coverage|windows|ci
#
# Installs what is missing for the purpose with the system's package manager, and nothing else: where nothing is
# missing it only looks. What could not be installed is named, and the exit status is 1, unless acta can do without.
#
#   demo   g++ 12 (or clang 16), CMake 3.25, Ninja, nlohmann_json 3.11; SQLite, without which the run is kept as JSON
#   test   demo, and Catch2, git, python3; ccache, without which each build takes as long as the first; pydantic,
#          jsonschema, the test suite of JSON Schema, yaml-cpp, libcurl, openssl, ICU, libpq, a PostgreSQL server,
#          CLI11, Asio, Chromium and npm, without which a few tests are skipped
#   bench  demo, and Google Benchmark
#   docs   demo, and Doxygen and python3
#   coverage  test, and gcovr
#   windows  what the preset mingw needs on Debian for x86-64: MinGW-w64 and wine, nlohmann_json and Catch2
#   ci     test, and clang 16 or newer with its sanitizers and libc++; on Debian for x86-64 the cross compilers for
#          aarch64 and s390x, and qemu; clang-format 16 or newer, clang-tidy 19, shellcheck, pkg-config, Meson, and on
#          Debian debhelper and lintian, without which their checks are skipped
# shellcheck disable=SC2317 # have_NAME is called by its name
set -eu

say() { printf 'bootstrap: %s\n' "$*"; }
usage() {
    printf 'use: sh cmake/bootstrap.sh demo|test|bench|docs|coverage|windows|ci\n' >&2
    exit 2
}

[ $# -eq 1 ] || usage
build='compiler cmake ninja'
tested_with='ccache json catch2 pydantic jsonschema schema_suite yaml curl openssl icu sqlite libpq postgres cli11 asio'
tested_with="$tested_with chromium npm"
case $1 in
    demo) required=$build optional='json sqlite' ;;
    test) required="$build git python" optional=$tested_with ;;
    bench) required="$build benchmark" optional='json' ;;
    docs) required="$build doxygen python" optional='json' ;;
    coverage) required="$build git python gcovr" optional=$tested_with ;;
    windows) required="$build git python mingw wine" optional='ccache json catch2' ;;
    ci)
        required="$build git python clang sanitizers libcxx libcxxabi"
        [ "$(uname -m)" != x86_64 ] || ! command -v apt-get >/dev/null 2>&1 || required="$required aarch64 s390x qemu"
        optional="$tested_with pgbouncer clang_format clang_tidy shellcheck pkg_config meson"
        ! command -v dpkg >/dev/null 2>&1 || optional="$optional debhelper lintian"
        ;;
    *) usage ;;
esac

# --- What is there. Each have_NAME is true when NAME need not be installed.

at_least() { # at_least 3.25 3.31.6: is the second version the first or newer?
    [ "${2%%.*}" -gt "${1%%.*}" ] && return 0
    [ "${2%%.*}" -eq "${1%%.*}" ] || return 1
    rest=${2#*.}
    [ "${rest%%.*}" -ge "${1#*.}" ]
}

compiles() { # compiles COMPILER: the program on standard input, as C++20
    "$1" -std=c++20 -x c++ -fsyntax-only - >/dev/null 2>&1
}

# The compiler that CMake will take: CXX from the environment, else c++.
compiler() { printf '%s\n' "${CXX:-c++}"; }

have_compiler() {
    compiles "$(compiler)" <<'END'
#include <concepts>
#include <span>
#if defined(__clang__)
static_assert(__clang_major__ >= 16);
#else
static_assert(__GNUC__ >= 12);
#endif
END
}

have_cmake() {
    version=$(cmake --version 2>/dev/null | sed -n '1s/^cmake version //p')
    [ -n "$version" ] && at_least 3.25 "$version"
}

have_ninja() { command -v ninja >/dev/null 2>&1; }

# Also for headers elsewhere than the compiler looks by itself: CMake is asked what it would find.
cmake_finds() { # cmake_finds PACKAGE VERSION [MODE [COMPONENTS]]
    have_compiler && have_cmake && have_ninja || return 1
    scratch=$(mktemp -d) || return 1
    printf 'cmake_minimum_required(VERSION 3.25)\nproject(look LANGUAGES CXX)\nfind_package(%s %s %s REQUIRED %s)\n' \
        "$1" "$2" "${3-CONFIG}" "${4-}" >"$scratch/CMakeLists.txt"
    found=0
    cmake -G Ninja -S "$scratch" -B "$scratch/build" >/dev/null 2>&1 || found=1
    rm -rf "$scratch"
    return "$found"
}

have_json() { cmake_finds nlohmann_json 3.11; }
have_catch2() { cmake_finds Catch2 ''; }
have_benchmark() { cmake_finds benchmark ''; }
have_icu() { cmake_finds ICU 66 MODULE 'COMPONENTS uc i18n'; }
have_curl() { cmake_finds CURL 7.71 MODULE; }
have_sqlite() { cmake_finds SQLite3 3.37 MODULE; }
have_libpq() { cmake_finds PostgreSQL '' MODULE; }
have_postgres() { # the server, in PATH or where Debian has it
    command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1
}
have_pgbouncer() { command -v pgbouncer >/dev/null 2>&1 || [ -x /usr/sbin/pgbouncer ]; }
have_chromium() { command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1; }
have_npm() { command -v npm >/dev/null 2>&1 && command -v node >/dev/null 2>&1; }
have_cli11() { cmake_finds CLI11 2.1; }
have_asio() { printf '#if !__has_include(<asio.hpp>)\n#error none\n#endif\n' | compiles "$(compiler)"; }
have_yaml() { cmake_finds yaml-cpp ''; }
have_ccache() { command -v ccache >/dev/null 2>&1; }
have_git() { command -v git >/dev/null 2>&1; }
have_python() { command -v python3 >/dev/null 2>&1; }

have_openssl() { command -v openssl >/dev/null 2>&1; }
have_doxygen() { cmake_finds Doxygen 1.9.4 MODULE; }
have_gcovr() { command -v gcovr >/dev/null 2>&1; }

python_has() { # python_has MODULE
    for python in python3 /usr/bin/python3 /usr/local/bin/python3; do
        "$python" -c "import $1" >/dev/null 2>&1 && return 0
    done
    return 1
}

have_pydantic() { python_has pydantic; }
have_jsonschema() { python_has jsonschema; }
have_schema_suite() { [ -d /usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance ]; }

# The clang that cmake/clang.cmake takes: the oldest that acta supports.
find_clang() {
    for candidate in ${ACTA_CLANG:-clang++-16 clang++-17 clang++-18 clang++-19 clang++-20 clang++-21 clang++-22 clang++}; do
        if printf '#include <concepts>\nstatic_assert(__clang_major__ >= 16);\n' | compiles "$candidate"; then
            printf '%s\n' "$candidate"
            return 0
        fi
    done
    return 1
}

have_clang() { find_clang >/dev/null; }

have_sanitizers() {
    candidate=$(find_clang) || return 1
    scratch=$(mktemp -d) || return 1
    works=0
    printf 'int main() {}\n' >"$scratch/a.cpp"
    "$candidate" -fsanitize=address,undefined "$scratch/a.cpp" -o "$scratch/a" >/dev/null 2>&1 || works=1
    rm -rf "$scratch"
    return "$works"
}

have_libcxx() {
    candidate=$(find_clang) || return 1
    scratch=$(mktemp -d) || return 1
    works=0
    printf '#include <string>\nint main(int, char** a) { return std::string(a[0]).empty(); }\n' >"$scratch/a.cpp"
    "$candidate" -stdlib=libc++ "$scratch/a.cpp" -o "$scratch/a" >/dev/null 2>&1 || works=1
    rm -rf "$scratch"
    return "$works"
}

have_libcxxabi() { have_libcxx; } # a program is linked there

have_aarch64() { command -v aarch64-linux-gnu-g++ >/dev/null 2>&1; }
have_s390x() { command -v s390x-linux-gnu-g++ >/dev/null 2>&1; }
have_qemu() { command -v qemu-s390x-static >/dev/null 2>&1 && command -v qemu-aarch64-static >/dev/null 2>&1; }

have_mingw() { command -v x86_64-w64-mingw32-g++-posix >/dev/null 2>&1; }
have_wine() { command -v wine >/dev/null 2>&1; }

have_clang_format() {
    for candidate in clang-format-16 clang-format clang-format-17 clang-format-18 clang-format-19 clang-format-20 \
        clang-format-21 clang-format-22; do
        found=$("$candidate" --version 2>/dev/null | sed -n 's/.*version \([0-9]*\)\..*/\1/p')
        [ "${found:-0}" -ge 16 ] && return 0
    done
    return 1
}

# Other versions have other opinions.
have_clang_tidy() {
    for candidate in clang-tidy-19 clang-tidy; do
        "$candidate" --version 2>/dev/null | grep -q 'version 19\.' && return 0
    done
    return 1
}
have_pkg_config() { command -v pkg-config >/dev/null 2>&1 || command -v pkgconf >/dev/null 2>&1; }
have_meson() { command -v meson >/dev/null 2>&1; }
have_debhelper() { command -v dh >/dev/null 2>&1 && command -v dpkg-buildpackage >/dev/null 2>&1; }
have_lintian() { command -v lintian >/dev/null 2>&1; }
have_shellcheck() { command -v shellcheck >/dev/null 2>&1; }

what_is() {
    case $1 in
        compiler) echo 'a C++20 compiler: g++ 12 or clang++ 16 or newer (CXX names another than c++)' ;;
        cmake) echo 'CMake 3.25 or newer' ;;
        ninja) echo 'Ninja' ;;
        json) echo 'nlohmann_json 3.11 or newer; CMake will fetch it' ;;
        catch2) echo 'Catch2; CMake will fetch it' ;;
        ccache) echo 'ccache; every build will take as long as the first' ;;
        pydantic) echo 'pydantic for python3; the tests that need it will be skipped' ;;
        jsonschema) echo 'jsonschema for python3; the tests that need it will be skipped' ;;
        schema_suite) echo 'the test suite of JSON Schema; its tests will be skipped' ;;
        openssl) echo 'openssl; the tests that need a certificate will be skipped' ;;
        doxygen) echo 'Doxygen 1.9.4 or newer' ;;
        benchmark) echo 'Google Benchmark' ;;
        icu) echo 'ICU 66 or newer; the tests that need it will be skipped' ;;
        curl) echo 'libcurl 7.71 or newer; the tests that need it will be skipped' ;;
        sqlite) echo 'SQLite 3.37 or newer; the tests that need it will be skipped, and the demo keeps its run as JSON' ;;
        libpq) echo 'libpq; the tests that need it will be skipped' ;;
        postgres) echo 'a PostgreSQL server; the tests that need it will be skipped' ;;
        pgbouncer) echo 'PgBouncer; the test that needs it will be skipped' ;;
        chromium) echo 'Chromium; the tests of the page will be skipped' ;;
        npm) echo 'npm and node; the tests of the page, and some of the clients, will be skipped' ;;
        cli11) echo 'CLI11 2.1 or newer; the command acta will not be built' ;;
        asio) echo 'standalone Asio; the example event_loop will not be built' ;;
        yaml) echo 'yaml-cpp 0.7 or newer; the tests that need it will be skipped' ;;
        clang) echo 'clang++ 16 or newer' ;;
        sanitizers) echo 'the sanitizers of clang' ;;
        libcxx | libcxxabi) echo 'libc++ for that clang' ;;
        aarch64 | s390x) echo "g++ for $1" ;;
        qemu) echo 'qemu for programs of other machines' ;;
        mingw) echo 'MinGW-w64 with threads as in POSIX' ;;
        wine) echo 'wine for 64-bit programs' ;;
        clang_format) echo 'clang-format 16 or newer; the format will not be checked' ;;
        clang_tidy) echo 'clang-tidy 19; the headers will not be looked through' ;;
        pkg_config) echo 'pkg-config; what is installed for it will not be tested' ;;
        meson) echo 'Meson; a project that uses it will not be tested' ;;
        debhelper | lintian) echo "$1; Debian's package will not be built" ;;
        shellcheck) echo 'shellcheck; the scripts will not be checked' ;;
        *) echo "$1" ;;
    esac
}

missing_of() { # missing_of NAME...: those that are not there
    for name in "$@"; do
        "have_$name" || printf '%s ' "$name"
    done
}

# --- How it is installed.

manager=
for candidate in apt-get dnf pacman apk zypper brew; do
    if command -v "$candidate" >/dev/null 2>&1; then
        manager=$candidate
        break
    fi
done

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

# The version of the clang that is, or is about to be, there.
clang_major() {
    if candidate=$(find_clang); then
        printf '__clang_major__\n' | "$candidate" -E -P - | tail -n 1
    else
        first_known clang | sed 's/^clang-//'
    fi
}

# The names under which a manager may have a thing, best first; one is taken.
packages() { # packages NAME
    case $manager:$1 in
        brew:compiler) echo 'llvm' ;;
        apt-get:compiler | zypper:compiler | apk:compiler) echo 'g++ gcc-c++' ;;
        dnf:compiler) echo 'gcc-c++' ;;
        pacman:compiler) echo 'gcc' ;;
        *:cmake) echo 'cmake' ;;
        apt-get:ninja | dnf:ninja) echo 'ninja-build' ;;
        *:ninja) echo 'ninja ninja-build' ;;
        apt-get:json) echo 'nlohmann-json3-dev' ;;
        dnf:json) echo 'json-devel' ;;
        zypper:json) echo 'nlohmann_json-devel' ;;
        *:json) echo 'nlohmann-json' ;;
        dnf:catch2 | zypper:catch2) echo 'catch2-devel Catch2-devel' ;;
        apk:catch2) echo 'catch2-3 catch2' ;;
        *:catch2) echo 'catch2' ;;
        *:ccache) echo 'ccache' ;;
        *:git) echo 'git' ;;
        pacman:python | brew:python) echo 'python' ;;
        *:python) echo 'python3' ;;
        apk:pydantic) echo 'py3-pydantic' ;;
        pacman:pydantic) echo 'python-pydantic' ;;
        brew:pydantic) ;;
        *:pydantic) echo 'python3-pydantic' ;;
        apk:jsonschema) echo 'py3-jsonschema' ;;
        pacman:jsonschema) echo 'python-jsonschema' ;;
        brew:jsonschema) ;;
        *:jsonschema) echo 'python3-jsonschema' ;;
        apt-get:schema_suite) echo 'libtest-json-schema-acceptance-perl' ;;
        *:schema_suite) ;;
        *:openssl) echo 'openssl' ;;
        *:doxygen) echo 'doxygen' ;;
        *:gcovr) echo 'gcovr' ;;
        apt-get:benchmark) echo 'libbenchmark-dev' ;;
        apk:benchmark) echo 'benchmark-dev' ;;
        dnf:benchmark) echo 'google-benchmark-devel' ;;
        zypper:benchmark) echo 'benchmark-devel' ;;
        brew:benchmark) echo 'google-benchmark' ;;
        *:benchmark) echo 'benchmark' ;;
        apt-get:icu | dnf:icu | zypper:icu) echo 'libicu-dev libicu-devel' ;;
        apt-get:curl) echo 'libcurl4-openssl-dev' ;;
        dnf:curl | zypper:curl) echo 'libcurl-devel' ;;
        apk:curl) echo 'curl-dev' ;;
        *:curl) echo 'curl' ;;
        apt-get:sqlite) echo 'libsqlite3-dev' ;;
        dnf:sqlite) echo 'sqlite-devel' ;;
        zypper:sqlite) echo 'sqlite3-devel' ;;
        apk:sqlite) echo 'sqlite-dev' ;;
        *:sqlite) echo 'sqlite' ;;
        apt-get:libpq) echo 'libpq-dev' ;;
        dnf:libpq) echo 'libpq-devel' ;;
        zypper:libpq) echo 'postgresql-devel' ;;
        apk:libpq) echo 'libpq-dev' ;;
        pacman:libpq) echo 'postgresql-libs' ;;
        brew:libpq) echo 'libpq' ;;
        dnf:postgres | zypper:postgres) echo 'postgresql-server' ;;
        apk:postgres) echo 'postgresql postgresql17 postgresql16' ;;
        *:postgres) echo 'postgresql' ;;
        *:pgbouncer) echo 'pgbouncer' ;;
        *:chromium) echo 'chromium' ;;
        *:npm) echo 'npm' ;;
        apt-get:cli11) echo 'libcli11-dev' ;;
        dnf:cli11 | zypper:cli11) echo 'cli11-devel' ;;
        *:cli11) echo 'cli11' ;;
        apt-get:asio) echo 'libasio-dev' ;;
        dnf:asio | zypper:asio) echo 'asio-devel' ;;
        apk:asio) echo 'asio-dev' ;;
        *:asio) echo 'asio' ;;
        apt-get:yaml) echo 'libyaml-cpp-dev' ;;
        dnf:yaml | zypper:yaml) echo 'yaml-cpp-devel' ;;
        apk:yaml) echo 'yaml-cpp-dev' ;;
        *:yaml) echo 'yaml-cpp' ;;
        apk:icu) echo 'icu-dev' ;;
        brew:icu) echo 'icu4c' ;;
        *:icu) echo 'icu' ;;
        apt-get:clang) echo 'clang-16 clang-17 clang-18 clang-19 clang-20 clang-21 clang-22' ;;
        brew:clang) echo 'llvm' ;;
        *:clang) echo 'clang' ;;
        apt-get:sanitizers)
            echo "libclang-rt-$(clang_major)-dev"
            ;;
        *:sanitizers) echo 'compiler-rt' ;;
        apt-get:libcxx)
            echo "libc++-$(clang_major)-dev"
            ;;
        apt-get:libcxxabi) echo "libc++abi-$(clang_major)-dev" ;;
        dnf:libcxxabi | zypper:libcxxabi) echo 'libcxxabi-devel' ;;
        dnf:libcxx | zypper:libcxx) echo 'libcxx-devel' ;;
        apk:libcxx) echo 'libc++-dev' ;;
        pacman:libcxx) echo 'libc++' ;;
        apt-get:aarch64) echo 'g++-aarch64-linux-gnu' ;;
        apt-get:s390x) echo 'g++-s390x-linux-gnu' ;;
        apt-get:qemu) echo 'qemu-user-static qemu-user' ;;
        apt-get:mingw) echo 'g++-mingw-w64-x86-64-posix' ;;
        apt-get:wine) echo 'wine' ;;
        apt-get:clang_format)
            echo 'clang-format-16 clang-format-17 clang-format-18 clang-format-19 clang-format-20 clang-format-21 clang-format-22'
            ;;
        dnf:clang_format) echo 'clang-tools-extra' ;;
        apk:clang_format) echo 'clang-extra-tools' ;;
        pacman:clang_format) echo 'clang' ;;
        brew:clang_format) echo 'clang-format' ;;
        *:clang_format) ;;
        apt-get:clang_tidy) echo 'clang-tidy-19' ;;
        *:clang_tidy) ;;
        apt-get:pkg_config) echo 'pkgconf pkg-config' ;;
        dnf:pkg_config) echo 'pkgconf-pkg-config' ;;
        zypper:pkg_config) echo 'pkg-config' ;;
        *:pkg_config) echo 'pkgconf' ;;
        *:meson) echo 'meson' ;;
        apt-get:debhelper) echo 'debhelper' ;;
        apt-get:lintian) echo 'lintian' ;;
        dnf:shellcheck | zypper:shellcheck) echo 'ShellCheck' ;;
        *:shellcheck) echo 'shellcheck' ;;
    esac
}

known() { # known PACKAGE: does the manager have it?
    case $manager in
        apt-get) apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]' ;;
        dnf) dnf -q info "$1" >/dev/null 2>&1 ;;
        pacman) pacman -Si "$1" >/dev/null 2>&1 ;;
        apk) [ -n "$(apk search -x "$1" 2>/dev/null)" ] ;;
        zypper) zypper -q --non-interactive info "$1" 2>/dev/null | grep -q '^Version' ;;
        brew) brew info "$1" >/dev/null 2>&1 ;;
    esac
}

first_known() { # first_known NAME: the package to take
    for package in $(packages "$1"); do
        if known "$package"; then
            printf '%s\n' "$package"
            return 0
        fi
    done
    return 1
}

refresh() {
    say "asking $manager for its lists"
    case $manager in
        apt-get) as_root apt-get -q -o Acquire::Retries=3 update ;;
        pacman) as_root pacman -Sy --noconfirm ;;
        apk) as_root apk update ;;
        zypper) as_root zypper --non-interactive refresh ;;
        *) : ;;
    esac
}

install() { # install PACKAGE...
    say "installing $*"
    case $manager in
        apt-get)
            as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 \
                install --no-install-recommends "$@"
            ;;
        dnf) as_root dnf -y install "$@" ;;
        pacman) as_root pacman -S --needed --noconfirm "$@" ;;
        apk) as_root apk add "$@" ;;
        zypper) as_root zypper --non-interactive install "$@" ;;
        brew) brew install "$@" ;;
    esac
}

package_list() { # package_list NAME...: the packages for them, or for those that the manager knows
    for name in "$@"; do
        first_known "$name" || :
    done | sort -u | tr '\n' ' '
}

# shellcheck disable=SC2086 # the lists are lists of words
install_all() { # install_all NAME...
    list=$(package_list "$@")
    if [ "$(printf '%s' "$list" | wc -w)" -lt $# ]; then # not all are known: the lists may be missing or old
        refresh || say "$manager could not refresh its lists" >&2
        list=$(package_list "$@")
    fi
    [ -n "$list" ] || return 0
    install $list && return 0
    say "that failed; once more, with fresh lists" >&2
    refresh || :
    list=$(package_list "$@")
    install $list && return 0
    for package in $list; do # what can be had without the one that is broken
        install "$package" || :
    done
}

# Where the compiler, CMake or Ninja is missing, cmake_finds finds nothing, and a package that is there already is asked
# for too: the manager knows better, and does nothing.
# shellcheck disable=SC2086
missing=$(missing_of $required $optional)
if [ -z "$missing" ]; then
    say "nothing is missing for $1"
    exit 0
fi
if [ -z "$manager" ]; then
    say 'no package manager known here (apt-get, dnf, pacman, apk, zypper, brew)' >&2
elif [ "$manager" != brew ] && [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
    say 'not root, and there is no sudo: nothing can be installed' >&2
else
    say "missing for $1: $missing"
    # shellcheck disable=SC2086
    install_all $missing
fi

status=0
for name in $required; do
    if ! "have_$name"; then
        say "could not install $(what_is "$name")" >&2
        status=1
    fi
done
for name in $optional; do
    "have_$name" || say "could not install $(what_is "$name")" >&2
done
[ "$status" -eq 0 ] && say "ready for $1"
exit "$status"
