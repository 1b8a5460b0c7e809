/* Names for what a program says of its functions and variables, to be written as attributes:
 *
 *     #include <enzyme/attributes.h>
 *     __attribute__((enzyme_inactive)) double log_message(double);
 *     __attribute__((enzyme_function_like("log1p"))) double my_log1p(double);
 *
 * They are annotations by other names, so that every clang understands them. Without changing a file:
 * `-include enzyme/attributes.h`. As these are macros, a file that includes this has no other things of these names.
 *
 * With the plugin for clang (`-fplugin=ClangEnzymeRS-<version>.so`, which defines ENZYME_VERSION_MAJOR) the names are
 * attributes themselves, and there is nothing to define. Then they also hold for what a file only declares, which
 * annotations do not, are checked, and may be written as [[enzyme::inactive]].
 */
#ifndef ENZYME_ATTRIBUTES_H
#define ENZYME_ATTRIBUTES_H

#ifndef ENZYME_VERSION_MAJOR

/* A function or a variable: no derivative goes through it. */
#define enzyme_inactive annotate("enzyme_inactive")

/* A function: its derivative is that of the library's function of this name, a string literal. */
#define enzyme_function_like(name) annotate("enzyme_function_like=" name)

/* A function: its result is computed again rather than kept. */
#define enzyme_shouldrecompute annotate("enzyme_shouldrecompute")

/* A function: it frees no memory. */
#define enzyme_nofree annotate("enzyme_nofree")

/* A function: nothing is concluded from its body on the types of its arguments. */
#define enzyme_notypeanalysis annotate("enzyme_notypeanalysis")

/* A function: each thread reads places of its own through it. Adjoints are added without atomic operations in any
 * case. */
#define enzyme_elementwise_read annotate("enzyme_elementwise_read")

#endif

#endif
