import type { Environment } from '@palyra/kernel';
import type { TomlTable } from 'smol-toml';
import { describeOrigin, type FileOrigin, type Origin } from './origin.ts';
import type { ConfigProblem } from './problem.ts';
import type { KeyDeclaration, KeyDeclarations } from './sections.ts';
import {
  type Checked,
  type LayerReading,
  checkValue,
  gather,
  invalidValue,
  unknownKey,
} from './setting.ts';
import { suggest } from './suggestion.ts';
import { readToml } from './toml-file.ts';
import { isTomlTable } from './toml-table.ts';
import { readValueText } from './value-text.ts';

/** Variables that say where things are, not what they are. */
export const RESERVED_VARIABLES: readonly string[] = [
  'PALYRA_HOME',
  'PALYRA_CONFIG',
  'PALYRA_GATEWAY',
];

const PREFIX = 'PALYRA_';

export function readFileLayer(
  declarations: KeyDeclarations,
  bytes: Uint8Array,
  origin: FileOrigin,
): LayerReading {
  const reading = readToml(bytes);
  if (reading.kind === 'bad') {
    const at: FileOrigin = { ...origin, line: reading.line };
    return { settings: [], problems: [malformedFile(at, reading.reason)] };
  }
  const locate = (path: readonly string[]): FileOrigin => ({
    ...origin,
    line: reading.lineOf(path),
  });
  return gather(checkTable(declarations, reading.table, locate));
}

/** Each key has one variable: `journal.segment_bytes` is `PALYRA_JOURNAL_SEGMENT_BYTES`. */
export function readEnvironmentLayer(
  declarations: KeyDeclarations,
  environment: Environment,
): LayerReading {
  const byName = new Map(
    Array.from(declarations.values(), (declaration) => [declaration.environmentName, declaration]),
  );
  const checked: Checked[] = [];
  for (const [name, text] of Object.entries(environment)) {
    if (text === undefined || !name.startsWith(PREFIX) || RESERVED_VARIABLES.includes(name)) {
      continue;
    }
    const origin: Origin = { kind: 'environment', name };
    const declaration = byName.get(name);
    checked.push(
      declaration === undefined
        ? {
            kind: 'problem',
            problem: unknownKey(
              name,
              origin,
              suggest(name, [...byName.keys(), ...RESERVED_VARIABLES]),
            ),
          }
        : checkText(declaration, text, origin),
    );
  }
  return gather(checked);
}

/** `--set section.key=value`, already split. */
export function readFlagLayer(
  declarations: KeyDeclarations,
  flags: Readonly<Record<string, string>>,
): LayerReading {
  const origin: Origin = { kind: 'flag' };
  return gather(
    Object.entries(flags).map(([path, text]): Checked => {
      const declaration = declarations.get(path);
      if (declaration !== undefined) return checkText(declaration, text, origin);
      return {
        kind: 'problem',
        problem: unknownKey(path, origin, suggest(path, declarations.keys())),
      };
    }),
  );
}

export function malformedFile(origin: FileOrigin, reason: string): ConfigProblem {
  return {
    code: 'CONFIG_INVALID',
    origin,
    message: `${describeOrigin(origin)} is not valid TOML: ${reason}`,
    help: 'correct that line; docs/reference has every key with an example of its type',
  };
}

type Locate = (path: readonly string[]) => FileOrigin;

function* checkTable(
  declarations: KeyDeclarations,
  table: TomlTable,
  locate: Locate,
): Iterable<Checked> {
  const sections = new Set(Array.from(declarations.values(), ({ section }) => section));
  for (const [section, value] of Object.entries(table)) {
    const origin = locate([section]);
    if (!sections.has(section)) {
      yield { kind: 'problem', problem: unknownSection(section, origin, declarations) };
    } else if (isTomlTable(value)) {
      yield* checkSection(declarations, { section, table: value }, locate);
    } else {
      yield { kind: 'problem', problem: notASection(section, origin) };
    }
  }
}

function* checkSection(
  declarations: KeyDeclarations,
  { section, table }: { readonly section: string; readonly table: TomlTable },
  locate: Locate,
): Iterable<Checked> {
  for (const [key, value] of Object.entries(table)) {
    const path = `${section}.${key}`;
    const origin = locate([section, key]);
    const declaration = declarations.get(path);
    if (declaration !== undefined) yield checkValue(declaration, value, origin);
    else {
      const nearest = suggest(path, declarations.keys());
      yield { kind: 'problem', problem: unknownKey(path, origin, nearest) };
    }
  }
}

function checkText(declaration: KeyDeclaration, text: string, origin: Origin): Checked {
  const reading = readValueText(declaration, text);
  if (reading.kind === 'value') return checkValue(declaration, reading.value, origin);
  const problem = invalidValue(declaration, `cannot be read: ${reading.reason}`, origin);
  return { kind: 'problem', problem };
}

function unknownSection(
  name: string,
  origin: FileOrigin,
  declarations: KeyDeclarations,
): ConfigProblem {
  const known = [...declarations.values()];
  // A key that was written above its section's header looks like a section of that name.
  const homeless = known.find(({ key }) => key === name)?.path;
  const sections = known.map(({ section }) => section);
  return unknownKey(name, origin, homeless ?? suggest(name, sections));
}

function notASection(name: string, origin: FileOrigin): ConfigProblem {
  return {
    code: 'CONFIG_INVALID',
    key: name,
    origin,
    message: `\`${name}\` (${describeOrigin(origin)}) is a section, not a value`,
    help: `write \`[${name}]\` and its keys below`,
  };
}
