import { type Document, listOperationTypes, type Member, type Schema, shapeOf } from './schema.ts';

const HEADER = `"""What crosses the wire, as types: \`dict\` at run time, checked by mypy and shown by editors.

Written from the OpenAPI document by \`npm run openapi\`; do not edit.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union
`;

/** The types of the Python client: those with these names, which its own files import, and the types that they refer to. */
export function writePythonTypes(document: Document, names: readonly string[]): string {
  const printer = createPrinter();
  for (const [name, schema] of Object.entries(document.components.schemas)) printer.define(name, schema);
  for (const { id, params, query } of listOperationTypes(document)) {
    for (const { name, schema } of [...params, ...query]) {
      // A parameter with a fixed choice of values gets a named type, such as ExportAnalysisFormat.
      if (shapeOf(schema).kind === 'literals') printer.define(pascal(id) + pascal(name), schema);
    }
  }
  const used = findReferenced(printer.definitions, names);
  const kept = [...printer.definitions].filter(([name]) => used.has(name));
  return [HEADER, ...kept.map(([, text]) => text)].join('\n\n');
}

/** The names that a file of the client imports from `_types`. */
export function readTypeImports(source: string): string[] {
  const lists = Array.from(source.matchAll(/^from \._types import (\([^)]*\)|.*)$/gm), ([, list]) => list!);
  return lists.flatMap((list) => list.replaceAll(/ as \w+/g, '').match(/\w+/g) ?? []);
}

function findReferenced(definitions: ReadonlyMap<string, string>, names: readonly string[]): Set<string> {
  const used = new Set<string>();
  const visit = (name: string): void => {
    const text = definitions.get(name);
    if (text === undefined)
      throw new Error(`The Python client imports ${name}, which is not in the document`);
    if (used.has(name)) return;
    used.add(name);
    // References are the quoted names; a quoted literal that happens to be a type's name only keeps that type too.
    for (const [, other] of text.matchAll(/"(\w+)"/g)) if (definitions.has(other!)) visit(other!);
  };
  for (const name of names) visit(name);
  return used;
}

/** Python has no anonymous object types, so an object inside another is named after its path. */
function createPrinter() {
  const definitions = new Map<string, string>();

  function define(name: string, schema: Schema): void {
    const shape = shapeOf(schema);
    const text =
      shape.kind === 'object'
        ? defineClass(name, shape.members, schema.description ?? null)
        : `${name} = ${printType(schema, name)}\n`;
    add(name, text);
  }

  function add(name: string, text: string): void {
    if ((definitions.get(name) ?? text) !== text)
      throw new Error(`The document has two types named ${name} in Python`);
    definitions.set(name, text);
  }

  /** Optional members are in a class of their own: NotRequired needs Python 3.11, and we support 3.9. */
  function defineClass(name: string, members: Member[], description: string | null): string {
    const invalid = members.find(
      ({ name: member }) => !/^[A-Za-z_]\w*$/.test(member) || KEYWORDS.has(member),
    );
    if (invalid) throw new Error(`${name}.${invalid.name} is not a valid name in Python`);
    const [required, optional] = [true, false].map((wanted) =>
      members.filter((member) => member.required === wanted),
    ) as [Member[], Member[]];
    if (optional.length === 0) return printClass(name, 'TypedDict', required, name, description);
    if (required.length === 0) return printClass(name, 'TypedDict, total=False', optional, name, description);
    const base = `_${name}Required`;
    return [
      printClass(base, 'TypedDict', required, name, null),
      printClass(name, `${base}, total=False`, optional, name, description),
    ].join('\n\n');
  }

  function printClass(
    name: string,
    bases: string,
    members: Member[],
    owner: string,
    description: string | null,
  ): string {
    const lines = members.map(
      (member) =>
        `    ${member.name}: ${printType(member.schema, owner + pascal(member.name))}${
          member.description ? `\n    """${escapeDocstring(member.description)}"""` : ''
        }`,
    );
    const doc = description ? [`    """${escapeDocstring(description)}"""\n`] : [];
    return `class ${name}(${bases}):\n${[...doc, ...lines].join('\n')}\n`;
  }

  function printType(schema: Schema, path: string): string {
    const shape = shapeOf(schema);
    switch (shape.kind) {
      case 'named':
        // In quotes, because a class may be used before it is defined.
        return `"${shape.name}"`;
      case 'literals':
        return `Literal[${shape.values.map(literal).join(', ')}]`;
      case 'union':
        return printUnion(shape.schemas, path);
      case 'primitive':
        return PRIMITIVES[shape.type];
      case 'list':
        return `List[${printType(shape.items, `${path}Item`)}]`;
      case 'map':
        return `Dict[str, ${printType(shape.values, `${path}Value`)}]`;
      case 'object':
        add(path, defineClass(path, shape.members, schema.description ?? null));
        return `"${path}"`;
      case 'anything':
        return 'Any';
    }
  }

  function printUnion(schemas: Schema[], path: string): string {
    const printed = [...new Set(schemas.map((option) => printType(option, path)))];
    const present = printed.filter((type) => type !== 'None');
    const union = present.length === 1 ? present[0]! : `Union[${present.join(', ')}]`;
    return present.length < printed.length ? `Optional[${union}]` : union;
  }

  return { definitions, define };
}

const PRIMITIVES = { string: 'str', number: 'float', integer: 'int', boolean: 'bool', null: 'None' };
/** `keyword.kwlist` of Python 3.9 to 3.14. */
const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is ' +
    'lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

function pascal(name: string): string {
  return name.replace(/(?:^|[_-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function literal(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

/** A description as the content of a docstring. */
function escapeDocstring(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ');
}
