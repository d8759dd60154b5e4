import { adminScimRoutes, SCIM_PATH } from '@godwit/contract'
import { mariadbUrl } from '@godwit/testkit/engines'
import { openSite, type Site } from '../../../security/testing/sites.ts'

/** Where its administrators keep the connection. */
export const API = '/api/admin/authentication/scim'
/** How soon what was taken away has an end. */
export const WITHIN = { timeout: 5_000, interval: 50 }

export const ENGINES = [
  ['SQLite', () => Promise.resolve(undefined)],
  ['MariaDB', mariadbUrl],
] as const

interface Resource {
  readonly id: string
  readonly scimType?: string
  readonly detail?: string
  readonly totalResults: number
  readonly Resources: readonly Resource[]
  readonly meta: { readonly version: string; readonly location: string }
  readonly members: ReadonlyArray<{ readonly value: string }>
}

/** A site with a public address, where SCIM is still closed. @param more environment */
export async function openScimSite(
  databaseUrl: string | undefined,
  more: Readonly<Record<string, string>> = {},
): Promise<Site> {
  const env = { GODWIT_PUBLIC_URL: 'https://files.example.org', ...more }
  return openSite({ ...(databaseUrl === undefined ? {} : { databaseUrl }), env })
}

/** `token` is that of the provider. */
interface Provided {
  readonly site: Site
  readonly admin: string
  readonly token: string
}

/** What a provider and an administrator ask for. @param on the site of the running test, with its tokens */
export function scimSteps(on: () => Provided) {
  async function scim(method: string, path: string, json?: unknown, headers: Readonly<Record<string, string>> = {}) {
    const type = json === undefined ? {} : { 'content-type': 'application/scim+json' }
    const answer = await on().site.ask({
      ...{ method, path: SCIM_PATH + path, token: on().token, headers: { ...type, ...headers } },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
    const body = (answer.text === '' ? {} : JSON.parse(answer.text)) as Resource
    return { status: answer.status, headers: answer.headers, body }
  }
  const find = async (kind: 'Users' | 'Groups', filter: string) =>
    (await scim('GET', `/${kind}?filter=${encodeURIComponent(filter)}`)).body
  const connection = async () =>
    adminScimRoutes.detail.reply.parse((await on().site.ask({ path: API, token: on().admin })).data)
  const edit = async (change: object) => {
    const { revision } = await connection()
    return on().site.ask({ method: 'PATCH', path: API, token: on().admin, json: { revision, ...change } })
  }
  const userInfo = (session: string) => on().site.ask({ path: '/api/user/info', token: session })
  /** Replaces the one before. */
  const newToken = async () => {
    const { data } = await on().site.ask({ method: 'POST', path: `${API}/token`, token: on().admin })
    return adminScimRoutes.createToken.reply.parse(data).token
  }

  return { scim, find, connection, edit, userInfo, newToken }
}
