# Copyright Spack Project Developers. See COPYRIGHT file for details.
#
# SPDX-License-Identifier: (Apache-2.0 OR MIT)

from spack.package import *


class Enzymers(Package):
    """Automatic differentiation of LLVM IR: a plugin for clang, opt, lld and flang."""

    homepage = "https://github.com/EnzymeRS/EnzymeRS"
    git = "https://github.com/EnzymeRS/EnzymeRS.git"

    license("Apache-2.0 WITH LLVM-exception")

    version("main", branch="main")

    # The plugin is built for one LLVM and loads into that one only.
    for _llvm in ("15", "16", "19", "22"):
        depends_on(f"llvm@{_llvm} +clang", when=f"llvm={_llvm}", type=("build", "link", "run"))
    variant("llvm", default="22", values=("15", "16", "19", "22"), multi=False, description="Version of LLVM")
    variant("lld", default=True, description="Differentiate while linking, too")
    depends_on("llvm +lld", when="+lld", type="run")

    depends_on("cxx", type="build")
    depends_on("rust@1.95:", type="build")

    def setup_build_environment(self, env):
        # The headers of clang, for the plugin that teaches it our attributes, are in the same folder as those of LLVM.
        env.set("LLVM_CONFIG", join_path(self.spec["llvm"].prefix.bin, "llvm-config"))
        env.set("CARGO_HOME", join_path(self.stage.path, "cargo"))

    def install(self, spec, prefix):
        cargo = which("cargo", required=True)
        cargo(*self.install_args())

    def install_args(self):
        """The same command as everywhere else; nothing may be installed on the side."""
        llvm = self.spec.variants["llvm"].value
        return ["xtask", "install", "--no-install", "--llvm", llvm, "--prefix", self.prefix]

    @property
    def plugin(self):
        """What goes after clang's -fpass-plugin=, for packages that depend on this one."""
        return self.plugin_named("LLVMEnzymeRS")

    @property
    def clang_plugin(self):
        """What goes after clang's -fplugin= instead, where attributes are used, too."""
        return self.plugin_named("ClangEnzymeRS")

    def plugin_named(self, name):
        llvm = self.spec.variants["llvm"].value
        return join_path(self.prefix.lib, "enzymers", f"{name}-{llvm}.so")

    def setup_dependent_build_environment(self, env, dependent_spec):
        env.set("ENZYMERS_PLUGIN", self.plugin)
        env.set("ENZYMERS_CLANG_PLUGIN", self.clang_plugin)
