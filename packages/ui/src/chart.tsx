import { useEffect, useRef, useState } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { classes } from './classes.ts';
import { useTheme } from './use-theme.ts';

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

/** What was counted in each slot of time. A line that never was anything but zero is not drawn: it hides the rest. */
export function Chart({ says, times, lines, height = 180, write = String }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const [pointed, setPointed] = useState<number>();
  // Whoever points at it goes on pointing while it is drawn anew.
  const pointer = useRef<Pick<UPlot.Cursor, 'left' | 'top'>>({});
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
        legend: { show: false },
        cursor: {
          ...pointer.current,
          y: false,
          points: { show: false },
          dataIdx: (...[, , , at]) => slotAt(times, at),
        },
        hooks: {
          setCursor: [({ cursor }) => setPointed(cursor.idx ?? undefined)],
          draw: [(drawing) => drawGround(drawing, colours('line'))],
        },
        axes: axesOf(colours, write),
        scales: {
          x: { range: () => [times[0] ?? 0, (times.at(-1) ?? 0) + slotSeconds(times)] },
          y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] },
        },
        series: [{}, ...drawn.map((line) => seriesOf(line, colours))],
      },
      data,
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      const { left = -1, top = -1 } = plot.cursor;
      pointer.current = { left, top };
      plot.destroy();
    };
    // Drawn anew with the theme: a canvas keeps the colours that it was drawn with.
  }, [times, lines, height, write, theme]);
  return (
    <figure aria-label={says}>
      <Legend lines={lines} pointed={pointed} time={times[pointed ?? -1]} write={write} />
      <div ref={box} aria-hidden="true" className="text-xs text-soft" />
    </figure>
  );
}

interface LegendProps {
  readonly lines: readonly Line[];
  /** The slot that is pointed at; without one, all of them are added up. */
  readonly pointed: number | undefined;
  readonly time: number | undefined;
  readonly write: (value: number) => string;
}

const SWATCHES = {
  accent: 'bg-accent',
  good: 'bg-good',
  wait: 'bg-wait',
  bad: 'bg-bad',
} as const;

/** As tall with a time as without one, so that nothing moves under who points. */
function Legend({ lines, pointed, time, write }: LegendProps) {
  return (
    <figcaption className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      {lines.map(({ label, colour, values }) => (
        <span key={label} className="inline-flex items-center gap-1.5">
          <span aria-hidden="true" className={classes('size-2.5 rounded-xs', SWATCHES[colour])} />
          <span className="font-medium tabular-nums">
            {write(pointed === undefined ? sum(values) : (values[pointed] ?? 0))}
          </span>{' '}
          <span className="text-soft">{label}</span>
        </span>
      ))}
      <span className="min-h-5 text-xs leading-5 text-soft max-sm:w-full sm:ml-auto">
        {time === undefined ? 'in all' : momentOf(time)}
      </span>
    </figcaption>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The slot that a moment lies in: one is counted from its beginning. */
function slotAt(times: readonly number[], at: number): number {
  return Math.max(0, times.filter((start) => start <= at).length - 1);
}

function slotSeconds(times: readonly number[]): number {
  return (times[1] ?? 0) - (times[0] ?? 0);
}

/** Whole numbers: there is no half of a call. */
const STEPS = Array.from({ length: 12 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat();

const LINE_WIDTH = 2;
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

function momentOf(at: number): string {
  const words = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return `from ${words.format(at * 1_000)}`;
}

/** Over the lines: where nothing was counted, none of them is to be seen. */
function drawGround(drawing: UPlot, colour: string): void {
  const { bbox, ctx } = drawing;
  const thick = LINE_WIDTH * devicePixelRatio;
  ctx.fillStyle = colour;
  ctx.fillRect(bbox.left, drawing.valToPos(0, 'y', true) - thick / 2, bbox.width, thick);
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

function axesOf(colours: Colours, write: (value: number) => string): UPlot.Axis[] {
  const grid = { stroke: colours('line'), width: 1 };
  const axis = { stroke: colours('soft'), grid, ticks: { show: false }, font: '11px system-ui' };
  return [
    {
      ...axis,
      size: 30,
      values: (_, ticks) => ticks.map(timeWords((ticks[1] ?? 0) - (ticks[0] ?? 0))),
    },
    { ...axis, size: 56, incrs: STEPS, values: (_, ticks) => ticks.map(write) },
  ];
}

function seriesOf(line: Line, colours: Colours): UPlot.Series {
  // A slot is as high as it counted from its beginning to its end.
  const paths = UPlot.paths.stepped?.({ align: 1, extend: true });
  return {
    stroke: colours(line.colour),
    fill: colours(`${line.colour}-tint`),
    width: LINE_WIDTH,
    points: { show: false },
    ...(paths === undefined ? {} : { paths }),
  };
}
