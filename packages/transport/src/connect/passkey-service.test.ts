import { PalyraError } from '@palyra/kernel';
import { ApprovalStatus, PrincipalKind } from '@palyra/protocol';
import {
  type ConsoleBrowser,
  SoftwareAuthenticator,
  inProcessClient,
  openConsoleBrowser,
  ownerCaller,
} from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type House,
  type Served,
  askConsole,
  callerOfHouse,
  mintToken,
  openHouse,
  serve,
} from '../../testing/house.ts';

const SERVICE = '/palyra.v1.PasskeyService';
const ANSWER = { approvalId: 'x', fingerprint: 'f', answer: 'APPROVAL_STATUS_GRANTED' };

let house: House;
let stack: AsyncDisposableStack;
let served: Served;
beforeAll(async () => {
  stack = new AsyncDisposableStack();
  house = stack.use(await openHouse());
  served = await serve(house, stack);
});
afterAll(() => stack.disposeAsync());

async function openBrowser(): Promise<ConsoleBrowser> {
  const { console: desk } = house.test.gateway.identity;
  const { secret: link } = await desk.createLink(await callerOfHouse(house));
  return await openConsoleBrowser({ origin: served.console, link });
}

async function call(browser: ConsoleBrowser, method: string, body: object = {}) {
  const response = await browser.fetch(`${served.console}${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: Record<string, string> = JSON.parse(await response.text());
  return { status: response.status, answer };
}

describe('a browser in the console', () => {
  it('makes a passkey, confirms a second one with it, and removes both', async () => {
    const browser = await openBrowser();
    const first = new SoftwareAuthenticator(served.console);
    const begun = await call(browser, `${SERVICE}/BeginPasskey`);
    expect(begun).toMatchObject({ status: 200, answer: { expiresAt: expect.any(String) } });
    expect(begun.answer['needsStepUp']).toBeUndefined();
    const credential = first.create(begun.answer['options'] ?? '');
    const finished = await call(browser, `${SERVICE}/FinishPasskey`, { name: 'one', credential });
    expect(finished).toMatchObject({ status: 200, answer: { passkey: { name: 'one' } } });

    const again = await call(browser, `${SERVICE}/BeginPasskey`);
    expect(again.answer['needsStepUp']).toBe(true);
    const second = new SoftwareAuthenticator(served.console);
    const addition = { name: 'two', credential: second.create(again.answer['options'] ?? '') };
    const vouch = await call(browser, `${SERVICE}/BeginStepUp`, { addition });
    const assertion = first.get(vouch.answer['options'] ?? '');
    const added = await call(browser, `${SERVICE}/FinishPasskey`, { ...addition, assertion });
    expect(added.status).toBe(200);

    for (const passkey of ['one', 'two']) {
      expect((await call(browser, `${SERVICE}/RemovePasskey`, { passkey })).status).toBe(400);
      const asked = await call(browser, `${SERVICE}/BeginStepUp`, { removal: { passkey } });
      const proof = second.get(asked.answer['options'] ?? '');
      const removal = { passkey, assertion: proof };
      expect((await call(browser, `${SERVICE}/RemovePasskey`, removal)).status).toBe(200);
    }
    expect((await call(browser, `${SERVICE}/ListPasskeys`)).answer).toEqual({});
  });

  it('cannot have one that another port of the machine has asked for', async () => {
    const browser = await openBrowser();
    const { answer } = await call(browser, `${SERVICE}/BeginPasskey`);
    const phished = new SoftwareAuthenticator('http://localhost:1');
    const credential = phished.create(answer['options'] ?? '');
    const finished = await call(browser, `${SERVICE}/FinishPasskey`, { name: 'x', credential });
    expect(finished.status).toBe(403);
  });

  it('is told what is missing when it confirms nothing, or no question', async () => {
    const browser = await openBrowser();
    expect((await call(browser, `${SERVICE}/BeginStepUp`)).status).toBe(400);
    expect((await call(browser, `${SERVICE}/BeginStepUp`, { answer: ANSWER })).status).toBe(404);
    const large = { passkey: 'x', assertion: 'A'.repeat(8_193) };
    expect((await call(browser, `${SERVICE}/RemovePasskey`, large)).status).toBe(400);
  });
});

describe('whoever is not in the console', () => {
  it('sees its own passkeys through a device, and is sent to the console for the rest', async () => {
    const { passkeys, approvals } = served.grpc;
    expect((await passkeys.listPasskeys({})).passkeys).toEqual([]);
    const answer = { approvalId: 'x', fingerprint: 'f', answer: ApprovalStatus.GRANTED };
    for (const attempt of [
      () => passkeys.beginPasskey({}),
      () => passkeys.finishPasskey({}),
      () => passkeys.beginStepUp({ confirms: { case: 'answer', value: answer } }),
      () => approvals.answerApproval({ ...answer, assertion: '{}' }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: 'a passkey can be shown in the console only',
        help: expect.stringContaining('`palyra console`'),
      });
    }
  });

  it('gets nothing with a token, whatever its member may', async () => {
    const authorization = `Bearer ${await mintToken(house)}`;
    const headers = { authorization, 'content-type': 'application/json' };
    for (const name of ['ListPasskeys', 'BeginPasskey', 'BeginStepUp', 'RemovePasskey']) {
      const path = `${SERVICE}/${name}`;
      const asked = { method: 'POST', headers, body: '{}' };
      expect((await askConsole(served.console, path, asked)).status).toBe(403);
    }
    const token = { ...ownerCaller(), kind: PrincipalKind.TOKEN, principal: 'token:x' };
    const { passkeys } = inProcessClient(house.test.gateway, token);
    await expect(passkeys.listPasskeys({})).rejects.toThrow(PalyraError);
  });
});
