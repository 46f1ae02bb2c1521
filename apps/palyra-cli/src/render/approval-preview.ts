import { byteWords, plural } from '@palyra/client';
import { redactText } from '@palyra/kernel';
import { type CallPreview, type NamedFile, SandboxTier } from '@palyra/protocol';
import type { Terminal } from '../terminal.ts';
import { Gutter } from './gutter.ts';
import type { Field } from './layout.ts';
import { executorWord, inline } from './words.ts';

const INDENT = '    ';
/** Longer ones are cut; `--json` has what the gateway keeps of it. */
const MOST_LINES = 400;

/** Where a call would run, as it was proven when the question was asked. */
export function placeFields(preview: CallPreview | undefined): readonly Field[] {
  if (preview === undefined) return [];
  const { tier, executor, posture } = preview;
  return [
    ['runs in', `${tierWord(tier)}, ${executorWord(executor)}`],
    ['proven', inline(posture)],
    ...preview.namedFiles.map(namedField),
  ];
}

/** What a yes holds for as it is now, and what could be another by the time it runs. */
function namedField({ name, sha256, notBound }: NamedFile): Field {
  if (notBound !== '') return ['not bound', `${inline(name)}: ${inline(notBound)}`];
  const state = sha256 === '' ? 'a folder' : `sha256 ${inline(sha256.slice(0, 16))}…`;
  return ['names', `${inline(name)}, as it is now: ${state}`];
}

function tierWord(tier: SandboxTier): string {
  const name = Object.entries(SandboxTier).find(([, number]) => number === tier)?.[0];
  return tier === SandboxTier.UNSPECIFIED ? 'no cage' : `tier ${name ?? tier}`;
}

/** What it would change: no other change is made, whatever becomes of the files meanwhile. */
export function printChange(terminal: Terminal, preview: CallPreview, whole: string): void {
  const { changes, diff, diffBytesLeftOut, refusal } = preview;
  if (refusal !== undefined) {
    const why = inline(`${refusal.message}${refusal.help === '' ? '' : `; ${refusal.help}`}`);
    terminal.print(`  ${terminal.paint('bad', `as things are, it would fail: ${why}`)}`);
  }
  if (changes.length === 0) return;
  terminal.print(
    `  ${terminal.paint('quiet', plural(changes.length, 'file would change', 'files would change'))}`,
  );
  const lines = diff.split('\n');
  const text = new Gutter(terminal, INDENT);
  text.feed(lines.slice(0, MOST_LINES).map(redactText).join('\n'));
  text.close();
  const left = Math.max(lines.length - MOST_LINES, 0);
  if (left === 0 && diffBytesLeftOut === 0) return;
  const more = diffBytesLeftOut === 0 ? '' : ` and ${byteWords(diffBytesLeftOut)}`;
  terminal.print(
    `${INDENT}${plural(left, 'line')}${more} more; the arguments have all of it: \`${whole}\``,
  );
}
