import { describe, expect, it } from 'vitest';
import { letGoOfStart, untouchedRanges } from './let-go.ts';

function mapping(head: string, anonymousKb: number): string {
  return `${head}\nSize:  8 kB\nRss:  8 kB\nAnonymous:  ${anonymousKb} kB\nVmFlags: rd ex\n`;
}

describe('what only the start needed', () => {
  it('is what is mapped from files and as it is in them', () => {
    const smaps = [
      mapping('00400000-00402000 r--p 00000000 fe:00 12   /usr/bin/node', 0),
      mapping('00402000-00500000 r-xp 00002000 fe:00 12   /usr/bin/node', 0),
    ].join('');
    expect(untouchedRanges(smaps)).toEqual([
      { start: 0x40_0000, bytes: 0x2000 },
      { start: 0x40_2000, bytes: 0xf_e000 },
    ]);
  });

  it.each([
    ['was written by the loader', '00400000-00402000 r--p 00000000 fe:00 12   /usr/bin/node', 4],
    ['can be written', '00400000-00402000 rw-p 00000000 fe:00 12   /usr/bin/node', 0],
    ['is shared', '00400000-00402000 r--s 00000000 fe:00 12   /usr/share/x', 0],
    ['is in no file', '00400000-00402000 r-xp 00000000 00:00 0    [vdso]', 0],
    ['has no name', '00400000-00402000 r-xp 00000000 00:00 0 ', 0],
  ])('is nothing that %s', (_, head, anonymousKb) => {
    expect(untouchedRanges(mapping(head, anonymousKb))).toEqual([]);
  });

  it('can be let go of while everything goes on', () => {
    const residentBefore = process.memoryUsage().rss;
    letGoOfStart();
    expect(process.memoryUsage().rss).toBeLessThan(residentBefore);
    expect(JSON.parse('{"still":"there"}')).toEqual({ still: 'there' });
  });
});
