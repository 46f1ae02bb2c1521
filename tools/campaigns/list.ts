/** A test that takes too long for every day. */
export interface Campaign {
  readonly name: string;
  readonly says: string;
  /**
   * A program that is started with `--seed N`. It exits with 0 when every promise held, and the
   * last line of its output is one sentence about what it did.
   */
  readonly program: string;
}

export const CAMPAIGNS: readonly Campaign[] = [
  {
    name: 'journal-crash',
    says: 'a journal under load is killed at random moments and opened again',
    program: 'tools/campaigns/journal-crash.ts',
  },
  {
    name: 'fuzz-parsers',
    says: 'good inputs made worse in random places, for everything that parses what others wrote',
    program: 'tools/campaigns/fuzz-parsers.ts',
  },
  {
    name: 'policy-decisions',
    says: 'a million decisions, no two alike, must not take more and more memory',
    program: 'tools/campaigns/policy-decisions.ts',
  },
  {
    name: 'sandbox-kill',
    says: 'the daemon, sandboxd and bwrap are killed at random moments; nothing may outlive them',
    program: 'tools/campaigns/sandbox-kill.ts',
  },
  {
    name: 'sandbox-runs',
    says: '20,000 commands in sandboxes must leave no process, descriptor, mount, file or memory',
    program: 'tools/campaigns/sandbox-runs.ts',
  },
  {
    name: 'other-machine',
    says: 'the little programs of the sandbox do the same on both machines that they are made for',
    program: 'tools/campaigns/other-machine.ts',
  },
];
