import { plural } from '@palyra/client';
import { cageWords } from '@palyra/kernel';
import {
  type ApprovalGrant,
  type ApprovalRecord,
  GrantScope,
  type GrantShape,
} from '@palyra/protocol';
import type { People } from '../people.ts';
import type { Terminal } from '../terminal.ts';
import { callLine, commandLine } from './command-line.ts';
import { type Field, printFields } from './layout.ts';
import { inline, shortTime } from './words.ts';

export interface GrantView {
  readonly people: People;
  readonly now: Date;
  /** Questions that were asked, among them those that such grants answered. */
  readonly approvals: readonly ApprovalRecord[];
}

export function printGrant(
  terminal: Terminal,
  grant: ApprovalGrant,
  { people, now, approvals }: GrantView,
): void {
  const { grantId, approvalId, principal, shape, expiresAt, usesLeft, uses, gateIds } = grant;
  printFields(terminal, [
    ['grant', inline(grantId)],
    [
      'covers',
      shape === undefined ? 'nothing' : (exactCall(grant, approvals) ?? shapeWords(shape)),
    ],
    ['of', `${people.wordsOf(principal)}${scopeWords(grant)}`],
    ['in', inline(grant.workspace?.path || 'no workspace that is known')],
    ...filesField(grant),
    ['until', `${shortTime(expiresAt)} UTC`],
    ['left', `${timeLeft(expiresAt, now)}, ${plural(usesLeft, 'call')}, ${uses} used`],
    ['answers', gateIds.map(inline).join(', ')],
    ['given by', grant.voices.map((voice) => people.wordsOf(voice.principal)).join(', ')],
    ['approval', inline(approvalId)],
  ]);
}

/** A grant for exactly one call is one for these files as they were shown. */
function filesField({ shown }: ApprovalGrant): readonly Field[] {
  if (shown === undefined) return [];
  const all = [
    ...shown.namedFiles.map(({ name }) => name),
    ...shown.changes.map(({ path }) => path),
  ];
  return all.length === 0 ? [] : [['while', `as shown: ${all.map(inline).join(', ')}`]];
}

/** Contract: `undefined` unless it covers one call, and that is known. */
function exactCall(
  { approvalId, shape }: ApprovalGrant,
  approvals: readonly ApprovalRecord[],
): string | undefined {
  if (shape === undefined || shape.argumentsSha256 === '') return undefined;
  const proposal = approvals.find((one) => one.approvalId === approvalId)?.proposal;
  if (proposal === undefined) return undefined;
  return `exactly this call: ${inline(proposal.tool)} ${callLine(proposal)}`;
}

function timeLeft(expiresAt: string, now: Date): string {
  const minutes = Math.max(Math.floor((Date.parse(expiresAt) - now.getTime()) / 60_000), 0);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  if (days > 0) return `${days}d ${hours}h`;
  return hours > 0 ? `${hours}h ${minutes % 60}m` : `${minutes}m`;
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
  const isProcess = executable !== '';
  const command = `\`${commandLine([executable, ...argumentPrefix])}\` and any further arguments`;
  const parts = [
    ...(isProcess ? [command, `in \`${directory}\` or below`] : []),
    ...(shape.tier === '' ? [] : [`in tier ${shape.tier}`]),
    ...(shape.methods.length === 0 ? [] : [`${shape.methods.join(', ')} by ${shape.scheme}`]),
    ...(isProcess ? [cageWords(shape.tier, hostWords(shape))] : placeWords(shape)),
  ];
  return inline(`${tool}: ${parts.join(', ')}`);
}

/** Of a tool that touches nothing but what its call names. */
function placeWords(shape: GrantShape): readonly string[] {
  return [
    ...(shape.readsUnder.length === 0 ? [] : [`reading below ${shape.readsUnder.join(', ')}`]),
    ...(shape.writesUnder.length === 0 ? [] : [`writing below ${shape.writesUnder.join(', ')}`]),
    hostWords(shape),
  ];
}

function hostWords({ hosts }: GrantShape): string {
  if (hosts.length === 0) return 'without network';
  return `reaching only ${hosts.map(({ name, port }) => `${name}:${port}`).join(', ')}`;
}
