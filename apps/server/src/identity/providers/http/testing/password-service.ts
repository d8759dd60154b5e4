import { createHmac } from 'node:crypto'
import { createServer as createPlain, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { secureRandom, systemClock } from '@godwit/base'
import { makeSelfSigned } from '../../../../foundation/certificates/self-signed.ts'

/** A service that checks passwords as docs/sign-in.md describes it, with people of its own. */
export interface PasswordService extends AsyncDisposable {
  /** By https, for the name `localhost`. */
  readonly url: string
  readonly plainUrl: string
  readonly ca: string
  readonly secret: string
  /** Everything that came, with its headers. */
  readonly asked: Asked[]
  /** What it does instead from now on; undefined is as it should. */
  behave(instead: Behaviour | undefined): void
}

export interface Asked {
  readonly account: string
  readonly headers: IncomingMessage['headers']
}

type Behaviour = (response: ServerResponse, account: string) => void

/** @param people answers to a right password, by account */
export async function launchPasswordService(
  people: Readonly<Record<string, { readonly password: string; readonly answer: object }>>,
): Promise<PasswordService> {
  const secret = 'Secret-of-the-service-7'
  const asked: Asked[] = []
  let instead: Behaviour | undefined
  const { certificate, key } = await makeSelfSigned({
    ...{ names: ['localhost'], days: 2, now: systemClock.now(), serial: secureRandom.fill(new Uint8Array(16)) },
  })
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const { account, password } = JSON.parse(body) as { readonly account: string; readonly password: string }
    asked.push({ account, headers: request.headers })
    if (instead !== undefined) return instead(response, account)
    if (!isKnown(request, body, secret)) return void response.writeHead(403).end()
    const person = people[account]
    const answer =
      person === undefined
        ? { ok: false, reason: 'unknown' }
        : person.password === password
          ? person.answer
          : { ok: false }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  }
  const listener = (request: IncomingMessage, response: ServerResponse): void => void handle(request, response)
  const servers = [createServer({ cert: certificate, key }, listener), createPlain(listener)]
  const [port = 0, plainPort = 0] = await Promise.all(servers.map(listen))
  return {
    url: `https://localhost:${port}/check`,
    plainUrl: `http://localhost:${plainPort}/check`,
    ...{ ca: certificate, secret, asked },
    behave: (next) => void (instead = next),
    async [Symbol.asyncDispose]() {
      for (const server of servers) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
}

/** The secret itself, or a signature made with it. */
function isKnown({ headers }: IncomingMessage, body: string, secret: string): boolean {
  if (headers.authorization === `Bearer ${secret}`) return true
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  return headers['webhook-signature'] === `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
