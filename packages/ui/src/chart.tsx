import { useEffect, useRef } from 'react';
import { useTheme } from './use-theme.ts';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export interface Line {
  readonly label: string;
  /** The name of a colour of the theme: `accent`, `good`, `wait`, `bad`. */
  readonly colour: 'accent' | 'good' | 'wait' | 'bad';
  readonly values: readonly number[];
}

export interface ChartProps {
  /** What is seen, in a sentence, for those who cannot. */
  readonly says: string;
  /** Seconds since 1970, of each value. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly height?: number;
  readonly write?: (value: number) => string;
}

/** Lines over time. What never was anything but zero is left out: it says nothing and hides the rest. */
export function Chart({ says, times, lines, height = 180, write = String }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const drawn = lines.filter(({ values }) => values.some((value) => value !== 0));
    const data: UPlot.AlignedData = [[...times], ...drawn.map(({ values }) => [...values])];
    const colours = coloursOf(element);
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: true, live: true },
        cursor: { y: false },
        axes: [
          {
            ...axis(colours),
            size: 30,
            values: (_, ticks) => ticks.map(timeWords((ticks[1] ?? 0) - (ticks[0] ?? 0))),
          },
          { ...axis(colours), size: 56, incrs: STEPS, values: (_, ticks) => ticks.map(write) },
        ],
        scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] } },
        series: [
          { label: 'Time', value: (_, at) => momentOf(at) },
          ...drawn.map((line) => seriesOf(line, colours, write)),
        ],
      },
      data,
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
    // Drawn anew with the theme: a canvas keeps the colours that it was drawn with.
  }, [times, lines, height, write, theme]);
  return (
    <figure aria-label={says}>
      <div ref={box} aria-hidden="true" className="text-xs text-soft [&_th]:font-medium" />
    </figure>
  );
}

/** Whole numbers: there is no half of a call. */
const STEPS = Array.from({ length: 12 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat();

const DAY_SECONDS = 86_400;

/** As the browser's own language writes them; an hour of a day, or a day. */
function timeWords(stepSeconds: number): (at: number) => string {
  const shape: Intl.DateTimeFormatOptions =
    stepSeconds < DAY_SECONDS
      ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
      : { day: 'numeric', month: 'short' };
  const words = new Intl.DateTimeFormat(undefined, shape);
  return (at) => words.format(at * 1_000);
}

/** Where nothing is pointed at there is no time. */
function momentOf(at: number | null): string {
  if (at === null) return '–';
  const words = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return words.format(at * 1_000);
}

type Colours = (name: string) => string;

/** A canvas knows no variables, so they are looked up where it stands. */
function coloursOf(element: Element): Colours {
  const probe = document.createElement('span');
  element.append(probe);
  return (name) => {
    probe.style.color = `var(--color-${name})`;
    return getComputedStyle(probe).color;
  };
}

function axis(colours: Colours): UPlot.Axis {
  const grid = { stroke: colours('line'), width: 1 };
  return { stroke: colours('soft'), grid, ticks: { show: false }, font: '11px system-ui' };
}

function seriesOf(line: Line, colours: Colours, write: (value: number) => string): UPlot.Series {
  return {
    label: line.label,
    stroke: colours(line.colour),
    fill: colours(`${line.colour}-tint`),
    width: 2,
    points: { show: false },
    value: (_, value: number | null) => (value === null ? '–' : write(value)),
  };
}
