import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nameFault, normaliseName } from '@godwit/contract'
import { launchGodwit, naughtyStrings } from '@godwit/testkit'
import type { Page } from '@playwright/test'
import { createLink, expect, operate, signIn, test } from './fixtures.ts'
import { makeFile, MiB, sha256, uplinkOf } from './large-files.ts'
import { operator } from './operator.ts'
import { FilesPage } from './pages/files.page.ts'

test('a chosen file arrives whole and can be downloaded', async ({ files, computer, page }) => {
  const path = await makeFile(join(computer, '大文件 (final).bin'), 20 * MiB + 17)
  await files.choose([path])
  await files.uploads.toSettle(['completed'])
  await files.row('大文件 (final).bin').getByRole('gridcell').nth(2).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    files.toolbar.locator('[data-action=download]').click(),
  ])
  expect(download.suggestedFilename()).toBe('大文件 (final).bin')
  expect(await sha256(await download.path())).toBe(await sha256(path))
})

test('the panel starts collapsed, is as low as its rows, stays as it was left, and covers nothing for good', async ({
  files,
  computer,
  page,
}) => {
  const { panel, rows } = files.uploads
  for (let at = 0; at < 30; at++) await operate(page, 'mkdir', { folder: files.folder, name: `folder ${at}` })
  await page.evaluate(() => localStorage.removeItem('godwit.upload-panel'))
  await page.reload()
  const paths = await Promise.all(Array.from({ length: 9 }, (_, at) => makeFile(join(computer, `${at}.bin`), 1000)))
  await files.choose(paths.slice(0, 1))
  await expect(files.uploads.summary).toHaveText('1 file uploaded')
  expect(await panel.boundingBox()).toMatchObject({ width: 350, height: 50 })
  await files.uploads.button('Show uploads').click()
  await expect(rows).toHaveCount(1)
  expect(await rows.first().boundingBox()).toMatchObject({ height: 60 })
  expect(await panel.boundingBox()).toMatchObject({ width: 350, height: 111 })
  for (const path of paths.slice(1)) await files.choose([path])
  await expect(rows).toHaveCount(9)
  expect(await panel.boundingBox()).toMatchObject({ width: 350, height: 470 })
  expect(await panel.getByTestId('upload-list').boundingBox()).toMatchObject({ height: 420 })
  await files.grid.focus()
  await page.keyboard.press('End')
  const last = files.grid.locator('[data-focused]')
  const [top, bottom] = await Promise.all([
    panel.evaluate((element) => element.getBoundingClientRect().top),
    last.evaluate((element) => element.getBoundingClientRect().bottom),
  ])
  expect(bottom).toBeLessThanOrEqual(top)
  await page.getByTestId('account').click()
  await page.getByRole('menuitem', { name: 'Personal center' }).click()
  await expect(page).toHaveURL(/\/profile\/info$/)
  await expect(panel).toBeHidden()
  await page.getByRole('banner').getByRole('link').first().click()
  await expect(panel).toBeVisible()
  await files.uploads.button('Close uploads').click()
  await expect(panel).toBeHidden()
  await files.goto(files.folder)
  await files.choose(paths.slice(0, 1))
  await page.getByRole('button', { name: 'Keep both' }).click()
  await expect(rows).toHaveCount(1)
})

test('taken names are asked about before a byte is sent, in subfolders too', async ({ files, computer, page }) => {
  await mkdir(join(computer, 'set/sub'), { recursive: true })
  for (const name of ['set/one.txt', 'set/two.txt', 'set/sub/deep.txt', 'loose.txt']) {
    await writeFile(join(computer, name), `first ${name}`)
  }
  const all = [join(computer, 'set'), join(computer, 'loose.txt')]
  await files.drop(all)
  await expect(files.uploads.summary).toHaveText('4 files uploaded')
  await files.uploads.button('Close uploads').click()
  await writeFile(join(computer, 'set/new.txt'), 'new')
  await files.drop(all)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('4 names already exist')
  await dialog.getByLabel('Apply to all 4').check()
  await dialog.getByRole('button', { name: 'Skip' }).click()
  await expect(files.uploads.summary).toHaveText('1 file uploaded')
  await files.uploads.button('Close uploads').click()
  await files.drop([join(computer, 'loose.txt')])
  await expect(dialog).toContainText('“loose.txt” already exists')
  await page.keyboard.press('Escape')
  const closed = page.getByRole('status').filter({ hasText: '“loose.txt” was not uploaded.' })
  await closed.getByRole('button', { name: 'Ask again' }).click()
  await dialog.getByRole('button', { name: 'Keep both' }).click()
  await expect(files.row('loose (1).txt')).toBeVisible()
})

