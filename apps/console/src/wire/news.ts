import type { Noun } from './query.ts';

/** Which nouns an entry of the journal changes, by the beginning of its kind. */
const TOUCHED: readonly (readonly [prefix: string, nouns: readonly Noun[]])[] = [
  ['approval.', ['approvals']],
  ['grant.', ['approvals']],
  ['run.', ['runs', 'sessions', 'activity', 'health']],
  ['session.', ['sessions']],
  ['tool.decided', ['activity', 'runs']],
  ['policy.', ['policy', 'health']],
  ['shadow.', ['policy']],
  ['device.', ['devices']],
  ['pairing.', ['devices']],
  ['member.', ['access']],
  ['token.', ['access']],
  ['passkey.', ['passkeys']],
  ['console.', ['devices']],
  ['sandbox.', ['sandbox']],
  ['daemon.', ['health', 'sandbox', 'config', 'doctor', 'models']],
];

export function nounsOf(kind: string): readonly Noun[] {
  return TOUCHED.filter(([prefix]) => kind.startsWith(prefix)).flatMap(([, nouns]) => nouns);
}
