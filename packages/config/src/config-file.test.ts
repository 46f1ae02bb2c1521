import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { changeFile, writeConfigFile } from './config-file.ts';
import { setValue } from './edit.ts';
import { prepareHome } from './home.ts';
import { SECTIONS, SampleHome, refusal } from './sample.fixture.ts';

const setDays = (file: string) =>
  changeFile(file, (text) => setValue(SECTIONS, text, { key: 'journal.keep_days', value: '7' }));

describe('changing the file of the operator', () => {
  it('makes it for the owner alone, and what was set is loaded', () => {
    using home = new SampleHome();
    prepareHome(home.places);
    setDays(home.places.configFile);
    expect(statSync(home.places.configFile).mode & 0o777).toBe(0o600);
    expect(home.load().config.journal.keep_days).toBe(7);
  });

  it('keeps the rest of it and leaves nothing beside it but its lock', () => {
    using home = new SampleHome();
    const file = home.writeUserFile('# mine\n[journal]\nkeep_days = 1 # short\n');
    setDays(file);
    expect(readFileSync(file, 'utf8')).toBe('# mine\n[journal]\nkeep_days = 7 # short\n');
    expect(readdirSync(home.places.configDir)).toEqual(['palyra.toml', 'palyra.toml.lock']);
    expect(statSync(`${file}.lock`)).toMatchObject({ size: 0, mode: 0o100_600 });
  });

  it('goes over a draft that a stopped process left behind', () => {
    using home = new SampleHome();
    const file = home.writeUserFile('');
    home.write(`config/palyra.toml.${process.pid}.new`, 'half a');
    writeConfigFile(file, 'whole = true\n');
    expect(readFileSync(file, 'utf8')).toBe('whole = true\n');
  });

  it('does not follow a link in the place of its lock', () => {
    using home = new SampleHome();
    const file = home.writeUserFile('');
    symlinkSync(home.write('elsewhere', ''), `${file}.lock`);
    expect(() => setDays(file)).toThrow('cannot be locked: ELOOP');
  });

  it('is refused where others could put a file of theirs', () => {
    using home = new SampleHome();
    const file = home.writeUserFile('');
    chmodSync(home.places.configDir, 0o777);
    expect(refusal(() => writeConfigFile(file, '')).code).toBe('HOME_UNSAFE');
  });

  it('is refused for a file that is open to others, or not text', () => {
    using home = new SampleHome();
    const file = home.writeUserFile(Buffer.from([0x0a, 0xff]));
    expect(refusal(() => setDays(file)).problems[0]?.origin).toEqual({
      kind: 'user',
      file,
      line: 2,
    });
    chmodSync(file, 0o644);
    expect(refusal(() => setDays(file)).code).toBe('HOME_UNSAFE');
  });

  it('leaves nothing behind when it cannot take its place', () => {
    using home = new SampleHome();
    mkdirSync(home.places.configFile, { recursive: true, mode: 0o700 });
    expect(() => writeConfigFile(home.places.configFile, '')).toThrow('cannot be written: EISDIR');
    expect(readdirSync(home.places.configDir)).toEqual(['palyra.toml']);
  });
});
