import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { freePort, type Godwit, run } from '@godwit/testkit'
import { signIn } from '../portal/fixtures.ts'
import { type Budget, budgetsOf, type Found, type Limit } from './budget.ts'

/** As large as a tenth of everything else that the project installs, so only who measures fetches it. */
const LIGHTHOUSE = 'lighthouse@13.5.0'
const FOLDER = join(import.meta.dirname, '../../artifacts/lighthouse')
const PRESETS = { desktop: ['--preset=desktop'], mobile: [] } as const
const PAGES = { 'sign-in': '/signin', files: '/personal' } as const
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const
const PAINT = 'largest paint'
const PERFORMANCE = { desktop: 98, mobile: 95 } as const
const LARGEST_PAINT_MS = { desktop: 800, mobile: 1800 } as const

interface Report {
  readonly audits: { readonly 'largest-contentful-paint': { readonly numericValue?: number } }
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>
}

/** What Lighthouse gives the pages, of 100 points, and when it has the largest paint on its line. */
export async function scoreBudgets(godwit: Godwit, runs: number): Promise<Budget[]> {
  await run(['npm', 'install', '--no-save', '--no-package-lock', '--prefix', FOLDER, LIGHTHOUSE])
  const profile = await mkdtemp(join(tmpdir(), 'godwit-lighthouse-'))
  const port = await freePort()
  // It opens its pages in this browser, in which somebody is signed in.
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic', `--remote-debugging-port=${port}`],
    locale: 'en-US',
  })
  try {
    const found: Found[] = []
    for (let turn = 0; turn < runs; turn++) {
      const scores: Record<string, number> = {}
      for (const [name, path] of Object.entries(PAGES))
        for (const preset of ['desktop', 'mobile'] as const) {
          const page = await browser.newPage()
          // The sign-in page signs out.
          await signIn(page, godwit)
          await page.close()
          const { audits, categories } = await judge(`${godwit.url}${path}`, port, PRESETS[preset])
          scores[subjectOf(name, preset, PAINT)] = audits['largest-contentful-paint'].numericValue ?? Number.NaN
          for (const category of CATEGORIES)
            scores[subjectOf(name, preset, category)] = Math.round(100 * (categories[category]?.score ?? Number.NaN))
        }
      found.push(scores)
    }
    return budgetsOf(found, limits())
  } finally {
    await browser.close()
    await rm(profile, { recursive: true })
  }
}

async function judge(url: string, port: number, flags: readonly string[]): Promise<Report> {
  const program = join(FOLDER, 'node_modules/lighthouse/cli/index.js')
  const report = join(FOLDER, 'report.json')
  const options = ['--quiet', '--output=json', `--output-path=${report}`, '--disable-storage-reset', `--port=${port}`]
  const only = `--only-categories=${CATEGORIES.join(',')}`
  await run([process.execPath, program, url, ...options, only, ...flags])
  return JSON.parse(await readFile(report, 'utf8')) as Report
}

function subjectOf(page: string, preset: string, category: string): string {
  return `${page}, ${preset}: ${category}`
}

function limits(): Record<string, Limit> {
  const all = new Map<string, Limit>()
  for (const page of Object.keys(PAGES))
    for (const preset of ['desktop', 'mobile'] as const) {
      for (const category of CATEGORIES) {
        const atLeast = category === 'performance' ? PERFORMANCE[preset] : 100
        all.set(subjectOf(page, preset, category), { unit: 'points', atLeast })
      }
      all.set(subjectOf(page, preset, PAINT), { unit: 'ms', atMost: LARGEST_PAINT_MS[preset] })
    }
  return Object.fromEntries(all)
}
