# SPDX-License-Identifier: MIT
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

required_conan_version = ">=2.0"


class ActaConan(ConanFile):
    name = "acta"
    description = "The records an LLM agent keeps of its own work: typed values, JSON, schemas, histories, prompts."
    license = "MIT"
    topics = ("llm", "agents", "json", "json-schema", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"yaml": [True, False], "client": [True, False], "icu": [True, False], "sqlite": [True, False],
               "postgres": [True, False]}
    default_options = {"yaml": False, "client": False, "icu": False, "sqlite": False, "postgres": False}
    no_copy_source = True

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..", "..")

    def set_version(self):
        text = load(self, os.path.join(self._root, "include", "acta", "version.hpp"))
        self.version = ".".join(re.search(rf"ACTA_VERSION_{part} (\d+)", text).group(1)
                                for part in ("MAJOR", "MINOR", "PATCH"))

    def export_sources(self):
        for pattern in ("include/*", "cmake/*", "CMakeLists.txt", "LICENSE"):
            copy(self, pattern, self._root, self.export_sources_folder)

    def requirements(self):
        self.requires("nlohmann_json/[>=3.11 <4]")
        if self.options.yaml:
            self.requires("yaml-cpp/[>=0.7 <1]")
        if self.options.client:
            self.requires("libcurl/[>=7.71 <9]")
        if self.options.icu:
            self.requires("icu/[>=66]")
        if self.options.sqlite:
            self.requires("sqlite3/[>=3.37 <4]")
        if self.options.postgres:
            self.requires("libpq/[>=13]")

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def package_id(self):
        self.info.clear()  # headers: one package for all

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables.update({"ACTA_BUILD_TESTS": False, "ACTA_BUILD_EXAMPLES": False, "ACTA_INSTALL": True})
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "acta")
        self.cpp_info.set_property("pkg_config_name", "acta")
        self.cpp_info.bindirs = self.cpp_info.libdirs = []
        core = self.cpp_info.components["acta"]
        core.set_property("cmake_target_name", "acta::acta")
        core.requires = ["nlohmann_json::nlohmann_json"]
        if self.settings.os in ("Linux", "FreeBSD"):
            core.system_libs = ["pthread"]
        for name, needed in (("yaml", "yaml-cpp::yaml-cpp"), ("client", "libcurl::libcurl"), ("icu", "icu::icu"),
                             ("sqlite", "sqlite3::sqlite3"), ("postgres", "libpq::libpq")):
            if self.options.get_safe(name):
                component = self.cpp_info.components[name]
                component.set_property("cmake_target_name", f"acta::{name}")
                component.requires = ["acta", needed]
