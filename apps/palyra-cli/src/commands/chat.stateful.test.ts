import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli } from '../../testing/cli.ts';
import {
  type Home,
  type RunningDaemon,
  homeWithSlowModel,
  homeWithTurns,
  startDaemon,
} from '../../testing/daemon.ts';
import { Pty } from '../../testing/pty.ts';

const ENTER = '\r';
const BACKSPACE = '\u007f';
const CTRL_C = '\u0003';

/** Speaks, wants to run a program, and speaks again. */
const TURNS = [
  [
    { text: 'Let me **look** \u001b]52;c;ZXZpbA==\u0007at it.\n' },
    { tool: 'process.run', arguments: { command: 'sh', args: ['-c', 'echo it was here'] } },
  ],
  [{ text: 'All is done.\n' }],
];

/** The terminal is as it was: the cursor is seen, and a paste is keys again. */
function expectRestored(raw: string): void {
  expect(raw.lastIndexOf('\u001b[?25h')).toBeGreaterThan(raw.lastIndexOf('\u001b[?25l'));
  expect(raw.lastIndexOf('\u001b[?2004l')).toBeGreaterThan(raw.lastIndexOf('\u001b[?2004h'));
}

describe('palyra chat with a model that works', () => {
  let home: Home;
  let daemon: RunningDaemon;
  let sessionId = '';

  beforeAll(async () => {
    home = await homeWithTurns(TURNS);
    daemon = await startDaemon(home.path);
  });
  afterAll(async () => {
    await daemon[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });

  it('shows what it says, asks before a program runs, and ends when told to', async () => {
    const chat = new Pty(['chat'], { environment: { PALYRA_HOME: home.path } });
    await send(chat, 'go');
    await chat.says('let it run?');
    expect(chat.text).toContain("sh -c 'echo it was here'");
    // A key that comes before the question could be read is no answer.
    while (!chat.hasSaid('granted')) {
      chat.press('y');
      await delay(400);
    }
    await chat.says('All is done.');
    await chat.says(/✓ process\.run .*granted · \d+ ms · tier [bc]/);
    await chat.says('done ·');
    // A yes too many was typed as text.
    chat.press(`${BACKSPACE.repeat(9)}/quit`);
    await chat.says('leave; a run goes on');
    chat.press(ENTER);
    expect(await chat.end()).toBe(0);
    sessionId = /go on with: palyra chat --session ([0-9A-Z]{26})/.exec(chat.text)?.[1] ?? '';
    expect(chat.text).toContain(String.raw`│ Let me look \u{001b}]52;c;ZXZpbA==\u{0007}at it.`);
    expect(chat.raw).not.toContain('\u001b]52');
    expectRestored(chat.raw);
  });

  it('needs a terminal to type at and one to draw on, and lets standard error go to a file', async () => {
    const environment = { PALYRA_HOME: home.path };
    const errorsTo = join(home.path, 'chat-errors');
    const chat = new Pty(['chat', '--session', sessionId], { environment, errorsTo });
    await chat.says('│ All is done.');
    chat.terminate();
    expect(await chat.end()).toBe(0);
    expect(stripVTControlCharacters(await readFile(errorsTo, 'utf8'))).toBe('');
    expectRestored(chat.raw);
  });

  it('takes a session up where it was', async () => {
    const environment = { PALYRA_HOME: home.path };
    const chat = new Pty(['chat', '--session', sessionId], { environment, columns: 40 });
    await chat.says('│ All is done.');
    chat.press('\u001b[A');
    await chat.says(/─\s+› go/);
    chat.terminate();
    expect(await chat.end()).toBe(0);
    expectRestored(chat.raw);
  });
});

describe('palyra chat with a model that goes on and on', () => {
  let home: Home;
  let daemon: RunningDaemon;

  beforeAll(async () => {
    home = await homeWithSlowModel();
    daemon = await startDaemon(home.path);
  });
  afterAll(async () => {
    await daemon[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });

  it('cancels the run with the first Ctrl-C, and leaves with two more', async () => {
    const chat = new Pty(['chat'], { environment: { PALYRA_HOME: home.path, NO_COLOR: '1' } });
    await send(chat, 'talk');
    await chat.says('│ word');
    chat.press(CTRL_C);
    await chat.says('cancelled ·');
    chat.press(CTRL_C);
    await chat.says('Ctrl-C again leaves');
    chat.press(CTRL_C);
    expect(await chat.end()).toBe(0);
    expectRestored(chat.raw);
    // No colour: the only looks are the cursor's.
    const looks = chat.raw.split('\u001b').filter((part) => /^\[[\d;]*m/.test(part));
    expect(looks.filter((part) => !/^\[2?7m/.test(part))).toEqual([]);
  });

  it('waits for a gateway that went away, and hears what became of the run', async () => {
    const chat = new Pty(['chat'], { environment: { PALYRA_HOME: home.path } });
    await send(chat, 'talk');
    await chat.says('│ word');
    await daemon[Symbol.asyncDispose]();
    await chat.says('the gateway does not answer');
    daemon = await startDaemon(home.path);
    await chat.says('the run was interrupted');
    chat.terminate();
    expect(await chat.end()).toBe(0);
    expectRestored(chat.raw);
  });
});

describe('palyra chat without a person', () => {
  it('says what to do instead', async () => {
    const piped = await cli(['chat']);
    expect(piped.code).toBe(2);
    expect(piped.stderr).toMatch(/a chat needs a terminal[\s\S]*palyra run/);
    const json = await cli(['chat', '--json']);
    expect(json.code).toBe(2);
    expect(json.stdout).toMatch(/"code":"INVALID_INPUT"/);
  });
});

async function send(chat: Pty, prompt: string): Promise<void> {
  await chat.says('ask for something');
  chat.press(prompt);
  await chat.says(`› ${prompt}`);
  chat.press(ENTER);
}
