import { createHmac } from 'node:crypto'
import type { Clock } from '@godwit/base'
import type { ServiceRequest } from '../bucket/http-service.ts'

/** What a connection string of the portal holds. */
export interface AzureConnection {
  /** Address of the account, without a slash at its end. */
  readonly endpoint: string
  readonly account: string
  readonly accountKey: string
}

/** Version of the service that is spoken; every account of today knows it. */
const VERSION = '2021-12-02'

/** @returns undefined for what is no connection string with a key */
export function parseConnection(text: string): AzureConnection | undefined {
  const fields = new Map(
    text.split(';').map((field) => {
      const cut = field.indexOf('=')
      return [field.slice(0, cut).trim().toLowerCase(), field.slice(cut + 1).trim()] as const
    }),
  )
  const [account = '', accountKey = ''] = [fields.get('accountname'), fields.get('accountkey')]
  if (account === '' || accountKey === '') return undefined
  const scheme = fields.get('defaultendpointsprotocol') ?? 'https'
  const suffix = fields.get('endpointsuffix') ?? 'core.windows.net'
  const endpoint = fields.get('blobendpoint') ?? `${scheme}://${account}.blob.${suffix}`
  return { endpoint: endpoint.replace(/\/+$/, ''), account, accountKey }
}

/** Signs requests with the key of the account ("Shared Key"). */
export function sharedKey(
  { account, accountKey }: Omit<AzureConnection, 'endpoint'>,
  clock: Pick<Clock, 'now'>,
): (request: ServiceRequest) => ServiceRequest {
  const key = Buffer.from(accountKey, 'base64')
  return (request) => {
    const headers = { ...request.headers, 'x-ms-date': new Date(clock.now()).toUTCString(), 'x-ms-version': VERSION }
    const signature = createHmac('sha256', key)
      .update(textToSign(account, { ...request, headers }))
      .digest('base64')
    return { ...request, headers: { ...headers, authorization: `SharedKey ${account}:${signature}` } }
  }
}

function textToSign(account: string, { method, url, headers, body }: ServiceRequest): string {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('x-ms-'))
  const sorted = own.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `${name}:${value.trim()}`)
  const length = body === undefined || body.length === 0 ? '' : String(body.length)
  const at = (name: string): string => headers[name] ?? ''
  return [
    method,
    ...['', '', length, '', at('content-type'), '', '', at('if-match'), at('if-none-match'), '', ''],
    ...sorted,
    `/${account}${url.pathname}${queryToSign(url)}`,
  ].join('\n')
}

function queryToSign({ searchParams }: URL): string {
  const pairs = [...searchParams].map(([name, value]) => `\n${name.toLowerCase()}:${value}`)
  return pairs.toSorted().join('')
}
