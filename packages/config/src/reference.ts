import * as z from 'zod';
import { describeType } from './key-type.ts';
import { describeNarrowing } from './narrowing.ts';
import {
  type KeyDeclaration,
  type Sections,
  declareKeys,
  defaultOf,
  describeSection,
  toJson,
} from './sections.ts';

/** JSON Schema of palyra.toml, for editors. */
export function renderJsonSchema(sections: Sections): string {
  const optional = Object.entries(sections).map(([name, schema]) => [name, schema.optional()]);
  const file = z.strictObject(Object.fromEntries(optional));
  const schema = z.toJSONSchema(file, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // Words of ours that no reader of JSON Schema knows.
      delete jsonSchema['narrows'];
      delete jsonSchema['secret'];
    },
  });
  return `${JSON.stringify({ ...schema, title: 'palyra.toml' }, undefined, 2)}\n`;
}

/** Markdown: a heading and a table a section. */
export function renderConfigReference(sections: Sections): string {
  const declarations = [...declareKeys(sections).values()];
  return Object.entries(sections)
    .map(([section, schema]) => {
      const rows = declarations.filter((declaration) => declaration.section === section).map(row);
      const about = describeSection(schema);
      const lines = about === '' ? [] : [about, ''];
      return [`## [${section}]`, '', ...lines, ...HEAD, ...rows, ''].join('\n');
    })
    .join('\n');
}

const HEAD = [
  '| Key | Takes | Default | Meaning | Variable |',
  '| --- | --- | --- | --- | --- |',
] as const;

function row(declaration: KeyDeclaration): string {
  const { path, description, environmentName, narrows, isSecret } = declaration;
  const notes = [
    description,
    ...(isSecret ? ['never shown'] : []),
    ...(narrows === undefined ? [] : [describeNarrowing(narrows)]),
  ].join('; ');
  const cells = [
    `\`${path}\``,
    describeType(declaration),
    describeDefault(declaration),
    notes,
    `\`${environmentName}\``,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}

function describeDefault(declaration: KeyDeclaration): string {
  const value = defaultOf(declaration);
  return value === undefined ? 'not set' : `\`${JSON.stringify(toJson(value))}\``;
}
