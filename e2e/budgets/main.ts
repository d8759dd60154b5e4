import { chromium } from '@playwright/test'
import { launchGodwit } from '@godwit/testkit'
import { dropBudgets } from './drop.ts'
import { listBudgets } from './list.ts'
import { pageBudgets } from './pages.ts'
import { scoreBudgets } from './scores.ts'

/** `node e2e/budgets/main.ts RUNS`, by `npm run bench -- --only budgets`: what the pages may cost at most, and what they do cost, as JSON. */

const runs = Number(process.argv[2])
const godwit = await launchGodwit()
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-quic'] })
try {
  const budgets = [
    ...(await pageBudgets(browser, godwit, runs)),
    ...(await listBudgets(browser, runs)),
    ...(await dropBudgets(browser, runs)),
    ...(await scoreBudgets(godwit, runs)),
  ]
  console.log(JSON.stringify(budgets))
} finally {
  await browser.close()
  await godwit.stop()
}
