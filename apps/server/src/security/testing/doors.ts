import { allRoutes, fileOperations, type Access } from '@godwit/contract'
import type { Answer, Question } from './wire.ts'

/** One thing that can be asked of the server, with an input that its schema accepts. */
export interface Door {
  readonly name: string
  readonly access: Access
  readonly question: Question & { readonly method: string }
}

/** An id that no upload has, in the form of one. */
export const STRANGE_ID = '0123456789abcdef0123456789abcdef'
export const TUS = { 'tus-resumable': '1.0.0' }

const INPUTS: Readonly<Record<string, object>> = {
  list: { folder: '/' },
  columns: { folder: '/' },
  mkdir: { folder: '/', name: 'made' },
  rename: { path: '/', oldName: 'a', newName: 'b' },
  move: { paths: ['/a'], target: '/' },
  copy: { paths: ['/a'], target: '/' },
  remove: { paths: ['/a'] },
  attributes: { paths: ['/a'] },
  search: { folder: '/', scope: 'here', text: 'a' },
  exists: { paths: ['/a'] },
  preflight: { folder: '/', paths: ['a'], sizes: [1], totalBytes: 1 },
  download: { paths: ['/a'] },
  preview: { path: '/a' },
  job: { jobId: STRANGE_ID },
  cancel: { jobId: STRANGE_ID },
  undo: { jobId: STRANGE_ID },
  pack: { paths: ['/absent'], target: '/', name: 'absent.zip' },
  unpack: { path: '/absent.zip', target: '/' },
  recycled: {},
  restore: { recycleIds: [STRANGE_ID] },
  purge: { recycleIds: [STRANGE_ID] },
  versions: { path: '/a' },
  restoreVersion: { path: '/a', versionId: STRANGE_ID },
  removeVersions: { path: '/a', versionIds: [STRANGE_ID] },
  usage: {},
  activity: { path: '/a' },
  viewed: { viewId: 'a', isOver: true },
  favorites: {},
  recent: {},
  favoritesIn: { folder: '/' },
  mark: { paths: ['/a'], isFavorite: true },
  forgetRecent: {},
}

const DIRECTORY = {
  kind: 'ldap',
  settings: {
    ...{ serverType: 'OpenLdap', host: '127.0.0.1', port: 9, encryption: 'none', base: 'dc=intruder', permission: 2 },
    attributes: { account: 'uid', name: 'cn', email: 'mail', phone: '', department: '', id: 'entryUUID' },
  },
}

const SENDER = {
  emailFromName: 'Sender',
  emailType: 9,
  emailAccount: 'sender@example.org',
  emailPassword: 'eA==',
  emailSmtpHost: '127.0.0.1',
  emailSmtpPort: 9,
  emailEncryptType: 0,
}

const NOTICE = { titleEn: 'a', textEn: 'b', channels: ['website'], audience: { users: [STRANGE_ID] } }

const MAIL_WORDS = { template: 'test', locale: 'en-US', subject: 'a', body: 'b' }

const HOOK = { name: 'Intruder', url: 'http://127.0.0.1:9/', events: ['file.committed'] }

/** An address that nothing listens at. */
const DATABASE = { address: '127.0.0.1', port: 9, name: 'intruder', account: 'intruder', password: 'x' }

