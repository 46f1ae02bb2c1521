import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { MAX_ORDER_BYTES, readOrder } from './sandbox-order.ts';

const ORDER = {
  executable: 'true',
  arguments: [],
  workspace: '/workspace',
  environment: {},
  stdin: '',
  tier: 'C',
  egress: 'strict',
  hosts: [],
};

describe('an order for a sandbox', () => {
  it('is the first line, in however many pieces, and is gone when the input ends', async () => {
    const input = new PassThrough();
    const reading = readOrder(input);
    const line = `${JSON.stringify(ORDER)}\n`;
    input.write(line.slice(0, 10));
    input.write(line.slice(10));
    const { order, gone } = await reading;
    expect(order).toEqual(ORDER);
    expect(gone.aborted).toBe(false);
    const aborted = new Promise((resolve) => gone.addEventListener('abort', resolve));
    input.end();
    await aborted;
  });

  it.each([
    ['nothing', ''],
    ['half a line', JSON.stringify(ORDER)],
    ['no JSON', 'run this\n'],
    ['another word', `${JSON.stringify({ ...ORDER, shell: 'sh' })}\n`],
    ['a way out that nobody knows', `${JSON.stringify({ ...ORDER, egress: 'all' })}\n`],
    ['a tier that is no process', `${JSON.stringify({ ...ORDER, tier: 'A' })}\n`],
    ['more than its bound', 'x'.repeat(MAX_ORDER_BYTES + 1)],
  ])('is refused when it is %s', async (_, text) => {
    const input = new PassThrough();
    input.end(text);
    await expect(readOrder(input)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
