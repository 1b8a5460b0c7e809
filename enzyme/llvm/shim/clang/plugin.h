// What the files of the clang plugin share.
//
// `ClangEnzymeRS-<major>.so` teaches clang the attributes by which programs say something of their functions and
// variables. It is compiled against clang's headers, of one version; clang's symbols stay undefined and bind to the
// clang that loads it. The passes are in the pass plugin, which lies beside it and is opened with it.

#ifndef ENZYME_CLANG_PLUGIN_H
#define ENZYME_CLANG_PLUGIN_H

namespace clang {
class CompilerInstance;
} // namespace clang

namespace enzyme {

// Whether an attribute of ours was met since this was last set to false.
extern bool AttributeWasMet;

// Puts a variable into the program that says by name what the attributes say: clang lists the annotations of what a
// file defines, but not those of what it only declares.
void declareAttributesByName(clang::CompilerInstance &CI);

} // namespace enzyme

#endif
