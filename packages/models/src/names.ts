import { hash } from 'node:crypto';

/**
 * Names of tools as every provider takes them: a letter or `_` first, then letters, digits, `_` and
 * `-`, 64 at most. `fs.read` goes as `fs_read`.
 * INVARIANT: two tools never share a name on the wire. Each character has a code of its own that is
 * no other's beginning; `-h` begins none of them, so a shortened name is never mistaken for a whole.
 */
export function wireName(tool: string): string {
  const whole = tool.replace(SPECIAL, codeOf);
  return WIRE_NAME.test(whole) ? whole : shortened(tool);
}

/** Says which tool is meant by a name on the wire. */
export type ToolOf = (wire: string) => string;

/**
 * Contract: what was offered is found again; anything else is taken by its letters, and stays as it
 * is when it is no name of ours. A model may make names up, and an unknown tool is refused later on.
 */
export function toolNames(tools: readonly { readonly name: string }[]): ToolOf {
  const offered = new Map(tools.map(({ name }) => [wireName(name), name]));
  return (wire) => offered.get(wire) ?? spelledOut(wire);
}

const WIRE_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const SPECIAL = /[^A-Za-z0-9]/gu;
const CODED = /_|-u|-d|-x([0-9a-f]{1,6})-/g;
const HASH_LENGTH = 32;

function codeOf(character: string): string {
  if (character === '.') return '_';
  if (character === '_') return '-u';
  if (character === '-') return '-d';
  return `-x${(character.codePointAt(0) ?? 0).toString(16)}-`;
}

function shortened(tool: string): string {
  const start = tool.replaceAll(/[^A-Za-z]/g, '').slice(0, 24);
  return `t${start}-h${hash('sha256', tool).slice(0, HASH_LENGTH)}`;
}

function spelledOut(wire: string): string {
  const tool = wire.replaceAll(CODED, (code, hex: string | undefined) => {
    if (code === '_') return '.';
    if (code === '-u') return '_';
    if (code === '-d') return '-';
    const point = Number.parseInt(hex ?? '', 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : code;
  });
  // A made-up name that only looks coded must not become the name of something else.
  return wireName(tool) === wire ? tool : wire;
}
