import { canTransferByClient, type TransferTicket } from '@godwit/contract'
import type { PlaceIds } from '../../content/access/index.ts'
import { dropTransferParts } from '../../content/intake/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import { openSyncFolder, openUploadFolder, requireBegin } from './transfer-folders.ts'
import { boundAnew, boundTo } from './transfers.principals.ts'
import type { TransferPort, TransfersDeps } from './transfers.deps.ts'
import { isOpen, isOver, nextState, type TransferEvent } from './transfers.machine.ts'
import { presentTransfer, presentUploadRules } from './transfers.present.ts'
import type { TransferRow } from './transfers.schema.ts'
import { transfersStore, type TransferChange } from './transfers.store.ts'
import { ticketOf } from './transfers.tickets.ts'

declare module '../../kernel/events/bus.ts' {
  interface Signals {
    /** A transfer began, moved on or ended. */
    readonly 'transfer.changed': { readonly userId: string; readonly transfer: ReturnType<typeof presentTransfer> }
  }
}

/** A ticket opens its transfer for so long after it was issued. */
const LIFE_MS = 7 * 24 * 3_600_000

/** @throws AppError TRANSFER_PORT_UNAVAILABLE */
type FindPort = () => Promise<TransferPort>

/** What a ticket is asked for. */
export interface WantedUploads extends PlaceIds {
  readonly folder: string
  readonly name: string
  readonly device: string
  /** It comes from a folder that is kept in sync. */
  readonly isSync: boolean
}

export interface WantedDownloads extends PlaceIds {
  readonly paths: readonly string[]
  readonly device: string
  /** The folder of the paths is kept in sync. */
  readonly isSync: boolean
}

/**
 * @throws AppError PERMISSION_DENIED, PATH_NOT_FOUND, CLIENT_TRANSFER_NOT_ALLOWED, RATE_LIMITED; EDITION_FEATURE_MISSING and SYNC_OFF
 *   for a folder that is kept in sync
 */
export async function ticketForUpload(
  deps: TransfersDeps,
  ctx: UserCtx,
  { port, wanted }: { readonly port: FindPort; readonly wanted: WantedUploads },
): Promise<TransferTicket> {
  const { folder, name, isSync } = wanted
  if (isSync) await openSyncFolder(deps, ctx, { ...wanted, direction: 'upload' })
  const opened = await openUploadFolder(deps, ctx, wanted)
  const label = name === '' ? folder : name
  return issue(deps, ctx, { port, row: { ...newRow('upload', wanted), folder: opened.path, label } })
}

/** @throws as `ticketForUpload` does */
export async function ticketForDownload(
  deps: TransfersDeps,
  ctx: UserCtx,
  { port, wanted }: { readonly port: FindPort; readonly wanted: WantedDownloads },
): Promise<TransferTicket> {
  const { paths, spaceId, groupId, isSync } = wanted
  const [first = '/'] = paths
  const cut = first.lastIndexOf('/')
  const folder = first.slice(0, cut) || '/'
  if (isSync) await openSyncFolder(deps, ctx, { spaceId, groupId, folder, direction: 'download' })
  await deps.downloads.openSource({ principal: ctx.principal, place: { spaceId, groupId }, paths })
  const label = first.slice(cut + 1) || '/'
  const row = { ...newRow('download', wanted), folder, paths: JSON.stringify(paths), label }
  return issue(deps, ctx, { port, row })
}

/** @throws AppError CLIENT_TRANSFER_NOT_ALLOWED */
export async function requireClients(
  deps: TransfersDeps,
  { id: userId }: AccountPrincipal,
  spaceId: number,
): Promise<void> {
  const { transferType } = await deps.waysOf({ userId, spaceId })
  if (!canTransferByClient(transferType)) throw new AppError('CLIENT_TRANSFER_NOT_ALLOWED')
}

