import fs from 'node:fs'
import path from 'node:path'
import type { Site } from '../../../security/testing/sites.ts'
import type { Answer } from '../../../security/testing/wire.ts'

/** An owner with files, and what a test asks as owner or guest. */
export interface Sharing {
  readonly token: string
  /** Where the owner's files are on the disk. */
  readonly home: string
  /** Calls one of the owner's routes. */
  own(route: string, json: object, method?: string): Promise<Answer>
  look(route: string): Promise<Answer>
  /** Makes a link. @returns its id */
  link(wanted: object): Promise<string>
  /** Puts a file into the owner's home. */
  put(file: string, content: string | Uint8Array): void
}

export async function openSharing(site: Site, account: string): Promise<Sharing> {
  await site.addUser(account, { permission: 8191 })
  return signInAgain(site, account)
}

/** The same owner in a new session. */
export async function signInAgain(site: Site, account: string): Promise<Sharing> {
  const { token } = await site.signIn(account)
  const home = site.home(account)
  const own: Sharing['own'] = (route, json, method = 'POST') =>
    site.ask({ method, path: `/api/share/link/${route}`, token, json })
  return {
    token,
    home,
    own,
    look: (route) => site.ask({ path: `/api/share/link/${route}`, token }),
    async link(wanted) {
      const answer = await own('create', { shareUrlType: 1, shareServerPath: '/', ...wanted })
      if (answer.code !== 200) throw new Error(answer.text)
      return (answer.data as unknown as { readonly linkId: string }).linkId
    },
    put(file, content) {
      const target = path.join(home, file)
      fs.mkdirSync(path.dirname(target), { recursive: true })
      fs.writeFileSync(target, content)
    },
  }
}

/** What a guest asks, with the token of a visit. */
export interface Guest {
  readonly token: string
  ask(route: string, json: object): Promise<Answer>
  list(folder?: string): Promise<readonly string[]>
  /** @returns the address of a ticket */
  ticket(paths: readonly string[]): Promise<string>
}

export function verify(site: Site, json: object): Promise<Answer> {
  return site.ask({ method: 'POST', path: '/api/share/link/verify/url', json })
}

/** Opens a link. @throws Error with the answer when it does not */
export async function visit(site: Site, url: string, passwd?: string): Promise<Guest> {
  const answer = await verify(site, { url, ...(passwd === undefined ? {} : { passwd }) })
  const { token } = answer.data as unknown as { readonly token: string }
  if (answer.code !== 200 || token === '') throw new Error(answer.text)
  return visitWith(site, token)
}

/** What the token of a visit is good for. */
export function visitWith(site: Site, token: string): Guest {
  const ask: Guest['ask'] = (route, json) =>
    site.ask({ method: 'POST', path: `/api/share/visit/${route}`, token, json })
  return {
    token,
    ask,
    async list(folder = '/') {
      const listed = await ask('list', { folder })
      if (listed.code !== 200) throw new Error(listed.text)
      return (listed.data as unknown as { readonly items: ReadonlyArray<{ readonly path: string }> }).items.map(
        (item) => item.path,
      )
    },
    async ticket(paths) {
      const issued = await ask('ticket', { paths })
      if (issued.code !== 200) throw new Error(issued.text)
      return (issued.data as unknown as { readonly url: string }).url
    },
  }
}
