import { create } from '@bufbuild/protobuf';
import { ConfigKeySchema, ConfigLayer } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { isWanted } from './wanted.ts';

const listen = create(ConfigKeySchema, {
  key: 'transport.listen',
  description: 'where devices connect',
  origin: { layer: ConfigLayer.USER },
});
const model = create(ConfigKeySchema, {
  key: 'models.default',
  origin: { layer: ConfigLayer.BUILT_IN },
});

describe('a search for settings', () => {
  it.each(['', 'LISTEN', ' transport. ', 'devices'])(
    'finds by name and by description: %j',
    (text) => expect(isWanted(listen, text, 'all')).toBe(true),
  );

  it('leaves out what is called otherwise', () => {
    expect(isWanted(model, 'listen', 'all')).toBe(false);
  });

  it('tells what somebody set from what was built in', () => {
    expect([listen, model].map((key) => isWanted(key, '', 'set'))).toEqual([true, false]);
  });
});
