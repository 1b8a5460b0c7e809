# A stand-in for nixpkgs: just enough for our expressions to be evaluated without it.
let
  llvm = version: {
    llvm = {
      inherit version;
      outPath = "/nix/store/llvm-${version}";
    };
    libllvm.outPath = "/nix/store/libllvm-${version}";
    libclang.outPath = "/nix/store/libclang-${version}";
    clang.outPath = "/nix/store/clang-${version}";
    lld.outPath = "/nix/store/lld-${version}";
  };
  program = name: { outPath = "/nix/store/${name}"; };
in
{
  lib = {
    versions.major = version: builtins.head (builtins.splitVersion version);
    cleanSource = source: "the source";
    getDev = package: "${package.outPath}-dev";
    licenses = {
      asl20 = "Apache-2.0";
      llvm-exception = "LLVM-exception";
    };
    platforms.unix = [ "x86_64-linux" ];
  };
  rustPlatform.buildRustPackage = arguments: arguments // { cargoLock = builtins.pathExists arguments.cargoLock.lockFile; };
  mkShell = arguments: arguments;
  cargo = program "cargo";
  clippy = program "clippy";
  cmake = program "cmake";
  python3 = program "python3";
  rustc = program "rustc";
  rustfmt = program "rustfmt";
  llvmPackages_19 = llvm "19.1.7";
  llvmPackages_22 = llvm "22.1.8";
}
