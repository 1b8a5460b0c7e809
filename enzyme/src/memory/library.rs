//! What known library functions do to memory.
//!
//! A table by name, with one letter for each argument (a `*` repeats the last):
//!
//! | letter | the callee |
//! |---|---|
//! | `-` | does not look at what it points to |
//! | `r` | reads what it points to |
//! | `w` | writes what it points to, but no pointers |
//! | `m` | reads and writes what it points to, but writes no pointers |
//! | `v` | writes the other arguments there |
//! | `p` | reads it, and writes pointers there: into what the other arguments point to, or to anything elsewhere |
//! | `n` | puts the address of new memory there |
//! | `f` | reads what it points to, and copies it … |
//! | `x` | as `f`, and frees it afterwards |
//! | `t` | … to what this one points to, or else to the new memory that is returned |
//! | `l` | takes this number for the bytes behind `w`, `f` and `t` that it touches at most |
//! | `c` | may do anything with it, and may keep it |
//!
//! None of them keeps an argument but with `c`; none touches other memory that the program can name, but for `errno`.
//! Like any knowledge by name it is about declarations: a program may define its own `malloc`.

use crate::rules::{self, Abi, Dialect};

/// What a known library function does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Library {
    letters: &'static str,
    /// What it returns.
    pub(super) returned: Returned,
    /// Whether it reads or writes memory that the program cannot name, or `errno`.
    pub(super) state: State,
}

/// What a known library function does with one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Handling {
    /// Nothing (`-`).
    Ignore,
    /// Reads what it points to (`r`).
    Read,
    /// Writes numbers there (`w`).
    Write,
    /// Reads and writes numbers there (`m`).
    ReadWrite,
    /// Writes the other arguments there (`v`).
    WriteOthers,
    /// Writes pointers there (`p`).
    WritePointers,
    /// Writes the address of new memory there (`n`).
    WriteNew,
    /// Copies from there (`f`).
    CopyFrom,
    /// Copies from there, and frees it (`x`).
    MoveFrom,
    /// How many bytes it touches at most (`l`).
    Length,
    /// Copies to there (`t`).
    CopyTo,
    /// Anything (`c`).
    Keep,
}

/// What a known library function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Returned {
    /// No pointer.
    Number,
    /// A pointer to memory of the library's.
    Elsewhere,
    /// The address of `errno`.
    ErrorNumber,
    /// New memory without pointers in it, of this size.
    New(Size),
    /// New memory with pointers of the library's in it.
    NewObject,
    /// New memory if the flags in argument 3 say that it is private and anonymous, else memory of the library's: `mmap`.
    NewMapping,
    /// This argument.
    Argument(usize),
    /// A pointer into what this argument points to.
    Within(usize),
    /// What it reads, or any argument: a load under a mask.
    Loaded,
    /// Something made of all arguments.
    Mixture,
}

/// The size of new memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// The value of this argument.
    Argument(usize),
    /// The product of two.
    Product(usize, usize),
    /// Not told.
    Unknown,
}

/// What a function does besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing.
    Pure,
    /// It may set `errno`.
    SetsErrorNumber,
    /// It reads or writes memory that the program cannot name, and may set `errno`.
    Hidden,
}

impl Library {
    /// What is done with an argument.
    pub(super) fn handling(&self, index: usize) -> Handling {
        let letters = self.letters.as_bytes();
        let letter = match letters.split_last() {
            Some((b'*', rest)) => rest.get(index).or(rest.last()),
            _ => letters.get(index),
        };
        letter.and_then(|letter| handling(*letter)).unwrap_or(Handling::Keep)
    }
}

const fn handling(letter: u8) -> Option<Handling> {
    Some(match letter {
        b'-' => Handling::Ignore,
        b'r' => Handling::Read,
        b'w' => Handling::Write,
        b'm' => Handling::ReadWrite,
        b'v' => Handling::WriteOthers,
        b'p' => Handling::WritePointers,
        b'n' => Handling::WriteNew,
        b'f' => Handling::CopyFrom,
        b'x' => Handling::MoveFrom,
        b'l' => Handling::Length,
        b't' => Handling::CopyTo,
        b'c' => Handling::Keep,
        _ => return None,
    })
}

