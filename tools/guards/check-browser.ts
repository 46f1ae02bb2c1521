import { isBuiltin } from 'node:module';
import { type BuildFailure, type Plugin, build } from 'esbuild';
import type { Finding } from '../tree.ts';

/** Packages that a browser loads too. */
export const BROWSER_PACKAGES = [
  '@palyra/protocol',
  '@palyra/kernel',
  '@palyra/pake',
  '@palyra/client',
  '@palyra/attestation',
];

/** Nothing of Node gets into what a browser loads, however deep it hides. */
export async function checkBrowser(
  root: string,
  names: readonly string[] = BROWSER_PACKAGES,
): Promise<readonly Finding[]> {
  const findings = await Promise.all(names.map((name) => bundleForBrowser(root, name)));
  return findings.flat();
}

async function bundleForBrowser(root: string, name: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    await build({
      bundle: true,
      conditions: ['browser'],
      format: 'esm',
      logLevel: 'silent',
      platform: 'browser',
      plugins: [complainAboutNode(name, findings)],
      stdin: { contents: `export * from '${name}';`, resolveDir: root },
      write: false,
    });
    return findings;
  } catch (reason) {
    if (!isBuildFailure(reason)) throw reason;
    return [...findings, ...reason.errors.map(({ text }) => ({ path: name, says: text }))];
  }
}

function complainAboutNode(name: string, findings: Finding[]): Plugin {
  return {
    name: 'complain-about-node',
    setup(hooks) {
      hooks.onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
        if (!isBuiltin(path)) return undefined;
        findings.push({
          path: name,
          says: `brings \`${path}\` into a browser, through ${importer}`,
        });
        return { path, external: true };
      });
    },
  };
}

function isBuildFailure(reason: unknown): reason is BuildFailure {
  return reason instanceof Error && 'errors' in reason;
}
