import { type PolicyFile, PolicyLayer } from '@palyra/protocol';

export interface DraftFile {
  readonly name: string;
  readonly text: string;
}

/** The operator's files as they would be. */
export type Draft = readonly DraftFile[];

const FIRST: DraftFile = {
  name: 'operator.cedar',
  text: '// Rules of your own. What is not allowed here or above is denied.\n',
};

/** As they are in force. */
export function ownFiles(files: readonly PolicyFile[]): Draft {
  const own = files.filter(({ layer }) => layer === PolicyLayer.OPERATOR);
  return own.map(({ name, text }) => ({ name, text }));
}

/** Where there are none, an empty one to begin with. */
export function draftOf(files: readonly PolicyFile[]): Draft {
  const own = ownFiles(files);
  return own.length === 0 ? [FIRST] : own;
}

export function withText(draft: Draft, name: string, text: string): Draft {
  return draft.map((file) => (file.name === name ? { name, text } : file));
}

/** Contract: a name that nobody has yet. */
export function withNewFile(draft: Draft): Draft {
  const names = new Set(draft.map(({ name }) => name));
  const free = Array.from({ length: draft.length + 1 }, (_, index) => `rules-${index + 1}.cedar`);
  return [...draft, { name: free.find((name) => !names.has(name)) ?? 'rules.cedar', text: '' }];
}

export function withoutFile(draft: Draft, name: string): Draft {
  return draft.filter((file) => file.name !== name);
}

export function isSame(one: Draft, other: Draft): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** As the protocol names a candidate. */
export function candidateOf(draft: Draft) {
  const files = draft.map(({ name, text }) => ({ layer: PolicyLayer.OPERATOR, name, text }));
  return { candidate: { case: 'files' as const, value: { files } } };
}

export const ACTIVE = {
  candidate: { case: 'policySetHash' as const, value: 'active' },
};