/// What a function of this name does, if it is known and has no body in the program.
pub(super) fn lookup(name: &str) -> Option<Library> {
    if let Some(intrinsic) = name.strip_prefix("llvm.") {
        return intrinsic_prefixes(intrinsic)
            .find_map(|prefix| find(&INTRINSICS, prefix))
            .or_else(|| mathematics(name));
    }
    let bare = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_")).unwrap_or(name);
    find(&NAMES, bare).or_else(|| mathematics(name))
}

/// An intrinsic's name without more and more of its type suffixes: `memcpy.p0.p0.i64`, `memcpy.p0.p0` … `memcpy`.
fn intrinsic_prefixes(name: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(name), |name| name.rsplit_once('.').map(|(front, _)| front))
}

/// Functions of the rules' table compute numbers: they touch at most what pointers they are given, and `errno`.
fn mathematics(name: &str) -> Option<Library> {
    let named = rules::names::lookup(name)?;
    let letters = match named.abi {
        Abi::Value | Abi::Aggregate | Abi::LowestElement => "-*",
        Abi::FirstReturned | Abi::AllStored => "w*",
        Abi::Complex => "m*",
        Abi::ByReference => "r*",
    };
    let state = match named.dialect {
        Dialect::Libm | Dialect::Runtime => State::SetsErrorNumber,
        Dialect::Llvm | Dialect::Libdevice | Dialect::Ocml => State::Pure,
    };
    Some(Library { letters, returned: Returned::Number, state })
}

type Entry = (&'static str, &'static str, Returned, State);

fn find(table: &[Entry], name: &str) -> Option<Library> {
    table.binary_search_by(|entry| entry.0.cmp(name)).ok().map(|index| library(&table[index]))
}

fn library(&(_, letters, returned, state): &Entry) -> Library {
    Library { letters, returned, state }
}

use Returned::{
    Argument, Elsewhere, ErrorNumber, Loaded, Mixture, New, NewMapping, NewObject, Number, Within,
};
use State::{Hidden, Pure, SetsErrorNumber};

