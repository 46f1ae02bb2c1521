import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../testing/recorded-terminal.ts';

const RED_X = '\u001b[31mx\u001b[39m';

describe('terminal', () => {
  it('colours where somebody looks', () => {
    const { terminal } = recordedTerminal({ columns: 80, environment: {} });
    expect(terminal.paint('bad', 'x')).toBe(RED_X);
  });

  it('does not colour into a pipe', () => {
    const { terminal } = recordedTerminal({ environment: {} });
    expect(terminal.paint('bad', 'x')).toBe('x');
  });

  it('does not colour when NO_COLOR is set, and does when it is empty', () => {
    const set = recordedTerminal({ columns: 80, environment: { NO_COLOR: '1' } });
    const empty = recordedTerminal({ columns: 80, environment: { NO_COLOR: '' } });
    expect(set.terminal.paint('bad', 'x')).toBe('x');
    expect(empty.terminal.paint('bad', 'x')).toBe(RED_X);
  });

  it('lets FORCE_COLOR colour a pipe, and NO_COLOR win over it', () => {
    const forced = recordedTerminal({ environment: { FORCE_COLOR: '1' } });
    const both = recordedTerminal({ environment: { FORCE_COLOR: '1', NO_COLOR: '1' } });
    expect(forced.terminal.paint('bad', 'x')).toBe(RED_X);
    expect(both.terminal.paint('bad', 'x')).toBe('x');
  });

  it('uses plain symbols and no colour on a dumb terminal', () => {
    const { terminal } = recordedTerminal({ columns: 80, environment: { TERM: 'dumb' } });
    expect(terminal.symbols.done).toBe('+');
    expect(terminal.paint('bad', 'x')).toBe('x');
  });

  it('shows progress only where somebody looks', () => {
    const pipe = recordedTerminal();
    pipe.terminal.progress('half way');
    expect(pipe.stderr()).toBe('');
    const looked = recordedTerminal({ columns: 80 });
    looked.terminal.progress('half way');
    expect(looked.stderr()).toBe('\r\u001b[Khalf way');
  });

  it('takes progress away before anything else is said, and never half a line', () => {
    const { terminal, stderr } = recordedTerminal({ columns: 80 });
    terminal.progress('4:59 left');
    terminal.print('more');
    expect(stderr()).toBe('\r\u001b[K4:59 left\r\u001b[K');
    terminal.write('half a line');
    terminal.progress('4:58 left');
    expect(stderr()).not.toContain('4:58');
    terminal.write(' and its end\n');
    terminal.progress('4:57 left');
    expect(stderr()).toContain('4:57 left');
  });

  it('names the version of its JSON first, on one line', () => {
    const { terminal, stdout } = recordedTerminal();
    terminal.json('status', { text: 'a\nb' });
    expect(stdout()).toBe('{"format":"palyra.cli.v1","kind":"status","text":"a\\nb"}\n');
  });

  it('tells when the reader of a pipe has gone', () => {
    const { breakPipe, readerGone } = recordedTerminal();
    breakPipe('EPIPE');
    expect(readerGone()).toBe(1);
  });

  it('does not take any other trouble for a reader that has gone', () => {
    const { breakPipe, readerGone, failures } = recordedTerminal();
    for (const code of ['ENOSPC', 'EIO']) breakPipe(code);
    expect(readerGone()).toBe(0);
    expect(failures).toEqual(['ENOSPC', 'EIO']);
  });

  it('brings nothing to a terminal through JSON that it obeys or hides, and keeps the value', () => {
    const { terminal, stdout } = recordedTerminal();
    const text = '\u009b2J \u007f \u202e \u200b \u{e0041} \ud800 \\ \\u{202e} \\\u202e "\n" é ✓ 👍';
    terminal.json('x', { [`key\u0085`]: text });
    expect(stdout()).toBe(
      '{"format":"palyra.cli.v1","kind":"x","key\\u0085":"' +
        '\\u009b2J \\u007f \\u202e \\u200b \\udb40\\udc41 \\ud800 ' +
        '\\\\ \\\\u{202e} \\\\\\u202e \\"\\n\\" é ✓ 👍"}\n',
    );
    expect(JSON.parse(stdout())).toMatchObject({ 'key\u0085': text });
  });
});
