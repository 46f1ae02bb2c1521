import { plural } from '@palyra/client';
import { ANYBODY } from '@palyra/kernel';
import { type ApprovalRecord, ApprovalStatus, type PolicyGate } from '@palyra/protocol';
import type { ShownApproval } from '../one-approval.ts';
import type { People } from '../people.ts';
import type { Terminal, Tone } from '../terminal.ts';
import { callFields, printArguments } from './approval-call.ts';
import { placeFields, printChange } from './approval-preview.ts';
import { callLine } from './command-line.ts';
import { type Field, foldFor, printFields, printTable } from './layout.ts';
import { clockWords } from './pairing-card.ts';
import { pastLines } from './shape-past.ts';
import { cut, padEnd } from './text-width.ts';
import { approvalStatusWord, inline, roleWord, shortTime } from './words.ts';

/** What there is beside the approval itself to show it. */
export interface ApprovalView {
  readonly people: People;
  readonly now: Date;
  /** For the commands: how to name the gateway, where it has to be named. */
  readonly gateway: string | undefined;
}

export function printApprovals(
  terminal: Terminal,
  approvals: readonly ApprovalRecord[],
  now: Date,
): void {
  const rows = approvals.map((approval) => [
    inline(approval.approvalId),
    approvalStatusWord(approval.status),
    shortTime(approval.askedAt).slice(0, -3),
    isPending(approval) ? leftWords(approval, now) : '',
    inline(approval.proposal?.tool ?? ''),
    approval.proposal === undefined ? '' : callLine(approval.proposal),
  ]);
  printTable(terminal, ['approval', 'status', 'asked (UTC)', 'left', 'tool', 'call'], rows);
}

/** Columns before what a line says of the call. */
const LINE_HEAD = 60;
const STATUS_WIDTH = 9;

/** One change as a line, for whoever watches. */
export function approvalLine(terminal: Terminal, approval: ApprovalRecord): string {
  const { approvalId, status, voices, deadline, closedAt, askedAt, usedAt, proposal, reason } =
    approval;
  const at = closedAt || voices.at(-1)?.at || askedAt;
  const change = usedAt === '' ? approvalStatusWord(status) : 'used';
  const word = padEnd(change, STATUS_WIDTH);
  const more = isPending(approval) ? `until ${shortTime(deadline).slice(-8)}` : inline(reason);
  const call = proposal === undefined ? '' : `${inline(proposal.tool)}  ${callLine(proposal)}`;
  const rest = [more, call].filter((text) => text !== '').join('  ');
  const room = terminal.isInteractive ? terminal.width - LINE_HEAD : Number.POSITIVE_INFINITY;
  const head = `${shortTime(at)}  ${inline(approvalId)}  ${terminal.paint(statusTone(status), word)}`;
  return `${head}  ${cut(rest, Math.max(room, 10))}`;
}

/** Everything that a person has to see before they answer. */
export function printApproval(terminal: Terminal, shown: ShownApproval, view: ApprovalView): void {
  const { approval, offers } = shown;
  const { paint } = terminal;
  const status = paint(statusTone(approval.status), approvalStatusWord(approval.status));
  terminal.print(`${paint('strong', `approval ${inline(approval.approvalId)}`)} ${status}\n`);
  printCall(terminal, approval, view);
  printFields(terminal, standingFields(approval, view));
  if (!isPending(approval)) return;
  terminal.print(`\n  ${paint('quiet', 'what can be granted')}`);
  for (const { name, says, past } of offers) {
    printIndented(terminal, `${inline(name)}: ${inline(says)}`);
    for (const line of pastLines(past)) printIndented(terminal, line, '        ');
  }
  terminal.print(`\n  ${paint('quiet', 'how to answer')}`);
  for (const line of answerCommands(shown, view.gateway)) terminal.print(`    ${line}`);
}

/** The call and what asks about it: enough for a yes or a no. */
export function printCall(terminal: Terminal, approval: ApprovalRecord, view: ApprovalView): void {
  const { proposal, gates, preview } = approval;
  const whole = showCommand(approval, view.gateway, ' --json');
  if (proposal !== undefined) {
    const by = `${view.people.wordsOf(proposal.principal)}, run ${inline(proposal.runId)}`;
    const fields = [...callFields(proposal), ...placeFields(preview), ['by', by] as const];
    printFields(terminal, fields, foldFor(terminal));
    printArguments(terminal, proposal, whole);
  }
  if (preview !== undefined) printChange(terminal, preview, whole);
  terminal.print(`  ${terminal.paint('quiet', plural(gates.length, 'rule asks', 'rules ask'))}`);
  for (const gate of gates) printIndented(terminal, gateWords(gate));
}

function printIndented(terminal: Terminal, text: string, indent = '    '): void {
  const [first = '', ...more] = foldFor(terminal)(text, terminal.width - indent.length - 2);
  terminal.print(`${indent}${first}`);
  for (const line of more) terminal.print(`${indent}  ${line}`);
}

