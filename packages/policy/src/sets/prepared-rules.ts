import type { PolicyJson, SchemaJson } from '@cedar-policy/cedar-wasm/nodejs';
import { isJsonObject } from '@palyra/kernel';
import { ENGINE_VERSION } from '../engine/cedar.ts';
import type { Compiled, PolicyFile, RuleSet } from '../model.ts';
import { type CompileOptions, assemble } from './assemble.ts';
import type { ParsedRule } from './parse-file.ts';
import { inOrder } from './set-hash.ts';
import { type Piece, firstCode, piecesOf } from './source-pieces.ts';

/** What Cedar has made of files that it found right: with it a set is put together without Cedar. */
export interface PreparedRules {
  /** Another engine must look for itself. */
  readonly engine: string;
  readonly schema: SchemaJson<string>;
  /** One for each rule, in the order of a set. */
  readonly rules: readonly PolicyJson[];
}

export function preparedOf({ schema, rules }: RuleSet): PreparedRules {
  return { engine: ENGINE_VERSION, schema, rules: rules.map(({ json }) => json) };
}

/** Contract: `undefined` unless this engine has made it of files with as many rules. */
export function compilePrepared(
  files: readonly PolicyFile[],
  prepared: PreparedRules,
  options: CompileOptions,
): Compiled | undefined {
  const sorted = inOrder(files);
  const rules = pairRules(sorted, prepared.rules);
  if (prepared.engine !== ENGINE_VERSION || rules === undefined) return undefined;
  const read = [{ rules, problems: [] }];
  return assemble(sorted, options, () => ({
    schema: prepared.schema,
    files: read,
    validate: () => [],
  }));
}

export function isPrepared(value: unknown): value is PreparedRules {
  return (
    isJsonObject(value) &&
    typeof value['engine'] === 'string' &&
    isJsonObject(value['schema']) &&
    Array.isArray(value['rules']) &&
    value['rules'].every(isRuleJson)
  );
}

export function isRuleJson(value: unknown): value is PolicyJson {
  return isJsonObject(value) && Array.isArray(value['conditions']) && 'effect' in value;
}

/** Contract: `undefined` unless there is one for each rule of the files, and each names its rule. */
export function pairRules(
  files: readonly PolicyFile[],
  jsons: readonly PolicyJson[],
): readonly ParsedRule[] | undefined {
  const rules = files.flatMap((file) => piecesOf(file.text).filter(isRule).map(ruleOf(file)));
  const paired = rules.flatMap((rule, index) => {
    const json = jsons[index];
    return json !== undefined && namesItself(rule.text, json)
      ? [{ ...rule, json, isPrepared: true }]
      : [];
  });
  const isWhole = paired.length === rules.length && rules.length === jsons.length;
  return isWhole ? paired : undefined;
}

function ruleOf(file: PolicyFile) {
  return (piece: Piece) => {
    const offset = firstCode(piece);
    return { file, offset, text: piece.text.slice(offset - piece.start) };
  };
}

/** Rules and what was made of them must not be paired one off. */
function namesItself(text: string, json: PolicyJson): boolean {
  const id = json.annotations?.['id'];
  return id !== undefined && text.includes(`"${id}"`);
}

function isRule({ code }: Piece): boolean {
  return code.trim() !== '';
}
