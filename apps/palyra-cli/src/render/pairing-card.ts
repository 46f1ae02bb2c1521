import type { Terminal } from '../terminal.ts';
import { inline } from './words.ts';

/** Digits of three rows, so that a PIN can be read across a desk. */
const DIGITS: Readonly<Record<string, readonly [string, string, string]>> = {
  '0': ['┏━┓', '┃ ┃', '┗━┛'],
  '1': [' ╻ ', ' ┃ ', ' ╹ '],
  '2': ['╺━┓', '┏━┛', '┗━╸'],
  '3': ['╺━┓', ' ━┫', '╺━┛'],
  '4': ['╻ ╻', '┗━┫', '  ╹'],
  '5': ['┏━╸', '┗━┓', '╺━┛'],
  '6': ['┏━╸', '┣━┓', '┗━┛'],
  '7': ['╺━┓', '  ┃', '  ╹'],
  '8': ['┏━┓', '┣━┫', '┗━┛'],
  '9': ['┏━┓', '┗━┫', '╺━┛'],
  ' ': ['   ', '   ', '   '],
};

/** Contract: the plain text for anything that is not digits. */
export function bigPin(pin: string): readonly string[] {
  const spaced = pin.replace(/^(\d{3})(\d{3})$/, '$1 $2').split('');
  const shapes = spaced.map((digit) => DIGITS[digit]);
  if (shapes.some((shape) => shape === undefined)) return [inline(pin)];
  return [0, 1, 2].map((row) => shapes.map((shape) => shape?.[row] ?? '').join(' '));
}

/** The link as a picture for a camera, where somebody looks and the terminal can draw it. */
export async function printQr(terminal: Terminal, link: string): Promise<void> {
  if (!terminal.isInteractive || terminal.symbols.done !== '✓') return;
  const { renderUnicodeCompact } = await import('uqr');
  const lines = renderUnicodeCompact(link, { border: 2 }).split('\n');
  const columns = Math.max(...lines.map((line) => line.length));
  if (columns > terminal.width) {
    terminal.note(
      `the QR code needs ${columns} columns, and here are ${terminal.width}: use the link\n`,
    );
    return;
  }
  for (const line of lines) terminal.print(line);
}

/** What to type on the new device. Contract: the addresses are those of the link, likeliest first. */
export function pairWords(addresses: readonly string[]): readonly string[] {
  const [first = 'HOST', ...others] = addresses.map(inline);
  const elsewhere = others.length === 0 ? '' : ` (or at ${others.join(', ')})`;
  return [
    'on the new device:',
    `  \`palyra pair ${first}\`${elsewhere}, which asks for the PIN,`,
    '  or `palyra pair -`, which asks for the link',
  ];
}

export function clockWords(ms: number): string {
  const seconds = Math.max(Math.ceil(ms / 1000), 0);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
