import type { SiteLicence } from '../../foundation/licence/index.ts'
import type { Sharer } from './fair-queue.ts'
import { createPaceBucket, everyPace, type Pace, type PaceDeps } from './pace.ts'
import type { Direction } from './speed.policy.ts'

/** What the licence says about the bytes of all transfers. */
export interface LicensedTransfers {
  /** @throws AppError LICENCE_EXPIRED, LICENCE_INVALID, TRAFFIC_INSUFFICIENT */
  require(): void
  /** Lets bytes of one direction pass, for one of those who share the bandwidth. */
  paceOf(direction: Direction, sharer: Sharer): Pace
  /** Bits per second that the licence allows now; Infinity without a limit. */
  limit(): number
}

const BITS_PER_MBIT = 1_000_000
const BYTES_PER_MBIT = BITS_PER_MBIT / 8

/** The bandwidth is one bucket for each direction in this process; the traffic is counted for all nodes together. */
export function createLicensedTransfers(deps: PaceDeps, licence: SiteLicence): LicensedTransfers {
  const bandwidth = (): number => licence.current().bandwidthMbps ?? 0
  const bucket = () => createPaceBucket(deps, () => bandwidth() * BYTES_PER_MBIT)
  const buckets = { upload: bucket(), download: bucket() }

  const count: Pace = (bytes) => {
    const { countsTraffic, rowId, trafficBytes } = licence.current()
    return countsTraffic && rowId !== '' ? licence.meter.take({ rowId, trafficBytes }, bytes) : undefined
  }

  return {
    require() {
      const { closed } = licence.current()
      if (closed !== undefined) throw closed
    },
    paceOf: (direction, sharer) => everyPace(count, (bytes, signal) => buckets[direction].pace(bytes, signal, sharer)),
    limit: () => (bandwidth() === 0 ? Infinity : bandwidth() * BITS_PER_MBIT),
  }
}
