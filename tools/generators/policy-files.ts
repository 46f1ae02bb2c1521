import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepareRules } from '@palyra/policy';
import type { Generator } from './generator.ts';

const POLICIES = 'packages/policy/policies';
const OWNS = 'packages/policy/src/built-in/gen';
const MADE = `// Made from ${POLICIES} by \`npm run generate\`.\n`;

/**
 * The built-in rules as modules: a bundle has no files beside it, and nobody can change what is
 * built in by putting another file there. The second holds what Cedar makes of them.
 */
export const policyFiles: Generator = {
  owns: OWNS,
  async render(root) {
    const folder = join(root, POLICIES);
    const schema = readFileSync(join(folder, 'schema.cedarschema'), 'utf8');
    const rules = readRules(folder, '');
    const modes = readRules(join(folder, 'modes'), 'modes/');
    return new Map([
      [`${OWNS}/files.ts`, filesModule(schema, rules, modes)],
      [`${OWNS}/rules.ts`, await rulesModule(schema, rules, modes)],
    ]);
  },
};

interface BuiltInFile {
  readonly layer: 'built-in';
  readonly name: string;
  readonly text: string;
}

function readRules(folder: string, prefix: string): readonly BuiltInFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.cedar'))
    .toSorted()
    .map((name) => ({
      layer: 'built-in',
      name: `${prefix}${name}`,
      text: readFileSync(join(folder, name), 'utf8'),
    }));
}

function filesModule(
  schema: string,
  rules: readonly BuiltInFile[],
  modes: readonly BuiltInFile[],
): string {
  const texts = (files: readonly BuiltInFile[]) =>
    record(files.map(({ name, text }) => [shortName(name), text]));
  return [
    MADE,
    `export const SCHEMA_TEXT = ${literal(schema)};`,
    `export const RULE_TEXTS = ${texts(rules)};`,
    '/** Only the one of the mode that is in force belongs to a set. */',
    `export const MODE_TEXTS = ${texts(modes)};`,
    '',
  ].join('\n');
}

/** As text, which costs a program nothing until somebody parses it. */
async function rulesModule(
  schema: string,
  rules: readonly BuiltInFile[],
  modes: readonly BuiltInFile[],
): Promise<string> {
  const read: Record<string, readonly unknown[]> = {};
  let schemaJson: unknown;
  for (const mode of modes) {
    const made = await prepareRules({ mode: modeOf(mode), schema, files: [...rules, mode] });
    Object.assign(read, made.rules);
    schemaJson = made.schema;
  }
  const jsons = (files: readonly BuiltInFile[]) =>
    record(files.map(({ name }) => [shortName(name), lines(read[name] ?? [])]));
  return [
    MADE,
    `export const SCHEMA = ${literal(JSON.stringify(schemaJson))};`,
    `export const RULES = ${jsons(rules)};`,
    `export const MODE_RULES = ${jsons(modes)};`,
    '',
  ].join('\n');
}

function modeOf({ name }: BuiltInFile): 'read-only' | 'ask' | 'auto' | 'closed' {
  const modes = ['read-only', 'ask', 'auto', 'closed'] as const;
  const mode = modes.find((each) => name === `modes/${each}.cedar`);
  if (mode === undefined) throw new Error(`${POLICIES}/${name} belongs to no mode`);
  return mode;
}

function shortName(name: string): string {
  return name.replace('modes/', '');
}

function lines(values: readonly unknown[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(',\n')}]`;
}

function record(entries: readonly (readonly [string, string])[]): string {
  const fields = entries.map(([key, text]) => `  ${JSON.stringify(key)}: ${literal(text)},\n`);
  return `{\n${fields.join('')}} as const`;
}

/** As its lines stand, so that a difference can be read. */
function literal(text: string): string {
  return `\`${text.replaceAll(/[\\`]|\$\{/g, String.raw`\$&`)}\``;
}
