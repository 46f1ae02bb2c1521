import type { PolicyJson } from '@cedar-policy/cedar-wasm/nodejs';
import { isJsonObject } from '@palyra/kernel';
import type { PolicyFile } from '../model.ts';
import type { ParsedRule } from './parse-file.ts';
import { type Piece, firstCode, piecesOf } from './source-pieces.ts';

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
