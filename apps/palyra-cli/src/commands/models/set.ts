import { resolve } from 'node:path';
import type { JsonObject } from '@palyra/kernel';
import { type Invocation, argument, wantsJson } from '../../command.ts';
import { textOf } from '../../config-answer.ts';
import { askDaemonProgram } from '../../daemon-program.ts';
import type { Exit } from '../../exit-codes.ts';
import { readKey } from '../../key-input.ts';
import type { Terminal } from '../../terminal.ts';
import { UsageError } from '../../usage-error.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { shell } = invocation;
  const wish = JSON.stringify(await wishOf(invocation));
  const answer = await askDaemonProgram(shell, ['models', 'set'], wish);
  if (wantsJson(invocation)) {
    const { name, keySource, hasKey, file, holds } = answer;
    shell.terminal.json('model.set', {
      name: name ?? null,
      keySource: keySource ?? null,
      hasKey: hasKey ?? null,
      file: file ?? null,
      holds: holds ?? null,
    });
  } else {
    printSet(shell.terminal, answer);
  }
  return 'ok';
}

async function wishOf(invocation: Invocation): Promise<JsonObject> {
  const provider = argument(invocation, 0);
  const model = invocation.arguments[1];
  if (provider !== 'script' && model === undefined) {
    throw new UsageError(
      `\`palyra models set ${provider}\` needs the name of a model`,
      '`palyra models list --offered` has the names of the provider in use',
    );
  }
  const { text, flags } = invocation;
  const options = ['base-url', 'api', 'key-env', 'key-file'].filter((name) => text.has(name));
  const keys = ['key-env', 'key-file'].filter((name) => text.has(name));
  if (flags.has('key-stdin')) keys.push('key-stdin');
  if (provider === 'script' && (model !== undefined || options.length + keys.length > 0)) {
    throw new UsageError('the script takes nothing else', '`palyra models set script`');
  }
  if (keys.length > 1) {
    throw new UsageError(`\`--${keys.join('` and `--')}\` exclude one another`, 'name one of them');
  }
  const given: readonly (readonly [string, string | undefined])[] = [
    ['provider', provider],
    ['model', model],
    ['baseUrl', text.get('base-url')],
    ['api', apiOf(text.get('api'))],
    ['keyEnv', text.get('key-env')],
    ['keyFile', absolute(text.get('key-file'))],
    ['key', flags.has('key-stdin') ? await readKey(process.stdin) : undefined],
  ];
  return Object.fromEntries(
    given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function apiOf(name: string | undefined): string | undefined {
  if (name === undefined || name === 'chat' || name === 'responses') return name;
  throw new UsageError(`\`--api\` does not take \`${name}\``, 'name `chat` or `responses`');
}

function absolute(file: string | undefined): string | undefined {
  return file === undefined ? undefined : resolve(file);
}

function printSet(terminal: Terminal, answer: JsonObject): void {
  const name = textOf(answer, 'name');
  const mark = terminal.paint('good', terminal.symbols.done);
  const what = name === 'script' ? 'the script, which is no model,' : name;
  terminal.print(`${mark} ${what} is set in ${textOf(answer, 'file')}`);
  const warn = (text: string) =>
    terminal.print(`${terminal.paint('warning', terminal.symbols.warning)} ${text}`);
  const source = textOf(answer, 'keySource');
  if (source !== '' && answer['hasKey'] === true) quietly(terminal, `the key is in ${source}`);
  if (source !== '' && answer['hasKey'] !== true) {
    warn(`${source} is not set here; set it where the gateway is started`);
  }
  if (answer['holds'] === true) {
    quietly(terminal, 'it counts from the next start; then `palyra models test` tries it');
  } else {
    warn('a stronger layer says something else: `palyra config explain models.provider`');
  }
}

function quietly(terminal: Terminal, text: string): void {
  terminal.print(terminal.paint('quiet', `  ${text}`));
}
