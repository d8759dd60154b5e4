import { LIMITS, type TransferTicket, type TransferView } from '@godwit/contract'
import { wireGroupOf } from '../../content/access/index.ts'
import type { TransferRow } from './transfers.schema.ts'

const KBPS_PER_MBPS = 1_000
const BYTES_PER_KILOBIT = 125

export function kbpsOf(mbps: number): number {
  return Math.round(mbps * KBPS_PER_MBPS)
}

/** Bytes per second that hold for a transfer by itself; 0: no limit. */
export function transferRateOf({ rate_kbps: own, ceiling_kbps: ceiling }: TransferRow): number {
  return lowerRate(Number(own), Number(ceiling)) * BYTES_PER_KILOBIT
}

/** The lower of two rates of which 0 is no limit. */
export function lowerRate(one: number, other: number): number {
  return one === 0 || other === 0 ? one + other : Math.min(one, other)
}

/** By how much it will come too late, or has. */
function latenessOf({ state, deadline, late_ms: expected, finished_at: finishedAt }: TransferRow): number {
  if (Number(deadline) === 0) return 0
  if (state === 'running') return Number(expected)
  const hasArrived = state === 'completed' || state === 'partial'
  return hasArrived ? Math.max(0, Number(finishedAt) - Number(deadline)) : 0
}

function figuresOf({ bottleneck_figures: figures }: TransferRow): TransferView['bottleneckFigures'] {
  return figures === '' ? {} : (JSON.parse(figures) as TransferView['bottleneckFigures'])
}

export function presentTransfer(row: TransferRow): TransferView {
  return {
    transferId: row.id,
    direction: row.direction,
    state: row.state,
    spaceId: row.space_id,
    groupId: wireGroupOf(row.group_id),
    folder: row.folder,
    name: row.label,
    files: row.files,
    filesDone: row.files_done,
    bytes: Number(row.bytes),
    // What is sent a second time counts once.
    bytesDone: Math.min(Number(row.bytes), Number(row.bytes_done)),
    bytesPerSecond: Number(row.bytes_per_second),
    failures: row.failures,
    path: row.network_path,
    pathReason: row.path_reason,
    bottleneck: row.bottleneck,
    bottleneckFigures: figuresOf(row),
    device: row.device,
    address: row.address,
    error: row.error,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    finishedAt: Number(row.finished_at),
    expiresAt: Number(row.expires_at),
    startedAt: Number(row.started_at),
    bytesMoved: Number(row.bytes_moved),
    rateMbps: Number(row.rate_kbps) / KBPS_PER_MBPS,
    ceilingMbps: Number(row.ceiling_kbps) / KBPS_PER_MBPS,
    priority: row.priority,
    deadline: Number(row.deadline) === 0 ? null : Number(row.deadline),
    lateMs: latenessOf(row),
    door: row.door,
    holder: row.door === 'page' ? row.task : '',
    paths: (JSON.parse(row.paths) as string[]).slice(0, LIMITS.failedPathsReported),
  }
}

export function presentUploadRules({
  forbidClientFilterSwitch,
  transIgnoreRegSwitch,
  transIgnoreReg,
  transIgnoreSizeSwitch,
  transIgnoreSize,
  transSkipSameName,
}: TransferTicket['rules']): TransferTicket['rules'] {
  return {
    ...{ forbidClientFilterSwitch, transIgnoreRegSwitch, transIgnoreReg },
    ...{ transIgnoreSizeSwitch, transIgnoreSize, transSkipSameName },
  }
}
