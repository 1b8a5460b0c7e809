# A shell in which `cargo xtask test` finds all it needs, for one LLVM.
{
  pkgs ? import <nixpkgs> { },
  llvmPackages ? pkgs.llvmPackages_22 or pkgs.llvmPackages_19,
}:

pkgs.mkShell {
  packages = [
    pkgs.cargo
    pkgs.clippy
    pkgs.cmake
    pkgs.python3
    pkgs.rustc
    pkgs.rustfmt
    llvmPackages.clang
    llvmPackages.lld
    llvmPackages.llvm
  ];

  LLVM_CONFIG = "${pkgs.lib.getDev llvmPackages.llvm}/bin/llvm-config";
  CLANG_INCLUDE_DIR = "${pkgs.lib.getDev llvmPackages.libclang}/include";
}
