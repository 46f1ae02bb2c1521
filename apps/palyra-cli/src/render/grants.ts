import { type ApprovalGrant, GrantScope, type GrantShape } from '@palyra/protocol';
import type { People } from '../people.ts';
import type { Terminal } from '../terminal.ts';
import { commandLine } from './command-line.ts';
import { printFields } from './layout.ts';
import { inline, plural, shortTime } from './words.ts';

export function printGrant(terminal: Terminal, grant: ApprovalGrant, people: People): void {
  const { grantId, approvalId, principal, shape, expiresAt, usesLeft, uses, gateIds } = grant;
  printFields(terminal, [
    ['grant', inline(grantId)],
    ['covers', shape === undefined ? 'nothing' : shapeWords(shape)],
    ['of', `${people.wordsOf(principal)}${scopeWords(grant)}`],
    ['until', `${shortTime(expiresAt)} UTC`],
    ['left', `${plural(usesLeft, 'call')}, ${uses} used`],
    ['answers', gateIds.map(inline).join(', ')],
    ['given by', grant.voices.map((voice) => people.wordsOf(voice.principal)).join(', ')],
    ['approval', inline(approvalId)],
  ]);
}

function scopeWords({ scope, sessionId }: ApprovalGrant): string {
  return scope === GrantScope.SESSION ? `, in session ${inline(sessionId)}` : ', in any session';
}

/** Which calls a shape covers. What it does not name it does not cover. */
export function shapeWords(shape: GrantShape): string {
  const { tool, argumentsSha256, executable, argumentPrefix, directory } = shape;
  if (argumentsSha256 !== '') {
    return inline(`${tool} with exactly the arguments ${argumentsSha256.slice(0, 12)}…`);
  }
  const hosts = shape.hosts.map(({ name, port }) => `${name}:${port}`).join(', ');
  const isProcess = executable !== '';
  const command = `\`${commandLine([executable, ...argumentPrefix])}\` and any further arguments`;
  const parts = [
    ...(isProcess ? [command, `in \`${directory}\` or below`] : []),
    ...(shape.methods.length === 0 ? [] : [`method ${shape.methods.join(', ')}`]),
    ...(shape.readsUnder.length === 0 ? [] : [`reading below ${shape.readsUnder.join(', ')}`]),
    ...(shape.writesUnder.length === 0 ? [] : [`writing below ${shape.writesUnder.join(', ')}`]),
    hosts === '' ? 'without network' : `reaching only ${hosts}`,
  ];
  return inline(`${tool}: ${parts.join(', ')}`);
}
