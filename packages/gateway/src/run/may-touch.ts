import { PalyraError } from '@palyra/kernel';
import type { Run, Session } from '@palyra/protocol';
import type { PolicyPort, Toucher, WorkAction } from '../ports.ts';

type TouchPort = Pick<PolicyPort, 'touch' | 'mayTouch'>;

/**
 * Whose runs and sessions somebody may touch, and where they may work. Every door asks here, and here the
 * rules are asked, after they have said that the caller may use sessions at all.
 *
 * The journal is not asked about here: it is one chain, and who reads it to prove it reads all of it.
 * Every member has `observability.read`, and people see of one another what is done here anyway. A
 * token has it only when an admin gave it just that; what it may see of runs is then no longer its own
 * alone. `sessions.use` never opens it.
 */
export class MayTouch {
  readonly #policy: TouchPort;

  constructor(policy: TouchPort) {
    this.#policy = policy;
  }

  /** Contract: rejects with PERMISSION_DENIED unless the rules allow it, or POLICY_DENIED without rules. */
  async check(thing: Owned, action: WorkAction, caller: Toucher): Promise<void> {
    const { principal: owner } = thing;
    try {
      await this.#policy.touch(caller, { action, owner });
    } catch (reason) {
      const fault = PalyraError.from(reason);
      // Whoever is kept from their own is told which rule does it.
      if (fault.code !== 'PERMISSION_DENIED' || owner === caller.principal) throw fault;
      throw notTheirs(thing, HELP[action], fault);
    }
  }

  /** Contract: as `check`, and whoever is refused is told which rule does it. */
  async open(workspace: string, caller: Toucher): Promise<void> {
    await this.#policy.touch(caller, { action: 'workspace.open', workspace });
  }

  /**
   * The newest that the caller may see. One who may not see everybody's is shown their own.
   * Contract: asks once about each owner, however many are listed. Looks through so many only that a
   * list may end early where rules hide nearly all.
   */
  async list<Thing extends Owned>(
    limit: number,
    caller: Toucher,
    read: (part: Part<Thing>) => Promise<readonly Thing[]>,
  ): Promise<readonly Thing[]> {
    const { principal } = caller;
    const sees = remembering((owner) =>
      this.#policy.mayTouch(caller, { action: 'work.see', owner }),
    );
    if (!(await sees(EVERYBODY))) {
      await this.#policy.touch(caller, { action: 'work.see', owner: principal });
      return await read({ limit, principal });
    }
    const seen: Thing[] = [];
    let after: Thing | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const page = await read(after === undefined ? { limit } : { limit, after });
      for (const thing of page) if (await sees(thing.principal)) seen.push(thing);
      after = page.at(-1);
      if (seen.length >= limit || page.length < limit) break;
    }
    return seen.slice(0, limit);
  }
}

export type Owned = Pick<Run, 'runId' | 'principal'> | Pick<Session, 'sessionId' | 'principal'>;

/** Which part of a list is to be read. */
export interface Part<Thing> {
  readonly limit: number;
  /** Only those of this one. */
  readonly principal?: string;
  /** Only those that come after this one. */
  readonly after?: Thing;
}

/** As the rules call what belongs to all. */
const EVERYBODY = 'everybody';
const MOST_PAGES = 20;

const HELP: Readonly<Record<WorkAction, string>> = {
  'work.see': 'only people see what others do',
  'work.speak': 'ask them, or begin a session of your own',
  'work.stop': 'ask them, or an admin',
  'work.undo': 'ask them, or an admin',
};

function remembering(ask: (owner: string) => Promise<boolean>): typeof ask {
  const known = new Map<string, boolean>();
  return async (owner) => {
    const answer = known.get(owner) ?? (await ask(owner));
    known.set(owner, answer);
    return answer;
  };
}

function notTheirs(thing: Owned, help: string, cause: PalyraError): PalyraError {
  const name = 'runId' in thing ? `run \`${thing.runId}\`` : `session \`${thing.sessionId}\``;
  return new PalyraError('PERMISSION_DENIED', `${name} is somebody else's`, { help, cause });
}