const BODIES: Readonly<Record<string, object>> = {
  'database.try': DATABASE,
  'database.copy': DATABASE,
  'database.switch': { confirm: 'switch' },
  'auth.login': { account: 'nobody', password: 'eA==' },
  'auth.changePassword': { oldPassword: 'eA==', newPassword: 'eQ==' },
  'auth.firstLogin': { account: 'nobody', oldPassword: 'eA==', newPassword: 'eQ==' },
  'auth.emailVerification': { account: 'nobody', language: 1 },
  'auth.updateInfo': { name: 'Renamed' },
  'auth.legacy': { action: 'get_account', email: 'nobody@example.org' },
  'auth.resetSend': { email: 'nobody@example.org', language: 1 },
  'auth.openInvitation': { token: 'x' },
  'auth.acceptInvitation': { token: 'x', password: 'U3VucmlzZS00Mng=' },
  'auth.resetSet': { password: 'U3VucmlzZS00Mng=', passToken: 'x' },
  'auth.chooseSpace': { spaceId: 1 },
  'security.endSession': { sessionId: STRANGE_ID },
  'security.endOtherSessions': {},
  'security.beginTotp': { password: 'eA==' },
  'security.confirmTotp': { code: '000000' },
  'security.beginTotpSetUp': { setUp: 'x' },
  'security.setUpTotp': { setUp: 'x', code: '000000' },
  'security.removeTotp': { password: 'eA==', code: '000000' },
  'security.renewRecoveryCodes': { password: 'eA==', code: '000000' },
  'security.beginPasskey': { password: 'eA==' },
  'security.finishPasskey': { name: 'key', response: {} },
  'security.renamePasskey': { passkeyId: STRANGE_ID, name: 'key' },
  'security.removePasskey': { passkeyId: STRANGE_ID, password: 'eA==' },
  'security.beginPasskeyLogin': {},
  'security.finishPasskeyLogin': { challengeId: STRANGE_ID, response: {} },
  'security.createApiToken': { name: 'tool', permission: 2, days: 1, password: 'eA==' },
  'security.removeApiToken': { tokenId: STRANGE_ID },
  'signOn.begin': { providerId: 2 ** 31 - 1 },
  'signOn.finish': { key: 'x', answer: '?state=x&code=x' },
  'deviceLogins.begin': { name: 'laptop' },
  'deviceLogins.token': { deviceCode: 'x' },
  'deviceLogins.look': { userCode: 'BCDF-GHJK' },
  'deviceLogins.decide': { userCode: 'BCDF-GHJK', isAllowed: false },
  'deviceLogins.register': { name: 'laptop' },
  'deviceLogins.signOut': {},
  'adminDevices.signOut': { deviceIds: [STRANGE_ID] },
  'clients.setSpace': { spaceId: 1 },
  'clients.upgrade': {},
  'clients.upload': { spaceId: 1, groupId: 0, folder: '/', paths: [], pick: 'files' },
  'clients.download': { spaceId: 1, groupId: 0, paths: ['/a'] },
  'clients.sync': { spaceId: 1, groupId: 0, folder: '/', path: '' },
  'clients.packageTicket': { type: 'deb' },
  'mail.ownUpdate': SENDER,
  'mail.ownTest': SENDER,
  'adminMailTexts.preview': MAIL_WORDS,
  'adminMailTexts.test': MAIL_WORDS,
  'notices.markRead': { noticeIds: [STRANGE_ID] },
  'notices.markReadTwin': { noticeIds: [STRANGE_ID] },
  'adminNotices.send': NOTICE,
  'adminNotices.edit': { ...NOTICE, revision: 1 },
  'adminNotices.cancel': { noticeId: STRANGE_ID },
  'hooks.add': HOOK,
  'hooks.edit': { ...HOOK, revision: 1 },
  'hooks.remove': { hookId: STRANGE_ID },
  'hooks.replay': {},
  'setup.create': { token: 'x', account: 'intruder', email: '', password: 'U3VucmlzZS00Mng=' },
  'downloads.ticket': { paths: ['/a'] },
  'transfers.upload': { folder: '/' },
  'transfers.download': { paths: ['/a'] },
  'transfers.ticket': {},
  'transfers.pause': {},
  'transfers.resume': {},
  'transfers.cancel': {},
  'transfers.limit': { rateMbps: 1, priority: 'high' },
  'transfers.begin': { folder: '/', name: 'a', files: 1, bytes: 1, paths: ['/a'] },
  'transfers.report': { state: 'running', files: 1, bytes: 1, failures: 0 },
  'transfers.clear': {},
  'adminTransfers.control': { transferIds: [STRANGE_ID], action: 'pause' },
  'adminTransfers.limit': { transferIds: [STRANGE_ID], ceilingMbps: 1 },
  'adminRecycle.restore': { recycleIds: [STRANGE_ID] },
  'adminRecycle.clear': { recycleIds: [STRANGE_ID] },
  'links.create': { shareUrlType: 1, shareServerPath: '/', shareExpireTime: 1 },
  'links.edit': { shareUrl: STRANGE_ID },
  'links.remove': { shareUrlList: [STRANGE_ID] },
  'links.cancel': { shareUrlList: [STRANGE_ID] },
  'links.cancelTwin': { shareUrlList: [STRANGE_ID] },
  'links.enable': { shareUrlList: [STRANGE_ID] },
  'links.unbind': { urls: [STRANGE_ID] },
  'receivedLinks.open': { url: STRANGE_ID },
  'links.remind': { url: STRANGE_ID },
  'links.extend': { shareUrlList: [STRANGE_ID], days: 7 },
  'links.sealedFiles': { url: STRANGE_ID },
  'links.previewMail': { shareUrlType: 1, name: 'a', shareEmailContent: '', emailLanguage: 1 },
  'links.mailAgain': { url: STRANGE_ID, address: 'a@example.org' },
  'visits.sendCode': { url: STRANGE_ID, person: { address: 'a@example.org' }, language: 1 },
  'visits.verify': { url: STRANGE_ID },
  'visits.reportDownload': { accessDest: ['/a'] },
  'visits.sealedFiles': {},
  'visits.list': { folder: '/' },
  'visits.ticket': { paths: [] },
  'visits.preview': { path: '/a' },
  'visits.viewed': { viewId: 'a', isOver: true },
  'visits.check': { path: '/a', size: 1, hash: '0'.repeat(64) },
  'visits.enter': { accepted: true, values: [] },
  'visits.mkdir': { folder: '/', name: 'a' },
  'adminScim.edit': { revision: 0 },
  'adminUsers.add': { account: 'intruder', password: 'U3VucmlzZS00Mng=' },
  'adminUsers.edit': { revision: 1, name: 'Renamed' },
  'adminUsers.import': { rows: [{ account: 'intruder' }], dryRun: true },
  'adminUsers.invite': { ids: [STRANGE_ID] },
  'adminUsers.withdrawInvitation': { ids: [STRANGE_ID] },
  'adminUsers.lock': { ids: [STRANGE_ID] },
  'adminUsers.unlock': { ids: [STRANGE_ID] },
  'adminUsers.remove': { ids: [STRANGE_ID] },
  'adminRemovedUsers.settle': { ids: [STRANGE_ID], files: 'delete' },
  'adminViews.save': { list: 'users', name: 'Locked', search: { state: 'locked' } },
  'adminViews.remove': { viewId: STRANGE_ID },
  'adminRoles.add': { name: 'Helpers', rights: [], auditScope: 'own', folderScope: 'own' },
  'adminRoles.edit': { revision: 1, name: 'Renamed' },
  'adminRoles.remove': { roleId: 2 ** 31 - 1 },
  'administrators.appoint': { userId: STRANGE_ID, roleId: 1 },
  'administrators.edit': { revision: 1, roleId: 1 },
  'administrators.remove': { userId: STRANGE_ID },
  'administrators.transferSuper': { userId: STRANGE_ID, password: 'eA==' },
  'adminGroups.add': { name: 'Intruders' },
  'adminGroups.edit': { revision: 1 },
  'adminGroups.remove': { groupId: 2 ** 31 - 1 },
  'adminGroups.setMembers': { userIds: [STRANGE_ID] },
  'adminGroups.removeMembers': { userIds: [STRANGE_ID] },
  'adminMounts.add': { alias: 'Intruders', storageId: 2 ** 31 - 1, path: 'absent' },
  'adminMounts.rename': { alias: 'Intruders' },
  'adminLinks.tryOut': { chosen: { ids: [STRANGE_ID] }, change: 'disable' },
  'adminLinks.disable': { chosen: { ids: [STRANGE_ID] } },
  'adminLinks.enable': { chosen: { ids: [STRANGE_ID] } },
  'adminLinks.unbind': { chosen: { ids: [STRANGE_ID] } },
  'adminLinks.remove': { chosen: { ids: [STRANGE_ID] } },
  'adminSpaces.add': { name: 'Intruders' },
  'adminSpaces.edit': { revision: 1 },
  'adminSpaces.remove': { spaceId: 2 ** 31 - 1 },
  'adminSpaceMoves.begin': { storageId: 2 ** 31 - 1 },
  'adminSpaces.setMembers': { userIds: [STRANGE_ID] },
  'adminSpaces.removeMembers': { userIds: [STRANGE_ID] },
  'adminStorages.add': { name: 'Intruders', kind: 'local', settings: { folder: '/absent/intruders' } },
  'adminStorages.edit': { revision: 1 },
  'adminStorages.remove': { storageId: 2 ** 31 - 1 },
  'adminStorages.setCleaning': { rule: null },
  'adminStorages.previewCleaning': { basis: 'modified', days: 7 },
  'adminStorages.tryOut': { kind: 'local', settings: { folder: '/absent/intruders' } },
  'adminAuthentication.add': { name: 'Intruders', source: DIRECTORY },
  'adminAuthentication.edit': { revision: 1, name: 'Renamed' },
  'adminAuthentication.remove': { providerId: 2 ** 31 - 1 },
  'adminAuthentication.order': { providerIds: [2 ** 31 - 1] },
  'adminAuthentication.tryOut': { source: DIRECTORY },
  'adminAuthentication.sync': { dryRun: true },
  'adminDepartments.add': { name: 'Intruders' },
  'adminDepartments.edit': { revision: 1 },
  'adminDepartments.remove': { departmentId: 2 ** 31 - 1 },
  'adminSessions.end': { sessionIds: [STRANGE_ID] },
  'certificates.upload': { certificate: 'x', key: 'x' },
  'certificates.selfSigned': { names: ['intruder.example.org'] },
  'licence.install': { code: 'ABCDEFGHJKLMN' },
  'adminMail.update': SENDER,
  'adminMail.test': SENDER,
  'adminMailSettings.edit': { changes: [{ key: 'mail.test.subject.en', from: 'Test e-mail', value: 'Intruder' }] },
  'adminSettings.edit': { changes: [{ key: 'englishOnly', from: 0, value: 1 }] },
  'adminSecuritySettings.edit': { changes: [{ key: 'userPwdSwitch', from: 1, value: 0 }] },
  'adminDesign.edit': { changes: [{ key: 'position', from: 6, value: 1 }] },
  'adminDesignImages.change': { images: { logo: null } },
  'adminCertificateSettings.edit': { changes: [{ key: 'acme.contact', from: '', value: 'intruder@example.org' }] },
  'adminBackupSettings.edit': { changes: [{ key: 'backup.switch', from: 0, value: 1 }] },
  'backups.drill': { backupId: STRANGE_ID },
  'serverControl.restart': { confirm: 'restart' },
  'serverControl.shutdown': { confirm: 'shutdown' },
  'dashboard.dismissChecklist': { isDismissed: true },
  'dashboard.rerunJobs': { jobIds: [STRANGE_ID] },
  'dashboard.retryEvents': { events: [{ subscriber: 'nobody', position: 1 }] },
  'uploads.create': { folder: '/', filename: 'f', size: 1 },
  'uploads.complete': {},
}

