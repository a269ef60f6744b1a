import type { MappedLanguage } from "../../syntax/language.ts";

/**
 * Queries for what defines a name in each language. A `@callable` hides the definitions inside it, a `@holder` has members, a `@value` has
 * neither; `@import` is a text that names another file or module.
 */
export const definitionsOf: Readonly<Record<MappedLanguage, string>> = {
  javascript: javascript(),
  typescript: typescript(),
  tsx: typescript(),
  python: `
    (function_definition name: (_) @name) @callable
    (class_definition name: (_) @name) @holder
    (module (expression_statement (assignment left: (identifier) @name) @value))
    (import_statement name: (dotted_name) @import)
    (import_statement name: (aliased_import name: (_) @import))
    (import_from_statement module_name: (_) @import)`,
  go: `
    (function_declaration name: (_) @name) @callable
    (method_declaration name: (_) @name) @callable
    (type_spec name: (_) @name) @holder
    (type_alias name: (_) @name) @holder
    (source_file (const_declaration (const_spec name: (_) @name) @value))
    (source_file (var_declaration (var_spec name: (_) @name) @value))
    (source_file (var_declaration (var_spec_list (var_spec name: (_) @name) @value)))
    (import_spec path: (_) @import)`,
  rust: `
    (function_item name: (_) @name) @callable
    (function_signature_item name: (_) @name) @callable
    (macro_definition name: (_) @name) @callable
    (struct_item name: (_) @name) @holder
    (enum_item name: (_) @name) @holder
    (union_item name: (_) @name) @holder
    (trait_item name: (_) @name) @holder
    (mod_item name: (_) @name body: (_)) @holder
    (type_item name: (_) @name) @value
    (const_item name: (_) @name) @value
    (static_item name: (_) @name) @value
    (source_file (mod_item name: (_) @import !body))
    (use_declaration argument: (_) @import)`,
  java: `
    (class_declaration name: (_) @name) @holder
    (interface_declaration name: (_) @name) @holder
    (enum_declaration name: (_) @name) @holder
    (record_declaration name: (_) @name) @holder
    (annotation_type_declaration name: (_) @name) @holder
    (method_declaration name: (_) @name) @callable
    (constructor_declaration name: (_) @name) @callable
    (import_declaration (scoped_identifier) @import)`,
  cpp: `
    (function_definition declarator: (function_declarator declarator: (_) @name)) @callable
    (function_definition declarator: (_ (function_declarator declarator: (_) @name))) @callable
    (declaration declarator: (function_declarator declarator: (_) @name)) @callable
    (declaration declarator: (_ (function_declarator declarator: (_) @name))) @callable
    (field_declaration declarator: (function_declarator declarator: (_) @name)) @callable
    (field_declaration declarator: (_ (function_declarator declarator: (_) @name))) @callable
    (class_specifier name: (_) @name body: (_)) @holder
    (struct_specifier name: (_) @name body: (_)) @holder
    (union_specifier name: (_) @name body: (_)) @holder
    (enum_specifier name: (_) @name body: (_)) @holder
    (type_definition declarator: (type_identifier) @name) @value
    (alias_declaration name: (_) @name) @value
    (preproc_def name: (_) @name) @value
    (preproc_function_def name: (_) @name) @value
    (preproc_include path: (_) @import)`,
  ruby: `
    (class name: (_) @name) @holder
    (module name: (_) @name) @holder
    (method name: (_) @name) @callable
    (singleton_method name: (_) @name) @callable
    (assignment left: (constant) @name) @value
    (call method: (identifier) @_method arguments: (argument_list . (string) @import) (#match? @_method "^require"))`,
  php: `
    (function_definition name: (_) @name) @callable
    (class_declaration name: (_) @name) @holder
    (interface_declaration name: (_) @name) @holder
    (trait_declaration name: (_) @name) @holder
    (enum_declaration name: (_) @name) @holder
    (method_declaration name: (_) @name) @callable
    (const_element (name) @name) @value
    (namespace_use_clause (_) @import)`,
  "c-sharp": `
    (class_declaration name: (_) @name) @holder
    (struct_declaration name: (_) @name) @holder
    (interface_declaration name: (_) @name) @holder
    (enum_declaration name: (_) @name) @holder
    (record_declaration name: (_) @name) @holder
    (delegate_declaration name: (_) @name) @callable
    (method_declaration name: (_) @name) @callable
    (constructor_declaration name: (_) @name) @callable
    (property_declaration name: (_) @name) @value
    (using_directive (_) @import)`,
};

function javascript(): string {
  return `
    (function_declaration name: (_) @name) @callable
    (generator_function_declaration name: (_) @name) @callable
    (class_declaration name: (_) @name) @holder
    (method_definition name: (_) @name) @callable
    (program (lexical_declaration (variable_declarator name: (identifier) @name) @value))
    (program (variable_declaration (variable_declarator name: (identifier) @name) @value))
    (program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @value)))
    (import_statement source: (string) @import)
    (export_statement source: (string) @import)
    (call_expression function: (identifier) @_called arguments: (arguments . (string) @import) (#eq? @_called "require"))
    (call_expression function: (import) arguments: (arguments . (string) @import))`;
}

function typescript(): string {
  return `${javascript()}
    (function_signature name: (_) @name) @callable
    (abstract_class_declaration name: (_) @name) @holder
    (abstract_method_signature name: (_) @name) @callable
    (interface_declaration name: (_) @name) @holder
    (type_alias_declaration name: (_) @name) @value
    (enum_declaration name: (_) @name) @holder
    (internal_module name: (_) @name) @holder`;
}