function gateWords({ ruleId, says, severity, approvers, quorum, strength }: PolicyGate): string {
  const people = quorum > 1 ? `${quorum} people, each ` : '';
  const proof = strength === 'passkey' ? ', with a passkey, in the console' : '';
  const who = `${people}${roleWord(approvers)} or above${proof}`;
  return `${inline(ruleId)}, ${inline(severity)}: ${inline(says)} (${who})`;
}

function standingFields(approval: ApprovalRecord, view: ApprovalView): readonly Field[] {
  const { askedAt, deadline, closedAt, reason, grantId, usedAt, fingerprint } = approval;
  const stamp = (time: string) => `${shortTime(time)} UTC`;
  return [
    ['asked', stamp(askedAt)],
    isPending(approval)
      ? ['left', `${leftWords(approval, view.now)}, until ${stamp(deadline)}; then it is denied`]
      : ['deadline', stamp(deadline)],
    ...approval.voices.map(
      ({ principal, role, channel, at, answer, reason: why, vouchedBy }): Field => [
        approvalStatusWord(answer),
        `by ${view.people.wordsOf(principal)}, ${roleWord(role)}, through ${inline(channel)}${vouchedWords(vouchedBy, view.people)}, ${stamp(at)}${why === '' ? '' : `: ${inline(why)}`}`,
      ],
    ),
    ...field('closed', closedAt === '' ? '' : stamp(closedAt)),
    ...field('because', inline(reason)),
    ...field('used', usedAt === '' ? '' : stamp(usedAt)),
    ...field('grant', inline(grantId)),
    ['fingerprint', inline(fingerprint)],
  ];
}

/** Who could have said it as well: with them it counts as one person. */
function vouchedWords(vouchedBy: readonly string[], people: People): string {
  if (vouchedBy.length === 0) return '';
  if (vouchedBy.includes(ANYBODY)) return ' (nobody knows who let in that device)';
  return ` (let in by ${vouchedBy.map((each) => people.wordsOf(each)).join(', ')})`;
}

function field(label: string, value: string): readonly Field[] {
  return value === '' ? [] : [[label, value]];
}

/** The commands that answer, to be copied as they stand. */
export function answerCommands(
  { approval, offers }: ShownApproval,
  gateway: string | undefined,
): readonly string[] {
  const deny = `${answerCommand('deny', approval.approvalId, gateway)} --reason "…"`;
  if (wantsPasskey(approval)) return [consoleCommand(gateway), deny];
  const approve = answerCommand('approve', approval.approvalId, gateway);
  const isOneVoice = approval.gates.every(({ quorum }) => quorum <= 1);
  const leases = offers.map(({ name }) => `${approve} --scope session --shape ${inline(name)}`);
  return [approve, ...(isOneVoice ? leases : []), deny];
}

export function answerCommand(
  verb: 'approve' | 'deny' | 'show',
  approvalId: string,
  gateway: string | undefined,
): string {
  return `palyra approvals ${verb} ${inline(approvalId)}${gatewayWords(gateway)}`;
}

/** A yes with a passkey is given in a browser; no command of this program could show one. */
export function wantsPasskey({ gates }: ApprovalRecord): boolean {
  return gates.some(({ strength }) => strength === 'passkey');
}

export function consoleCommand(gateway: string | undefined): string {
  return `palyra console${gatewayWords(gateway)}`;
}

function gatewayWords(gateway: string | undefined): string {
  return gateway === undefined ? '' : ` --gateway ${inline(gateway)}`;
}

/** For somebody who cannot, or would rather not, be asked here. */
export function waitingLine(
  { approval }: ShownApproval,
  { gateway }: Pick<ApprovalView, 'gateway'>,
): string {
  const { approvalId, deadline } = approval;
  const approve = wantsPasskey(approval)
    ? consoleCommand(gateway)
    : answerCommand('approve', approvalId, gateway);
  const deny = answerCommand('deny', approvalId, gateway);
  const until = shortTime(deadline);
  return `it waits until ${until} UTC: \`${approve}\` or \`${deny} --reason "…"\``;
}

function showCommand(
  { approvalId }: ApprovalRecord,
  gateway: string | undefined,
  more: string,
): string {
  return `${answerCommand('show', approvalId, gateway)}${more}`;
}

export function isPending({ status }: Pick<ApprovalRecord, 'status'>): boolean {
  return status === ApprovalStatus.PENDING;
}

export function leftWords({ deadline }: Pick<ApprovalRecord, 'deadline'>, now: Date): string {
  return clockWords(Date.parse(deadline) - now.getTime());
}

export function statusTone(status: ApprovalStatus): Tone {
  switch (status) {
    case ApprovalStatus.GRANTED:
      return 'good';
    case ApprovalStatus.PENDING:
      return 'accent';
    case ApprovalStatus.DENIED:
      return 'bad';
    case ApprovalStatus.EXPIRED:
    case ApprovalStatus.CANCELLED:
    case ApprovalStatus.UNSPECIFIED:
      return 'warning';
  }
  // A status of a newer gateway.
  return 'warning';
}