/// Whole names, in order; `operator new` and `operator delete` by Itanium's and Microsoft's mangling.
#[rustfmt::skip]
const NAMES: [Entry; 252] = [
    ("??2@YAPAXI@Z", "-*", New(Size::Argument(0)), Hidden),
    ("??2@YAPEAX_K@Z", "-*", New(Size::Argument(0)), Hidden),
    ("??2@YAPEAX_KAEBUnothrow_t@std@@@Z", "-*", New(Size::Argument(0)), Hidden),
    ("??2@YAPEAX_KW4align_val_t@std@@@Z", "-*", New(Size::Argument(0)), Hidden),
    ("??3@YAXPAX@Z", "w-*", Number, Hidden),
    ("??3@YAXPEAX@Z", "w-*", Number, Hidden),
    ("??3@YAXPEAXW4align_val_t@std@@@Z", "w-*", Number, Hidden),
    ("??3@YAXPEAX_K@Z", "w-*", Number, Hidden),
    ("??3@YAXPEAX_KW4align_val_t@std@@@Z", "w-*", Number, Hidden),
    ("??_U@YAPAXI@Z", "-*", New(Size::Argument(0)), Hidden),
    ("??_U@YAPEAX_K@Z", "-*", New(Size::Argument(0)), Hidden),
    ("??_U@YAPEAX_KAEBUnothrow_t@std@@@Z", "-*", New(Size::Argument(0)), Hidden),
    ("??_U@YAPEAX_KW4align_val_t@std@@@Z", "-*", New(Size::Argument(0)), Hidden),
    ("??_V@YAXPAX@Z", "w-*", Number, Hidden),
    ("??_V@YAXPEAX@Z", "w-*", Number, Hidden),
    ("??_V@YAXPEAXW4align_val_t@std@@@Z", "w-*", Number, Hidden),
    ("??_V@YAXPEAX_K@Z", "w-*", Number, Hidden),
    ("??_V@YAXPEAX_KW4align_val_t@std@@@Z", "w-*", Number, Hidden),
    ("_ZdaPv", "w-*", Number, Hidden),
    ("_ZdaPvRKSt9nothrow_t", "w-*", Number, Hidden),
    ("_ZdaPvSt11align_val_t", "w-*", Number, Hidden),
    ("_ZdaPvSt11align_val_tRKSt9nothrow_t", "w-*", Number, Hidden),
    ("_ZdaPvj", "w-*", Number, Hidden),
    ("_ZdaPvjSt11align_val_t", "w-*", Number, Hidden),
    ("_ZdaPvm", "w-*", Number, Hidden),
    ("_ZdaPvmSt11align_val_t", "w-*", Number, Hidden),
    ("_ZdlPv", "w-*", Number, Hidden),
    ("_ZdlPvRKSt9nothrow_t", "w-*", Number, Hidden),
    ("_ZdlPvSt11align_val_t", "w-*", Number, Hidden),
    ("_ZdlPvSt11align_val_tRKSt9nothrow_t", "w-*", Number, Hidden),
    ("_ZdlPvj", "w-*", Number, Hidden),
    ("_ZdlPvjSt11align_val_t", "w-*", Number, Hidden),
    ("_ZdlPvm", "w-*", Number, Hidden),
    ("_ZdlPvmSt11align_val_t", "w-*", Number, Hidden),
    ("_Znaj", "-*", New(Size::Argument(0)), Hidden),
    ("_Znaj12__hot_cold_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnajPv", "--", Argument(1), Pure),
    ("_ZnajRKSt9nothrow_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnajRKSt9nothrow_t12__hot_cold_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnajSt11align_val_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnajSt11align_val_t12__hot_cold_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnajSt11align_val_tRKSt9nothrow_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnajSt11align_val_tRKSt9nothrow_t12__hot_cold_t", "-*", New(Size::Argument(0)), Hidden),
    ("_Znam", "-*", New(Size::Argument(0)), Hidden),
    ("_Znam12__hot_cold_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnamPv", "--", Argument(1), Pure),
    ("_ZnamRKSt9nothrow_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnamRKSt9nothrow_t12__hot_cold_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnamSt11align_val_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnamSt11align_val_t12__hot_cold_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnamSt11align_val_tRKSt9nothrow_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnamSt11align_val_tRKSt9nothrow_t12__hot_cold_t", "-*", New(Size::Argument(0)), Hidden),
    ("_Znwj", "-*", New(Size::Argument(0)), Hidden),
    ("_Znwj12__hot_cold_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnwjPv", "--", Argument(1), Pure),
    ("_ZnwjRKSt9nothrow_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnwjRKSt9nothrow_t12__hot_cold_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnwjSt11align_val_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnwjSt11align_val_t12__hot_cold_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnwjSt11align_val_tRKSt9nothrow_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnwjSt11align_val_tRKSt9nothrow_t12__hot_cold_t", "-*", New(Size::Argument(0)), Hidden),
    ("_Znwm", "-*", New(Size::Argument(0)), Hidden),
    ("_Znwm12__hot_cold_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnwmPv", "--", Argument(1), Pure),
    ("_ZnwmRKSt9nothrow_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnwmRKSt9nothrow_t12__hot_cold_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnwmSt11align_val_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnwmSt11align_val_t12__hot_cold_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnwmSt11align_val_tRKSt9nothrow_t", "-*", New(Size::Argument(0)), Hidden),
    ("_ZnwmSt11align_val_tRKSt9nothrow_t12__hot_cold_t", "-*", New(Size::Argument(0)), Hidden),
    ("__assert_fail", "r*", Number, Hidden),
    ("__assert_rtn", "r*", Number, Hidden),
    ("__ctype_b_loc", "", Elsewhere, Pure),
    ("__ctype_tolower_loc", "", Elsewhere, Pure),
    ("__ctype_toupper_loc", "", Elsewhere, Pure),
    ("__cxa_allocate_exception", "-", New(Size::Argument(0)), Hidden),
    ("__cxa_begin_catch", "c", Elsewhere, Hidden),
    ("__cxa_end_catch", "", Number, Hidden),
    ("__cxa_free_exception", "w", Number, Hidden),
    ("__cxa_guard_abort", "m", Number, Hidden),
    ("__cxa_guard_acquire", "m", Number, Hidden),
    ("__cxa_guard_release", "m", Number, Hidden),
    ("__errno_location", "", ErrorNumber, Pure),
    ("__error", "", ErrorNumber, Pure),
    ("__fprintf_chk", "m-r*", Number, Hidden),
    ("__kmpc_alloc_shared", "-", New(Size::Argument(0)), Hidden),
    ("__memcpy_chk", "tfl-", Argument(0), Pure),
    ("__memmove_chk", "tfl-", Argument(0), Pure),
    ("__memset_chk", "w-l-", Argument(0), Pure),
    ("__printf_chk", "-r*", Number, Hidden),
    ("__rust_alloc", "--", New(Size::Argument(0)), Hidden),
    ("__rust_alloc_zeroed", "--", New(Size::Argument(0)), Hidden),
    ("__rust_dealloc", "w--", Number, Hidden),
    ("__rust_no_alloc_shim_is_unstable_v2", "", Number, Hidden),
    ("__rust_realloc", "x---", New(Size::Argument(3)), Hidden),
    ("__snprintf_chk", "w---r*", Number, Hidden),
    ("__sprintf_chk", "w--r*", Number, Hidden),
    ("__stack_chk_fail", "", Number, Hidden),
    ("__strcat_chk", "mr-", Argument(0), Pure),
    ("__strcpy_chk", "wr-", Argument(0), Pure),
    ("__strncpy_chk", "wr--", Argument(0), Pure),
    ("_exit", "-", Number, Hidden),
    ("_mlir_memref_to_llvm_alloc", "-", New(Size::Argument(0)), Hidden),
    ("_mlir_memref_to_llvm_free", "w", Number, Hidden),
    ("abort", "", Number, Hidden),
    ("abs", "-", Number, Pure),
    ("access", "r-", Number, Hidden),
    ("aligned_alloc", "--", New(Size::Argument(1)), Hidden),
    ("asprintf", "nr*", Number, Hidden),
    ("atof", "r", Number, SetsErrorNumber),
    ("atoi", "r", Number, SetsErrorNumber),
    ("atol", "r", Number, SetsErrorNumber),
    ("atoll", "r", Number, SetsErrorNumber),
    ("bcmp", "rr-", Number, Pure),
    ("bcopy", "ftl", Number, Pure),
    ("bzero", "wl", Number, Pure),
    ("calloc", "--", New(Size::Product(0, 1)), Hidden),
    ("cfree", "w", Number, Hidden),
    ("clearerr", "m", Number, Hidden),
    ("clock", "", Number, Hidden),
    ("clock_gettime", "-w", Number, Hidden),
    ("close", "-", Number, Hidden),
    ("cudaDeviceSynchronize", "", Number, Hidden),
    ("cudaFree", "w", Number, Hidden),
    ("cudaFreeHost", "w", Number, Hidden),
    ("cudaMalloc", "n-", Number, Hidden),
    ("cudaMallocHost", "n-", Number, Hidden),
    ("cudaMallocManaged", "n--", Number, Hidden),
    ("cudaMemcpy", "tfl-", Number, Hidden),
    ("cudaMemset", "w-l", Number, Hidden),
    ("difftime", "--", Number, Pure),
    ("div", "--", Number, Pure),
    ("exit", "-", Number, Hidden),
    ("fclose", "m", Number, Hidden),
    ("feclearexcept", "-", Number, Hidden),
    ("fegetround", "", Number, Hidden),
    ("feof", "r", Number, Hidden),
    ("feraiseexcept", "-", Number, Hidden),
    ("ferror", "r", Number, Hidden),
    ("fesetround", "-", Number, Hidden),
    ("fetestexcept", "-", Number, Hidden),
    ("fflush", "m", Number, Hidden),
    ("fgetc", "m", Number, Hidden),
    ("fgets", "w-m", Argument(0), Hidden),
    ("fileno", "r", Number, Hidden),
    ("fopen", "rr", Elsewhere, Hidden),
    ("fprintf", "mr*", Number, Hidden),
    ("fputc", "-m", Number, Hidden),
    ("fputs", "rm", Number, Hidden),
    ("fread", "w--m", Number, Hidden),
    ("free", "w", Number, Hidden),
    ("fscanf", "mrw*", Number, Hidden),
    ("fseek", "m--", Number, Hidden),
    ("ftell", "m", Number, Hidden),
    ("fwrite", "r--m", Number, Hidden),
    ("getc", "m", Number, Hidden),
    ("getchar", "", Number, Hidden),
    ("getenv", "r", Elsewhere, Hidden),
    ("getpid", "", Number, Hidden),
    ("gettimeofday", "ww", Number, Hidden),
    ("ijl_gc_alloc_typed", "--c", NewObject, Hidden),
    ("isalnum", "-", Number, Pure),
    ("isalpha", "-", Number, Pure),
    ("isdigit", "-", Number, Pure),
    ("isprint", "-", Number, Pure),
    ("isspace", "-", Number, Pure),
    ("jl_gc_alloc_typed", "--c", NewObject, Hidden),
    ("labs", "-", Number, Pure),
    ("llabs", "-", Number, Pure),
    ("lseek", "---", Number, Hidden),
    ("malloc", "-", New(Size::Argument(0)), Hidden),
    ("memalign", "--", New(Size::Argument(1)), Hidden),
    ("memccpy", "tf-l", Within(0), Pure),
    ("memchr", "r--", Within(0), Pure),
    ("memcmp", "rr-", Number, Pure),
    ("memcpy", "tfl", Argument(0), Pure),
    ("memmem", "r-r-", Within(0), Pure),
    ("memmove", "tfl", Argument(0), Pure),
    ("mempcpy", "tfl", Within(0), Pure),
    ("memrchr", "r--", Within(0), Pure),
    ("memset", "w-l", Argument(0), Pure),
    ("memset_pattern16", "wrl", Number, Pure),
    ("mmap", "------", NewMapping, Hidden),
    ("mmap64", "------", NewMapping, Hidden),
    ("munmap", "w-", Number, Hidden),
    ("nanosleep", "rw", Number, Hidden),
    ("omp_get_max_threads", "", Number, Hidden),
    ("omp_get_num_threads", "", Number, Hidden),
    ("omp_get_thread_num", "", Number, Hidden),
    ("omp_get_wtime", "", Number, Hidden),
    ("open", "r-*", Number, Hidden),
    ("perror", "r", Number, Hidden),
    ("posix_memalign", "n--", Number, Hidden),
    ("printf", "r*", Number, Hidden),
    ("putc", "-m", Number, Hidden),
    ("putchar", "-", Number, Hidden),
    ("puts", "r", Number, Hidden),
    ("pvalloc", "-", New(Size::Unknown), Hidden),
    ("rand", "", Number, Hidden),
    ("rand_r", "m", Number, Hidden),
    ("random", "", Number, Hidden),
    ("read", "-wl", Number, Hidden),
    ("realloc", "x-", New(Size::Argument(1)), Hidden),
    ("reallocarray", "x--", New(Size::Product(1, 2)), Hidden),
    ("reallocf", "x-", New(Size::Argument(1)), Hidden),
    ("remove", "r", Number, Hidden),
    ("rewind", "m", Number, Hidden),
    ("scanf", "rw*", Number, Hidden),
    ("sleep", "-", Number, Hidden),
    ("snprintf", "w-r*", Number, Hidden),
    ("sprintf", "wr*", Number, Hidden),
    ("srand", "-", Number, Hidden),
    ("sscanf", "rrw*", Number, Hidden),
    ("stpcpy", "wr", Within(0), Pure),
    ("strcasecmp", "rr", Number, Pure),
    ("strcat", "mr", Argument(0), Pure),
    ("strchr", "r-", Within(0), Pure),
    ("strcmp", "rr", Number, Pure),
    ("strcpy", "wr", Argument(0), Pure),
    ("strcspn", "rr", Number, Pure),
    ("strdup", "r", New(Size::Unknown), Hidden),
    ("strerror", "-", Elsewhere, Hidden),
    ("strlen", "r", Number, Pure),
    ("strncasecmp", "rr-", Number, Pure),
    ("strncat", "mr-", Argument(0), Pure),
    ("strncmp", "rr-", Number, Pure),
    ("strncpy", "wrl", Argument(0), Pure),
    ("strndup", "r-", New(Size::Unknown), Hidden),
    ("strnlen", "r-", Number, Pure),
    ("strpbrk", "rr", Within(0), Pure),
    ("strrchr", "r-", Within(0), Pure),
    ("strspn", "rr", Number, Pure),
    ("strstr", "rr", Within(0), Pure),
    ("strtod", "rp", Number, SetsErrorNumber),
    ("strtof", "rp", Number, SetsErrorNumber),
    ("strtol", "rp-", Number, SetsErrorNumber),
    ("strtold", "rp", Number, SetsErrorNumber),
    ("strtoll", "rp-", Number, SetsErrorNumber),
    ("strtoul", "rp-", Number, SetsErrorNumber),
    ("strtoull", "rp-", Number, SetsErrorNumber),
    ("swift_allocObject", "c--", NewObject, Hidden),
    ("swift_deallocObject", "w--", Number, Hidden),
    ("swift_slowAlloc", "--", New(Size::Argument(0)), Hidden),
    ("swift_slowDealloc", "w--", Number, Hidden),
    ("time", "w", Number, Hidden),
    ("tolower", "-", Number, Pure),
    ("toupper", "-", Number, Pure),
    ("usleep", "-", Number, Hidden),
    ("valloc", "-", New(Size::Argument(0)), Hidden),
    ("vasprintf", "nrm", Number, Hidden),
    ("wcslen", "r", Number, Pure),
    ("write", "-r-", Number, Hidden),
];

