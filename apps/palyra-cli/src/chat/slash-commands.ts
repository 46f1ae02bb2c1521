export interface SlashCommand {
  readonly name: SlashName;
  readonly argument?: string;
  readonly summary: string;
}

export type PageName = 'runs' | 'approvals' | 'grants' | 'models' | 'status';

export type SlashName =
  | 'help'
  | 'new'
  | 'sessions'
  | 'rename'
  | 'archive'
  | 'branch'
  | 'runs'
  | 'cancel'
  | 'resume'
  | 'undo'
  | 'approvals'
  | 'grants'
  | 'model'
  | 'status'
  | 'quit';

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: 'help', summary: 'these commands, and the keys' },
  { name: 'new', summary: 'begin another session' },
  { name: 'sessions', summary: 'choose a session' },
  { name: 'rename', argument: 'title', summary: 'give this session a title' },
  { name: 'archive', summary: 'put this session away and begin another' },
  { name: 'branch', argument: '[title]', summary: 'go on from here in a session of its own' },
  { name: 'runs', summary: 'the runs of this session' },
  { name: 'cancel', summary: 'cancel the run, like Ctrl-C' },
  { name: 'resume', summary: 'take up the run that was interrupted, or its model failed' },
  { name: 'undo', summary: 'give back the files that the last run changed' },
  { name: 'approvals', summary: 'what waits for an answer' },
  { name: 'grants', summary: 'what may run without a question' },
  { name: 'model', argument: '[name]', summary: 'show the models, or choose one' },
  { name: 'status', summary: 'how the gateway is' },
  { name: 'quit', summary: 'leave; a run goes on' },
];

export type Slash =
  | { readonly kind: 'command'; readonly name: SlashName; readonly rest: string }
  | { readonly kind: 'unknown'; readonly word: string; readonly meant: SlashName | undefined };

/** Contract: `undefined` for a prompt; `/etc/hosts is empty` is one, a single word never is. */
export function slashOf(text: string): Slash | undefined {
  const parts = /^\/(?:(\S*)|([a-z-]+)\s+(.*))$/s.exec(text.trim());
  if (parts === null) return undefined;
  const [, alone, first = '', rest = ''] = parts;
  const word = alone ?? first;
  const command = SLASH_COMMANDS.find(({ name }) => name === word);
  return command === undefined
    ? { kind: 'unknown', word, meant: nearest(word) }
    : { kind: 'command', name: command.name, rest: rest.trim() };
}

/** Commands that what was typed so far could become. */
export function candidates(text: string): readonly SlashCommand[] {
  if (!/^\/[a-z-]*$/.test(text)) return [];
  return SLASH_COMMANDS.filter(({ name }) => `/${name}`.startsWith(text));
}

/** As far as the candidates agree; with a space when there is only one that takes more words. */
export function completed(text: string): string {
  const [first, ...others] = candidates(text);
  if (first === undefined) return text;
  if (others.length === 0) return `/${first.name}${first.argument === undefined ? '' : ' '}`;
  const names = others.map(({ name }): string => name);
  return `/${names.reduce(sharedStart, first.name)}`;
}

function nearest(word: string): SlashName | undefined {
  const scored = SLASH_COMMANDS.map(({ name }) => ({
    name,
    shared: sharedStart(name, word).length,
  }));
  const best = scored.toSorted((left, right) => right.shared - left.shared)[0];
  return best === undefined || best.shared === 0 ? undefined : best.name;
}

function sharedStart(left: string, right: string): string {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return left.slice(0, length);
}
