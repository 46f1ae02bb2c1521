import { chmodSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeDoorFile } from './door-file.ts';

const FACTS = { address: '127.0.0.1:7443', console: '', authorities: [Uint8Array.of(1, 2, 3)] };

describe('writeDoorFile', () => {
  let home = '';
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'palyra-door-'));
  });
  afterEach(() => rm(home, { recursive: true }));

  it('leaves a file that only we may read, in a directory that only we may enter', () => {
    const doorDir = join(home, 'door');
    writeDoorFile({ doorDir }, FACTS);
    const file = join(doorDir, 'gateway.json');
    expect(statSync(doorDir).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      format: 'palyra.door.v1',
      address: '127.0.0.1:7443',
      console: '',
      authorities: ['AQID'],
    });
  });

  it('replaces what an earlier start left', () => {
    const doorDir = join(home, 'door');
    writeDoorFile({ doorDir }, FACTS);
    writeDoorFile({ doorDir }, { ...FACTS, address: '127.0.0.1:9' });
    expect(readFileSync(join(doorDir, 'gateway.json'), 'utf8')).toContain('127.0.0.1:9');
  });

  it('refuses a directory that others may enter', () => {
    const doorDir = join(home, 'door');
    writeDoorFile({ doorDir }, FACTS);
    chmodSync(doorDir, 0o755);
    expect(() => writeDoorFile({ doorDir }, FACTS)).toThrow(
      expect.objectContaining({ code: 'HOME_UNSAFE' }),
    );
  });
});