const QUERIES: Readonly<Record<string, string>> = {
  'adminAccess.ask': '?path=/a&action=view',
  'auth.resetVerify': '?email=nobody%40example.org&code=000000',
  'clients.package': '?token=x',
  'downloads.content': '?path=%2Fa',
  'downloads.contentHead': '?path=%2Fa',
  'previews.content': '?ticket=x',
  'previews.contentHead': '?ticket=x',
  'previews.thumbnail': '?path=%2Fa',
  'uploads.pack': '?folder=%2F',
  'adminViews.list': '?list=users',
  'adminLinks.list': '?kind=share',
  'links.list': '?shareUrlType=1',
  'links.detail': `?url=${STRANGE_ID}`,
  'links.uses': `?url=${STRANGE_ID}`,
  'links.recipients': `?url=${STRANGE_ID}`,
  'links.request': `?url=${STRANGE_ID}`,
  'links.downloadCount': `?sid=${STRANGE_ID}`,
  'visits.content': '?ticket=x',
  'visits.contentHead': '?ticket=x',
  'visits.thumbnail': '?path=%2Fa',
}

/** Every route and operation of the contract, and every door of tus, WebDAV and plain links: generated, so that a new one is tried unasked. */
export function doors(): readonly Door[] {
  const routes = allRoutes().map(({ feature, name, spec }): Door => {
    const key = `${feature}.${name}`
    const path =
      spec.path
        .replace(':uploadId', STRANGE_ID)
        .replace(/:(?:linkId|userId|transferId|syncId|noticeId|hookId)/, STRANGE_ID)
        .replace(/:(?:roleId|groupId|spaceId|storageId|departmentId|providerId|mountId)/, String(2 ** 31 - 1))
        .replace(':offset', '0')
        .replace(':asset', 'logo')
        .replace(':type', 'deb') + (QUERIES[key] ?? '')
    const body = BODIES[key]
    const content = spec.raw === 'request' ? { body: Buffer.from('x') } : body === undefined ? {} : { json: body }
    return { name: key, access: spec.access, question: { method: spec.method, path, ...content } }
  })
  const operations = Object.keys(fileOperations).map((name): Door => {
    const json = INPUTS[name]
    if (json === undefined) throw new Error(`no input for the operation ${name}: add one to doors.ts`)
    return { name: `files.${name}`, access: 'user', question: { method: 'POST', path: `/api/files/${name}`, json } }
  })
  return [...routes, ...operations, ...tusDoors(), ...webdavDoors(), ...plainDoors()]
}

