import type { TransferView } from '@godwit/contract'
import { type Context, signedIn, UsageError } from './context.ts'

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

export function describeTransfer(transfer: TransferView): string {
  const { transferId, direction, state, name, bytes, bytesDone, bytesPerSecond, path, bottleneckText } = transfer
  const share = bytes === 0 ? '' : ` ${Math.floor((bytesDone / bytes) * 100)} %`
  const rate = bytesPerSecond === 0 ? '' : `, ${((bytesPerSecond * 8) / 1e6).toFixed(1)} Mbit/s by ${path}`
  const limit = bottleneckText === '' ? '' : `, ${bottleneckText}`
  return `${transferId}  ${direction.padEnd(8)}  ${state}${share}${rate}${limit}  ${name}`
}
