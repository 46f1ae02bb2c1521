import type { CallStory } from './call.ts';

/**
 * What a call changed, as a unified diff, as far as its arguments tell: a patch is one, and of a file
 * that was written they hold what was put there. Contract: empty where they do not tell.
 */
export function diffOf({ proposal: { tool, arguments: given } }: CallStory): string {
  const { patch, path, content, mode } = given ?? {};
  if (tool === 'fs.patch' && typeof patch === 'string') return patch;
  if (tool !== 'fs.write' || typeof path !== 'string' || typeof content !== 'string') return '';
  const isNew = mode !== 'replace' && mode !== 'append';
  const lines = content.replace(/\n$/, '').split('\n');
  return [
    `--- ${isNew ? '/dev/null' : path}`,
    `+++ ${path}`,
    `@@ ${isNew ? 'new file' : WHERE[mode]} @@`,
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n');
}

const WHERE = {
  append: 'at the end of the file',
  replace: 'in place of all that was there',
} as const;
