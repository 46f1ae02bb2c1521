import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { describeLate } from './lazy-descriptions.ts';

const CODE = `import { fileDesc, messageDesc } from "somewhere";
import { file_other } from "./other_pb.ts";
export const file_own = /* @__PURE__ */ fileDesc("Zmlfile_x", [file_other]);
export const Colour = {
  RED: 1
};
export var Shape;
(function(Shape2) {
  Shape2[Shape2["ROUND"] = 2] = "ROUND";
})(Shape || (Shape = {}));
export const ThingSchema = /* @__PURE__ */ messageDesc(file_own, 3, 1);
`;

interface Loaded {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly made: readonly string[];
}

describe('generated code in a bundle', () => {
  it('describes nothing when it is loaded, and each thing once when it is asked for', () => {
    const { exports, made } = load(describeLate(CODE));
    expect(exports['Colour']).toEqual({ RED: 1 });
    expect(exports['Shape']).toEqual({ ROUND: 2, 2: 'ROUND' });
    expect(Object.keys(exports)).toEqual(['file_own', 'Colour', 'Shape', 'ThingSchema']);
    expect(made).toEqual([]);
    expect(exports['ThingSchema']).toBe('message 3,1 of file Zmlfile_x with other');
    expect(exports['ThingSchema']).toBe('message 3,1 of file Zmlfile_x with other');
    expect(made).toEqual(['file', 'message']);
  });

  it('is refused in a form that nobody has seen', () => {
    expect(() => describeLate('export function surprise() {}\n')).toThrow(
      'generated code in an unknown form: export function surprise() {}',
    );
  });
});

function load(text: string): Loaded {
  const exports = {};
  const made: string[] = [];
  const modules: Readonly<Record<string, object>> = {
    './other_pb.ts': { file_other: 'other' },
    somewhere: {
      fileDesc: (code: string, others: readonly string[]) => {
        made.push('file');
        return `file ${code} with ${others.join(' ')}`;
      },
      messageDesc: (file: string, ...path: readonly number[]) => {
        made.push('message');
        return `message ${path.join(',')} of ${file}`;
      },
    },
  };
  runInNewContext(text, { exports, require: (name: string) => modules[name] });
  return { exports, made };
}
