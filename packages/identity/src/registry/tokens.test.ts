import { create } from '@bufbuild/protobuf';
import { PERMISSIONS, isForPeopleOnly, permissionsOf } from '@palyra/kernel';
import {
  type CreateTokenRequest,
  CreateTokenRequestSchema,
  Permission,
  Role,
} from '@palyra/protocol';
import { verifies } from '@palyra/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asToken, callerWith, openRegistry, ownerOf, refusal } from './registry.fixture.ts';
import { hashOf } from './secret.ts';
import { effectivePermissions, isInForce } from './token-terms.ts';
import { isTokenText } from './token-text.ts';
import { MAX_TOKENS } from './tokens.ts';

const DAY_MS = 86_400_000;

function asking(fields: Partial<Omit<CreateTokenRequest, '$typeName'>> = {}): CreateTokenRequest {
  return create(CreateTokenRequestSchema, {
    label: 'ci',
    scopes: [Permission.SESSIONS_USE],
    ...fields,
  });
}

describe('a token', () => {
  it('is shown once and kept as its hash', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    const { token, secret } = await registry.tokens.create(asking(), owner);
    expect(isTokenText(secret)).toBe(true);
    expect(token).toMatchObject({
      label: 'ci',
      scopes: [Permission.SESSIONS_USE],
      userId: owner.member?.userId,
      createdBy: owner.principal,
      expiresAt: '2030-04-02T03:04:05.000Z',
      rate: { perMinute: 600, burst: 60 },
      revokedAt: '',
    });
    const rows = await registry.tables.tokens.all();
    expect(rows.map(({ id }) => id)).toEqual([hashOf(secret)]);
    expect(JSON.stringify(registry.records.entries)).not.toContain(secret);
    expect(registry.records.kinds().at(-1)).toBe('token.created');
  });

  it.each([
    ['no label', { label: '' }],
    ['a label of two lines', { label: 'a\nb' }],
    ['no scope', { scopes: [] }],
    ['more than a year', { lifetimeSeconds: 31_536_001n }],
    ['longer than any number', { lifetimeSeconds: 2n ** 64n - 1n }],
    ['no requests', { rate: { perMinute: 0, burst: 1 } }],
    ['an endless burst', { rate: { perMinute: 1, burst: 4_294_967_295 } }],
  ])('cannot be had with %s', async (_what, fields) => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    const request = create(CreateTokenRequestSchema, {
      label: 'ci',
      scopes: [Permission.SESSIONS_USE],
      ...fields,
    });
    await expect(registry.tokens.create(request, owner)).rejects.toMatchObject(
      refusal('INVALID_INPUT'),
    );
    expect(await registry.tokens.list()).toEqual([]);
  });

  it.each([...PERMISSIONS.keys(), Permission.UNSPECIFIED].filter(isForPeopleOnly))(
    'never has permission %i, which is for people, even if an owner asks',
    async (scope) => {
      const registry = openRegistry();
      const owner = await ownerOf(registry);
      const minting = registry.tokens.create(asking({ scopes: [scope] }), owner);
      await expect(minting).rejects.toMatchObject(refusal('PERMISSION_DENIED'));
    },
  );

  it('is minted by a person who is a member now', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    const bob = await callerWith(registry, Role.ADMIN, 'bob');
    await registry.members.remove('bob', owner);
    for (const caller of [bob, asToken(owner)]) {
      const minting = registry.tokens.create(asking(), caller);
      await expect(minting).rejects.toMatchObject(refusal('PERMISSION_DENIED'));
    }
  });
});

const roles = fc.constantFrom(Role.OPERATOR, Role.ADMIN, Role.OWNER);
const scopes = fc.array(fc.constantFrom(...Object.values(Permission)), { maxLength: 20 });

it(
  'whatever is asked for, a token can do no more than its minter, then and later',
  verifies('access:tokens-within-minter'),
  async () => {
    await fc.assert(
      fc.asyncProperty(roles, roles, scopes, async (role, later, asked) => {
        const registry = openRegistry();
        const owner = await ownerOf(registry);
        const bob = await callerWith(registry, role, 'bob');
        const mine = permissionsOf(role);
        const allowed =
          asked.length > 0 && asked.every((each) => mine.has(each) && !isForPeopleOnly(each));
        const minted = await registry.tokens
          .create(asking({ scopes: asked }), bob)
          .catch(() => undefined);
        expect(minted !== undefined).toBe(allowed);
        if (minted === undefined) return;
        const changed = await registry.members.changeRole('bob', later, owner);
        for (const member of [{ role }, changed]) {
          const effective = effectivePermissions(minted.token, member);
          expect(effective.isSubsetOf(permissionsOf(member.role))).toBe(true);
          expect(effective.isSubsetOf(new Set(asked))).toBe(true);
          expect([...effective].filter(isForPeopleOnly)).toEqual([]);
        }
      }),
      { numRuns: 200 },
    );
  },
);

