import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodePassword } from '@godwit/contract'
import { type Godwit, launchGodwit } from '@godwit/testkit'
import { expect, test } from '@playwright/test'
import { build } from 'vite'
import { patterned } from './pattern.ts'

const FILE = { name: '照片 1.bin', size: 7_340_033 }

test('Uppy with its tus plug-in uploads without a change', async ({ page }) => {
  const built = await mkdtemp(join(tmpdir(), 'godwit-uppy-'))
  const godwit = await launchGodwit()
  try {
    await page.route('**/uppy.html', async (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body: pageWith(await bundle(built)) }),
    )
    await page.goto(`${godwit.url}/uppy.html`)
    const sent = page.evaluate(([token, file]) => sendWithUppy(token, file), [await tokenOf(godwit), FILE] as const)
    expect(await sent).toEqual({ successful: 1, failed: [] })
    const stored = await readFile(join(godwit.data, 'files/users/admin', FILE.name))
    expect(stored.equals(patterned(FILE.size))).toBe(true)
  } finally {
    await godwit.stop()
    await rm(built, { recursive: true })
  }
})

/** The site as one script. */
async function bundle(folder: string): Promise<string> {
  const input = join(import.meta.dirname, 'uppy.site.ts')
  const output = { entryFileNames: 'site.js' }
  await build({ configFile: false, logLevel: 'error', build: { outDir: folder, rollupOptions: { input, output } } })
  return readFile(join(folder, 'site.js'), 'utf8')
}

function pageWith(script: string): string {
  return `<!doctype html><script type="module">${script}</script>`
}

async function tokenOf({ url, administrator: { account, password } }: Godwit): Promise<string> {
  const answer = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account, password: encodePassword(password) }),
  })
  return ((await answer.json()) as { data: { token: string } }).data.token
}
