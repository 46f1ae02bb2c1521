import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_JSON_DEPTH, canonicalBytes, canonicalJson, isJsonObject } from './canonical-json.ts';
import { toHex } from './sha256.ts';

/** RFC 8785, appendix B: the bits of a double, and its one spelling. */
const RFC_NUMBERS = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
] as const;

describe('the vectors of RFC 8785', () => {
  it.each(RFC_NUMBERS)('the double %s is written as %s', (bits, text) => {
    expect(canonicalJson(doubleOf(bits))).toBe(text);
  });

  it.each(['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000'])(
    'the double %s is refused',
    (bits) => {
      expect(() => canonicalJson(doubleOf(bits))).toThrow(TypeError);
    },
  );

  it('the sample of section 3.2.2 gets its canonical text and bytes', () => {
    const sample: unknown = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalJson(sample)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
    expect(toHex(canonicalBytes(sample))).toBe(
      '7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a' +
        '5b3333333333333333332e333333333333332c31652b33302c342e352c302e3030322c31652d3237' +
        '5d2c22737472696e67223a22e282ac245c75303030665c6e4127425c225c5c5c5c5c222f227d',
    );
  });

  it('the keys of section 3.2.3 are sorted by their UTF-16 code units', () => {
    const sample: unknown = JSON.parse(String.raw`{
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis"
    }`);
    expect(canonicalJson(sample)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control",' +
        '"\u00f6":"Latin Small Letter O With Diaeresis","\u20ac":"Euro Sign",' +
        '"\ud83d\ude00":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
  });
});

describe('the canonical form keeps or drops', () => {
  it.each([
    [
      'the order of no language',
      '{"sin":"4","p\u00eache":"3","peach":"1","p\u00e9ch\u00e9":"2"}',
      '{"peach":"1","p\u00e9ch\u00e9":"2","p\u00eache":"3","sin":"4"}',
    ],
    [
      'nested objects and the empty key',
      String.raw`{"1":{"f":{"f":"hi","F":5},"\n":56.0},"10":{},"":"empty","a":{},"111":[{"e":"yes","E":"no"}],"A":{}}`,
      String.raw`{"":"empty","1":{"\n":56,"f":{"F":5,"f":"hi"}},"10":{},"111":[{"E":"no","e":"yes"}],"A":{},"a":{}}`,
    ],
    [
      'arrays, whose order stays',
      '[56, {"d": true, "10": null, "1": []}]',
      '[56,{"1":[],"10":null,"d":true}]',
    ],
    ['text that is not normalised', '{"A\u030a":"A\u030a"}', '{"A\u030a":"A\u030a"}'],
  ])('%s', (_name, text, canonical) => {
    expect(canonicalJson(JSON.parse(text))).toBe(canonical);
  });
});

describe('any json value', () => {
  const json = fc.jsonValue({ noUnicodeString: false });

  it('is the same value after it was written and read', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('is written the same way again', () => {
    fc.assert(
      fc.property(json, (value) => {
        const once = canonicalJson(value);
        expect(canonicalJson(JSON.parse(once))).toBe(once);
      }),
    );
  });

  it('is written the same way whatever the order of its keys', () => {
    const fields = fc.uniqueArray(fc.tuple(fc.string(), fc.integer()), {
      selector: ([key]) => key,
    });
    fc.assert(
      fc.property(fields, fields, (some, more) => {
        const forwards: unknown = Object.fromEntries([
          ...some,
          ['inner', Object.fromEntries(more)],
        ]);
        const backwards: unknown = Object.fromEntries([
          ['inner', Object.fromEntries(more.toReversed())],
          ...some.toReversed().filter(([key]) => key !== 'inner'),
        ]);
        expect(canonicalJson(backwards)).toBe(canonicalJson(forwards));
      }),
    );
  });

  it('keeps a key that names the prototype', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":2}}'))).toBe(
      '{"__proto__":{"a":2},"b":1}',
    );
  });
});

describe('what json cannot say exactly', () => {
  class Point {
    readonly x = 1;
  }
  it.each([
    ['not a number', Number.NaN],
    ['infinity', Number.NEGATIVE_INFINITY],
    ['half a surrogate pair', 'a\ud800'],
    ['half a surrogate pair in a key', { '\udc00': 1 }],
    ['undefined', undefined],
    ['an undefined field', { a: undefined }],
    ['a hole in an array', Array.from({ length: 2 })],
    ['a bigint', 1n],
    ['a symbol', Symbol('a')],
    ['a function', () => 1],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['bytes', new Uint8Array(1)],
    ['a boxed string', Object('text')],
    ['an instance of a class', new Point()],
  ])('%s is refused', (_name, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
    expect(() => canonicalBytes([value])).toThrow(TypeError);
  });
});

describe('nesting', () => {
  it('is allowed up to the bound, in arrays and in objects', () => {
    expect(canonicalJson(nestedArrays(MAX_JSON_DEPTH))).toBe('['.repeat(200) + ']'.repeat(200));
    expect(canonicalJson(nestedObjects(MAX_JSON_DEPTH))).toContain('{"a":{}}');
  });

  it('is refused one level beyond it', () => {
    expect(() => canonicalJson(nestedArrays(201))).toThrow('nested deeper than 200 levels');
    expect(() => canonicalJson(nestedObjects(201))).toThrow('nested deeper than 200 levels');
  });

  it('is refused before it can exhaust the stack', () => {
    expect(() => canonicalJson(nestedArrays(200_000))).toThrow('nested deeper than 200 levels');
  });

  it('that never ends is refused', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(() => canonicalJson(circle)).toThrow('nested deeper than 200 levels');
  });
});

it('an object is told from an array and from null', () => {
  expect([{}, [], null, 'a', 1].map(isJsonObject)).toEqual([true, false, false, false, false]);
});

function doubleOf(bits: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${bits}`));
  return view.getFloat64(0);
}

function nestedArrays(levels: number): unknown {
  let value: unknown[] = [];
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
}

function nestedObjects(levels: number): unknown {
  let value: object = {};
  for (let level = 1; level < levels; level += 1) value = { a: value };
  return value;
}
