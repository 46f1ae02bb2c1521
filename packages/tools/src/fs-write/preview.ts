import { textHunks, visibleText } from '@palyra/kernel';
import type { Change } from '../workspace/staged-change.ts';

/** Only the lines that differ, and some around them: whoever is asked has to see what is new. */
export function diffOfWrite({ names, before, after }: Change): string {
  const path = names.join('/');
  const [old, now] = [bytesOf(before), bytesOf(after)].map(textOf);
  if (old === undefined || now === undefined) return `${path} is no text in UTF-8`;
  if (old === now) return '';
  return [
    `--- ${before.kind === 'absent' ? '/dev/null' : `a/${path}`}`,
    `+++ b/${path}`,
    ...textHunks(old, now, (line) => visibleText(line)),
  ].join('\n');
}

function bytesOf(content: Change['before'] | Change['after']): Uint8Array {
  return content.kind === 'absent' ? new Uint8Array() : content.bytes;
}

function textOf(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString();
  return Buffer.from(text).equals(bytes) ? text : undefined;
}