test('small files that were removed or changed before they were sent fail by themselves, with the reason', async ({
  files,
  computer,
  page,
  godwit,
}) => {
  const names = ['kept.txt', 'changed.txt', 'removed.txt', 'other.txt', 'empty.txt']
  await mkdir(join(computer, 'set'))
  await writeFile(join(computer, 'set/kept.txt'), 'earlier')
  await files.drop([join(computer, 'set')])
  await files.uploads.toSettle(['completed'])
  await files.uploads.button('Close uploads').click()
  for (const name of names) await writeFile(join(computer, 'set', name), name === 'empty.txt' ? '' : name)
  await files.drop([join(computer, 'set')])
  // The question holds everything up until the files are no longer what was dropped.
  const replace = page.getByRole('dialog').getByRole('button', { name: 'Replace' })
  await expect(replace).toBeVisible()
  await appendFile(join(computer, 'set/changed.txt'), ' and more')
  await rm(join(computer, 'set/removed.txt'))
  await replace.click()
  await files.uploads.toSettle(['failed'])
  await expect(files.uploads.rows.first()).toContainText('3 of 5 files')
  const arrived = join(godwit.data, 'files/users/admin', files.folder, 'set')
  for (const name of ['kept.txt', 'other.txt']) expect(await readFile(join(arrived, name), 'utf8')).toBe(name)
  expect(await readFile(join(arrived, 'empty.txt'), 'utf8')).toBe('')
  await files.uploads.button(/^Show what failed/).click()
  const failures = page.getByTestId('upload-failures').getByRole('listitem')
  await expect(failures).toHaveCount(2)
  for (const name of ['changed.txt', 'removed.txt']) {
    await expect(failures.filter({ hasText: name })).toContainText('changed or removed on this computer')
  }
})

test('each naughty string is taken as a name, byte for byte, or refused with a code (row 20)', async ({
  files,
  computer,
  page,
  godwit,
}) => {
  // What a disk can hold at all.
  const names = [
    ...new Set(naughtyStrings().filter((name) => !/^\.{0,2}$|[/\0]/.test(name) && Buffer.byteLength(name) < 256)),
  ]
  for (const [at, name] of names.entries()) await writeFile(`${computer}/${name}`, `${at}`)
  await files.drop(names.map((name) => `${computer}/${name}`))
  // Those that cannot be are pointed out before a byte is sent, with what to do about them.
  const list = page.getByRole('dialog')
  const refused = names.filter((name) => nameFault(normaliseName(name)) !== undefined)
  await expect(list).toContainText(`${refused.length} names are not allowed`)
  for (const all of await list.getByLabel(/^For all/).all()) await all.selectOption('Skip')
  await list.getByRole('button', { name: /^Upload/ }).click()
  await files.uploads.toSettle(['completed'])
  const { names: stored } = (await operate(page, 'columns', { folder: files.folder, limit: 1000 })) as {
    names: readonly string[]
  }
  expect(stored.length).toBeGreaterThan(100)
  const kept = new Set(stored)
  for (const [at, name] of names.entries()) {
    const stands = kept.has(name.normalize('NFC'))
    const isAlone = names.filter((other) => other.toLowerCase() === name.toLowerCase()).length === 1
    if (nameFault(normaliseName(name)) !== undefined) expect(stands, name).toBe(false)
    else if (isAlone) expect(stands, name).toBe(true)
    if (!stands) continue
    const path = join(godwit.data, 'files/users/admin', files.folder, name.normalize('NFC'))
    expect(await readFile(path, 'utf8')).toBe(`${at}`)
  }
})

