import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** One file that breaks one rule, and the rule that must see it. */
interface Planted {
  readonly what: string
  readonly file: string
  readonly text: string
  readonly rule: string
}

const SERVER = 'apps/server/src'
const WEB = 'apps/web/src'

const FAULTS: readonly Planted[] = [
  ...layerFault('a lower layer of the server', `${SERVER}/kernel/up.ts`, '../content/files/index.ts'),
  ...layerFault('a feature past its neighbour’s door', `${SERVER}/content/uploads/in.ts`, '../files/files.store.ts'),
  ...layerFault('a nested file past a door', `${SERVER}/content/uploads/sink/in.ts`, '../../files/files.store.ts'),
  ...layerFault('a protocol that knows a feature', `${SERVER}/edge/file-socket/in.ts`, '../../content/files/index.ts'),
  ...layerFault('a door to another feature', `${SERVER}/edge/tus/in.ts`, '../../content/files/index.ts'),
  ...layerFault('app.ts past a door', `${SERVER}/app.ts`, './content/files/files.store.ts'),
  ...layerFault('a feature taking a whole layer', `${SERVER}/content/uploads/in.ts`, '../../foundation/features.ts'),
  ...layerFault('a package importing an app', 'packages/storage/src/up.ts', '../../../apps/server/src/app.ts'),
  ...layerFault('an app importing an app', `${WEB}/lib/across.ts`, '../../../server/src/app.ts'),
  ...layerFault('a package below importing one above', 'packages/base/src/up.ts', '@godwit/contract'),
  ...layerFault('packages side by side', 'packages/storage/src/beside.ts', '@godwit/transport'),
  ...layerFault('an app importing another by name', `${WEB}/lib/name.ts`, '@godwit/server'),
  ...layerFault('a package entered by path', `${SERVER}/kernel/path.ts`, '../../../../packages/base/src/clock.ts'),
  ...layerFault('tests in shipped code', `${SERVER}/kernel/tests.ts`, './locks/testing/suite.ts'),
  ...layerFault('testing of a package in shipped code', `${SERVER}/kernel/suite.ts`, '@godwit/storage/testing'),
  ...layerFault('testkit in shipped code', `${SERVER}/kernel/kit.ts`, '@godwit/testkit'),
  ...layerFault('the core of transport opening a socket', 'packages/transport/src/core/io.ts', 'node:dgram'),
  ...layerFault('the contract reading a file', 'packages/contract/src/read.ts', 'node:fs'),
  ...layerFault('base depending on a library', 'packages/base/src/lib.ts', 'zod'),
  ...layerFault('the web design system knowing a feature', `${WEB}/ui/up.ts`, '../features/content/files/index.ts'),
  ...layerFault(
    'a web feature below another’s layer',
    `${WEB}/features/identity/auth/up.ts`,
    '../../content/files/index.ts',
  ),
  ...layerFault('a path joined outside content/files', `${SERVER}/exchange/links/join.ts`, 'node:path'),
  {
    what: 'a cycle',
    file: `${SERVER}/kernel/a.ts`,
    text: "export { b as a } from './b.ts'\n",
    rule: 'import(no-cycle)',
  },
  {
    what: 'the cycle’s other half',
    file: `${SERVER}/kernel/b.ts`,
    text: "export { a as b } from './a.ts'\n",
    rule: 'import(no-cycle)',
  },
  ambient('Date.now()', 'now'),
  ambient('new Date()', 'date'),
  ambient('Math.random()', 'random'),
  ambient('performance.now()', 'steady'),
  {
    what: 'randomness by import',
    file: `${SERVER}/content/files/id.ts`,
    text: "export { x } from './x.ts'\nimport { randomUUID } from 'node:crypto'\nexport const id = randomUUID()\n",
    rule: 'godwit(no-ambient)',
  },
  {
    what: 'a pattern from outside',
    file: `${SERVER}/content/files/find.ts`,
    text: 'export const find = (wanted: string): RegExp => new RegExp(wanted)\n',
    rule: 'godwit(no-dynamic-regexp)',
  },
  page('text between tags', 'text', '<p>Hello</p>'),
  page('text in braces', 'braces', "<p>{'Hello'}</p>"),
  page('text for a screen reader', 'label', '<hr aria-label="Hello" />'),
  {
    what: 'a long function without a reason',
    file: `${SERVER}/kernel/long.ts`,
    text: `export function long(): number {\n  let sum = 0\n${'  sum += 1\n'.repeat(60)}  return sum\n}\n`,
    rule: 'godwit(long-needs-reason)',
  },
  {
    what: 'a long file without a reason',
    file: `${SERVER}/kernel/file.ts`,
    text: Array.from({ length: 501 }, (_, at) => `export const n${at} = ${at}\n`).join(''),
    rule: 'godwit(long-needs-reason)',
  },
  {
    what: 'any',
    file: `${SERVER}/kernel/any.ts`,
    text: 'export const loose = (value: any): unknown => value\n',
    rule: 'typescript(no-explicit-any)',
  },
  {
    what: 'a non-null assertion',
    file: `${SERVER}/kernel/sure.ts`,
    text: 'export const sure = (value?: string): string => value!\n',
    rule: 'typescript(no-non-null-assertion)',
  },
  {
    what: 'a promise nobody waits for',
    file: `${SERVER}/kernel/float.ts`,
    text: 'export function start(): void {\n  Promise.resolve(1)\n}\n',
    rule: 'typescript(no-floating-promises)',
  },
  {
    what: 'a switch that forgets a case',
    file: `${SERVER}/kernel/switch.ts`,
    text: "export function spell(n: 1 | 2): string {\n  let word = ''\n  switch (n) {\n    case 1:\n      word = 'one'\n  }\n  return word\n}\n",
    rule: 'typescript(switch-exhaustiveness-check)',
  },
  {
    what: 'a default export',
    file: `${SERVER}/kernel/default.ts`,
    text: 'const one = 1\nexport default one\n',
    rule: 'import(no-default-export)',
  },
  {
    what: 'console in a library',
    file: `${SERVER}/kernel/say.ts`,
    text: "export const say = (): void => console.log('x')\n",
    rule: 'eslint(no-console)',
  },
  {
    what: 'the environment read in a feature',
    file: `${SERVER}/content/files/env.ts`,
    text: 'export const home = process.env.HOME\n',
    rule: 'node(no-process-env)',
  },
  {
    what: 'a skipped test',
    file: `${SERVER}/kernel/x.test.ts`,
    text: "import { it } from 'vitest'\nit.skip('later', () => undefined)\n",
    rule: 'vitest(no-disabled-tests)',
  },
  {
    what: 'a note to self',
    file: `${SERVER}/kernel/note.ts`,
    text: ['export const x = 1 // TO', 'DO better\n'].join(''),
    rule: 'eslint(no-warning-comments)',
  },
  {
    what: 'camel case in a file name',
    file: `${SERVER}/kernel/camelCase.ts`,
    text: 'export const x = 1\n',
    rule: 'unicorn(filename-case)',
  },
]

