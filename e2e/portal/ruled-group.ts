import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient, encodePassword } from '@godwit/contract'
import { adminUsers } from '@godwit/contract/table/admin-users'
import { auth } from '@godwit/contract/table/auth'
import type { Godwit } from '@godwit/testkit'
import { addPerson, operator, type Person } from './operator.ts'

/** Files of {@link makeDrop} that every rule lets pass. */
export const DROPPED = 10_000
const FOLDERS = 50
const FILE_BYTES = 4096

export interface RuledGroup {
  readonly member: Person
  readonly groupId: number
  /** Where its files lie on the disk of the server. */
  readonly library: string
}

/** A group in which every kind of rule is on, and a member of it. */
export async function addRuledGroup(godwit: Godwit): Promise<RuledGroup> {
  const member = await addPerson(godwit)
  const added = await operator(godwit, 'group', 'add', 'Ruled', '--quota', '1G', '--json')
  const { id } = JSON.parse(added) as { readonly id: number }
  await operator(godwit, 'group', 'member', '--group', String(id), '--account', member.account)
  for (const [key, value] of [
    ['transIgnoreRegSwitch', '1'],
    ['transIgnoreReg', '*.tmp'],
    ['transIgnoreSizeSwitch', '1'],
    ['transIgnoreSize', '1'],
    ['versions.keep', '3'],
  ] as const)
    await operator(godwit, 'settings', 'set', key, value, '--group', String(id))
  for (const [key, value] of [
    ['webEncryptedUploadSwitch', '1'],
    ['security.deniedTypes', 'exe'],
  ] as const)
    await operator(godwit, 'settings', 'set', key, value)
  await narrow(godwit, member)
  return { member, groupId: id, library: join(godwit.data, 'files/groups', String(id)) }
}

/** Rules of the account itself: they hold in every place. */
async function narrow({ url, administrator }: Godwit, { account }: Person): Promise<void> {
  const guest = createClient({ baseUrl: url, fetch })
  const password = encodePassword(administrator.password)
  const { token } = await guest.call(auth.login, { body: { account: administrator.account, password } })
  const admin = createClient({ baseUrl: url, fetch, token: () => token })
  const { rows } = await admin.call(adminUsers.list, { query: { text: account } })
  const [user] = rows
  if (user === undefined) throw new Error(`no account ${account}`)
  const rules = {
    forbiddenPaths: ['*.key', '/private/**'],
    allowedPaths: ['/set', '/set/**'],
    uploadNewOnly: true,
    deniedTypes: ['bat'],
    allowedTypes: ['txt', 'tmp', 'exe', 'bat', 'key'],
  }
  const speed = { uploadMbps: 800, downloadMbps: 800, periods: [] }
  await admin.call(adminUsers.edit, { params: { userId: user.id }, body: { revision: user.revision, rules, speed } })
}

/** Of each rule one file that it keeps out, beside those that it lets pass. */
export const KEPT_OUT = [
  'set/later.tmp',
  'set/program.exe',
  'set/script.bat',
  'set/secret.key',
  'set/large.txt',
] as const

/** A folder `set` of {@link DROPPED} files, one that is empty, and {@link KEPT_OUT}. @returns its path */
export async function makeDrop(computer: string): Promise<string> {
  const tree = join(computer, 'set')
  for (let folder = 0; folder < FOLDERS; folder++) {
    await mkdir(join(tree, `f${folder}`), { recursive: true })
    await Promise.all(
      Array.from({ length: DROPPED / FOLDERS }, (_, at) =>
        writeFile(join(tree, `f${folder}`, `${at}.txt`), contentOf(folder, at)),
      ),
    )
  }
  await mkdir(join(tree, 'empty'))
  for (const name of KEPT_OUT)
    await writeFile(join(computer, name), name.padEnd(name.includes('large') ? 2 ** 21 : 9, '.'))
  return tree
}

/** Names in the folder `set` and their contents, as all of them should arrive. */
export function* dropped(): Generator<readonly [name: string, content: string]> {
  for (let folder = 0; folder < FOLDERS; folder++)
    for (let at = 0; at < DROPPED / FOLDERS; at++) yield [`f${folder}/${at}.txt`, contentOf(folder, at)]
}

function contentOf(folder: number, at: number): string {
  return `${folder}/${at}`.padEnd(FILE_BYTES, '.')
}
