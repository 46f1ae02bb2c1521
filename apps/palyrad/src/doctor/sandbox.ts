import type { standingsOf } from '../sandbox-process.ts';
import type { Outlook } from './check.ts';

type Standings = ReturnType<typeof standingsOf>;

export const SANDBOX_CHECK = {
  check: 'sandbox',
  about: 'what was proven of the cages that commands run in',
} as const;

/** Contract: pure. Without tier C nothing that a tool starts can run; everything else can. */
export function sandboxOutlook(standings: Standings, provenAt: string | undefined): Outlook {
  const tier = standings.find((each) => each.tier === 'C');
  if (tier === undefined) {
    return { result: 'warning', detail: 'nobody knows what it holds here', fix: SHOWN };
  }
  if (tier.state !== 'proven') {
    const state = tier.state === 'not-proven' ? '' : 'refused: ';
    return { result: 'warning', detail: `tier C is ${state}${tier.reason}`, fix: tier.help };
  }
  const when = provenAt === undefined ? '' : ` on ${shortTime(provenAt)}`;
  const detail = `tier C is proven, by ${tier.step}${when}`;
  const [weakness] = tier.weaknesses;
  if (weakness === undefined) return { result: 'ok', detail };
  return { result: 'warning', detail: `${detail}; but ${weakness}`, fix: SHOWN };
}

const SHOWN = '`palyra sandbox status` tells all of it, `palyra sandbox prove` looks anew';

/** `2026-11-16 06:00:00`, in UTC. */
function shortTime(moment: string): string {
  return moment.slice(0, 19).replace('T', ' ');
}
