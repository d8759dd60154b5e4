import fs from 'node:fs'
import { fileOperations, PERMISSION, ROUTES, type Permission } from '@godwit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { doors, gives, isRefusedStranger, type Door } from './testing/doors.ts'
import { openSite, type Site } from './testing/sites.ts'
import { signedInSocket } from './testing/sockets.ts'
import type { Login } from './testing/wire.ts'

/** What each door asks of the account; null: only to be signed in; several: no flag is enough alone. A door that is missing here fails the first test. */
const NEEDS: Readonly<Record<string, Permission | 'several' | null>> = {
  'auth.logout': null,
  'auth.logoutEverywhere': null,
  'auth.spaces': null,
  'auth.info': null,
  'auth.chooseSpace': null,
  'auth.changePassword': null,
  'auth.updateInfo': null,
  'mail.ownInfo': null,
  'mail.ownUpdate': null,
  'mail.ownTest': null,
  'groups.list': null,
  'notices.list': null,
  'notices.markRead': null,
  'notices.markReadTwin': null,
  'security.sessions': null,
  'security.endSession': null,
  'security.endOtherSessions': null,
  'security.signIns': null,
  'security.secondFactor': null,
  'security.beginTotp': null,
  'security.confirmTotp': null,
  'security.removeTotp': null,
  'security.renewRecoveryCodes': null,
  'security.passkeys': null,
  'security.beginPasskey': null,
  'security.finishPasskey': null,
  'security.renamePasskey': null,
  'security.removePasskey': null,
  'security.apiTokens': null,
  'security.createApiToken': null,
  'security.removeApiToken': null,
  'clients.mine': null,
  'clients.setSpace': null,
  'clients.upgrade': null,
  'clients.release': null,
  'clients.upload': 'upload',
  'clients.download': 'download',
  // Two flags at once, and a switch before them: exchange/transfers has its own test.
  'clients.sync': null,
  'clients.packageTicket': null,
  'clients.package': null,
  // Two flags at once: exchange/links has its own test.
  'links.create': null,
  'links.edit': null,
  'links.list': null,
  'links.detail': null,
  'links.uses': null,
  'links.recipients': null,
  'links.request': null,
  'links.people': null,
  'receivedLinks.list': null,
  'receivedLinks.open': null,
  'links.remind': null,
  'links.extend': null,
  'links.mailAgain': null,
  'links.sealedFiles': null,
  'links.previewMail': null,
  'links.remove': null,
  'links.cancel': null,
  'links.cancelTwin': null,
  'links.enable': null,
  'links.unbind': null,
  'links.downloadCount': null,
  'transfers.upload': 'upload',
  'transfers.download': 'download',
  'transfers.list': null,
  'transfers.files': null,
  'transfers.ticket': null,
  'transfers.pause': null,
  'transfers.resume': null,
  'transfers.cancel': null,
  'transfers.limit': null,
  'transfers.begin': 'upload',
  'transfers.report': null,
  'transfers.clear': null,
  'deviceLogins.look': null,
  'deviceLogins.decide': null,
  'deviceLogins.register': null,
  'deviceLogins.signOut': null,
  'visits.reportDownload': null,
  'visits.sealedFiles': null,
  'visits.list': null,
  'visits.request': null,
  'visits.ticket': null,
  'visits.preview': null,
  'visits.check': null,
  'visits.viewed': null,
  'visits.thumbnail': null,
  'visits.mkdir': null,
  'visits.enter': null,
  'visits.leave': null,
  'downloads.content': 'download',
  'downloads.contentHead': 'download',
  'downloads.ticket': 'download',
  'uploads.create': 'upload',
  'uploads.part': null,
  'uploads.status': null,
  'uploads.complete': null,
  'uploads.abort': null,
  'uploads.abortTwin': null,
  'uploads.mine': null,
  'uploads.pack': 'upload',
  'files.list': 'list',
  'files.search': 'list',
  'files.columns': 'list',
  'files.mkdir': 'mkdir',
  'files.rename': 'rename',
  'files.move': 'move',
  'files.copy': 'copy',
  'files.remove': 'delete',
  'files.attributes': 'list',
  'files.exists': 'list',
  'files.preflight': 'upload',
  'files.download': 'download',
  'files.preview': 'download',
  'files.viewed': null,
  'previews.thumbnail': 'several',
  'files.pack': 'several',
  'files.unpack': 'several',
  'files.job': null,
  'files.cancel': null,
  'files.undo': null,
  'files.recycled': 'list',
  'files.restore': 'upload',
  'files.purge': 'delete',
  'files.versions': 'several',
  'files.restoreVersion': 'several',
  'files.removeVersions': 'delete',
  'files.usage': 'list',
  'files.activity': 'list',
  'files.favorites': null,
  'files.recent': null,
  'files.favoritesIn': 'list',
  'files.mark': 'list',
  'files.forgetRecent': null,
  'tus.POST': 'upload',
  'tus.HEAD': null,
  'tus.PATCH': null,
  'tus.DELETE': null,
  'webdav.OPTIONS': null,
  'webdav.PROPFIND': 'list',
  'webdav.PROPPATCH': 'upload',
  'webdav.GET': 'download',
  'webdav.HEAD': 'download',
  'webdav.PUT': 'upload',
  'webdav.MKCOL': 'mkdir',
  'webdav.DELETE': 'delete',
  'webdav.COPY': 'copy',
  'webdav.MOVE': 'rename',
  'webdav.LOCK': 'upload',
  'webdav.UNLOCK': 'upload',
}

