import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite';

/**
 * What Home needs, in the order of need, each in one file: who is there; the first frame; then the
 * protocol and whatever opens over the page. Each brings along all that it needs and those before
 * have not.
 */
export const FIRST_PARTS: Rolldown.OutputOptions = {
  codeSplitting: {
    groups: [
      { name: 'start', tags: ['$initial'], priority: 3 },
      { name: 'frame', test: /console\/src\/app\/show\.tsx$/, priority: 2 },
      { name: 'second', test: /console\/src\/second\.ts$/, priority: 1 },
    ],
  },
};

/** Said to Chromium: compile all of it beside the page, not piece by piece in the page's own time. */
const COMPILED_AT_ONCE = '//# allFunctionsCalledOnLoad\n';

/** Has browsers fetch those parts with the page itself, before a script asks for them. */
export function firstParts(): Plugin {
  return {
    name: 'first-parts',
    generateBundle: {
      // Last of all: it counts on the first line alone.
      order: 'post',
      handler(_options, bundle) {
        for (const part of Object.values(bundle)) {
          if (part.type === 'chunk' && part.name === 'frame')
            part.code = `${COMPILED_AT_ONCE}${part.code}`;
        }
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) =>
        Object.values(bundle).flatMap(({ name, fileName }) =>
          name === undefined || html.includes(fileName) ? [] : tagsFor(name, `/${fileName}`),
        ),
    },
  };
}

function tagsFor(name: string, href: string): readonly HtmlTagDescriptor[] {
  switch (name) {
    case 'frame':
    case 'rolldown-runtime':
      return [link({ rel: 'modulepreload', href })];
    case 'second':
      // Fetched and no more: compiling it is for after the first frame.
      return [link({ rel: 'preload', as: 'script', href })];
    default:
      return [];
  }
}

function link(attrs: Readonly<Record<string, string>>): HtmlTagDescriptor {
  return { tag: 'link', attrs: { ...attrs, crossorigin: true }, injectTo: 'head' };
}
