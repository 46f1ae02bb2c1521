import { PalyraError, couldBeOne, groupsOfOne } from '@palyra/kernel';
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
    `the rule \`${weak.ruleId}\` wants the yes confirmed with a passkey`,
    { help: 'answer it in the console, which `palyra console` opens; a no needs no passkey' },
  );
}

/**
 * Whoever has said yes may still say no. Contract: throws INVALID_INPUT for a second yes, and
 * PERMISSION_DENIED for one of somebody else that the same person could have given.
 */
export function demandNewVoice(voice: ApprovalVoice, heard: readonly ApprovalVoice[]): void {
  if (voice.answer !== ApprovalStatus.GRANTED) return;
  if (heard.some(({ principal }) => principal === voice.principal)) {
    throw new PalyraError('INVALID_INPUT', 'you have said yes already', {
      help: 'it waits for somebody else; until then you can still deny it',
    });
  }
  const near = heard.find((each) => couldBeOne(each, voice));
  if (near === undefined) return;
  throw new PalyraError(
    'PERMISSION_DENIED',
    `\`${near.principal}\` has said yes, and one person may have let in the devices of you both`,
    { help: HOW_TO_BE_TWO },
  );
}

const HOW_TO_BE_TWO =
  "somebody else has to answer; from now on, let in each person's device on the gateway's own " +
  'machine: `palyra pairing start --for NAME`';

/** As many people as the most demanding gate wants. Cedar has the last word afterwards. */
export function isEnough(voices: readonly ApprovalVoice[], gates: readonly PolicyGate[]): boolean {
  const people = groupsOfOne(voices.filter(({ answer }) => answer === ApprovalStatus.GRANTED));
  return people.length >= Math.max(1, ...gates.map(({ quorum }) => quorum));
}

function isStrong(shown: string, wanted: string): boolean {
  return STRENGTHS.indexOf(shown) >= STRENGTHS.indexOf(wanted === '' ? 'device' : wanted);
}

function roleWord(role: Role): string {
  if (role === Role.OWNER) return 'an owner';
  return role === Role.ADMIN ? 'an admin' : 'an operator';
}
