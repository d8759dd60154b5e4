import http from 'node:http'
import { expect } from 'vitest'
import { encodePassword } from '@godwit/contract'
import { PASSWORD, type Site } from '../../../security/testing/sites.ts'
import { ask, type Answer, type Question } from '../../../security/testing/wire.ts'
import { hrefOf, namesOf } from '../webdav.paths.ts'
import { elementsIn, parseXml, type XmlElement } from '../../../kernel/xml.ts'

/** What an account mounts with. */
export interface Mount {
  readonly account: string
  /** The API token. */
  readonly password: string
  readonly tokenId: string
  /** A session of the same account, as its portal has it. */
  readonly session: string
  send(method: string, names: readonly string[], more?: Partial<Question>): Promise<Answer>
  /** A PUT that does not say how long it is. @returns its status and what was answered */
  putChunked(
    names: readonly string[],
    content: Uint8Array<ArrayBuffer>,
  ): Promise<{ readonly status: number; readonly text: string }>
  /** A PUT that announces more than it sends, and stays open. @returns what cuts it */
  beginPut(names: readonly string[], announced: number, sent: number): () => void
  /** Names directly in a folder. */
  list(names: readonly string[]): Promise<string[]>
}

export function basic(account: string, password: string): { readonly authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${account}:${password}`).toString('base64')}` }
}

/** @param permission of the token, as on the wire */
export async function mountAs(site: Site, account: string, permission = 2047): Promise<Mount> {
  const password = account === 'admin' ? site.godwit.administrator.password : PASSWORD
  const { token: session } = await site.signIn(account)
  const wanted = { name: 'mount', permission, days: 1, password: encodePassword(password) }
  const made = await site.ask({ method: 'POST', path: '/api/user/api-tokens', token: session, json: wanted })
  expect(made.code, made.text).toBe(200)
  const { token, apiToken } = made.data as unknown as { token: string; apiToken: { id: string } }
  const send: Mount['send'] = (method, names, more = {}) =>
    ask(site.url, {
      path: hrefOf(names, false),
      ...more,
      method,
      headers: { ...basic(account, token), ...more.headers },
    })
  return {
    ...{ account, password: token, tokenId: apiToken.id, session, send },
    async putChunked(names, content) {
      const halves = [content.subarray(0, content.length / 2), content.subarray(content.length / 2)]
      const answer = await fetch(site.url + hrefOf(names, false), {
        method: 'PUT',
        headers: basic(account, token),
        body: ReadableStream.from(halves),
        duplex: 'half',
      })
      return { status: answer.status, text: await answer.text() }
    },
    beginPut(names, announced, sent) {
      const headers = { ...basic(account, token), 'content-length': announced }
      const request = http.request(site.url + hrefOf(names, false), { method: 'PUT', headers })
      // It ends by being cut.
      request.on('error', () => undefined)
      request.write(Buffer.alloc(sent))
      return () => request.destroy()
    },
    async list(names) {
      const answer = await send('PROPFIND', names, { headers: { depth: '1' } })
      expect(answer.status, answer.text).toBe(207)
      return hrefsIn(answer)
        .filter((href) => href.length > names.length)
        .map((href) => href.at(-1) ?? '')
    },
  }
}

/** Names of every response of a 207. */
export function hrefsIn({ text }: Answer): string[][] {
  return responsesIn(text).map(({ names }) => names)
}

/** Every response of a 207, with the texts of the properties that were found. */
export function responsesIn(text: string) {
  return elementsIn(parseXml(text)).map((response) => {
    const href = textOf(child(response, 'href'))
    const stats = elementsIn(response).filter(({ name }) => name === '{DAV:}propstat')
    const found = stats.filter((stat) => textOf(child(stat, 'status')).includes(' 200 '))
    const properties = found.flatMap((stat) => elementsIn(child(stat, 'prop') ?? stat))
    return {
      names: namesOf(href.slice('/dav'.length)),
      status: textOf(child(response, 'status')),
      properties: new Map(properties.map((property) => [property.name, textOf(property)])),
    }
  })
}

function child(of: XmlElement, name: string): XmlElement | undefined {
  return elementsIn(of).find((each) => each.name === `{DAV:}${name}`)
}

function textOf(element: XmlElement | undefined): string {
  return (element?.children ?? []).filter((each) => typeof each === 'string').join('')
}

/** @param scope `exclusive` or `shared` */
export function lockBody(scope: string): string {
  return `<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:${scope}/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>`
}

/** @returns the token with its brackets */
export async function lockOf(
  mount: Mount,
  names: readonly string[],
  { depth = '0', scope = 'exclusive' }: { readonly depth?: string; readonly scope?: string } = {},
): Promise<string> {
  const answer = await mount.send('LOCK', names, { headers: { depth }, body: lockBody(scope) })
  expect([200, 201], answer.text).toContain(answer.status)
  return String(answer.headers['lock-token'])
}
