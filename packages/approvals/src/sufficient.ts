import { PalyraError } from '@palyra/kernel';
import { ApprovalStatus, type ApprovalVoice, type PolicyGate, Role } from '@palyra/protocol';

const STRENGTHS: readonly string[] = ['device', 'passkey'];

/** Contract: throws PERMISSION_DENIED when no gate could count this voice; a no needs no strength. */
export function demandVoice(voice: ApprovalVoice, gates: readonly PolicyGate[]): void {
  const { role, strength, answer } = voice;
  const short = gates.find(({ approvers }) => role < Math.max(approvers, Role.OPERATOR));
  if (short !== undefined) {
    throw new PalyraError(
      'PERMISSION_DENIED',
      `the rule \`${short.ruleId}\` wants an answer of somebody with a higher role`,
      { help: `ask ${roleWord(short.approvers)}` },
    );
  }
  if (answer === ApprovalStatus.DENIED) return;
  const weak = gates.find((gate) => !isStrong(strength, gate.strength));
  if (weak === undefined) return;
  throw new PalyraError(
    'PERMISSION_DENIED',
    `the rule \`${weak.ruleId}\` wants the answer confirmed with a passkey`,
    { help: 'answer in the web console, with a passkey' },
  );
}

/** As many people as the most demanding gate wants. Cedar has the last word afterwards. */
export function isEnough(voices: readonly ApprovalVoice[], gates: readonly PolicyGate[]): boolean {
  const people = new Set(
    voices
      .filter(({ answer }) => answer === ApprovalStatus.GRANTED)
      .map(({ principal }) => principal),
  );
  return people.size >= Math.max(1, ...gates.map(({ quorum }) => quorum));
}

function isStrong(shown: string, wanted: string): boolean {
  return STRENGTHS.indexOf(shown) >= STRENGTHS.indexOf(wanted === '' ? 'device' : wanted);
}

function roleWord(role: Role): string {
  if (role === Role.OWNER) return 'an owner';
  return role === Role.ADMIN ? 'an admin' : 'an operator';
}