/// Intrinsics without `llvm.` and type suffixes, in order. What is left out is known by its attributes.
#[rustfmt::skip]
const INTRINSICS: [Entry; 77] = [
    ("abs", "-*", Mixture, Pure),
    ("annotation", "-r*", Argument(0), Pure),
    ("assume", "-*", Number, Pure),
    ("bitreverse", "-", Mixture, Pure),
    ("bswap", "-", Mixture, Pure),
    ("coro.size", "", Number, Pure),
    ("ctlz", "-*", Number, Pure),
    ("ctpop", "-", Number, Pure),
    ("cttz", "-*", Number, Pure),
    ("dbg.assign", "-*", Number, Pure),
    ("dbg.declare", "-*", Number, Pure),
    ("dbg.label", "-*", Number, Pure),
    ("dbg.value", "-*", Number, Pure),
    ("debugtrap", "", Number, Hidden),
    ("donothing", "", Number, Pure),
    ("eh.typeid.for", "-", Number, Pure),
    ("expect", "-*", Argument(0), Pure),
    ("experimental.noalias.scope.decl", "-*", Number, Pure),
    ("fshl", "-*", Mixture, Pure),
    ("fshr", "-*", Mixture, Pure),
    ("invariant.end", "---", Number, Pure),
    ("invariant.start", "--", Elsewhere, Pure),
    ("is.constant", "-", Number, Pure),
    ("launder.invariant.group", "-", Argument(0), Pure),
    ("lifetime.end", "w*", Number, Pure),
    ("lifetime.start", "w*", Number, Pure),
    ("load.relative", "r-", Elsewhere, Pure),
    ("masked.compressstore", "-v-", Number, Pure),
    ("masked.expandload", "r--", Loaded, Pure),
    ("masked.gather", "r-*", Loaded, Pure),
    ("masked.load", "r-*", Loaded, Pure),
    ("masked.scatter", "-v-*", Number, Pure),
    ("masked.store", "-v-*", Number, Pure),
    ("memcpy", "tfl-", Number, Pure),
    ("memcpy.element.unordered.atomic", "tfl-", Number, Pure),
    ("memcpy.inline", "tfl-", Number, Pure),
    ("memmove", "tfl-", Number, Pure),
    ("memmove.element.unordered.atomic", "tfl-", Number, Pure),
    ("memset", "w-l-", Number, Pure),
    ("memset.inline", "w-l-", Number, Pure),
    ("objectsize", "-*", Number, Pure),
    ("pcmarker", "-", Number, Hidden),
    ("prefetch", "-*", Number, Pure),
    ("pseudoprobe", "-*", Number, Pure),
    ("ptr.annotation", "-r*", Argument(0), Pure),
    ("ptrmask", "--", Within(0), Pure),
    ("readcyclecounter", "", Number, Hidden),
    ("sadd.sat", "--", Mixture, Pure),
    ("sadd.with.overflow", "--", Mixture, Pure),
    ("sideeffect", "", Number, Hidden),
    ("smax", "--", Mixture, Pure),
    ("smin", "--", Mixture, Pure),
    ("smul.with.overflow", "--", Mixture, Pure),
    ("ssub.sat", "--", Mixture, Pure),
    ("ssub.with.overflow", "--", Mixture, Pure),
    ("stackrestore", "-", Number, Hidden),
    ("stacksave", "", Elsewhere, Hidden),
    ("strip.invariant.group", "-", Argument(0), Pure),
    ("threadlocal.address", "-", Argument(0), Pure),
    ("trap", "", Number, Hidden),
    ("uadd.sat", "--", Mixture, Pure),
    ("uadd.with.overflow", "--", Mixture, Pure),
    ("ubsantrap", "-", Number, Hidden),
    ("umax", "--", Mixture, Pure),
    ("umin", "--", Mixture, Pure),
    ("umul.with.overflow", "--", Mixture, Pure),
    ("usub.sat", "--", Mixture, Pure),
    ("usub.with.overflow", "--", Mixture, Pure),
    ("va_copy", "tf", Number, Pure),
    ("va_end", "w", Number, Pure),
    ("va_start", "p", Number, Pure),
    ("var.annotation", "-r*", Number, Pure),
    ("vector.extract", "--", Mixture, Pure),
    ("vector.insert", "---", Mixture, Pure),
    ("vector.reverse", "-", Mixture, Pure),
    ("vector.splice", "---", Mixture, Pure),
    ("vscale", "", Number, Pure),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_in_order_and_the_letters_are_known() {
        for table in [&NAMES[..], &INTRINSICS[..]] {
            assert!(table.is_sorted_by(|one, next| one.0 < next.0));
            for (name, letters, ..) in table {
                let letters = letters.strip_suffix('*').unwrap_or(letters);
                assert!(letters.bytes().all(|letter| handling(letter).is_some()), "{name}: {letters}");
            }
        }
    }

    #[test]
    fn letters_go_with_arguments() {
        let handlings = |name: &str, count: usize| -> Vec<Handling> {
            let library = lookup(name).unwrap_or_else(|| panic!("{name} is known"));
            (0..count).map(|index| library.handling(index)).collect()
        };
        use Handling::{CopyFrom, CopyTo, Ignore, Keep, Length, Read, Write};
        assert_eq!(handlings("memcpy", 3), [CopyTo, CopyFrom, Length]);
        assert_eq!(handlings("llvm.memcpy.p0.p1.i64", 4), [CopyTo, CopyFrom, Length, Ignore]);
        assert_eq!(handlings("printf", 3), [Read, Read, Read]);
        assert_eq!(handlings("__isoc99_sscanf", 4), [Read, Read, Write, Write]);
        assert_eq!(handlings("strlen", 2), [Read, Keep], "an argument too many is not what is meant");
        assert_eq!(handlings("sin", 1), [Ignore]);
        assert_eq!(handlings("frexp", 2)[1], Write);
    }

    #[test]
    fn names_are_found_as_they_are_spelled() {
        assert_eq!(lookup("_Znwm").map(|library| library.returned), Some(New(Size::Argument(0))));
        assert_eq!(lookup("_ZnwmPv").map(|library| library.returned), Some(Argument(1)));
        assert_eq!(lookup("_ZnwmR5Arena"), None, "a program's own allocator");
        assert_eq!(lookup("malloc_usable"), None);
        assert_eq!(lookup("llvm.coro.begin"), None);
        assert_eq!(lookup("llvm.sin.f64").map(|library| library.state), Some(State::Pure));
        assert_eq!(lookup("sin").map(|library| library.state), Some(State::SetsErrorNumber));
    }
}