function tusDoors(): Door[] {
  const upload = `/files/uploads/${STRANGE_ID}`
  const chunk = { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
  const questions = [
    {
      method: 'POST',
      path: '/files/uploads',
      headers: { ...TUS, 'upload-length': '1', 'upload-metadata': 'filename Zg==' },
    },
    { method: 'HEAD', path: upload, headers: TUS },
    { method: 'PATCH', path: upload, headers: chunk, body: Buffer.from('x') },
    { method: 'DELETE', path: upload, headers: TUS },
  ]
  return questions.map((question) => ({ name: `tus.${question.method}`, access: 'transfer', question }))
}

/** Addresses of links, for programs. */
function plainDoors(): Door[] {
  const path = `/share/${STRANGE_ID}/a.txt`
  const questions = [
    { method: 'GET', path },
    { method: 'HEAD', path },
    { method: 'PUT', path, body: Buffer.from('x') },
  ]
  return questions.map((question) => ({ name: `plain.${question.method}`, access: 'public', question }))
}

const DAV = 'xmlns:D="DAV:"'
const LOCK = `<D:lockinfo ${DAV}><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>`
const PATCH = `<D:propertyupdate ${DAV}><D:set><D:prop><x xmlns="urn:x"/></D:prop></D:set></D:propertyupdate>`
const LOCK_TOKEN = '<urn:uuid:01234567-89ab-cdef-0123-456789abcdef>'

function webdavDoors(): Door[] {
  const absent = '/dav/personal/absent'
  const elsewhere = { destination: '/dav/personal/elsewhere' }
  const questions = [
    { method: 'OPTIONS', path: '/dav/personal/' },
    { method: 'PROPFIND', path: '/dav/personal/', headers: { depth: '0' } },
    { method: 'PROPPATCH', path: absent, body: PATCH },
    { method: 'GET', path: absent },
    { method: 'HEAD', path: absent },
    { method: 'PUT', path: '/dav/personal/put-by-webdav', body: Buffer.from('x') },
    { method: 'MKCOL', path: '/dav/personal/made-by-webdav' },
    { method: 'DELETE', path: absent },
    { method: 'COPY', path: absent, headers: elsewhere },
    { method: 'MOVE', path: absent, headers: elsewhere },
    { method: 'LOCK', path: '/dav/personal/locked-by-webdav', body: LOCK },
    { method: 'UNLOCK', path: absent, headers: { 'lock-token': LOCK_TOKEN } },
  ]
  return questions.map((question) => ({ name: `webdav.${question.method}`, access: 'transfer', question }))
}

/** Answers that say "who are you?": a wrong or missing credential gets nothing else. */
export function isRefusedStranger({
  status,
  code,
}: {
  readonly status: number
  readonly code: number | undefined
}): boolean {
  return status === 401 || code === 1009 || code === 5112
}

/** What an answer gives: content or a change needs a success that is no page of the portal. */
export function gives({ status, code, headers }: Answer): boolean {
  const isPage = (headers['content-type'] ?? '').startsWith('text/html')
  return code === 200 || (status >= 200 && status < 300 && !isPage)
}
