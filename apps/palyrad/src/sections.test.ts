import { unboundedKeys } from '@palyra/config';
import { type TempHome, tempHome } from '@palyra/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SECTIONS, loadSettings } from './sections.ts';

let home: TempHome;
beforeEach(async () => {
  home = await tempHome();
});
afterEach(() => home[Symbol.asyncDispose]());

const load = (flags: Readonly<Record<string, string>>) =>
  loadSettings({ environment: {}, places: home.places, workspaceDir: home.path }, flags);

describe('the sections of palyra.toml', () => {
  it('bound every key', () => {
    expect(unboundedKeys(SECTIONS)).toEqual([]);
  });

  it('take as much in a message as the largest entry of the journal needs', () => {
    expect(load({}).config.transport.max_message_bytes).toBe(8_388_608);
    const large = { 'journal.entry_bytes': '16777216' };
    expect(() => load(large)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_CONTRADICTION',
        problems: [
          expect.objectContaining({
            key: 'transport.max_message_bytes',
            help: 'make `transport.max_message_bytes` at least 22435160',
          }),
        ],
      }),
    );
    load({ ...large, 'transport.max_message_bytes': '22435160' });
  });
});
