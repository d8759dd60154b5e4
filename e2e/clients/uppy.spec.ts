import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodePassword } from '@godwit/contract'
import { type Godwit, launchGodwit } from '@godwit/testkit'
import { expect, test } from '@playwright/test'
import { build } from 'vite'
import { patterned } from './pattern.ts'

const FILE = { name: '照片 1.bin', size: 7_340_033 }

test('Uppy with its tus plug-in uploads without a change, also from another site that is allowed', async ({ page }) => {
  const built = await mkdtemp(join(tmpdir(), 'godwit-uppy-'))
  const body = pageWith(await bundle(built))
  const sites = await Promise.all([siteWith(body), siteWith(body)])
  const [allowed, stranger] = sites
  const godwit = await launchGodwit({ env: { GODWIT_HTTP_ALLOWED_ORIGINS: allowed.origin } })
  try {
    await page.route(`${godwit.url}/uppy.html`, (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body }),
    )
    const token = await tokenOf(godwit)
    for (const [origin, name] of [
      [godwit.url, 'own.bin'],
      [allowed.origin, FILE.name],
    ] as const) {
      await page.goto(`${origin}/uppy.html`)
      const args = [godwit.url, token, { ...FILE, name }] as const
      const sent = page.evaluate(([site, bearer, file]) => sendWithUppy(site, bearer, file), args)
      expect(await sent).toEqual({ successful: 1, failed: [] })
      const stored = await readFile(join(godwit.data, 'files/users/admin', name))
      expect(stored.equals(patterned(FILE.size))).toBe(true)
    }
    for (const [site, outcome] of [
      [allowed, 'read'],
      [stranger, 'refused'],
    ] as const) {
      await page.goto(`${site.origin}/uppy.html`)
      expect(await page.evaluate(reads, [godwit.url, token] as const)).toBe(outcome)
    }
  } finally {
    await godwit.stop()
    for (const { server } of sites) server.close()
    await rm(built, { recursive: true })
  }
})

/** Whether a page gets to see a file of an account whose token it has. */
async function reads([url, token]: readonly [string, string]): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  return fetch(`${url}/api/files/content?path=/own.bin`, { headers }).then(
    () => 'read',
    () => 'refused',
  )
}

/** Another site on this machine. */
async function siteWith(page: string) {
  const server = createServer((_req, res) => void res.writeHead(200, { 'content-type': 'text/html' }).end(page))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

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
