/** One thing that the model says or asks for in a turn. */
export type ScriptStep =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool-call'; readonly tool: string; readonly argumentsJson: string };

/** A conversation's model side, written down beforehand. */
export interface Script {
  /** The wait between two words; 0 for none. */
  readonly paceMs: number;
  /** The first answers the first model turn of a conversation, and so on. */
  readonly turns: readonly (readonly ScriptStep[])[];
}

export const SCRIPT_FORMAT = 'palyra.script.v1';

export const SCRIPT_LIMITS = {
  fileBytes: 1024 * 1024,
  turns: 200,
  stepsPerTurn: 100,
  textBytes: 64 * 1024,
  toolNameLength: 128,
  paceMs: 1000,
} as const;

export const DEFAULT_PACE_MS = 12;
