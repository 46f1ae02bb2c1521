import { describe, expect, it } from 'vitest';
import { readCommand } from './command.ts';

describe('a command', () => {
  it.each([
    ['git', 'git'],
    ['Git', 'Git'],
    ['python3.14', 'python3.14'],
    ['g++', 'g++'],
    ['apt-get', 'apt-get'],
    ['git.exe', 'git.exe'],
    ['./git', './git'],
    ['.//git', './git'],
    ['scripts/build', './scripts/build'],
    ['./scripts//build', './scripts/build'],
    ['scripts/./build', './scripts/build'],
    ['/usr/bin/git', '/usr/bin/git'],
    ['/usr//bin/./git', '/usr/bin/git'],
    ['//usr/bin/git', '/usr/bin/git'],
  ])('%j has the one spelling %j, which means itself', (text, command) => {
    expect(readCommand(text)).toEqual({ kind: 'read', value: command });
    expect(readCommand(command)).toEqual({ kind: 'read', value: command });
  });

  it.each([
    ['arguments', 'git status', 'holds a space'],
    ['a path with a space', '/opt/my app/run', 'holds a space'],
    ['a tab', 'git\tstatus', 'holds a space'],
    ['a newline', 'git\nrm', 'holds a space'],
    ['a space before', ' git', 'holds a space'],
    ['a wide space', 'git\u3000status', 'holds a space'],
    ['two commands', 'git;rm', 'is no name of a program'],
    ['a pipe', 'cat|sh', 'is no name of a program'],
    ['a background job', 'git&', 'is no name of a program'],
    ['a substitution', '$(id)', 'is no name of a program'],
    ['another substitution', '`id`', 'is no name of a program'],
    ['a variable', '$SHELL', 'is no name of a program'],
    ['an assignment', 'A=b', 'is no name of a program'],
    ['a redirection', 'git>x', 'is no name of a program'],
    ['a pattern', 'gi?', 'is no name of a program'],
    ['a quote', "g'i't", 'is no name of a program'],
    ['a backslash', 'g\\it', 'is no name of a program'],
    ['an option', '-c', 'is no name of a program'],
    ['the folder itself', '.', 'is no name of a program'],
    ['the folder above', '..', 'is no name of a program'],
    ['a hidden name', '.profile', 'is no name of a program'],
    ['a final dot', 'git.', 'is no name of a program'],
    ['a NUL', 'git\0', 'is no name of a program'],
    ['a zero-width space', 'gi\u200Bt', 'is no name of a program'],
    ['a look-alike letter', 'g\u0456t', 'is no name of a program'],
    ['a full-width letter', 'ｇit', 'is no name of a program'],
    ['nothing', '', 'is no name of a program'],
    ['a home', '~/bin/x', 'starts with `~`'],
    ['a way out', '../bin/x', 'holds `..`'],
    ['a way out inside a path', '/usr/bin/../../tmp/x', 'holds `..`'],
    ['a folder', './', 'names a folder'],
    ['the root', '/', 'names a folder'],
    ['a control character in a path', '/usr/bin/gi\u0007t', 'holds `\\u{0007}`'],
    ['a long name', 'x'.repeat(129), 'is no name of a program'],
  ])('is not read with %s', (_what, text, reason) => {
    const reading = readCommand(text);
    expect(reading).toMatchObject({ kind: 'unreadable', reason: expect.stringContaining(reason) });
  });

  it('with arguments in it says where they belong', () => {
    expect(readCommand('git status')).toMatchObject({
      help: 'put the program into `command` and each of its arguments into `args`',
    });
  });
});