/** Percent that the ring in the icon of the tab is closed; undefined for the plain icon. */
async function ringOfTab(page: Page): Promise<number | undefined> {
  return page.evaluate(async () => {
    const { href } = document.querySelector<HTMLLinkElement>('link[rel=icon]') ?? { href: '' }
    if (!href.startsWith('data:image/png')) return undefined
    const picture = new Image()
    picture.src = href
    await picture.decode()
    const pen = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
    if (pen === null) throw new Error('nothing to read pixels with')
    pen.drawImage(picture, 0, 0)
    const { data } = pen.getImageData(0, 0, picture.width, picture.height)
    let grey = 0
    let coloured = 0
    for (let at = 0; at < data.length; at += 4) {
      const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4)
      if (alpha < 255) continue
      if (Math.max(red, green, blue) - Math.min(red, green, blue) > 40) coloured += 1
      else grey += 1
    }
    return (100 * coloured) / (coloured + grey)
  })
}

test('pause, resume and cancel work for one and for all', async ({ files, computer, page }) => {
  const setUplink = await uplinkOf(page)
  await setUplink(3 * MiB)
  const paths = await Promise.all(['a.bin', 'b.bin'].map((name) => makeFile(join(computer, name), 24 * MiB)))
  await files.choose(paths)
  await expect(files.uploads.rows.first()).toHaveAttribute('data-state', 'active')
  await expect(page).toHaveTitle(/^\d+%/)
  // The ring in the icon closes with the number in the title, as near as its pixels show it.
  const shown = async () => [Number.parseInt(await page.title(), 10), await ringOfTab(page)] as const
  await expect.poll(async () => (await shown())[0]).toBeGreaterThan(10)
  await expect
    .poll(async () => {
      const [percent, ring = -100] = await shown()
      return Math.abs(percent - ring)
    })
    .toBeLessThan(4)
  await files.uploads.button('Pause all').click()
  await files.uploads.toSettle(['paused', 'paused'])
  await files.uploads.button('Resume a.bin').click()
  await expect(files.uploads.rows.filter({ hasText: 'a.bin' })).toHaveAttribute('data-state', 'active')
  await files.uploads.button('Cancel b.bin').click()
  await setUplink(-1)
  await files.uploads.toSettle(['completed'])
  await expect(page).toHaveTitle(/^My files/)
  expect(await ringOfTab(page)).toBeUndefined()
})

test('what is taken back while the server still opens it leaves nothing behind', async ({ files, computer, page }) => {
  const release = Promise.withResolvers<void>()
  await page.route('**/api/uploads', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    const response = await route.fetch()
    await release.promise
    await route.fulfill({ response })
  })
  const opening = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/api/uploads'),
  )
  await files.choose([await makeFile(join(computer, 'brief.bin'), 8 * MiB)])
  await opening
  await files.uploads.button('Cancel brief.bin').click()
  await expect(files.uploads.rows).toHaveCount(0)
  const aborted = page.waitForResponse((response) => response.url().endsWith('/abort'))
  release.resolve()
  expect((await aborted).ok()).toBe(true)
})

test('a drop without the permission says why and never leaves the page', async ({ files, computer, page }) => {
  await page.route('**/api/user/info*', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: { user: { permission: number } } }
    body.data.user.permission = 1 + 2 + 4 + 8
    await route.fulfill({ response, json: body })
  })
  await page.reload()
  await expect(files.toolbar.locator('[data-action=upload-files]')).toHaveCount(0)
  await writeFile(join(computer, 'x.txt'), 'x')
  await files.drop([join(computer, 'x.txt')])
  await expect(page.getByRole('alert')).toContainText('permission to upload')
  await expect(page).toHaveURL(/\/personal/)
})