it(
  'whatever a stored token says, it can do no more than its member',
  verifies('access:tokens-within-minter'),
  () => {
    fc.assert(
      fc.property(roles, scopes, (role, stored) => {
        const effective = effectivePermissions({ scopes: stored }, { role });
        expect(effective.isSubsetOf(permissionsOf(role))).toBe(true);
        expect([...effective].filter(isForPeopleOnly)).toEqual([]);
      }),
    );
  },
);

describe('rotating a token', () => {
  it('gives it a new secret and ends the old one in the same change', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    const old = await registry.tokens.create(asking(), owner);
    const rotated = await registry.tokens.rotate('ci', owner);
    expect(rotated.token).toEqual(old.token);
    expect(await registry.tables.tokens.get(hashOf(old.secret))).toBeUndefined();
    expect(await registry.tables.tokens.get(hashOf(rotated.secret))).toBeDefined();
    expect(registry.records.kinds().slice(-1)).toEqual(['token.rotated']);
  });

  it('is for its own member only, since the secret acts for them', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    const bob = await callerWith(registry, Role.ADMIN, 'bob');
    await registry.tokens.create(asking(), bob);
    const rotating = registry.tokens.rotate('ci', owner);
    await expect(rotating).rejects.toMatchObject(refusal('PERMISSION_DENIED'));
  });

  it('happens once when two ask at the same time', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    await registry.tokens.create(asking(), owner);
    let other = '';
    registry.records.beforeNextTransact(async () => {
      other = (await registry.tokens.rotate('ci', owner)).secret;
    });
    await expect(registry.tokens.rotate('ci', owner)).rejects.toMatchObject(refusal('NOT_FOUND'));
    const rows = await registry.tables.tokens.all();
    expect(rows.map(({ id }) => id)).toEqual([hashOf(other)]);
  });

  it('brings none back that has ended', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    await registry.tokens.create(asking({ label: 'short', lifetimeSeconds: 1n }), owner);
    await registry.tokens.create(asking({ label: 'revoked' }), owner);
    await registry.tokens.revoke('revoked', owner);
    registry.time.ms += 1000;
    for (const label of ['short', 'revoked']) {
      const rotating = registry.tokens.rotate(label, owner);
      await expect(rotating).rejects.toMatchObject(refusal('INVALID_INPUT'));
    }
  });
});

describe('revoking a token', () => {
  it('is told once, however often it is asked for', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    const { token } = await registry.tokens.create(asking(), owner);
    await registry.tokens.revoke(token.tokenId, owner);
    const revoked = await registry.tokens.revoke('ci', owner);
    expect(revoked).toMatchObject({ revokedBy: owner.principal });
    expect(registry.records.kinds().filter((kind) => kind === 'token.revoked')).toHaveLength(1);
  });

  it('is not for those below its member, nor for a program', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    const bob = await callerWith(registry, Role.ADMIN, 'bob');
    await registry.tokens.create(asking(), owner);
    for (const caller of [bob, asToken(owner)]) {
      const revoking = registry.tokens.revoke('ci', caller);
      await expect(revoking).rejects.toMatchObject(refusal('PERMISSION_DENIED'));
    }
  });

  it('needs a label that only one has', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    await registry.tokens.create(asking(), owner);
    await registry.tokens.create(asking(), owner);
    await expect(registry.tokens.revoke('ci', owner)).rejects.toMatchObject(
      refusal('INVALID_INPUT'),
    );
    await expect(registry.tokens.revoke('cd', owner)).rejects.toMatchObject(refusal('NOT_FOUND'));
  });
});

it('tokens are bounded: one that has ended makes room, one in force never does', async () => {
  const registry = openRegistry();
  const owner = await ownerOf(registry);
  await registry.tokens.create(asking({ label: 'short', lifetimeSeconds: 1n }), owner);
  for (let count = 1; count < MAX_TOKENS; count += 1) await registry.tokens.create(asking(), owner);
  const more = () => registry.tokens.create(asking({ label: 'more' }), owner);
  await expect(more()).rejects.toMatchObject(refusal('OVERLOADED'));
  registry.time.ms += DAY_MS;
  await more();
  const labels = (await registry.tokens.list()).map(({ label }) => label);
  expect(labels).toHaveLength(1000);
  expect(labels).not.toContain('short');
  await expect(more()).rejects.toMatchObject(refusal('OVERLOADED'));
});

it('a token whose time cannot be read has ended', async () => {
  const registry = openRegistry();
  const owner = await ownerOf(registry);
  const { token } = await registry.tokens.create(asking(), owner);
  expect(isInForce(token, registry.clock.now())).toBe(true);
  expect(isInForce({ ...token, expiresAt: 'soon' }, registry.clock.now())).toBe(false);
});
