import { encodePassword } from '@godwit/contract'
import { expect, signIn, withOwnServer } from '../portal/fixtures.ts'

// What strangers and people write is looked at on every page: other tests would find it on theirs.
const test = withOwnServer()

/** Fits where 32 characters do, and runs where a text is taken for HTML. */
const TEXT = '<img src=x onerror=hit()>'
const LONG = `"'><script>hit()</script><svg onload=hit()><a href="javascript:hit()">a</a>{{hit()}}\${hit()}${TEXT}`
/** What a name of a file may hold of it. */
const FILE = "x' onerror='hit()' y='.html"

interface Asked {
  readonly path: string
  readonly token?: string
  readonly json?: object
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

// One walk: what was written is the same for every page.
test('what people write runs on no page of portal and console, in either language', async ({ page, godwit }) => {
  const ask = async ({ path, token, json, method = 'POST', headers = {} }: Asked): Promise<Record<string, never>> => {
    const answer = await fetch(godwit.url + path, {
      method,
      headers: {
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
    const { code, data } = (await answer.json()) as { code: number; data: Record<string, never> }
    expect(code, `${path} ${JSON.stringify(data)}`).toBe(200)
    return data
  }
  const enter = (account: string, password: string) =>
    ask({
      path: '/api/user/login',
      json: { account, password: encodePassword(password) },
      headers: { 'user-agent': LONG },
    })

  const { account, password } = godwit.administrator
  const admin = String((await enter(account, password))['token'])
  const add = (name: string, json: object) => ask({ path: `/api/admin/${name}`, token: admin, json })
  await add('departments', { name: TEXT })
  await add('users', {
    account: 'evil',
    password: encodePassword('Sunrise-42x'),
    name: TEXT,
    email: 'evil@example.org',
  })
  await add('groups', { name: TEXT, spaceId: 1 })
  await add('roles', { name: TEXT, rights: [], auditScope: 'own', folderScope: 'own' })
  await add('spaces', { name: TEXT })
  await add('notices', {
    ...{ titleEn: TEXT, textEn: LONG, titleZh: TEXT, textZh: LONG, channels: ['website'] },
    audience: { all: true },
  })
  await ask({
    path: '/api/user/api-tokens',
    token: admin,
    json: { name: TEXT, permission: 2, days: 1, password: encodePassword(password) },
  })
  await ask({ path: '/api/files/mkdir', token: admin, json: { folder: '/', name: FILE } })
  const guestForm = {
    terms: LONG,
    fields: [
      { kind: 'name', required: true },
      { kind: 'text', label: TEXT },
    ],
  }
  const link = { shareUrlType: 0, shareServerPath: '/', shareFiles: [FILE], description: LONG, guestForm }
  const { linkId } = await ask({ path: '/api/share/link/create', token: admin, json: link })
  const visit = await ask({
    path: '/api/share/link/verify/url',
    json: { url: linkId },
    headers: { 'user-agent': LONG },
  })
  const guest = String(visit['token'])
  await ask({ path: '/api/share/visit/enter', token: guest, json: { accepted: true, values: [TEXT, LONG] } })
  const upload = { folder: '/', filename: FILE, size: 1 }
  const { uploadId } = await ask({ path: '/api/uploads', token: guest, json: upload })
  await fetch(`${godwit.url}/api/uploads/${String(uploadId)}/parts/0`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${guest}` },
    body: 'x',
  })
  await ask({ path: `/api/uploads/${String(uploadId)}/complete`, token: guest, json: {} })
  await enter('evil', 'Sunrise-42x')

  const hits: string[] = []
  await page.exposeFunction('hit', () => void hits.push(page.url()))
  await page.exposeFunction('refused', (what: string) => void hits.push(what))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile }) => {
      ;(window as unknown as { refused(what: string): void }).refused(`${violatedDirective} ${sourceFile}`)
    })
  })
  page.on('dialog', (dialog) => {
    hits.push(dialog.message())
    void dialog.dismiss()
  })
  await signIn(page, godwit)
  for (const locale of ['en-US', 'zh-CN']) {
    await page.evaluate((language) => localStorage.setItem('godwit.locale', language), locale)
    for (const start of ['/admin/dashboard', '/personal']) {
      await page.goto(start)
      const links = page.getByRole('navigation').getByRole('link')
      await expect(links.first()).toBeVisible()
      const pages = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
      for (const address of new Set(pages)) {
        await page.goto(address)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      }
    }
    // It is there, as the text that it is.
    for (const address of ['/admin/users', '/admin/groups', '/admin/roles', '/admin/departments']) {
      await page.goto(address)
      await expect(page.getByText(TEXT).filter({ visible: true }).first()).toBeVisible()
    }
    await page.goto('/notification')
    await page
      .getByRole('button', { name: /onerror/ })
      .first()
      .click()
    await page.goto(`/share/${String(linkId)}`)
    await expect(page.getByText('onerror').first()).toBeVisible()
  }
  expect(hits).toEqual([])
})
