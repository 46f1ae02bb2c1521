import { create } from '@bufbuild/protobuf';
import { ExecutionLimitsSchema } from '@palyra/protocol';
import { expect, it } from 'vitest';
import { byteWords, limitWords } from './limit-words.ts';

it('limits are told in the same words wherever they are shown', () => {
  const limits = create(ExecutionLimitsSchema, {
    cpuTimeLimitMs: 1_000,
    wallTimeLimitMs: 2_000,
    memoryLimitBytes: 536_870_912n,
    maxOutputBytes: 8_388_608n,
    processes: 1,
    openFiles: 256,
    fileBytes: 1_610_612_736n,
  });
  expect(limitWords(limits)).toBe(
    '1000 ms of processor, 2000 ms in all, 512 MiB of memory, 8.0 MiB of output, 1 process, 256 open files, 1.5 GiB a file',
  );
  expect(limitWords(undefined)).toBe('');
});

it('bytes are told with as many digits as one reads', () => {
  expect([0, 1023, 1024, 20_480, 1.5 * 1024 ** 4].map(byteWords)).toEqual([
    '0 B',
    '1023 B',
    '1.0 KiB',
    '20 KiB',
    '1.5 TiB',
  ]);
});
