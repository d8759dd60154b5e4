import { encodePassword } from '@godwit/contract'
import { openSite, PASSWORD, type Site } from './sites.ts'
import type { Answer, Login } from './wire.ts'

/** As a page sends it. */
export const password = encodePassword(PASSWORD)

/** A site with the accounts mei and tom, and the doors under /api/user as one of them. */
export interface Accounts extends AsyncDisposable {
  readonly site: Site
  readonly post: (login: Login, what: string, json?: object) => Promise<Answer>
  readonly get: (login: Login, what: string) => Promise<Answer>
}

export async function openAccounts(env: Readonly<Record<string, string>> = {}): Promise<Accounts> {
  const site = await openSite({ env })
  for (const account of ['mei', 'tom']) await site.addUser(account)
  return {
    site,
    post: ({ token }, what, json = {}) => site.ask({ method: 'POST', path: `/api/user/${what}`, token, json }),
    get: ({ token }, what) => site.ask({ path: `/api/user/${what}`, token }),
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  }
}
