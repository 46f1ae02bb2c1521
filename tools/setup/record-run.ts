import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script, constants } from 'node:vm';
import { AROUND_PROGRAM, RECORD_DIGEST_BYTES } from '../recorded-start.ts';

/**
 * `record-run.ts PROGRAM RECORD`: runs the program as its launcher would and writes down at its end
 * every function that was compiled, here or in the run whose record lies there already. A process of
 * its own, which the program may end.
 */
function main([program = '', record = '']: readonly string[]): void {
  const source = AROUND_PROGRAM.join(readFileSync(program, 'latin1'));
  // The launcher reads a byte as a character, which is true of nothing else.
  if (Buffer.byteLength(source) !== source.length) throw new Error('a program is not ASCII');
  const script = new Script(source, {
    filename: program,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...earlier(record),
  });
  if (script.cachedDataRejected === true) throw new Error('the earlier record was not accepted');
  process.once('exit', () => writeRecord(record, source, script.createCachedData()));
  process.argv.splice(1, process.argv.length, program);
  const start: unknown = script.runInThisContext();
  if (typeof start !== 'function') throw new Error('a program is not a function');
  const module = { exports: {} };
  Reflect.apply(start, undefined, [
    module.exports,
    createRequire(program),
    module,
    program,
    dirname(program),
  ]);
}

function earlier(record: string): { readonly cachedData?: Buffer } {
  return existsSync(record)
    ? { cachedData: readFileSync(record).subarray(RECORD_DIGEST_BYTES) }
    : {};
}

/** Contract: nobody else may write to it, or the launcher does not look at it. */
function writeRecord(record: string, source: string, made: Buffer): void {
  const digest = createHash('sha256').update(source, 'latin1').update(made).digest();
  rmSync(record, { force: true });
  writeFileSync(record, Buffer.concat([digest, made]), { mode: 0o600, flag: 'wx' });
}

main(process.argv.slice(2));
