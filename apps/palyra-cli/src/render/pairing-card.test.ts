import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { bigPin, clockWords, pairWords, printQr } from './pairing-card.ts';

describe('the card of a pairing', () => {
  it('shows a PIN in digits of three rows, in two groups', () => {
    expect(bigPin('123456')).toEqual([
      ' ╻  ╺━┓ ╺━┓     ╻ ╻ ┏━╸ ┏━╸',
      ' ┃  ┏━┛  ━┫     ┗━┫ ┗━┓ ┣━┓',
      ' ╹  ┗━╸ ╺━┛       ╹ ╺━┛ ┗━┛',
    ]);
  });

  it('shows anything else as plain, visible text', () => {
    expect(bigPin('1\u001b2')).toEqual(['1\\u{001b}2']);
  });

  it('draws the link where somebody looks, and nothing into a pipe', async () => {
    const link = `palyra-pair:v1?a=127.0.0.1:7443&f=${'a'.repeat(64)}`;
    const looked = recordedTerminal({ columns: 80 });
    await printQr(looked.terminal, link);
    expect(looked.stdout()).toMatch(/[▀▄█]{8}/);
    const piped = recordedTerminal();
    await printQr(piped.terminal, link);
    expect(piped.stdout()).toBe('');
  });

  it('says so where the picture has no room', async () => {
    const narrow = recordedTerminal({ columns: 40 });
    await printQr(narrow.terminal, `palyra-pair:v1?a=127.0.0.1:7443&f=${'a'.repeat(64)}`);
    expect(narrow.stdout()).toBe('');
    expect(narrow.stderr()).toMatch(
      /^the QR code needs \d+ columns, and here are 40: use the link\n/,
    );
  });

  it('says what to type, with the addresses of this gateway', () => {
    expect(pairWords(['192.0.2.7:7443', 'gateway.lan:7443'])[1]).toBe(
      '  `palyra pair 192.0.2.7:7443` (or at gateway.lan:7443), which asks for the PIN,',
    );
  });

  it('counts down in minutes and seconds, never below nothing', () => {
    expect(clockWords(300_000)).toBe('5:00');
    expect(clockWords(61_200)).toBe('1:02');
    expect(clockWords(-5)).toBe('0:00');
  });
});
