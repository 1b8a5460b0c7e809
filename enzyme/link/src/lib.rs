//! Links a binary against the LLVM that EnzymeRS was built for.
//!
//! Holds no code: its build script names the library. A binary (or test) says `use enzyme_link as _;`; the
//! plugin must not, since it takes LLVM's symbols from its host. The build script hands the folder of the
//! library to the build scripts of its dependents as `DEP_LLVM_LIBDIR`, for their `-rpath`.
