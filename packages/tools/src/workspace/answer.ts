import type { LeftOut } from './walk.ts';

/**
 * The first line is ours and says what follows; whatever the rest looks like, it comes from files.
 */
export function answer(head: readonly string[], body: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${head.join('; ')}\n`), body]);
}

export function answerLines(head: readonly string[], lines: readonly string[]): Uint8Array {
  return answer(head, Buffer.from(lines.map((line) => `${line}\n`).join('')));
}

export function counted(amount: number, one: string): string {
  return `${amount} ${amount === 1 ? one : `${one}s`}`;
}

export function saysLeftOut({ ignored, withheld, unreadable, isCut }: LeftOut): readonly string[] {
  return [
    ...(ignored === 0 ? [] : [`${ignored} left out by ignore files`]),
    ...(withheld === 0 ? [] : [`${withheld} left out as secret or not for tools`]),
    ...(unreadable === 0 ? [] : [`${unreadable} could not be read`]),
    ...(isCut ? ['there is more: start at a folder further down'] : []),
  ];
}
