import { parseArgs } from 'node:util';
import { PalyraError, quote } from '@palyra/kernel';

export type CommandLine =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'serve'; readonly flags: Flags; readonly until: ServeUntil }
  | { readonly kind: 'offline'; readonly words: readonly string[]; readonly flags: Flags };

/** `stdin-ends`: also when standard input ends, by which whoever started it shows to be alive. */
export type ServeUntil = 'signal' | 'stdin-ends';

/** `--set section.key=value`, the strongest layer of the configuration. */
export type Flags = Readonly<Record<string, string>>;

export const HELP = `palyrad: the Palyra gateway

  palyrad [--set section.key=value]...    serve until SIGTERM or SIGINT
  palyrad --until-stdin-ends              the same, but also stop when standard input ends
  palyrad config show                     every setting and the layer that it comes from
  palyrad config get KEY                  one setting
  palyrad config set KEY VALUE            change your own palyra.toml
  palyrad config explain KEY              what a key takes, which layer won, which lost
  palyrad config validate [FILE]          check every layer, or one file by itself
  palyrad journal verify                  check the chain and signatures of the store
  palyrad models set                      write the model on standard input to palyra.toml
  palyrad sandbox run                     run the order on standard input in a sandbox
  palyrad sandbox status                  what sandboxes this machine can make
  palyrad sandbox prove                   attack them, and keep what came of it
  palyrad sandbox explain TOOL JSON DIR   what a call would run in
  palyrad policy check LAYER FILE...      look at files of rules
  palyrad policy test [FOLDER]            run the cases of a folder
  palyrad policy fmt check|write FILE...  the usual form of files of rules
  palyrad --version | --help

All but the first answer with JSON and need no running daemon; \`palyra\` shows them to people.

Example: palyrad --set log.level=debug
`;

/** Contract: throws INVALID_INPUT for a command line that says anything else. */
export function parseCommandLine(words: readonly string[]): CommandLine {
  const { values, positionals } = parse(words);
  if (values.help === true) return { kind: 'help' };
  if (values.version === true) return { kind: 'version' };
  const flags = Object.fromEntries((values.set ?? []).map(splitFlag));
  const isBound = values['until-stdin-ends'] === true;
  if (positionals.length === 0) {
    return { kind: 'serve', flags, until: isBound ? 'stdin-ends' : 'signal' };
  }
  if (isBound) throw usage('`--until-stdin-ends` is for serving alone');
  return { kind: 'offline', words: positionals, flags };
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
        set: { type: 'string', multiple: true },
        'until-stdin-ends': { type: 'boolean' },
      },
    });
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split('.', 1)[0] ?? '') : '';
    throw usage(`the command line is wrong: ${reason}`, cause);
  }
}

function splitFlag(flag: string): readonly [key: string, value: string] {
  const place = flag.indexOf('=');
  if (place < 1) throw usage(`${quote(flag)} is not \`section.key=value\``);
  return [flag.slice(0, place), flag.slice(place + 1)];
}

export function usage(message: string, cause?: unknown): PalyraError {
  return new PalyraError('INVALID_INPUT', message, { cause, help: '`palyra up --help` shows how' });
}
