import { canonicalJson, type EntryLink, type EntryView, readLink } from '@palyra/kernel';
import { kindAt } from './entry-kind.ts';
import type { EntryFilter } from './journal.ts';
import { latin1 } from './latin1.ts';

/** Says whether an entry fits. Contract: bytes that are no entry fit no filter. */
export type EntryTest = (canonical: Uint8Array) => boolean;

/**
 * Reads the bytes and decodes nothing: most of what is searched is not what is searched for. Times are
 * no matter of the test: between which entries they lie is known before.
 */
export function testFor(filter: EntryFilter): EntryTest {
  const checks = checksOf(filter);
  // Then every entry is taken as it is, also one that nobody can read any more.
  if (checks.length === 0) return () => true;
  return (canonical) => {
    const text = latin1(canonical);
    const view = { canonical, length: canonical.length, text, at: 0 };
    const link = readLink(view);
    return link !== undefined && checks.every((check) => check(view, link));
  };
}

type Check = (entry: EntryView, link: EntryLink) => boolean;

function checksOf({ kinds = [], actor, runId, sessionId, text }: EntryFilter): readonly Check[] {
  const checks: Check[] = [];
  if (runId !== undefined) checks.push(runCheck(runId));
  if (sessionId !== undefined) checks.push(sessionCheck(sessionId));
  if (actor !== undefined) checks.push(actorCheck(actor));
  if (kinds.length > 0) checks.push(kindCheck(kinds));
  if (text !== undefined) checks.push(textCheck(text));
  return checks;
}

function runCheck(runId: string): Check {
  return ({ text }, { runIdAt }) => runIdAt >= 0 && text.startsWith(runId, runIdAt);
}

const TIME_LENGTH = 24;

function sessionCheck(sessionId: string): Check {
  const end = `,"sessionId":"${sessionId}","time":"`;
  return ({ text }) => text.startsWith(end, text.length - TIME_LENGTH - '"}'.length - end.length);
}

function actorCheck(actor: string): Check {
  const begin = latin1(Buffer.from(`{"actor":${canonicalJson(actor)},"format":`));
  return ({ text }) => text.startsWith(begin);
}

/** A kind that ends with a dot is the beginning of those that are meant. */
function kindCheck(kinds: readonly string[]): Check {
  const wanted = kinds.map((kind) => (kind.endsWith('.') ? kind : `${kind}"`));
  return ({ text }) => {
    const at = kindAt(text, 0);
    return wanted.some((kind) => text.startsWith(kind, at));
  };
}

function textCheck(text: string): Check {
  const wanted = lowerCased(Buffer.from(text));
  return ({ canonical }) => lowerCased(canonical).includes(wanted);
}

const [CAPITAL_A, CAPITAL_Z, TO_SMALL] = [0x41, 0x5a, 0x20];

/** Only ASCII: other letters are of several bytes, which must stay as they are to be compared. */
function lowerCased(bytes: Uint8Array): string {
  const small = Buffer.from(bytes);
  for (let at = 0; at < small.length; at += 1) {
    const byte = small[at] ?? 0;
    if (byte >= CAPITAL_A && byte <= CAPITAL_Z) small[at] = byte + TO_SMALL;
  }
  return latin1(small);
}
