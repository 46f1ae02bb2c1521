import { plural } from '@palyra/client';
import { cageWords } from '@palyra/kernel';
import type { GrantShape, ShapePast, ToolProposal } from '@palyra/protocol';
import { callLine, commandLine, inline } from './call-words.ts';

/** Which calls a shape covers. What it does not name it does not cover. `call` is the one asked about. */
export function shapeWords(shape: GrantShape, call?: ToolProposal): string {
  const { tool, argumentsSha256 } = shape;
  if (argumentsSha256 === '') return inline(`${tool}: ${shapeParts(shape).join(', ')}`);
  if (call !== undefined) return `exactly this call: ${inline(tool)} ${callLine(call)}`;
  return inline(`${tool} with exactly the arguments ${argumentsSha256.slice(0, 12)}…`);
}

function shapeParts(shape: GrantShape): readonly string[] {
  const { executable, argumentPrefix, directory, tier, methods, scheme } = shape;
  const isProcess = executable !== '';
  const command = `\`${commandLine([executable, ...argumentPrefix])}\` and any further arguments`;
  return [
    ...(isProcess ? [command, `in \`${directory}\` or below`] : []),
    ...(tier === '' ? [] : [`in tier ${tier}`]),
    ...(methods.length === 0 ? [] : [`${methods.join(', ')} by ${scheme}`]),
    ...(isProcess ? [cageWords(tier, hostWords(shape))] : placeWords(shape)),
  ];
}

/** Of a tool that touches nothing but what its call names. */
function placeWords(shape: GrantShape): readonly string[] {
  return [
    ...(shape.readsUnder.length === 0 ? [] : [`reading below ${shape.readsUnder.join(', ')}`]),
    ...(shape.writesUnder.length === 0 ? [] : [`writing below ${shape.writesUnder.join(', ')}`]),
    hostWords(shape),
  ];
}

function hostWords({ hosts }: GrantShape): string {
  if (hosts.length === 0) return 'without network';
  return `reaching only ${hosts.map(({ name, port }) => `${name}:${port}`).join(', ')}`;
}

/** What a grant of a shape would have let through. */
export function pastWords(past: ShapePast): string {
  const { covered, asked, denied, inSession, isCut, since } = past;
  const when = isCut ? `Since ${inline(since)}, as far as it was looked` : 'In the last 7 days';
  if (covered === 0) return `${when}: no other call`;
  const parts = [`${asked} asked about`, `${denied} denied`, `${inSession} in this session`];
  return `${when}: ${plural(covered, 'other call')} (${parts.join(', ')})`;
}
