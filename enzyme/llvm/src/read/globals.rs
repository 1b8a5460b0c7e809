//! Reads global symbols.
//!
//! What a symbol holds (the contents of a variable, the target of an alias) may name any number of further
//! symbols. It is therefore not read where the symbol is met but afterwards, one symbol after the other.

use enzyme::model::{
    CallingConvention, DllStorage, Global, GlobalFunction, GlobalId, GlobalKind, GlobalTraits,
    GlobalVariable, HasBody, Linkage, Signature, ThreadLocalModel, UnnamedAddress, Visibility,
};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMModuleRef, LLVMValueRef};
use inkwell::llvm_sys::{
    LLVMDLLStorageClass, LLVMLinkage, LLVMThreadLocalMode, LLVMUnnamedAddr, LLVMVisibility,
};
use rustc_hash::FxHashMap;

use super::attributes::AttributeOwner;
use super::shim::{self, ValueClass};
use super::{ReadError, Reader};
use crate::ir::{Function, Value, llvm};

impl ValueClass {
    /// Whether this is a symbol of the module.
    pub(super) fn is_global(self) -> bool {
        matches!(self, Self::Variable | Self::Function | Self::Alias | Self::IndirectFunction)
    }
}

impl Reader {
    /// A symbol, without what it holds.
    pub(super) fn global(&mut self, raw: LLVMValueRef) -> Result<GlobalId, ReadError> {
        if let Some(known) = self.known_globals.get(&raw) {
            return Ok(*known);
        }
        let value_type = self.ty(llvm!(LLVMGlobalGetValueType(raw)))?;
        let kind = self.global_kind(raw, value_type)?;
        let global = Global {
            name: self.global_name(raw),
            value_type,
            linkage: linkage(raw),
            address_space: llvm!(LLVMGetPointerAddressSpace(LLVMTypeOf(raw))),
            traits: traits(raw),
            kind,
        };
        let id = self.function.context.globals.push(global);
        self.known_globals.insert(raw, id);
        self.hollow_globals.push_back((raw, id));
        Ok(id)
    }

    /// Reads what the symbols met so far hold, their metadata, and what the symbols met on the way hold.
    pub(super) fn fill_globals(&mut self) -> Result<(), ReadError> {
        while let Some((raw, id)) = self.hollow_globals.pop_front() {
            self.function.context.globals[id].traits.metadata = self.global_metadata(raw)?;
            match &self.function.context.globals[id].kind {
                GlobalKind::Variable(variable) if variable.initializer.is_some() => {
                    let contents = self.constant(llvm!(LLVMGetInitializer(raw)))?;
                    if let GlobalKind::Variable(variable) = &mut self.function.context.globals[id].kind {
                        variable.initializer = Some(contents);
                    }
                }
                GlobalKind::Alias { .. } => {
                    let target = self.constant(shim::indirect_symbol(raw))?;
                    self.function.context.globals[id].kind = GlobalKind::Alias { target };
                }
                GlobalKind::IndirectFunction { .. } => {
                    let resolver = self.constant(shim::indirect_symbol(raw))?;
                    self.function.context.globals[id].kind = GlobalKind::IndirectFunction { resolver };
                }
                GlobalKind::Variable(_) | GlobalKind::Function(_) => {}
            }
        }
        Ok(())
    }

    fn global_kind(
        &mut self,
        raw: LLVMValueRef,
        value_type: enzyme::model::TypeId,
    ) -> Result<GlobalKind, ReadError> {
        // Stands for what has not been read yet.
        let unread = self.function.context.undef(value_type);
        Ok(match shim::value_class(raw) {
            ValueClass::Function => {
                let body = if Function(raw).is_declaration() { HasBody::No } else { HasBody::Yes };
                GlobalKind::Function(GlobalFunction { signature: self.signature(raw)?, body })
            }
            ValueClass::Alias => GlobalKind::Alias { target: unread },
            ValueClass::IndirectFunction => GlobalKind::IndirectFunction { resolver: unread },
            _ => GlobalKind::Variable(GlobalVariable {
                is_constant: llvm!(LLVMIsGlobalConstant(raw)) != 0,
                initializer: Value(raw).initializer().map(|_| unread),
                externally_initialized: llvm!(LLVMIsExternallyInitialized(raw)) != 0,
                attributes: self.attributes(&shim::variable_attributes(raw))?,
            }),
        })
    }

    /// Calling convention and attributes of a function.
    pub(super) fn signature(&mut self, function: LLVMValueRef) -> Result<Signature, ReadError> {
        let owner = AttributeOwner::Function(function);
        Ok(Signature {
            calling_convention: CallingConvention(llvm!(LLVMGetFunctionCallConv(function))),
            attributes: self.own_attributes(owner)?,
            return_attributes: self.return_attributes(owner)?,
            parameter_attributes: self.parameter_attributes(owner, llvm!(LLVMCountParams(function)))?,
        })
    }

    /// The name of a symbol; those without have the number that LLVM prints, so that it is the same in all functions.
    fn global_name(&mut self, raw: LLVMValueRef) -> String {
        let name = Value(raw).name();
        if !name.is_empty() {
            return name;
        }
        let numbers =
            self.unnamed_globals.get_or_insert_with(|| number_unnamed(llvm!(LLVMGetGlobalParent(raw))));
        numbers.get(&raw).map_or_else(String::new, u32::to_string)
    }
}

