import { adminUserRoutes, encodePassword, PERMISSION } from '@godwit/contract'
import { mariadbUrl } from '@godwit/testkit/engines'
import { administer } from '../../../security/testing/administrators.ts'
import { openSite, PASSWORD, type Site } from '../../../security/testing/sites.ts'

export const DATABASES = [
  { name: 'sqlite', url: () => Promise.resolve(undefined) },
  { name: 'mysql', url: mariadbUrl },
]

/** The tokens of the administrator, and of a helper who may see, edit and remove people, list and download. */
export interface PeopleSite {
  readonly site: Site
  readonly admin: string
  readonly helper: string
}

export async function openPeopleSite(databaseUrl: string | undefined): Promise<PeopleSite> {
  const site = await openSite(databaseUrl === undefined ? {} : { databaseUrl })
  const admin = (await site.signIn('admin')).token
  await site.addUser('helper', { permission: PERMISSION.list | PERMISSION.download })
  await administer(site, 'helper', ['users.view', 'users.edit', 'users.remove'])
  return { site, admin, helper: (await site.signIn('helper')).token }
}

/** What is done in the console, by its administrator unless another token is given. @param on the site of the running test */
export function peopleSteps(on: () => Omit<PeopleSite, 'helper'>) {
  const get = (path: string, token = on().admin) => on().site.ask({ path: `/api/admin/${path}`, token })
  const send = (method: string, path: string, json: object, token = on().admin) =>
    on().site.ask({ method, path: `/api/admin/${path}`, token, json })
  const add = async (account: string, more: object = {}, token = on().admin) =>
    send('POST', 'users', { account, password: encodePassword(PASSWORD), ...more }, token)
  const rowsOf = async (query: string) => adminUserRoutes.list.reply.parse((await get(`users?${query}`)).data).rows
  const idOf = async (account: string) => {
    const [row] = await rowsOf(`text=${account}`)
    return row?.id ?? ''
  }
  const logOf = (id: string) =>
    on().site.withDatabase(({ db }) =>
      db.selectFrom('operation_log').selectAll().where('target_id', '=', id).orderBy('seq').execute(),
    )

  return { get, send, add, rowsOf, idOf, logOf }
}
