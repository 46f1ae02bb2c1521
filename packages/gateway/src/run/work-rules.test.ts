import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PalyraError } from '@palyra/kernel';
import { PrincipalKind, Role } from '@palyra/protocol';
import {
  type TestGateway,
  endlessModel,
  ownerCaller,
  talkingModel,
  tempHome,
  testGateway,
} from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../identity/caller.ts';
import type { ModelPort, WorkTouched, WorkspaceTouched } from '../ports.ts';
import { MayTouch, type Part } from './may-touch.ts';

const person = (name: string, role = Role.OPERATOR): Caller => ({
  ...ownerCaller(role),
  principal: `user:${name}`,
  actor: `user:${name}`,
});
const [ada, bob, eve] = [person('ada'), person('bob'), person('eve')];
const token: Caller = { ...bob, principal: 'token:ci', kind: PrincipalKind.TOKEN, channel: 'api' };
const never = new AbortController().signal;

const YES = { kind: 'text', text: 'yes' } as const;

const HIDDEN = `@id("adas-work-is-hidden")
@says("what Ada does is hers")
forbid (principal, action == Action::"work.see", resource == Work::"user:ada")
unless { principal == User::"ada" };
`;
const SHARED = `@id("the-token-watches-ada")
@says("a board shows what Ada does")
permit (principal == Token::"ci", action == Action::"work.see", resource == Work::"user:ada");
`;
const STILL = `@id("nobody-stops-anything")
@says("no run is stopped today")
forbid (principal, action == Action::"work.stop", resource);
`;

async function writeRules({ places }: TestGateway['home'], text: string): Promise<void> {
  const folder = join(places.configDir, 'policies');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, 'work.cedar'), text, { mode: 0o600 });
}

/** A gateway with a rule of the operator's beside those that come with it. */
async function governed(text: string, model: ModelPort = talkingModel([YES])) {
  const home = await tempHome();
  await writeRules(home, text);
  const test = await testGateway({ home, rules: 'ask', model });
  const close = async () => {
    await test[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  };
  return { ...test, [Symbol.asyncDispose]: close };
}

async function ran({ gateway }: Pick<TestGateway, 'gateway'>, caller: Caller) {
  const run = await gateway.runs.start({ prompt: 'go' }, caller);
  await Array.fromAsync(run.events(never));
  return run.runId;
}

describe('a rule of the operator’s', () => {
  it('hides the work of one person from all others, in lists too', async () => {
    await using test = await governed(HIDDEN);
    const { runs, sessions } = test.gateway;
    const first = await ran(test, bob);
    const hidden = [await ran(test, ada), await ran(test, ada), await ran(test, ada)];
    const last = await ran(test, bob);
    const seenBy = async (caller: Caller, limit: number) =>
      (await runs.list({ limit }, caller)).map(({ runId }) => runId);
    expect(await seenBy(eve, 2)).toEqual([last, first]);
    expect(await seenBy(ada, 9)).toEqual([last, ...hidden.toReversed(), first]);
    const listed = await sessions.list({ limit: 1, archived: 'left-out' }, eve);
    expect(listed).toMatchObject([{ principal: 'user:bob' }]);
    for (const runId of hidden) {
      await expect(runs.get(runId, eve)).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
        message: `run \`${runId}\` is somebody else's`,
      });
    }
  });

  it('shows the work of one person to a token, which lists its own as before', async () => {
    await using test = await governed(SHARED);
    const { runs } = test.gateway;
    const [shown, other] = [await ran(test, ada), await ran(test, bob)];
    expect(await runs.get(shown, token)).toMatchObject({ principal: 'user:ada' });
    await expect(runs.get(other, token)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await runs.list({ limit: 9 }, token)).toEqual([]);
  });

  it('that keeps people from their own is named to them', async () => {
    await using test = await governed(STILL, endlessModel('well'));
    const { runId } = await test.gateway.runs.start({ prompt: 'go' }, ada);
    await expect(test.gateway.runs.cancel(runId, ada)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      message: expect.stringContaining('nobody-stops-anything'),
    });
  });

  it('ends the watching of those whom it keeps from a run', async () => {
    await using test = await governed(STILL, endlessModel('well'));
    const { runId } = await test.gateway.runs.start({ prompt: 'go' }, ada);
    const events = test.gateway.runs.watch({ runId, after: 0 }, eve, never);
    expect((await events.next()).done).toBe(false);
    await writeRules(test.home, HIDDEN);
    await test.parts.policyDesk.reload('user:ada');
    const rest = async () => {
      while ((await events.next()).done !== true);
    };
    await expect(rest()).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });
});

describe('a list', () => {
  const things = Array.from({ length: 3_000 }, (_, place) => ({
    runId: `${place}`,
    principal: `user:${place % 7}`,
  }));
  type Thing = (typeof things)[number];
  const read = async ({ limit, principal, after }: Part<Thing>) => {
    const from = after === undefined ? 0 : Number(after.runId) + 1;
    const rest = things.slice(from).filter((one) => (principal ?? one.principal) === one.principal);
    return rest.slice(0, limit);
  };

  function counting(mayTouch: (owner: string) => boolean) {
    const asked: string[] = [];
    const ask = async (_caller: unknown, { owner }: WorkTouched) => {
      asked.push(owner);
      return mayTouch(owner);
    };
    const touch = async (caller: unknown, touched: WorkTouched | WorkspaceTouched) => {
      if ('owner' in touched && (await ask(caller, touched))) return;
      throw new PalyraError('PERMISSION_DENIED', 'the test says so');
    };
    return { asked, list: new MayTouch({ touch, mayTouch: ask }) };
  }

  it('asks once about each owner, however long it is', async () => {
    const { asked, list } = counting(() => true);
    expect(await list.list(500, ada, read)).toEqual(things.slice(0, 500));
    expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted());
    expect(asked).toHaveLength(8);
  });

  it('is as long as it was asked for when some are left out', async () => {
    const { asked, list } = counting((owner) => owner !== 'user:1' && owner !== 'user:2');
    const seen = await list.list(500, ada, read);
    const visible = things.filter(({ principal }) => !['user:1', 'user:2'].includes(principal));
    expect(seen).toEqual(visible.slice(0, 500));
    expect(asked).toHaveLength(8);
  });

  it('looks through so many and no more', async () => {
    const { list } = counting((owner) => owner === 'everybody');
    let pages = 0;
    const counted = async (part: Part<Thing>) => {
      pages += 1;
      return await read(part);
    };
    expect(await list.list(10, ada, counted)).toEqual([]);
    expect(pages).toBe(20);
  });

  it('is of one’s own for those who may not see everybody’s, and refused without that', async () => {
    const own = counting((owner) => owner === 'user:3');
    const seen = await own.list.list(5, person('3'), read);
    expect(new Set(seen.map(({ principal }) => principal))).toEqual(new Set(['user:3']));
    const none = counting(() => false);
    await expect(none.list.list(5, ada, read)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  it('is refused when the rules cannot be asked', async () => {
    const touch = async () => {
      throw new PalyraError('POLICY_DENIED', 'there are no rules');
    };
    const list = new MayTouch({ touch, mayTouch: touch });
    await expect(list.list(5, ada, read)).rejects.toMatchObject({ code: 'POLICY_DENIED' });
  });
});