type NewRow = Omit<TransferRow, 'id' | 'user_id' | 'session_id' | 'api_token_id' | 'stamp' | Times>
type Times = 'created_at' | 'updated_at' | 'finished_at' | 'expires_at'

function newRow(direction: TransferRow['direction'], wanted: PlaceIds & { readonly device: string }): NewRow {
  return {
    ...{ direction, space_id: wanted.spaceId, group_id: wanted.groupId, folder: '', paths: '[]', label: '', task: '' },
    ...{ state: 'waiting', is_paused: 0, error: '', files: 0, files_done: 0, bytes: 0, bytes_done: 0 },
    ...{ bytes_per_second: 0, failures: 0, network_path: '', path_reason: '', bottleneck: '', bottleneck_figures: '' },
    ...{ device: wanted.device, address: '', started_at: 0, bytes_moved: 0 },
    ...{ rate_kbps: 0, ceiling_kbps: 0, priority: 'normal', deadline: 0, late_ms: 0 },
    ...{ door: 'transfer', is_cleared: 0 },
  }
}

async function issue(
  deps: TransfersDeps,
  { principal }: UserCtx,
  { port: findPort, row: given }: { readonly port: FindPort; readonly row: NewRow },
): Promise<TransferTicket> {
  await requireClients(deps, principal, given.space_id)
  deps.state.requireOpen()
  await deps.ticketLimit.take(principal.id)
  const port = await findPort()
  const now = deps.clock.now()
  const row: TransferRow = {
    ...given,
    label: given.label.slice(0, 255),
    id: deps.ids.next(),
    ...(await boundTo(deps, principal)),
    ...{ created_at: now, updated_at: now, finished_at: 0, expires_at: now + LIFE_MS },
  }
  await transfersStore.insert(deps.db, row)
  return present(deps, row, port)
}

/**
 * The ticket of a transfer that goes on, maybe by another device, for whoever might begin the same transfer.
 * @throws AppError TRANSFER_NOT_FOUND, CLIENT_TRANSFER_NOT_ALLOWED, PERMISSION_DENIED, PATH_NOT_FOUND; TICKET_INVALID when it is over or
 *   the ticket counts no longer, so that a new one is to be asked for
 */
export async function ticketAgain(
  deps: TransfersDeps,
  ctx: UserCtx,
  { port, id }: { readonly port: FindPort; readonly id: string },
): Promise<TransferTicket> {
  const row = await ownTransfer(deps, ctx, id)
  if (row.door !== 'transfer' || !isOpen(row.state) || row.expires_at < deps.clock.now())
    throw new AppError('TICKET_INVALID')
  await requireClients(deps, ctx.principal, row.space_id)
  await requireBegin(deps, ctx, row)
  return present(deps, await goesOnAs(deps, row, ctx.principal), await port())
}

/** @throws AppError TICKET_INVALID, and SERVER_BUSY when somebody else goes on with it at the same time */
async function goesOnAs(deps: TransfersDeps, row: TransferRow, principal: AccountPrincipal): Promise<TransferRow> {
  const bound = await boundAnew(deps, row, principal)
  if (bound.session_id === row.session_id && bound.api_token_id === row.api_token_id) return row
  if (!(await transfersStore.bind(deps.db, row, bound))) throw new AppError('SERVER_BUSY')
  return { ...row, ...bound }
}

async function present(deps: TransfersDeps, row: TransferRow, port: TransferPort): Promise<TransferTicket> {
  const { user_id: userId, space_id: spaceId, group_id: groupId } = row
  const { cTransEncryptSwitch, tcpEnable, tcpDelay } = await deps.clientSettings()
  const rules = await deps.rulesOf(userId, { spaceId, groupId })
  return {
    transfer: presentTransfer(row),
    ticket: ticketOf(deps.vault, row.id),
    ...{
      ...(await outerPort(deps, port)),
      encrypted: cTransEncryptSwitch === 1,
      tcpDelayMs: tcpEnable === 1 ? tcpDelay : 0,
    },
    // Over a long line a client that asked for these by themselves would begin later.
    rules: presentUploadRules(rules),
    defaultSpaceId: await deps.defaultSpaceOf(userId),
  }
}

