import { type SchemaJson, schemaToJson } from '@cedar-policy/cedar-wasm/nodejs';
import { PalyraError } from '@palyra/kernel';
import type { Compiled, PolicyFile, Problem } from '../model.ts';
import { type CedarReading, type CompileOptions, assemble } from './assemble.ts';
import { SCHEMA_TEXT } from './built-in.ts';
import { honestyProblems } from './gate-honesty.ts';
import { knownFile, knownSchema } from './known-files.ts';
import { MAX_RULE_LEVELS } from './limits.ts';
import { type ParsedFile, type ParsedRule, parseFile } from './parse-file.ts';
import { problemOf } from './problems.ts';
import { contentsOf } from './rule-walk.ts';
import { validateRules } from './validate-rules.ts';

/**
 * Turns the files of all layers, built-in ones included, into what decisions are made with.
 * Contract: never throws for anything in a file. Needs Cedar, so it runs in a process of its own and
 * the main one never imports this module.
 */
export function compile(files: readonly PolicyFile[], options: CompileOptions): Compiled {
  return assemble(files, options, (sorted, schema) => {
    if (schema === SCHEMA_TEXT)
      return read(sorted, knownSchema(), { ...options, known: knownFile });
    return read(sorted, readSchema(schema), options);
  });
}

/** The same, and nothing is believed that was generated: for whoever generates it. */
export function compileAfresh(files: readonly PolicyFile[], options: CompileOptions): Compiled {
  return assemble(files, options, (sorted, schema) => read(sorted, readSchema(schema), options));
}

interface ReadOptions extends Pick<CompileOptions, 'tools'> {
  readonly known?: (file: PolicyFile) => ParsedFile | undefined;
}

function read(
  files: readonly PolicyFile[],
  schema: SchemaJson<string>,
  { known = () => undefined, tools }: ReadOptions,
): CedarReading {
  const parsing = parseFiles(files, known);
  // Of a set of an earlier day nobody asks what was not asked then.
  const judge = tools === undefined ? () => [] : honestyProblems;
  let { fault } = parsing;
  return {
    schema,
    files: parsing.files,
    validate: () => {
      if (fault !== undefined) return fault;
      const { problems, culprits } = validateLayers(parsing.unknown, schema, judge);
      fault = culprits;
      return [...problems, ...(culprits ?? [])];
    },
    hasBroken: () => fault !== undefined,
  };
}

/** Contract: throws for one that cannot be read, since it is ours and not a person's. */
function readSchema(text: string): SchemaJson<string> {
  const answer = schemaToJson(text);
  if (answer.type === 'success') return answer.json;
  throw new PalyraError('UNEXPECTED', 'the schema of the rules cannot be read', {
    cause: answer.errors.map(({ message }) => message).join('; '),
  });
}

interface Parsing {
  readonly files: readonly ParsedFile[];
  /** Those that Cedar still has to hold against the schema. */
  readonly unknown: readonly ParsedRule[];
  /** Cedar itself broke at a file; after that nothing that it says counts. */
  readonly fault?: readonly Problem[];
}

function parseFiles(
  files: readonly PolicyFile[],
  known: (file: PolicyFile) => ParsedFile | undefined,
): Parsing {
  const parsed: ParsedFile[] = [];
  const unknown: ParsedRule[] = [];
  for (const file of files) {
    try {
      const before = known(file);
      const found = before ?? parseFile(file);
      parsed.push(found);
      if (before === undefined) unknown.push(...found.rules);
    } catch {
      return { files: parsed, unknown, fault: [engineBroke(file)] };
    }
  }
  return { files: parsed, unknown };
}

interface Validated {
  readonly problems: readonly Problem[];
  /** At which Cedar itself broke; after that nothing that it says counts. */
  readonly culprits?: readonly Problem[];
}

/**
 * Layer by layer, since it takes Cedar some time for each go: what breaks it in one layer is never
 * laid at another's door.
 */
function validateLayers(
  rules: readonly ParsedRule[],
  schema: SchemaJson<string>,
  judge: (rules: readonly ParsedRule[]) => readonly Problem[],
): Validated {
  const shallow = rules.filter(({ json }) => contentsOf(json).levels <= MAX_RULE_LEVELS);
  const layers = Map.groupBy(shallow, ({ file }) => file.layer);
  const problems: Problem[] = [];
  for (const ofLayer of layers.values()) {
    try {
      const found = validateRules(ofLayer, schema);
      // What is not valid cannot be evaluated either.
      problems.push(...(found.length > 0 ? found : judge(ofLayer)));
    } catch {
      return { problems, culprits: culpritsIn(ofLayer, schema) };
    }
  }
  return { problems };
}

/** The file at which Cedar breaks; all files of the layer when each is well by itself. */
function culpritsIn(rules: readonly ParsedRule[], schema: SchemaJson<string>): readonly Problem[] {
  const files = Map.groupBy(rules, ({ file }) => file);
  for (const [file, ofFile] of files) {
    try {
      validateRules(ofFile, schema);
    } catch {
      return [engineBroke(file)];
    }
  }
  return [...files.keys()].map(engineBroke);
}

function engineBroke(file: PolicyFile): Problem {
  return problemOf(file, {
    reason: 'Cedar could not look at it',
    help: 'make its rules simpler: fewer brackets, shorter conditions',
  });
}
