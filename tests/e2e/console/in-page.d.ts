/**
 * As much of a browser's words as functions use that are sent into the page. The real ones contradict
 * those of Node, which the daemons and the harness of these tests are written in.
 */
interface PageElement {
  readonly id: string;
  readonly tagName: string;
  readonly textContent: string | null;
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
  scrollTop: number;
  getAttribute(name: string): string | null;
  closest(selector: string): PageElement | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

declare const document: {
  readonly activeElement: unknown;
  readonly documentElement: PageElement;
  readonly title: string;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  elementFromPoint(x: number, y: number): PageElement | null;
  dispatchEvent(event: Event): boolean;
};

declare const window: typeof globalThis;

declare function requestAnimationFrame(onFrame: (timeMs: number) => void): number;

interface NotificationOptions {
  readonly body?: string;
  readonly tag?: string;
}

declare class Notification extends EventTarget {
  static readonly permission: 'default' | 'denied' | 'granted';
  static requestPermission(): Promise<'default' | 'denied' | 'granted'>;
  constructor(title: string, options?: NotificationOptions);
  readonly title: string;
  close(): void;
}
