import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { MAX_LINE_BYTES, readOrder } from './sandbox-order.ts';

const ORDER = {
  executable: 'true',
  arguments: [],
  workspace: '/workspace',
  environment: {},
  hasInput: true,
  tier: 'C',
  egress: 'strict',
  hosts: [],
};

describe('an order for a sandbox', () => {
  it('is the first line, in however many pieces, and is gone when the input ends', async () => {
    const input = new PassThrough();
    const onInput = vi.fn<(bytes: Uint8Array | undefined) => void>();
    const reading = readOrder({ lines: input, onInput });
    const line = `${JSON.stringify(ORDER)}\n`;
    input.write(line.slice(0, 10));
    input.write(line.slice(10));
    const { order, gone } = await reading;
    expect(order).toEqual(ORDER);
    expect(gone.aborted).toBe(false);
    input.write('{"input":"aGk="}\n{}\n');
    expect(onInput.mock.calls).toEqual([[new Uint8Array(Buffer.from('hi'))], [undefined]]);
    const aborted = new Promise((resolve) => gone.addEventListener('abort', resolve));
    input.end();
    await aborted;
  });

  it('counts as gone whoever says something else after it', async () => {
    const input = new PassThrough();
    const reading = readOrder({ lines: input, onInput: () => {} });
    input.write(`${JSON.stringify(ORDER)}\n`);
    const { gone } = await reading;
    input.write('{"input":"no base64"}\n');
    expect(gone.aborted).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['half a line', JSON.stringify(ORDER)],
    ['no JSON', 'run this\n'],
    ['another word', `${JSON.stringify({ ...ORDER, shell: 'sh' })}\n`],
    ['a way out that nobody knows', `${JSON.stringify({ ...ORDER, egress: 'all' })}\n`],
    ['a tier that is no process', `${JSON.stringify({ ...ORDER, tier: 'A' })}\n`],
    ['more than its bound', 'x'.repeat(MAX_LINE_BYTES + 1)],
  ])('is refused when it is %s', async (_, text) => {
    const input = new PassThrough();
    input.end(text);
    await expect(readOrder({ lines: input, onInput: () => {} })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});
