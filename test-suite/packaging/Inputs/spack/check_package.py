"""Executes the Spack recipe against a stand-in for `spack.package`, and checks what it says and does."""

import importlib.util
import os
import sys
import types
import unittest


class Recorder(types.ModuleType):
    """Stands in for `spack.package`: directives are recorded, programs are not run."""

    def __init__(self):
        super().__init__("spack.package")
        self.directives = []
        self.commands = []
        self.Package = type("Package", (), {})
        self.join_path = os.path.join
        for name in ("version", "depends_on", "variant", "license"):
            setattr(self, name, self.directive(name))
        self.which = self.find_program

    def directive(self, name):
        return lambda *arguments, **options: self.directives.append((name, arguments, options))

    def find_program(self, program, required):
        assert required, "a missing program must be an error"
        return lambda *arguments: self.commands.append((program, *arguments))

    def named(self, name):
        return [(arguments, options) for kind, arguments, options in self.directives if kind == name]


class Folder(str):
    """A path as Spack has it: its subfolders are attributes."""

    def __getattr__(self, name):
        return Folder(os.path.join(self, name))


class Specification:
    """What Spack has decided: the variants' values, and the dependencies by name."""

    def __init__(self, variants, dependencies):
        self.variants = variants
        self.dependencies = dependencies

    def __getitem__(self, name):
        return self.dependencies[name]


def load(path):
    recorder = Recorder()
    sys.modules["spack"] = types.ModuleType("spack")
    sys.modules["spack.package"] = recorder
    specification = importlib.util.spec_from_file_location("package", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return recorder, module.Enzymers


class RecipeTest(unittest.TestCase):
    path = None

    def setUp(self):
        self.recorder, recipe = load(self.path)
        self.package = recipe()
        llvm = types.SimpleNamespace(prefix=Folder("/opt/llvm"))
        variants = {"llvm": types.SimpleNamespace(value="19")}
        self.package.spec = Specification(variants, {"llvm": llvm})
        self.package.prefix = Folder("/opt/enzymers")
        self.package.stage = types.SimpleNamespace(path="/tmp/stage")

    def test_each_supported_llvm_is_a_variant_with_its_dependency(self):
        ((name,), options), = [each for each in self.recorder.named("variant") if each[0] == ("llvm",)]
        self.assertEqual(options["values"], ("15", "16", "19", "22"))
        self.assertIn(options["default"], options["values"])
        depended = {options.get("when"): arguments[0] for arguments, options in self.recorder.named("depends_on")}
        for version in options["values"]:
            self.assertEqual(depended[f"llvm={version}"], f"llvm@{version} +clang")

    def test_rust_is_needed_to_build_and_the_licence_is_ours(self):
        self.assertIn((("rust@1.95:",), {"type": "build"}), self.recorder.named("depends_on"))
        self.assertEqual(self.recorder.named("license"), [(("Apache-2.0 WITH LLVM-exception",), {})])

    def test_it_installs_with_xtask_and_installs_no_packages(self):
        self.package.install(self.package.spec, self.package.prefix)
        expected = ("cargo", "xtask", "install", "--no-install", "--llvm", "19", "--prefix", "/opt/enzymers")
        self.assertEqual(self.recorder.commands, [expected])

    def test_environments_name_the_llvm_and_the_plugin(self):
        environment = {}
        setter = types.SimpleNamespace(set=environment.__setitem__)
        self.package.setup_build_environment(setter)
        self.package.setup_dependent_build_environment(setter, None)
        self.assertEqual(environment["LLVM_CONFIG"], "/opt/llvm/bin/llvm-config")
        self.assertEqual(environment["ENZYMERS_PLUGIN"], "/opt/enzymers/lib/enzymers/LLVMEnzymeRS-19.so")
        self.assertEqual(environment["ENZYMERS_CLANG_PLUGIN"], "/opt/enzymers/lib/enzymers/ClangEnzymeRS-19.so")


if __name__ == "__main__":
    RecipeTest.path = sys.argv.pop(1)
    unittest.main()
