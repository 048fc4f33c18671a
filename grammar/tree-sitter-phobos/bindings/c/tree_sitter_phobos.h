// The parse tables of Phobos, for the tree-sitter runtime (ABI 14).
#ifndef TREE_SITTER_PHOBOS_H_
#define TREE_SITTER_PHOBOS_H_

typedef struct TSLanguage TSLanguage;

#ifdef __cplusplus
extern "C" {
#endif

const TSLanguage *tree_sitter_phobos(void);

#ifdef __cplusplus
}
#endif

#endif
