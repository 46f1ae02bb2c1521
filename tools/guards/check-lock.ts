import { z } from 'zod';
import type { Finding, Tree } from '../tree.ts';
import { manifestAt, workspacesIn } from '../workspaces.ts';

const LOCK_FILE = 'package-lock.json';
/** All work when their scripts are ignored. */
const MAY_HAVE_SCRIPT = ['esbuild', '@bufbuild/buf', '@google/genai'];
const EXACT_VERSION = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

const lockShape = z.object({
  packages: z.record(
    z.string(),
    z.object({
      link: z.boolean().default(false),
      resolved: z.string().default(''),
      integrity: z.string().default(''),
      hasInstallScript: z.boolean().default(false),
      optionalDependencies: z.record(z.string(), z.string()).default({}),
    }),
  ),
});
type Packages = z.infer<typeof lockShape>['packages'];
type Entry = Packages[string];

/** The lock file installs the same bytes everywhere, from anywhere, without running anything. */
export function checkLock(tree: Tree): readonly Finding[] {
  const { packages } = lockShape.parse(JSON.parse(tree.read(LOCK_FILE)));
  const entries = Object.entries(packages);
  return [
    ...entries.flatMap(([path, entry]) => missingPlatforms(path, entry, packages)),
    ...entries.flatMap(([path, entry]) => complaintsAbout(path, entry)),
    ...inexactVersions(tree),
  ].map((each) => ('path' in each ? each : { path: LOCK_FILE, says: each.says }));
}

/** npm leaves out platform packages that its source lacks, and `npm ci` then refuses the lock. */
function missingPlatforms(path: string, entry: Entry, packages: Packages): { says: string }[] {
  return Object.keys(entry.optionalDependencies)
    .filter((name) => !isResolvable(path, name, packages))
    .map((name) => ({ says: `\`${name}\`, an option of \`${nameOf(path)}\`, is missing` }));
}

/** Looks where Node would: in the package's own folder first, then outwards. */
function isResolvable(path: string, name: string, packages: Packages): boolean {
  const folders = path.split(/(?=\/?node_modules\/)/);
  return folders
    .map((_, index) => folders.slice(0, folders.length - index).join(''))
    .concat('')
    .some((folder) =>
      Object.hasOwn(
        packages,
        folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`,
      ),
    );
}

function complaintsAbout(path: string, entry: Entry): { says: string }[] {
  const name = nameOf(path);
  const says: string[] = [];
  if (/^[a-z+]+:\/\/|^git/.test(entry.resolved))
    says.push(`\`${name}\` names the host it came from`);
  if (entry.hasInstallScript && !MAY_HAVE_SCRIPT.includes(name)) {
    says.push(`\`${name}\` wants to run a script when it is installed`);
  }
  if (path.includes('node_modules/') && !entry.link && entry.integrity === '') {
    says.push(`\`${name}\` has no integrity hash`);
  }
  return says.map((text) => ({ says: text }));
}

function inexactVersions(tree: Tree): Finding[] {
  return [
    'package.json',
    ...workspacesIn(tree).map(({ folder }) => `${folder}/package.json`),
  ].flatMap((path) => {
    const manifest = manifestAt(tree, path);
    return Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    })
      .filter(([, version]) => !EXACT_VERSION.test(version))
      .map(([name, version]) => ({ path, says: `\`${name}\` is \`${version}\`; pin one version` }));
  });
}

function nameOf(path: string): string {
  return path.split('node_modules/').at(-1) || 'the root';
}
