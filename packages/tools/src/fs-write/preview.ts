import { visibleText } from '@palyra/kernel';
import type { Change } from '../workspace/staged-change.ts';

const CONTEXT = 3;

/** One hunk around everything that differs: the lines at both ends that stay are left out. */
export function diffOfWrite({ names, before, after }: Change): string {
  const path = names.join('/');
  const [old, now] = [bytesOf(before), bytesOf(after)].map(textOf);
  if (old === undefined || now === undefined) return `${path} is no text in UTF-8`;
  if (old === now) return '';
  return [
    `--- ${before.kind === 'absent' ? '/dev/null' : `a/${path}`}`,
    `+++ b/${path}`,
    ...hunkOf(linesOf(old), linesOf(now)),
  ].join('\n');
}

function bytesOf(content: Change['before'] | Change['after']): Uint8Array {
  return content.kind === 'absent' ? new Uint8Array() : content.bytes;
}

function textOf(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString();
  return Buffer.from(text).equals(bytes) ? text : undefined;
}

function linesOf(text: string): readonly string[] {
  return text.split(/(?<=\n)/).filter((line) => line !== '');
}

function hunkOf(old: readonly string[], now: readonly string[]): readonly string[] {
  const same = (line: string, place: number) => line === now[place];
  const head = old.findIndex((line, place) => !same(line, place));
  const kept = head < 0 ? old.length : head;
  const most = Math.min(old.length, now.length) - kept;
  let tail = 0;
  while (tail < most && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const from = Math.max(kept - CONTEXT, 0);
  const behind = Math.min(tail, CONTEXT);
  const [oldEnd, nowEnd] = [old.length - tail, now.length - tail];
  return [
    `@@ -${range(from, oldEnd + behind)} +${range(from, nowEnd + behind)} @@`,
    ...old.slice(from, kept).flatMap((line) => shown(' ', line)),
    ...old.slice(kept, oldEnd).flatMap((line) => shown('-', line)),
    ...now.slice(kept, nowEnd).flatMap((line) => shown('+', line)),
    ...old.slice(oldEnd, oldEnd + behind).flatMap((line) => shown(' ', line)),
  ];
}

function range(from: number, end: number): string {
  return `${end > from ? from + 1 : from},${end - from}`;
}

function shown(sign: ' ' | '-' | '+', line: string): readonly string[] {
  const hasEnd = line.endsWith('\n');
  const text = `${sign}${visibleText(hasEnd ? line.slice(0, -1) : line)}`;
  return hasEnd ? [text] : [text, '\\ No newline at end of file'];
}
