/** What a model is to say, whatever the wire. */
export interface Speech {
  readonly reasoning?: readonly string[];
  readonly text?: readonly string[];
  readonly calls?: readonly { readonly name: string; readonly args: object }[];
  readonly usage?: { readonly input: number; readonly output: number; readonly cached: number };
  readonly finish?: 'done' | 'limit' | 'refusal';
}

export function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

export function named(type: string, value: object): string {
  return `event: ${type}\ndata: ${JSON.stringify(value)}\n\n`;
}

/** Arguments arrive in pieces; three, so that one is in the middle of something. */
export function pieces(text: string): readonly string[] {
  const third = Math.ceil(text.length / 3);
  return [text.slice(0, third), text.slice(third, 2 * third), text.slice(2 * third)];
}
