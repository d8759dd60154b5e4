import { useState } from 'react'
import type { HandOver } from '../../content/files/index.ts'

/** Which transfer is being handed to the client; the file pages ask for it, and know nothing of clients. */
export function useHandOver() {
  const [order, handOver] = useState<HandOver>()
  return { order, handOver, close: () => handOver(undefined) }
}