export interface OuterPort extends TransferPort {
  readonly host: string
}

/** The port as clients reach it: a proxy in front of it has the same number for UDP. */
export async function outerPort(deps: Pick<TransfersDeps, 'clientSettings'>, port: TransferPort): Promise<OuterPort> {
  const { host, proxyPort } = await deps.clientSettings()
  return { host, ...port, ...(proxyPort === 0 ? {} : { port: proxyPort, udpPort: port.udpPort === 0 ? 0 : proxyPort }) }
}

/** A transfer of the caller. @throws AppError TRANSFER_NOT_FOUND, also for those of others */
export async function ownTransfer(deps: TransfersDeps, { principal }: UserCtx, id: string): Promise<TransferRow> {
  const row = await transfersStore.byId(deps.db, id)
  if (row === undefined || row.user_id !== principal.id) throw new AppError('TRANSFER_NOT_FOUND')
  return row
}

/** Gives up what an upload that is over left in the intake, unless another one of the same task goes on with it. */
export async function dropParts({ db, intake }: Pick<TransfersDeps, 'db' | 'intake'>, row: TransferRow): Promise<void> {
  if (row.task === '' || (await transfersStore.hasOtherOfTask(db, row))) return
  await dropTransferParts(intake, row.user_id, row.task)
}

/** Times that a change which another process disturbs is tried again. */
const TRIES = 5

type Changed = Pick<TransfersDeps, 'db' | 'clock' | 'bus'>

/**
 * Applies an event to a transfer as it is now.
 * @returns the row after it; the same where the event changes no state
 */
export function applyEvent(
  deps: Changed,
  { id, event, change = {} }: { readonly id: string; readonly event: TransferEvent; readonly change?: TransferChange },
): Promise<TransferRow> {
  return changeRow(deps, id, (row) => {
    const next = nextState(row.state, event)
    const state = next === 'running' && (change.is_paused ?? row.is_paused) === 1 ? 'paused' : next
    const isWish = event === 'pause' || event === 'resume'
    if (state === undefined && !(isWish && nextState(row.state, 'cancel') !== undefined)) return undefined
    const isEnd = state !== undefined && isOver(state)
    return { ...change, state: state ?? row.state, finished_at: isEnd ? deps.clock.now() : 0 }
  })
}

export type TransferLimits = Partial<
  Pick<TransferRow, 'rate_kbps' | 'ceiling_kbps' | 'priority' | 'deadline' | 'late_ms'>
>

/** Sets how fast a transfer may be. @returns the row after it; one that is over stays as it is */
export function changeLimits(deps: Changed, id: string, limits: TransferLimits): Promise<TransferRow> {
  return changeRow(deps, id, ({ state, door }) =>
    door !== 'transfer' || nextState(state, 'cancel') === undefined ? undefined : limits,
  )
}

/** Lets the account's open pages know. */
export function publishTransfer({ bus }: Pick<TransfersDeps, 'bus'>, row: TransferRow): void {
  bus.publish('transfer.changed', { userId: row.user_id, transfer: presentTransfer(row) })
}

/** @param decide undefined: nothing changes */
export async function changeRow(
  { db, clock, bus }: Changed,
  id: string,
  decide: (row: TransferRow) => TransferChange | undefined,
): Promise<TransferRow> {
  for (let tries = 0; tries < TRIES; tries++) {
    const row = await transfersStore.byId(db, id)
    if (row === undefined) throw new AppError('TRANSFER_NOT_FOUND')
    const change = decide(row)
    if (change === undefined) return row
    const changed = { ...change, updated_at: clock.now() }
    if (await transfersStore.change(db, row, changed)) {
      const after = { ...row, ...changed }
      publishTransfer({ bus }, after)
      return after
    }
  }
  throw new AppError('SERVER_BUSY')
}
