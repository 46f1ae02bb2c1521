import {
  type PolicyJson,
  policySetTextToParts,
  policyToJson,
} from '@cedar-policy/cedar-wasm/nodejs';
import { visibleText } from '@palyra/kernel';
import type { PolicyFile, Problem } from '../model.ts';
import { byteOffsetOf, complaintOf, unitOffset } from './cedar-words.ts';
import {
  MAX_BRACKETS,
  MAX_FILE_BYTES,
  MAX_OPERATORS,
  MAX_PROBLEMS,
  MAX_RULE_BYTES,
} from './limits.ts';
import { problemAt, problemOf } from './problems.ts';
import { type Piece, complexityOf, firstCode, piecesOf } from './source-pieces.ts';

/** A rule that Cedar has read, and nothing more is known about. */
export interface ParsedRule {
  readonly file: PolicyFile;
  /** Of `text`, in the file. */
  readonly offset: number;
  readonly text: string;
  readonly json: PolicyJson;
  /** Cedar read it on another day, and everything about it was found right then. */
  readonly isPrepared: boolean;
}

export interface ParsedFile {
  readonly rules: readonly ParsedRule[];
  readonly problems: readonly Problem[];
}

export function parseFile(file: PolicyFile): ParsedFile {
  const obstacle = obstacleIn(file);
  if (obstacle !== undefined) return { rules: [], problems: [obstacle] };
  const rules: ParsedRule[] = [];
  const problems: Problem[] = [];
  for (const piece of piecesOf(file.text)) {
    // A file may be nothing but mistakes, and telling each would take minutes.
    if (problems.length >= MAX_PROBLEMS) break;
    const parsed = parsePiece(file, piece);
    if (parsed.kind === 'rule') rules.push(parsed.rule);
    if (parsed.kind === 'problems') problems.push(...parsed.problems);
  }
  return { rules, problems };
}

/** What keeps a whole file from being looked at. */
function obstacleIn(file: PolicyFile): Problem | undefined {
  if (!file.text.isWellFormed()) {
    return problemOf(file, { reason: 'it is not Unicode text', help: 'save it as UTF-8' });
  }
  if (Buffer.byteLength(file.text) > MAX_FILE_BYTES) {
    return problemOf(file, {
      reason: `it is longer than ${MAX_FILE_BYTES} bytes`,
      help: 'divide it into several files',
    });
  }
  const offset = unseenAt(file.text);
  if (offset === undefined) return undefined;
  return problemAt(file, offset, {
    reason: 'a character here cannot be seen, so the rule may not say what it seems to say',
    help: 'remove it; in a string it can be written as `\\u{…}`',
  });
}

function unseenAt(text: string): number | undefined {
  // The ends of lines of another system are no secret.
  const plain = text.replaceAll('\r\n', ' \n');
  const visible = visibleText(plain);
  if (visible === plain) return undefined;
  let offset = 0;
  while (plain[offset] === visible[offset]) offset += 1;
  return offset;
}

type ParsedPiece =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'rule'; readonly rule: ParsedRule }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] };

function parsePiece(file: PolicyFile, piece: Piece): ParsedPiece {
  const tooMuch = tooComplex(file, piece) ?? tooLong(file, piece);
  if (tooMuch !== undefined) return { kind: 'problems', problems: [tooMuch] };
  const parts = policySetTextToParts(piece.text);
  if (parts.type === 'failure') {
    const problems = parts.errors.map((error) => {
      const offset = piece.start + unitOffset(piece.text, byteOffsetOf(error));
      return problemAt(file, offset, complaintOf(error));
    });
    return { kind: 'problems', problems };
  }
  const [template] = parts.policy_templates;
  if (template !== undefined) return { kind: 'problems', problems: [noTemplates(file, piece)] };
  const [text] = parts.policies;
  return text === undefined ? { kind: 'nothing' } : readRule(file, piece, text);
}

function readRule(file: PolicyFile, piece: Piece, text: string): ParsedPiece {
  // A rule ends where its piece ends; before it there may be comments.
  const offset = piece.start + piece.text.length - text.length;
  const answer = policyToJson(text);
  if (answer.type === 'success') {
    return { kind: 'rule', rule: { file, offset, text, json: answer.json, isPrepared: false } };
  }
  const problems = answer.errors.map((error) =>
    problemAt(file, offset + unitOffset(text, byteOffsetOf(error)), complaintOf(error)),
  );
  return { kind: 'problems', problems };
}

/** Without the comments before it. */
function tooLong(file: PolicyFile, piece: Piece): Problem | undefined {
  if (piece.code.trim() === '') return undefined;
  const offset = firstCode(piece);
  const rule = piece.text.slice(offset - piece.start);
  if (Buffer.byteLength(rule) <= MAX_RULE_BYTES) return undefined;
  return problemAt(file, offset, {
    reason: `a rule is longer than ${MAX_RULE_BYTES} bytes`,
    help: 'divide it into several rules',
  });
}

function tooComplex(file: PolicyFile, piece: Piece): Problem | undefined {
  const { brackets, operators } = complexityOf(piece);
  if (brackets <= MAX_BRACKETS && operators <= MAX_OPERATORS) return undefined;
  return problemAt(file, firstCode(piece), {
    reason: 'the rule is too complicated',
    help: `use at most ${MAX_BRACKETS} brackets in one another and ${MAX_OPERATORS} operators; a set of values, or several rules, says the same`,
  });
}

function noTemplates(file: PolicyFile, piece: Piece): Problem {
  return problemAt(file, firstCode(piece), {
    reason: 'a rule with `?principal` or `?resource` is a template, and nothing fills it in',
    help: 'name the principal or the resource',
  });
}
