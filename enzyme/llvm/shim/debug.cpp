// What the reader asks about debug information: which variable lives at which address, and what type it has.

#include "shim.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#if LLVM_VERSION_MAJOR >= 19
#include "llvm/IR/DebugProgramInstruction.h"
#endif

using namespace llvm;

namespace {

EnzymeText text(StringRef Text) { return {Text.data(), Text.size()}; }

// Given each declaration: the address, and the variable that lives there.
using DeclarationVisitor = void (*)(void *State, LLVMValueRef Address,
                                    LLVMMetadataRef Variable);
// Given each member: its name, where it begins in bits, its type.
using MemberVisitor = void (*)(void *State, EnzymeText Name, uint64_t Offset,
                               LLVMMetadataRef Type);
// Given the number of elements of each dimension; -1 when it is not a constant.
using CountVisitor = void (*)(void *State, int64_t Count);

template <typename Declaration>
void visitDeclaration(const Declaration &D, DeclarationVisitor Visit,
                      void *State) {
  Value *Address = D.getAddress();
  // Only of an empty expression is it plain that the variable lies at the address.
  if (Address && D.getVariable() && D.getExpression() &&
      D.getExpression()->getNumElements() == 0)
    Visit(State, wrap(Address), wrap(D.getVariable()));
}

// DWARF's number of the language; 0 when none is told.
unsigned languageOf(const DICompileUnit &Unit) {
#if LLVM_VERSION_MAJOR >= 22
  DISourceLanguageName Name = Unit.getSourceLanguage();
  if (Name.hasVersionedName())
    return dwarf::toDW_LANG(
               static_cast<dwarf::SourceLanguageName>(Name.getName()),
               Name.getVersion())
        .value_or(dwarf::SourceLanguage(0));
  return Name.getName();
#else
  return Unit.getSourceLanguage();
#endif
}

int64_t countOf(const DISubrange &Range) {
  auto constant = [](DISubrange::BoundType Bound) -> const ConstantInt * {
    return Bound && isa<ConstantInt *>(Bound) ? cast<ConstantInt *>(Bound)
                                              : nullptr;
  };
  if (const ConstantInt *Count = constant(Range.getCount()))
    return Count->getSExtValue();
  const ConstantInt *Lower = constant(Range.getLowerBound());
  const ConstantInt *Upper = constant(Range.getUpperBound());
  if (!Lower || !Upper || Upper->getSExtValue() < Lower->getSExtValue())
    return -1;
  return Upper->getSExtValue() - Lower->getSExtValue() + 1;
}

} // namespace

// Every variable that is said to live at an address, in the order of the text.
ENZYME_SHIM void enzyme_VisitDebugDeclarations(LLVMValueRef Raw,
                                               DeclarationVisitor Visit,
                                               void *State) {
  for (Instruction &I : instructions(unwrap<Function>(Raw))) {
#if LLVM_VERSION_MAJOR >= 19
    for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange()))
      if (Record.isDbgDeclare())
        visitDeclaration(Record, Visit, State);
#endif
    if (auto *Call = dyn_cast<DbgDeclareInst>(&I))
      visitDeclaration(*Call, Visit, State);
  }
}

// What there is to know of a variable; mirrored in Rust.
struct EnzymeDebugVariable {
  EnzymeText Name;
  // Null when it is not told.
  LLVMMetadataRef Type;
  LLVMMetadataRef Scope;
  unsigned Line;
  // DWARF's number; 0 when none is told.
  unsigned Language;
};

ENZYME_SHIM EnzymeDebugVariable enzyme_GetDebugVariable(LLVMMetadataRef Raw) {
  auto *Variable = unwrap<DILocalVariable>(Raw);
  DISubprogram *Subprogram = Variable->getScope()->getSubprogram();
  DICompileUnit *Unit = Subprogram ? Subprogram->getUnit() : nullptr;
  return {text(Variable->getName()), wrap(Variable->getType()),
          wrap(Variable->getScope()), Variable->getLine(),
          Unit ? languageOf(*Unit) : 0};
}

// What there is to know of a type but its parts; mirrored in Rust.
struct EnzymeDebugType {
  EnzymeText Name;
  uint64_t Bits;
  uint32_t Alignment;
  // DWARF's numbers; the encoding is that of a basic type.
  unsigned Tag;
  unsigned Encoding;
  // What it points to, is another name for, or holds; null when there is none.
  LLVMMetadataRef Base;
};

ENZYME_SHIM EnzymeDebugType enzyme_GetDebugType(LLVMMetadataRef Raw) {
  auto *Type = unwrap<DIType>(Raw);
  EnzymeDebugType Result = {text(Type->getName()),
                            Type->getSizeInBits(),
                            Type->getAlignInBits(),
                            Type->getTag(),
                            0,
                            nullptr};
  if (auto *Basic = dyn_cast<DIBasicType>(Type))
    Result.Encoding = Basic->getEncoding();
  else if (auto *Derived = dyn_cast<DIDerivedType>(Type))
    Result.Base = wrap(Derived->getBaseType());
  else if (auto *Composite = dyn_cast<DICompositeType>(Type))
    Result.Base = wrap(Composite->getBaseType());
  return Result;
}

// The members that lie in an object of the type, its bases among them.
ENZYME_SHIM void enzyme_VisitDebugMembers(LLVMMetadataRef Raw,
                                          MemberVisitor Visit, void *State) {
  auto *Composite = unwrap<DICompositeType>(Raw);
  for (DINode *Element : Composite->getElements()) {
    // What tells the variants of a Rust `enum` apart lies among the members, at no offset of its own.
    if (auto *Part = dyn_cast_or_null<DICompositeType>(Element))
      if (Part->getTag() == dwarf::DW_TAG_variant_part)
        Visit(State, text(Part->getName()), 0, wrap(Part));
    auto *Member = dyn_cast_or_null<DIDerivedType>(Element);
    if (!Member || !Member->getBaseType() || Member->isStaticMember())
      continue;
    bool Base = Member->getTag() == dwarf::DW_TAG_inheritance;
    // Where a virtual base lies is found out when the program runs.
    if (Base && Member->isVirtual())
      continue;
    if (Base || Member->getTag() == dwarf::DW_TAG_member)
      Visit(State, text(Member->getName()), Member->getOffsetInBits(),
            wrap(Member->getBaseType()));
  }
}

// Where it is written which variant is meant; nothing is visited when that is not told.
ENZYME_SHIM void enzyme_VisitDebugDiscriminant(LLVMMetadataRef Raw,
                                               MemberVisitor Visit,
                                               void *State) {
  DIDerivedType *Member = unwrap<DICompositeType>(Raw)->getDiscriminator();
  if (Member && Member->getBaseType())
    Visit(State, text(Member->getName()), Member->getOffsetInBits(),
          wrap(Member->getBaseType()));
}

ENZYME_SHIM void enzyme_VisitDebugCounts(LLVMMetadataRef Raw,
                                         CountVisitor Visit, void *State) {
  for (DINode *Element : unwrap<DICompositeType>(Raw)->getElements()) {
    auto *Range = dyn_cast_or_null<DISubrange>(Element);
    Visit(State, Range ? countOf(*Range) : -1);
  }
}
