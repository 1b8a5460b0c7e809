// What the attributes say of functions and variables that a file only declares.

#include "plugin.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/Expr.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"

#include <memory>
#include <string>

using namespace clang;

namespace {

// The variable's name, as the passes look for it.
constexpr llvm::StringLiteral VariableName = "__enzyme_attributes_by_name";

// What annotations begin with that the passes read.
constexpr llvm::StringLiteral Prefix = "enzyme_";

// Collects, line after line, the text of an annotation and the name in the module of what it is said of.
class Collector : public RecursiveASTVisitor<Collector> {
public:
  explicit Collector(ASTContext &Context) : Mangler(Context.createMangleContext()) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitFunctionDecl(FunctionDecl *Function) {
    // A guide is no function, and the name of a kernel belongs to two functions.
    if (isa<CXXDeductionGuideDecl>(Function) || Function->hasAttr<CUDAGlobalAttr>() || !isAnnotated(Function))
      return true;
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Function)) {
      add(Function, GlobalDecl(Constructor, Ctor_Complete));
      add(Function, GlobalDecl(Constructor, Ctor_Base));
    } else if (const auto *Destructor = dyn_cast<CXXDestructorDecl>(Function)) {
      add(Function, GlobalDecl(Destructor, Dtor_Deleting));
      add(Function, GlobalDecl(Destructor, Dtor_Complete));
      add(Function, GlobalDecl(Destructor, Dtor_Base));
    } else {
      add(Function, GlobalDecl(Function));
    }
    return true;
  }

  bool VisitVarDecl(VarDecl *Variable) {
    if (Variable->hasGlobalStorage() && isAnnotated(Variable))
      add(Variable, GlobalDecl(Variable));
    return true;
  }

  const std::string &text() const { return Text; }

private:
  // What other files cannot see is defined here, so that clang lists it; when files are linked before they are
  // differentiated its name may be another's.
  static bool isAnnotated(const NamedDecl *D) {
    return D->hasAttr<AnnotateAttr>() && !D->isTemplated() && !D->isInvalidDecl() && D->isExternallyVisible();
  }

  void add(const NamedDecl *D, GlobalDecl Mangled) {
    std::string Name;
    llvm::raw_string_ostream Stream(Name);
    if (Mangler->shouldMangleDeclName(D))
      Mangler->mangleName(Mangled, Stream);
    else
      Stream << D->getName();
    for (const auto *Annotation : D->specific_attrs<AnnotateAttr>()) {
      StringRef Said = Annotation->getAnnotation();
      // What has several lines is no name of a function, and would be read as several things.
      if (Said.substr(0, Prefix.size()) == Prefix && !Said.contains('\n'))
        Text += (Said + "\n" + Stream.str() + "\n").str();
    }
  }

  std::unique_ptr<MangleContext> Mangler;
  std::string Text;
};

bool generatesCode(const CompilerInstance &CI) {
  switch (CI.getFrontendOpts().ProgramAction) {
  case frontend::EmitAssembly:
  case frontend::EmitBC:
  case frontend::EmitLLVM:
  case frontend::EmitLLVMOnly:
  case frontend::EmitCodeGenOnly:
  case frontend::EmitObj:
    return true;
  default:
    return false;
  }
}

StringLiteral *literal(const ASTContext &Context, StringRef Text, QualType Type) {
#if LLVM_VERSION_MAJOR >= 18
  constexpr auto Kind = StringLiteralKind::Ordinary;
#else
  constexpr auto Kind = StringLiteral::Ordinary;
#endif
  auto *Literal = StringLiteral::Create(Context, Text, Kind, /*Pascal=*/false, Type, SourceLocation());
  // It is the value of an array here, not an array somewhere.
  Literal->setValueKind(VK_PRValue);
  return Literal;
}

} // namespace

void enzyme::declareAttributesByName(CompilerInstance &CI) {
  ASTContext &Context = CI.getASTContext();
  // What comes from a precompiled header or a module was read by another clang.
  if (!AttributeWasMet && !Context.getExternalSource())
    return;
  AttributeWasMet = false;
  if (!generatesCode(CI) || CI.getDiagnostics().hasErrorOccurred())
    return;
  Collector Collected(Context);
  Collected.TraverseDecl(Context.getTranslationUnitDecl());
  if (Collected.text().empty())
    return;
  QualType Type =
      Context.getStringLiteralArrayType(Context.CharTy.withConst(), Collected.text().size());
  auto *Variable =
      VarDecl::Create(Context, Context.getTranslationUnitDecl(), SourceLocation(), SourceLocation(),
                      &Context.Idents.get(VariableName), Type, /*TInfo=*/nullptr, SC_Static);
  Variable->setInit(literal(Context, Collected.text(), Type));
  Variable->addAttr(UsedAttr::CreateImplicit(Context));
  Variable->addAttr(NoDebugAttr::CreateImplicit(Context));
  if (Context.getLangOpts().CUDAIsDevice)
    Variable->addAttr(CUDADeviceAttr::CreateImplicit(Context));
  CI.getASTConsumer().HandleTopLevelDecl(DeclGroupRef(Variable));
}
