import { downloadRoutes, fileOperations } from '@godwit/contract'
import type { Ctx } from '../../kernel/context.ts'
import {
  endpoint,
  operation,
  type Endpoint,
  type Operation,
  type RawEndpoint,
  type RawExchange,
} from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { issueTicket, sendContent, type DownloadsDeps, type Wanted } from './downloads.service.ts'
import type { Running } from './running.ts'
import { admittedFrom, requireAccount } from '../../identity/principals/index.ts'

export function downloadOperations(deps: DownloadsDeps): Operation[] {
  return [operation(fileOperations.download, (ctx, input) => issueTicket(deps, ctx, input))]
}

export function downloadEndpoints(deps: DownloadsDeps): Endpoint[] {
  return [endpoint(downloadRoutes.ticket, (ctx, { body }) => issueTicket(deps, ctx, body))]
}

export function downloadRawEndpoints(deps: DownloadsDeps & { readonly running: Running }): RawEndpoint[] {
  const handle = async (ctx: Ctx, exchange: RawExchange): Promise<void> => {
    const wanted = await wantedOf(deps, ctx, exchange.query)
    const ticket = exchange.query.get('ticket')
    if (ticket !== null) await deps.tickets.extend(ticket)
    const { end, ...way } = deps.running.begin(wanted, ctx.signal)
    try {
      await sendContent(deps, wanted, { ...exchange, ...way, ...callerOf(ctx) })
    } finally {
      end()
    }
  }
  return [
    { spec: downloadRoutes.content, handle },
    { spec: downloadRoutes.contentHead, handle },
  ]
}

function callerOf({ locale, door, address }: Ctx): Pick<Ctx, 'locale' | 'door' | 'address'> {
  return { locale, door, address }
}

/** @throws AppError TICKET_INVALID, TOKEN_INVALID, PARAMETER_INVALID */
async function wantedOf(deps: DownloadsDeps, ctx: Ctx, query: URLSearchParams): Promise<Wanted> {
  const text = query.get('ticket')
  if (text !== null) {
    const ticket = await deps.tickets.redeem(text)
    const principal = admittedFrom(ticket.principal, ctx.address)
    if (principal === undefined) throw new AppError('TICKET_INVALID')
    return { ...ticket, principal }
  }
  const principal = requireAccount(ctx)
  const parsed = downloadRoutes.content.query.safeParse(Object.fromEntries(query))
  if (!parsed.success || parsed.data.path === undefined) throw new AppError('PARAMETER_INVALID', { field: 'path' })
  const { path, spaceId, groupId } = parsed.data
  return { principal, place: { spaceId, groupId }, paths: [path] }
}
