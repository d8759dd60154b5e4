import { request } from 'node:http'
import type { LocalClientAction, LocalClientView, LocalItemView } from '@godwit/contract'
import { expect } from 'vitest'
import type { ClientSite } from '../../testing/client-site.ts'

export const SOON = { timeout: 30_000, interval: 100 }

interface Call {
  readonly authorization?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

/** The page as a browser has it: nothing is asked before it is open. */
export function clientPage() {
  let origin = ''
  let token = ''

  const call = async (
    method: 'GET' | 'POST',
    path: string,
    { authorization = token, headers = {}, body }: Call = {},
  ): Promise<{ readonly status: number; readonly code: number; readonly data: unknown }> => {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
    // fetch lets nobody choose the host.
    const sent = request(new URL(path, origin), {
      method,
      headers: { authorization: `Bearer ${authorization}`, ...headers },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.on('data', (part: Buffer) => (text += part.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    const text = body === undefined ? '' : JSON.stringify(body)
    if (text !== '')
      sent.setHeader('content-type', 'application/json').setHeader('content-length', Buffer.byteLength(text))
    sent.end(text)
    const answer = await promise
    const { code, data } = JSON.parse(answer.text) as { readonly code: number; readonly data: unknown }
    return { status: answer.status, code, data }
  }
  const view = async (): Promise<LocalClientView> => (await call('GET', '/api/state')).data as LocalClientView
  const act = (body: LocalClientAction): ReturnType<typeof call> => call('POST', '/api/act', { body })
  /** The newest: what failed before is listed above it. */
  const item = async (): Promise<LocalItemView | undefined> =>
    (await view()).items.toSorted((one, other) => other.id - one.id)[0]
  /** From now on with the token and the place of this one. */
  const openPage = async (site: ClientSite): Promise<void> => {
    const opened = site.client('open')
    expect(await opened.exitCode()).toBe(0)
    const url = new URL(String(opened.events.find(({ event }) => event === 'page')?.['url']))
    ;({ origin } = url)
    const { data } = await call('POST', '/api/open', { authorization: url.hash.slice(1) })
    ;({ token } = data as { readonly token: string })
  }

  return { call, view, act, item, openPage, current: () => ({ origin, token }) }
}
