import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ENTRY_PAGES } from '../src/entries/entry-pages.ts'
import { type Manifest, reached, textsModule } from './manifest.ts'

/** `npm run budget -w @godwit/web`: what a first visit of each page loads, gzip -9, from the built manifest; fails above the limit and where schemas got in. */

interface Page {
  readonly name: string
  /** Keys of the manifest that the page loads at once; what they import comes along. */
  readonly roots: readonly string[]
  readonly limitKb: number
}

const DIST = resolve(import.meta.dirname, '../dist')
const TEXTS = textsModule('zh-CN', 'portal')
const INSIDE_TEXTS = textsModule('zh-CN', 'inside')
const IDENTITY_TEXTS = textsModule('zh-CN', 'identity')
const SHARE_TEXTS = textsModule('zh-CN', 'share')
const SIGN_IN = ['index.html', TEXTS]
const PORTAL = [...SIGN_IN, INSIDE_TEXTS, 'src/entries/portal/portal.tsx']
const CONSOLE = [
  'console.html',
  TEXTS,
  INSIDE_TEXTS,
  IDENTITY_TEXTS,
  textsModule('zh-CN', 'console'),
  'src/entries/console/console.tsx',
  // Where the super administrator arrives.
  'src/features/oversight/dashboard/dashboard-pages.ts',
  textsModule('zh-CN', 'dashboard'),
  // Fetched ahead while the page is idle.
  'src/ui/dialog-parts.tsx',
  'src/ui/menu-parts.tsx',
]
const PROFILE = 'src/features/identity/profile'
const PAGES: readonly Page[] = [
  { name: '/signin', roots: SIGN_IN, limitKb: 110 },
  {
    name: '/forgot-password',
    roots: [...SIGN_IN, IDENTITY_TEXTS, 'src/features/identity/recovery/index.ts'],
    limitKb: 130,
  },
  { name: '/personal', roots: PORTAL, limitKb: 220 },
  {
    name: '/share',
    roots: [
      'public.html',
      TEXTS,
      INSIDE_TEXTS,
      SHARE_TEXTS,
      ...['visit-disk', 'invite'].map((part) => `src/features/exchange/visits/${part}.tsx`),
    ],
    limitKb: 190,
  },
  { name: '/admin', roots: CONSOLE, limitKb: 260 },
  { name: '/viewer', roots: ['document.html'], limitKb: 80 },
]

/** What a page adds for somebody who is in the portal already. */
const LATER_PAGES: ReadonlyArray<Pick<Page, 'name' | 'roots'>> = [
  { name: '/notification', roots: ['src/features/oversight/notices/notices.page.tsx'] },
  ...['password.page.tsx', 'email.page.tsx', 'security/security.page.tsx', 'tokens/tokens.page.tsx'].map((page) => ({
    name: `/profile/${page.replace(/.*\/|\.page\.tsx$/g, '')}`,
    roots: [IDENTITY_TEXTS, `${PROFILE}/profile.page.tsx`, `${PROFILE}/${page}`],
  })),
]
const LATER_LIMIT_KB = 60
const CSS_LIMIT_KB = 25
/** Scripts of a first view: each is asked for by itself, and few at a time. */
const FILES_LIMIT = 30

async function gzipKb(files: Iterable<string>): Promise<number> {
  const sizes = await Promise.all(
    [...new Set(files)].map(async (file) => gzipSync(await readFile(join(DIST, file)), { level: 9 }).length),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}

/** A property that every schema of zod has and no minifier renames. */
const SCHEMA_MARK = '_zod'

/** Schemas check on the server; a page names routes by `@godwit/contract/table`. Throws when a chunk carries the validator. */
async function refuseSchemas(): Promise<void> {
  const names = (await readdir(DIST, { recursive: true })).filter((name) => name.endsWith('.js'))
  for (const name of names) {
    const code = await readFile(join(DIST, name), 'utf8')
    if (code.includes(SCHEMA_MARK)) throw new Error(`${name} carries zod: import types from the contract, or its table`)
  }
}

/** Every HTML page has a row, so that a new one cannot grow unseen. */
function requireRows(): void {
  const rows = new Set(PAGES.flatMap(({ roots }) => roots))
  for (const { html } of ENTRY_PAGES) if (!rows.has(html)) throw new Error(`${html} has no row in the budget`)
}

/** @returns one line for each page; throws when a page is over its limit */
export async function checkBudget(): Promise<string> {
  requireRows()
  await refuseSchemas()
  const manifest = JSON.parse(await readFile(join(DIST, '.vite/manifest.json'), 'utf8')) as Manifest
  const lines: string[] = []
  let isOver = false
  for (const { name, roots, limitKb } of PAGES) {
    const chunks = reached(manifest, roots)
    const js = await gzipKb(chunks.map(({ file }) => file))
    const css = await gzipKb(chunks.flatMap((chunk) => chunk.css ?? []))
    const scripts = chunks.length
    isOver ||= js > limitKb || css > CSS_LIMIT_KB || scripts > FILES_LIMIT
    lines.push(
      `${name.padEnd(17)} JavaScript ${js.toFixed(1)} of ${limitKb} KB in ${scripts} of ${FILES_LIMIT} files, CSS ${css.toFixed(1)} of ${CSS_LIMIT_KB} KB`,
    )
  }
  const known = new Set(reached(manifest, PORTAL).map(({ file }) => file))
  for (const { name, roots } of LATER_PAGES) {
    const added = reached(manifest, roots).filter(({ file }) => !known.has(file))
    const js = await gzipKb(added.map(({ file }) => file))
    isOver ||= js > LATER_LIMIT_KB
    lines.push(`${name.padEnd(17)} JavaScript +${js.toFixed(1)} of ${LATER_LIMIT_KB} KB`)
  }
  if (isOver) throw new Error(`over the budget\n${lines.join('\n')}`)
  return lines.join('\n')
}

if (import.meta.main) process.stdout.write(`${await checkBudget()}\n`)
