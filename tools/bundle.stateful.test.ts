import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ASSETS, HELPERS, PARTS, PROGRAMS, bundle, bundleHelper, bundlePart } from './bundle.ts';
import { ROOT } from './run.ts';

const FILES = {
  'apps/x/package.json': '{"name":"x","version":"1.2.3","type":"module"}',
  'apps/x/src/version.ts':
    "import manifest from '../package.json' with { type: 'json' };\nexport const version = manifest.version;",
  'apps/x/src/late.ts': "process.stdout.write('late\\n');\nexport const answer = 42;",
  'apps/x/src/main.ts': `
    import { version } from './version.ts';
    process.stdout.write(version + ' ' + import.meta.dirname + ' ' + import.meta.url + '\\n');
    void import('./late.ts').then(({ answer }) => process.stdout.write(String(answer) + '\\n'));
    process.stdout.write('early\\n');
  `,
};

describe('a bundle', () => {
  it('knows its version and place, loads late parts late, and needs nothing beside it', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra bundle-'));
    for (const [path, source] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder.path, path)), { recursive: true });
      writeFileSync(join(folder.path, path), source);
    }
    const { text } = await bundle({ name: 'x', app: 'apps/x' }, folder.path);
    const elsewhere = join(folder.path, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'x.cjs'), text);
    const { stdout } = await promisify(execFile)(process.execPath, [join(elsewhere, 'x.cjs')]);
    const url = `file://${encodeURI(elsewhere)}/x.cjs`;
    expect(stdout).toBe(`1.2.3 ${elsewhere} ${url}\nearly\nlate\n42\n`);
  });

  it('starts its threads from beside it, and these need no more than lies there', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra threads-'));
    const main = join(folder.path, 'apps/x/src/main.ts');
    mkdirSync(dirname(main), { recursive: true });
    writeFileSync(main, formatsInAProcess(join(ROOT, 'packages/policy/src/worker/run-job.ts')));
    const { text } = await bundle({ name: 'x', app: 'apps/x' }, folder.path);
    writeFileSync(join(folder.path, 'x.cjs'), text);
    for (const helper of HELPERS) {
      const { text: program } = await bundleHelper(helper);
      writeFileSync(join(folder.path, `${helper.name}.cjs`), program);
    }
    for (const asset of ASSETS) {
      copyFileSync(join(ROOT, asset), join(folder.path, basename(asset)));
    }
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder.path, 'x.cjs')]);
    expect(stdout).toBe('permit (principal, action, resource);\n');
  });

  it('with short names keeps those by which a library knows its classes', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra names-'));
    const main = join(folder.path, 'apps/x/src/main.ts');
    mkdirSync(dirname(main), { recursive: true });
    const library = JSON.stringify(join(ROOT, 'node_modules/asn1js/build/index.js'));
    writeFileSync(
      main,
      `import { Sequence } from ${library};\nclass Own {}\nprocess.stdout.write(new Sequence().constructor.name + ' ' + (Own.name === 'Own'));`,
    );
    const { text } = await bundle({ name: 'x', app: 'apps/x', start: 'recorded' }, folder.path);
    writeFileSync(join(folder.path, 'x.cjs'), text);
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder.path, 'x.cjs')]);
    expect(stdout).toBe('Sequence false');
  });

  it('leaves its parts beside it, which need nothing more than lies there', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra parts-'));
    for (const part of PARTS) {
      const { text } = await bundlePart(part);
      writeFileSync(join(folder.path, part.file), text);
      const told = `import('./${part.file}').then((part) => console.log(Object.keys(part)))`;
      writeFileSync(join(folder.path, 'x.cjs'), told);
      const { stdout } = await promisify(execFile)(process.execPath, [join(folder.path, 'x.cjs')]);
      expect(stdout).toMatch(/^\[ '\w+/);
      const others = [
        ...PROGRAMS.filter(({ app }) => app === part.app).map((program) => bundle(program)),
        ...PARTS.filter((other) => other !== part).map((other) => bundlePart(other)),
      ];
      const asking = await Promise.all(others);
      expect(asking.filter(({ text: other }) => other.includes(`("./${part.file}")`))).toHaveLength(
        1,
      );
      const held = asking.flatMap(({ metafile }) => Object.keys(metafile.inputs));
      expect(held).not.toContain(part.entry);
    }
  });

  it('that is recorded holds one edition of the library that describes messages', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra edition-'));
    const main = join(folder.path, 'apps/x/src/main.ts');
    mkdirSync(dirname(main), { recursive: true });
    writeFileSync(main, tellsAMessage(join(ROOT, 'packages/protocol/src/index.ts')));
    const program = { name: 'x', app: 'apps/x', start: 'recorded' } as const;
    const { text, metafile } = await bundle(program, folder.path);
    writeFileSync(join(folder.path, 'x.cjs'), text);
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder.path, 'x.cjs')]);
    expect(stdout).toBe(
      'palyra.v1.GetHealthResponse {"version":"1","readiness":"READINESS_READY"}\n',
    );
    const files = Object.keys(metafile.inputs);
    expect(files.filter((file) => file.includes('@bufbuild/protobuf/dist/cjs'))).toEqual([]);
  });
});

function tellsAMessage(protocol: string): string {
  return `
    import { create, toJsonString } from ${JSON.stringify(join(ROOT, 'node_modules/@bufbuild/protobuf/dist/esm/index.js'))};
    import { GetHealthResponseSchema, Readiness } from ${JSON.stringify(protocol)};
    const message = create(GetHealthResponseSchema, { version: '1', readiness: Readiness.READY });
    process.stdout.write(message.$typeName + ' ' + toJsonString(GetHealthResponseSchema, message) + '\\n');
  `;
}

function formatsInAProcess(runJob: string): string {
  return `
    import { runPolicyJob } from ${JSON.stringify(runJob)};
    const text = 'permit(principal,action,resource);';
    const batch = { layer: 'operator', name: 'a.cedar', text };
    void runPolicyJob('format', { init: undefined, batch }).then((formatted) => {
      process.stdout.write(formatted.kind === 'formatted' ? formatted.text : formatted.kind);
    });
  `;
}
