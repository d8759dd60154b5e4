import type { TransferView } from '@godwit/contract'
import { describeBottleneck, parseRate } from '@godwit/transfer'
import { deadlineText } from '../transfers/deadline.ts'
import { type Context, signedIn, UsageError } from './context.ts'
import { requireTime, TIME_WORDS } from './required-time.ts'

/** godwit-client status */
export async function status(context: Context): Promise<number> {
  const { api } = await signedIn(context)
  for (const transfer of await api.transfers())
    context.output.emit('transfer', { ...transfer }, describeTransfer(transfer))
  return 0
}

/** godwit-client pause | resume | cancel ID */
export async function control(context: Context, action: 'pause' | 'resume' | 'cancel'): Promise<number> {
  const [transferId, ...more] = context.words
  if (transferId === undefined || more.length > 0) throw new UsageError(`${action} needs the id that status shows`)
  const { api } = await signedIn(context)
  const transfer = await api.control(transferId, action)
  context.output.emit('transfer', { ...transfer }, describeTransfer(transfer))
  return 0
}

/** godwit-client limit ID RATE */
export async function limit(context: Context): Promise<number> {
  const [transferId, rate, ...more] = context.words
  if (transferId === undefined || rate === undefined || more.length > 0)
    throw new UsageError('limit needs the id that status shows and a rate such as 800k or 20M; 0 lifts the limit')
  const { api } = await signedIn(context)
  const transfer = await api.limit(transferId, megabits(rate))
  context.output.emit('transfer', { ...transfer }, describeTransfer(transfer))
  return 0
}

/** godwit-client deadline ID TIME */
export async function deadline(context: Context): Promise<number> {
  const [transferId, time, ...more] = context.words
  if (transferId === undefined || time === undefined || more.length > 0)
    throw new UsageError(`deadline needs the id that status shows and ${TIME_WORDS}; none takes it back`)
  const wanted = time === 'none' ? null : requireTime(time)
  const { api } = await signedIn(context)
  const transfer = await api.arriveBy(transferId, wanted)
  context.output.emit('transfer', { ...transfer }, describeTransfer(transfer))
  return 0
}

function megabits(rate: string): number {
  if (rate === '0') return 0
  try {
    return Math.round(parseRate(rate) / 1e3) / 1e3
  } catch {
    throw new UsageError(`not a rate: ${rate}`)
  }
}

export function describeTransfer(transfer: TransferView): string {
  const { transferId, direction, state, name, bytes, bytesDone, bytesPerSecond, path } = transfer
  const { bottleneck, bottleneckFigures: figures, deadline, lateMs } = transfer
  const share = bytes === 0 ? '' : ` ${Math.floor((bytesDone / bytes) * 100)} %`
  const rate = bytesPerSecond === 0 ? '' : `, ${((bytesPerSecond * 8) / 1e6).toFixed(1)} Mbit/s by ${path}`
  const limit = bottleneck === '' ? '' : `, ${describeBottleneck({ name: bottleneck, figures })}`
  const arrival = deadline === null ? '' : `, to arrive by ${deadlineText(deadline)}`
  const late = lateMs === 0 ? '' : `, late by ${Math.ceil(lateMs / 60_000)} min`
  return `${transferId}  ${direction.padEnd(8)}  ${state}${share}${rate}${limit}${arrival}${late}  ${name}`
}
