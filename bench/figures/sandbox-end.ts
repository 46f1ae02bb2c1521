import { readFileSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DEFAULT_LIMITS, type Ending, type TierC, createTierC } from '@palyra/sandbox';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { DURATION, type Readings, SIZE, interleave, subject } from '../harness.ts';
import { type Site, requestFor, sandboxSite } from '../rig/sandbox-site.ts';
import { SILENT } from '../rig/sandbox-ways.ts';

const GONE = 'hostile tree, gone after its time';
const WRITTEN = 'flood, written beyond the cap';
const HANDED_ON = 'flood, handed on beyond the cap';
const WALL_TIME_MS = 400;
const CAP_BYTES = 1024 * 1024;
/** A word that no other process of the machine has on its command line. */
const MARK = `600.${process.pid}`;

/** Ignores what can be ignored, leaves its session twice, and stops one of its own. */
const HOSTILE = [
  'trap "" TERM INT HUP',
  `setsid sh -c 'trap "" TERM; sleep ${MARK}' &`,
  `(setsid setsid sleep ${MARK} &)`,
  `sleep ${MARK} & kill -STOP $!`,
  `echo up; exec sleep ${MARK}`,
].join('\n');

/** Keeps account of what it got rid of, in a file that outlives it. */
const FLOOD = [
  'open my $account, ">", "written" or die;',
  'my $piece = "x" x 4096; my $written = 0;',
  'while (1) { $written += syswrite STDOUT, $piece; sysseek $account, 0, 0; syswrite $account, $written }',
].join('\n');

export const sandboxEnd: Figure = {
  says: 'How late a command is gone with everything that it started (ignored signals, sessions of their own, a stopped process) when its time is over, and how much more than its cap of 1 MiB a command that floods its output gets rid of.',
  mounts: 'own',
  targets: [
    { kind: 'value', subject: GONE, limit: { atMost: 50 }, by: 'p95' },
    { kind: 'value', subject: HANDED_ON, limit: { atMost: 64 }, by: 'p95' },
  ],
  measure: async (scale) => {
    await using site = await sandboxSite();
    await using tier = createTierC({ folder: join(site.folder, 'cages'), pool: { perKey: 1 } });
    await tier.warm(requestFor(site, { executable: 'true', arguments: [] }));
    const counts = scale === 'small' ? ONE_ROUND : { warmUps: 2, rounds: 30 };
    const end = await interleave({
      title: `after ${WALL_TIME_MS} ms`,
      quantity: DURATION,
      subjects: [subject(GONE, () => timeHostileTree(tier, site))],
      ...counts,
    });
    const flood = await interleave({
      title: 'more than the cap',
      quantity: SIZE,
      subjects: [() => readFlood(tier, site)],
      ...counts,
    });
    const notes = [
      'Late is counted from the call, so that the start of the command is a part of it. Handed on is what the caller was given, while it ran and at its end; written is what the command had got rid of when it died, most of which nobody read: a pipe holds 64 KiB.',
    ];
    return { runs: [end, flood], notes };
  },
};

/** Contract: rejects when it was not up in time, or when anything of it is left. */
async function timeHostileTree(tier: TierC, site: Site): Promise<number> {
  await tier.settled();
  const request = requestFor(site, {
    executable: 'sh',
    arguments: ['-c', HOSTILE],
    limits: { ...DEFAULT_LIMITS, wallTimeMs: WALL_TIME_MS },
  });
  const startedAt = performance.now();
  const ending = await tier.run(request, SILENT);
  const lateMs = performance.now() - startedAt - WALL_TIME_MS;
  insist(ending, 'SANDBOX_TIMED_OUT');
  if (Buffer.from(ending.stdout).toString() !== 'up\n') throw new Error('the tree was not up');
  if (isAnyLeft()) throw new Error('a process of the hostile tree is left');
  return lateMs;
}

function isAnyLeft(): boolean {
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(`sleep\0${MARK}`);
    } catch {
      // It ended while the list was read.
      return false;
    }
  });
}

async function readFlood(tier: TierC, site: Site): Promise<Readings> {
  await tier.settled();
  let streamed = 0;
  const limits = { ...DEFAULT_LIMITS, outputBytes: CAP_BYTES };
  const request = requestFor(site, { executable: 'perl', arguments: ['-e', FLOOD], limits });
  const onOutput = (_stream: string, bytes: Uint8Array) => {
    streamed += bytes.length;
  };
  const ending = await tier.run(request, { ...SILENT, onOutput });
  insist(ending, 'SANDBOX_QUOTA_EXCEEDED');
  const written = Number(await readFile(join(site.workspace, 'written'), 'utf8'));
  const given = Math.max(streamed, ending.stdout.length + ending.stderr.length);
  return { [WRITTEN]: kilobytesBeyond(written), [HANDED_ON]: kilobytesBeyond(given) };
}

function kilobytesBeyond(bytes: number): number {
  return Math.max(0, bytes - CAP_BYTES) / 1_000;
}

function insist({ kind, fault }: Ending, code: string): void {
  if (fault?.code !== code) throw new Error(`it ended otherwise: ${fault?.reason ?? kind}`);
}
