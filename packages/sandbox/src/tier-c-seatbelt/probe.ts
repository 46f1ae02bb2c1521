import type { Ending } from '../model.ts';

/** One attempt, and what must come of it. */
export interface Attempt {
  readonly what: string;
  readonly words: readonly string[];
  readonly expected: 'works' | 'refused';
}

export interface Observed extends Attempt {
  readonly holds: boolean;
}

export interface SeatbeltVerdict {
  readonly isProven: boolean;
  readonly reason: string;
  readonly observed: readonly Observed[];
}

export interface ProbeParts {
  readonly platform: NodeJS.Platform;
  /** A file of ours outside the workspace. */
  readonly canary: string;
  /** A port on the loopback on which we listen. */
  readonly port: number;
  /** Runs the words in a sandbox with no host allowed. */
  readonly run: (words: readonly string[]) => Promise<Pick<Ending, 'kind' | 'code'>>;
}

/** Contract: says `proven` only after every attempt was made on this machine and came out as it must. */
export async function probe(parts: ProbeParts): Promise<SeatbeltVerdict> {
  if (parts.platform !== 'darwin') {
    return { isProven: false, reason: 'not proven on this machine', observed: [] };
  }
  const observed: Observed[] = [];
  for (const attempt of attempts(parts)) {
    const { kind, code } = await parts.run(attempt.words);
    const hasWorked = kind === 'exited' && code === 0;
    observed.push({ ...attempt, holds: hasWorked === (attempt.expected === 'works') });
  }
  const failed = observed.filter(({ holds }) => !holds).map(({ what }) => what);
  return {
    isProven: failed.length === 0,
    reason: failed.length === 0 ? '' : `not proven on this machine: ${failed.join(', ')}`,
    observed,
  };
}

/** The first say that something runs at all: where nothing does, everything seems refused. */
export function attempts({
  canary,
  port,
}: Pick<ProbeParts, 'canary' | 'port'>): readonly Attempt[] {
  const works = (what: string, ...words: readonly string[]): Attempt => ({
    what,
    words,
    expected: 'works',
  });
  const refused = (what: string, ...words: readonly string[]): Attempt => ({
    what,
    words,
    expected: 'refused',
  });
  return [
    works('a program runs', '/bin/ls', '.'),
    works('the workspace can be written', '/usr/bin/touch', 'palyra-probe'),
    works('and tidied up', '/bin/rm', 'palyra-probe'),
    refused('a file outside is read', '/bin/cat', canary),
    refused('a file outside is written', '/usr/bin/touch', canary),
    refused('the list of users is read', '/bin/cat', '/private/etc/master.passwd'),
    refused('a repository is made', '/bin/mkdir', '.git'),
    refused('a repository is made in other letters', '/bin/mkdir', '.GIT'),
    refused('a file of secrets is made', '/usr/bin/touch', '.env'),
    refused('the loopback is reached', '/usr/bin/nc', '-z', '-w', '1', '127.0.0.1', `${port}`),
    refused('an application is opened', '/usr/bin/open', '-a', 'Calculator'),
    refused(
      'an apple event is sent',
      '/usr/bin/osascript',
      '-e',
      'tell application "Finder" to activate',
    ),
    refused('launchd is asked', '/bin/launchctl', 'list'),
    refused('the keychain is asked', '/usr/bin/security', 'list-keychains'),
    refused('a file runs as its owner', '/bin/chmod', 'u+s', '.'),
  ];
}
