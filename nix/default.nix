# EnzymeRS, built for one LLVM:
#
#   nix-build nix                                        # the newest LLVM that both nixpkgs and we have
#   nix-build nix --arg llvmPackages 'pkgs.llvmPackages_19'
{
  pkgs ? import <nixpkgs> { },
  llvmPackages ? pkgs.llvmPackages_22 or pkgs.llvmPackages_19,
}:

let
  inherit (pkgs) lib;
  manifest = builtins.fromTOML (builtins.readFile ../Cargo.toml);
  major = lib.versions.major llvmPackages.llvm.version;
in
pkgs.rustPlatform.buildRustPackage {
  pname = "enzymers";
  version = manifest.workspace.package.version;

  src = lib.cleanSource ../.;
  cargoLock.lockFile = ../Cargo.lock;

  nativeBuildInputs = [ llvmPackages.clang ];
  buildInputs = [ llvmPackages.llvm llvmPackages.libllvm ];

  LLVM_CONFIG = "${lib.getDev llvmPackages.llvm}/bin/llvm-config";
  # For the plugin that teaches clang our attributes.
  CLANG_INCLUDE_DIR = "${lib.getDev llvmPackages.libclang}/include";

  buildPhase = ''
    runHook preBuild
    cargo xtask build --no-install --llvm ${major}
    runHook postBuild
  '';

  installPhase = ''
    runHook preInstall
    cargo xtask install --no-install --llvm ${major} --prefix $out
    runHook postInstall
  '';

  # The whole suite wants FileCheck and several compilers; `nix-shell nix/shell.nix` has them.
  checkPhase = ''
    runHook preCheck
    cargo test -p enzyme
    runHook postCheck
  '';

  passthru = {
    inherit llvmPackages;
    plugin = "lib/enzymers/LLVMEnzymeRS-${major}.so";
    clangPlugin = "lib/enzymers/ClangEnzymeRS-${major}.so";
  };

  meta = {
    description = "Automatic differentiation of LLVM IR";
    homepage = manifest.workspace.package.repository;
    license = [ lib.licenses.asl20 lib.licenses.llvm-exception ];
    platforms = lib.platforms.unix;
  };
}
