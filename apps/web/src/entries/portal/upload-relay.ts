import { serverUnavailable } from '@godwit/contract/wire/api-error'
import type { FileOperations } from '../../lib/file-operations.ts'
import type { Place } from '../../lib/file-socket.ts'
import type { Conflict, Resolution } from '../../features/content/conflicts/index.ts'
import type { Fixes, Preflight } from '../../features/content/preflight/index.ts'

export interface RelayTarget {
  readonly operate: FileOperations
  readonly askConflicts: (conflicts: readonly Conflict[]) => Promise<Resolution>
  readonly askFixes: (preflight: Preflight) => Promise<Fixes>
  readonly onStored: (place: Place, folder: string) => void
  readonly onTakenBack: (names: readonly string[], askAgain: () => void) => void
  readonly onTakenOver: (name: string) => void
}

export interface Relay extends RelayTarget {
  connect(target: RelayTarget): () => void
}

/** Lets the engine of uploads, which stays, speak to the socket and the dialogs of the session, which come and go. */
export function createRelay(): Relay {
  let target: RelayTarget | undefined
  return {
    operate: (operation, input, signal) => {
      if (target === undefined) return Promise.reject(serverUnavailable())
      return target.operate(operation, input, signal)
    },
    askConflicts: (conflicts) => {
      if (target === undefined) return Promise.reject(serverUnavailable())
      return target.askConflicts(conflicts)
    },
    askFixes: (preflight) => {
      if (target === undefined) return Promise.reject(serverUnavailable())
      return target.askFixes(preflight)
    },
    onStored: (place, folder) => target?.onStored(place, folder),
    onTakenBack: (names, askAgain) => target?.onTakenBack(names, askAgain),
    onTakenOver: (name) => target?.onTakenOver(name),
    connect(next) {
      target = next
      return () => {
        if (target === next) target = undefined
      }
    },
  }
}
