import type { ToolHands } from '../hands.ts';
import type { LeftOut } from './walk.ts';

/**
 * The first line is ours and says what follows; whatever the rest looks like, it comes from files.
 */
export function answer(head: readonly string[], body: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${head.join('; ')}\n`), body]);
}

/** Whole if it fits; else the first lines, and the name under which `fs.read` has all of them. */
export async function answerOrSpill(
  hands: ToolHands,
  head: readonly string[],
  lines: readonly string[],
): Promise<Uint8Array> {
  const body = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  if (body.length <= hands.limits.outputBytes) return answer(head, body);
  const id = await hands.artifacts.put(body);
  const end = body.lastIndexOf(NEWLINE, hands.limits.outputBytes - 1) + 1;
  const page = body.subarray(0, end);
  const shown = page.toString('latin1').split('\n').length - 1;
  const whole = `all ${lines.length} lines are in \`artifact:${id}\``;
  const further = `read on there with \`fs.read\` from line ${shown + 1}`;
  return answer([...head, whole, further], page);
}

export function saysLeftOut({ ignored, withheld, unreadable, isCut }: LeftOut): readonly string[] {
  return [
    ...(ignored === 0 ? [] : [`${ignored} left out by ignore files`]),
    ...(withheld === 0 ? [] : [`${withheld} left out as secret or not for tools`]),
    ...(unreadable === 0 ? [] : [`${unreadable} could not be read`]),
    ...(isCut ? ['there is more: start at a folder further down'] : []),
  ];
}

const NEWLINE = 0x0a;