/** What the page is told when it loads. */
async function keyToSealFor(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const { token } = JSON.parse(localStorage.getItem('godwit.session') ?? '{}') as { token?: string }
    const answer = await fetch('/api/user/info', { headers: { authorization: `Bearer ${token}` } })
    const { data } = (await answer.json()) as { data: { user: { webEncryptedKey: string } } }
    return data.user.webEncryptedKey
  })
}

/** Reports each blob that a page sends from its next load on. The browser shows nobody what is in it, so the page itself looks. */
async function watchBodies(page: Page, note: (isSealed: boolean, text: string) => void): Promise<void> {
  await page.exposeFunction('noteBody', note)
  await page.addInitScript(() => {
    const { send, setRequestHeader } = XMLHttpRequest.prototype
    const { noteBody } = globalThis as unknown as { readonly noteBody: typeof note }
    const sealed = new WeakSet<XMLHttpRequest>()
    XMLHttpRequest.prototype.setRequestHeader = function (this: XMLHttpRequest, name, value): void {
      if (name === 'x-sealed-by') sealed.add(this)
      setRequestHeader.call(this, name, value)
    }
    XMLHttpRequest.prototype.send = function (this: XMLHttpRequest, body): void {
      if (body instanceof Blob) void body.text().then((text) => noteBody(sealed.has(this), text))
      send.call(this, body)
    }
  })
}

test('what the site asks to be sealed is readable for the server alone, large or small, and arrives whole', async ({
  page,
  computer,
}) => {
  const own = await launchGodwit()
  try {
    await operator(own, 'site', 'set', 'webEncryptedUploadSwitch', '1')
    await signIn(page, own)
    // The server follows a setting within seconds.
    await expect.poll(() => keyToSealFor(page)).not.toBe('')
    const files = new FilesPage(page)
    const secret = 'the route of the next race. '
    const paths = await Promise.all(
      [10, 100_000].map(async (times, at) => {
        const path = join(computer, `${at}.txt`)
        await writeFile(path, secret.repeat(times))
        return path
      }),
    )
    const sent: boolean[] = []
    const note = (isSealed: boolean, text: string): number =>
      sent.push(isSealed && text !== '' && !text.includes(secret))
    await watchBodies(page, note)
    await page.reload()
    await files.choose(paths)
    await files.uploads.toSettle(['completed', 'completed'])
    expect(sent).toEqual([true, true])
    const home = join(own.data, 'files/users', own.administrator.account)
    expect(await readFile(join(home, '0.txt'), 'utf8')).toBe(secret.repeat(10))
    expect(await readFile(join(home, '1.txt'), 'utf8')).toBe(secret.repeat(100_000))

    // Guests do the same.
    await operate(page, 'mkdir', { folder: '/', name: 'inbox' })
    const linkId = await createLink(page, { shareUrlType: 0, shareServerPath: '/inbox' })
    const guest = await page.context().newPage()
    await watchBodies(guest, note)
    await guest.goto(`${own.url}/share/${linkId}`)
    const [chooser] = await Promise.all([
      guest.waitForEvent('filechooser'),
      guest.getByRole('button', { name: 'Choose files' }).click(),
    ])
    await chooser.setFiles(paths)
    await expect(guest.getByTestId('receipt')).toContainText('2 files were delivered')
    expect(sent).toEqual([true, true, true, true])
    expect(await readFile(join(home, 'inbox/1.txt'), 'utf8')).toBe(secret.repeat(100_000))
  } finally {
    await own.stop()
  }
})

test('who leaves while something is being uploaded is asked first', async ({ files, computer, page }) => {
  const setUplink = await uplinkOf(page)
  await setUplink(2 * MiB)
  await files.choose([await makeFile(join(computer, 'film.bin'), 32 * MiB)])
  await expect.poll(() => page.title()).toMatch(/^[1-9]\d?%/)
  const [question] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })])
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await expect(files.uploads.rows).toHaveCount(1)
  await page.getByTestId('account').click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Log out with unfinished uploads?')
  await page.keyboard.press('Escape')
  await setUplink(-1)
  await files.uploads.toSettle(['completed'])
})
