import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../testing/recorded-terminal.ts';
import { helpPaths } from './help.ts';
import { execute } from './program.ts';
import { UsageError } from './usage-error.ts';

async function answer(words: readonly string[]): Promise<string> {
  const { terminal, stdout } = recordedTerminal();
  expect(await execute(words, { terminal, environment: {}, entryFile: '' })).toBe('ok');
  return stdout();
}

describe('`--help --json`', () => {
  it('tells everything about a command that its help does', async () => {
    expect(JSON.parse(await answer(['config', 'get', '--help', '--json']))).toEqual({
      format: 'palyra.cli.v1',
      kind: 'help',
      name: 'palyra config get',
      summary: 'the value of one key',
      usage: 'palyra config get [options] <key>',
      arguments: [
        { name: 'key', summary: 'such as `deployment.profile`', need: 'required', values: [] },
      ],
      options: [
        {
          name: '--json',
          short: null,
          summary: 'answer in JSON, for scripts',
          value: null,
          default: null,
          isRepeatable: false,
        },
        {
          name: '--help',
          short: '-h',
          summary: 'explain this command',
          value: null,
          default: null,
          isRepeatable: false,
        },
      ],
      examples: [
        { line: 'palyra config get deployment.profile', note: 'only the value, for scripts' },
      ],
      subcommands: [],
    });
  });

  it('tells the value and the default of an option', async () => {
    const help = JSON.parse(await answer(['journal', 'tail', '--help', '--json']));
    expect(help.options).toContainEqual({
      name: '--last',
      short: '-n',
      summary: 'so many entries',
      value: 'count',
      default: 20,
      isRepeatable: false,
    });
  });

  it('names the values that an argument takes', async () => {
    expect(JSON.parse(await answer(['completion', '-h', '--json']))).toMatchObject({
      usage: 'palyra completion [options] <shell>',
      arguments: [{ name: 'shell', need: 'required', values: ['bash', 'zsh', 'fish'] }],
    });
  });

  it('lists the commands of a group, but not those for machines', async () => {
    expect(JSON.parse(await answer(['runs', '--help', '--json'])).subcommands).toContainEqual({
      name: 'palyra runs list',
      summary: 'the newest runs',
    });
    expect(await answer(['--help', '--json'])).not.toContain('__complete');
  });

  it.each(helpPaths().map((path) => [path.join(' '), path] as const))(
    'says the same as the text for `palyra %s`',
    async (_, path) => {
      const text = await answer([...path, '--help']);
      const help = JSON.parse(await answer([...path, '--help', '--json']));
      expect(text).toContain(`Usage: ${help.usage}\n`);
      const shown = text.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm);
      expect(help.options.map(({ name }: { name: string }) => name)).toEqual(
        Array.from(shown, ([, name]) => name),
      );
      for (const { name } of help.arguments) expect(text).toContain(name);
      for (const { line } of help.examples) expect(text).toContain(line);
      for (const { name } of help.subcommands)
        expect(text).toContain(`  ${name.split(' ').at(-1)}`);
    },
  );

  it('does not take the value of an option for a command', async () => {
    expect(await answer(['--gateway', 'desk:7443', 'runs', '--help', '--json'])).toBe(
      await answer(['runs', '--help', '--json']),
    );
  });

  it('is what `help … --json` answers too', async () => {
    expect(await answer(['help', 'runs', '--json'])).toBe(
      await answer(['runs', '--help', '--json']),
    );
  });

  it.each([[['jurnal', '--help', '--json']], [['runs', 'nope', '-h', '--json']]])(
    'refuses %j, which is no command',
    async (words) => {
      await expect(answer(words)).rejects.toThrow(UsageError);
    },
  );

  it('leaves alone what stands after two dashes', async () => {
    await expect(answer(['jurnal', '--', '--help', '--json'])).rejects.toThrow(UsageError);
  });
});