/** The specification's eleven flags, without the two that grant nothing. */
const FLAGS = (Object.keys(PERMISSION) as Permission[]).filter((flag) => flag !== 'cwd' && flag !== 'append')

describe('who may do what', () => {
  let site: Site
  const logins = new Map<Permission | 'none', Login>()

  beforeAll(async () => {
    site = await openSite()
    for (const flag of [...FLAGS, 'none'] as const) {
      const account = `only_${flag}`
      await site.addUser(account, { permission: flag === 'none' ? 0 : PERMISSION[flag] })
      fs.mkdirSync(site.home(account), { recursive: true })
      logins.set(flag, await site.signIn(account))
    }
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  // The doors of the console ask for rights of their own: see console.it.test.ts.
  const guarded = (): Door[] => doors().filter(({ access }) => access !== 'public' && typeof access === 'string')

  it('is written down for every door (T27, T29)', () => {
    expect(Object.keys(NEEDS).toSorted()).toEqual(
      guarded()
        .map(({ name }) => name)
        .toSorted(),
    )
    for (const routes of Object.values(ROUTES)) {
      for (const { access } of Object.values(routes))
        if (typeof access === 'string') expect(['public', 'guest', 'user', 'session', 'transfer']).toContain(access)
    }
  })

  it('lets an account with one flag through the doors of that flag only (T27)', async () => {
    const wrong: string[] = []
    let cells = 0
    for (const { name, question } of guarded()) {
      // These end the session that the next cell needs.
      if (/^auth\.(logout|changePassword)/.test(name)) continue
      for (const [flag, { token }] of logins) {
        const answer = await site.ask({ ...question, token })
        cells++
        const isDenied =
          answer.code === 1008 ||
          answer.status === 403 ||
          (question.method === 'HEAD' && answer.headers['x-request-id'] !== undefined && answer.status === 400)
        const need = NEEDS[name]
        const isAllowed = need === null || need === undefined || need === flag
        // A HEAD says no code: a missing file and a missing right look the same, so only what is allowed is looked at.
        if (question.method === 'HEAD' && isAllowed) continue
        if (isDenied === isAllowed) wrong.push(`${name} with ${flag}: ${answer.status} ${answer.text}`)
      }
    }
    expect(wrong).toEqual([])
    expect(cells).toBeGreaterThan(300)
  })

  it('says the same on the file socket (T27)', async () => {
    const wrong: string[] = []
    for (const [flag, { token }] of logins) {
      const socket = await signedInSocket(site.url, token)
      for (const { name, question } of guarded()) {
        const operation = name.slice('files.'.length)
        if (!name.startsWith('files.') || !Object.hasOwn(fileOperations, operation)) continue
        const need = NEEDS[name]
        const { code } = await socket.ask({ type: 'call', operation, input: question.json })
        if ((code === 1008) === (need === null || need === flag)) wrong.push(`${name} with ${flag}: ${code}`)
      }
      const watch = await socket.ask({ type: 'watch', spaceId: 1, groupId: 0, folder: '/' })
      if ((watch.code === 1008) === (flag === 'list')) wrong.push(`watch with ${flag}: ${watch.code}`)
      socket.socket.terminate()
    }
    expect(wrong).toEqual([])
  })

  it('keeps other groups and spaces shut to everyone (T27)', async () => {
    await site.addUser('owner')
    const { token } = await site.signIn('owner')
    const wrong: string[] = []
    for (const place of [{ groupId: 1 }, { spaceId: 2 }, { spaceId: 2 ** 31 - 1 }, { groupId: 2 ** 31 - 1 }]) {
      for (const { name, question } of guarded()) {
        if (
          !('json' in question) ||
          !/^(files|uploads\.create|downloads|transfers\.(upload|download|begin))/.test(name) ||
          /job|cancel|recycled|restore/.test(name)
        )
          continue
        const answer = await site.ask({ ...question, token, json: { ...(question.json as object), ...place } })
        if (answer.code === 200 || answer.status >= 500) wrong.push(`${name} ${JSON.stringify(place)}: ${answer.text}`)
      }
      const { groupId = 0, spaceId = 1 } = place
      const content = await site.ask({ path: `/api/files/content?path=/&groupId=${groupId}&spaceId=${spaceId}`, token })
      if (content.status === 200) wrong.push(`content ${JSON.stringify(place)}`)
    }
    expect(wrong).toEqual([])
  })

  it('gives nobody a public door that is not on this list, and every declared door exists (T29, T57)', async () => {
    const open: string[] = []
    const missing: string[] = []
    for (const { name, question } of doors()) {
      const answer = await site.ask(question)
      if (!isRefusedStranger(answer) && !(question.method === 'HEAD' && answer.status >= 400)) open.push(name)
      if (answer.code === 5006) missing.push(name)
    }
    expect(missing).toEqual([])
    expect(open.toSorted()).toEqual([
      // Whoever has the link of an invitation is nobody yet.
      'auth.acceptInvitation',
      'auth.emailVerification',
      'auth.firstLogin',
      'auth.legacy',
      'auth.login',
      'auth.openInvitation',
      'auth.resetSend',
      'auth.resetSet',
      'auth.resetVerify',
      // Tells a stranger nothing but a code that an account has to confirm.
      'deviceLogins.begin',
      'deviceLogins.token',
      // The address of a link, which takes what a guest of it may do.
      'plain.GET',
      'plain.PUT',
      'security.beginPasskeyLogin',
      'security.beginTotpSetUp',
      'security.finishPasskeyLogin',
      'security.setUpTotp',
      'setup.create',
      // What comes back from an identity provider counts with the key of the browser alone; a notice with its signature.
      'signOn.begin',
      'signOn.ended',
      'signOn.finish',
      // What a browser posts is kept until the page with the key asks; a sign-out counts with its signature.
      'signOn.samlAnswer',
      'signOn.samlMetadata',
      'signOn.samlSignOut',
      'signOn.samlSignOutForm',
      'site.customised',
      'site.service',
      'site.website',
      // Whoever has the id of a link may ask, and needs its password.
      'visits.plain',
      'visits.sendCode',
      'visits.verify',
    ])
  })

  it('has no door beside those of the contract (T57)', async () => {
    const source = new URL('..', import.meta.url)
    const mounts = fs
      .readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('.test.') && !file.startsWith('security'))
      .filter((file) =>
        /fastify\.(get|post|put|patch|delete|head|options|all|route|register)\b/.test(
          fs.readFileSync(new URL(file, source), 'utf8'),
        ),
      )
    expect(mounts.toSorted()).toEqual([
      // Answers of challenges, for the authority of certificates.
      'edge/acme/index.ts',
      'edge/documentation/index.ts',
      'edge/health/index.ts',
      'edge/http/endpoints.ts',
      'edge/http/pages.ts',
    ])
    for (const path of [
      '/api',
      '/api/',
      '/api/admin',
      '/api/debug',
      '/api/files',
      '/metrics',
      '/.env',
      '/server-status',
      '/api/users',
    ]) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'TRACE']) {
        const answer = await site.ask({ method, path })
        expect(gives(answer) || answer.status >= 500, `${method} ${path}`).toBe(false)
      }
    }
  })
})