const CLEAN: Readonly<Record<string, string>> = {
  [`${SERVER}/content/files/index.ts`]: "export { store } from './files.store.ts'\n",
  [`${SERVER}/content/files/files.store.ts`]: "import { join } from 'node:path'\nexport const store = join('a', 'b')\n",
  [`${SERVER}/content/files/names.ts`]:
    'const LIMITS = { name: 9 }\nexport const name = new RegExp(`^.{1,${LIMITS.name}}$`)\n',
  [`${SERVER}/content/uploads/index.ts`]: "export { store } from '../files/index.ts'\n",
  [`${SERVER}/content/uploads/uploads.test.ts`]: "export { store } from '../files/files.store.ts'\n",
  [`${SERVER}/main.ts`]: "export { store } from './content/files/index.ts'\n",
  [`${WEB}/features/content/files/index.tsx`]: 'export const Row = (): unknown => <p title="12:30">·</p>\n',
  [`${WEB}/features/content/uploads/index.ts`]: "export { Row } from '../files/index.tsx'\n",
  [`${WEB}/entries/portal/main.tsx`]: "export { Row } from '../../features/content/files/index.tsx'\n",
  'packages/storage/src/s3.it.test.ts': "export * from '@godwit/testkit'\n",
  'packages/testkit/src/launch.ts': 'export const born = Date.now()\n',
}

function layerFault(what: string, file: string, specifier: string): Planted[] {
  return [{ what, file, text: `export * from '${specifier}'\n`, rule: 'godwit(layers)' }]
}

function ambient(call: string, name: string): Planted {
  const file = `${SERVER}/content/files/${name}.ts`
  return { what: call, file, text: `export const read = (): unknown => ${call}\n`, rule: 'godwit(no-ambient)' }
}

function page(what: string, name: string, element: string): Planted {
  const text = `export const Page = (): unknown => ${element}\n`
  return { what, file: `${WEB}/ui/${name}.tsx`, text, rule: 'godwit(no-literal-text)' }
}

interface Finding {
  readonly code: string
  readonly filename: string
}

let tree = ''
let findings: readonly Finding[] = []

beforeAll(async () => {
  const root = resolve(import.meta.dirname, '../..')
  tree = await mkdtemp(join(tmpdir(), 'planted-faults-'))
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'))
  for (const shared of [
    '.oxlintrc.json',
    'layers.js',
    'tsconfig.base.json',
    'tsconfig.json',
    'scripts/lint',
    'package.json',
  ]) {
    await cp(join(root, shared), join(tree, shared), { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
  }
  const files = [...FAULTS.map(({ file, text }) => [file, text] as const), ...Object.entries(CLEAN)]
  for (const [file, text] of files) {
    await mkdir(dirname(join(tree, file)), { recursive: true })
    await writeFile(join(tree, file), text)
  }
  findings = await lint(root)
}, 60_000)

afterAll(() => rm(tree, { recursive: true, force: true }))

async function lint(root: string): Promise<readonly Finding[]> {
  const program = join(root, 'node_modules/oxlint/bin/oxlint')
  const output = await new Promise<string>((done) => {
    execFile(
      process.execPath,
      [program, '-f', 'json', 'apps', 'packages'],
      { cwd: tree, maxBuffer: 2 ** 26 },
      (_failed, stdout) => done(stdout),
    )
  })
  const report = JSON.parse(output) as { readonly diagnostics: readonly Finding[] }
  return report.diagnostics
}

describe('the lint rules see', () => {
  it.each(FAULTS)('$what', ({ file, rule }) => {
    expect(findings.filter(({ filename }) => filename === file).map(({ code }) => code)).toContain(rule)
  })

  it.each(Object.keys(CLEAN))('nothing to refuse in %s', (file) => {
    expect(findings.filter(({ filename }) => filename === file)).toEqual([])
  })
})
