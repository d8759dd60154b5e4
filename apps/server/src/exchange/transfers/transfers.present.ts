import type { TransferView } from '@godwit/contract'
import type { TransferRow } from './transfers.schema.ts'

export function presentTransfer(row: TransferRow): TransferView {
  return {
    transferId: row.id,
    direction: row.direction,
    state: row.state,
    spaceId: row.space_id,
    groupId: row.group_id,
    folder: row.folder,
    name: row.label,
    files: row.files,
    filesDone: row.files_done,
    bytes: Number(row.bytes),
    bytesDone: Number(row.bytes_done),
    bytesPerSecond: Number(row.bytes_per_second),
    failures: row.failures,
    path: row.network_path,
    pathReason: row.path_reason,
    bottleneck: row.bottleneck,
    bottleneckText: row.bottleneck_text,
    device: row.device,
    address: row.address,
    error: row.error,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    finishedAt: Number(row.finished_at),
    expiresAt: Number(row.expires_at),
  }
}