/// The symbols of a module without a name, with the numbers that stand for one: variables, aliases, resolvers, functions.
fn number_unnamed(module: LLVMModuleRef) -> FxHashMap<LLVMValueRef, u32> {
    let present = |symbol: LLVMValueRef| (!symbol.is_null()).then_some(symbol);
    let follow = |first: LLVMValueRef, next: fn(LLVMValueRef) -> LLVMValueRef| {
        std::iter::successors(present(first), move |symbol| present(next(*symbol)))
    };
    let variables = follow(llvm!(LLVMGetFirstGlobal(module)), |symbol| llvm!(LLVMGetNextGlobal(symbol)));
    let aliases =
        follow(llvm!(LLVMGetFirstGlobalAlias(module)), |symbol| llvm!(LLVMGetNextGlobalAlias(symbol)));
    let resolvers =
        follow(llvm!(LLVMGetFirstGlobalIFunc(module)), |symbol| llvm!(LLVMGetNextGlobalIFunc(symbol)));
    let functions = follow(llvm!(LLVMGetFirstFunction(module)), |symbol| llvm!(LLVMGetNextFunction(symbol)));
    let all = variables.chain(aliases).chain(resolvers).chain(functions);
    all.filter(|symbol| Value(*symbol).name().is_empty()).zip(0..).collect()
}

/// How a symbol is linked.
pub(super) fn linkage(global: LLVMValueRef) -> Linkage {
    match llvm!(LLVMGetLinkage(global)) {
        LLVMLinkage::LLVMExternalLinkage
        | LLVMLinkage::LLVMDLLImportLinkage
        | LLVMLinkage::LLVMDLLExportLinkage
        | LLVMLinkage::LLVMGhostLinkage => Linkage::External,
        LLVMLinkage::LLVMAvailableExternallyLinkage => Linkage::AvailableExternally,
        LLVMLinkage::LLVMLinkOnceAnyLinkage => Linkage::LinkOnce,
        LLVMLinkage::LLVMLinkOnceODRLinkage | LLVMLinkage::LLVMLinkOnceODRAutoHideLinkage => {
            Linkage::LinkOnceOdr
        }
        LLVMLinkage::LLVMWeakAnyLinkage => Linkage::Weak,
        LLVMLinkage::LLVMWeakODRLinkage => Linkage::WeakOdr,
        LLVMLinkage::LLVMAppendingLinkage => Linkage::Appending,
        LLVMLinkage::LLVMInternalLinkage => Linkage::Internal,
        LLVMLinkage::LLVMPrivateLinkage
        | LLVMLinkage::LLVMLinkerPrivateLinkage
        | LLVMLinkage::LLVMLinkerPrivateWeakLinkage => Linkage::Private,
        LLVMLinkage::LLVMExternalWeakLinkage => Linkage::ExternalWeak,
        LLVMLinkage::LLVMCommonLinkage => Linkage::Common,
    }
}

/// What else is said of a symbol, without its metadata.
pub(super) fn traits(global: LLVMValueRef) -> GlobalTraits {
    let raw = shim::global_traits(global);
    GlobalTraits {
        visibility: match llvm!(LLVMGetVisibility(global)) {
            LLVMVisibility::LLVMDefaultVisibility => Visibility::Default,
            LLVMVisibility::LLVMHiddenVisibility => Visibility::Hidden,
            LLVMVisibility::LLVMProtectedVisibility => Visibility::Protected,
        },
        dll_storage: match llvm!(LLVMGetDLLStorageClass(global)) {
            LLVMDLLStorageClass::LLVMDefaultStorageClass => DllStorage::Default,
            LLVMDLLStorageClass::LLVMDLLImportStorageClass => DllStorage::Import,
            LLVMDLLStorageClass::LLVMDLLExportStorageClass => DllStorage::Export,
        },
        dso_local: raw.dso_local,
        thread_local: thread_local_model(global),
        unnamed_address: match llvm!(LLVMGetUnnamedAddress(global)) {
            LLVMUnnamedAddr::LLVMNoUnnamedAddr => UnnamedAddress::Significant,
            LLVMUnnamedAddr::LLVMLocalUnnamedAddr => UnnamedAddress::Local,
            LLVMUnnamedAddr::LLVMGlobalUnnamedAddr => UnnamedAddress::Global,
        },
        section: raw.section.to_option(),
        partition: raw.partition.to_option(),
        comdat: raw.comdat.to_option(),
        alignment: (raw.alignment != 0).then_some(raw.alignment),
        metadata: Vec::new(),
        others: Vec::new(),
    }
}

fn thread_local_model(global: LLVMValueRef) -> Option<ThreadLocalModel> {
    if !Value(global).is_global_variable() {
        return None;
    }
    match llvm!(LLVMGetThreadLocalMode(global)) {
        LLVMThreadLocalMode::LLVMNotThreadLocal => None,
        LLVMThreadLocalMode::LLVMGeneralDynamicTLSModel => Some(ThreadLocalModel::GeneralDynamic),
        LLVMThreadLocalMode::LLVMLocalDynamicTLSModel => Some(ThreadLocalModel::LocalDynamic),
        LLVMThreadLocalMode::LLVMInitialExecTLSModel => Some(ThreadLocalModel::InitialExec),
        LLVMThreadLocalMode::LLVMLocalExecTLSModel => Some(ThreadLocalModel::LocalExec),
    }
}
