import { create } from '@bufbuild/protobuf';
import { PolicyFileSchema, PolicyLayer } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { draftOf, isSame, withNewFile, withText, withoutFile } from './draft.ts';

const built = create(PolicyFileSchema, { layer: PolicyLayer.BUILT_IN, name: 'a.cedar', text: 'a' });
const own = create(PolicyFileSchema, { layer: PolicyLayer.OPERATOR, name: 'b.cedar', text: 'b' });

describe('a draft', () => {
  it('is of the operator’s own files, and of an empty one where there are none', () => {
    expect(draftOf([built, own])).toEqual([{ name: 'b.cedar', text: 'b' }]);
    expect(draftOf([built]).map(({ name }) => name)).toEqual(['operator.cedar']);
  });

  it('changes one file and knows that it did', () => {
    const draft = draftOf([own]);
    const changed = withText(draft, 'b.cedar', 'c');
    expect(changed).toEqual([{ name: 'b.cedar', text: 'c' }]);
    expect(isSame(draft, changed)).toBe(false);
    expect(isSame(draft, withText(changed, 'b.cedar', 'b'))).toBe(true);
  });

  it('names new files as nobody is named', () => {
    const three = withNewFile(withNewFile(draftOf([own])));
    const again = withNewFile(withoutFile(three, 'rules-1.cedar'));
    expect(new Set(again.map(({ name }) => name)).size).toBe(again.length);
  });
});
