// The attributes. Each becomes an annotation, which clang lowers, and which the passes read.

#include "plugin.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"

#include <string>

using namespace clang;

bool enzyme::AttributeWasMet = false;

namespace {

#if LLVM_VERSION_MAJOR >= 17
constexpr AttributeCommonInfo::Syntax InC23 = AttributeCommonInfo::AS_C23;
#else
constexpr AttributeCommonInfo::Syntax InC23 = AttributeCommonInfo::AS_C2x;
#endif

// What an attribute may be said of.
enum class Subject { Functions, FunctionsAndVariables };

// What follows its name.
enum class Argument { None, FunctionName };

struct Description {
  // `__attribute__((name))`, `[[name]]`; also the annotation.
  const char *Name;
  // `[[enzyme::name]]`, `[[clang::enzyme_name]]`.
  const char *InEnzyme, *InClang;
  Subject Of;
  Argument Takes;
  // Why it cannot be used, or null.
  const char *Refusal;
};

void error(Sema &S, SourceLocation Where, const llvm::Twine &What) {
  unsigned ID = S.getDiagnostics().getCustomDiagID(DiagnosticsEngine::Error, "%0");
  S.Diag(Where, ID) << What.str();
}

// The string literal that an attribute was given; empty, with an error, when it is none.
StringRef functionName(Sema &S, const ParsedAttr &Attr, const Description &Said) {
  const auto *Literal = Attr.getNumArgs() == 1 && Attr.isArgExpr(0)
                            ? dyn_cast<StringLiteral>(Attr.getArgAsExpr(0)->IgnoreParenCasts())
                            : nullptr;
  if (Literal && Literal->getCharByteWidth() == 1 && !Literal->getString().empty())
    return Literal->getString();
  if (LLVM_VERSION_MAJOR < 17 && Attr.getNumArgs() == 0 && Attr.isStandardAttributeSyntax())
    error(S, Attr.getLoc(),
          llvm::Twine("before version 17, clang passes on no arguments of attributes in brackets that a plugin "
                      "brings; write '__attribute__((") +
              Said.Name + "(\"log1p\")))'");
  else
    error(S, Attr.getLoc(),
          llvm::Twine("'") + Said.Name + "' takes the name of a function as a string literal, as in '" + Said.Name +
              "(\"log1p\")'");
  return {};
}

// The name of an attribute in the scope `enzyme` without the scope.
constexpr const char *bare(const char *InEnzyme) { return InEnzyme + sizeof("enzyme::") - 1; }

// Whether it is said without any scope what is ours only in the scope `enzyme`.
bool lacksScope(const ParsedAttr &Attr, const Description &Said) {
  return !Attr.hasScope() && Attr.getAttrName()->getName() == bare(Said.InEnzyme);
}

template <const Description &Said> class Attribute : public ParsedAttrInfo {
public:
  Attribute() {
    static constexpr Spelling Forms[] = {
        {AttributeCommonInfo::AS_GNU, Said.Name},
        {AttributeCommonInfo::AS_CXX11, Said.Name},
        {AttributeCommonInfo::AS_CXX11, Said.InEnzyme},
        {AttributeCommonInfo::AS_CXX11, Said.InClang},
        {InC23, Said.Name},
        {InC23, Said.InEnzyme},
        {InC23, Said.InClang},
        // Whether arguments are read depends on the name alone: clang does not ask for the scope then.
        {AttributeCommonInfo::AS_CXX11, bare(Said.InEnzyme)},
        {InC23, bare(Said.InEnzyme)},
    };
    Spellings = Forms;
    // That there is one is checked below, with a better message.
    OptArgs = Said.Takes == Argument::None ? 0 : 1;
  }

  bool diagAppertainsToDecl(Sema &S, const ParsedAttr &Attr, const Decl *D) const override {
    if (isa<FunctionDecl>(D) || lacksScope(Attr, Said))
      return true;
    const auto *Variable = dyn_cast<VarDecl>(D);
    if (Said.Of == Subject::FunctionsAndVariables && Variable && Variable->hasGlobalStorage())
      return true;
    const char *Subjects = Said.Of == Subject::Functions
                               ? "functions"
                               : "functions and variables that live as long as the program";
    error(S, Attr.getLoc(), llvm::Twine("'") + Said.Name + "' only applies to " + Subjects);
    return false;
  }

  AttrHandling handleDeclAttribute(Sema &S, Decl *D, const ParsedAttr &Attr) const override {
    if (lacksScope(Attr, Said)) {
      S.Diag(Attr.getLoc(), diag::warn_unknown_attribute_ignored) << Attr.getAttrName();
      return AttributeNotApplied;
    }
    if (Said.Refusal) {
      error(S, Attr.getLoc(), llvm::Twine("'") + Said.Name + "' cannot be used: " + Said.Refusal);
      return AttributeNotApplied;
    }
    std::string Text = Said.Name;
    if (Said.Takes == Argument::FunctionName) {
      StringRef Function = functionName(S, Attr, Said);
      if (Function.empty())
        return AttributeNotApplied;
      Text += "=" + Function.str();
    }
    D->addAttr(AnnotateAttr::CreateImplicit(S.Context, Text, nullptr, 0, Attr.getRange()));
    enzyme::AttributeWasMet = true;
    return AttributeApplied;
  }
};

constexpr Description Inactive = {"enzyme_inactive",
                                  "enzyme::inactive",
                                  "clang::enzyme_inactive",
                                  Subject::FunctionsAndVariables,
                                  Argument::None,
                                  nullptr};
constexpr Description NoFree = {"enzyme_nofree",
                                "enzyme::nofree",
                                "clang::enzyme_nofree",
                                Subject::FunctionsAndVariables,
                                Argument::None,
                                nullptr};
constexpr Description FunctionLike = {"enzyme_function_like",
                                      "enzyme::function_like",
                                      "clang::enzyme_function_like",
                                      Subject::Functions,
                                      Argument::FunctionName,
                                      nullptr};
constexpr Description ShouldRecompute = {"enzyme_shouldrecompute",
                                         "enzyme::shouldrecompute",
                                         "clang::enzyme_shouldrecompute",
                                         Subject::FunctionsAndVariables,
                                         Argument::None,
                                         nullptr};
constexpr Description NoTypeAnalysis = {"enzyme_notypeanalysis",
                                        "enzyme::notypeanalysis",
                                        "clang::enzyme_notypeanalysis",
                                        Subject::Functions,
                                        Argument::None,
                                        nullptr};
// Adjoints are added without atomic operations in any case.
constexpr Description ElementwiseRead = {"enzyme_elementwise_read",
                                         "enzyme::elementwise_read",
                                         "clang::enzyme_elementwise_read",
                                         Subject::Functions,
                                         Argument::None,
                                         nullptr};
constexpr Description SparseAccumulate = {"enzyme_sparse_accumulate",
                                          "enzyme::sparse_accumulate",
                                          "clang::enzyme_sparse_accumulate",
                                          Subject::Functions,
                                          Argument::None,
                                          "EnzymeRS makes no sparse derivatives"};

using Registry = ParsedAttrInfoRegistry;

const Registry::Add<Attribute<Inactive>> AddInactive("enzyme_inactive", "carries no derivative");
const Registry::Add<Attribute<NoFree>> AddNoFree("enzyme_nofree", "frees no memory");
const Registry::Add<Attribute<FunctionLike>> AddFunctionLike("enzyme_function_like",
                                                             "is like a function of the library");
const Registry::Add<Attribute<ShouldRecompute>> AddShouldRecompute("enzyme_shouldrecompute",
                                                                   "is computed again rather than kept");
const Registry::Add<Attribute<NoTypeAnalysis>> AddNoTypeAnalysis("enzyme_notypeanalysis",
                                                                 "says nothing of the types of its arguments");
const Registry::Add<Attribute<ElementwiseRead>> AddElementwiseRead("enzyme_elementwise_read",
                                                                   "is read by each thread in a place of its own");
const Registry::Add<Attribute<SparseAccumulate>> AddSparseAccumulate("enzyme_sparse_accumulate",
                                                                     "is refused");

} // namespace
