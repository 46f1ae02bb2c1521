import { lazy, Suspense, useMemo, useState } from 'react';
import { ChartLine } from 'lucide-react';
import type { ActivitySlot } from '@palyra/protocol';
import { Button, Card, Empty, Waiting } from '@palyra/ui';
import { Answer } from '../wire/answer.tsx';
import { gatewayLater } from '../wire/second.ts';
import { useAsk } from '../wire/use-ask.ts';
import { costWords } from '../runs/story/words.ts';
import { writeCount } from './amounts.ts';
import { type Span, SPANS, sinceOf } from './spans.ts';

const Chart = lazy(async () => ({ default: (await import('./chart.ts')).Chart }));

/** Calls and spending over the last day or month. */
export function ActivityCharts() {
  const [span, setSpan] = useState<Span>('day');
  const { slotSeconds } = SPANS[span];
  const activity = useAsk(['activity', span], async (signal) =>
    (await gatewayLater()).activity.getActivity({ since: sinceOf(span), slotSeconds }, { signal }),
  );
  const choice = (
    <div role="group" aria-label="Time span" className="flex gap-1">
      {(['day', 'month'] as const).map((each) => (
        <Button
          key={each}
          size="small"
          look={each === span ? 'plain' : 'quiet'}
          aria-pressed={each === span}
          onClick={() => setSpan(each)}
        >
          {SPANS[each].says}
        </Button>
      ))}
    </div>
  );
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      <Card title="Tool calls" aside={choice}>
        <div className="min-h-60">
          <Answer of={activity} lines={7}>
            {({ slots }) => <Calls slots={slots} />}
          </Answer>
        </div>
      </Card>
      <Card title="Spending" aside={<span className="text-xs text-soft">{SPANS[span].says}</span>}>
        <div className="min-h-60">
          <Answer of={activity} lines={7}>
            {({ slots }) => <Spending slots={slots} />}
          </Answer>
        </div>
      </Card>
    </div>
  );
}

interface SlotsProps {
  readonly slots: readonly ActivitySlot[];
}

function Calls({ slots }: SlotsProps) {
  const lines = useMemo(
    () => [
      lineOf(
        'allowed',
        'good',
        slots.map(({ callsAllowed }) => Number(callsAllowed)),
      ),
      lineOf(
        'asked',
        'wait',
        slots.map(({ callsAsked }) => Number(callsAsked)),
      ),
      lineOf(
        'denied',
        'bad',
        slots.map(({ callsDenied }) => Number(callsDenied)),
      ),
    ],
    [slots],
  );
  const says = lines.map(({ label, values }) => `${sum(values)} ${label}`).join(', ');
  return (
    <Framed
      slots={slots}
      lines={lines}
      says={`Tool calls: ${says}`}
      write={writeCount}
      none={['No tool calls', 'Each call of an agent is counted here, by how it was decided.']}
    />
  );
}

function Spending({ slots }: SlotsProps) {
  const costs = slots.map(({ costMicroUsd }) => Number(costMicroUsd));
  const hasPrices = sum(costs) > 0;
  const lines = useMemo(
    () =>
      hasPrices
        ? [
            lineOf(
              'US dollars',
              'accent',
              slots.map(({ costMicroUsd }) => Number(costMicroUsd)),
            ),
          ]
        : [
            lineOf(
              'tokens',
              'accent',
              slots.map(({ tokens }) => Number(tokens)),
            ),
          ],
    [slots, hasPrices],
  );
  const write = hasPrices ? writeCost : writeCount;
  const total = write(sum(lines[0]?.values ?? []));
  return (
    <Framed
      slots={slots}
      lines={lines}
      write={write}
      says={hasPrices ? `Spent ${total}` : `Tokens used: ${total}`}
      none={[
        'Nothing spent',
        'Tokens of models are counted here, in money where prices are known.',
      ]}
    />
  );
}

function lineOf<Colour extends string>(label: string, colour: Colour, values: readonly number[]) {
  return { label, colour, values };
}

function writeCost(microUsd: number): string {
  return costWords(BigInt(Math.round(microUsd)));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

interface FramedProps extends SlotsProps {
  readonly says: string;
  readonly lines: Parameters<typeof Chart>[0]['lines'];
  readonly write: (value: number) => string;
  /** What is said where there is nothing: that, and what would be there. */
  readonly none: readonly [title: string, says: string];
}

function Framed({ slots, says, lines, write, none: [title, wouldBe] }: FramedProps) {
  const times = useMemo(() => slots.map(({ start }) => Date.parse(start) / 1_000), [slots]);
  if (lines.every(({ values }) => sum(values) === 0)) {
    return (
      <div className="grid min-h-60 place-items-center">
        <Empty icon={<ChartLine size={20} />} title={title}>
          {wouldBe}
        </Empty>
      </div>
    );
  }
  return (
    <Suspense fallback={<Waiting lines={5} />}>
      <Chart says={says} times={times} lines={lines} write={write} />
    </Suspense>
  );
}
