import { create, fromJson, toJson } from '@bufbuild/protobuf';
import { PolicyRequestSchema } from '@palyra/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callOf, requestOf } from './call.fixture.ts';
import { readRequest } from './read-request.ts';

describe('a request from the journal', () => {
  it('is the one that was asked', () => {
    const asked = requestOf(callOf({ reads: ['a/b'], secrets: ['s'] }));
    const message = fromJson(PolicyRequestSchema, JSON.parse(JSON.stringify(asked)));
    expect(readRequest(toJson(PolicyRequestSchema, message))).toEqual(asked);
  });

  it('may come as a message too', () => {
    const asked = requestOf();
    const message = fromJson(PolicyRequestSchema, JSON.parse(JSON.stringify(asked)));
    expect(readRequest(message)).toEqual(asked);
  });

  it('has its empty texts, lists and objects again', () => {
    const message = create(PolicyRequestSchema, {
      principal: { type: 'Worker' },
      resource: { type: 'Gateway', id: 'gateway' },
      entities: [{ uid: { type: 'Worker' } }],
    });
    expect(readRequest(toJson(PolicyRequestSchema, message))).toEqual({
      principal: { type: 'Worker', id: '' },
      action: '',
      resource: { type: 'Gateway', id: 'gateway' },
      context: {},
      entities: [{ uid: { type: 'Worker', id: '' }, attrs: {}, parents: [] }],
    });
  });
});

describe('what is no request', () => {
  const WHOLE = { principal: { type: 'User' }, resource: { type: 'Tool' } };

  it.each([
    [undefined],
    [null],
    ['text'],
    [[]],
    [{}],
    [{ principal: 'user:ann' }],
    [{ principal: { type: 1 } }],
    [{ ...WHOLE, action: 1 }],
    [{ ...WHOLE, context: [] }],
    [{ ...WHOLE, context: null }],
    [{ ...WHOLE, entities: {} }],
    [{ ...WHOLE, entities: [1] }],
    [{ ...WHOLE, entities: [{ uid: { type: 'User' }, attrs: [] }] }],
    [{ ...WHOLE, entities: [{ uid: { type: 'User' }, parents: [null] }] }],
  ])('is not read as one: %j', (json) => {
    expect(readRequest(json)).toBeUndefined();
  });

  it('is never thrown at', () => {
    const part = fc.option(fc.jsonValue(), { nil: undefined });
    const request = fc.record({
      principal: part,
      action: part,
      resource: part,
      context: part,
      entities: part,
    });
    fc.assert(
      fc.property(fc.oneof(request, fc.anything()), (json) => {
        expect(() => readRequest(json)).not.toThrow();
      }),
    );
  });
});
