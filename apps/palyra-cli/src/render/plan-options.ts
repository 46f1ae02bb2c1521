import { byteWords } from '@palyra/client';
import { WORKSPACE_IN_CAGE } from '@palyra/kernel';
import type { Field } from './layout.ts';

/** One option of bubblewrap and its words. */
export interface PlanOption {
  readonly name: string;
  readonly words: readonly string[];
}

/** An option is a word with two dashes; what follows belongs to it. A path never begins so. */
export function groupOptions(options: readonly string[]): readonly PlanOption[] {
  const grouped: { readonly name: string; readonly words: string[] }[] = [];
  for (const word of options) {
    if (word.startsWith('--')) grouped.push({ name: word.slice(2), words: [] });
    else grouped.at(-1)?.words.push(word);
  }
  return grouped;
}

const RIGHTS: Readonly<Record<string, string>> = {
  'cap-drop': 'no capability',
  'disable-userns': 'no user namespace inside',
  'new-session': 'no terminal',
  'die-with-parent': 'ends with the gateway',
  clearenv: 'no variable of ours',
};
/** Said by what is told apart from the options. */
const ELSEWHERE = new Set(
  'seccomp json-status-fd chdir perms dir remount-ro assert-userns-disabled gid proc dev'.split(
    ' ',
  ),
);

/** What they come to, in words. Contract: one that nobody knows is shown as it is. */
export function describeOptions(options: readonly PlanOption[]): readonly Field[] {
  const fields: Field[] = [
    ['its own', namespaces(options)],
    ['rights', rights(options)],
    ['read-only', readOnly(options)],
    ['writable', writable(options)],
    ['other', unknown(options)],
  ];
  return fields.filter(([, value]) => value !== '');
}

function namespaces(options: readonly PlanOption[]): string {
  const kinds = options.flatMap(({ name }) =>
    name.startsWith('unshare-') ? [name.slice('unshare-'.length).replace(/-try$/, '')] : [],
  );
  const host = options.find(({ name }) => name === 'hostname')?.words[0];
  const words = kinds.length === 0 ? '' : `${kinds.join(', ')} namespace`;
  return host === undefined ? words : `${words}; it is called \`${host}\``;
}

function rights(options: readonly PlanOption[]): string {
  const uid = options.find(({ name }) => name === 'uid')?.words[0];
  const words = options.flatMap(({ name }) => RIGHTS[name] ?? []);
  return [...(uid === undefined ? [] : [`user ${uid}`]), ...words].join(', ');
}

function isInWorkspace(path: string): boolean {
  return path === WORKSPACE_IN_CAGE || path.startsWith(`${WORKSPACE_IN_CAGE}/`);
}

function readOnly(options: readonly PlanOption[]): string {
  const bound = options.flatMap(({ name, words }) =>
    name.startsWith('ro-bind') || name === 'symlink' ? [words.at(-1) ?? ''] : [],
  );
  return bound.filter((path) => !isInWorkspace(path)).join(' ');
}

function writable(options: readonly PlanOption[]): string {
  const places: string[] = [];
  let size = '';
  for (const { name, words } of options) {
    const [first = ''] = words;
    if (name === 'size') size = byteWords(Number(first));
    if (name === 'tmpfs') places.push(size === '' ? first : `${first} (${size} of memory)`);
    if (name === 'bind-fd' && words.at(-1) === WORKSPACE_IN_CAGE) places.push(WORKSPACE_IN_CAGE);
    if (name === 'dev-bind' || name === 'bind') places.push(words.at(-1) ?? '');
    if (name !== 'size') size = '';
  }
  return places.join(', ');
}

function unknown(options: readonly PlanOption[]): string {
  const known = /^(unshare-|ro-bind|bind|dev-bind|symlink|size|tmpfs|hostname|uid)/;
  return options
    .filter(({ name }) => !known.test(name) && !(name in RIGHTS) && !ELSEWHERE.has(name))
    .map(({ name, words }) => [`--${name}`, ...words].join(' '))
    .join(' ');
}
