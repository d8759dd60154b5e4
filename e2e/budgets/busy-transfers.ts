import type { AdminTransfer } from '@godwit/contract'
import type { Page, Route } from '@playwright/test'

const TRANSFERS = 100
const WATCHED_MS = 10_000

/** As a running upload of a client, which has moved on each time it is asked for. */
function transfer(at: number, asked: number): AdminTransfer {
  const bytes = 400_000_000_000
  const bytesPerSecond = 1_000_000 * (at + 1) + ((asked * 7_919) % 900_000)
  const bytesDone = Math.min(bytes, asked * bytesPerSecond)
  return {
    ...{ transferId: `transfer-${at}`, direction: at % 3 === 0 ? 'download' : 'upload', state: 'running' },
    ...{
      spaceId: 1,
      groupId: 0,
      folder: '/footage',
      name: `reel ${at}.mxf`,
      files: 40,
      filesDone: asked % 40,
      failures: 0,
    },
    ...{
      bytes,
      bytesDone,
      bytesPerSecond,
      bytesMoved: bytesDone,
      path: asked % 5 === 0 ? 'tcp' : 'udp',
      pathReason: '',
    },
    ...{ bottleneck: 'loss', bottleneckFigures: { percent: (asked % 30) / 10 }, device: `edit-suite-${at}` },
    ...{
      address: `10.0.0.${at}`,
      error: '',
      createdAt: 1_700_000_000,
      updatedAt: 1_700_000_000 + asked,
      finishedAt: 0,
    },
    ...{ expiresAt: 1_800_000_000, startedAt: 1_700_000_000, rateMbps: 0, ceilingMbps: 0, priority: 'normal' },
    ...{ deadline: null, lateMs: 0 },
    ...{
      paths: [],
      holder: '',
      door: 'transfer',
      userId: `user-${at % 7}`,
      account: `user${at % 7}`,
      userName: `User ${at % 7}`,
    },
  }
}

/**
 * Shows 100 running transfers, each of which moves on with every answer, and works at the page meanwhile: types a search, selects
 * rows, opens and closes a drawer and a dialog.
 */
export async function showBusyTransfers(page: Page): Promise<void> {
  let asked = 0
  await page.route(/\/api\/admin\/transfers(\?|\/transfer-)/, (route: Route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    asked++
    const all = Array.from({ length: TRANSFERS }, (_, at) => transfer(at, asked))
    const found = all.find(({ transferId }) => pathname.endsWith(`/${transferId}`))
    const size = Number(searchParams.get('size'))
    const data = found === undefined ? { rows: all.slice(0, size), total: TRANSFERS } : { transfer: found, files: [] }
    return route.fulfill({ json: { code: 200, data } })
  })
  await page.goto('/admin/transfers?size=50')
  await page.getByRole('row').nth(50).waitFor()
  const end = performance.now() + WATCHED_MS
  for (let at = 1; performance.now() < end; at = (at % 9) + 1) await workAt(page, at)
  if (asked < WATCHED_MS / 2_000) throw new Error(`the page asked ${asked} times, which is no live list`)
}

async function workAt(page: Page, at: number): Promise<void> {
  await page.getByRole('searchbox').first().pressSequentially('reel', { delay: 50 })
  await page.getByRole('searchbox').first().fill('')
  await page.getByRole('row').nth(at).getByRole('checkbox').click()
  await page.getByRole('row').nth(at).getByRole('link').first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Speed' }).click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}
