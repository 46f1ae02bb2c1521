import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { prepareHome } from './home.ts';
import { SampleHome, refusal } from './sample.fixture.ts';

const set = (key: string, value: string) => ({ key, value });

describe('changing the configuration', () => {
  it('writes nothing when the new value contradicts another', () => {
    using home = new SampleHome();
    const file = home.writeUserFile('[transport]\ntls = true\n');
    const act = () => home.change({}, set('transport.egress', 'open'));
    expect(refusal(act).code).toBe('CONFIG_CONTRADICTION');
    expect(readFileSync(file, 'utf8')).toBe('[transport]\ntls = true\n');
  });

  it('makes no file when another layer is refused, and says which', () => {
    using home = new SampleHome();
    prepareHome(home.places);
    const environment = { PALYRA_JOURNAL_KEEP_DAYS: '0' };
    const act = () => home.change({ environment }, set('transport.listen', '::1'));
    expect(refusal(act).message).toContain('PALYRA_JOURNAL_KEEP_DAYS');
    expect(existsSync(home.places.configFile)).toBe(false);
  });

  it('mends a file key by key', () => {
    using home = new SampleHome();
    home.writeUserFile('[journal]\nkeep_days = 0\n[transport]\nratio = 2\n');
    home.change({}, set('transport.ratio', '1'));
    expect(refusal(() => home.load()).problems).toMatchObject([{ key: 'journal.keep_days' }]);
    home.change({}, set('journal.keep_days', '3'));
    expect(home.load().config).toMatchObject({ journal: { keep_days: 3 } });
  });

  it('mends a file also while the environment is refused', () => {
    using home = new SampleHome();
    home.writeUserFile('[journal]\nkeep_days = 0\n');
    const environment = { PALYRA_TRANSPORT_RATIO: '2' };
    home.change({ environment }, set('journal.keep_days', '3'));
    expect(home.load().config.journal.keep_days).toBe(3);
  });

  it('mends a contradiction and another fault one after the other, in either order', () => {
    const days = set('journal.keep_days', '3');
    const egress = set('transport.egress', 'closed');
    for (const [first, second] of [
      [days, egress],
      [egress, days],
    ] as const) {
      using home = new SampleHome();
      home.writeUserFile('[journal]\nkeep_days = 0\n[transport]\ntls = true\negress = "open"\n');
      home.change({}, first);
      home.change({}, second);
      expect(home.load().config).toMatchObject({ journal: { keep_days: 3 } });
    }
  });

  it('writes no contradiction beside another fault either', () => {
    using home = new SampleHome();
    const text = '[journal]\nkeep_days = 0\n[transport]\ntls = true\n';
    const file = home.writeUserFile(text);
    const act = () => home.change({}, set('transport.egress', 'open'));
    expect(refusal(act).code).toBe('CONFIG_CONTRADICTION');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('knows a fault again that another line has moved down', () => {
    using home = new SampleHome();
    const file = home.writeUserFile('[journal]\n[transport]\nratio = 2\n');
    home.change({}, set('journal.keep_days', '3'));
    expect(readFileSync(file, 'utf8')).toBe('[journal]\nkeep_days = 3\n[transport]\nratio = 2\n');
  });

  it('does not count a fault of the file as leave to add another', () => {
    using home = new SampleHome();
    const text = '[transport]\nratio = 2\n';
    const file = home.writeUserFile(text);
    const workspaceFile = home.write('workspace.toml', '[journal]\nsegment_bytes = 60000\n');
    const act = () => home.change({ workspaceFile }, set('journal.segment_bytes', '5000'));
    expect(refusal(act).code).toBe('CONFIG_WIDENED');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});
