import type { GatewayParts } from '../../parts.ts';
import { SYSTEM_PROMPT } from '../system-prompt.ts';
import { tokensOfText, tokensOfTools } from './tokens.ts';

export type RoomParts = Pick<GatewayParts, 'settings' | 'catalogue'>;

/** What fits beside our own words and the tools. */
export function roomFor({ settings, catalogue }: RoomParts): number {
  return settings.context_tokens - tokensOfText(SYSTEM_PROMPT) - tokensOfTools(catalogue.offered());
}

/** Below this much of the room it is worth to go on without telling anything in short. */
const ENOUGH = 0.8;

/**
 * Whether so many tokens leave room enough to go on. INVARIANT: false for what was just found to be too
 * long, so that nothing is told in short twice.
 */
export function leavesRoom(tokens: number, parts: RoomParts): boolean {
  return tokens <= ENOUGH * roomFor(parts);
}
