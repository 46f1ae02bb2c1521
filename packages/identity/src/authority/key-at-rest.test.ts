import { generateKeyPairSync } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { PalyraError } from '@palyra/kernel';
import { tempHome, type TempHome } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { openKeyring } from './key-at-rest.ts';

describe('a key at rest', () => {
  it('is sealed, and read again by the next start', async () => {
    await using home = await tempHome();
    const key = freshKey();
    openKeyring(home.places, 'make').add('a.key', key);
    const file = `${home.places.keysDir}/a.key`;
    expect(readFileSync(file, 'utf8')).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----\n/);
    expect(openKeyring(home.places, 'existing').read('a.key')?.key.equals(key)).toBe(true);
  });

  it('lies in files and directories that only we may use, and leaves no drafts', async () => {
    await using home = await tempHome();
    const keyring = openKeyring(home.places, 'make');
    keyring.add('a.key', freshKey());
    keyring.replace('b.pem', { key: freshKey(), certificatePem: '' });
    const { keysDir, stateDir } = home.places;
    expect(readdirSync(keysDir).toSorted()).toEqual(['a.key', 'b.pem', 'identity.passphrase']);
    for (const name of readdirSync(keysDir)) expect(modeOf(`${keysDir}/${name}`)).toBe(0o600);
    expect([modeOf(keysDir), modeOf(stateDir)]).toEqual([0o700, 0o700]);
  });

  it('is never replaced by another that is added', async () => {
    await using home = await tempHome();
    const keyring = openKeyring(home.places, 'make');
    const first = freshKey();
    keyring.add('a.key', first);
    keyring.add('a.key', freshKey());
    expect(keyring.read('a.key')?.key.equals(first)).toBe(true);
  });

  it('that is not there is no fault', async () => {
    await using home = await tempHome();
    const keyring = openKeyring(home.places, 'make');
    expect(keyring.read('a.key')).toBeUndefined();
    keyring.remove('a.key');
    expect(keyring.read('a.key')).toBeUndefined();
  });

  it('does not get another passphrase when its own is lost', async () => {
    await using home = await tempHome();
    openKeyring(home.places, 'make').add('a.key', freshKey());
    rmSync(passphraseFile(home));
    expect(faultOf(() => openKeyring(home.places, 'existing'))).toBe(
      'AUTHORITY_UNUSABLE: the passphrase of the keys is missing',
    );
    expect(readdirSync(home.places.keysDir)).toEqual(['a.key']);
  });

  it.each(['', 'short\n', '0'.repeat(64), 'x'.repeat(40_000)])(
    'refuses a passphrase that it has not made',
    async (text) => {
      await using home = await tempHome();
      openKeyring(home.places, 'make');
      writeFileSync(passphraseFile(home), text);
      expect(faultOf(() => openKeyring(home.places, 'existing'))).toMatch(/^AUTHORITY_UNUSABLE: /);
    },
  );
});

describe('a key that was tampered with', () => {
  it.each([
    { what: 'emptied', text: () => '' },
    { what: 'cut short', text: (sealed: string) => sealed.slice(0, 200) },
    { what: 'sealed with another passphrase', text: () => foreignlySealed() },
    { what: 'not sealed', text: () => exported(freshKey()) },
    { what: 'longer than any key', text: (sealed: string) => sealed.repeat(200) },
  ])('is refused when $what, and nothing of it is told', async ({ text }) => {
    await using home = await tempHome();
    const keyring = openKeyring(home.places, 'make');
    keyring.add('a.key', freshKey());
    const file = `${home.places.keysDir}/a.key`;
    const wrong = text(readFileSync(file, 'utf8'));
    writeFileSync(file, wrong);
    const fault = faultOf(() => keyring.read('a.key'));
    expect(fault).toMatch(/^AUTHORITY_UNUSABLE: /);
    expect(fault).not.toContain('-----');
  });

  it.each([
    { what: 'open to others', act: (file: string) => chmodSync(file, 0o640) },
    {
      what: 'a link',
      act: (file: string) => {
        renameSync(file, `${file}.elsewhere`);
        symlinkSync(`${file}.elsewhere`, file);
      },
    },
    {
      what: 'a directory',
      act: (file: string) => {
        rmSync(file);
        mkdirSync(file, { mode: 0o700 });
      },
    },
  ])('is refused as unsafe when it is $what', async ({ act }) => {
    await using home = await tempHome();
    const keyring = openKeyring(home.places, 'make');
    keyring.add('a.key', freshKey());
    act(`${home.places.keysDir}/a.key`);
    expect(faultOf(() => keyring.read('a.key'))).toMatch(/^HOME_UNSAFE: /);
  });

  it.runIf(process.getuid?.() === 0)(
    'is refused as unsafe when it is of somebody else',
    async () => {
      await using home = await tempHome();
      const keyring = openKeyring(home.places, 'make');
      keyring.add('a.key', freshKey());
      chownSync(`${home.places.keysDir}/a.key`, 65_534, 65_534);
      expect(faultOf(() => keyring.read('a.key'))).toMatch(
        /^HOME_UNSAFE: .* belongs to another user$/,
      );
    },
  );

  it('is unusable, by its own code, when the system does not let us at it', async () => {
    await using home = await tempHome();
    const { keysDir, stateDir } = home.places;
    mkdirSync(stateDir, { mode: 0o700 });
    writeFileSync(keysDir, '', { mode: 0o600 });
    expect(faultOf(() => openKeyring(home.places, 'make'))).toBe(
      `AUTHORITY_UNUSABLE: \`${keysDir}\` cannot be used: EEXIST`,
    );
  });

  it('is not looked for in a directory that others may enter', async () => {
    await using home = await tempHome();
    openKeyring(home.places, 'make');
    chmodSync(home.places.keysDir, 0o750);
    expect(faultOf(() => openKeyring(home.places, 'existing'))).toMatch(/^HOME_UNSAFE: /);
  });
});

function freshKey() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

function exported(key: ReturnType<typeof freshKey>): string {
  return key.export({ type: 'pkcs8', format: 'pem' });
}

function foreignlySealed(): string {
  const cipher = { cipher: 'aes-256-cbc', passphrase: 'another' };
  return freshKey().export({ type: 'pkcs8', format: 'pem', ...cipher });
}

function passphraseFile({ places }: TempHome): string {
  return `${places.keysDir}/identity.passphrase`;
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

function faultOf(act: () => unknown): string {
  try {
    act();
    return 'none';
  } catch (error) {
    const { code, message, help } = PalyraError.from(error);
    return help === '' ? 'without help' : `${code}: ${message}`;
  }
}
